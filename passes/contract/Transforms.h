//===- Transforms.h - The transformations as functions ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transformations that passes of this folder are thin wrappers round. They
// can be called, composed and tested without a pass manager. Those that decline
// say why through notifyMatchFailure.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_CONTRACT_TRANSFORMS_H
#define EIN_PASSES_CONTRACT_TRANSFORMS_H

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
} // namespace linalg
} // namespace mlir

namespace ein {

class ContractOp;

/// Has the factors of a product of matrices that are expressions computed
/// before it.
llvm::LogicalResult computeFactors(mlir::RewriterBase &rewriter,
                                   mlir::linalg::GenericOp op);

/// Replaces a generic that is proved to be a contraction by `linalg.contract`
/// or `ein.contract`; see RaiseToContract.
llvm::FailureOr<mlir::Operation *> raiseToContract(mlir::RewriterBase &rewriter,
                                                   mlir::linalg::GenericOp op);

/// Raises a contraction of bits that are bytes in memory: comparisons and what
/// is stored become ops of their own.
llvm::FailureOr<mlir::Operation *> raiseBits(mlir::RewriterBase &rewriter,
                                             mlir::linalg::GenericOp op);

/// Replaces an op by the contraction that it is, of whatever kind and with
/// whatever dims; `ein-convert-structured-form`.
llvm::FailureOr<mlir::Operation *>
raiseAnyToContract(mlir::RewriterBase &rewriter, mlir::Operation *op);

/// The named op of NamedOps.def that is proved to be the generic, made beside
/// it; null if there is none.
mlir::Operation *createNamed(mlir::RewriterBase &rewriter,
                             mlir::linalg::GenericOp op);

/// Replaces an op by the named op that is proved to be the same.
llvm::FailureOr<mlir::Operation *> raiseToNamed(mlir::RewriterBase &rewriter,
                                                mlir::Operation *op);

/// Reads the integers of a contraction from before their extension.
llvm::LogicalResult foldExtensions(mlir::RewriterBase &rewriter,
                                   mlir::linalg::ContractOp op,
                                   bool f16Products, bool bf16Products);

/// Multiplies narrow integers without what is subtracted from them.
llvm::LogicalResult separateZeroPoints(mlir::RewriterBase &rewriter,
                                       mlir::linalg::GenericOp op);

/// Computes a product of matrices of bytes in wider numbers.
llvm::LogicalResult widenBytes(mlir::RewriterBase &rewriter,
                               mlir::linalg::ContractOp op);
llvm::LogicalResult widenBytes(mlir::RewriterBase &rewriter, ContractOp op);

} // namespace ein

#endif // EIN_PASSES_CONTRACT_TRANSFORMS_H
