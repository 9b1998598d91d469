//===- Epilogue.h - Elementwise updates in a contraction's tiles -*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tile-and-fuse: an elementwise op that updates what a packed contraction gives
// (`ein-update-in-place`) and whose schedule is `epilogue` is computed in the
// contraction's tiles, of the caches first and then of registers, so that C is
// written once. Upstream fuses producers into tiles of their consumers; here it
// is the other way round, as the contraction has the loops that matter, and
// some of them are reductions: an element is a whole sum in the last block of k
// only. So the fused op has one more input, a bit that says whether this is it,
// and selects by it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_EPILOGUE_H
#define EIN_PASSES_ANALYSIS_EPILOGUE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/analysis/Decline.h"

namespace mlir {
class ImplicitLocOpBuilder;
namespace scf {
class ForOp;
} // namespace scf
} // namespace mlir

namespace ein {

/// Whether the body is arithmetic and functions that vectors have, without
/// calls to libm.
bool hasVectorBody(mlir::linalg::GenericOp op);

/// Whether what `map` reads lies in memory as dim `dim` runs, or is the same.
bool isContiguousAlong(mlir::AffineMap map, int64_t dim);

/// The op whose schedule is to be the epilogue of `op`, a packed contraction or
/// sums over windows: the only reader of its result, which it updates. Null if
/// there is none.
mlir::linalg::GenericOp getEpilogue(mlir::linalg::LinalgOp op);

/// The packed contraction, or the sums over windows, whose result `op` updates,
/// if `op` can be computed in its tiles.
mlir::FailureOr<mlir::linalg::LinalgOp>
matchEpilogue(mlir::linalg::GenericOp op, DeclineFn onDecline = nullptr);

/// Whether a loop over sums of the contraction other than that over `k` may
/// have no iteration: then there is no first block, and no last one.
bool mayHaveNoBlock(mlir::linalg::LinalgOp op, int64_t k);

/// Whether all loops over sums round `tile` (of `loops`, over dims `loopDims`)
/// are where `isThere` says of one; null if there is no such loop. Loops whose
/// end is dynamic are made to run once even if there is nothing to sum.
mlir::Value
areSumLoopsAt(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp tile,
              llvm::ArrayRef<mlir::LoopLikeOpInterface> loops,
              llvm::ArrayRef<int64_t> loopDims,
              llvm::function_ref<mlir::Value(mlir::scf::ForOp)> isThere);

/// Moves the epilogue of a contraction that has become `loops` (over dims
/// `loopDims`) round `tile` to right after the tile.
mlir::LogicalResult
fuseEpilogue(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp epilogue,
             mlir::linalg::LinalgOp tile,
             llvm::ArrayRef<mlir::LoopLikeOpInterface> loops,
             llvm::ArrayRef<int64_t> loopDims);

/// The epilogue of a block of C on a register tile of it, which is complete: an
/// op on `tile`, whose axes are dims `m` and `n` of the contraction that made
/// the block (with extent 1 along any other dim), from `offsets` on, of which
/// `sizes` exist.
mlir::Value createTileEpilogue(mlir::ImplicitLocOpBuilder &b,
                               mlir::linalg::GenericOp epilogue,
                               mlir::linalg::LinalgOp contraction, int64_t m,
                               int64_t n, mlir::Value tile,
                               llvm::ArrayRef<mlir::OpFoldResult> offsets,
                               llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_EPILOGUE_H
