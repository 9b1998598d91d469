/* Calls what einc compiled and compares with plain loops in double, over sizes
 * round the tiles. Prints how many calls agreed. */
#include "conv.h"
#include "matmul.h"
#include "softmax.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned state = 1;
static float draw(void) {
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / (float)(1 << 23) - 1.0f;
}
static float *make(int64_t count) {
  float *array = malloc((count ? count : 1) * sizeof(float));
  for (int64_t i = 0; i < count; ++i)
    array[i] = draw();
  return array;
}

static int calls = 0;
static void check(const char *what, double got, double want, double bound) {
  if (fabs(got - want) <= bound)
    return;
  printf("%s: %g and not %g\n", what, got, want);
  exit(1);
}

static void testMatmul(int64_t m, int64_t k, int64_t n) {
  float *a = make(m * k), *b = make(k * n), *c = make(m * n);
  if (matmul(a, b, c, m, k, n) != EIN_OK)
    exit(2);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += (double)a[i * k + l] * b[l * n + j];
      check("matmul", c[i * n + j], sum, 1e-6 * (double)(k + 1));
    }
  ++calls;
}

static void testSoftmax(int64_t m, int64_t n) {
  float *x = make(m * n), *y = make(m * n);
  if (softmax(x, y, m, n) != EIN_OK)
    exit(2);
  for (int64_t i = 0; i < m; ++i) {
    double total = 0;
    for (int64_t j = 0; j < n; ++j)
      total += exp(x[i * n + j]);
    for (int64_t j = 0; j < n; ++j)
      check("softmax", y[i * n + j], exp(x[i * n + j]) / total, 1e-5);
  }
  ++calls;
}

static void testConv(int64_t oh, int64_t ow) {
  enum { N = 2, C = 3, F = 5 };
  float *in = make(N * C * (oh + 2) * (ow + 2)), *w = make(F * C * 9),
        *out = make(N * F * oh * ow);
  if (conv3x3(in, w, out, N, C, oh, ow, F) != EIN_OK)
    exit(2);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t f = 0; f < F; ++f)
      for (int64_t h = 0; h < oh; ++h)
        for (int64_t v = 0; v < ow; ++v) {
          double sum = 0;
          for (int64_t c = 0; c < C; ++c)
            for (int64_t i = 0; i < 3; ++i)
              for (int64_t j = 0; j < 3; ++j)
                sum += (double)in[((n * C + c) * (oh + 2) + h + i) * (ow + 2) +
                                  v + j] *
                       w[((f * C + c) * 3 + i) * 3 + j];
          check("conv3x3", out[((n * F + f) * oh + h) * ow + v], sum, 1e-4);
        }
  ++calls;
}

int main(void) {
  static const int64_t sizes[] = {0, 1, 7, 8, 12, 13, 25, 64};
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      testMatmul(sizes[i], sizes[j], sizes[(i + j) % 8]);
      testMatmul(sizes[i], sizes[(i + j) % 8], sizes[j]);
    }
  testMatmul(300, 600, 100);
  for (int i = 0; i < 8; ++i)
    testSoftmax(sizes[i], sizes[7 - i]);
  testConv(1, 1);
  testConv(5, 17);
  float x = 0;
  if (matmul(&x, &x, &x, -1, 1, 1) != EIN_SHAPE_MISMATCH)
    exit(3);
  printf("%d calls agree\n", calls);
  return 0;
}
