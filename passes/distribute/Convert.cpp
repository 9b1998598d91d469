//===- Convert.cpp - Maps, types and constants of the text ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/distribute/Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ein {

std::optional<runtime::Subscript> getSubscript(AffineExpr expr) {
  runtime::Subscript subscript;
  auto addTerm = [&](AffineExpr term) {
    int64_t coefficient = 1;
    if (auto constant = dyn_cast<AffineConstantExpr>(term)) {
      subscript.constant += constant.getValue();
      return true;
    }
    if (auto product = dyn_cast<AffineBinaryOpExpr>(term);
        product && product.getKind() == AffineExprKind::Mul) {
      auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
      if (!factor)
        return false;
      coefficient = factor.getValue();
      term = product.getLHS();
    }
    auto dim = dyn_cast<AffineDimExpr>(term);
    if (!dim || coefficient <= 0)
      return false;
    for (auto &[loop, other] : subscript.terms)
      if (loop == dim.getPosition()) {
        other += coefficient;
        return true;
      }
    subscript.terms.push_back({dim.getPosition(), coefficient});
    return true;
  };
  while (auto sum = dyn_cast<AffineBinaryOpExpr>(expr)) {
    if (sum.getKind() != AffineExprKind::Add)
      break;
    if (!addTerm(sum.getRHS()))
      return std::nullopt;
    expr = sum.getLHS();
  }
  if (!addTerm(expr) || subscript.constant < 0)
    return std::nullopt;
  return subscript;
}

std::optional<ElementType> getElementType(Type type, bool isUnsigned) {
  if (type.isIndex())
    return ElementType::Index;
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() ? ElementType::C64
                                            : ElementType::C128;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  if (isUnsigned && type.isInteger())
    text[0] = 'u';
  return parseElementType(text);
}

runtime::Combiner getCombinerKind(Operation *combiner) {
  using runtime::Combiner;
  return llvm::TypeSwitch<Operation *, Combiner>(combiner)
      .Case<arith::AddFOp, arith::AddIOp, complex::AddOp>(
          [](auto) { return Combiner::Add; })
      .Case<arith::MulIOp>([](auto) { return Combiner::Mul; })
      .Case<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(
          [](auto) { return Combiner::Min; })
      .Case<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(
          [](auto) { return Combiner::Max; })
      .Case<arith::AndIOp>([](auto) { return Combiner::And; })
      .Case<arith::OrIOp>([](auto) { return Combiner::Or; })
      .Case<arith::XOrIOp>([](auto) { return Combiner::Xor; })
      .Default([](auto) { return Combiner::None; });
}

static void appendBits(const APInt &value, size_t width,
                       std::vector<uint8_t> &bits) {
  APInt whole = value.zext(std::max<unsigned>(value.getBitWidth(), 8 * width));
  for (size_t byte = 0; byte != width; ++byte)
    bits.push_back(whole.extractBitsAsZExtValue(8, 8 * byte));
}

std::vector<uint8_t> getBits(Value value, size_t width) {
  std::vector<uint8_t> bits;
  auto append = [&](Attribute part, size_t bytes) {
    if (auto number = dyn_cast<FloatAttr>(part))
      appendBits(number.getValue().bitcastToAPInt(), bytes, bits);
    else if (auto integer = dyn_cast<IntegerAttr>(part))
      appendBits(integer.getValue(), bytes, bits);
  };
  Attribute constant;
  if (auto op = value.getDefiningOp<complex::ConstantOp>()) {
    for (Attribute part : op.getValue())
      append(part, width / 2);
  } else if (matchPattern(value, m_Constant(&constant))) {
    append(constant, width);
  }
  if (bits.size() != width)
    bits.clear();
  return bits;
}

std::optional<SmallVector<int64_t>> getOffsets(Value tensor) {
  auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !slice.hasUnitStride() || slice.getDroppedDims().any())
    return std::nullopt;
  SmallVector<int64_t> offsets;
  for (OpFoldResult offset : slice.getMixedOffsets()) {
    std::optional<int64_t> constant = getConstantIntValue(offset);
    if (!constant || *constant < 0)
      return std::nullopt;
    offsets.push_back(*constant);
  }
  return offsets;
}

tensor::InsertSliceOp getInsertion(linalg::LinalgOp op) {
  Value init = op.getDpsInitOperand(0)->get();
  auto slice = init.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !getOffsets(init) || !op->hasOneUse())
    return nullptr;
  auto insert = dyn_cast<tensor::InsertSliceOp>(*op->user_begin());
  bool isSame = insert && insert.getSource() == op->getResult(0) &&
                insert.getDest() == slice.getSource() &&
                insert.getMixedOffsets() == slice.getMixedOffsets() &&
                insert.getMixedSizes() == slice.getMixedSizes() &&
                insert.getMixedStrides() == slice.getMixedStrides();
  return isSame ? insert : nullptr;
}

} // namespace ein
