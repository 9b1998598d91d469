//===- BodyExpression.h - Parts of a body as arrays -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a body computes of some of its operands depends on some dims only. Such
// a part can be an elementwise op of its own, with these dims, and the body
// then reads its result.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_BODYEXPRESSION_H
#define EIN_PASSES_ANALYSIS_BODYEXPRESSION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace ein {

struct BodyExpression {
  mlir::Value value;
  /// What computes it, in order, and the inputs that it reads.
  llvm::SetVector<mlir::Operation *> ops;
  llvm::SetVector<unsigned> inputs;
  /// The dims of the op that it depends on.
  llvm::SmallBitVector dims;

  /// How `op` computes `value`; none if that reads the result's old value or an
  /// input at more than lone dims, or may not be computed elsewhere.
  static mlir::FailureOr<BodyExpression> find(mlir::linalg::GenericOp op,
                                              mlir::Value value);

  /// An array, and where the op reads it.
  struct Array {
    mlir::Value value;
    mlir::AffineMap map;
  };

  /// An array of its values, made where `b` is. Its dims lie as those that they
  /// share with `like`, a map of the op, then others. Integers are cut to
  /// `type`.
  Array createArray(mlir::RewriterBase &b, mlir::linalg::GenericOp op,
                    mlir::AffineMap like, mlir::Type type,
                    llvm::StringRef role) const;

private:
  llvm::SmallVector<unsigned> getOrder(mlir::AffineMap like) const;
  mlir::LogicalResult collect(mlir::linalg::GenericOp op, mlir::Value value);
};

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_BODYEXPRESSION_H
