//===- FindFirst.cpp - Where a condition holds first ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/vector/FindFirst.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/analysis/VectorBody.h"

using namespace mlir;

namespace ein {

static Value add(ImplicitLocOpBuilder &b, Value index, int64_t number) {
  if (number == 0)
    return index;
  return arith::AddIOp::create(b, index,
                               arith::ConstantIndexOp::create(b, number));
}

/// Where complete steps from `begin` to before `end` stop, or the one before
/// which something is found.
static Value createSteps(ImplicitLocOpBuilder &b, Value begin, Value end,
                         int64_t lanes, int64_t vectors,
                         ConditionFn condition) {
  int64_t step = vectors * lanes;
  auto isElsewhere = [&](Value at) -> Value {
    Value hits = condition(at, lanes, {});
    for (int64_t i = 1; i < vectors; ++i)
      hits = arith::OrIOp::create(b, hits,
                                  condition(add(b, at, i * lanes), lanes, {}));
    Value hit = vector::ReductionOp::create(b, vector::CombiningKind::OR, hits);
    Value always = arith::ConstantOp::create(b, b.getBoolAttr(true));
    return arith::XOrIOp::create(b, hit, always);
  };
  auto loop = scf::WhileOp::create(
      b, TypeRange(begin.getType()), begin,
      [&](OpBuilder &inside, Location loc, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inside.getInsertionBlock());
        Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::sle,
                                           add(b, at[0], step), end);
        auto goesOn = scf::IfOp::create(b, TypeRange(b.getI1Type()), fits,
                                        /*withElseRegion=*/true);
        b.setInsertionPointToStart(goesOn.thenBlock());
        scf::YieldOp::create(b, isElsewhere(at[0]));
        b.setInsertionPointToStart(goesOn.elseBlock());
        Value never = arith::ConstantOp::create(b, b.getBoolAttr(false));
        scf::YieldOp::create(b, never);
        b.setInsertionPointAfter(goesOn);
        scf::ConditionOp::create(b, goesOn.getResult(0), at);
      },
      [&](OpBuilder &inside, Location loc, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inside.getInsertionBlock());
        scf::YieldOp::create(b, add(b, at[0], step));
      });
  return loop.getResult(0);
}

/// The index of the first of `hits`, which begin at `at`; `none` if there is
/// none.
static Value getFirst(ImplicitLocOpBuilder &b, Value hits, Value at,
                      Value none) {
  int64_t lanes = cast<VectorType>(hits.getType()).getNumElements();
  if (lanes == 1)
    return arith::SelectOp::create(
        b, vector::ExtractOp::create(b, hits, int64_t(0)), at, none);
  Type type = b.getIntegerType(lanes);
  Value bits = vector::ExtractOp::create(
      b, vector::BitCastOp::create(b, VectorType::get({1}, type), hits),
      int64_t(0));
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  Value isHit = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bits, zero);
  if (lanes < 64)
    bits = arith::ExtUIOp::create(b, b.getI64Type(), bits);
  Value lane = arith::IndexCastOp::create(
      b, b.getIndexType(), math::CountTrailingZerosOp::create(b, bits));
  return arith::SelectOp::create(b, isHit, arith::AddIOp::create(b, at, lane),
                                 none);
}

Value createFindFirst(ImplicitLocOpBuilder &b, Value begin, Value end,
                      int64_t lanes, int64_t vectors, bool isMasked,
                      ConditionFn condition) {
  Value at = createSteps(b, begin, end, lanes, vectors, condition);
  Value stop = arith::MinSIOp::create(b, add(b, at, vectors * lanes), end);
  auto look = [&](Value from, Value to, int64_t count, Value found) -> Value {
    return scf::ForOp::create(
               b, from, to, arith::ConstantIndexOp::create(b, count), found,
               [&](OpBuilder &inside, Location, Value iv, ValueRange carried) {
                 OpBuilder::InsertionGuard guard(b);
                 b.setInsertionPointToEnd(inside.getInsertionBlock());
                 Value mask;
                 if (isMasked)
                   mask = createLaneMask(b, count,
                                         arith::SubIOp::create(b, to, iv));
                 Value hits = condition(iv, count, mask);
                 if (mask)
                   hits = arith::AndIOp::create(b, hits, mask);
                 Value first = getFirst(b, hits, iv, end);
                 scf::YieldOp::create(
                     b,
                     arith::MinSIOp::create(b, carried[0], first).getResult());
               })
        .getResult(0);
  };
  if (isMasked)
    return look(at, stop, lanes, end);
  Value size = arith::ConstantIndexOp::create(b, lanes);
  Value whole = arith::MulIOp::create(
      b, arith::DivSIOp::create(b, arith::SubIOp::create(b, stop, at), size),
      size);
  Value middle = arith::AddIOp::create(b, at, whole);
  return look(middle, stop, 1, look(at, middle, lanes, end));
}

} // namespace ein
