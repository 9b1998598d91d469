//===- loops.c - The programs as loops ------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As one would write them who knows what is contiguous and wants one pass over
// memory where one is enough. A function has the sizes of its program in their
// order, then its arrays. The functions at the end are steps of composed.txt.
//
//===----------------------------------------------------------------------===//

#include <math.h>
#include <stdint.h>

typedef int64_t I;
#define restrict

static inline float gelu(float t) {
  return 0.5f * t * (1 + tanhf(0.7978845608f * (t + 0.044715f * t * t * t)));
}

static void gelu_affine(I M, I N, const float (*restrict X)[N],
                        const float *restrict a, const float *restrict b,
                        float (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n)
      Y[m][n] = gelu(a[n] * X[m][n] + b[n]);
}

static void residual(I M, I N, const float (*restrict X)[N],
                     const float (*restrict R)[N], const float *restrict g,
                     float (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n)
      Y[m][n] = X[m][n] + g[n] * R[m][n];
}

static void swish_gate(I M, I N, const float (*restrict X)[N],
                       const float (*restrict Z)[N], float (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n)
      Y[m][n] = X[m][n] / (1 + expf(-X[m][n])) * Z[m][n];
}

static void chain5(I M, I N, const float (*restrict X)[N],
                   const float *restrict b, const float *restrict s,
                   float (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n)
      Y[m][n] = fmaxf(tanhf(X[m][n] + b[n]) * s[n] + X[m][n], 0);
}

static inline float get_top(I N, const float *restrict x) {
  float top = -INFINITY;
  for (I n = 0; n < N; ++n)
    top = x[n] > top ? x[n] : top;
  return top;
}

/// Rows of x may be those of y.
static inline void softmax_row(I N, const float *x, float *y) {
  float top = get_top(N, x), total = 0;
  for (I n = 0; n < N; ++n)
    total += y[n] = expf(x[n] - top);
  float factor = 1 / total;
  for (I n = 0; n < N; ++n)
    y[n] *= factor;
}

static void softmax(I M, I N, const float (*restrict X)[N],
                    float (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m)
    softmax_row(N, X[m], Y[m]);
}

static void logsumexp(I M, I N, const float (*restrict X)[N],
                      float *restrict Y) {
  for (I m = 0; m < M; ++m) {
    float top = get_top(N, X[m]), total = 0;
    for (I n = 0; n < N; ++n)
      total += expf(X[m][n] - top);
    Y[m] = top + logf(total);
  }
}

static void layernorm(I M, I N, const float (*restrict X)[N],
                      const float *restrict gain, const float *restrict bias,
                      float (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m) {
    float mean = 0, variance = 0;
    for (I n = 0; n < N; ++n)
      mean += X[m][n];
    mean /= N;
    for (I n = 0; n < N; ++n)
      variance += (X[m][n] - mean) * (X[m][n] - mean);
    float factor = 1 / sqrtf(variance / N + 1e-5f);
    for (I n = 0; n < N; ++n)
      Y[m][n] = (X[m][n] - mean) * factor * gain[n] + bias[n];
  }
}

static void rmsnorm(I M, I N, const float (*restrict X)[N],
                    const float *restrict gain, float (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m) {
    float square = 0;
    for (I n = 0; n < N; ++n)
      square += X[m][n] * X[m][n];
    float factor = 1 / sqrtf(square / N + 1e-5f);
    for (I n = 0; n < N; ++n)
      Y[m][n] = X[m][n] * factor * gain[n];
  }
}

static void row_sum(I M, I N, const float (*restrict X)[N], float *restrict Y) {
  for (I m = 0; m < M; ++m) {
    float sum = 0;
    for (I n = 0; n < N; ++n)
      sum += X[m][n];
    Y[m] = sum;
  }
}

static void row_max(I M, I N, const float (*restrict X)[N], float *restrict Y) {
  for (I m = 0; m < M; ++m)
    Y[m] = get_top(N, X[m]);
}

static void col_sum(I M, I N, const float (*restrict X)[N], float *restrict Y) {
  for (I n = 0; n < N; ++n)
    Y[n] = 0;
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n)
      Y[n] += X[m][n];
}

static void col_max(I M, I N, const float (*restrict X)[N], float *restrict Y) {
  for (I n = 0; n < N; ++n)
    Y[n] = -INFINITY;
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n)
      Y[n] = X[m][n] > Y[n] ? X[m][n] : Y[n];
}

static void
conv(I B, I H, I KH, I W, I KW, I C, I F, I s,
     const float (*restrict image)[s * H + KH - s][s * W + KW - s][C],
     const float (*restrict K)[KW][C][F], float (*restrict O)[H][W][F]) {
  enum { block = 64 };
  for (I b = 0; b < B; ++b)
    for (I h = 0; h < H; ++h)
      for (I w = 0; w < W; ++w)
        for (I f0 = 0; f0 < F; f0 += block) {
          float sums[block] = {0};
          I filters = F - f0 < block ? F - f0 : block;
          for (I kh = 0; kh < KH; ++kh)
            for (I kw = 0; kw < KW; ++kw)
              for (I c = 0; c < C; ++c)
                if (filters == block)
                  for (I f = 0; f < block; ++f)
                    sums[f] += image[b][s * h + kh][s * w + kw][c] *
                               K[kh][kw][c][f0 + f];
                else
                  for (I f = 0; f < filters; ++f)
                    sums[f] += image[b][s * h + kh][s * w + kw][c] *
                               K[kh][kw][c][f0 + f];
          for (I f = 0; f < filters; ++f)
            O[b][h][w][f0 + f] = sums[f];
        }
}

static void
depthwise(I B, I H, I KH, I W, I KW, I C, I s,
          const float (*restrict image)[s * H + KH - s][s * W + KW - s][C],
          const float (*restrict K)[KW][C], float (*restrict O)[H][W][C]) {
  for (I b = 0; b < B; ++b)
    for (I h = 0; h < H; ++h)
      for (I w = 0; w < W; ++w)
        for (I c = 0; c < C; ++c) {
          float sum = 0;
          for (I kh = 0; kh < KH; ++kh)
            for (I kw = 0; kw < KW; ++kw)
              sum += image[b][s * h + kh][s * w + kw][c] * K[kh][kw][c];
          O[b][h][w][c] = sum;
        }
}

static void
max_pool(I B, I H, I W, I C, I k, I s,
         const float (*restrict image)[s * H + k - s][s * W + k - s][C],
         float (*restrict O)[H][W][C]) {
  for (I b = 0; b < B; ++b)
    for (I h = 0; h < H; ++h)
      for (I w = 0; w < W; ++w)
        for (I c = 0; c < C; ++c) {
          float top = -INFINITY;
          for (I kh = 0; kh < k; ++kh)
            for (I kw = 0; kw < k; ++kw) {
              float x = image[b][s * h + kh][s * w + kw][c];
              top = x > top ? x : top;
            }
          O[b][h][w][c] = top;
        }
}

static void
mean_pool(I B, I H, I W, I C, I k, I s,
          const float (*restrict image)[s * H + k - s][s * W + k - s][C],
          float (*restrict O)[H][W][C]) {
  for (I b = 0; b < B; ++b)
    for (I h = 0; h < H; ++h)
      for (I w = 0; w < W; ++w)
        for (I c = 0; c < C; ++c) {
          float sum = 0;
          for (I kh = 0; kh < k; ++kh)
            for (I kw = 0; kw < k; ++kw)
              sum += image[b][s * h + kh][s * w + kw][c];
          O[b][h][w][c] = sum / (k * k);
        }
}

static void global_pool(I B, I H, I W, I C,
                        const float (*restrict image)[H][W][C],
                        float (*restrict O)[C]) {
  for (I b = 0; b < B; ++b) {
    for (I c = 0; c < C; ++c)
      O[b][c] = 0;
    for (I h = 0; h < H; ++h)
      for (I w = 0; w < W; ++w)
        for (I c = 0; c < C; ++c)
          O[b][c] += image[b][h][w][c];
    for (I c = 0; c < C; ++c)
      O[b][c] /= H * W;
  }
}

static void stencil5(I M, I N, const float (*restrict U)[N + 2],
                     float (*restrict V)[N]) {
  for (I i = 0; i < M; ++i)
    for (I j = 0; j < N; ++j)
      V[i][j] = 0.2f * (U[i + 1][j + 1] + U[i][j + 1] + U[i + 2][j + 1] +
                        U[i + 1][j] + U[i + 1][j + 2]);
}

static void stencil9(I M, I N, const float (*restrict U)[N + 2],
                     const float (*restrict W)[3], float (*restrict V)[N]) {
  for (I i = 0; i < M; ++i)
    for (I j = 0; j < N; ++j) {
      float sum = 0;
      for (I a = 0; a < 3; ++a)
        for (I b = 0; b < 3; ++b)
          sum += U[i + a][j + b] * W[a][b];
      V[i][j] = sum;
    }
}

static void heat(I M, I N, const float (*restrict U)[N],
                 float (*restrict V)[N]) {
  for (I i = 0; i < M; ++i) {
    const float *above = U[i ? i - 1 : 0], *below = U[i + 1 < M ? i + 1 : i];
    const float *row = U[i];
    for (I j = 1; j + 1 < N; ++j)
      V[i][j] = row[j] + 0.1f * (above[j] + below[j] + row[j - 1] + row[j + 1] -
                                 4 * row[j]);
    for (I end = 0; end < 2; ++end) {
      I j = end ? N - 1 : 0;
      V[i][j] = row[j] + 0.1f * (above[j] + below[j] + row[j ? j - 1 : 0] +
                                 row[j + 1 < N ? j + 1 : j] - 4 * row[j]);
    }
  }
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

static void fock(I N, const double (*restrict D)[N],
                 const double (*restrict V)[N][N][N], double (*restrict G)[N]) {
  for (I m = 0; m < N; ++m)
    for (I n = 0; n < N; ++n) {
      double coulomb = 0, exchange = 0;
      for (I l = 0; l < N; ++l)
        for (I s = 0; s < N; ++s) {
          coulomb += V[m][n][l][s] * D[l][s];
          exchange += V[m][l][n][s] * D[l][s];
        }
      G[m][n] = coulomb - 0.5 * exchange;
    }
}

//===----------------------------------------------------------------------===//
// Steps between matrix products
//===----------------------------------------------------------------------===//

/// softmax(P / sqrt(D)) in place.
static void attention_softmax(I S, I H, I D, float (*restrict P)[S][S]) {
  float scale = 1 / sqrtf(D);
  for (I h = 0; h < H; ++h)
    for (I s = 0; s < S; ++s) {
      float *row = P[h][s];
      float top = scale * get_top(S, row), total = 0;
      for (I t = 0; t < S; ++t)
        total += row[t] = expf(scale * row[t] - top);
      float factor = 1 / total;
      for (I t = 0; t < S; ++t)
        row[t] *= factor;
    }
}

/// The same up to the diagonal, and zeros behind it.
static void causal_softmax(I S, I H, I D, float (*restrict P)[S][S]) {
  float scale = 1 / sqrtf(D);
  for (I h = 0; h < H; ++h)
    for (I s = 0; s < S; ++s) {
      float *row = P[h][s];
      float top = scale * get_top(s + 1, row), total = 0;
      for (I t = 0; t <= s; ++t)
        total += row[t] = expf(scale * row[t] - top);
      float factor = 1 / total;
      for (I t = 0; t <= s; ++t)
        row[t] *= factor;
      for (I t = s + 1; t < S; ++t)
        row[t] = 0;
    }
}

static void scale_queries(I S, I H, I D, const float *restrict Q,
                          float *restrict R) {
  float scale = 1 / sqrtf(D);
  for (I i = 0; i < S * H * D; ++i)
    R[i] = scale * Q[i];
}

static void dense_gelu_bias(I M, I K, I N, const float *restrict b,
                            float (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n)
      Y[m][n] = gelu(Y[m][n] + b[n]);
}

static void mlp_gelu(I M, I K, I F, I N, const float *restrict b,
                     float (*restrict Y)[F]) {
  dense_gelu_bias(M, K, F, b, Y);
}

static void mlp_bias(I M, I K, I F, I N, const float *restrict b,
                     float (*restrict Y)[N]) {
  for (I m = 0; m < M; ++m)
    for (I n = 0; n < N; ++n)
      Y[m][n] += b[n];
}

static void block_normalise(I S, I E, I H, I D, I F,
                            const float (*restrict X)[E],
                            const float *restrict gain,
                            const float *restrict bias,
                            float (*restrict Y)[E]) {
  layernorm(S, E, X, gain, bias, Y);
}

static void block_softmax(I S, I E, I H, I D, I F, float (*restrict P)[S][S]) {
  causal_softmax(S, H, D, P);
}

static void block_add(I S, I E, I H, I D, I F, const float (*restrict X)[E],
                      float (*restrict Y)[E]) {
  for (I s = 0; s < S; ++s)
    for (I e = 0; e < E; ++e)
      Y[s][e] += X[s][e];
}

static void block_gelu(I S, I E, I H, I D, I F, const float *restrict b,
                       float (*restrict Y)[F]) {
  for (I s = 0; s < S; ++s)
    for (I f = 0; f < F; ++f) {
      float t = Y[s][f] + b[f];
      Y[s][f] = 0.5f * t * (1 + erff(t * 0.70710678f));
    }
}

static void block_out(I S, I E, I H, I D, I F, const float (*restrict R)[E],
                      const float *restrict b, float (*restrict Y)[E]) {
  for (I s = 0; s < S; ++s)
    for (I e = 0; e < E; ++e)
      Y[s][e] += R[s][e] + b[e];
}

static void fock_join(I N, const double (*restrict K)[N],
                      double (*restrict G)[N]) {
  for (I m = 0; m < N; ++m)
    for (I n = 0; n < N; ++n)
      G[m][n] -= 0.5 * K[m][n];
}
