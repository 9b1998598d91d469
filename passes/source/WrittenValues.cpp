//===- WrittenValues.cpp - Values beside arrays that may overlap ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is what it was when it was read, whatever is written afterwards. So
// where arrays may overlap it is in memory of its own, from one copy to
// another, and upstream's analysis, which knows of no overlaps, decides for
// that memory only. Ops that combine others, such as a softmax, read all of
// their operands before they write: they are computed with values.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/Aggregates.h"
#include "passes/source/MemrefRoots.h"
#include "passes/source/WrittenForm.h"

using namespace mlir;

namespace ein {

namespace {
class ValueLowering {
public:
  ValueLowering(RewriterBase &rewriter, func::FuncOp function)
      : rewriter(rewriter), function(function) {}

  LogicalResult run(DeclineFn onDecline);

private:
  Value readAll(Location loc, Value memref, Type type);
  void writeAll(Location loc, Value value, Value memref);
  void lowerInterface();
  LogicalResult lowerAggregate(Operation *op);

  RewriterBase &rewriter;
  func::FuncOp function;
};
} // namespace

/// What `memref` holds, in memory that nothing else knows of.
Value ValueLowering::readAll(Location loc, Value memref, Type type) {
  auto from = cast<MemRefType>(memref.getType());
  SmallVector<Value> sizes;
  for (auto [dim, size] : llvm::enumerate(from.getShape()))
    if (ShapedType::isDynamic(size))
      sizes.push_back(memref::DimOp::create(rewriter, loc, memref, dim));
  Value memory = memref::AllocOp::create(
      rewriter, loc, MemRefType::get(from.getShape(), from.getElementType()),
      sizes);
  linalg::makeMemRefCopyOp(rewriter, loc, memref, memory);
  return bufferization::ToTensorOp::create(rewriter, loc, type, memory,
                                           /*restrict=*/true,
                                           /*writable=*/true);
}

void ValueLowering::writeAll(Location loc, Value value, Value memref) {
  auto tensor = cast<RankedTensorType>(value.getType());
  Value memory = bufferization::ToBufferOp::create(
      rewriter, loc,
      MemRefType::get(tensor.getShape(), tensor.getElementType()), value,
      /*readOnly=*/true);
  linalg::makeMemRefCopyOp(rewriter, loc, memory, memref);
}

/// Arguments that are tensors are read as the function begins, and results are
/// written where it ends, one after the other.
void ValueLowering::lowerInterface() {
  Block &body = function.front();
  Location loc = function.getLoc();
  auto terminator = cast<func::ReturnOp>(body.getTerminator());
  SmallVector<Value> destinations;
  rewriter.setInsertionPointToStart(&body);
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    bool isResult = false;
    if (BoolAttr writable = function.getArgAttrOfType<BoolAttr>(
            argument.getArgNumber(),
            bufferization::BufferizationDialect::kWritableAttrName))
      isResult = writable.getValue();
    SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
    MemRefLayoutAttrInterface layout;
    if (type.getRank() > 0)
      layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic,
                                      strides);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : argument.getUses())
      uses.push_back(&use);
    argument.setType(
        MemRefType::get(type.getShape(), type.getElementType(), layout));
    if (isResult)
      destinations.push_back(argument);
    if (uses.empty())
      continue;
    Value value = readAll(loc, argument, type);
    for (OpOperand *use : uses)
      use->set(value);
  }
  rewriter.setInsertionPoint(terminator);
  for (auto [result, destination] :
       llvm::zip_equal(terminator.getOperands(), destinations))
    writeAll(loc, result, destination);
  terminator->setOperands({});
  function.removeArgAttrsAttr();
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(), TypeRange()));
}

LogicalResult ValueLowering::lowerAggregate(Operation *op) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  SmallVector<Type> types;
  auto style = cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto memref = dyn_cast<MemRefType>(operand.get().getType());
    if (!memref) {
      operands.push_back(operand.get());
      continue;
    }
    Type type =
        RankedTensorType::get(memref.getShape(), memref.getElementType());
    operands.push_back(readAll(op->getLoc(), operand.get(), type));
    if (style.isDpsInit(&operand))
      types.push_back(type);
  }
  Operation *computed = mlir::clone(rewriter, op, types, operands);
  for (auto [result, init] :
       llvm::zip_equal(computed->getResults(), style.getDpsInits()))
    writeAll(op->getLoc(), result, init);
  rewriter.eraseOp(op);
  return decomposeAggregate(rewriter, computed);
}

LogicalResult ValueLowering::run(DeclineFn onDecline) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  lowerInterface();
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (isAggregate(op) && isStructuredOnMemrefs(op)) {
      StringRef name = op->getName().getStringRef();
      if (failed(lowerAggregate(op)))
        return decline(onDecline, "an op of it has no loops: `" + name + "`");
    } else if (auto read = dyn_cast<bufferization::ToTensorOp>(op)) {
      rewriter.replaceOp(
          op, readAll(op->getLoc(), read.getBuffer(), read.getType()));
    } else if (auto write =
                   dyn_cast<bufferization::MaterializeInDestinationOp>(op);
               write && isa<MemRefType>(write.getDest().getType())) {
      writeAll(op->getLoc(), write.getSource(), write.getDest());
      rewriter.eraseOp(op);
    }
  }
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  auto hasValues = [&] {
    return function
        .walk([&](Operation *op) {
          return llvm::any_of(op->getOperandTypes(), isTensor) ||
                         llvm::any_of(op->getResultTypes(), isTensor)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  };
  if (!hasValues())
    return success();
  bufferization::OneShotBufferizationOptions options;
  options.allowUnknownOps = true;
  options.memCpyFn = [](OpBuilder &b, Location loc, Value from, Value to) {
    linalg::makeMemRefCopyOp(b, loc, from, to);
    return success();
  };
  bufferization::BufferizationState state;
  if (failed(bufferization::runOneShotBufferize(function, options, state)) ||
      hasValues())
    return decline(onDecline, "it computes with tensors that have no memory");
  return success();
}

LogicalResult lowerValues(RewriterBase &rewriter, func::FuncOp function,
                          DeclineFn onDecline) {
  return ValueLowering(rewriter, function).run(onDecline);
}

} // namespace ein
