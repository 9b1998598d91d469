//===- RaiseBits.cpp - Contractions of bits that are bytes in memory ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `bool` of the language is a byte in memory, and each statement on some
// compares what it reads with zero. So the factors of a contraction of them are
// no inputs as they are, and it would be a loop over single bits. Here the
// comparisons become ops of their own, and what is between is raised as any
// other contraction is.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "passes/analysis/Raising.h"
#include "passes/contract/Elementwise.h"
#include "passes/contract/Transforms.h"

using namespace mlir;

namespace ein {

/// The bits of each argument of the body, if no other use is made of it; the
/// last bit, which is stored, follows.
static FailureOr<SmallVector<Value>> matchBits(linalg::GenericOp op) {
  SmallVector<Value> bits;
  for (BlockArgument argument : op.getBody()->getArguments()) {
    if (!argument.getType().isInteger(8) || !argument.hasOneUse())
      return failure();
    auto compare = dyn_cast<arith::CmpIOp>(*argument.user_begin());
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::ne ||
        compare.getLhs() != argument ||
        !matchPattern(compare.getRhs(), m_Zero()))
      return failure();
    bits.push_back(compare);
  }
  auto stored = op.getBody()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::ExtUIOp>();
  if (!stored || !stored.getIn().getType().isInteger(1))
    return failure();
  bits.push_back(stored.getIn());
  return bits;
}

static Value createBits(RewriterBase &rewriter, Location loc, Value bytes) {
  return createElementwise(
      rewriter, loc, bytes, rewriter.getI1Type(), Value(),
      [](OpBuilder &b, Location loc, Value byte) -> Value {
        Value zero = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(0));
        return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, byte,
                                     zero);
      });
}

FailureOr<Operation *> raiseBits(RewriterBase &rewriter, linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return rewriter.notifyMatchFailure(op, "it has no two factors");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (hasRepeatedDim(maps))
    return rewriter.notifyMatchFailure(op, "it repeats what it sums up");
  FailureOr<SmallVector<Value>> bits = matchBits(op);
  if (failed(bits))
    return rewriter.notifyMatchFailure(op, "it is not of stored bits");

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Operation *before = op->getPrevNode();
  SmallVector<Value> inputs;
  for (Value input : op.getDpsInputs())
    inputs.push_back(createBits(rewriter, loc, input));
  Value init = op.getDpsInits()[0];
  Value start = createStart(
      rewriter, loc, init, rewriter.getI1Type(),
      [](const APInt &number) { return APInt(1, !number.isZero()); },
      [&] { return createBits(rewriter, loc, init); });
  auto ofBits = linalg::GenericOp::create(
      rewriter, loc, start.getType(), inputs, start, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        IRMapping mapping;
        for (auto [bit, argument] : llvm::zip(*bits, arguments))
          mapping.map(bit, argument);
        for (Operation &each : op.getBody()->without_terminator())
          if (!mapping.contains(each.getResult(0)) &&
              each.getResult(0).getType().isInteger(1))
            b.clone(each, mapping);
        linalg::YieldOp::create(b, loc, mapping.lookupOrDefault(bits->back()));
      });
  FailureOr<Operation *> contract = raiseToContract(rewriter, ofBits);
  if (failed(contract)) {
    while (op->getPrevNode() != before)
      rewriter.eraseOp(op->getPrevNode());
    return failure();
  }
  copyDiscardableAttrs(op, *contract);
  Value destination = init;
  if (auto fill = destination.getDefiningOp<linalg::FillOp>())
    destination = fill.getOutputs()[0];
  rewriter.replaceOp(
      op, createElementwise(
              rewriter, loc, (*contract)->getResult(0), rewriter.getI8Type(),
              destination, [](OpBuilder &b, Location loc, Value bit) -> Value {
                return arith::ExtUIOp::create(b, loc, b.getI8Type(), bit);
              }));
  return contract;
}

} // namespace ein
