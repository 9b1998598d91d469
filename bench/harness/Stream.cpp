//===- Stream.cpp - How fast bytes come and go ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several ways for each mix of reads and writes, as none is best at all levels:
// stores past the caches win where the array is large, plain ones where it is
// small, and a prefetch where the hardware's is late. Each loop is there for
// each width of vectors that the machine has, in a function with the target
// attribute that it needs: a compiler takes vectors that are wider than the
// machine's apart, and the loop is then as slow as its worst code.
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Peak.h"
#include <cstring>
#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace ein::bench {
namespace {

typedef int64_t V16 __attribute__((vector_size(16), may_alias));
#ifdef __x86_64__
typedef int64_t V32 __attribute__((vector_size(32), may_alias));
typedef int64_t V64 __attribute__((vector_size(64), may_alias));
#endif

// Writes one vector: through the caches, or past them. The empty statement
// keeps a loop from becoming a call of memset or memcpy.
#define EIN_PLAIN(PLACE, VALUE)                                                \
  *(PLACE) = (VALUE);                                                          \
  asm volatile("" : : : "memory");
#define EIN_PAST_128(PLACE, VALUE)                                             \
  _mm_stream_si128(reinterpret_cast<__m128i *>(PLACE), (__m128i)(VALUE));
#define EIN_PAST_256(PLACE, VALUE)                                             \
  _mm256_stream_si256(reinterpret_cast<__m256i *>(PLACE), (__m256i)(VALUE));
#define EIN_PAST_512(PLACE, VALUE)                                             \
  _mm512_stream_si512(reinterpret_cast<__m512i *>(PLACE), (__m512i)(VALUE));

/// Reads everything. Bits are or-ed, which more ports do than additions.
#define EIN_READ(VECTOR, AHEAD)                                                \
  const VECTOR *in = reinterpret_cast<const VECTOR *>(data);                   \
  VECTOR a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};                               \
  for (int64_t i = 0, end = bytes / sizeof(VECTOR); i + 8 <= end; i += 8) {    \
    if (AHEAD)                                                                 \
      for (unsigned line = 0; line < 8 * sizeof(VECTOR); line += 64)           \
        __builtin_prefetch(reinterpret_cast<const char *>(in + i) + AHEAD +    \
                           line);                                              \
    a |= in[i], b |= in[i + 1], c |= in[i + 2], d |= in[i + 3];                \
    e |= in[i + 4], f |= in[i + 5], g |= in[i + 6], h |= in[i + 7];            \
  }                                                                            \
  a |= b | c | d | e | f | g | h;                                              \
  return a[0]

/// Reads four parts side by side, which is what keeps a memory busy.
#define EIN_READ_PARTS(VECTOR)                                                 \
  const VECTOR *in = reinterpret_cast<const VECTOR *>(data);                   \
  int64_t end = bytes / 4 / sizeof(VECTOR);                                    \
  VECTOR a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};                               \
  for (int64_t i = 0; i + 2 <= end; i += 2) {                                  \
    a |= in[i], b |= in[i + 1];                                                \
    c |= in[end + i], d |= in[end + i + 1];                                    \
    e |= in[2 * end + i], f |= in[2 * end + i + 1];                            \
    g |= in[3 * end + i], h |= in[3 * end + i + 1];                            \
  }                                                                            \
  a |= b | c | d | e | f | g | h;                                              \
  return a[0]

/// Writes the first part and reads `READS` others of its size.
#define EIN_MIX(VECTOR, READS, STORE)                                          \
  VECTOR *out = reinterpret_cast<VECTOR *>(data);                              \
  int64_t end = bytes / (READS + 1) / 64 * (64 / sizeof(VECTOR));              \
  const VECTOR *in = out + end;                                                \
  VECTOR zero{};                                                               \
  asm volatile("" : "+m"(zero));                                               \
  for (int64_t i = 0; i + 4 <= end; i += 4) {                                  \
    VECTOR a = zero, b = zero, c = zero, d = zero;                             \
    for (int64_t r = 0; r < READS; ++r) {                                      \
      const VECTOR *part = in + r * end + i;                                   \
      a |= part[0], b |= part[1], c |= part[2], d |= part[3];                  \
    }                                                                          \
    STORE(out + i, a)                                                          \
    STORE(out + i + 1, b)                                                      \
    STORE(out + i + 2, c)                                                      \
    STORE(out + i + 3, d)                                                      \
  }                                                                            \
  return 0

#define EIN_LOOP(NAME, TARGET, BODY)                                           \
  TARGET double NAME(char *data, int64_t bytes) { BODY; }
#define EIN_MIXES(BITS, TARGET, VECTOR, STORE, WAY)                            \
  EIN_LOOP(write##WAY##BITS, TARGET, EIN_MIX(VECTOR, 0, STORE))                \
  EIN_LOOP(copy##WAY##BITS, TARGET, EIN_MIX(VECTOR, 1, STORE))                 \
  EIN_LOOP(two##WAY##BITS, TARGET, EIN_MIX(VECTOR, 2, STORE))                  \
  EIN_LOOP(four##WAY##BITS, TARGET, EIN_MIX(VECTOR, 4, STORE))
#define EIN_LOOPS(BITS, TARGET, VECTOR)                                        \
  EIN_LOOP(read##BITS, TARGET, EIN_READ(VECTOR, 0))                            \
  EIN_LOOP(readAhead##BITS, TARGET, EIN_READ(VECTOR, 2048))                    \
  EIN_LOOP(readParts##BITS, TARGET, EIN_READ_PARTS(VECTOR))                    \
  EIN_MIXES(BITS, TARGET, VECTOR, EIN_PLAIN, Plain)

EIN_LOOPS(128, , V16)
#ifdef __x86_64__
#define EIN_AVX2 __attribute__((target("avx2")))
#define EIN_AVX512 __attribute__((target("avx512f")))
EIN_LOOPS(256, EIN_AVX2, V32)
EIN_LOOPS(512, EIN_AVX512, V64)
EIN_MIXES(128, , V16, EIN_PAST_128, Past)
EIN_MIXES(256, EIN_AVX2, V32, EIN_PAST_256, Past)
EIN_MIXES(512, EIN_AVX512, V64, EIN_PAST_512, Past)
#endif

double writeAll(char *data, int64_t bytes) {
  std::memset(data, 0, bytes);
  asm volatile("" : : "r"(data) : "memory");
  return 0;
}

double copyAll(char *data, int64_t bytes) {
  std::memcpy(data, data + bytes / 128 * 64, bytes / 128 * 64);
  asm volatile("" : : "r"(data) : "memory");
  return 0;
}

} // namespace

#define EIN_ADD_MIXES(BITS, WAY, TEXT)                                         \
  kernels.push_back({"write" TEXT, write##WAY##BITS, 0, 1});                   \
  kernels.push_back({"copy" TEXT, copy##WAY##BITS, 1, 1});                     \
  kernels.push_back({"two reads a write" TEXT, two##WAY##BITS, 2, 1});         \
  kernels.push_back({"four reads a write" TEXT, four##WAY##BITS, 4, 1});
#define EIN_ADD(BITS)                                                          \
  kernels.push_back({"read, " #BITS " bits", read##BITS, 1, 0});               \
  kernels.push_back(                                                           \
      {"prefetched read, " #BITS " bits", readAhead##BITS, 1, 0});             \
  kernels.push_back(                                                           \
      {"read of four parts, " #BITS " bits", readParts##BITS, 1, 0});          \
  EIN_ADD_MIXES(BITS, Plain, ", " #BITS " bits")

std::vector<StreamKernel> getStreamKernels([[maybe_unused]] bool takesAvx512) {
  std::vector<StreamKernel> kernels = {{"memset", writeAll, 0, 1},
                                       {"memcpy", copyAll, 1, 1}};
  EIN_ADD(128)
#ifdef __x86_64__
  EIN_ADD_MIXES(128, Past, " past the caches, 128 bits")
  if (__builtin_cpu_supports("avx2")) {
    EIN_ADD(256)
    EIN_ADD_MIXES(256, Past, " past the caches, 256 bits")
  }
  if (takesAvx512 && __builtin_cpu_supports("avx512f")) {
    EIN_ADD(512)
    EIN_ADD_MIXES(512, Past, " past the caches, 512 bits")
  }
#endif
  return kernels;
}

} // namespace ein::bench
