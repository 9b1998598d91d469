//===- Compare.h - Judging what compiled code returned ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_COMPARE_H
#define EIN_REFERENCE_COMPARE_H

#include "reference/Value.h"

namespace ein::reference {

/// The verdict, and the element with the largest ratio of error to bound (the
/// first of such). An error without a size (a NaN or an infinity on one side
/// only) counts as infinite; no error has ratio zero, whatever the bound.
struct Comparison {
  bool ok = true;
  int64_t numFailures = 0;
  /// Elements of which nothing is known: whatever they are, they are right.
  int64_t numUnknown = 0;
  int64_t worstIndex = -1; // row-major; -1 if there are no elements
  double worstError = 0;
  double bound = 0; // at worstIndex, as are the next two
  double expected = 0;
  double actual = 0;
  double worstRatio = 0; // worstError / bound: ok if and only if it is <= 1
  /// Of integers and bools, instead of `expected` and `actual`.
  bool isInteger = false, isUnsigned = false;
  int64_t expectedInteger = 0, actualInteger = 0;
  /// The part of complex numbers that all of this is about.
  bool isComplex = false;
  Part part = Part::Real;
};

/// Compares `type`'s elements at `data`, contiguous and row-major, one per
/// element of `expected`, by the rules in Value.
Comparison compare(const Value &expected, ElementType type, const void *data);

/// `C(3, 17): expected 1.5, got 2.5, error 1 above the bound 1e-06`; "within"
/// when it is ok, `C: no elements` when there are none.
std::string describe(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                     const Comparison &comparison);

} // namespace ein::reference

#endif // EIN_REFERENCE_COMPARE_H
