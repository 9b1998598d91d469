//===- EmitOverlapChecks.cpp - Views that share elements ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No array that is written may share an element with another one, nor two of
// its own elements a place, unless the kernel has a form for that which a user
// wrote. Whether views do is a search over their strides (ViewOverlap.mlir);
// that they lie apart as wholes, as they nearly always do, is a few comparisons
// of what the entry knows.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "passes/llvm/entry/ViewEmitter.h"

using namespace mlir;

namespace ein {

/// The views as they are, which is how the written form takes them.
SmallVector<Value> ViewEmitter::getWrittenOperands(GetView getView) {
  SmallVector<Value> operands;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    View view = getView(i);
    operands.push_back(view.data);
    if (argument.isScalar())
      continue;
    operands.append({view.data, constant(0)});
    llvm::append_range(operands, emitAffines(argument.dims));
    for (int64_t d = 0, rank = getRank(i); d < rank; ++d)
      operands.push_back(load(view.strides, d, b.getI64Type()));
  }
  return operands;
}

/// Whether the arrays are contiguous that have to be in the written form; null
/// if it asks for none.
Value ViewEmitter::emitHasWrittenForm(GetView getView) {
  LLVM::LLVMFuncOp written = lookupWritten(kernel, name);
  auto positions = written ? written->getAttrOfType<DenseI64ArrayAttr>(
                                 EinDialect::kContiguousAttr)
                           : DenseI64ArrayAttr();
  Value result;
  if (!positions)
    return result;
  Value yes = LLVM::ConstantOp::create(b, b.getI1Type(), b.getBoolAttr(true));
  for (int64_t i : positions.asArrayRef()) {
    if (getRank(i) == 0)
      continue;
    Value isContiguous = LLVM::XOrOp::create(
        b, hasOtherStrides(getView(i), getRowMajorStrides(i)), yes);
    result = result ? LLVM::AndOp::create(b, result, isContiguous).getResult()
                    : isContiguous;
  }
  return result;
}

void ViewEmitter::emitOverlapChecks(ArrayRef<View> views) {
  Value yes = LLVM::ConstantOp::create(b, b.getI1Type(), b.getBoolAttr(true));
  auto getView = [&](size_t i) { return views[i]; };
  Value hasForm;
  auto refuse = [&](Value overlaps) {
    Value isApart = LLVM::XOrOp::create(b, overlaps, yes);
    if (hasForm)
      emitCheck(LLVM::OrOp::create(b, isApart, hasForm),
                runtime::Code::Overlap);
    emitOverlapCheck(isApart, [&] { return getWrittenOperands(getView); });
  };
  auto width = [&](size_t i) {
    return constant(getByteWidth(signature.arguments[i]));
  };
  // Nearly always a written array's strides nest, and it lies apart from the
  // others as a whole. The helpers ask the same before they search, but they
  // are loops that know neither ranks nor extents: that was 24 of the 96 ns
  // that a product of 16 by 16 takes.
  SmallVector<std::optional<Reach>> reaches(views.size());
  auto getReach = [&](size_t i) {
    if (!reaches[i])
      reaches[i] = emitReach(i, views[i]);
    return *reaches[i];
  };
  for (size_t i = 0; i < views.size(); ++i) {
    if (!signature.arguments[i].isWritten() || !isArray(i))
      continue;
    Reach own = getReach(i);
    Value isPlain = own.nests;
    SmallVector<size_t> others;
    for (size_t j = 0; j < views.size(); ++j)
      if (isArray(j) && j != i &&
          (j > i || !signature.arguments[j].isWritten()))
        others.push_back(j);
    for (size_t j : others) {
      Reach other = getReach(j);
      Value isApart = LLVM::OrOp::create(
          b, compare(LLVM::ICmpPredicate::ule, own.end, other.low),
          compare(LLVM::ICmpPredicate::ule, other.end, own.low));
      isPlain = LLVM::AndOp::create(b, isPlain, isApart);
    }
    emitUnlessLikely(isPlain, [&] {
      hasForm = emitHasWrittenForm(getView);
      if (getRank(i) > 0)
        refuse(callHelper("__ein_overlaps_itself",
                          {views[i].sizes, views[i].strides,
                           constant(getRank(i)), width(i)}));
      for (size_t j : others)
        refuse(callHelper("__ein_overlap",
                          {views[i].data, views[i].sizes, views[i].strides,
                           constant(getRank(i)), width(i), views[j].data,
                           views[j].sizes, views[j].strides,
                           constant(getRank(j)), width(j)}));
    });
  }
}

/// An array's addresses, and whether its strides nest: each is at least what
/// the dims behind it span. Extents are what the sizes make them.
ViewEmitter::Reach ViewEmitter::emitReach(size_t argument, const View &view) {
  Value zero = constant(0);
  Value width = constant(getByteWidth(signature.arguments[argument]));
  Value low = LLVM::PtrToIntOp::create(b, b.getI64Type(), view.data);
  Value high = low, nests = constantBit(true), span = width;
  SmallVector<Value> extents = emitAffines(signature.arguments[argument].dims);
  for (size_t d = extents.size(); d-- > 0;) {
    Value stride = load(view.strides, d, b.getI64Type());
    Value bytes = LLVM::MulOp::create(b, stride, width);
    Value steps = LLVM::SubOp::create(b, extents[d], constant(1));
    Value along = LLVM::MulOp::create(b, bytes, steps);
    low = LLVM::AddOp::create(b, low, LLVM::SMinOp::create(b, along, zero));
    high = LLVM::AddOp::create(b, high, LLVM::SMaxOp::create(b, along, zero));
    if (!signature.arguments[argument].isWritten())
      continue;
    Value length =
        LLVM::SMaxOp::create(b, bytes, LLVM::SubOp::create(b, zero, bytes));
    Value isGood =
        LLVM::OrOp::create(b, compare(LLVM::ICmpPredicate::sle, steps, zero),
                           compare(LLVM::ICmpPredicate::sge, length, span));
    nests = LLVM::AndOp::create(b, nests, isGood);
    Value most = LLVM::SMaxOp::create(b, steps, zero);
    span = LLVM::AddOp::create(b, span, LLVM::MulOp::create(b, length, most));
  }
  return {low, LLVM::AddOp::create(b, high, width), nests};
}

} // namespace ein
