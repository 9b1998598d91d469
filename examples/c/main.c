/* Part of einc, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "smooth.h"
#include <stdio.h>

int main(void) {
  const double x[] = {1, 2, 4, 8, 16, 32};
  const double w[] = {0.25, 0.5, 0.25};
  double y[4], d;

  /* Outputs, then the sizes in the order of the header. */
  int code = smooth(x, w, y, 6, 3);
  if (code != EIN_OK) {
    fprintf(stderr, "smooth: code %d\n", code);
    return 1;
  }
  for (int i = 0; i < 4; ++i)
    printf("%g ", y[i]);
  printf("\n");

  if (distance(x + 1, y, &d, 4) != EIN_OK)
    return 1;
  printf("distance %g\n", d);

  /* A window longer than the series: said, and nothing is written. */
  printf("code %d\n", smooth(x, w, y, 1, 3));
  return 0;
}
