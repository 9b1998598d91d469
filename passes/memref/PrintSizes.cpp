//===- PrintSizes.cpp - Sizes of buffers for people -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the time that buffers exist, a size is arithmetic on index values. It is
// followed back to the arguments, which the signature has names for; what
// cannot be followed is a question mark.
//
//===----------------------------------------------------------------------===//

#include "passes/memref/PrintSizes.h"
#include "abi/AssumedSizes.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "passes/analysis/ElementBytes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace ein {

SizePrinter::SizePrinter(func::FuncOp function) : function(function) {
  if (!function->hasAttr(EinDialect::kSignatureAttr))
    return;
  FailureOr<Signature> read = Signature::fromOp(function);
  if (succeeded(read))
    signature = std::move(*read);
}

/// A factor, in parentheses if it is a sum.
static std::string parenthesize(const std::string &text) {
  return StringRef(text).contains(' ') ? "(" + text + ")" : text;
}

std::string SizePrinter::print(AffineExpr expr, ArrayRef<std::string> operands,
                               unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::string lhs = print(binary.getLHS(), operands, numDims);
  std::string rhs = print(binary.getRHS(), operands, numDims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (StringRef(rhs).starts_with("-"))
      return lhs + " - " + rhs.substr(1);
    return lhs + " + " + rhs;
  case AffineExprKind::Mul:
    return parenthesize(lhs) + " * " + parenthesize(rhs);
  case AffineExprKind::Mod:
    return parenthesize(lhs) + " mod " + parenthesize(rhs);
  case AffineExprKind::FloorDiv:
    return parenthesize(lhs) + " floordiv " + parenthesize(rhs);
  case AffineExprKind::CeilDiv:
    return parenthesize(lhs) + " ceildiv " + parenthesize(rhs);
  default:
    return "?";
  }
}

std::string SizePrinter::print(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return llvm::toString(number, 10, /*Signed=*/true);
  unsigned numArguments = function.getNumArguments();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!signature || argument.getOwner() != &function.front())
      return "?";
    size_t first = numArguments - signature->symbols.size();
    return argument.getArgNumber() < first
               ? "?"
               : signature->symbols[argument.getArgNumber() - first];
  }
  if (auto dim = value.getDefiningOp<memref::DimOp>()) {
    auto argument = dyn_cast<BlockArgument>(dim.getSource());
    std::optional<int64_t> axis = dim.getConstantIndex();
    if (!signature || !argument || !axis ||
        argument.getOwner() != &function.front() ||
        argument.getArgNumber() >= signature->arguments.size())
      return "?";
    AffineMap dims = signature->arguments[argument.getArgNumber()].dims;
    return print(dims.getResult(*axis), signature->getSizeNames(),
                 dims.getNumDims());
  }
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>()) {
    SmallVector<std::string> operands = llvm::map_to_vector(
        apply.getMapOperands(), [&](Value operand) { return print(operand); });
    return print(apply.getAffineMap().getResult(0), operands,
                 apply.getAffineMap().getNumDims());
  }
  if (auto minimum = value.getDefiningOp<affine::AffineMinOp>()) {
    AffineMap map = minimum.getAffineMap();
    SmallVector<std::string> operands = llvm::map_to_vector(
        minimum.getOperands(), [&](Value operand) { return print(operand); });
    std::string text;
    for (AffineExpr expr : map.getResults())
      text += (text.empty() ? "min(" : ", ") +
              print(expr, operands, map.getNumDims());
    return text + ")";
  }
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return parenthesize(print(product.getLhs())) + " * " +
           parenthesize(print(product.getRhs()));
  return "?";
}

static std::optional<int64_t> evaluate(AffineMap map, unsigned result,
                                       ArrayRef<int64_t> operands) {
  Builder b(map.getContext());
  SmallVector<Attribute> inputs, results;
  for (int64_t operand : operands)
    inputs.push_back(b.getIndexAttr(operand));
  if (failed(map.constantFold(inputs, results)))
    return std::nullopt;
  return cast<IntegerAttr>(results[result]).getInt();
}

std::optional<int64_t> SizePrinter::evaluate(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    bool isSize = signature && argument.getOwner() == &function.front() &&
                  argument.getArgNumber() >=
                      function.getNumArguments() - signature->symbols.size();
    return isSize ? std::optional(kAssumedSize) : std::nullopt;
  }
  if (auto dim = value.getDefiningOp<memref::DimOp>()) {
    auto argument = dyn_cast<BlockArgument>(dim.getSource());
    std::optional<int64_t> axis = dim.getConstantIndex();
    if (!signature || !argument || !axis ||
        argument.getOwner() != &function.front() ||
        argument.getArgNumber() >= signature->arguments.size())
      return std::nullopt;
    AffineMap dims = signature->arguments[argument.getArgNumber()].dims;
    return ein::evaluate(
        dims, *axis, SmallVector<int64_t>(dims.getNumInputs(), kAssumedSize));
  }
  SmallVector<int64_t> operands;
  auto add = [&](Value operand) {
    std::optional<int64_t> known = evaluate(operand);
    operands.push_back(known.value_or(0));
    return known.has_value();
  };
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    return llvm::all_of(apply.getMapOperands(), add)
               ? ein::evaluate(apply.getAffineMap(), 0, operands)
               : std::nullopt;
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return llvm::all_of(product->getOperands(), add)
               ? std::optional(operands[0] * operands[1])
               : std::nullopt;
  return std::nullopt;
}

std::optional<int64_t> SizePrinter::evaluateBytes(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  int64_t bytes = getElementBytes(type);
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      bytes *= extent;
  for (Value extent : alloc.getDynamicSizes()) {
    std::optional<int64_t> size = evaluate(extent);
    if (!size)
      return std::nullopt;
    bytes *= *size;
  }
  return bytes;
}

std::string SizePrinter::printBytes(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  int64_t fixed = getElementBytes(type);
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      fixed *= extent;
  std::string text = std::to_string(fixed);
  for (Value extent : alloc.getDynamicSizes())
    text += " * " + parenthesize(print(extent));
  return text;
}

} // namespace ein
