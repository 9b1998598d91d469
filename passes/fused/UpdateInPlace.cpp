//===- UpdateInPlace.cpp - Elementwise readers of contractions ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program names what a contraction gives, and then says what is done with it,
//
//   let Z(m, n) +=! X(m, k) * W(k, n)
//   Y(m, n) = max(Z(m, n) + b(n), 0)
//
// and as written that is a matrix more in memory, Z. But where Y's every
// element is made of Z's of the same place, Z may as well be summed up where Y
// is to be: the second statement then updates what the first has left there.
//
// The memory is saved whatever runs afterwards; and a reader in this form can
// be computed while the element is in a register (see Epilogue.h).
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/WindowAnalysis.h"
#include "passes/fused/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_UPDATEINPLACE
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// Whether `op` is a contraction, or sums up windows (or takes their maximum),
/// and so has tiles in registers.
bool hasTiles(linalg::LinalgOp op) {
  return getContractionKind(op) ||
         (op.getNumReductionLoops() != 0 && succeeded(matchWindow(op)));
}

/// The operand of the first of a chain of contractions, each read by the next
/// one only, if it is new memory that has just been filled.
OpOperand *getFirstFill(Value sum) {
  while (true) {
    auto op = sum.getDefiningOp<linalg::LinalgOp>();
    if (!op || !hasTiles(op) || !op.hasPureTensorSemantics() ||
        op->hasAttr(EinDialect::kScheduleAttr))
      return nullptr;
    OpOperand &init = op.getDpsInitsMutable()[0];
    if (auto fill = init.get().getDefiningOp<linalg::FillOp>()) {
      bool isNew = fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
      return isNew ? &init : nullptr;
    }
    if (!init.get().hasOneUse())
      return nullptr;
    sum = init.get();
  }
}

/// The only reader of `sum`, if it is elementwise and reads it nowhere else
/// than where it writes.
linalg::GenericOp getReader(Value sum) {
  if (sum.use_empty())
    return {};
  auto reader = dyn_cast<linalg::GenericOp>(*sum.user_begin());
  if (!reader || !reader.hasPureTensorSemantics() ||
      reader->hasAttr(EinDialect::kScheduleAttr) || reader.getLibraryCall() ||
      reader.getNumReductionLoops() != 0 || reader.getNumDpsInits() != 1)
    return {};
  OpOperand *init = reader.getDpsInitOperand(0);
  AffineMap place = reader.getMatchingIndexingMap(init);
  if (init->get().getType() != sum.getType() || !place.isPermutation() ||
      reader.payloadUsesValueFromOperand(init))
    return {};
  for (OpOperand &use : sum.getUses())
    if (use.getOwner() != reader || !reader.isDpsInput(&use) ||
        reader.getMatchingIndexingMap(&use) != place)
      return {};
  return reader;
}

/// Whether what `init` holds may be overwritten as early as at `op`; new memory
/// is moved there.
bool isFreeAt(Value init, Operation *op, const DominanceInfo &dominance) {
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  if (!empty)
    return init.hasOneUse() && dominance.properlyDominates(init, op);
  if (dominance.properlyDominates(init, op))
    return true;
  if (!llvm::all_of(empty->getOperands(), [&](Value size) {
        return dominance.properlyDominates(size, op);
      }))
    return false;
  empty->moveBefore(op);
  return true;
}

/// Has `reader` update `sum` instead of writing to its own destination.
void updateInPlace(RewriterBase &rewriter, linalg::GenericOp reader,
                   Value sum) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : reader.getDpsInputOperands()) {
    if (input->get() == sum)
      continue;
    inputs.push_back(input->get());
    maps.push_back(reader.getMatchingIndexingMap(input));
  }
  maps.push_back(reader.getMatchingIndexingMap(reader.getDpsInitOperand(0)));

  rewriter.setInsertionPoint(reader);
  auto update = linalg::GenericOp::create(rewriter, reader.getLoc(),
                                          reader->getResultTypes(), inputs, sum,
                                          maps, reader.getIteratorTypesArray());
  copyDiscardableAttrs(reader, update);
  Block *body = reader.getBody();
  SmallVector<Type> types;
  SmallVector<Location> locations;
  for (OpOperand &operand : update->getOpOperands()) {
    types.push_back(getElementTypeOrSelf(operand.get().getType()));
    locations.push_back(reader.getLoc());
  }
  Block *block =
      rewriter.createBlock(&update.getRegion(), {}, types, locations);
  SmallVector<Value> arguments;
  unsigned next = 0;
  for (OpOperand &operand : reader->getOpOperands())
    arguments.push_back(operand.get() == sum || reader.isDpsInit(&operand)
                            ? block->getArguments().back()
                            : block->getArgument(next++));
  rewriter.mergeBlocks(body, block, arguments);
  rewriter.replaceOp(reader, update);
}

struct UpdateInPlacePass : impl::UpdateInPlaceBase<UpdateInPlacePass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    SmallVector<linalg::LinalgOp> sums;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (hasTiles(op))
        sums.push_back(op);
    });
    for (linalg::LinalgOp op : sums) {
      if (op->getNumResults() != 1)
        continue;
      Value sum = op->getResult(0);
      linalg::GenericOp reader = getReader(sum);
      OpOperand *first = reader ? getFirstFill(sum) : nullptr;
      if (!first)
        continue;
      Value init = reader.getDpsInits()[0];
      if (!isFreeAt(init, first->getOwner(), dominance))
        continue;
      // Several temporaries may have been one fill.
      auto fill = first->get().getDefiningOp<linalg::FillOp>();
      rewriter.setInsertionPoint(first->getOwner());
      auto filled = linalg::FillOp::create(rewriter, fill.getLoc(),
                                           fill.getInputs(), init);
      rewriter.modifyOpInPlace(first->getOwner(),
                               [&]() { first->set(filled.getResult(0)); });
      if (fill->use_empty())
        rewriter.eraseOp(fill);
      updateInPlace(rewriter, reader, sum);
    }
  }
};

} // namespace
} // namespace ein
