/* Calls each kind of entry, and says what it returns. */
#include "matmul.h"
#include <stdio.h>

int main(void) {
  float a = 2, b = 3, c = 0;
  int64_t one = 1;
  ein_f32_2d va = {&a, {1, 1}, {1, 1}}, vb = {&b, {1, 1}, {1, 1}},
             vc = {&c, {1, 1}, {1, 1}};
  void *all[] = {&a, &b, &c, &one, &one, &one};
  printf("%s, ", ein_strerror(matmul(&a, &b, &c, 1, 1, 1)));
  printf("%s, ", ein_strerror(matmul_view(&va, &vb, &vc)));
  printf("%s, %g\n", ein_strerror(matmul_packed(all)), c);
  return 0;
}
