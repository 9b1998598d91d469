//===- Raising.h - Raising structured ops, and the proof --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// generic -> contract -> named. Upstream's raising miscompiles transposed and
// unsigned operands, so nothing is believed here: every raised op is made,
// verified and generalised back, and the result has to be the generic that it
// came from, up to the numbers of the dims, the order of the inputs, and
// commutation in the body. Where that fails, the generic stays.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_RAISING_H
#define EIN_PASSES_ANALYSIS_RAISING_H

#include "ir/EinDialect.h"
#include "ir/SameGeneric.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/analysis/Decline.h"

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace ein {

/// What a contraction does beside multiplying.
struct ContractionKind {
  mlir::vector::CombiningKind kind = mlir::vector::CombiningKind::ADD;
  /// How the first input's integers are extended, and the second one's as well,
  /// unless that has a way of its own.
  mlir::linalg::TypeFn cast = mlir::linalg::TypeFn::cast_signed;
  std::optional<mlir::linalg::TypeFn> rhsCast = std::nullopt;

  mlir::linalg::TypeFn getCast(unsigned input) const {
    return input == 1 ? rhsCast.value_or(cast) : cast;
  }
  bool isMixed() const { return getCast(0) != getCast(1); }
  bool isSum() const { return kind == mlir::vector::CombiningKind::ADD; }
  /// Whether the order shows, of floats: maxima and minima are the same in any.
  bool hasOrder() const {
    return isSum() || kind == mlir::vector::CombiningKind::MUL;
  }
};

/// The kind of a generic that is an `ein.contract`, which is proved.
mlir::FailureOr<ContractionKind>
matchContraction(mlir::linalg::GenericOp op, DeclineFn onDecline = nullptr);

/// The kind of an op that is a contraction on one of linalg's two ways to say
/// so: `linalg.contract`, or a generic.
std::optional<ContractionKind> getContractionKind(mlir::linalg::LinalgOp op);

/// The `ein.contract` of that kind.
ContractOp createContract(mlir::OpBuilder &b, mlir::Location loc,
                          ContractionKind kind, mlir::TypeRange resultTypes,
                          mlir::ValueRange inputs, mlir::Value init,
                          mlir::ArrayAttr maps);

/// Whether `linalg.contract`'s verifier allows the maps (of two inputs and an
/// output, projected permutations).
mlir::LogicalResult matchLinalgContract(llvm::ArrayRef<mlir::AffineMap> maps,
                                        DeclineFn onDecline = nullptr);

/// Whether the maps of a contraction have rows, columns and a sum.
bool isMatrixProduct(llvm::ArrayRef<mlir::AffineMap> maps);

/// Whether the maps of a contraction have a dim that neither input has.
bool hasRepeatedDim(llvm::ArrayRef<mlir::AffineMap> maps);

/// A contraction: `linalg.contract` for a sum whose maps it allows, of inputs
/// that are extended alike, else a generic.
mlir::linalg::LinalgOp
createContraction(mlir::OpBuilder &b, mlir::Location loc, ContractionKind kind,
                  mlir::TypeRange resultTypes, mlir::ValueRange inputs,
                  mlir::Value init, llvm::ArrayRef<mlir::AffineMap> maps);

/// What users have put on `from` besides what it means: all but the maps that
/// upstream caches on named ops, which are those of the other form.
void copyDiscardableAttrs(mlir::Operation *from, mlir::Operation *to);

/// Replaces an op by the linalg.generic that it means.
llvm::FailureOr<mlir::Operation *> generalize(mlir::RewriterBase &rewriter,
                                              mlir::Operation *op);

/// `batch={b} m={i} n={j} k={k}`, with the names that the location carries.
std::string printRoles(mlir::Location loc,
                       llvm::ArrayRef<mlir::AffineMap> maps);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_RAISING_H
