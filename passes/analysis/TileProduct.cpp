//===- TileProduct.cpp - What a register tile multiplies ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/TileProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ein {

linalg::LinalgOp createTileProduct(OpBuilder &b, Location loc,
                                   const TileProduct &product,
                                   ValueRange inputs, Value tile,
                                   ArrayRef<AffineMap> maps) {
  if (product.offset == 0)
    return createContraction(b, loc, product.kind, TypeRange(tile.getType()),
                             inputs, tile, maps);
  auto extend = [&](OpBuilder &body, Value value, unsigned input, Type type) {
    return convertScalarToDtype(body, loc, value, type,
                                product.kind.getCast(input) ==
                                    linalg::TypeFn::cast_unsigned);
  };
  SmallVector<utils::IteratorType> iterators;
  for (unsigned dim = 0, e = maps[2].getNumDims(); dim < e; ++dim)
    iterators.push_back(maps[2].isFunctionOfDim(dim)
                            ? utils::IteratorType::parallel
                            : utils::IteratorType::reduction);
  return linalg::GenericOp::create(
      b, loc, TypeRange(tile.getType()), inputs, ValueRange(tile), maps,
      iterators, [&](OpBuilder &body, Location, ValueRange arguments) {
        Type type = arguments[2].getType();
        Value offset = arith::ConstantOp::create(
            body, loc, body.getIntegerAttr(type, product.offset));
        Value lhs = arith::AddIOp::create(
            body, loc, extend(body, arguments[0], 0, type), offset);
        Value rhs = extend(body, arguments[1], 1, type);
        Value value = arith::MulIOp::create(body, loc, lhs, rhs);
        Value sum = arith::AddIOp::create(body, loc, arguments[2], value);
        linalg::YieldOp::create(body, loc, sum);
      });
}

/// How `value` extends `argument`, if it does.
static std::optional<linalg::TypeFn> matchExtension(Value value,
                                                    BlockArgument argument) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op) ||
      op->getOperand(0) != argument)
    return std::nullopt;
  return isa<arith::ExtSIOp>(op) ? linalg::TypeFn::cast_signed
                                 : linalg::TypeFn::cast_unsigned;
}

std::optional<TileProduct> matchTileProduct(linalg::LinalgOp op) {
  if (std::optional<ContractionKind> kind = getContractionKind(op))
    return TileProduct{*kind, 0};
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || generic.getNumDpsInputs() != 2 ||
      generic.getNumDpsInits() != 1)
    return std::nullopt;
  Block *body = generic.getBody();
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddIOp>();
  if (!sum || sum.getLhs() != body->getArgument(2))
    return std::nullopt;
  auto product = sum.getRhs().getDefiningOp<arith::MulIOp>();
  auto moved = product ? product.getLhs().getDefiningOp<arith::AddIOp>()
                       : arith::AddIOp();
  APInt offset;
  if (!moved || !matchPattern(moved.getRhs(), m_ConstantInt(&offset)))
    return std::nullopt;
  std::optional<linalg::TypeFn> lhs = matchExtension(moved.getLhs(),
                                                     body->getArgument(0)),
                                rhs = matchExtension(product.getRhs(),
                                                     body->getArgument(1));
  if (!lhs || !rhs)
    return std::nullopt;
  return TileProduct{{vector::CombiningKind::ADD, *lhs, *rhs},
                     offset.getSExtValue()};
}

} // namespace ein
