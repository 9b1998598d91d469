//===- typed_loops.c - Programs of other types than f32, as loops ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As loops.c. In matrix products the contiguous index is inside and four rows
// of W go at once, which the compiler makes vectors of; numbers of half
// precision are converted on the way, bf16 by its bits.
//
//===----------------------------------------------------------------------===//

#include <math.h>
#include <stdint.h>

typedef int64_t I;

static inline float from_bf16(uint16_t x) {
  union {
    uint32_t bits;
    float value;
  } u = {(uint32_t)x << 16};
  return u.value;
}
static inline uint16_t to_bf16(float x) {
  union {
    float value;
    uint32_t bits;
  } u = {x};
  return (uint16_t)((u.bits + 0x7fff + (u.bits >> 16 & 1)) >> 16);
}
static inline int32_t from_u8(uint8_t x) { return x; }
static inline int32_t from_i8(int8_t x) { return x; }
static inline float from_f16(_Float16 x) { return (float)x; }

#define MATMUL(NAME, TX, FX, TW, FW, TY)                                       \
  static void NAME(I M, I K, I N, const TX(*restrict X)[K],                    \
                   const TW(*restrict W)[N], TY(*restrict Y)[N]) {             \
    for (I m = 0; m < M; ++m) {                                                \
      for (I n = 0; n < N; ++n)                                                \
        Y[m][n] = 0;                                                           \
      I k = 0;                                                                 \
      for (; k + 4 <= K; k += 4) {                                             \
        TY a = FX(X[m][k]), b = FX(X[m][k + 1]), c = FX(X[m][k + 2]),          \
           d = FX(X[m][k + 3]);                                                \
        for (I n = 0; n < N; ++n)                                              \
          Y[m][n] += a * FW(W[k][n]) + b * FW(W[k + 1][n]) +                   \
                     c * FW(W[k + 2][n]) + d * FW(W[k + 3][n]);                \
      }                                                                        \
      for (; k < K; ++k) {                                                     \
        TY a = FX(X[m][k]);                                                    \
        for (I n = 0; n < N; ++n)                                              \
          Y[m][n] += a * FW(W[k][n]);                                          \
      }                                                                        \
    }                                                                          \
  }
MATMUL(matmul_u8i8, uint8_t, from_u8, int8_t, from_i8, int32_t)
MATMUL(matmul_i8, int8_t, from_i8, int8_t, from_i8, int32_t)
MATMUL(matmul_bf16, uint16_t, from_bf16, uint16_t, from_bf16, float)
MATMUL(matmul_f16, _Float16, from_f16, _Float16, from_f16, float)

static void bmm_u8i8(I B, I M, I K, I N, const uint8_t (*restrict X)[M][K],
                     const int8_t (*restrict W)[K][N],
                     int32_t (*restrict Y)[M][N]) {
  for (I b = 0; b < B; ++b)
    matmul_u8i8(M, K, N, X[b], W[b], Y[b]);
}
static void bmm_bf16(I B, I M, I K, I N, const uint16_t (*restrict X)[M][K],
                     const uint16_t (*restrict W)[K][N],
                     float (*restrict Y)[M][N]) {
  for (I b = 0; b < B; ++b)
    matmul_bf16(M, K, N, X[b], W[b], Y[b]);
}

static void dense_u8i8(I M, I K, I N, const uint8_t (*restrict X)[K],
                       const int8_t (*restrict W)[N], const int32_t *restrict b,
                       const float *restrict s, uint8_t (*restrict Y)[N]) {
  int32_t total[1][N];
  for (I m = 0; m < M; ++m) {
    for (I n = 0; n < N; ++n)
      total[0][n] = b[n];
    for (I k = 0; k < K; ++k) {
      int32_t x = X[m][k] - 121;
      for (I n = 0; n < N; ++n)
        total[0][n] += x * W[k][n];
    }
    for (I n = 0; n < N; ++n) {
      float y = rintf(total[0][n] * (s[n] * 0x1p-13f)) + 119;
      y = y < 0 ? 0 : y > 255 ? 255 : y;
      Y[m][n] = (uint8_t)(int32_t)y;
    }
  }
}

static void dense_bf16(I M, I K, I N, const uint16_t (*restrict X)[K],
                       const uint16_t (*restrict W)[N],
                       const uint16_t *restrict b, uint16_t (*restrict Y)[N]) {
  float total[1][N];
  for (I m = 0; m < M; ++m) {
    matmul_bf16(1, K, N, X + m, W, total);
    for (I n = 0; n < N; ++n) {
      float t = total[0][n] + from_bf16(b[n]);
      Y[m][n] = to_bf16(
          0.5f * t * (1 + tanhf(0.7978845608f * (t + 0.044715f * t * t * t))));
    }
  }
}

static inline double gelu(double t) {
  return 0.5 * t * (1 + tanh(0.7978845608 * (t + 0.044715 * t * t * t)));
}
static void gelu_affine_f64(I M, I N, const double (*restrict X)[N],
                            const double *restrict a, const double *restrict b,
                            double (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n)
      Y[m][n] = gelu(a[n] * X[m][n] + b[n]);
}
static void swish_gate_f64(I M, I N, const double (*restrict X)[N],
                           const double (*restrict Z)[N],
                           double (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n)
      Y[m][n] = X[m][n] / (1 + exp(-X[m][n])) * Z[m][n];
}
static void chain5_f64(I M, I N, const double (*restrict X)[N],
                       const double *restrict b, const double *restrict s,
                       double (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n) {
      double y = tanh(X[m][n] + b[n]) * s[n] + X[m][n];
      Y[m][n] = y > 0 ? y : 0;
    }
}
static inline double get_top(I N, const double *restrict x) {
  double top = -INFINITY;
  for (I n = 0; n < N; ++n)
    top = x[n] > top ? x[n] : top;
  return top;
}
static void softmax_f64(I M, I N, const double (*restrict X)[N],
                        double (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m) {
    double top = get_top(N, X[m]), total = 0;
    for (I n = 0; n < N; ++n) {
      Y[m][n] = exp(X[m][n] - top);
      total += Y[m][n];
    }
    for (I n = 0; n < N; ++n)
      Y[m][n] *= 1 / total;
  }
}
static void logsumexp_f64(I M, I N, const double (*restrict X)[N],
                          double *restrict y) {
  for (I m = 0; m < M; ++m) {
    double top = get_top(N, X[m]), total = 0;
    for (I n = 0; n < N; ++n)
      total += exp(X[m][n] - top);
    y[m] = top + log(total);
  }
}
static void layernorm_f64(I M, I N, const double (*restrict X)[N],
                          const double *restrict gain,
                          const double *restrict bias,
                          double (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m) {
    double sum = 0, square = 0;
    for (I n = 0; n < N; ++n)
      sum += X[m][n];
    double mean = sum / N;
    for (I n = 0; n < N; ++n)
      square += (X[m][n] - mean) * (X[m][n] - mean);
    double factor = 1 / sqrt(square / N + 1e-5);
    for (I n = 0; n < N; ++n)
      Y[m][n] = (X[m][n] - mean) * factor * gain[n] + bias[n];
  }
}
static void rmsnorm_f64(I M, I N, const double (*restrict X)[N],
                        const double *restrict gain, double (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m) {
    double square = 0;
    for (I n = 0; n < N; ++n)
      square += X[m][n] * X[m][n];
    double factor = 1 / sqrt(square / N + 1e-5);
    for (I n = 0; n < N; ++n)
      Y[m][n] = X[m][n] * factor * gain[n];
  }
}
static void exp_f64(I N, const double *restrict X, double *restrict Y) {
  for (I n = 0; n < N; ++n)
    Y[n] = exp(X[n]);
}
static void log_f64(I N, const double *restrict X, double *restrict Y) {
  for (I n = 0; n < N; ++n)
    Y[n] = log(X[n] + 2);
}
static void sin_f64(I N, const double *restrict X, double *restrict Y) {
  for (I n = 0; n < N; ++n)
    Y[n] = sin(10 * X[n]);
}
static void tanh_f64(I N, const double *restrict X, double *restrict Y) {
  for (I n = 0; n < N; ++n)
    Y[n] = tanh(X[n]);
}
static void erf_f64(I N, const double *restrict X, double *restrict Y) {
  for (I n = 0; n < N; ++n)
    Y[n] = erf(X[n]);
}
static void pow_f64(I N, const double *restrict X, const double *restrict Z,
                    double *restrict Y) {
  for (I n = 0; n < N; ++n)
    Y[n] = pow(X[n] + 2, Z[n]);
}

#define COMPLEX_PROGRAMS(SUFFIX, REAL)                                         \
  static void affine_##SUFFIX(I M, I N, const REAL _Complex(*restrict X)[N],   \
                              const REAL _Complex(*restrict Z)[N],             \
                              const REAL _Complex *restrict a,                 \
                              REAL _Complex(*restrict Y)[N]) {                 \
    for (I m = 0; m < M; ++m)                                                  \
      for (I n = 0; n < N; ++n)                                                \
        Y[m][n] = a[n] * X[m][n] + Z[m][n];                                    \
  }                                                                            \
  static void turn_##SUFFIX(I M, I N, const REAL _Complex(*restrict X)[N],     \
                            const REAL _Complex(*restrict P)[N],               \
                            REAL _Complex(*restrict Y)[N]) {                   \
    for (I m = 0; m < M; ++m)                                                  \
      for (I n = 0; n < N; ++n)                                                \
        Y[m][n] = (REAL)0.5 * X[m][n] * ~P[m][n];                              \
  }                                                                            \
  static void abs2_##SUFFIX(I M, I N, const REAL _Complex(*restrict X)[N],     \
                            REAL(*restrict Y)[N]) {                            \
    for (I m = 0; m < M; ++m)                                                  \
      for (I n = 0; n < N; ++n) {                                              \
        REAL re = __real__ X[m][n], im = __imag__ X[m][n];                     \
        Y[m][n] = re * re + im * im;                                           \
      }                                                                        \
  }                                                                            \
  static void row_sum_##SUFFIX(I M, I N, const REAL _Complex(*restrict X)[N],  \
                               REAL _Complex *restrict y) {                    \
    for (I m = 0; m < M; ++m) {                                                \
      REAL _Complex sum = 0;                                                   \
      for (I n = 0; n < N; ++n)                                                \
        sum += X[m][n];                                                        \
      y[m] = sum;                                                              \
    }                                                                          \
  }                                                                            \
  static void row_dot_##SUFFIX(I M, I N, const REAL _Complex(*restrict X)[N],  \
                               const REAL _Complex(*restrict Z)[N],            \
                               REAL _Complex *restrict y) {                    \
    for (I m = 0; m < M; ++m) {                                                \
      REAL _Complex sum = 0;                                                   \
      for (I n = 0; n < N; ++n)                                                \
        sum += ~X[m][n] * Z[m][n];                                             \
      y[m] = sum;                                                              \
    }                                                                          \
  }
COMPLEX_PROGRAMS(c64, float)
COMPLEX_PROGRAMS(c128, double)
