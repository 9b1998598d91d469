//===- Random.cpp - Data for runs without files ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Random.h"
#include "runtime/Half.h"

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

/// In [-1, 1), on a grid of two to the power of 1 - `bits`.
static double toUnit(uint64_t random, unsigned bits) {
  return std::ldexp(static_cast<double>(random >> (64 - bits)),
                    1 - static_cast<int>(bits)) -
         1.0;
}

/// The first `width` bytes are those of the integer: most are from 1 to 16 in
/// magnitude, so that sums mean something, and one in eight is any, so that
/// they wrap. None is zero, as it may be divided by.
static uint64_t toInteger(uint64_t random, DType type) {
  uint64_t low = random & 0xffff, value = random >> 16;
  uint64_t mask = ~uint64_t(0) >> (64 - 8 * getByteWidth(type));
  if (low % 8 == 0) {
    value = mix(random) & mask;
    return value == 0 ? 1 : value;
  }
  value = value % 16 + 1;
  bool isNegative = getKind(type) == DKind::Signed && low % 16 >= 8;
  return isNegative ? 0 - value : value;
}

void fillRandom(Array &array, uint64_t seed, uint64_t argument) {
  size_t width = getByteWidth(array.type);
  char *element = array.as<char>();
  auto store = [&](auto value) {
    std::memcpy(element, &value, sizeof value);
    element += sizeof value;
  };
  for (int64_t i = 0, n = array.getNumElements(); i < n; ++i) {
    uint64_t random = randomBits(seed, argument, i);
    switch (array.type) {
    case DType::F32:
      store(static_cast<float>(toUnit(random, 24)));
      break;
    case DType::F64:
      store(toUnit(random, 53));
      break;
    case DType::F16:
      store(toFloat16(static_cast<float>(toUnit(random, 11))));
      break;
    case DType::BF16:
      store(toBFloat16(static_cast<float>(toUnit(random, 8))));
      break;
    case DType::C64:
      store(static_cast<float>(toUnit(random, 24)));
      store(static_cast<float>(toUnit(mix(random), 24)));
      break;
    case DType::C128:
      store(toUnit(random, 53));
      store(toUnit(mix(random), 53));
      break;
    case DType::Bool:
      store(static_cast<uint8_t>(random >> 63));
      break;
    default: {
      uint64_t value = toInteger(random, array.type);
      if (width == 1)
        store(static_cast<uint8_t>(value));
      else if (width == 2)
        store(static_cast<uint16_t>(value));
      else if (width == 4)
        store(static_cast<uint32_t>(value));
      else
        store(value);
    }
    }
  }
}

} // namespace ein::runtime
