//===- Random.h - Data for runs without files -------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counter-based: an element depends on the seed, its argument's position and
// its own position only, so that any part of the data can be made again
// anywhere, in any order. The generator is splitmix64 (Steele, Lea and Flood,
// "Fast splittable pseudorandom number generators", OOPSLA 2014).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_RANDOM_H
#define EIN_RUNTIME_RANDOM_H

#include "runtime/Array.h"

namespace ein::runtime {

/// 64 random bits.
uint64_t randomBits(uint64_t seed, uint64_t argument, uint64_t element);

/// Fills an allocated array with numbers uniform in [-1, 1), all multiples of
/// 2^-23 (f32) or 2^-52 (f64), which are exact.
void fillRandom(Array &array, uint64_t seed, uint64_t argument);

} // namespace ein::runtime

#endif // EIN_RUNTIME_RANDOM_H
