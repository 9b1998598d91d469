//===- Expr.cpp - Expressions: names, calls and operators -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Expr.h"
#include "frontend/check/ExprAccess.h"
#include "frontend/check/ExprCasts.h"
#include "frontend/check/ExprClauses.h"
#include "frontend/check/ExprDerived.h"
#include "frontend/check/ExprGather.h"
#include "frontend/check/ExprReduce.h"
#include "frontend/check/ExprUnknown.h"
#include "frontend/check/Signature.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

namespace {

class ExprLowering : StatementContext, public ExprLowerer {
public:
  explicit ExprLowering(ExprBuilder &builder)
      : StatementContext(builder), builder(builder) {}

  FailureOr<ExprId> lower(const ast::Expr &expr) override;
  FailureOr<ExprId> lowerBody(StringRef text,
                              const StringMap<ExprId> &arguments,
                              SourceRange range) override;

private:
  FailureOr<ExprId> lowerNumber(const ast::Expr &expr);
  FailureOr<ExprId> lowerConstant(const Constant &constant,
                                  const ast::Expr &expr);
  FailureOr<ExprId> lowerElement(const ast::Expr &expr);
  FailureOr<ExprId> lowerName(const ast::Expr &expr);
  FailureOr<ExprId> lowerDim(const ast::Expr &expr);
  FailureOr<ExprId> lowerCall(const ast::Expr &expr);
  LogicalResult checkComparisons(const ast::Expr &expr);
  bool isComparisonChain(const ast::Expr &expr) const;
  std::optional<Affine> foldPosition(std::optional<UnaryFn> unary,
                                     std::optional<BinaryFn> binary,
                                     ArrayRef<ExprId> operands) const;
  FailureOr<ExprId> lowerFunction(const ast::Expr &expr, StringRef name);
  FailureOr<ExprId> lowerConditional(const ast::Expr &expr);

  ExprBuilder &builder;
  /// While the body of a derived function is lowered: what its parameters are.
  const StringMap<ExprId> *parameterValues = nullptr;
  /// What has taken the place of a parameter already.
  std::set<ExprId> usedParameters;
};

} // namespace

FailureOr<ExprId> ExprLowering::lower(const ast::Expr &expr) {
  switch (expr.kind) {
  case ast::Expr::Kind::Number:
    return lowerNumber(expr);
  case ast::Expr::Kind::String:
    return diags.report(DiagId::StringNotAllowed, expr.range);
  case ast::Expr::Kind::List:
    return diags.report(DiagId::NotSupported, expr.range, {"lists are"});
  case ast::Expr::Kind::Name:
    return lowerName(expr);
  case ast::Expr::Kind::Element:
    return lowerElement(expr);
  case ast::Expr::Kind::Call:
    return lowerCall(expr);
  case ast::Expr::Kind::Cast:
    if (FailureOr<std::string> function =
            scope.resolveFunction({expr.text, expr.nameRange});
        succeeded(function))
      return lowerCast(builder, *this, expr, *expr.type,
                       *function == "cast_unsigned");
    return failure();
  case ast::Expr::Kind::Unary:
  case ast::Expr::Kind::Binary:
    return lowerFunction(expr, getSpelling(expr.op));
  case ast::Expr::Kind::Conditional:
    return lowerConditional(expr);
  case ast::Expr::Kind::Reduce:
    return lowerReduction(builder, *this, expr);
  }
  llvm_unreachable("a kind of expression that is none");
}

FailureOr<ExprId> ExprLowering::lowerBody(StringRef text,
                                          const StringMap<ExprId> &arguments,
                                          SourceRange range) {
  ast::ExprPtr body = parseFunctionBody(text, range);
  const StringMap<ExprId> *outer = std::exchange(parameterValues, &arguments);
  FailureOr<ExprId> result = lower(*body);
  parameterValues = outer;
  return result;
}

FailureOr<ExprId> ExprLowering::lowerNumber(const ast::Expr &expr) {
  // The lexer lets only element types follow the digits; a digit or a dot ends
  // what comes before one.
  StringRef digits = expr.text;
  std::optional<ElementType> type;
  size_t suffix =
      digits.find_if([](char c) { return isAlpha(c) && c != 'e' && c != 'E'; });
  if (suffix != StringRef::npos) {
    type = parseElementType(digits.substr(suffix));
    digits = digits.take_front(suffix);
  }
  Expr result;
  result.kind = ExprKind::Literal;
  result.range = expr.range;
  result.type = type.value_or(result.type);
  result.spelling = digits.str();
  ExprId id = builder.add(std::move(result));
  builder.result.types.literals.try_emplace(id,
                                            PendingLiteral{digits.str(), type});
  return id;
}

//===----------------------------------------------------------------------===//
// Names and calls
//===----------------------------------------------------------------------===//

/// An attribute or a bound scalar: a literal of its type.
FailureOr<ExprId> ExprLowering::lowerConstant(const Constant &constant,
                                              const ast::Expr &expr) {
  FailureOr<Constant::Value> value = scope.getConstant(constant, expr);
  if (failed(value))
    return failure();
  Expr literal;
  literal.kind = ExprKind::Literal;
  literal.range = expr.range;
  literal.type = constant.type;
  literal.spelling = value->digits;
  ExprId id = builder.add(std::move(literal));
  builder.result.types.literals.try_emplace(
      id, PendingLiteral{value->digits, constant.type, value->isNegated});
  if (!value->isNegated)
    return id;
  Expr negation;
  negation.kind = ExprKind::Unary;
  negation.range = expr.range;
  negation.unary = UnaryFn::Neg;
  negation.lhs = id;
  return builder.add(std::move(negation));
}

/// `strides.0`, or the extent of a dim.
FailureOr<ExprId> ExprLowering::lowerElement(const ast::Expr &expr) {
  auto constant = scope.constants.find(expr.text);
  if (constant != scope.constants.end())
    return lowerConstant(constant->second, expr);
  FailureOr<Affine> extent = scope.resolveElement(expr);
  if (failed(extent))
    return failure();
  return builder.addPosition(*extent, expr.range);
}

FailureOr<ExprId> ExprLowering::lowerName(const ast::Expr &expr) {
  if (parameterValues) {
    ExprId id = parameterValues->lookup(expr.text);
    unsigned room = ExprBuilder::maxCopied;
    return usedParameters.insert(id).second ? id : *builder.copySmall(id, room);
  }
  auto constant = scope.constants.find(expr.text);
  if (constant != scope.constants.end() && !expr.isLabel)
    return lowerConstant(constant->second, expr);
  if (std::optional<TensorId> tensor = scope.findTensor(expr.text))
    return lowerAccess(builder, *this, *tensor, expr);
  auto symbol = scope.symbols.find(expr.text);
  if (!scope.isImplicit && symbol != scope.symbols.end())
    return builder.addPosition(symbol->second, expr.range);
  if (builder.table.byName.count(expr.text) ||
      builder.table.given.count(expr.text) ||
      builder.table.subscriptNames.contains(expr.text))
    return builder.addPosition(builder.table.add(expr, /*isReduction=*/true),
                               expr.range);
  StringRef body = getConstantBody(expr.text);
  if (!body.empty() && !scope.targets.count(expr.text))
    return lowerBody(body, {}, expr.range);
  return reportUnknown(scope, expr, builder.table);
}

/// `dim(A, 0)`, the extent of a dim.
FailureOr<ExprId> ExprLowering::lowerDim(const ast::Expr &expr) {
  FailureOr<Affine> extent = scope.resolveDim(expr);
  if (failed(extent))
    return failure();
  return builder.addPosition(*extent, expr.range);
}

FailureOr<ExprId> ExprLowering::lowerCall(const ast::Expr &expr) {
  std::optional<TensorId> tensor = scope.findTensor(expr.text);
  if (tensor && !parameterValues) {
    // Nobody who has a tensor `y0` means Bessel's function by `y0(i)`.
    bool isHidden =
        isFunction(expr.text) && !expr.operands.empty() && !isLooseAccess(expr);
    if (isHidden && !scope.isCalled())
      diags
          .report(DiagId::NameHidden, expr.nameRange,
                  {"tensor", expr.text, "function"})
          .note(DiagId::DeclaredHere, scope.def[*tensor].range, {expr.text});
    return lowerAccess(builder, *this, *tensor, expr);
  }
  FailureOr<std::string> name =
      scope.resolveFunction({expr.text, expr.nameRange});
  if (failed(name))
    return failure();
  if (std::optional<BinaryFn> function = findUnsignedFn(*name))
    return lowerUnsigned(builder, *this, expr, *name, *function);
  if (findUnaryFn(*name) || findBinaryFn(*name))
    return lowerFunction(expr, *name);
  if (const DerivedFn *derived = findDerivedFn(*name))
    return lowerDerived(builder, *this, expr, *derived);
  if (std::optional<bool> isUnsigned = findTargetCast(*name))
    return lowerTargetCast(builder, *this, expr, *isUnsigned);
  if (ast::isEinsum(expr))
    return diags.report(DiagId::EinsumNotAlone, expr.nameRange);
  if (scope.targets.count(expr.text))
    return reportUnknown(scope, expr, builder.table);
  if (expr.text == "dim")
    return lowerDim(expr);
  if (expr.text == "pad")
    return lowerOutside(builder, *this, expr, Outside::Padded);
  if (expr.text == "clamp")
    return lowerOutside(builder, *this, expr, Outside::Clamped);
  if (expr.text == "rng")
    return lowerRng(builder, *this, expr);
  if (scope.findElementType(expr.text))
    return lowerCast(builder, *this, expr, {expr.text, expr.nameRange},
                     /*isUnsigned=*/false);
  if (scope.builder.callees.has(expr.text))
    return reportCallInExpression(*this, expr);
  return reportUnknown(scope, expr, builder.table);
}

//===----------------------------------------------------------------------===//
// Operators and functions
//===----------------------------------------------------------------------===//

static bool isEquality(const ast::Expr &expr) {
  return expr.kind == ast::Expr::Kind::Binary &&
         getPrecedence(expr.op) == getPrecedence(TokenKind::EqualEqual);
}

/// No parentheses are round it: its place is then more than its operands'.
static bool isBare(const ast::Expr &expr) {
  return expr.range.begin == expr.operands.front()->range.begin &&
         expr.range.end == expr.operands.back()->range.end;
}

/// What Python reads in another way: `a == b == c`, and `a & b > 3`.
LogicalResult ExprLowering::checkComparisons(const ast::Expr &expr) {
  if (expr.kind != ast::Expr::Kind::Binary || parameterValues)
    return success();
  const ast::Expr &lhs = *expr.operands[0], &rhs = *expr.operands[1];
  if (isEquality(expr) && isEquality(lhs) && isBare(lhs))
    return diags.report(DiagId::EqualityChain, expr.nameRange);
  auto compares = [](const ast::Expr &each) {
    return each.kind == ast::Expr::Kind::Binary &&
           (isEquality(each) ||
            getPrecedence(each.op) == getPrecedence(TokenKind::Less));
  };
  bool isBitwise = expr.op == TokenKind::And || expr.op == TokenKind::Or ||
                   expr.op == TokenKind::Xor;
  bool isOdd = (compares(lhs) && isBare(lhs) && !compares(rhs)) ||
               (compares(rhs) && isBare(rhs) && !compares(lhs));
  if (isBitwise && isOdd && !scope.isCalled())
    diags.report(DiagId::BitAndComparison, expr.nameRange,
                 {getSpelling(expr.op).str()});
  return success();
}

/// `0 <= i < 4`, where what is compared with a truth value is a number.
bool ExprLowering::isComparisonChain(const ast::Expr &expr) const {
  auto compares = [](const ast::Expr &each) {
    return each.kind == ast::Expr::Kind::Binary &&
           getPrecedence(each.op) == getPrecedence(TokenKind::Less);
  };
  if (!compares(expr) || !compares(*expr.operands[0]))
    return false;
  const ast::Expr &last = *expr.operands[1];
  return last.kind == ast::Expr::Kind::Number ||
         (last.kind == ast::Expr::Kind::Name && !scope.findTensor(last.text) &&
          !scope.constants.contains(last.text));
}

/// Linear arithmetic on indices and sizes is another such, as in subscripts.
std::optional<Affine>
ExprLowering::foldPosition(std::optional<UnaryFn> unary,
                           std::optional<BinaryFn> binary,
                           ArrayRef<ExprId> operands) const {
  bool anyPosition = false;
  SmallVector<Affine, 2> values;
  for (ExprId id : operands) {
    const Expr &expr = scope.def[id];
    auto literal = builder.result.types.literals.find(id);
    int64_t integer;
    if (expr.kind == ExprKind::Position) {
      anyPosition = true;
      values.push_back(expr.subscripts.front());
    } else if (literal != builder.result.types.literals.end() &&
               !literal->second.isNegated &&
               literal->second.type.value_or(ElementType::Index) ==
                   ElementType::Index &&
               !StringRef(literal->second.digits).getAsInteger(10, integer)) {
      values.push_back(Affine(integer));
    } else {
      return std::nullopt;
    }
  }
  if (!anyPosition)
    return std::nullopt;
  Affine result;
  if (values.size() == 1 && unary == UnaryFn::Neg)
    result = values[0] * -1;
  else if (values.size() == 2 && binary == BinaryFn::Add)
    result = values[0] + values[1];
  else if (values.size() == 2 && binary == BinaryFn::Sub)
    result = values[0] - values[1];
  else if (values.size() == 2 && binary == BinaryFn::Mul &&
           values[0].isConstant())
    result = values[1] * values[0].getConstant();
  else if (values.size() == 2 && binary == BinaryFn::Mul &&
           values[1].isConstant())
    result = values[0] * values[1].getConstant();
  else
    return std::nullopt;
  if (result.hasOverflowed())
    return std::nullopt;
  return result;
}

/// An operator, or a function by its name.
FailureOr<ExprId> ExprLowering::lowerFunction(const ast::Expr &expr,
                                              StringRef name) {
  std::optional<UnaryFn> unary = findUnaryFn(name);
  std::optional<BinaryFn> binary = findBinaryFn(name);
  size_t numOperands = expr.operands.size();
  if (!(unary && numOperands == 1) && !(binary && numOperands == 2)) {
    DiagnosticBuilder report =
        diags.report(DiagId::WrongArity, expr.nameRange,
                     {name.str(), count(unary ? 1 : 2, "argument"),
                      std::to_string(numOperands)});
    if (takesAngleBrackets(name) && numOperands == 1)
      report.note(DiagId::ReduceInstead, expr.nameRange,
                  {name.str() + "<k>(…)"});
    return report;
  }
  if (failed(checkComparisons(expr)))
    return failure();
  if (isComparisonChain(expr)) {
    DiagnosticBuilder report =
        diags.report(DiagId::ComparisonChain, expr.nameRange);
    const ast::Expr &middle = *expr.operands[0]->operands[1];
    if (middle.kind == ast::Expr::Kind::Name ||
        middle.kind == ast::Expr::Kind::Number)
      report.fixIt({expr.nameRange.begin, expr.nameRange.begin},
                   "&& " + middle.text + " ");
    return report;
  }
  SmallVector<ExprId, 2> operands;
  for (const ast::ExprPtr &operand : expr.operands) {
    FailureOr<ExprId> id = lower(*operand);
    if (succeeded(id))
      operands.push_back(*id);
  }
  if (operands.size() != numOperands)
    return failure();

  if (std::optional<Affine> position = foldPosition(unary, binary, operands))
    return builder.addPosition(std::move(*position), expr.range);
  Expr result;
  result.range = expr.range;
  result.kind = numOperands == 1 ? ExprKind::Unary : ExprKind::Binary;
  result.lhs = operands.front();
  if (numOperands == 1) {
    result.unary = *unary;
    auto literal = builder.result.types.literals.find(result.lhs);
    if (*unary == UnaryFn::Neg &&
        literal != builder.result.types.literals.end())
      literal->second.isNegated = true;
  } else {
    result.binary = *binary;
    result.rhs = operands.back();
  }
  ExprId id = builder.add(std::move(result));
  if (failed(builder.types.decideOperandType(id)))
    return failure();
  return id;
}

/// condition ? lhs : rhs
FailureOr<ExprId> ExprLowering::lowerConditional(const ast::Expr &expr) {
  SmallVector<ExprId, 3> operands;
  for (const ast::ExprPtr &operand : expr.operands) {
    FailureOr<ExprId> id = lower(*operand);
    if (succeeded(id))
      operands.push_back(*id);
  }
  if (operands.size() != 3 ||
      failed(builder.types.assignType(operands[0], ElementType::Bool,
                                      "a condition")))
    return failure();
  Expr select;
  select.kind = ExprKind::Select;
  select.range = expr.range;
  select.condition = operands[0];
  select.lhs = operands[1];
  select.rhs = operands[2];
  return builder.add(std::move(select));
}

//===----------------------------------------------------------------------===//
// All of the right side
//===----------------------------------------------------------------------===//

/// An index may be a value before it is a subscript, so subscripts are looked
/// through first.
static void collectSubscriptNames(const DefScope &scope, const ast::Expr &expr,
                                  bool isSubscript, StringSet<> &names) {
  if (expr.kind == ast::Expr::Kind::Name && isSubscript)
    names.insert(expr.text);
  bool isAccess = expr.kind == ast::Expr::Kind::Call &&
                  scope.findTensor(expr.text).has_value();
  for (const ast::ExprPtr &operand : expr.operands)
    collectSubscriptNames(scope, *operand, isSubscript || isAccess, names);
}

/// Before ranges are inferred: which loops are round an access decides whether
/// it happens at all.
static void finishSites(const IndexTable &table, CheckedExpr &result) {
  if (result.reductions.empty())
    return;
  std::vector<IndexId> loops;
  for (size_t i = 0, e = table.all.size(); i != e; ++i)
    if (!table.scoped.count(IndexId(i)))
      loops.push_back(IndexId(i));
  for (AccessSite &site : result.sites)
    if (!site.loops)
      site.loops = loops;
}

FailureOr<CheckedExpr> checkExpression(const StatementContext &context,
                                       const ast::Statement &comprehension,
                                       const CheckedTarget &target,
                                       IndexTable &table) {
  auto collectNames = [&](const ast::Expr &expr) {
    collectSubscriptNames(context.scope, expr, /*isSubscript=*/false,
                          table.subscriptNames);
  };
  collectNames(*comprehension.value);
  for (size_t dim : target.site.computedDims)
    collectNames(*(*comprehension.subscripts)[dim]);
  for (const ast::Clause &clause : comprehension.clauses)
    for (const ast::ExprPtr &operand : clause.operands)
      collectNames(*operand);

  CheckedExpr result;
  if (target.hadShape)
    result.sites.push_back(target.site);
  // Under `=`, a scatter writes what is there, and sums nothing.
  if (!target.isScatter)
    result.whole = getWholeReducer(context.scope, target.id, comprehension);
  ExprBuilder builder(context, target, table, result);
  ExprLowering lowering(builder);
  for (size_t dim : target.site.computedDims) {
    FailureOr<ExprId> place =
        lowerPlace(builder, lowering, *(*comprehension.subscripts)[dim]);
    if (failed(place))
      return failure();
    result.targetPlaces.resize(target.site.subscripts.size());
    result.targetPlaces[dim] = *place;
  }
  FailureOr<ExprId> value =
      result.whole
          ? lowerWholeReduction(builder, lowering, comprehension, *result.whole)
          : lowering.lower(*comprehension.value);
  if (failed(value))
    return failure();
  result.value = *value;
  if (failed(lowerClauses(builder, lowering, comprehension)))
    return failure();
  finishSites(table, result);
  return result;
}

} // namespace ein
