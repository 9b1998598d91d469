//===- ReturnToDestination.cpp - Results in their places ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function on tensors returns its results; the C function that it becomes
// writes them to memory that its caller owns. The tie between the two is made
// checked here, while values are still values. Every result then comes from an
// op that writes to a destination; `ein-bufferize` finds most of them in place
// and copies the rest.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/analysis/Destination.h"
#include "passes/memref/Passes.h"

namespace ein {
#define GEN_PASS_DEF_RETURNTODESTINATION
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value;
}

/// Whether one op gives the dims back that the other one takes.
static bool areInverse(Operation *op, Operation *other) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(other);
  if (!expand && !collapse) {
    expand = cast<tensor::ExpandShapeOp>(other);
    collapse = cast<tensor::CollapseShapeOp>(op);
  }
  return expand && collapse &&
         expand.getReassociation() == collapse.getReassociation();
}

/// Whether `value` is written, step by step, to `destination`; what is expanded
/// or collapsed on the way is so again, backwards: `reshapes` are yet to be. A
/// branch writes there on both sides.
static bool isWrittenTo(Value value, Value destination,
                        SmallVector<Operation *> reshapes = {}) {
  while (true) {
    value = skipCasts(value);
    if (value == destination)
      return reshapes.empty();
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return false;
    Operation *op = result.getOwner();
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
      if (!reshapes.empty() && areInverse(op, reshapes.back()))
        reshapes.pop_back();
      else
        reshapes.push_back(op);
      value = op->getOperand(0);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = result.getResultNumber();
      return isWrittenTo(branch.thenYield().getOperand(number), destination,
                         reshapes) &&
             isWrittenTo(branch.elseYield().getOperand(number), destination,
                         reshapes);
    } else {
      value = getDestination(result);
      if (!value)
        return false;
    }
  }
}

/// Whether `result` is the destination, written with other dims than it has.
static bool isReshapedDestination(Value result, Value destination) {
  Operation *op = skipCasts(result).getDefiningOp();
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
         isWrittenTo(result, destination);
}

namespace {
struct ReturnToDestinationPass
    : impl::ReturnToDestinationBase<ReturnToDestinationPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function->hasAttr(EinDialect::kSignatureAttr) || function.isExternal())
      return;
    FailureOr<Signature> signature = Signature::fromOp(function);
    if (failed(signature))
      return signalPassFailure();

    SmallVector<Value> destinations;
    for (unsigned position : signature->getDestinations(function))
      destinations.push_back(function.getArgument(position));
    auto terminator =
        cast<func::ReturnOp>(function.getBody().back().getTerminator());
    if (destinations.size() != terminator.getNumOperands()) {
      function.emitError("returns ")
          << terminator.getNumOperands() << " results, and its `"
          << EinDialect::kSignatureAttr << "` has " << destinations.size()
          << " outputs";
      return signalPassFailure();
    }
    OpBuilder b(terminator);
    for (auto [i, destination] : llvm::enumerate(destinations)) {
      Value result = terminator.getOperand(i);
      if (result.getType() != destination.getType()) {
        function.emitError("has result #") << i << " of another type than its "
                                           << "output argument";
        return signalPassFailure();
      }
      // Another argument, as it is: a copy, because that argument may be
      // overwritten by the time the results are stored. Part of something: its
      // buffer would have strides that no result has. But what was written to
      // the destination, seen with other dims, is in its place.
      bool isPart =
          isa_and_nonnull<tensor::ExtractSliceOp, tensor::CastOp,
                          tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
              result.getDefiningOp()) &&
          !isReshapedDestination(result, destination);
      if (result == destination || !(isPart || isa<BlockArgument>(result)))
        continue;
      auto copy =
          linalg::CopyOp::create(b, terminator.getLoc(), result, destination);
      terminator.setOperand(i, copy.getResult(0));
    }
  }
};
} // namespace
} // namespace ein
