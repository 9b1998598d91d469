//===- Transforms.h - The transformations as functions ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What some passes of Passes.td do, as functions that can be called, composed
// and tested without a pass manager. Those that decline say why through
// notifyMatchFailure.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_TRANSFORMS_H
#define EIN_PASSES_TRANSFORMS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
class RewriterBase;
namespace func {
class FuncOp;
} // namespace func
namespace linalg {
class ContractOp;
class GenericOp;
class LinalgOp;
class PackOp;
} // namespace linalg
} // namespace mlir

namespace ein {
struct TargetInfo;

/// Replaces a generic that is proved to be a contraction by `linalg.contract`
/// or `ein.contract`; see RaiseToContract.
llvm::FailureOr<mlir::Operation *> raiseToContract(mlir::RewriterBase &rewriter,
                                                   mlir::linalg::GenericOp op);

/// Replaces an op by the contraction that it is, of whatever kind and with
/// whatever dims; `ein-morph`.
llvm::FailureOr<mlir::Operation *>
raiseAnyToContract(mlir::RewriterBase &rewriter, mlir::Operation *op);

/// Replaces an op by the named op that is proved to be the same.
llvm::FailureOr<mlir::Operation *> raiseToNamed(mlir::RewriterBase &rewriter,
                                                mlir::Operation *op);

/// Replaces an op by the linalg.generic that it means.
llvm::FailureOr<mlir::Operation *> generalize(mlir::RewriterBase &rewriter,
                                              mlir::Operation *op);

/// Reads the integers of a contraction from before their extension.
llvm::LogicalResult foldExtensions(mlir::RewriterBase &rewriter,
                                   mlir::linalg::ContractOp op);

/// Makes the outer loops of `op`'s strategy (packed_gemm or vectorize); the
/// tiled op keeps the attribute.
llvm::LogicalResult tileByStrategy(mlir::RewriterBase &rewriter,
                                   mlir::linalg::LinalgOp op);

/// Packs the inputs of a tiled contraction and makes its register tiles.
llvm::LogicalResult packOperands(mlir::RewriterBase &rewriter,
                                 mlir::linalg::LinalgOp op);

/// Turns a pack made by packOperands into loops over vectors.
llvm::LogicalResult vectorizePack(mlir::RewriterBase &rewriter,
                                  mlir::linalg::PackOp op);

/// Turns a contraction of two panels into a loop over k with a vector.contract.
llvm::LogicalResult vectorizeContract(mlir::RewriterBase &rewriter,
                                      mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_TRANSFORMS_H
