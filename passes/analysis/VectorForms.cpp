//===- VectorForms.cpp - What vectors can compute -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/VectorForms.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ein {

bool hasFormula(Operation *op) {
  constexpr unsigned kDouble = 64;
  return isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp,
             math::Log2Op, math::Log10Op, math::Log1pOp, math::PowFOp,
             math::CbrtOp, math::SinhOp, math::CoshOp, math::TanhOp,
             math::ErfOp, math::ErfcOp, math::SinOp, math::CosOp, math::TanOp,
             math::AsinOp, math::AcosOp, math::AtanOp, math::Atan2Op, LogSumOp>(
             op) &&
         getElementTypeOrSelf(op->getResult(0)).getIntOrFloatBitWidth() <=
             kDouble;
}

bool isCheapMath(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp,
             math::TruncOp, math::RoundEvenOp, math::CopySignOp, math::FmaOp>(
      op);
}

bool choosesFloat(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::NegFOp,
             arith::SelectOp, math::AbsFOp, math::CopySignOp>(op);
}

bool hasVectorForm(Operation *op) {
  return isa<arith::ArithDialect>(op->getDialect()) || isCheapMath(op) ||
         isa<math::SqrtOp, math::RsqrtOp>(op) || hasFormula(op);
}

} // namespace ein
