/* Sizes whose products leave 64 bits are refused, and nothing is touched: the
 * arrays are nowhere.
 *
 * RUN: rm -rf %t && mkdir %t
 * RUN: einc build --emit obj %S/Inputs/large-sizes.ein -o %t/large.o
 * RUN: einc build --emit header %S/Inputs/large-sizes.ein -o %t/large.h
 * RUN: %cc -std=c99 -pedantic -Wall -Wextra -Werror -I%t %s %t/large.o -lm \
 * RUN:   -o %t/large
 * RUN: %t/large
 * RUN: einc build -O0 --emit obj %S/Inputs/large-sizes.ein -o %t/large0.o
 * RUN: %cc -std=c99 -I%t %s %t/large0.o -lm -o %t/large0
 * RUN: %t/large0
 */
#include "large.h"
#include <stdio.h>

static int failures = 0;

#define CHECK(call, code)                                                      \
  do {                                                                         \
    int found = (call);                                                        \
    if (found != (code)) {                                                     \
      printf("line %d: %s is %d\n", __LINE__, #call, found);                   \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

/* Far from the others, and from everything. */
#define ARRAY(type, i) ((type *)(uintptr_t)((uint64_t)(i) << 44))

int main(void) {
  const int64_t many = (int64_t)1 << 33, most = INT64_MAX;
  float *a = ARRAY(float, 1), *b = ARRAY(float, 2), *c = ARRAY(float, 3),
        *d = ARRAY(float, 4);
  int8_t *x = ARRAY(int8_t, 5), *y = ARRAY(int8_t, 6), *z = ARRAY(int8_t, 7);

  /* 2^68, which is 0 in 64 bits, and 2^63 bytes. */
  CHECK(outer(a, b, c, many, many), EIN_SHAPE_MISMATCH);
  CHECK(outer(a, b, c, (int64_t)1 << 31, (int64_t)1 << 30), EIN_SHAPE_MISMATCH);
  CHECK(outer(a, b, c, (int64_t)1 << 61, 1), EIN_SHAPE_MISMATCH);
  /* Arrays without elements have no bytes, whatever their other size. */
  CHECK(outer(a, b, c, most, 0), EIN_SHAPE_MISMATCH); /* that of `a` */
  CHECK(outer(a, b, c, 1000, 0), EIN_OK);

  /* An extent that leaves them, and one that does not quite. */
  CHECK(odd(x, y, most), EIN_SHAPE_MISMATCH);
  CHECK(odd(x, y, ((int64_t)1 << 62) + 5), EIN_SHAPE_MISMATCH);

  /* M + K - 1 <= N, of which the sum leaves them. */
  CHECK(window(x, y, z, 100, most, 1, 100), EIN_INDEX_OUT_OF_RANGE);

  /* A temporary of 2^68 bytes, and one of 2^66. */
  CHECK(chain(a, b, d, c, many, 0, many, 1), EIN_OUT_OF_MEMORY);
  CHECK(chain(a, b, d, c, many, 0, many / 4, 1), EIN_OUT_OF_MEMORY);

  {
    /* Views, too. */
    ein_f32_1d va = {a, {many}, {1}}, vb = {b, {many}, {1}};
    ein_f32_2d vc = {c, {many, many}, {many, 1}};
    CHECK(outer_view(&va, &vb, &vc), EIN_SHAPE_MISMATCH);
  }
  return failures;
}
