// The C++ header's types of half precision: scalars are numbers, not bits.
#ifdef EIN_TEST_NO_HALVES
#undef __FLT16_MANT_DIG__
#undef __BFLT16_MANT_DIG__
#undef __STDCPP_FLOAT16_T__
#undef __STDCPP_BFLOAT16_T__
#endif
#include "halves.hpp"
#include <cstdio>

int main() {
  ein_f16 A[2][2], C[2], r;
  ein_bf16 B[2], D[2];
  for (int i = 0; i < 2; ++i) {
    A[i][0] = ein_f16_from_float(0.5f * static_cast<float>(i));
    B[i] = ein_bf16_from_float(static_cast<float>(i) - 1);
  }
  int code =
      half(ein_f16_from_float(3), {&A[0][0], {2}, {2}}, ein_bf16_from_float(-2),
           {B, {2}}, {C, {2}}, {D, {2}}, ein::view<ein_f16, 0>(&r));
  std::printf("%d: %g %g %g %g %g\n", code, double(ein_f16_to_float(C[0])),
              double(ein_bf16_to_float(D[0])), double(ein_f16_to_float(C[1])),
              double(ein_bf16_to_float(D[1])), double(ein_f16_to_float(r)));
#if EIN_F16_IS_NATIVE
  static_assert(sizeof(A[0][0] * A[0][0]) == 2, "a type of its own");
#endif
}
