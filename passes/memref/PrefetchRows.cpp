//===- PrefetchRows.cpp - Fetch the next row while computing --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a softmax goes over a row several times, but only the first time is
// it read from memory. While the others compute, memory has nothing to do, and
// the first one waits for it.
//
// Choice: the pass over the row that computes most, one with functions, fetches
// the next row as it goes. A row fits half of L2, by the schedule `rows`.
//
//===----------------------------------------------------------------------===//

#include "passes/memref/PrefetchRows.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/memref/StreamedLines.h"

using namespace mlir;

namespace ein {

/// Fetches what `read` would read of the next row, if what it reads is a row
/// where a loop round `loop` is.
static void prefetchNextRow(ImplicitLocOpBuilder &b,
                            vector::TransferReadOp read, scf::ForOp loop) {
  if (!isa<MemRefType>(read.getBase().getType()) ||
      read.getVectorType().getRank() != 1 ||
      !read.getPermutationMap().isMinorIdentity())
    return;
  b.setInsertionPoint(read);
  auto add = [&](OpFoldResult a, OpFoldResult c) -> OpFoldResult {
    if (isZeroInteger(a))
      return c;
    if (isZeroInteger(c))
      return a;
    return arith::AddIOp::create(
               b, getValueOrCreateConstantIndexOp(b, b.getLoc(), a),
               getValueOrCreateConstantIndexOp(b, b.getLoc(), c))
        .getResult();
  };
  Value array = read.getBase();
  SmallVector<OpFoldResult> at = getAsOpFoldResult(read.getIndices());
  while (auto view = array.getDefiningOp<memref::SubViewOp>()) {
    if (!view.hasUnitStride())
      return;
    llvm::SmallBitVector dropped = view.getDroppedDims();
    SmallVector<OpFoldResult> whole = view.getMixedOffsets();
    const auto *next = at.begin();
    for (auto [axis, offset] : llvm::enumerate(whole))
      if (!dropped.test(axis))
        offset = add(offset, *next++);
    at = whole;
    array = view.getSource();
  }
  // The innermost of the loops is the one that goes from row to row.
  OpFoldResult *row = nullptr;
  for (auto around = loop->getParentOfType<scf::ForOp>(); around && !row;
       around = around->getParentOfType<scf::ForOp>())
    for (OpFoldResult &index : MutableArrayRef(at).drop_back())
      if (dyn_cast<Value>(index) == around.getInductionVar())
        row = &index;
  Type element = cast<MemRefType>(array.getType()).getElementType();
  if (!row || !element.isIntOrFloat())
    return;
  *row = add(*row, b.getIndexAttr(1));
  createPrefetches(b, b.getLoc(), array,
                   getValueOrCreateConstantIndexOp(b, b.getLoc(), at),
                   /*ahead=*/0, read.getVectorType().getNumElements());
}

void prefetchRows(Operation *root) {
  SmallVector<scf::ForOp> loops;
  root->walk([&](scf::ForOp loop) {
    if (loop->removeAttr(EinDialect::kNextRowAttr))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    ImplicitLocOpBuilder b(loop.getLoc(), loop);
    for (auto read :
         llvm::to_vector(loop.getBody()->getOps<vector::TransferReadOp>()))
      prefetchNextRow(b, read, loop);
  }
}

} // namespace ein
