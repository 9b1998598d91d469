//===- packed.c - Functions that are known by what they say of themselves -===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "f.h"
#include "g.h"
#include "mm.h"
#include <complex.h>
#include <stdio.h>
#include <string.h>

static void print_metadata(const ein_metadata *m) {
  printf("%s:", m->name);
  for (int32_t i = 0; i < m->num_arguments; ++i) {
    const ein_argument *a = &m->arguments[i];
    printf("%s %s %d %d", i ? "," : "", a->name, (int)a->role, (int)a->rank);
    for (int32_t d = 0; d < a->rank; ++d)
      printf(" %s", a->dims[d]);
  }
  printf("; sizes");
  for (int32_t i = 0; i < m->num_sizes; ++i)
    printf(" %s", m->sizes[i]);
  printf("\n");
}

int main(void) {
  const ein_metadata *m = mm_metadata();
  if (m->version != 2 || m->num_cpus != 1 || strcmp(m->cpus[0], m->cpu) != 0 ||
      m->arguments[0].type != EIN_TYPE_F32 ||
      m->arguments[2].role != EIN_OUTPUT)
    return 1;
  print_metadata(m);

  float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 0, 1, 1, 1}, c[4];
  int64_t rows = 2, sums = 3, columns = 2;
  void *product[] = {a, b, c, &rows, &sums, &columns};
  int code = mm_packed(product);
  printf("%d: %g %g %g %g\n", code, c[0], c[1], c[2], c[3]);

  float complex x[2] = {1 + 2 * I, 3}, s = 2 * I, y[2];
  float t = 0.5f;
  int64_t n = 2;
  void *scaled[] = {x, &s, &t, y, &n};
  code = f_packed(scaled);
  printf("%d: %g %g %g %g\n", code, crealf(y[0]), cimagf(y[0]), crealf(y[1]),
         cimagf(y[1]));
  n = -1;
  printf("f of a negative size: %d\n", f_packed(scaled));

  float p[16], q[16];
  for (int i = 0; i < 16; ++i)
    p[i] = (float)i;
  void *turned[] = {p, q};
  code = g_packed(turned);
  printf("%d: %g %g\n", code, q[4], q[1]);
  return 0;
}
