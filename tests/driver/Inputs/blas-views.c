#include "mm.h"
#include <stdio.h>

/* Products of views that BLAS takes and of views that it does not: rows in
   reverse, one row again and again, rows that overlap, and a column. */
static int check(ein_f32_2d a, ein_f32_2d b) {
  float out[4 * 4] = {0};
  ein_f32_2d c = {out, {a.sizes[0], b.sizes[1]}, {4, 1}};
  if (matmul_view(&a, &b, &c) != EIN_OK)
    return 0;
  for (int m = 0; m < a.sizes[0]; ++m)
    for (int n = 0; n < b.sizes[1]; ++n) {
      float sum = 0;
      for (int k = 0; k < a.sizes[1]; ++k)
        sum += a.data[m * a.strides[0] + k * a.strides[1]] *
               b.data[k * b.strides[0] + n * b.strides[1]];
      if (out[4 * m + n] != sum)
        return 0;
    }
  return 1;
}

int main(void) {
  float x[64], y[64];
  for (int i = 0; i < 64; ++i)
    x[i] = i % 7, y[i] = i % 5;
  ein_f32_2d plain = {y, {3, 4}, {8, 1}};
  ein_f32_2d views[] = {{x, {4, 3}, {3, 1}},       {x, {4, 3}, {9, 1}},
                        {x + 27, {4, 3}, {-9, 1}}, {x, {4, 3}, {0, 1}},
                        {x, {4, 3}, {1, 1}},       {x, {4, 3}, {1, 4}},
                        {x, {1, 3}, {1, 1}},       {x + 40, {4, 3}, {-3, -9}}};
  for (int i = 0; i < 8; ++i)
    if (!check(views[i], plain))
      printf("view %d differs\n", i);
  printf("checked\n");
  return 0;
}
