//===- TileSums.h - Sums that a matrix unit makes ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of `ein-lower-tile-products`: what AMX's products and SME's have in
// common, and SME's.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_TILESUMS_H
#define EIN_PASSES_LLVM_TILESUMS_H

#include "abi/VectorInstructions.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

/// Memory for the sums of `op`, on the stack, outside of all loops that are one
/// thread's.
mlir::Value createSumsBuffer(mlir::ImplicitLocOpBuilder &b, TileProductsOp op,
                             int64_t alignment);
/// Whether the sums start from zero.
bool startsFromZero(mlir::Value start);
void writeSums(mlir::ImplicitLocOpBuilder &b, mlir::Value sums,
               mlir::Value buffer);
mlir::Value readSums(mlir::ImplicitLocOpBuilder &b, mlir::VectorType type,
                     mlir::Value buffer);

/// What the loop round `op` carries, if that is its sum and nothing else.
std::optional<unsigned> getCarried(TileProductsOp op);

/// What reads a step of the panel that a factor is, if that is so.
mlir::vector::TransferReadOp findPanel(mlir::Value factor);

/// Makes a call of `op`, or of all of its loop over k, to a function of the
/// module that multiplies by outer products (SME).
mlir::LogicalResult lowerOuterProducts(mlir::RewriterBase &rewriter,
                                       TileProductsOp op,
                                       const TileRegisters &registers);

} // namespace ein

#endif // EIN_PASSES_LLVM_TILESUMS_H
