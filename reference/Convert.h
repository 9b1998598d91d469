//===- Convert.h - Integers, and conversions between types ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers and bools are computed exactly, in 64 bits and then cut to their
// type: an int64_t holds a signed one's value, an unsigned one's modulo 2^64. A
// number whose bound leaves several integers open makes an unknown one, and so
// does everything that is computed from that.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_CONVERT_H
#define EIN_REFERENCE_CONVERT_H

#include "reference/Rounding.h"
#include "reference/Value.h"

namespace ein::reference {

/// An element of any type: `number` if that is floating-point, else `integer`,
/// and then `number.bound` is infinite if it is unknown and else zero.
struct Scalar {
  Pair number = {0, 0};
  int64_t integer = 0;

  bool isKnown() const { return number.bound == 0; }
};

/// The value modulo two to the power of the type's width.
int64_t wrap(int64_t value, ElementType type);

/// What a sum, a maximum, … over nothing is.
Scalar getIdentity(UpdateKind update, ElementType type);

Scalar convert(const Scalar &x, ElementType from, ElementType to);

/// On integers and bools. What is divided by zero stays as it is.
Scalar apply(UnaryFn fn, const Scalar &x, ElementType type);
Scalar apply(BinaryFn fn, const Scalar &x, const Scalar &y, ElementType type);

/// What `<` and its kin give; unknown where the bounds overlap.
Scalar compare(BinaryFn fn, const Scalar &x, const Scalar &y, ElementType type);
Scalar compare(BinaryFn fn, Pair x, Pair y);

/// All elements.
Value convert(Value value, ElementType from, ElementType to);

} // namespace ein::reference

#endif // EIN_REFERENCE_CONVERT_H
