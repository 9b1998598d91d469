//===- CheapestOrder.cpp - Orders chosen from at run time -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/einsum/CheapestOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace ein {

Value emitOperations(RewriterBase &rewriter, Location loc,
                     ArrayRef<StepPoints> steps,
                     ArrayRef<OpFoldResult> extents) {
  Value cost;
  for (const StepPoints &step : steps) {
    Value product;
    for (unsigned label : step.loops.set_bits()) {
      Value size = arith::IndexCastOp::create(
          rewriter, loc, rewriter.getI64Type(),
          getValueOrCreateConstantIndexOp(rewriter, loc, extents[label]));
      size =
          arith::SIToFPOp::create(rewriter, loc, rewriter.getF64Type(), size);
      product =
          product
              ? arith::MulFOp::create(rewriter, loc, product, size).getResult()
              : size;
    }
    if (!product) // of scalars
      product =
          arith::ConstantOp::create(rewriter, loc, rewriter.getF64FloatAttr(1));
    if (step.sums) // as many additions
      product = arith::AddFOp::create(rewriter, loc, product, product);
    cost = cost
               ? arith::AddFOp::create(rewriter, loc, cost, product).getResult()
               : product;
  }
  return cost;
}

static Value emitFrom(RewriterBase &rewriter, Location loc, Type type,
                      ArrayRef<Value> costs,
                      llvm::function_ref<Value(unsigned)> emitOrder,
                      unsigned first) {
  if (costs.size() <= first + 1)
    return emitOrder(first);
  Value least = costs[first + 1];
  for (Value cost : costs.drop_front(first + 2))
    least = arith::MinimumFOp::create(rewriter, loc, least, cost);
  Value isCheapest = arith::CmpFOp::create(
      rewriter, loc, arith::CmpFPredicate::OLE, costs[first], least);
  auto branch = scf::IfOp::create(rewriter, loc, type, isCheapest,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(rewriter, loc, emitOrder(first));
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(
      rewriter, loc,
      emitFrom(rewriter, loc, type, costs, emitOrder, first + 1));
  return branch.getResult(0);
}

Value emitCheapest(RewriterBase &rewriter, Location loc, Type type,
                   ArrayRef<Value> costs,
                   llvm::function_ref<Value(unsigned)> emitOrder) {
  return emitFrom(rewriter, loc, type, costs, emitOrder, /*first=*/0);
}

} // namespace ein
