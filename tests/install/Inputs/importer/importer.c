//===- importer.c - Calls a library that somebody installed ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "both.h"
#include <stdio.h>

int main(void) {
  float x[3] = {1, 2, 3}, total;
  int code = bound_total(x, &total);
  printf("%d: total %g\n", code, total);
  return 0;
}
