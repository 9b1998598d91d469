//===- MoveHalfFloats.cpp - Half-precision numbers as 16 bits -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With conversions expanded, a number in bf16 is only loaded, chosen and
// stored. LLVM chooses between two of them in f32, if the machine has no
// registers of bf16, and calls the compiler's runtime library to convert the
// result back (`__truncsfbf2`). It also makes such choices of choices between
// integers, and negations of what flips a bit. So the values become integers of
// 16 bits, which they are in memory. What multiplies them, an intrinsic, gets
// the type that it has.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/llvm/math/Passes.h"

namespace ein {
#define GEN_PASS_DEF_MOVEHALFFLOATS
#include "passes/llvm/math/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

struct MoveHalfFloatsPass : impl::MoveHalfFloatsBase<MoveHalfFloatsPass> {
  using MoveHalfFloatsBase::MoveHalfFloatsBase;
  void runOnOperation() override;

private:
  bool isHalf(Type type) {
    return type.isBF16() || (type.isF16() && !onlyBFloat16);
  }
  void addReplacements(AttrTypeReplacer &replacer);
};

} // namespace

void MoveHalfFloatsPass::addReplacements(AttrTypeReplacer &replacer) {
  Type bits = IntegerType::get(&getContext(), 16);
  replacer.addReplacement([this, bits](FloatType type) -> std::optional<Type> {
    return isHalf(type) ? std::optional(bits) : std::nullopt;
  });
  using Replaced = std::optional<std::pair<Attribute, WalkResult>>;
  replacer.addReplacement([this, bits](FloatAttr number) -> Replaced {
    if (!isHalf(number.getType()))
      return std::nullopt;
    return {{IntegerAttr::get(bits, number.getValue().bitcastToAPInt()),
             WalkResult::skip()}};
  });
  replacer.addReplacement([this, bits](DenseElementsAttr numbers) -> Replaced {
    if (!isHalf(numbers.getElementType()))
      return std::nullopt;
    return {{numbers.bitcast(bits), WalkResult::skip()}};
  });
}

/// What is defined elsewhere is called with the types that it has.
static void keepTypes(LLVM::CallOp call, LLVM::LLVMFunctionType type) {
  OpBuilder b(call);
  for (auto [operand, wanted] :
       llvm::zip(call->getOpOperands(), type.getParams()))
    if (operand.get().getType() != wanted)
      operand.set(
          LLVM::BitcastOp::create(b, call.getLoc(), wanted, operand.get()));
}

void MoveHalfFloatsPass::runOnOperation() {
  AttrTypeReplacer replacer;
  addReplacements(replacer);
  SmallVector<std::pair<LLVM::CallOp, LLVM::LLVMFunctionType>> calls;
  SmallVector<std::pair<OpOperand *, Type>> factors;
  SmallVector<std::pair<OpResult, Type>> rounded;
  SymbolTableCollection symbols;
  getOperation()->walk([&](LLVM::CallIntrinsicOp op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isHalf(getElementTypeOrSelf(operand.get().getType())))
        factors.emplace_back(&operand, operand.get().getType());
    for (OpResult result : op->getResults())
      if (isHalf(getElementTypeOrSelf(result.getType())))
        rounded.emplace_back(result, result.getType());
  });
  getOperation()->walk([&](Operation *op) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (function && function.isExternal())
      return;
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (call && call.getCalleeAttr()) { // none is called by its address
      auto callee = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
          call, call.getCalleeAttr());
      if (callee && callee.isExternal()) {
        calls.emplace_back(call, callee.getFunctionType());
        return;
      }
    }
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true,
                               /*replaceLocs=*/false, /*replaceTypes=*/true);
  });
  for (auto [factor, type] : factors) {
    OpBuilder b(factor->getOwner());
    factor->set(LLVM::BitcastOp::create(b, factor->getOwner()->getLoc(), type,
                                        factor->get()));
  }
  // What they give has the intrinsic's type as well.
  for (auto [result, type] : rounded) {
    OpBuilder b(result.getContext());
    b.setInsertionPointAfterValue(result);
    auto bits =
        LLVM::BitcastOp::create(b, result.getLoc(), result.getType(), result);
    result.replaceAllUsesExcept(bits, bits);
    result.setType(type);
  }
  for (auto [call, type] : calls) {
    keepTypes(call, type);
    if (call->getNumResults() == 0 || !isHalf(call.getResult().getType()))
      continue;
    OpBuilder b(call->getContext());
    b.setInsertionPointAfter(call);
    auto result = LLVM::BitcastOp::create(b, call.getLoc(), b.getI16Type(),
                                          call.getResult());
    call.getResult().replaceAllUsesExcept(result, result);
  }
  getOperation()->walk([](LLVM::BitcastOp op) {
    if (op.getType() != op.getArg().getType())
      return;
    op.replaceAllUsesWith(op.getArg());
    op.erase();
  });
}

} // namespace ein
