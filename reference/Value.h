//===- Value.h - A tensor with an error bound per element -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_VALUE_H
#define EIN_REFERENCE_VALUE_H

#include "frontend/program/Program.h"
#include <Eigen/Core>

namespace ein::reference {

/// A value computed in f64 and a bound, see Rounding.h.
struct Pair {
  double value;
  double bound;
};

enum class Part : uint8_t { Real, Imaginary };
/// The parts of a type's elements; real ones have the first only.
inline llvm::ArrayRef<Part> getParts(ElementType type) {
  static constexpr Part parts[] = {Part::Real, Part::Imaginary};
  return llvm::ArrayRef(parts).take_front(isComplex(type) ? 2 : 1);
}

/// A tensor as the reference sees it, row-major; both arrays have one entry
/// per element.
///
/// Compiled code may return, for element i,
///  * if bounds[i] is finite and values[i] is too: any number within bounds[i]
///    of values[i]; also an infinity of its sign if values[i] and bounds[i]
///    together reach beyond the element type's range;
///  * if bounds[i] is finite and values[i] is not: exactly values[i], where
///    every NaN is the same;
///  * if bounds[i] is infinite: anything at all, NaN included. That is the case
///    where rounding alone decides between numbers and no numbers, such as the
///    logarithm of 0 +- 1e-9.
///
/// Of complex elements that holds for either part: real parts are in `values`
/// and `bounds`, imaginary ones in `imaginary`.
///
/// Elements that are no floating-point numbers are in `integers`, see
/// reference/Convert.h; their bounds are zero, or infinite if they are unknown.
struct Value {
  std::vector<int64_t> shape;
  Eigen::ArrayXd values;
  Eigen::ArrayXd bounds;
  Eigen::Array<int64_t, Eigen::Dynamic, 1> integers = {};
  struct Plane {
    Eigen::ArrayXd values, bounds;
  } imaginary = {};

  int64_t size() const { return bounds.size(); }
  bool isInteger() const { return integers.size() != 0; }
  bool isComplex() const { return imaginary.values.size() != 0; }
  Pair get(int64_t i, Part part) const {
    return part == Part::Real ? Pair{values[i], bounds[i]}
                              : Pair{imaginary.values[i], imaginary.bounds[i]};
  }
  void set(int64_t i, Part part, Pair x) {
    (part == Part::Real ? values : imaginary.values)[i] = x.value;
    (part == Part::Real ? bounds : imaginary.bounds)[i] = x.bound;
  }
  /// `count` zeros of `type`.
  void allocate(int64_t count, ElementType type) {
    bool isNumber = isFloat(getPartType(type));
    values.setZero(isNumber ? count : 0);
    integers.setZero(isNumber ? 0 : count);
    bounds.setZero(count);
    imaginary.values.setZero(ein::isComplex(type) ? count : 0);
    imaginary.bounds.setZero(ein::isComplex(type) ? count : 0);
  }
};

/// An exactly known tensor from `type`'s elements at `data`, contiguous and
/// row-major; all bounds are zero.
Value makeValue(std::vector<int64_t> shape, ElementType type, const void *data);

} // namespace ein::reference

#endif // EIN_REFERENCE_VALUE_H
