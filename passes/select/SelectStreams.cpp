//===- SelectStreams.cpp - Results past the caches ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over rows computes a row of the result at a time; what counts is how
// large all of the result is, and that nothing in the loop reads the row again.
// An op that computes functions of such a row, or that sums up what another one
// has fetched, may fetch the next row meanwhile, if the arrays come from
// memory, or another cache than the nearest two.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectStreams.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/VectorBody.h"
#include "target/Target.h"

using namespace mlir;

namespace ein {

/// What the result of `op` is a part of, if loops round it put it there and
/// nothing reads it before.
static ShapedType getWholeResult(linalg::GenericOp op) {
  Value init = op.getDpsInits()[0];
  auto type = cast<ShapedType>(init.getType());
  bool isOnlyPut = llvm::all_of(op.getResult(0).getUses(), [](OpOperand &use) {
    auto put = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    return put && put.getSource() == use.get();
  });
  while (isOnlyPut) {
    auto slice = init.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice)
      break;
    init = slice.getSource();
    while (auto argument = dyn_cast<BlockArgument>(init)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument == loop.getInductionVar())
        break;
      init = loop.getTiedLoopInit(argument)->get();
    }
    type = cast<ShapedType>(init.getType());
  }
  return type;
}

int64_t getStreamBytes(linalg::GenericOp op, const TargetInfo &target,
                       StringRef packing) {
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return 0;
  if (packing == "always")
    return 1;
  ShapedType type = getWholeResult(op);
  bool isSmall =
      type.hasStaticShape() &&
      type.getNumElements() < target.streamBytes / getElementBytes(type);
  return isSmall ? 0 : target.streamBytes;
}

/// The row of an array that an operand is; null of others.
static tensor::ExtractSliceOp getRow(OpOperand *input) {
  auto row = input->get().getDefiningOp<tensor::ExtractSliceOp>();
  return row && row.getType().getRank() == 1 &&
                 row.getSourceType().getRank() > 1
             ? row
             : nullptr;
}

/// Bytes of an array, nothing of one whose size is not known.
static int64_t getKnownBytes(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasStaticShape()
             ? shaped.getNumElements() * getElementBytes(shaped)
             : 0;
}

/// Whether memory has nothing else to do while `op` reads this row: it computes
/// functions; or it only sums up what an op before has fetched.
static bool leavesMemoryIdle(linalg::LinalgOp op, tensor::ExtractSliceOp row) {
  if (hasFormulas(op))
    return true;
  return op.getNumReductionLoops() != 0 &&
         llvm::any_of(op->getBlock()->getOps<linalg::LinalgOp>(),
                      [&](linalg::LinalgOp other) {
                        return other->isBeforeInBlock(op) &&
                               llvm::is_contained(other.getDpsInputs(),
                                                  row.getResult());
                      });
}

// What a loop reads and what it writes are in the caches together.
bool readsNextRows(linalg::LinalgOp op, const TargetInfo &target) {
  auto loop = op->getParentOfType<scf::ForOp>();
  if (!loop)
    return false;
  int64_t written = 0;
  for (Type type : loop.getResultTypes())
    written += getKnownBytes(type);
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    tensor::ExtractSliceOp row = getRow(input);
    if (!row)
      return false;
    int64_t read = getKnownBytes(row.getSourceType());
    return read != 0 && read + written > int64_t(target.l2Bytes) &&
           leavesMemoryIdle(op, row);
  });
}

} // namespace ein
