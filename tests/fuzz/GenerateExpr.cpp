//===- GenerateExpr.cpp - Random types and expressions --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands come first, each of a type that fits into the one that is computed
// in; then they are combined until one is left.
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Generator.h"
#include <algorithm>

namespace ein::fuzz {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// How often a type is drawn. Kinds without a weight are never.
unsigned Generator::getWeight(ElementType type) {
  switch (getKind(type)) {
  case TypeKind::Float:
    return type == ElementType::F32 ? 30 : 10;
  case TypeKind::Signed:
  case TypeKind::Unsigned:
    return type == ElementType::Index ? 2 : 5;
  case TypeKind::Bool:
    return 5;
  case TypeKind::Complex:
    return 0;
  }
  return 0;
}

static constexpr ElementType kTypes[] = {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  ElementType::ENUM,
#include "abi/ElementTypes.def"
};

ElementType Generator::drawAnyType() {
  unsigned total = 0;
  for (ElementType type : kTypes)
    total += getWeight(type);
  unsigned at = upTo(total);
  for (ElementType type : kTypes) {
    if (at < getWeight(type))
      return type;
    at -= getWeight(type);
  }
  return ElementType::F32;
}

void Generator::makePalette() {
  for (unsigned i = 0, count = 1 + draw({40, 30, 20, 10}); i < count; ++i)
    palette.push_back(drawAnyType());
}

/// One of the program's types that fits into `type`, or itself.
ElementType Generator::drawFitting(ElementType type) {
  ElementType drawn = oneIn(8) ? drawAnyType() : drawType();
  return fits(drawn, type) ? drawn : type;
}

/// `acc = T` for a target of `type`: mostly wider, or anything.
std::optional<ElementType> Generator::drawAccumulator(ElementType type) {
  if (!oneIn(6))
    return std::nullopt;
  ElementType drawn = drawAnyType();
  return fits(type, drawn) || oneIn(3) ? drawn : getAccumulator(type);
}

/// The types that are read, as the front end collects them: a cast hides what
/// is below it.
void Generator::collectTypes(const ExprPtr &expr,
                             std::vector<ElementType> &types) const {
  if (!expr)
    return;
  std::optional<ElementType> type;
  if (expr->kind == Expr::Access)
    type = program.find(expr->text)->type;
  else if (expr->kind == Expr::Literal)
    type = getSuffix(expr->text);
  else if (expr->kind == Expr::Unary)
    type = getCastType(expr->text);
  if (type) {
    types.push_back(*type);
    return;
  }
  collectTypes(expr->lhs, types);
  collectTypes(expr->rhs, types);
}

Generator::Typed Generator::cast(Typed operand, ElementType type) {
  bool fromFloat = isFloat(operand.type);
  // Most random numbers are smaller than one.
  if (fromFloat && !isFloat(type) && !oneIn(4)) {
    operand.expr =
        makeBinary("*", operand.expr, makeLiteral(oneIn(3) ? "1000.0" : "20"));
    operand.type = getAccumulator(operand.type);
  }
  hasRounding |= fromFloat && !isFloat(type);
  bool isUnsigned = getKind(operand.type) == TypeKind::Signed ? oneIn(3)
                    : fromFloat && isInteger(type)            ? oneIn(5)
                                                              : oneIn(30);
  return {makeCast(type, isUnsigned, operand.expr), type};
}

/// For a statement that computes in `type`.
Generator::Typed Generator::convert(Typed operand, ElementType type) {
  if (oneIn(15))
    operand = cast(operand, drawAnyType());
  if (!fits(operand.type, type) || oneIn(20))
    operand = cast(operand, type);
  return operand;
}
//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Something that fits into `computeType`: an access, or what a cast makes of
/// an expression that is computed in another type.
Generator::Typed Generator::makeOperand(std::vector<Index> &indices,
                                        ElementType computeType, bool mayReduce,
                                        bool mayNest) {
  if (mayNest && oneIn(9)) {
    ElementType inner = drawAnyType();
    std::vector<ExprPtr> operands;
    for (unsigned i = 0, count = 1 + upTo(2); i < count; ++i)
      operands.push_back(
          makeOperand(indices, inner, mayReduce, /*mayNest=*/false).expr);
    std::vector<ElementType> types;
    for (const ExprPtr &operand : operands)
      collectTypes(operand, types);
    ElementType type = getAccumulator(*joinTypes(types));
    Typed result = {combine(operands, oneIn(3), type), type};
    return cast(result,
                fits(type, computeType) && oneIn(2) ? type : computeType);
  }
  std::optional<Typed> operand;
  if (!oneIn(3))
    operand = readExisting(indices, mayReduce);
  return convert(operand ? *operand : readNew(indices, computeType),
                 computeType);
}

/// A literal, sometimes with a type of its own.
ExprPtr Generator::makeNumber(ElementType type, bool mayBeZero) {
  static const std::vector<std::string> numbers = {
      "0.5", "2.0", "1.0", "0.25", "3", "0.1", "1.5", "0.7", "0.0"};
  static const std::vector<std::string> integers = {"1", "2",  "3",   "5",
                                                    "7", "16", "100", "0"};
  bool hasSuffix = oneIn(6);
  if (hasSuffix)
    type = drawFitting(type);
  size_t zero = !mayBeZero;
  std::string text = isFloat(type) ? numbers[upTo(numbers.size() - zero)]
                     : type == ElementType::Bool
                         ? (mayBeZero && oneIn(2) ? "0" : "1")
                         : integers[upTo(integers.size() - zero)];
  return makeLiteral(hasSuffix ? text + getSpelling(type).str() : text);
}

/// Mostly what is not zero.
ExprPtr Generator::makeDivisor(ExprPtr x, ElementType type) {
  if (isFloat(type))
    return oneIn(4) ? x
                    : makeBinary("+", makeLiteral("1.0"), makeUnary("abs", x));
  if (!hasRounding && oneIn(6))
    return x;
  // The absolute value of the least integer is negative.
  return makeBinary("max", makeUnary("abs", x), makeLiteral("1"));
}

ExprPtr Generator::applyToInteger(ExprPtr x, ElementType type) {
  bool isBool = type == ElementType::Bool;
  switch (upTo(isBool ? 3 : 8)) {
  case 0:
    return makeUnary("abs", x);
  case 1:
    return makeBinary(oneIn(2) ? "max" : "min", x, makeNumber(type));
  case 2:
    return makeBinary(oneIn(2) ? "+" : "*", makeNumber(type), x);
  case 3:
    return makeUnary("-", x);
  case 4:
    return makeBinary("-", makeNumber(type), x);
  case 5:
    return makeBinary(oneIn(2) ? "/" : "%", makeNumber(type),
                      makeDivisor(x, type));
  default:
    return makeBinary(oneIn(2) ? "/" : "%", x,
                      makeNumber(type, /*mayBeZero=*/oneIn(20)));
  }
}

ExprPtr Generator::applyFunction(ExprPtr x, ElementType type) {
  if (!isFloat(type))
    return applyToInteger(x, type);
  ExprPtr one = makeLiteral("1.0");
  bool isSafe = !oneIn(6);
  auto positive = [&] {
    return isSafe ? makeBinary("+", one, makeUnary("abs", x)) : x;
  };
  switch (upTo(9)) {
  case 0:
    return makeUnary("exp", isSafe ? makeUnary("tanh", x) : x);
  case 1:
    return makeUnary("log", positive());
  case 2:
    return makeUnary("sqrt", isSafe ? makeUnary("abs", x) : x);
  case 3:
    return makeUnary("abs", x);
  case 4:
    return makeUnary("tanh", x);
  case 5:
    return makeUnary("-", x);
  case 6:
    return makeBinary(oneIn(2) ? "max" : "min", x, makeNumber(type));
  case 7:
    return makeBinary("/", oneIn(2) ? one : makeNumber(type), positive());
  default:
    return makeBinary(oneIn(2) ? "+" : "*", makeNumber(type), x);
  }
}

ExprPtr Generator::applyOperator(ExprPtr x, ExprPtr y, ElementType type) {
  bool isBool = type == ElementType::Bool;
  switch (draw({30, 20, 30, 6, 7, 7})) {
  case 0:
    return makeBinary("+", x, y);
  case 1:
    return makeBinary(isBool ? "+" : "-", x, y);
  case 2:
    return makeBinary("*", x, y);
  case 3:
    if (isBool)
      return makeBinary("*", x, y);
    return makeBinary(isInteger(type) && oneIn(2) ? "%" : "/", x,
                      makeDivisor(y, type));
  case 4:
    return makeBinary("max", x, y);
  default:
    return makeBinary("min", x, y);
  }
}

/// All operands in one expression that is computed in `type`.
ExprPtr Generator::combine(std::vector<ExprPtr> operands, bool isProduct,
                           ElementType type) {
  std::shuffle(operands.begin(), operands.end(), random);
  if (isProduct) {
    if (oneIn(5))
      operands.push_back(makeNumber(type));
    ExprPtr result = operands[0];
    for (size_t i = 1; i < operands.size(); ++i)
      result = makeBinary("*", result, operands[i]);
    return result;
  }
  while (operands.size() > 1 || oneIn(4)) {
    size_t i = upTo(operands.size());
    ExprPtr x = operands[i];
    if (oneIn(3) || operands.size() == 1) {
      operands[i] = applyFunction(x, type);
      continue;
    }
    operands.erase(operands.begin() + i);
    ExprPtr &y = operands[upTo(operands.size())];
    y = applyOperator(x, y, type);
  }
  return operands[0];
}

} // namespace ein::fuzz
