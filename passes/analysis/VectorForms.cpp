//===- VectorForms.cpp - What vectors can compute -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/VectorForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ein {

bool hasFormula(Operation *op) {
  constexpr unsigned kSingle = 32;
  return isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp,
             math::Log2Op, math::Log10Op, math::Log1pOp, math::TanhOp,
             math::ErfOp, math::ErfcOp, math::SinOp, math::CosOp, math::PowFOp>(
             op) &&
         getElementTypeOrSelf(op->getResult(0)).getIntOrFloatBitWidth() <=
             kSingle;
}

bool hasVectorForm(Operation *op) {
  return isa<arith::ArithDialect>(op->getDialect()) ||
         isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp,
             math::TruncOp, math::RoundEvenOp, math::CopySignOp, math::FmaOp,
             math::SqrtOp, math::RsqrtOp>(op) ||
         hasFormula(op);
}

} // namespace ein
