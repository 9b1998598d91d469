//===- NarrowPeak.cpp - Products of 8 and 16 bits in registers ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As Peak.cpp, of the instructions that multiply four bytes or two bf16 and add
// the products to 32 bits. Where there are none, bytes are pairs of 16 bits.
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Peak.h"
#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace ein::bench {
#ifdef __x86_64__
namespace {

// An array of 12 or 24 that the loops below unroll stays in registers. That
// asks for AVX512VL: Clang gives inline assembly 16 registers of 512 bits
// without it, and the others go by way of memory.
#define EIN_CHAINS(VECTOR, COUNT, ZERO, STEP)                                  \
  VECTOR chains[COUNT];                                                        \
  for (VECTOR &chain : chains)                                                 \
    chain = ZERO;                                                              \
  for (int64_t i = 0; i < iterations; ++i) {                                   \
    _Pragma("GCC unroll 24") for (VECTOR &chain : chains) {                    \
      asm volatile("" : "+v"(a));                                              \
      chain = STEP;                                                            \
      asm volatile("" : "+v"(chain));                                          \
    }                                                                          \
  }

/// A number that all chains are needed for. Inlined, so that they need no
/// memory.
template <size_t Count>
__attribute__((always_inline, target("avx512f"))) inline double
addUp512(const __m512i (&chains)[Count]) {
  __m512i sum = _mm512_setzero_si512();
  for (__m512i chain : chains)
    sum = _mm512_add_epi32(sum, chain);
  return _mm512_cvtsi512_si32(sum);
}

template <size_t Count>
__attribute__((always_inline, target("avx2"))) inline double
addUp256(const __m256i (&chains)[Count]) {
  __m256i sum = _mm256_setzero_si256();
  for (__m256i chain : chains)
    sum = _mm256_add_epi32(sum, chain);
  return _mm256_cvtsi256_si32(sum);
}

__attribute__((target("avx512f,avx512vl,avx512vnni"))) double
runAvx512Vnni(int64_t iterations) {
  __m512i a = _mm512_set1_epi8(3), b = _mm512_set1_epi8(-2);
  EIN_CHAINS(__m512i, 24, _mm512_setzero_si512(),
             _mm512_dpbusd_epi32(chain, a, b))
  return addUp512(chains);
}

__attribute__((target("avx2,avxvnni"))) double runAvxVnni(int64_t iterations) {
  __m256i a = _mm256_set1_epi8(3), b = _mm256_set1_epi8(-2);
  EIN_CHAINS(__m256i, 12, _mm256_setzero_si256(),
             _mm256_dpbusd_avx_epi32(chain, a, b))
  return addUp256(chains);
}

__attribute__((target("avx512f,avx512vl,avx512bw"))) double
runAvx512Pairs(int64_t iterations) {
  __m512i a = _mm512_set1_epi16(3), b = _mm512_set1_epi16(-2);
  EIN_CHAINS(__m512i, 24, _mm512_setzero_si512(),
             _mm512_add_epi32(chain, _mm512_madd_epi16(a, b)))
  return addUp512(chains);
}

__attribute__((target("avx2"))) double runAvx2Pairs(int64_t iterations) {
  __m256i a = _mm256_set1_epi16(3), b = _mm256_set1_epi16(-2);
  EIN_CHAINS(__m256i, 12, _mm256_setzero_si256(),
             _mm256_add_epi32(chain, _mm256_madd_epi16(a, b)))
  return addUp256(chains);
}

__attribute__((target("avx512f,avx512vl,avx512bf16"))) double
runAvx512Bf16(int64_t iterations) {
  // 0.5 and 1 as bf16.
  auto a = (__m512bh)_mm512_set1_epi16(0x3f00);
  auto b = (__m512bh)_mm512_set1_epi16(0x3f80);
  EIN_CHAINS(__m512, 24, _mm512_setzero_ps(), _mm512_dpbf16_ps(chain, a, b))
  __m512 sum = _mm512_setzero_ps();
  for (__m512 chain : chains)
    sum = _mm512_add_ps(sum, chain);
  return _mm512_cvtss_f32(sum);
}

} // namespace
#endif

std::vector<PeakKernel>
getNarrowPeakKernels([[maybe_unused]] PeakType type,
                     [[maybe_unused]] bool takesAvx512) {
  std::vector<PeakKernel> kernels;
#ifdef __x86_64__
  // Chains, elements of a register of 32 bits, products in each, and two
  // operations a product.
  constexpr double wide = 24 * 16, narrow = 12 * 8;
  takesAvx512 &= bool(__builtin_cpu_supports("avx512vl"));
  if (type == PeakType::I8) {
    if (takesAvx512 && __builtin_cpu_supports("avx512vnni"))
      kernels.push_back({"AVX-512 VNNI", runAvx512Vnni, wide * 4 * 2});
    if (__builtin_cpu_supports("avxvnni"))
      kernels.push_back({"AVX-VNNI", runAvxVnni, narrow * 4 * 2});
    if (takesAvx512 && __builtin_cpu_supports("avx512bw"))
      kernels.push_back({"AVX-512 pairs", runAvx512Pairs, wide * 2 * 2});
    if (__builtin_cpu_supports("avx2"))
      kernels.push_back({"AVX2 pairs", runAvx2Pairs, narrow * 2 * 2});
  }
  if (type == PeakType::BF16 && takesAvx512 &&
      __builtin_cpu_supports("avx512bf16"))
    kernels.push_back({"AVX-512 BF16", runAvx512Bf16, wide * 2 * 2});
#endif
  return kernels;
}

} // namespace ein::bench
