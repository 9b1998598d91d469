//===- Evaluate.h - What a definition means ---------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a checked Def directly, statement by statement, in f64, with a
// bound per element on what compiled code may legitimately return. It shares
// nothing with the compiler but the front end's Program: no pass, no MLIR, no
// cost model, so that an error in one of those cannot hide here as well.
//
// The bounds hold for every order of summation, for every pairwise order of a
// product of many factors, with sums taken early or late, and with or without
// contraction to FMA. Their ingredients are in Rounding.h.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_EVALUATE_H
#define EIN_REFERENCE_EVALUATE_H

#include "reference/Value.h"
#include "llvm/Support/LogicalResult.h"

namespace ein::reference {

/// Why there are no results: the code that compiled code has to return for the
/// same sizes (abi/Codes.def), and a sentence.
struct Failure {
  int32_t code = 0;
  std::string message;
};

struct EvaluateOptions {
  /// Products go through matrix products where they can. `false` is slower by
  /// orders of magnitude, and the definition in its plainest form.
  bool useMatrixProducts = true;
  /// Compiled code may multiply f32 as sums of two numbers of bf16, where the
  /// products are added up.
  bool splitsProducts = false;
};

/// `symbolValues` has one entry per Def::symbols (bound ones included, with
/// their bound value); `inputs` one per Def::params, then one per inout result
/// in the order of Def::results. On success `results` has one Value per
/// Def::results.
///
/// Fails for inputs whose shape is not what their dims say (ShapeMismatch),
/// for a SizeCheck that does not hold (ShapeMismatch or OutOfRange; the first
/// in the order of Def::checks), for an access that would be out of bounds,
/// whatever the checks say (OutOfRange), for an integer that is divided by zero
/// (Domain), and for tensors of more than 2^32 elements (OutOfMemory).
///
/// Where it succeeds, and rounding decides whether some integer is divided by
/// zero, `failure` says Domain: compiled code may return that code or results.
/// Otherwise its code is Ok then.
llvm::LogicalResult evaluate(const Def &def,
                             llvm::ArrayRef<int64_t> symbolValues,
                             llvm::ArrayRef<Value> inputs,
                             std::vector<Value> &results, Failure &failure,
                             const EvaluateOptions &options = {});

/// Only the SizeChecks, of a def without scalars in them.
llvm::LogicalResult checkSizes(const Def &def,
                               llvm::ArrayRef<int64_t> symbolValues,
                               Failure &failure);

} // namespace ein::reference

#endif // EIN_REFERENCE_EVALUATE_H
