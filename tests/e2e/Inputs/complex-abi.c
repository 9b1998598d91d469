/* Complex arguments by value and views of complex arrays, from C. Prints
 * nothing unless something is wrong. */
#include "abi.h"
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int isGood, const char *what) {
  if (isGood)
    return;
  printf("%s is wrong\n", what);
  exit(1);
}

int main(void) {
  double complex x = 0;
  double y = 0;
  check(many(1, 1 + 2 * I, 3 - I, 0.5f, 2 * I, 0.25 + 8 * I, -1 - 1 * I, 5, 2,
             1 + 4 * I, 3, 7, &x, &y) == EIN_OK,
        "the code of many");
  check(x == 41.25 + 70 * I, "x");
  check(y == 1 + 1 + 6 + 12 + 7, "y");

  enum { M = 3, N = 5 };
  float complex a[M][2 * N], b[N][M], z = 2 - I;
  double complex c[M], w = 0.5 + I;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < 2 * N; ++j)
      a[i][j] = i - 2 * j + (j + 3 * i) * I;
  /* Every other column, from the last one on, and the rows upside down. */
  ein_c64_2d view = {&a[M - 1][2 * N - 1], {M, N}, {-2 * N, -2}};
  ein_c64_2d out = {&b[0][0], {N, M}, {M, 1}};
  ein_c128_1d sums = {&c[M - 1], {M}, {-1}};
  check(scale_view(&view, z, w, &out, &sums) == EIN_OK, "the code of scale");
  for (int i = 0; i < M; ++i) {
    double complex sum = 0;
    for (int j = 0; j < N; ++j) {
      float complex element = a[M - 1 - i][2 * N - 1 - 2 * j];
      check(b[j][i] == z * element, "B");
      sum += w * element;
    }
    check(c[M - 1 - i] == sum, "C");
  }
  return 0;
}
