//===- OnlineReduceOp.cpp - Reductions relative to a running value --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace ein {

void YieldOp::build(OpBuilder &, OperationState &) {}

static SmallVector<Type> getBlockTypesOf(ValueRange inputs,
                                         ArrayRef<int64_t> axes) {
  SmallVector<Type> types;
  for (auto [input, axis] : llvm::zip_equal(inputs, axes)) {
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = ShapedType::kDynamic;
    types.push_back(RankedTensorType::get(shape, type.getElementType()));
  }
  return types;
}

SmallVector<Type> OnlineReduceOp::getBlockTypes() {
  return getBlockTypesOf(getInputs(), getAxes());
}

namespace {

/// The types that each region takes.
struct ArgumentTypes {
  ArgumentTypes(ArrayRef<Type> blocks, TypeRange running, TypeRange extras,
                TypeRange accumulators, MLIRContext *context) {
    Type index = IndexType::get(context);
    llvm::append_range(init, running);
    llvm::append_range(init, accumulators);
    advance.push_back(index);
    llvm::append_range(advance, blocks);
    llvm::append_range(advance, running);
    llvm::append_range(rescale, running);
    llvm::append_range(rescale, running);
    llvm::append_range(rescale, accumulators);
    combine = advance;
    llvm::append_range(combine, extras);
    llvm::append_range(combine, accumulators);
  }
  SmallVector<Type> init, advance, rescale, combine;
};

} // namespace

void OnlineReduceOp::build(OpBuilder &b, OperationState &state,
                           ValueRange inputs, ArrayRef<int64_t> axes,
                           Value first, ValueRange running,
                           ValueRange accumulators,
                           std::optional<int64_t> step) {
  state.addOperands(inputs);
  state.addOperands(running);
  state.addOperands(accumulators);
  if (first)
    state.addOperands(first);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.setAxes(b.getDenseI64ArrayAttr(axes));
  if (step)
    properties.setStep(b.getI64IntegerAttr(*step));
  llvm::copy(
      ArrayRef<int32_t>({int32_t(inputs.size()), int32_t(running.size()),
                         int32_t(accumulators.size()), int32_t(first ? 1 : 0)}),
      properties.operandSegmentSizes.begin());
  state.addTypes(running.getTypes());
  state.addTypes(accumulators.getTypes());
  OpBuilder::InsertionGuard guard(b);
  ArgumentTypes types(getBlockTypesOf(inputs, axes), running.getTypes(), {},
                      accumulators.getTypes(), b.getContext());
  for (ArrayRef<Type> arguments :
       {ArrayRef<Type>(types.init), ArrayRef<Type>(types.advance),
        ArrayRef<Type>(types.rescale), ArrayRef<Type>(types.combine)})
    b.createBlock(state.addRegion(), {}, arguments,
                  SmallVector<Location>(arguments.size(), state.location));
}

LogicalResult OnlineReduceOp::verify() {
  if (getInputs().empty() || getAxes().size() != getInputs().size())
    return emitOpError("has ") << getAxes().size() << " axes for "
                               << getInputs().size() << " inputs";
  if (getRunning().empty())
    return emitOpError("has no running value");
  if (int64_t step = getStep().value_or(1); step < 1)
    return emitOpError("has blocks of ") << step;
  int64_t extent = ShapedType::kDynamic;
  for (auto [number, input] : llvm::enumerate(getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    int64_t axis = getAxes()[number];
    if (axis < 0 || axis >= type.getRank())
      return emitOpError("has input #")
             << number << " of rank " << type.getRank() << " along " << axis;
    int64_t own = type.getDimSize(axis);
    if (ShapedType::isDynamic(own))
      continue;
    if (!ShapedType::isDynamic(extent) && own != extent)
      return emitOpError("is along ")
             << extent << " elements and along " << own;
    extent = own;
  }
  return success();
}

LogicalResult OnlineReduceOp::verifyRegions() {
  auto getYielded = [](Region &region) {
    return region.front().getTerminator()->getOperandTypes();
  };
  TypeRange running = getRunning().getTypes(),
            accumulators = getAccumulators().getTypes();
  TypeRange advanced = getYielded(getAdvance());
  // These come behind the running values, if there are as many.
  TypeRange extras =
      advanced.drop_front(std::min(advanced.size(), running.size()));
  ArgumentTypes types(getBlockTypes(), running, extras, accumulators,
                      getContext());
  auto check = [&](Region &region, StringRef name, ArrayRef<Type> taken,
                   TypeRange yielded, TypeRange wanted) -> LogicalResult {
    if (region.getArgumentTypes() != TypeRange(taken)) {
      InFlightDiagnostic error = emitOpError("has a region `") << name;
      return error << "` that does not take " << taken;
    }
    if (yielded != wanted) {
      InFlightDiagnostic error = emitOpError("has a region `") << name;
      return error << "` that does not yield " << wanted;
    }
    return success();
  };
  if (failed(check(getInit(), "init", types.init, getYielded(getInit()),
                   types.init)) ||
      failed(check(getAdvance(), "advance", types.advance,
                   advanced.take_front(running.size()), running)) ||
      failed(check(getRescale(), "rescale", types.rescale,
                   getYielded(getRescale()), accumulators)))
    return failure();
  return check(getCombine(), "combine", types.combine, getYielded(getCombine()),
               accumulators);
}

} // namespace ein
