void scale(float *restrict a, const float *restrict b, long n) {
  for (long i = 0; i < n; ++i)
    a[i] += 2 * b[i];
}
