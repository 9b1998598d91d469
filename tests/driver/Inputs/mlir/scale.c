#include <stdint.h>

/* A view as MLIR's C interface passes it. */
struct view {
  float *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
};

void _mlir_ciface_scale(float factor, struct view *v) {
  for (int64_t i = 0; i < v->sizes[0]; ++i)
    v->aligned[v->offset + i * v->strides[0]] *= factor;
}
