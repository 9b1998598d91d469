/* A program in C99 that calls compiled functions through the header, and the
 * same text as C++17. The object needs libc and libm and nothing else.
 *
 * RUN: rm -rf %t && mkdir %t
 * RUN: einc build --emit obj %S/Inputs/kernels.ein -o %t/kernels.o
 * RUN: einc build --emit header %S/Inputs/kernels.ein -o %t/kernels.h
 * RUN: %cc -std=c99 -pedantic -Wall -Wextra -Werror -I%t %s %t/kernels.o -lm \
 * RUN:   -o %t/program-c
 * RUN: %t/program-c
 * RUN: %cxx -std=c++17 -pedantic -Wall -Wextra -Werror -I%t -x c++ %s -x none \
 * RUN:   %t/kernels.o -lm -o %t/program-cxx
 * RUN: %t/program-cxx
 *
 * RUN: einc build -O0 --emit obj %S/Inputs/kernels.ein -o %t/kernels0.o
 * RUN: %cc -std=c99 -I%t %s %t/kernels0.o -lm -o %t/program-o0
 * RUN: %t/program-o0
 *
 * What is undefined:
 * RUN: nm -u %t/kernels.o > %t/undefined
 * RUN: nm -u %t/kernels0.o >> %t/undefined
 * RUN: %python %S/Inputs/only-libc.py %t/undefined
 *
 * The same input and flags give the same bytes.
 * RUN: einc build --emit obj %S/Inputs/kernels.ein -o %t/again.o
 * RUN: cmp %t/kernels.o %t/again.o
 */
#include "kernels.h"
#include "kernels.h" /* twice does no harm */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: %s\n", __LINE__, #condition);                           \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

static void check_mm(int64_t m, int64_t k, int64_t n) {
  /* One element more, and not at a vector's boundary. */
  float *a = (float *)malloc((m * k + 1) * sizeof(float)) + 1;
  float *b = (float *)malloc((k * n + 1) * sizeof(float)) + 1;
  float *c = (float *)malloc((m * n + 2) * sizeof(float)) + 1;
  int64_t i, j, l;
  for (i = 0; i < m * k; ++i)
    a[i] = (float)(i % 7 - 3);
  for (i = 0; i < k * n; ++i)
    b[i] = (float)(i % 5 - 2);
  c[-1] = 12345;
  if (m * n > 0)
    c[m * n] = 54321;
  CHECK(mm(a, b, c, m, k, n) == EIN_OK);
  for (i = 0; i < m; ++i)
    for (j = 0; j < n; ++j) {
      float sum = 0;
      for (l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      CHECK(c[i * n + j] == sum); /* integers this small are exact */
    }
  CHECK(c[-1] == 12345);
  CHECK(m * n == 0 || c[m * n] == 54321);
  free(a - 1);
  free(b - 1);
  free(c - 1);
}

int main(void) {
  int64_t i;
  check_mm(1, 1, 1);
  check_mm(5, 7, 3);
  check_mm(33, 40, 65);
  check_mm(0, 4, 4);
  check_mm(4, 0, 4);

  {
    double x[5] = {1, 2, 3, 4, 5}, y[5] = {10, 10, 10, 10, 10};
    CHECK(axpy(0.5, x, y, 5) == EIN_OK);
    for (i = 0; i < 5; ++i)
      CHECK(y[i] == 10 + 0.5 * x[i]);
  }
  {
    float x[2 * 19], y[2 * 19];
    for (i = 0; i < 38; ++i)
      x[i] = (float)(i % 11) * 10;
    CHECK(softmax(x, y, 2, 19) == EIN_OK);
    for (i = 0; i < 2; ++i) {
      float total = 0;
      int j;
      for (j = 0; j < 19; ++j)
        total += y[i * 19 + j];
      CHECK(fabsf(total - 1) < 1e-5f);
    }
  }
  {
    double a[6] = {1, 2, 3, -4, 5, -6}, rows[2], largest;
    CHECK(both(a, rows, &largest, 2, 3) == EIN_OK);
    CHECK(rows[0] == 6 && rows[1] == -5 && largest == 5);
    CHECK(both(a, rows, &largest, 2, 0) == EIN_OK);
    CHECK(rows[0] == 0 && rows[1] == 0 && largest == -HUGE_VAL);
  }
  {
    double a[3] = {-1, 0, 2}, c[3];
    CHECK(functions(a, c, 3) == EIN_OK);
    for (i = 0; i < 3; ++i) {
      double x = a[i], y = fabs(x);
      double expected = log(y + 1) + sqrt(y) * tanh(x) + exp(x);
      CHECK(fabs(c[i] - expected) < 1e-12);
    }
  }
  {
    float a[2] = {1, 2}, b[2] = {10, 20}, c[2];
    CHECK(words(a, b, c, 2) == EIN_OK);
    CHECK(c[0] == 11 && c[1] == 22);
  }

  /* Refused before anything is touched. */
  {
    float c[4] = {7, 7, 7, 7};
    CHECK(mm(NULL, NULL, NULL, -1, 2, 2) == EIN_SHAPE_MISMATCH);
    CHECK(mm(NULL, NULL, NULL, 2, -2, 2) == EIN_SHAPE_MISMATCH);
    CHECK(mm(NULL, NULL, NULL, 2, 2, INT64_MIN) == EIN_SHAPE_MISMATCH);
    CHECK(agree(c, c, c, 2, 3, 4, 2) == EIN_SHAPE_MISMATCH);
    CHECK(shifted(c, c, 4, 3) == EIN_INDEX_OUT_OF_RANGE);
    for (i = 0; i < 4; ++i)
      CHECK(c[i] == 7);
  }
  {
    float a[4] = {1, 2, 3, 4}, c[2];
    CHECK(shifted(a, c, 4, 2) == EIN_OK);
    CHECK(c[0] == 3 && c[1] == 4);
    CHECK(shifted(a, c, 4, 0) == EIN_OK);
  }
  if (failures == 0)
    printf("ok\n");
  return failures != 0;
}
