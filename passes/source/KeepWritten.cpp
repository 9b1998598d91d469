//===- KeepWritten.cpp - What a function means if arrays overlap ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From here on arrays are apart: memrefs become tensors, and code that reads
// ahead, keeps sums in registers or runs in another order is made of them. That
// is checked when the code runs. What the function means where it does not hold
// is a copy that nothing is made of: its structured ops become loops at once,
// in the order that they declare, and loads and stores stay where they are.
//
// The copy takes memrefs of any strides, as views have them that overlap. Ops
// that have none of those, or that are no loads and stores of memory, leave the
// function without a copy, and the entries refuse arrays that overlap.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "ir/WrittenForm.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "passes/analysis/Decline.h"
#include "passes/source/Passes.h"

namespace ein {
#define GEN_PASS_DEF_KEEPWRITTEN
#include "passes/source/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// The type with strides and an offset that are found when the code runs.
static MemRefType withAnyLayout(MemRefType type) {
  if (type.getRank() == 0)
    return type;
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides),
      type.getMemorySpace());
}

/// What the result of a view has for a type, now that its source has another.
static FailureOr<MemRefType> inferType(Operation *op, DeclineFn onDecline) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  auto source = cast<MemRefType>(op->getOperand(0).getType());
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return memref::SubViewOp::inferRankReducedResultType(
        type.getShape(), source, view.getMixedOffsets(), view.getMixedSizes(),
        view.getMixedStrides());
  if (isa<memref::CastOp>(op))
    return MemRefType::get(type.getShape(), type.getElementType(),
                           source.getLayout(), type.getMemorySpace());
  if (isa<memref::AssumeAlignmentOp>(op))
    return source;
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    return memref::ExpandShapeOp::computeExpandedType(
        source, type.getShape(), expand.getReassociationIndices());
  return decline(onDecline, "a view of it is of an array without gaps: `" +
                                op->getName().getStringRef() + "`");
}

/// Gives `memref` a type of any strides, and all views of it theirs. Fails at
/// an op that has no such form.
static LogicalResult setTypes(Value memref, MemRefType type,
                              DeclineFn onDecline) {
  if (memref.getType() == type)
    return success();
  memref.setType(type);
  for (Operation *user : memref.getUsers()) {
    if (isa<memref::SubViewOp, memref::CastOp, memref::AssumeAlignmentOp,
            memref::ExpandShapeOp, memref::CollapseShapeOp,
            memref::TransposeOp>(user)) {
      FailureOr<MemRefType> inferred = inferType(user, onDecline);
      if (failed(inferred))
        return failure();
      if (failed(setTypes(user->getResult(0), *inferred, onDecline)))
        return failure();
      continue;
    }
    bool isKnown = isa<memref::LoadOp, memref::StoreOp, memref::DimOp>(user) ||
                   isa<linalg::LinalgOp>(user);
    if (!isKnown)
      return decline(onDecline, "an op uses it that is no load or store: `" +
                                    user->getName().getStringRef() + "`");
  }
  return success();
}

/// Why a function has no form in which its arrays may overlap.
static LogicalResult checkForm(func::FuncOp function, DeclineFn onDecline) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  WalkResult result = function.walk([&](Operation *op) {
    if (llvm::any_of(op->getOperandTypes(), isTensor) ||
        llvm::any_of(op->getResultTypes(), isTensor)) {
      (void)decline(onDecline, "it computes with tensors");
      return WalkResult::interrupt();
    }
    bool isLoops = !isa<linalg::LinalgDialect>(op->getDialect()) ||
                   isa<linalg::LinalgOp, linalg::YieldOp, linalg::IndexOp>(op);
    if (!isLoops) {
      (void)decline(onDecline, "an op of it has no loops on memory: `" +
                                   op->getName().getStringRef() + "`");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Makes `function`, a copy, a function of memrefs of any strides, and loops.
static LogicalResult lowerToForm(func::FuncOp function, DeclineFn onDecline) {
  if (failed(checkForm(function, onDecline)))
    return failure();
  IRRewriter rewriter(function.getContext());
  SmallVector<Operation *> ops;
  function.walk([&](ContractOp op) { ops.push_back(op); });
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    (void)cast<ContractOp>(op).generalize(rewriter);
    rewriter.eraseOp(op);
  }
  for (BlockArgument argument : function.getArguments())
    if (auto type = dyn_cast<MemRefType>(argument.getType()))
      if (failed(setTypes(argument, withAnyLayout(type), onDecline)))
        return failure();
  function.setType(rewriter.getFunctionType(function.front().getArgumentTypes(),
                                            function.getResultTypes()));
  SmallVector<linalg::LinalgOp> structured;
  function.walk([&](linalg::LinalgOp op) { structured.push_back(op); });
  for (linalg::LinalgOp op : structured) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return decline(onDecline, "an op of it has no loops");
    rewriter.eraseOp(op);
  }
  return success();
}

/// Whether `signature` has an array that is written, and another one.
static bool canOverlap(func::FuncOp function, const Signature &signature) {
  unsigned numArrays = 0, numWritten = 0;
  for (const Argument &argument : signature.arguments) {
    numArrays += !argument.isScalar();
    numWritten += argument.isWritten();
  }
  return numArrays > 1 && numWritten > 0 && !signature.hasStatus &&
         function.getNumResults() == 0;
}

namespace {
struct KeepWrittenPass : impl::KeepWrittenBase<KeepWrittenPass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(EinDialect::kSignatureAttr))
        functions.push_back(function);
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : functions) {
      FailureOr<Signature> signature = Signature::fromOp(function);
      if (failed(signature))
        return signalPassFailure();
      if (!canOverlap(function, *signature))
        continue;
      func::FuncOp copy = function.clone();
      for (StringRef attr : {StringRef(EinDialect::kSignatureAttr),
                             StringRef(EinDialect::kContiguousAttr)})
        copy->removeAttr(attr);
      copy.removeArgAttrsAttr();
      copy.setPrivate();
      copy.setName((kWrittenPrefix + function.getName()).str());
      auto onDecline = [&](StringRef reason) {
        remark::missed(function.getLoc(),
                       remark::RemarkOpts::name("Overlap").category("raise"))
            << ("arrays that overlap are refused: " + reason).str();
      };
      if (succeeded(lowerToForm(copy, onDecline)))
        symbols.insert(copy);
      else
        copy.erase();
    }
  }
};
} // namespace

} // namespace ein
