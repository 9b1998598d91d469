#include "zoo.h"

int main(void) {
  float a[2 * 3] = {1, 2, 3, 4, 5, 6}, b[3] = {1, 1, 1}, c[2] = {10, 20}, r[2];
  if (matmul(a, b, c, r, 2, 3, 3, 1, 2, 1) != EIN_OK)
    return 1;
  /* An input is not written, also where the source says `outs` of it. */
  if (r[0] != 16 || r[1] != 35 || c[0] != 10)
    return 2;
  if (matmul(a, b, c, r, 2, 3, 2, 1, 2, 1) != EIN_SHAPE_MISMATCH)
    return 3;
  float t[4] = {1, 2, 3, 4}, u[4] = {1, 1, 1, 1}, s[4];
  if (mixed(t, u, s, 1, 1) != EIN_OK || s[3] != 5 || t[3] != 4)
    return 4;
  int32_t n[5] = {9, 9, 9, 9, 9};
  if (iota(n, 4) != EIN_OK || n[3] != 3 || n[4] != 9 ||
      iota(n, -1) != EIN_SHAPE_MISMATCH)
    return 5;
  return 0;
}
