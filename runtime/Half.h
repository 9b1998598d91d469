//===- Half.h - Half-precision numbers and their bits -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f16 (IEEE binary16) and bf16 (the upper half of an f32) as the integers that
// C passes them as. Rounding is to nearest, ties to even; a NaN stays one.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_HALF_H
#define EIN_RUNTIME_HALF_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace ein::runtime {

inline uint32_t getBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline float fromBFloat16(uint16_t bits) {
  return fromBits(static_cast<uint32_t>(bits) << 16);
}

inline uint16_t toBFloat16(float value) {
  uint32_t bits = getBits(value);
  if (std::isnan(value))
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float fromFloat16(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  float fraction = static_cast<float>(bits & 1023);
  float magnitude = exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                    : exponent == 0
                        ? std::ldexp(fraction, -24)
                        : std::ldexp(fraction + 1024, exponent - 25);
  return std::copysign(magnitude, bits & 0x8000 ? -1.0f : 1.0f);
}

inline uint16_t toFloat16(float value) {
  uint16_t sign = getBits(value) >> 16 & 0x8000;
  float magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7e00;
  // Half of a unit beyond the largest number, and from there on.
  if (magnitude >= 65520)
    return sign | 0x7c00;
  if (magnitude < 0x1p-14f) // Subnormal: the addition rounds to multiples.
    return sign |
           static_cast<uint16_t>(getBits(magnitude + 0.5f) - getBits(0.5f));
  uint32_t bits = getBits(magnitude);
  bits += 0xfff + (bits >> 13 & 1);
  return sign | static_cast<uint16_t>((bits >> 13) - (112 << 10));
}

} // namespace ein::runtime

#endif // EIN_RUNTIME_HALF_H
