#include "both.einc/both.h"
#include "bound.einc/both.h"
#include "object.einc/both.h"
#include "plain.einc/both.h"
#include <stdio.h>

int main(void) {
  const float x[3] = {1, 2, 3};
  float y[3], t;
  if (scale(2, x, y, 3) != EIN_OK)
    return 1;
  printf("scaled %g %g %g\n", y[0], y[1], y[2]);
  if (bound_total(y, &t) != EIN_OK || shared_total(y, &t, 3) != EIN_OK)
    return 1;
  printf("summed %g\n", t);
  if (object_total(y, &t, 2) != EIN_OK)
    return 1;
  printf("object %g\n", t);
  return 0;
}
