//===- ExpandComplex.cpp - Functions of complex numbers as real ones ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It runs before anything is decided about an op, while bodies are of numbers:
// functions of the parts are then known when vectors are chosen, and vectors of
// parts compute them as any others. Upstream's conversion takes what is left,
// sums, products and comparisons; its roots and logarithms lose digits that
// these keep.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/llvm/math/ComplexFormulas.h"
#include "passes/llvm/math/Passes.h"
#include "passes/llvm/math/WideFormulas.h"
#include "passes/schedule/MachineAttrs.h"

namespace ein {
#define GEN_PASS_DEF_EXPANDCOMPLEX
#include "passes/llvm/math/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether there is a formula for `op`.
static bool isFunction(Operation *op) {
  if (!isa<complex::AbsOp, complex::AngleOp, complex::DivOp, complex::ExpOp,
           complex::LogOp, complex::SqrtOp, complex::PowOp>(op))
    return false;
  auto type = cast<ComplexType>(op->getOperand(0).getType());
  return type.getElementType().isF32() || type.getElementType().isF64();
}

static FormulaComplex takeApart(ImplicitLocOpBuilder &b, Value number) {
  return {{b, complex::ReOp::create(b, number)},
          {b, complex::ImOp::create(b, number)}};
}

static Value expand(ImplicitLocOpBuilder &b, Operation *op,
                    const VectorInstructions &instructions, bool hasRare) {
  FormulaComplex z = takeApart(b, op->getOperand(0));
  if (isa<complex::AbsOp>(op))
    return getMagnitude(z, hasRare).getValue();
  if (isa<complex::AngleOp>(op))
    return getArgument(z).getValue();
  auto compute = [&]() -> FormulaComplex {
    if (isa<complex::ExpOp>(op))
      return getExp(z, hasRare);
    if (isa<complex::LogOp>(op))
      return getLog(instructions, z, hasRare);
    if (isa<complex::SqrtOp>(op))
      return getSqrt(instructions, z, hasRare);
    FormulaComplex w = takeApart(b, op->getOperand(1));
    return isa<complex::PowOp>(op) ? getPower(instructions, z, w, hasRare)
                                   : getQuotient(z, w, hasRare);
  };
  FormulaComplex result = compute();
  return complex::CreateOp::create(b, op->getResult(0).getType(),
                                   result.re.getValue(), result.im.getValue());
}

namespace {
struct ExpandComplexPass : impl::ExpandComplexBase<ExpandComplexPass> {
  using ExpandComplexBase::ExpandComplexBase;
  /// Without branches, and without what makes them, nothing else expands what
  /// an earlier run has left.
  void expandUsual() {
    SmallVector<LogSumOp> logs;
    getOperation().walk([&](Operation *op) {
      if (auto select = dyn_cast<arith::SelectOp>(op))
        select->removeDiscardableAttr(EinDialect::kSeldomAttr);
      else if (auto log = dyn_cast<LogSumOp>(op))
        logs.push_back(log);
    });
    IRRewriter rewriter(&getContext());
    for (LogSumOp op : logs) {
      rewriter.setInsertionPoint(op);
      ImplicitLocOpBuilder b(op.getLoc(), rewriter);
      FormulaPair sum = {{b, op.getHigh()}, {b, op.getLow()}};
      rewriter.replaceOp(op, emitUsualLog({}, sum).getValue());
    }
  }
  void runOnOperation() override {
    VectorInstructions instructions = getInstructions(getOperation());
    instructions.fma |= fma;
    instructions.avx512 |= rootEstimates;
    if (!rare)
      expandUsual();
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isFunction(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      ImplicitLocOpBuilder b(op->getLoc(), rewriter);
      rewriter.replaceOp(op, expand(b, op, instructions, rare));
    }
  }
};
} // namespace
} // namespace ein
