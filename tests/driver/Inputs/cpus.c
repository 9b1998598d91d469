// One function for each level, and one beyond them.
#include <immintrin.h>

void baseline(float *a, const float *b, int n) {
  for (int i = 0; i < n; ++i)
    a[i] += b[i];
}
__attribute__((target("popcnt"))) int second(unsigned x) {
  return __builtin_popcount(x);
}
__attribute__((target("avx2,fma"))) __m256 third(__m256 a, __m256 b, __m256 c) {
  return _mm256_fmadd_ps(a, b, c);
}
__attribute__((target("avx512bw"))) __m512i fourth(__m512i a, __m512i b) {
  return _mm512_add_epi8(a, b);
}
__attribute__((target("avx512bf16"))) __m512 beyond(__m512 a, __m512bh b,
                                                    __m512bh c) {
  return _mm512_dpbf16_ps(a, b, c);
}
