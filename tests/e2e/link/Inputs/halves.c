/* The C header's types of half precision, whichever the compiler has. */
#ifdef EIN_TEST_NO_HALVES
#undef __FLT16_MANT_DIG__
#undef __BFLT16_MANT_DIG__
#undef __STDCPP_FLOAT16_T__
#undef __STDCPP_BFLOAT16_T__
#endif
#include "halves.h"
#include <stdio.h>

/* All numbers, and what lies between two neighbours: rounding is to nearest,
 * ties to even, as IEEE 754 and the bits say. */
static int check_conversions(void) {
  int failures = 0;
  unsigned i;
  for (i = 0; i < 0x10000; ++i) {
    ein_f16_bits f = {0}, g;
    ein_bf16_bits b = {0}, c;
    float x, y, middle;
    f.bits = (uint16_t)i;
    b.bits = (uint16_t)i;
    x = ein_f16_bits_to_float(f);
    g = ein_f16_bits_from_float(x);
    failures += x == x ? g.bits != f.bits : (g.bits & 0x7c00) != 0x7c00;
    failures += x == x && ein_f16_to_float(ein_f16_from_bits(f)) != x;
    failures += x == x && ein_f16_to_bits(ein_f16_from_float(x)).bits != f.bits;
    y = ein_bf16_bits_to_float(b);
    c = ein_bf16_bits_from_float(y);
    failures += y == y ? c.bits != b.bits : (c.bits & 0x7f80) != 0x7f80;
    failures += y == y && ein_bf16_to_float(ein_bf16_from_bits(b)) != y;
    failures +=
        y == y && ein_bf16_to_bits(ein_bf16_from_float(y)).bits != b.bits;
    /* The middle between this finite number and the next. */
    if ((i & 0x7fff) >= 0x7bff)
      continue;
    g.bits = (uint16_t)(i + 1);
    middle = (x + ein_f16_bits_to_float(g)) / 2;
    failures += ein_f16_bits_from_float(middle).bits != i + (i & 1);
    failures += ein_f16_to_bits(ein_f16_from_float(middle)).bits != i + (i & 1);
    failures += ein_f16_bits_from_float(middle * (1 - 0x1p-23f)).bits != i;
  }
  failures += ein_f16_bits_from_float(65519).bits != 0x7bff;
  failures += ein_f16_bits_from_float(-65520).bits != 0xfc00;
  return failures;
}

int main(void) {
  ein_f16 A[3], C[3], r;
  ein_bf16 B[3], D[3];
  int i, code;
  for (i = 0; i < 3; ++i) {
    A[i] = ein_f16_from_float(0.5f * (float)i);
    B[i] = ein_bf16_from_float((float)i - 1);
  }
  code = half(ein_f16_bits_from_float(3), A, ein_bf16_bits_from_float(-2), B, C,
              D, &r, 3);
  printf("%d:", code);
  for (i = 0; i < 3; ++i)
    printf(" %g %g", (double)ein_f16_to_float(C[i]),
           (double)ein_bf16_to_float(D[i]));
  printf(" %g, native %d %d, %d wrong\n", (double)ein_f16_to_float(r),
         EIN_F16_IS_NATIVE, EIN_BF16_IS_NATIVE, check_conversions());
  return 0;
}
