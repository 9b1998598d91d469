#include <arm_neon.h>
#include <arm_sve.h>

float32x4_t baseline(float32x4_t a, float32x4_t b, float32x4_t c) {
  return vfmaq_f32(a, b, c);
}
int32x4_t dot(int32x4_t a, int8x16_t b, int8x16_t c) {
  return vdotq_s32(a, b, c);
}
int add(int *x) { return __atomic_fetch_add(x, 1, __ATOMIC_SEQ_CST); }
unsigned long count(void) { return svcntb(); }
