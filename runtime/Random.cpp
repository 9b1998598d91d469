//===- Random.cpp - Data for runs without files ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Random.h"

namespace ein::runtime {

static constexpr uint64_t golden = 0x9e3779b97f4a7c15; // 2^64 / golden ratio

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

uint64_t randomBits(uint64_t seed, uint64_t argument, uint64_t element) {
  // Each step of the mixing is a bijection, so no two arguments of one seed
  // share a stream's start.
  uint64_t stream = mix(mix(seed + golden) + (argument + 1) * golden);
  return mix(stream + (element + 1) * golden);
}

void fillRandom(Array &array, uint64_t seed, uint64_t argument) {
  int64_t n = array.getNumElements();
  switch (array.type) {
  case DType::F32:
    for (int64_t i = 0; i < n; ++i)
      array.as<float>()[i] =
          static_cast<float>(randomBits(seed, argument, i) >> 40) * 0x1p-23f -
          1.0f;
    return;
  case DType::F64:
    for (int64_t i = 0; i < n; ++i)
      array.as<double>()[i] =
          static_cast<double>(randomBits(seed, argument, i) >> 11) * 0x1p-52 -
          1.0;
    return;
  }
}

} // namespace ein::runtime
