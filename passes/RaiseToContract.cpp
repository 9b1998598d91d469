//===- RaiseToContract.cpp - Raise generics to contractions -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generic that multiplies two inputs and sums is a contraction, whoever wrote
// it: a user's .mlir, or packing. Packing, tiling and vectorisation recognise
// `linalg.contract` only, so raising decides whether an op runs fast; a wrong
// raise decides that it runs wrong. Hence the proof: the contract is
// generalised back by upstream, and its maps and body are compared with the
// original's.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/Passes.h"
#include "passes/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_RAISETOCONTRACT
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether two values compute the same scalar: the same op on the same operands
/// up to commutation, down to arguments at the same place of `a`'s and `b`'s
/// blocks. Fast-math flags may differ: they allow, and do not mean, anything.
static bool isSameScalar(Value a, Value b) {
  auto argumentA = dyn_cast<BlockArgument>(a);
  auto argumentB = dyn_cast<BlockArgument>(b);
  if (argumentA || argumentB)
    return argumentA && argumentB &&
           argumentA.getArgNumber() == argumentB.getArgNumber();
  Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
  if (opA->getName() != opB->getName() || a.getType() != b.getType() ||
      opA->getNumRegions() != 0 ||
      opA->getNumOperands() != opB->getNumOperands())
    return false;
  // Same kind, so same attributes but for the flags: only ops that the body of
  // a contraction is made of get here.
  if (!isa<arith::MulFOp, arith::AddFOp, arith::MulIOp, arith::AddIOp,
           arith::ExtFOp, arith::ExtSIOp, arith::TruncFOp, arith::TruncIOp,
           arith::SIToFPOp>(opA))
    return false;
  auto matches = [&](ArrayRef<unsigned> order) {
    for (auto [i, j] : llvm::enumerate(order))
      if (!isSameScalar(opA->getOperand(i), opB->getOperand(j)))
        return false;
    return true;
  };
  if (opA->getNumOperands() == 1)
    return matches({0});
  return matches({0, 1}) ||
         (opA->hasTrait<OpTrait::IsCommutative>() && matches({1, 0}));
}

/// Whether `a` and `b` have the same maps, iterators and body.
static bool isSameGeneric(linalg::GenericOp a, linalg::GenericOp b) {
  return a.getIndexingMapsArray() == b.getIndexingMapsArray() &&
         a.getIteratorTypesArray() == b.getIteratorTypesArray() &&
         isSameScalar(a.getBody()->getTerminator()->getOperand(0),
                      b.getBody()->getTerminator()->getOperand(0));
}

/// Whether `linalg.contract`'s verifier accepts the maps: projected
/// permutations; every reduced dim in both inputs, and at least one of them.
static LogicalResult checkMaps(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (llvm::any_of(maps,
                   [](AffineMap map) { return !map.isProjectedPermutation(); }))
    return rewriter.notifyMatchFailure(
        op, "an indexing map is not a projected permutation");
  bool reduces = false;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isReduced = iterator == utils::IteratorType::reduction;
    reduces |= isReduced;
    if (isReduced == maps[2].isFunctionOfDim(dim))
      return rewriter.notifyMatchFailure(
          op, "a dim of the output is a reduction, or a dim that the output "
              "lacks is parallel");
    if (isReduced &&
        !(maps[0].isFunctionOfDim(dim) && maps[1].isFunctionOfDim(dim)))
      return rewriter.notifyMatchFailure(op,
                                         "a dim is reduced in one input only");
  }
  if (!reduces)
    return rewriter.notifyMatchFailure(op, "nothing is reduced");
  return success();
}

FailureOr<linalg::ContractOp> raiseToContract(RewriterBase &rewriter,
                                              linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "not two inputs and one output on "
                                           "tensors");
  if (!llvm::all_of(op.getDpsInputs(), [](Value input) {
        return isa<RankedTensorType>(input.getType());
      }))
    return rewriter.notifyMatchFailure(op, "an input is a scalar");
  if (failed(checkMaps(rewriter, op)))
    return failure();

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto create = [&]() {
    return linalg::ContractOp::create(rewriter, op.getLoc(),
                                      op.getResultTypes(), op.getDpsInputs(),
                                      op.getDpsInits(), op.getIndexingMaps());
  };
  FailureOr<linalg::GenericOp> back =
      linalg::generalizeNamedOp(rewriter, create());
  bool isProved = succeeded(back) && isSameGeneric(op, *back);
  if (succeeded(back))
    rewriter.eraseOp(*back);
  if (!isProved)
    return rewriter.notifyMatchFailure(
        op, "the contraction, generalised, has another body");

  linalg::ContractOp contract = create();
  for (NamedAttribute attr : op->getDiscardableAttrs())
    contract->setDiscardableAttr(attr.getName(), attr.getValue());
  rewriter.replaceOp(op, contract);
  return contract;
}

namespace {
struct RaiseToContractPass : impl::RaiseToContractBase<RaiseToContractPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      if (succeeded(raiseToContract(rewriter, op)))
        ++numRaised;
  }
};
} // namespace

} // namespace ein
