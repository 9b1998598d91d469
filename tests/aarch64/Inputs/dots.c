// Calls products of narrow numbers at many sizes and compares with plain loops.
#include "dots.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state = 1;
static unsigned next(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33);
}

enum { kMost = 70 };
static uint8_t a[kMost * kMost], b[kMost * kMost];
static uint16_t x[kMost * kMost], y[kMost * kMost];
static int32_t c[kMost * kMost], expected[kMost * kMost];
static float f[kMost * kMost];

/// A byte as the number that it is; the extremes are frequent.
static int get(const uint8_t *bytes, int at, int isSigned) {
  return isSigned ? (int8_t)bytes[at] : bytes[at];
}

static float toFloat(uint16_t half) {
  uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static int calls;

static void check(const char *name, int code, int m, int n, int k) {
  ++calls;
  if (code == 0 && memcmp(c, expected, sizeof(int32_t) * (size_t)(m * n)) == 0)
    return;
  printf("%s is wrong at %d x %d x %d (code %d)\n", name, m, n, k, code);
  exit(1);
}

static void run(int m, int n, int k) {
  for (int i = 0; i < kMost * kMost; ++i) {
    unsigned kind = next() % 4;
    a[i] = (uint8_t)(kind == 0 ? 0x80 : kind == 1 ? 0xff : next());
    b[i] = (uint8_t)(kind == 2 ? 0x80 : kind == 3 ? 0x7f : next());
    // Of magnitudes from 1/8 to 8.
    x[i] = (uint16_t)((next() % 2 << 15) | ((124 + next() % 6) << 7) |
                      next() % 128);
    y[i] = (uint16_t)((next() % 2 << 15) | ((124 + next() % 6) << 7) |
                      next() % 128);
  }
#define EIN_PRODUCT(NAME, SIGNED_A, SIGNED_B, AT_A, AT_B, START, ...)          \
  for (int i = 0; i < m; ++i)                                                  \
    for (int j = 0; j < n; ++j) {                                              \
      uint32_t sum = START;                                                    \
      for (int l = 0; l < k; ++l)                                              \
        sum += (uint32_t)(get(a, AT_A, SIGNED_A) * get(b, AT_B, SIGNED_B));    \
      expected[i * n + j] = (int32_t)sum;                                      \
      c[i * n + j] = 7;                                                        \
    }                                                                          \
  check(#NAME, NAME(__VA_ARGS__), m, n, k);
  EIN_PRODUCT(ss, 1, 1, i * k + l, l * n + j, 0, (int8_t *)a, (int8_t *)b, c, m,
              k, n)
  EIN_PRODUCT(uu, 0, 0, i * k + l, l * n + j, 0, a, b, (uint32_t *)c, m, k, n)
  EIN_PRODUCT(us, 0, 1, i * k + l, l * n + j, 0, a, (int8_t *)b, c, m, k, n)
  EIN_PRODUCT(su, 1, 0, l * m + i, j * k + l, 7, (int8_t *)a, b, c, k, m, n)
  if (m == 4) {
    EIN_PRODUCT(four, 1, 1, i * k + l, l * n + j, 0, (int8_t *)a, (int8_t *)b,
                c, k, n)
  }
  if (m == 3) {
    EIN_PRODUCT(three, 0, 1, i * k + l, j * k + l, 0, a, (int8_t *)b, c, k, n)
  }
  if (m == 1) {
    EIN_PRODUCT(one, 1, 1, i * k + l, l * n + j, 0, (int8_t *)a, (int8_t *)b, c,
                k, n)
  }

  if (n == 1) {
    EIN_PRODUCT(ss_x, 1, 1, i * k + l, l, 0, (int8_t *)a, (int8_t *)b, c, m, k)
    EIN_PRODUCT(uu_x, 0, 0, i * k + l, l, 0, a, b, (uint32_t *)c, m, k)
    EIN_PRODUCT(us_x, 0, 1, i * k + l, l, 0, a, (int8_t *)b, c, m, k)
    EIN_PRODUCT(su_x, 1, 0, i * k + l, l, 7, (int8_t *)a, b, c, m, k)
  }

  int code = hh((void *)x, (void *)y, f, m, k, n);
  ++calls;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0, mass = 0;
      for (int l = 0; l < k; ++l) {
        double product = (double)toFloat(x[i * k + l]) * toFloat(y[l * n + j]);
        sum += product;
        mass += fabs(product);
      }
      if (code != 0 ||
          !(fabs(f[i * n + j] - sum) <= mass * (k + 5) * 0x1p-24)) {
        printf("hh is wrong at %d x %d x %d: %g, not %g (code %d)\n", m, n, k,
               f[i * n + j], sum, code);
        exit(1);
      }
    }
}

/// Sums of a vector of halves, for which `run` has the numbers.
static void runHalves(int m, int k) {
  int code = hh_x((void *)x, (void *)y, f, m, k);
  ++calls;
  for (int i = 0; i < m; ++i) {
    double sum = 0, mass = 0;
    for (int l = 0; l < k; ++l) {
      double product = (double)toFloat(x[i * k + l]) * toFloat(y[l]);
      sum += product;
      mass += fabs(product);
    }
    if (code != 0 || !(fabs(f[i] - sum) <= mass * (k + 5) * 0x1p-24)) {
      printf("hh_x is wrong at %d x %d: %g, not %g (code %d)\n", m, k, f[i],
             sum, code);
      exit(1);
    }
  }
}

/// Windows of 3 x 3 of eight channels.
static void runWindows(int h, int w, int n) {
  enum { kChannels = 8, kWindow = 3 };
  int width = w + kWindow - 1, height = h + kWindow - 1;
#define EIN_WINDOWS(NAME, SIGNED_A, SIGNED_B, AT_A, AT_B, AT_C, ...)           \
  for (int i = 0; i < h; ++i)                                                  \
    for (int j = 0; j < w; ++j)                                                \
      for (int o = 0; o < n; ++o) {                                            \
        uint32_t sum = 0;                                                      \
        for (int r = 0; r < kWindow; ++r)                                      \
          for (int s = 0; s < kWindow; ++s)                                    \
            for (int l = 0; l < kChannels; ++l)                                \
              sum +=                                                           \
                  (uint32_t)(get(a, AT_A, SIGNED_A) * get(b, AT_B, SIGNED_B)); \
        expected[AT_C] = (int32_t)sum;                                         \
        c[AT_C] = 7;                                                           \
      }                                                                        \
  check(#NAME, NAME(__VA_ARGS__), h *w, n, 72);
  EIN_WINDOWS(ss_w, 1, 1, ((i + r) * width + j + s) * kChannels + l,
              ((r * kWindow + s) * kChannels + l) * n + o, (i * w + j) * n + o,
              (int8_t *)a, (int8_t *)b, c, h, w, n)
  EIN_WINDOWS(us_w, 0, 1, ((i + r) * width + j + s) * kChannels + l,
              ((r * kWindow + s) * kChannels + l) * n + o, (i * w + j) * n + o,
              a, (int8_t *)b, c, h, w, n)
  EIN_WINDOWS(us_c, 0, 1, (l * height + i + r) * width + j + s,
              ((o * kChannels + l) * kWindow + r) * kWindow + s,
              (o * h + i) * w + j, a, (int8_t *)b, c, h, w, n)
}

int main(void) {
  static const int sizes[] = {0, 1, 3, 4, 5, 8, 17, 33, 66};
  enum { kCount = sizeof sizes / sizeof *sizes };
  for (int i = 0; i < kCount; ++i)
    for (int j = 0; j < kCount; ++j)
      for (int l = 0; l < kCount; ++l)
        run(sizes[i], sizes[j], sizes[l]);
  for (int i = 0; i < kCount; ++i)
    for (int l = 0; l < kCount; ++l)
      runHalves(sizes[i], sizes[l]);
  static const int extents[] = {0, 1, 5, 8, 17};
  enum { kExtents = sizeof extents / sizeof *extents };
  for (int i = 1; i < kExtents; ++i)
    for (int j = 0; j < kExtents; ++j)
      for (int l = 0; l < kCount; ++l)
        if (extents[i] * extents[j] * sizes[l] <= kMost * kMost)
          runWindows(extents[i], extents[j], sizes[l]);
  printf("%d calls agree\n", calls);
  return 0;
}
