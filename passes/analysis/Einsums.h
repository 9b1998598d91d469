//===- Einsums.h - Making einsums and products ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes from `ein` to `linalg` share.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_EINSUMS_H
#define EIN_PASSES_ANALYSIS_EINSUMS_H

#include "ir/EinDialect.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

namespace mlir::linalg {
class GenericOp;
} // namespace mlir::linalg

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace ein {

struct ContractionOrderOptions;

/// The number zero, of a scalar type.
mlir::Value createZero(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type);
/// Whether a number is a constant zero, of either sign.
bool isZero(mlir::Value number);

/// `tensor` filled with zero.
mlir::Value fillWithZero(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value tensor);

/// An einsum of `inputs` over the dims in `dims`, any numbers, one list per
/// input and the last for the output. Dims are renumbered: the output's first,
/// then the others in order of appearance; `loc` has the names of the old ones.
mlir::Value createEinsum(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::ValueRange inputs, mlir::Value init,
                         llvm::ArrayRef<llvm::SmallVector<unsigned>> dims);

/// A linalg.generic that multiplies `inputs`, converted to the type of `init`,
/// and adds the product to the init (`accumulate`) or overwrites it. Its loops
/// are the init's dims in order, then reductions, `numLoops` in all. The inputs
/// behind the first `numFactors` are conditions, and then tensors of which only
/// the extents count: where one of `numConditions` is zero, nothing is added.
mlir::Value createProduct(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::ValueRange inputs, unsigned numFactors,
                          unsigned numConditions,
                          llvm::ArrayRef<mlir::AffineMap> inputMaps,
                          mlir::Value init, unsigned initRank,
                          unsigned numLoops, bool accumulate);

inline mlir::Value createProduct(mlir::OpBuilder &b, mlir::Location loc,
                                 mlir::ValueRange factors,
                                 llvm::ArrayRef<mlir::AffineMap> inputMaps,
                                 mlir::Value init, unsigned initRank,
                                 unsigned numLoops, bool accumulate) {
  return createProduct(b, loc, factors, factors.size(), /*numConditions=*/0,
                       inputMaps, init, initRank, numLoops, accumulate);
}

/// If `value` is a tensor filled with zero, the tensor before it was filled.
mlir::Value getZeroFilled(mlir::Value value);

/// Takes diagonals and one-sided sums out of an einsum of two inputs or more.
void simplifyEinsum(mlir::RewriterBase &rewriter, EinsumOp op);

/// Replaces a product with index arithmetic by ops of two factors, if that
/// takes fewer operations, or by one of all of them. Says which it was.
bool orderProduct(mlir::RewriterBase &rewriter, ProductOp op,
                  int64_t unknownSize, const ContractionOrderOptions &options);

/// Replaces a generic that reduces what it combines of three inputs or more, by
/// `max` and `+` say, by generics of two, if that is the same and takes fewer
/// operations. Says what has been done.
void orderSemiring(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
                   int64_t unknownSize, const ContractionOrderOptions &options);

/// Replaces an einsum of one input or two by an op of linalg.
void lowerEinsum(mlir::RewriterBase &rewriter, EinsumOp op);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_EINSUMS_H
