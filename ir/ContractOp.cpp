//===- ContractOp.cpp - ein.contract --------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the op means is written once, in `generalize`: raising to it is proved
// against that, and its lowering is that.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace ein {

SmallVector<AffineMap> ContractOp::getIndexingMapsArray() {
  return llvm::to_vector(getIndexingMaps().getAsValueRange<AffineMapAttr>());
}

SmallVector<utils::IteratorType> ContractOp::getIteratorTypesArray() {
  AffineMap output = getIndexingMapsArray()[2];
  SmallVector<utils::IteratorType> types;
  for (unsigned dim = 0, e = output.getNumDims(); dim < e; ++dim)
    types.push_back(output.isFunctionOfDim(dim)
                        ? utils::IteratorType::parallel
                        : utils::IteratorType::reduction);
  return types;
}

void ContractOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand,
                         SideEffects::DefaultResource::get());
    if (operand.getOperandNumber() == 2)
      effects.emplace_back(MemoryEffects::Write::get(), &operand,
                           SideEffects::DefaultResource::get());
  }
}

/// Whether values of the type can be combined so.
static bool isCombinable(vector::CombiningKind kind, Type type) {
  switch (kind) {
  case vector::CombiningKind::ADD:
  case vector::CombiningKind::MUL:
    return type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
  case vector::CombiningKind::MINUI:
  case vector::CombiningKind::MINSI:
  case vector::CombiningKind::MAXUI:
  case vector::CombiningKind::MAXSI:
  case vector::CombiningKind::AND:
  case vector::CombiningKind::OR:
  case vector::CombiningKind::XOR:
    return type.isIntOrIndex();
  case vector::CombiningKind::MINNUMF:
  case vector::CombiningKind::MAXNUMF:
  case vector::CombiningKind::MINIMUMF:
  case vector::CombiningKind::MAXIMUMF:
    return isa<FloatType>(type);
  }
  llvm_unreachable("unknown kind");
}

LogicalResult ContractOp::verify() {
  if (getIndexingMaps().size() != 3)
    return emitOpError("has ")
           << getIndexingMaps().size() << " indexing maps for 3 operands";
  SmallVector<AffineMap> maps = getIndexingMapsArray();
  unsigned numLoops = maps[0].getNumDims();
  SmallVector<int64_t> sizes(numLoops, ShapedType::kDynamic);
  for (auto [position, operand] : llvm::enumerate(getOperands())) {
    AffineMap map = maps[position];
    auto type = cast<ShapedType>(operand.getType());
    if (!isa<RankedTensorType, MemRefType>(type))
      return emitOpError("has operand #")
             << position << " that is neither a ranked tensor nor a memref";
    if (map.getNumDims() != numLoops || map.getNumSymbols() != 0)
      return emitOpError("has indexing map #")
             << position << " over other dims than the first one";
    if (!map.isProjectedPermutation())
      return emitOpError("has indexing map #")
             << position << " that is no projected permutation";
    if (map.getNumResults() != type.getRank())
      return emitOpError("has indexing map #")
             << position << " with " << map.getNumResults()
             << " results for an operand of rank " << type.getRank();
    for (auto [expr, extent] :
         llvm::zip_equal(map.getResults(), type.getShape())) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      if (ShapedType::isDynamic(extent))
        continue;
      if (!ShapedType::isDynamic(sizes[dim]) && extent != sizes[dim])
        return emitOpError("gives dim d")
               << dim << " the extents " << sizes[dim] << " and " << extent;
      sizes[dim] = extent;
    }
  }
  // Sums may be repeated along dims of the output, as upstream's are.
  bool isSum = getKind() == vector::CombiningKind::ADD;
  for (unsigned dim = 0; dim < numLoops; ++dim)
    if (!maps[0].isFunctionOfDim(dim) && !maps[1].isFunctionOfDim(dim) &&
        !(isSum && maps[2].isFunctionOfDim(dim)))
      return emitOpError("has dim d") << dim << " in neither input";

  if (std::optional<ArrayAttr> given = getIteratorTypes()) {
    SmallVector<StringRef> implied = llvm::map_to_vector(
        getIteratorTypesArray(), utils::stringifyIteratorType);
    if (!llvm::equal(given->getAsValueRange<StringAttr>(), implied))
      return emitOpError("has other iterator types than its maps imply");
  }
  Type elementType = getElementTypeOrSelf(getInit().getType());
  if (!isCombinable(getKind(), elementType))
    return emitOpError("cannot combine values of ")
           << elementType << " by `"
           << vector::stringifyCombiningKind(getKind()) << "`";
  for (Value input : {getLhs(), getRhs()}) {
    Type type = getElementTypeOrSelf(input.getType());
    if (type != elementType &&
        !(type.isIntOrFloat() &&
          (elementType.isIntOrFloat() || isa<ComplexType>(elementType))))
      return emitOpError("cannot convert ") << type << " to " << elementType;
  }
  return success();
}

/// Like upstream's contractions: on booleans a product is an and, a sum an or.
static Value multiply(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  Type type = lhs.getType();
  if (isa<ComplexType>(type))
    return complex::MulOp::create(b, loc, lhs, rhs);
  if (isa<FloatType>(type))
    return arith::MulFOp::create(b, loc, lhs, rhs);
  if (type.isInteger(1))
    return arith::AndIOp::create(b, loc, lhs, rhs);
  return arith::MulIOp::create(b, loc, lhs, rhs);
}

static Value combine(OpBuilder &b, Location loc, vector::CombiningKind kind,
                     Value accumulator, Value value) {
  Type type = value.getType();
  if (isa<ComplexType>(type)) {
    if (kind == vector::CombiningKind::MUL)
      return complex::MulOp::create(b, loc, accumulator, value);
    return complex::AddOp::create(b, loc, accumulator, value);
  }
  if (type.isInteger(1) && kind == vector::CombiningKind::ADD)
    kind = vector::CombiningKind::OR;
  if (type.isInteger(1) && kind == vector::CombiningKind::MUL)
    kind = vector::CombiningKind::AND;
  return vector::makeArithReduction(b, loc, kind, accumulator, value);
}

linalg::GenericOp ContractOp::generalize(OpBuilder &b) {
  linalg::TypeFn lhsCast = getCast(), rhsCast = getRhsCast().value_or(lhsCast);
  auto build = [&](OpBuilder &body, Location loc, ValueRange arguments) {
    Type type = arguments[2].getType();
    auto convert = [&](Value value, linalg::TypeFn cast) {
      return convertScalarToDtype(body, loc, value, type,
                                  cast == linalg::TypeFn::cast_unsigned);
    };
    Value lhs = convert(arguments[0], lhsCast),
          rhs = convert(arguments[1], rhsCast);
    Value value = combine(body, loc, getKind(), arguments[2],
                          multiply(body, loc, lhs, rhs));
    linalg::YieldOp::create(body, loc, value);
  };
  return linalg::GenericOp::create(
      b, getLoc(), getOperation()->getResultTypes(),
      ValueRange{getLhs(), getRhs()}, ValueRange{getInit()},
      getIndexingMapsArray(), getIteratorTypesArray(), build);
}

} // namespace ein
