//===- Peak.cpp - How fast this core can multiply and add -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A core reaches its peak when each multiply-add is independent of those still
// in flight: latency times pipes, at most 4 x 4 on today's cores. So 24 chains
// where there are 32 registers and 12 where there are 16. Everything stays in
// registers. Built with -ffp-contract=fast, or a product and a sum stay two
// instructions.
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Peak.h"

namespace ein::bench {
namespace {

typedef float F32x4 __attribute__((vector_size(16)));
typedef double F64x2 __attribute__((vector_size(16)));
#ifdef __x86_64__
typedef float F32x8 __attribute__((vector_size(32)));
typedef double F64x4 __attribute__((vector_size(32)));
typedef float F32x16 __attribute__((vector_size(64)));
typedef double F64x8 __attribute__((vector_size(64)));
#endif

// A vector register in inline assembly. An empty statement that reads and
// writes a chain keeps two rounds from becoming one. Clang has 32 registers of
// 512 bits for it with AVX512VL, and 16 without.
#if defined(__x86_64__)
#define EIN_VECTOR "+v"
#elif defined(__aarch64__)
#define EIN_VECTOR "+w"
#else
#define EIN_VECTOR "+m"
#endif

// Written out, as an array of chains would live in memory.
#define EIN_REPEAT_12(DO)                                                      \
  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define EIN_REPEAT_24(DO)                                                      \
  EIN_REPEAT_12(DO)                                                            \
  DO(12)                                                                       \
  DO(13) DO(14) DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23)

#define EIN_START(N) auto chain##N = b * static_cast<Scalar>(N);
#define EIN_STEP(N)                                                            \
  chain##N = chain##N * a + b;                                                 \
  asm volatile("" : EIN_VECTOR(chain##N));
#define EIN_SUM(N) sum += chain##N;

/// The body of each kernel, in a function with the target attribute it needs.
/// x * factor + summand tends to 2 and stays finite.
#define EIN_RUN_CHAINS(SCALAR, VECTOR, REPEAT)                                 \
  using Scalar = SCALAR;                                                       \
  volatile Scalar factor = 0.5f, summand = 1.0f;                               \
  VECTOR a = VECTOR{} + factor, b = VECTOR{} + summand, sum = VECTOR{};        \
  REPEAT(EIN_START)                                                            \
  for (int64_t i = 0; i < iterations; ++i) {                                   \
    REPEAT(EIN_STEP)                                                           \
  }                                                                            \
  REPEAT(EIN_SUM)                                                              \
  return sum[0]

#ifdef __x86_64__
__attribute__((target("avx512f,avx512vl"))) double
runAvx512F32(int64_t iterations) {
  EIN_RUN_CHAINS(float, F32x16, EIN_REPEAT_24);
}
__attribute__((target("avx512f,avx512vl"))) double
runAvx512F64(int64_t iterations) {
  EIN_RUN_CHAINS(double, F64x8, EIN_REPEAT_24);
}
__attribute__((target("avx2,fma"))) double runAvx2F32(int64_t iterations) {
  EIN_RUN_CHAINS(float, F32x8, EIN_REPEAT_12);
}
__attribute__((target("avx2,fma"))) double runAvx2F64(int64_t iterations) {
  EIN_RUN_CHAINS(double, F64x4, EIN_REPEAT_12);
}
double runSse2F32(int64_t iterations) {
  EIN_RUN_CHAINS(float, F32x4, EIN_REPEAT_12);
}
double runSse2F64(int64_t iterations) {
  EIN_RUN_CHAINS(double, F64x2, EIN_REPEAT_12);
}
#else
double runBaselineF32(int64_t iterations) {
  EIN_RUN_CHAINS(float, F32x4, EIN_REPEAT_24);
}
double runBaselineF64(int64_t iterations) {
  EIN_RUN_CHAINS(double, F64x2, EIN_REPEAT_24);
}
#endif

} // namespace

std::vector<PeakKernel> getPeakKernels(PeakType type,
                                       [[maybe_unused]] bool takesAvx512) {
  bool isDouble = type == PeakType::F64;
  std::vector<PeakKernel> kernels = getNarrowPeakKernels(type, takesAvx512);
  // Elements of 128 bits; the rest follows.
  double narrow = isDouble ? 2 : 4;
#ifdef __x86_64__
  if (takesAvx512 && __builtin_cpu_supports("avx512vl"))
    kernels.push_back({"AVX-512 FMA", isDouble ? runAvx512F64 : runAvx512F32,
                       24 * 4 * narrow * 2});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    kernels.push_back(
        {"AVX2 FMA", isDouble ? runAvx2F64 : runAvx2F32, 12 * 2 * narrow * 2});
  else
    kernels.push_back({"SSE2 multiply and add",
                       isDouble ? runSse2F64 : runSse2F32, 12 * narrow * 2});
#else
  kernels.push_back({"128-bit multiply-add",
                     isDouble ? runBaselineF64 : runBaselineF32,
                     24 * narrow * 2});
#endif
  return kernels;
}

} // namespace ein::bench
