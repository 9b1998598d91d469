//===- several-cpus.c - All entries of a function choose the same ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "s.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { M = 20, K = 300, N = 70 };

/// As MLIR has it.
typedef struct {
  float *allocated, *data;
  int64_t offset, sizes[2], strides[2];
} descriptor;
int _mlir_ciface_k_run(descriptor *, descriptor *, descriptor *, void *,
                       int64_t, int64_t, int64_t);

static float a[M * K], b[K * N];

typedef struct {
  float c[M * N], t[M];
  int code;
} result;

static void *runOnce(void *argument) {
  result *out = argument;
  out->code = k_run(a, b, out->c, out->t, M, K, N);
  return NULL;
}

int main(void) {
  unsigned state = 1;
  for (int i = 0; i < M * K; ++i)
    a[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24);
  for (int i = 0; i < K * N; ++i)
    b[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24);

  const ein_metadata *m = k_run_metadata();
  printf("%d:", (int)m->version);
  for (int32_t i = 0; i < m->num_cpus; ++i)
    printf(" %s", m->cpus[i]);
  printf("\n");

  // The first calls are made at once.
  static result results[8];
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, runOnce, &results[i]);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);

  result *out = &results[4];
  ein_f32_2d va = {a, {M, K}, {K, 1}}, vb = {b, {K, N}, {N, 1}},
             vc = {out->c, {M, N}, {N, 1}};
  ein_f32_1d vt = {out->t, {M}, {1}};
  out->code = k_run_view(&va, &vb, &vc, &vt);

  out = &results[5];
  int64_t sizes[] = {M, K, N};
  void *all[] = {a, b, out->c, out->t, &sizes[0], &sizes[1], &sizes[2]};
  out->code = k_run_packed(all);

  out = &results[6];
  descriptor da = {a, a, 0, {M, K}, {K, 1}}, db = {b, b, 0, {K, N}, {N, 1}},
             dc = {out->c, out->c, 0, {M, N}, {N, 1}};
  struct {
    float *allocated, *data;
    int64_t offset, sizes[1], strides[1];
  } dt = {out->t, out->t, 0, {M}, {1}};
  out->code = _mlir_ciface_k_run(&da, &db, &dc, &dt, M, K, N);

  out = &results[7];
  runOnce(out);

  for (int i = 0; i < 8; ++i)
    if (results[i].code != EIN_OK ||
        memcmp(results[i].c, results[0].c, sizeof(results[0].c)) != 0 ||
        memcmp(results[i].t, results[0].t, sizeof(results[0].t)) != 0) {
      printf("way %d returns %d and differs\n", i, results[i].code);
      return 1;
    }
  printf("k_run: the four entries agree\n");
  for (int i = 0; i < M; ++i)
    printf("%a %a\n", results[0].t[i], results[0].c[i * N]);
  float t;
  if (k_other(a, &t, M, K) != EIN_OK)
    return 1;
  printf("k_other: %a\n", t);
  return 0;
}
