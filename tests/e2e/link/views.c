/* Views, descriptors and what is left when checks are off, from C99; and the
 * memory that the entries use.
 *
 * RUN: rm -rf %t && mkdir %t
 * RUN: einc build --emit header %S/Inputs/kernels.ein -o %t/kernels.h
 * RUN: einc build %S/Inputs/kernels.ein -o %t/kernels.o
 * RUN: %cc -std=c99 -pedantic -Wall -Wextra -Werror -I%t %s %t/kernels.o -lm \
 * RUN:   -o %t/views && %t/views
 * RUN: einc build -O0 %S/Inputs/kernels.ein -o %t/kernels0.o
 * RUN: %cc -std=c99 -I%t %s %t/kernels0.o -lm -o %t/views0 && %t/views0
 *
 * RUN: einc build --no-checks %S/Inputs/kernels.ein -o %t/unchecked.o
 * RUN: %cc -std=c99 -DNO_CHECKS -I%t %s %t/unchecked.o -lm -o %t/unchecked
 * RUN: %t/unchecked
 *
 * Of two defs with the same arguments one function checks and copies.
 * RUN: sed 's/^def /def again_/' %S/Inputs/kernels.ein > %t/twice.ein
 * RUN: cat %S/Inputs/kernels.ein >> %t/twice.ein
 * RUN: einc build %t/twice.ein -o %t/twice.o
 * RUN: llvm-nm %t/twice.o | FileCheck %s
 * CHECK-NOT: __ein_{{.*}}checks_mm
 * CHECK-DAG: __ein_checks_again_mm
 * CHECK-DAG: __ein_view_checks_again_mm
 * CHECK-DAG: __ein_copied_again_mm
 * CHECK-NOT: __ein_{{.*}}checks_mm
 * RUN: %cc -std=c99 -I%t %s %t/twice.o -lm -o %t/twice && %t/twice
 * RUN: einc build -O0 %t/twice.ein -o %t/twice0.o
 * RUN: %cc -std=c99 -I%t %s %t/twice0.o -lm -o %t/twice0 && %t/twice0
 * RUN: einc build --no-checks %t/twice.ein -o %t/twice1.o
 * RUN: %cc -std=c99 -DNO_CHECKS -I%t %s %t/twice1.o -lm -o %t/twice1
 * RUN: %t/twice1
 */
#include "kernels.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static int failures = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: %s\n", __LINE__, #condition);                           \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

#ifdef NO_CHECKS
#define REFUSED(call, code) ((void)0)
#else
#define REFUSED(call, code) CHECK((call) == (code))
#endif

enum { M = 19, K = 23, N = 35 };
static float a[M * K], b[K * N], expected[M * N];

static ein_f32_2d view(float *data, int64_t rows, int64_t columns,
                       int64_t row_stride, int64_t column_stride) {
  ein_f32_2d v;
  v.data = data;
  v.sizes[0] = rows;
  v.sizes[1] = columns;
  v.strides[0] = row_stride;
  v.strides[1] = column_stride;
  return v;
}

static void check_mm(ein_f32_2d A, ein_f32_2d B, ein_f32_2d C) {
  int64_t i, j;
  for (i = 0; i < M; ++i)
    for (j = 0; j < K; ++j)
      A.data[i * A.strides[0] + j * A.strides[1]] = a[i * K + j];
  for (i = 0; i < K; ++i)
    for (j = 0; j < N; ++j)
      B.data[i * B.strides[0] + j * B.strides[1]] = b[i * N + j];
  for (i = 0; i < M; ++i)
    for (j = 0; j < N; ++j)
      C.data[i * C.strides[0] + j * C.strides[1]] = -1;
  CHECK(mm_view(&A, &B, &C) == EIN_OK);
  for (i = 0; i < M; ++i)
    for (j = 0; j < N; ++j)
      CHECK(C.data[i * C.strides[0] + j * C.strides[1]] == expected[i * N + j]);
}

/* As MLIR lays it out. */
typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} Descriptor;
int _mlir_ciface_mm(Descriptor *, Descriptor *, Descriptor *, int64_t, int64_t,
                    int64_t);

static void check_descriptors(void) {
  static float memory[M * N * 4];
  Descriptor A, B, C;
  int64_t i, j;
  Descriptor dA = {a, a, 0, {M, K}, {K, 1}};
  Descriptor dB = {NULL, b - 3, 3, {K, N}, {N, 1}};
  Descriptor dC = {memory, memory, 2 * M * N + 1, {M, N}, {-2 * N, 2}};
  A = dA;
  B = dB;
  C = dC;
  CHECK(_mlir_ciface_mm(&A, &B, &C, M, K, N) == EIN_OK);
  for (i = 0; i < M; ++i)
    for (j = 0; j < N; ++j)
      CHECK(memory[2 * M * N + 1 - i * 2 * N + 2 * j] == expected[i * N + j]);
  REFUSED(_mlir_ciface_mm(&A, &B, &C, M, K + 1, N), EIN_SHAPE_MISMATCH);
  REFUSED(_mlir_ciface_mm(&A, &C, &C, M, K, N), EIN_SHAPE_MISMATCH);
  C.strides[0] = 0;
  REFUSED(_mlir_ciface_mm(&A, &B, &C, M, K, N), EIN_OVERLAP);
}

int main(void) {
  int64_t i, j, l;
  float *memory = (float *)malloc(3 * 10000 * sizeof(float));
  float *pa = memory + 5000, *pb = memory + 15000, *pc = memory + 25000;
  for (i = 0; i < M * K; ++i)
    a[i] = (float)(i % 7 - 3);
  for (i = 0; i < K * N; ++i)
    b[i] = (float)(i % 5 - 2);
  for (i = 0; i < M; ++i)
    for (j = 0; j < N; ++j)
      for (l = 0; l < K; ++l)
        expected[i * N + j] += a[i * K + l] * b[l * N + j];

  /* Contiguous, padded, upside down, transposed, mirrored, spread. */
  check_mm(view(pa, M, K, K, 1), view(pb, K, N, N, 1), view(pc, M, N, N, 1));
  check_mm(view(pa, M, K, K + 3, 1), view(pb, K, N, N + 1, 1),
           view(pc, M, N, 2 * N, 1));
  check_mm(view(pa, M, K, -K, 1), view(pb, K, N, -N - 7, 1),
           view(pc, M, N, -N, 1));
  check_mm(view(pa, M, K, 1, M), view(pb, K, N, 1, K), view(pc, M, N, 1, M));
  check_mm(view(pa, M, K, K, -1), view(pb, K, N, -N, -1),
           view(pc, M, N, -1, -M));
  check_mm(view(pa, M, K, 2, 2 * M), view(pb, K, N, 3 * N, 3),
           view(pc, M, N, -3 * N, 3));
  /* Columns of one matrix: A, B and C side by side. */
  check_mm(view(pa, M, K, K + N + N, 1), view(pa + K, K, N, K + N + N, 1),
           view(pa + K + N, M, N, K + N + N, 1));

  { /* One row and one column, repeated. */
    float row[K], column[K], sum = 0;
    ein_f32_2d A = view(row, M, K, 0, 1), B = view(column, K, N, 1, 0);
    ein_f32_2d C = view(pc, M, N, N, 1);
    for (i = 0; i < K; ++i) {
      row[i] = (float)(i % 3);
      column[i] = (float)(i % 4 - 1);
      sum += row[i] * column[i];
    }
    CHECK(mm_view(&A, &B, &C) == EIN_OK);
    for (i = 0; i < M * N; ++i)
      CHECK(pc[i] == sum);
    /* Refused. */
    C = view(pc, M, N, 0, 1);
    REFUSED(mm_view(&A, &B, &C), EIN_OVERLAP);
    C = view(row, M, N, N, 1);
    REFUSED(mm_view(&A, &B, &C), EIN_OVERLAP);
    C = view(pc, M, N + 1, N + 1, 1);
    REFUSED(mm_view(&A, &B, &C), EIN_SHAPE_MISMATCH);
    B.sizes[0] = K - 1;
    C = view(pc, M, N, N, 1);
    REFUSED(mm_view(&A, &B, &C), EIN_SHAPE_MISMATCH);
  }

  { /* Scalars by value in their place, an array that is read and written. */
    double x[10], y[5] = {10, 10, 10, 10, 10};
    ein_f64_1d X, Y;
    for (i = 0; i < 10; ++i)
      x[i] = (double)i;
    X.data = x + 8;
    X.sizes[0] = 5;
    X.strides[0] = -2;
    Y.data = y;
    Y.sizes[0] = 5;
    Y.strides[0] = 1;
    CHECK(axpy_view(0.5, &X, &Y) == EIN_OK);
    for (i = 0; i < 5; ++i)
      CHECK(y[i] == 10 + 0.5 * (double)(8 - 2 * i));
  }
  { /* A result of rank 0. */
    double v[6] = {1, 2, 3, -4, 5, -6}, rows[4], largest;
    ein_f64_2d A;
    ein_f64_1d R;
    ein_f64_0d L;
    A.data = v;
    A.sizes[0] = 2;
    A.sizes[1] = 3;
    A.strides[0] = 1;
    A.strides[1] = 2;
    R.data = rows;
    R.sizes[0] = 2;
    R.strides[0] = 3;
    L.data = &largest;
    CHECK(both_view(&A, &R, &L) == EIN_OK);
    CHECK(rows[0] == 9 && rows[3] == -8 && largest == 5);
  }
  check_descriptors();

  /* Called often: what is allocated is freed, also after a refusal. */
  {
    ein_f32_2d A = view(pa, 300, 1, 1, 300), B = view(pb, 1, 30, 30, 1);
    ein_f32_2d C = view(memory + 16000, 300, 30, 1, 300);
    size_t used = 0;
    for (i = 0; i < 100; ++i) {
      CHECK(mm_view(&A, &B, &C) == EIN_OK);
      REFUSED(mm_view(&A, &B, &B), EIN_SHAPE_MISMATCH);
      if (i == 1)
        used = mallinfo2().uordblks;
    }
    CHECK(mallinfo2().uordblks == used);
  }
  free(memory);
  if (failures == 0)
    printf("ok\n");
  return failures != 0;
}
