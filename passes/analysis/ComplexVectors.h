//===- ComplexVectors.h - Vectors of complex numbers ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR has no vectors of complex numbers. Here one of `n` numbers is a vector
// of `2 n` of their parts, real and imaginary ones by turns, as they lie in
// memory: so it is loaded, stored and carried by loops as any other.
//
// Sums, differences and multiples need no more than that, and a product takes
// three shuffles within pairs of lanes and two multiply-adds. What looks at a
// part has both parts taken apart first: two vectors of `n` numbers, on which
// formulas are those of real numbers.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_COMPLEXVECTORS_H
#define EIN_PASSES_ANALYSIS_COMPLEXVECTORS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

/// The type of a complex number's parts, or of a real number itself.
mlir::Type getPartType(mlir::Type element);

/// Whether numbers are real, or complex of parts that vectors have: f32, f64.
bool hasVectorsOf(mlir::Type element);

/// Whether neighbours of a tensor's last dim are neighbours in memory, as far
/// as the views that it is made of say: parts of others have no vectors.
bool hasNeighboursTogether(mlir::Value tensor);

/// Whether an operand is of complex numbers.
bool isOfComplex(mlir::Operation *op);

/// A vector of numbers, so many or rows of so many.
mlir::VectorType getVectorType(mlir::Type element,
                               llvm::ArrayRef<int64_t> shape);

/// The same number in all lanes.
mlir::Value createSplat(mlir::ImplicitLocOpBuilder &b, mlir::Value number,
                        llvm::ArrayRef<int64_t> shape);

/// Of bits for `n` complex numbers, those for their parts.
mlir::Value doubleMask(mlir::ImplicitLocOpBuilder &b, mlir::Value mask);

/// The number in lane 0 of a vector of `element`s.
mlir::Value extractFirst(mlir::ImplicitLocOpBuilder &b, mlir::Value vector,
                         mlir::Type element);

struct ComplexParts {
  mlir::Value re, im;
};

ComplexParts takeApart(mlir::ImplicitLocOpBuilder &b, mlir::Value vector);
mlir::Value putTogether(mlir::ImplicitLocOpBuilder &b, ComplexParts parts);
/// Whether `vector` is one number in all lanes, by the ops that it is made of.
bool isSplat(mlir::Value vector);

/// x * y, or conj(x) * y, of vectors as they lie in memory. What is taken apart
/// is x: the one that a loop does not change, if there is one.
mlir::Value multiplyInPairs(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                            mlir::Value y, mlir::arith::FastMathFlags flags,
                            bool isConjugated = false);
/// The same of x that is one number in all lanes, with signs as its own: the
/// sum is one of products then, and of constants LLVM sees nothing else.
mlir::Value multiplyByNumber(mlir::ImplicitLocOpBuilder &b, mlir::Value number,
                             mlir::Value y, mlir::arith::FastMathFlags flags,
                             bool isConjugated);
/// The same of parts, numbers or vectors.
ComplexParts multiplyParts(mlir::ImplicitLocOpBuilder &b, ComplexParts x,
                           ComplexParts y, mlir::arith::FastMathFlags flags);
/// A combiner, a sum or a product, on vectors as they lie in memory.
mlir::Value combineInPairs(mlir::ImplicitLocOpBuilder &b,
                           mlir::Operation *combiner, mlir::Value x,
                           mlir::Value y);
/// Real parts where imaginary ones were, and the other way round.
mlir::Value swapParts(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// The conjugate of a vector as it lies in memory.
mlir::Value conjugateInPairs(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_COMPLEXVECTORS_H
