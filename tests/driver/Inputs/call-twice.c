/* Calls `twice` of a library; the header is included by the command line. */
#include <stdio.h>

int main(void) {
  float x[3] = {1, 2, 3}, y[3];
  if (twice(x, y, 3) != EIN_OK || twice(x, y, -1) != EIN_SHAPE_MISMATCH)
    return 1;
  printf("%g %g %g\n", y[0], y[1], y[2]);
  return 0;
}
