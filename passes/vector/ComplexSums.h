//===- ComplexSums.h - Sums of products of complex numbers ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of vectors in which parts lie by turns takes three shuffles. What
// is only added up along a row can wait for its shuffles until the row's end:
//
//   (a, b) * (c, d) -> ac, bd     and     (a, b) * (d, c) -> ad, bc
//
// are added up by themselves, with one shuffle. At the end the real part is the
// first sum's even lanes less its odd ones, the imaginary part all lanes of the
// second. Conjugated factors are other signs there.
//
// A real part of which one factor is conjugated, as a square of a magnitude,
// is ac + bd: the sum of these is that of the products of all parts, without
// a shuffle.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_COMPLEXSUMS_H
#define EIN_PASSES_VECTOR_COMPLEXSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

class ComplexSum {
public:
  /// The partial sums that there are of a number.
  static constexpr size_t kValues = 2;

  /// The products that `combiner` adds up, if that is all it does with them.
  static std::optional<ComplexSum> find(mlir::linalg::LinalgOp op,
                                        mlir::Operation *combiner);

  /// What is multiplied; conjugates are taken at the end.
  llvm::ArrayRef<mlir::Value> getFactors() const { return factors; }

  /// Sums of nothing: zeros of the sign that changes no other.
  llvm::SmallVector<mlir::Value> start(mlir::ImplicitLocOpBuilder &b,
                                       int64_t lanes) const;
  /// The sums with the products of two vectors.
  llvm::SmallVector<mlir::Value> add(mlir::ImplicitLocOpBuilder &b,
                                     mlir::ValueRange sums, mlir::Value x,
                                     mlir::Value y) const;
  llvm::SmallVector<mlir::Value> join(mlir::ImplicitLocOpBuilder &b,
                                      mlir::ValueRange first,
                                      mlir::ValueRange second) const;
  /// The number that the sums are.
  mlir::Value finish(mlir::ImplicitLocOpBuilder &b,
                     mlir::ValueRange sums) const;

private:
  llvm::SmallVector<mlir::Value> factors;
  llvm::SmallVector<bool> isConjugated;
  mlir::Type element;
};

/// What is multiplied, part by part, in a sum of all of these products.
struct PartProducts {
  mlir::Value lhs, rhs;

  /// The products that `combiner` adds up in any order, if that is all it does
  /// with them.
  static std::optional<PartProducts> find(mlir::linalg::LinalgOp op,
                                          mlir::Operation *combiner);
};

} // namespace ein

#endif // EIN_PASSES_VECTOR_COMPLEXSUMS_H
