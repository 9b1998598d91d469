//===- ExprTypes.cpp - Expressions: element types -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement's right side computes in one type, the accumulator's, and so does
// the operand of each cast: the smallest type that holds what is read there,
// and of 32 bits at least where there is an operation. What is read is widened
// without loss or not at all; to lose something takes a cast. A lone operand of
// a cast is converted as it is, so that `cast_unsigned` sees its bits. `re`,
// `im`, `complex` and the `abs` of complex numbers are like casts: what is
// inside computes in a type of its own.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprTypes.h"
#include "frontend/check/RewriteEinsum.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace ein {

ExprId addExpr(Def &def, Expr expr) {
  def.exprs.push_back(std::move(expr));
  return ExprId(def.exprs.size() - 1);
}

bool TypeAssigner::isLeaf(ExprId id) const {
  const Expr &expr = scope.def[id];
  return expr.kind == ExprKind::Literal || expr.kind == ExprKind::Access ||
         expr.kind == ExprKind::Position || expr.kind == ExprKind::Gather ||
         scope.def.convertsType(expr);
}

void TypeAssigner::collectTyped(ExprId id,
                                SmallVectorImpl<ExprId> &typed) const {
  const Expr &expr = scope.def[id];
  if (isLeaf(id)) {
    auto literal = pending.literals.find(id);
    bool isOpen = literal != pending.literals.end()
                      ? !literal->second.type
                      : pending.openCasts.count(id);
    if (!isOpen)
      typed.push_back(id);
    return;
  }
  collectTyped(expr.lhs, typed);
  if (expr.rhs.isValid())
    collectTyped(expr.rhs, typed);
}

static std::string quote(const std::string &name) { return "`" + name + "`"; }

static std::string getFunctionName(const Expr &expr) {
  return expr.kind == ExprKind::Unary ? getSpelling(expr.unary).str()
                                      : getSpelling(expr.binary).str();
}

/// As it is called in messages.
std::string TypeAssigner::describeTyped(ExprId id) const {
  const Expr &expr = scope.def[id];
  for (const Reduction &reduction : reductions)
    if (expr.kind == ExprKind::Access && reduction.target == expr.tensor)
      return reduction.name + "<…>";
  if (expr.kind == ExprKind::Access || expr.kind == ExprKind::Gather)
    return scope.def[expr.tensor].name;
  if (expr.kind == ExprKind::Cast)
    return getSpelling(expr.type).str() + "(…)";
  if (expr.kind == ExprKind::Position) {
    const Affine &value = expr.subscripts.front();
    return value.str(
        [&](IndexId id) { return StringRef(table.all[id.value].name); },
        [&](SymbolId id) { return StringRef(scope.def[id].name); });
  }
  if (expr.kind != ExprKind::Literal)
    return getFunctionName(expr) + "(…)";
  return pending.literals.at(id).digits;
}

FailureOr<ElementType> TypeAssigner::joinTyped(ArrayRef<ExprId> typed,
                                               ElementType otherwise) {
  if (typed.empty())
    return otherwise;
  // Each type once: a product may have thousands of factors.
  SmallVector<ElementType> types;
  // As literals do, indices and sizes take a floating-point type of their
  // context.
  bool hasFloat = llvm::any_of(typed, [&](ExprId id) {
    ElementType type = scope.def[id].type;
    return isFloat(type) || isComplex(type);
  });
  for (auto [i, id] : llvm::enumerate(typed)) {
    if (hasFloat && pending.twins.count(id))
      continue;
    if (llvm::is_contained(types, scope.def[id].type))
      continue;
    types.push_back(scope.def[id].type);
    if (joinTypes(types))
      continue;
    // With one of those before it, or else only with all of them.
    ExprId other = typed.front();
    for (ExprId before : typed.take_front(i))
      if (!joinTypes({scope.def[before].type, types.back()}))
        other = before;
    return diags.report(DiagId::NoCommonType, scope.def[id].range,
                        {describeTyped(other),
                         getSpelling(scope.def[other].type).str(),
                         describeTyped(id), getSpelling(types.back()).str()});
  }
  return *joinTypes(types);
}

FailureOr<ExprId> TypeAssigner::addCast(ExprId operand, ElementType from,
                                        ElementType to) {
  if (failed(assignType(operand, from, "the cast's operand")))
    return failure();
  Expr cast;
  cast.kind = ExprKind::Cast;
  cast.range = scope.def[operand].range;
  cast.type = to;
  cast.lhs = operand;
  return addExpr(scope.def, std::move(cast));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Both sides are converted to the smallest type that holds them, or to what
/// that accumulates in if anything is computed.
LogicalResult TypeAssigner::decideCompareType(ExprId id) {
  Expr expr = scope.def[id];
  SmallVector<ExprId> typed;
  collectTyped(expr.lhs, typed);
  collectTyped(expr.rhs, typed);
  FailureOr<ElementType> joined = joinTyped(typed, scope.options.defaultType);
  if (failed(joined))
    return failure();
  ElementType type = *joined;
  if (!isLeaf(expr.lhs) || !isLeaf(expr.rhs))
    type = getAccumulator(type);
  if (isComplex(type))
    return diags.report(DiagId::OperatorType, expr.range,
                        {getFunctionName(expr), getSpelling(type).str()});
  Expr &comparison = scope.def.exprs[id.value];
  comparison.type = ElementType::Bool;
  comparison.compareType = type;
  for (ExprId operand : {expr.lhs, expr.rhs})
    if (failed(assignType(operand, type,
                          "an operand of `" + getFunctionName(expr) + "`")))
      return failure();
  return checkSigns(expr, type);
}

/// Operators for which it counts that -1 of an unsigned type is its largest
/// number, which nobody means.
LogicalResult TypeAssigner::checkSigns(const Expr &expr, ElementType type) {
  if (getKind(type) != TypeKind::Unsigned)
    return success();
  auto getDigits = [&](ExprId id) -> StringRef {
    auto literal = pending.literals.find(id);
    if (literal == pending.literals.end())
      return "";
    return literal->second.digits; // of the map, not a copy
  };
  auto isZero = [&](ExprId id) {
    StringRef digits = getDigits(id);
    return !digits.empty() && digits.ltrim('0').empty();
  };
  for (ExprId operand : {expr.lhs, expr.rhs}) {
    const Expr &node = scope.def[operand];
    if (node.kind != ExprKind::Unary || node.unary != UnaryFn::Neg)
      continue;
    if (!getDigits(node.lhs).empty() && !isZero(node.lhs))
      return diags.report(DiagId::LiteralNegative, node.range,
                          {getDigits(node.lhs).str(), getSpelling(type).str(),
                           getBitWidth(type) < 32 ? "i32" : "i64"});
  }
  if (expr.kind != ExprKind::Binary)
    return success();
  bool isBelow = (expr.binary == BinaryFn::Less && isZero(expr.rhs)) ||
                 (expr.binary == BinaryFn::Greater && isZero(expr.lhs));
  bool isNotBelow =
      (expr.binary == BinaryFn::GreaterEqual && isZero(expr.rhs)) ||
      (expr.binary == BinaryFn::LessEqual && isZero(expr.lhs));
  if ((isBelow || isNotBelow) && !scope.isCalled())
    diags.report(DiagId::UnsignedBelowZero, expr.range,
                 {getSpelling(type).str(), isBelow ? "false" : "true"});
  return success();
}

//===----------------------------------------------------------------------===//
// Subscripts that are computed
//===----------------------------------------------------------------------===//

/// They are of type index, or u64, which does not fit into that.
LogicalResult TypeAssigner::decidePlaceType(ExprId id) {
  SmallVector<ExprId> typed;
  collectTyped(id, typed);
  for (ExprId leaf : typed) {
    ElementType type = scope.def[leaf].type;
    if (isFloat(type) || isComplex(type))
      return diags.report(DiagId::NotAnInteger, scope.def[leaf].range,
                          {"subscript"});
  }
  bool isU64 =
      typed.size() == 1 && isLeaf(id) && scope.def[id].type == ElementType::U64;
  return assignType(id, isU64 ? ElementType::U64 : ElementType::Index,
                    "a subscript");
}

//===----------------------------------------------------------------------===//
// Real and complex numbers
//===----------------------------------------------------------------------===//

LogicalResult TypeAssigner::decideOperandType(ExprId id) {
  Expr expr = scope.def[id];
  if (expr.kind == ExprKind::Binary && isComparison(expr.binary))
    return decideCompareType(id);
  bool isLogicalFn =
      (expr.kind == ExprKind::Binary && isLogical(expr.binary)) ||
      (expr.kind == ExprKind::Unary && expr.unary == UnaryFn::Not);
  if (isLogicalFn) {
    scope.def.exprs[id.value].type = ElementType::Bool;
    for (ExprId operand : {expr.lhs, expr.rhs})
      if (operand.isValid() &&
          failed(assignType(operand, ElementType::Bool,
                            "an operand of `" + getFunctionName(expr) + "`")))
        return failure();
    return success();
  }
  bool isMade =
      expr.kind == ExprKind::Binary && expr.binary == BinaryFn::Complex;
  bool isTaken = expr.kind == ExprKind::Unary &&
                 (expr.unary == UnaryFn::Re || expr.unary == UnaryFn::Im ||
                  expr.unary == UnaryFn::Abs);
  if (!isMade && !isTaken)
    return success();
  SmallVector<ExprId> typed;
  collectTyped(expr.lhs, typed);
  if (isMade)
    collectTyped(expr.rhs, typed);
  bool anyComplex = llvm::any_of(
      typed, [&](ExprId leaf) { return isComplex(scope.def[leaf].type); });
  // Of real numbers, `abs` computes with what is round it.
  if (isTaken && expr.unary == UnaryFn::Abs && !anyComplex)
    return success();

  FailureOr<ElementType> joined = joinTyped(typed, scope.options.defaultType);
  if (failed(joined))
    return failure();
  if (isMade == anyComplex)
    return diags.report(DiagId::OperatorType, expr.range,
                        {getFunctionName(expr), getSpelling(*joined).str()});
  // Literals alone are of a type that is known later, or c64.
  bool isOpen = typed.empty();
  ElementType complexType = isOpen ? ElementType::C64 : getComplexType(*joined);
  scope.def.exprs[id.value].type =
      isMade ? complexType : getPartType(complexType);
  if (isOpen)
    return success();
  ElementType operandType = isMade ? getPartType(complexType) : complexType;
  for (ExprId operand : {expr.lhs, expr.rhs})
    if (operand.isValid() &&
        failed(assignType(operand, operandType,
                          "an operand of `" + getFunctionName(expr) + "`")))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Types that are given
//===----------------------------------------------------------------------===//

/// C's operators, on the types that have them.
LogicalResult TypeAssigner::checkOperator(const Expr &expr) {
  if (expr.kind == ExprKind::Select)
    return checkSigns(expr, expr.type);
  bool isUnary = expr.kind == ExprKind::Unary;
  std::string name = getFunctionName(expr);
  std::string type = getSpelling(expr.type).str();
  // f32 does not hold all integers of 32 bits.
  std::string castType =
      getSpelling(fits(expr.type, ElementType::F32) ? ElementType::F32
                                                    : ElementType::F64)
          .str();
  bool isKnown = true;
  if (isUnary) {
    switch (expr.unary) {
    case UnaryFn::Neg:
      isKnown = getKind(expr.type) != TypeKind::Bool;
      break;
    case UnaryFn::Abs:
    case UnaryFn::Rounded:
      break;
    case UnaryFn::Conj:
      isKnown = isComplex(expr.type);
      break;
    case UnaryFn::Exp:
    case UnaryFn::Log:
    case UnaryFn::Sqrt:
      isKnown = isFloat(expr.type) || isComplex(expr.type);
      if (!isKnown)
        return diags.report(DiagId::NeedsFloat, expr.range, {name, type})
            .note(DiagId::CastTheOperands, expr.range, {castType});
      break;
    case UnaryFn::BitNot:
      isKnown = isInteger(expr.type);
      break;
    case UnaryFn::Square:
      isKnown = isFloat(expr.type) || isInteger(expr.type);
      break;
    default:
      isKnown = isFloat(expr.type);
      if (!isKnown && !isComplex(expr.type))
        return diags.report(DiagId::NeedsFloat, expr.range, {name, type})
            .note(DiagId::CastTheOperands, expr.range, {castType});
    }
  } else {
    switch (resolve(expr.binary, expr.type)) {
    case BinaryFn::Pow:
    case BinaryFn::Atan2:
    case BinaryFn::CopySign:
    case BinaryFn::Fmod:
    case BinaryFn::Remainder:
    case BinaryFn::NextAfter:
      if (!isFloat(expr.type) && !isComplex(expr.type))
        return diags.report(DiagId::NeedsFloat, expr.range, {name, type})
            .note(DiagId::CastTheOperands, expr.range, {castType});
      isKnown = isFloat(expr.type) || expr.binary == BinaryFn::Pow;
      break;
    case BinaryFn::Div:
      if (failed(checkSigns(expr, expr.type)))
        return failure();
      [[fallthrough]];
    case BinaryFn::Sub:
      isKnown = getKind(expr.type) != TypeKind::Bool;
      break;
    case BinaryFn::Rem:
      if (failed(checkSigns(expr, expr.type)))
        return failure();
      isKnown = isInteger(expr.type);
      break;
    case BinaryFn::ShiftLeft:
    case BinaryFn::ShiftRight:
      isKnown = isInteger(expr.type);
      break;
    case BinaryFn::BitAnd:
    case BinaryFn::BitOr:
    case BinaryFn::BitXor:
      isKnown = isInteger(expr.type) || getKind(expr.type) == TypeKind::Bool;
      break;
    case BinaryFn::Max:
    case BinaryFn::Min:
      if (isComplex(expr.type))
        return diags.report(DiagId::NoOrder, expr.range,
                            {"`" + name + "`", type});
      if (failed(checkSigns(expr, expr.type)))
        return failure();
      break;
    default:
      break;
    }
  }
  if (isKnown)
    return success();
  DiagnosticBuilder builder =
      diags.report(DiagId::OperatorType, expr.range, {name, type});
  if (!isUnary && expr.binary == BinaryFn::BitXor && isFloat(expr.type))
    builder.note(DiagId::PowerInstead, expr.range);
  return builder;
}

LogicalResult TypeAssigner::assignType(ExprId id, ElementType type,
                                       const std::string &holder) {
  Expr &expr = scope.def.exprs[id.value];
  if (expr.kind == ExprKind::Binary && expr.binary == BinaryFn::Complex) {
    SmallVector<ExprId> typed;
    collectTyped(expr.lhs, typed);
    collectTyped(expr.rhs, typed);
    if (typed.empty()) {
      expr.type = isComplex(type) ? type : ElementType::C64;
      for (ExprId operand : {expr.lhs, expr.rhs})
        if (failed(assignType(operand, getPartType(expr.type), holder)))
          return failure();
    }
  }
  if (!isLeaf(id)) {
    // The magnitude of a real number is real, whatever it is multiplied with.
    if (expr.kind == ExprKind::Unary && expr.unary == UnaryFn::Abs)
      type = getPartType(type);
    expr.type = type;
    LogicalResult result = checkOperator(expr);
    for (ExprId operand : {expr.lhs, expr.rhs})
      if (operand.isValid() && failed(assignType(operand, type, holder)))
        result = failure();
    return result;
  }
  if (expr.kind == ExprKind::Literal) {
    std::optional<ElementType> suffix = pending.literals.at(id).type;
    if (failed(finishLiteral(id, suffix.value_or(type))))
      return failure();
  }
  if (pending.openCasts.count(id))
    expr.type = type;
  auto twin = pending.twins.find(id);
  if (twin != pending.twins.end() && expr.kind == ExprKind::Position &&
      (isFloat(type) || isComplex(type))) {
    expr.kind = ExprKind::Cast;
    expr.type = getPartType(type);
    expr.lhs = twin->second;
    expr.subscripts.clear();
  }
  if (fits(expr.type, type))
    return success();
  DiagnosticBuilder builder =
      diags.report(DiagId::Narrowing, expr.range,
                   {describeTyped(id), getSpelling(expr.type).str(), holder,
                    getSpelling(type).str()});
  const Tensor &target = scope.def[written];
  bool isOfTarget = holder == "the accumulator" || holder == quote(target.name);
  if (expr.kind == ExprKind::Access && isOfTarget)
    builder.note(DiagId::DeclaredHere, target.range, {target.name});
  if (isComplex(expr.type) && !isComplex(type))
    return builder.note(DiagId::TakeAPart, expr.range);
  // Operands of einsum are names, and literals have another suffix.
  if (!isEinsum(*this) && !isPartOfEinsum && expr.kind != ExprKind::Literal)
    builder.fixIt({expr.range.begin, expr.range.begin}, getSpelling(type) + "(")
        .fixIt({expr.range.end, expr.range.end}, ")");
  return builder;
}

/// Literals are rounded once, to their type.
LogicalResult TypeAssigner::finishLiteral(ExprId id, ElementType type) {
  Expr &expr = scope.def.exprs[id.value];
  const PendingLiteral &literal = pending.literals.at(id);
  std::string spelling = getSpelling(type).str();
  auto reportTooLarge = [&] {
    return diags.report(DiagId::LiteralTooLarge, expr.range,
                        {literal.digits, spelling});
  };
  expr.type = type;
  // Rounding takes time quadratic in the number of digits.
  constexpr size_t maxDigits = 1000;
  if (literal.digits.size() > maxDigits)
    return reportTooLarge();

  ElementType part = getPartType(type);
  if (!isFloat(part)) {
    if (!llvm::all_of(literal.digits, isDigit))
      return diags.report(DiagId::LiteralNotInteger, expr.range,
                          {literal.digits, spelling});
    // -128 is an i8, although 128 is not.
    unsigned bits = getKind(type) == TypeKind::Bool ? 1 : getBitWidth(type);
    APInt value(4 * maxDigits, literal.digits, 10);
    APInt limit = APInt::getOneBitSet(value.getBitWidth(), bits);
    if (getKind(type) == TypeKind::Signed)
      limit = limit.lshr(1) + literal.isNegated;
    if (value.uge(limit))
      return reportTooLarge();
    APInt bitsOfType = value.trunc(bits);
    expr.integer = getKind(type) == TypeKind::Signed
                       ? bitsOfType.getSExtValue()
                       : static_cast<int64_t>(bitsOfType.getZExtValue());
    return success();
  }

  const fltSemantics *semantics = &APFloat::IEEEdouble();
  if (part == ElementType::F32)
    semantics = &APFloat::IEEEsingle();
  else if (part == ElementType::F16)
    semantics = &APFloat::IEEEhalf();
  else if (part == ElementType::BF16)
    semantics = &APFloat::BFloat();
  APFloat value(*semantics);
  Expected<APFloat::opStatus> status =
      value.convertFromString(literal.digits, APFloat::rmNearestTiesToEven);
  bool isGood = static_cast<bool>(status) && value.isFinite();
  consumeError(status.takeError());
  if (!isGood)
    return reportTooLarge();
  bool isInexact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &isInexact);
  expr.literal = value.convertToDouble();
  return success();
}

} // namespace ein
