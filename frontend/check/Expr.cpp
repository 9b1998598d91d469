//===- Expr.cpp - Expressions: names, calls and operators -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Statement.h"
#include "frontend/prelude/Library.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

/// The tree of a derived function, every node of which is at `range`.
static ast::ExprPtr parseFunctionBody(StringRef body, SourceRange range) {
  SourceFile file("Functions.def", ("x = " + body).str());
  DiagnosticEngine diags;
  ast::Module module = parseSource(file, SourceForm::File, diags);
  ast::ExprPtr value = std::move(module.defs.front().statements.front().value);
  std::vector<ast::Expr *> work = {value.get()};
  while (!work.empty()) {
    ast::Expr &expr = *work.back();
    work.pop_back();
    expr.range = expr.nameRange = range;
    for (const ast::ExprPtr &operand : expr.operands)
      work.push_back(operand.get());
  }
  return value;
}

ExprId StatementChecker::addExpr(Expr expr) {
  scope.def.exprs.push_back(std::move(expr));
  return ExprId(scope.def.exprs.size() - 1);
}

FailureOr<ExprId> StatementChecker::lower(const ast::Expr &expr) {
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
      return lowerCast(expr, *expr.type, *function == "cast_unsigned");
    return failure();
  case ast::Expr::Kind::Unary:
  case ast::Expr::Kind::Binary:
    return lowerFunction(expr, getSpelling(expr.op));
  case ast::Expr::Kind::Conditional:
    return lowerConditional(expr);
  case ast::Expr::Kind::Reduce:
    return lowerReduction(expr);
  }
  llvm_unreachable("a kind of expression that is none");
}

FailureOr<ExprId> StatementChecker::lowerNumber(const ast::Expr &expr) {
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
  ExprId id = addExpr(std::move(result));
  literals.try_emplace(id, PendingLiteral{digits.str(), type});
  return id;
}

//===----------------------------------------------------------------------===//
// Names and calls
//===----------------------------------------------------------------------===//

/// An attribute or a bound scalar: a literal of its type.
FailureOr<ExprId> StatementChecker::lowerConstant(const Constant &constant,
                                                  const ast::Expr &expr) {
  FailureOr<Constant::Value> value = scope.getConstant(constant, expr);
  if (failed(value))
    return failure();
  Expr literal;
  literal.kind = ExprKind::Literal;
  literal.range = expr.range;
  literal.type = constant.type;
  ExprId id = addExpr(std::move(literal));
  literals.try_emplace(
      id, PendingLiteral{value->digits, constant.type, value->isNegated});
  if (!value->isNegated)
    return id;
  Expr negation;
  negation.kind = ExprKind::Unary;
  negation.range = expr.range;
  negation.unary = UnaryFn::Neg;
  negation.lhs = id;
  return addExpr(std::move(negation));
}

/// `strides.0`, or the extent of a dim.
FailureOr<ExprId> StatementChecker::lowerElement(const ast::Expr &expr) {
  auto constant = scope.constants.find(expr.text);
  if (constant != scope.constants.end())
    return lowerConstant(constant->second, expr);
  FailureOr<Affine> extent = scope.resolveElement(expr);
  if (failed(extent))
    return failure();
  return addPosition(*extent, expr.range);
}

FailureOr<ExprId> StatementChecker::lowerName(const ast::Expr &expr) {
  if (parameterValues) {
    ExprId id = parameterValues->lookup(expr.text);
    unsigned room = maxCopied;
    return usedParameters.insert(id).second ? id : *copySmall(id, room);
  }
  auto constant = scope.constants.find(expr.text);
  if (constant != scope.constants.end() && !expr.isLabel)
    return lowerConstant(constant->second, expr);
  if (std::optional<TensorId> tensor = scope.findTensor(expr.text))
    return lowerAccess(*tensor, expr);
  auto symbol = scope.symbols.find(expr.text);
  if (!scope.isImplicit && symbol != scope.symbols.end())
    return addPosition(symbol->second, expr.range);
  if (indices.count(expr.text) || ranges.count(expr.text) ||
      subscriptNames.contains(expr.text))
    return addPosition(addIndex(expr, /*isReduction=*/true), expr.range);
  StringRef body = getConstantBody(expr.text);
  if (!body.empty() && !scope.targets.count(expr.text))
    return lowerBody(body, {}, expr.range);
  return reportUnknown(expr);
}

/// An integer of type index, as a value. A size has a twin before it, for the
/// cast that it becomes where its context is of a floating-point type.
ExprId StatementChecker::addPosition(Affine value, SourceRange range) {
  bool isSize = value.getIndexTerms().empty();
  Expr position;
  position.kind = ExprKind::Position;
  position.range = range;
  position.type = ElementType::Index;
  position.subscripts.push_back(std::move(value));
  if (!isSize)
    return addExpr(std::move(position));
  ExprId twin = addExpr(Expr(position)), id = addExpr(std::move(position));
  sizeTwins.try_emplace(id, twin);
  return id;
}

/// An index may be a value before it is a subscript, so subscripts are looked
/// through first.
void StatementChecker::collectSubscriptNames(const ast::Expr &expr,
                                             bool isSubscript) {
  if (expr.kind == ast::Expr::Kind::Name && isSubscript)
    subscriptNames.insert(expr.text);
  bool isAccess = expr.kind == ast::Expr::Kind::Call &&
                  scope.findTensor(expr.text).has_value();
  for (const ast::ExprPtr &operand : expr.operands)
    collectSubscriptNames(*operand, isSubscript || isAccess);
}

/// `dim(A, 0)`, the extent of a dim.
FailureOr<ExprId> StatementChecker::lowerDim(const ast::Expr &expr) {
  FailureOr<Affine> extent = scope.resolveDim(expr);
  if (failed(extent))
    return failure();
  return addPosition(*extent, expr.range);
}

/// Only defs and einsum have arguments with names: an access or a function that
/// is given one has been taken for something else.
LogicalResult StatementChecker::checkNoNamed(const ast::Expr &expr) {
  LogicalResult result = success();
  bool isKnown = expr.kind == ast::Expr::Kind::Call &&
                 (scope.findTensor(expr.text) || isFunction(expr.text) ||
                  scope.findElementType(expr.text));
  if (isKnown)
    for (const ast::NamedArgument &argument : expr.named)
      result = diags.report(DiagId::ArgumentUnknown, argument.name.range,
                            {expr.text, argument.name.text});
  for (const ast::ExprPtr &operand : expr.operands)
    if (failed(checkNoNamed(*operand)))
      result = failure();
  return result;
}

FailureOr<ExprId> StatementChecker::lowerCall(const ast::Expr &expr) {
  std::optional<TensorId> tensor = scope.findTensor(expr.text);
  if (tensor && !parameterValues)
    return lowerAccess(*tensor, expr);
  FailureOr<std::string> name =
      scope.resolveFunction({expr.text, expr.nameRange});
  if (failed(name))
    return failure();
  if (std::optional<BinaryFn> function = findUnsignedFn(*name))
    return lowerUnsigned(expr, *name, *function);
  if (findUnaryFn(*name) || findBinaryFn(*name))
    return lowerFunction(expr, *name);
  if (const DerivedFn *derived = findDerivedFn(*name))
    return lowerDerived(expr, *derived);
  if (std::optional<bool> isUnsigned = findTargetCast(*name))
    return lowerTargetCast(expr, *isUnsigned);
  if (ast::isEinsum(expr))
    return diags.report(DiagId::EinsumNotAlone, expr.nameRange);
  if (scope.targets.count(expr.text))
    return reportUnknown(expr);
  if (expr.text == "dim")
    return lowerDim(expr);
  if (expr.text == "pad")
    return lowerOutside(expr, Outside::Padded);
  if (expr.text == "clamp")
    return lowerOutside(expr, Outside::Clamped);
  if (expr.text == "rng")
    return lowerRng(expr);
  if (scope.findElementType(expr.text))
    return lowerCast(expr, {expr.text, expr.nameRange}, /*isUnsigned=*/false);
  if (scope.builder.callees.has(expr.text))
    return reportCallInExpression(expr);
  return reportUnknown(expr);
}

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
LogicalResult StatementChecker::checkComparisons(const ast::Expr &expr) {
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
bool StatementChecker::isComparisonChain(const ast::Expr &expr) const {
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
StatementChecker::foldPosition(std::optional<UnaryFn> unary,
                               std::optional<BinaryFn> binary,
                               ArrayRef<ExprId> operands) const {
  bool anyPosition = false;
  SmallVector<Affine, 2> values;
  for (ExprId id : operands) {
    const Expr &expr = scope.def[id];
    auto literal = literals.find(id);
    int64_t integer;
    if (expr.kind == ExprKind::Position) {
      anyPosition = true;
      values.push_back(expr.subscripts.front());
    } else if (literal != literals.end() && !literal->second.isNegated &&
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
FailureOr<ExprId> StatementChecker::lowerFunction(const ast::Expr &expr,
                                                  StringRef name) {
  std::optional<UnaryFn> unary = findUnaryFn(name);
  std::optional<BinaryFn> binary = findBinaryFn(name);
  size_t numOperands = expr.operands.size();
  if (!(unary && numOperands == 1) && !(binary && numOperands == 2)) {
    DiagnosticBuilder builder =
        diags.report(DiagId::WrongArity, expr.nameRange,
                     {name.str(), count(unary ? 1 : 2, "argument"),
                      std::to_string(numOperands)});
    if (takesAngleBrackets(name) && numOperands == 1)
      builder.note(DiagId::ReduceInstead, expr.nameRange,
                   {name.str() + "<k>(…)"});
    return builder;
  }
  if (failed(checkComparisons(expr)))
    return failure();
  if (isComparisonChain(expr)) {
    DiagnosticBuilder builder =
        diags.report(DiagId::ComparisonChain, expr.nameRange);
    const ast::Expr &middle = *expr.operands[0]->operands[1];
    if (middle.kind == ast::Expr::Kind::Name ||
        middle.kind == ast::Expr::Kind::Number)
      builder.fixIt({expr.nameRange.begin, expr.nameRange.begin},
                    "&& " + middle.text + " ");
    return builder;
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
    return addPosition(std::move(*position), expr.range);
  Expr result;
  result.range = expr.range;
  result.kind = numOperands == 1 ? ExprKind::Unary : ExprKind::Binary;
  result.lhs = operands.front();
  if (numOperands == 1) {
    result.unary = *unary;
    auto literal = literals.find(result.lhs);
    if (*unary == UnaryFn::Neg && literal != literals.end())
      literal->second.isNegated = true;
  } else {
    result.binary = *binary;
    result.rhs = operands.back();
  }
  ExprId id = addExpr(std::move(result));
  if (failed(decideOperandType(id)))
    return failure();
  return id;
}

/// ods-gen's `std_extf(x)`, which has no word for the type. A target without a
/// type has that of what it is given.
FailureOr<ExprId> StatementChecker::lowerTargetCast(const ast::Expr &expr,
                                                    bool isUnsigned) {
  if (scope.states[statement.target.value].hasType) {
    StringRef type = getSpelling(scope.def[statement.target].type);
    return lowerCast(expr, {type.str(), expr.nameRange}, isUnsigned);
  }
  if (expr.operands.size() == 1)
    return lower(*expr.operands[0]);
  return diags.report(
      DiagId::WrongArity, expr.nameRange,
      {expr.text, count(1, "argument"), std::to_string(expr.operands.size())});
}

/// How often a parameter of one letter is in a body.
static unsigned countUses(StringRef body, StringRef name) {
  unsigned number = 0;
  while (!body.empty()) {
    StringRef word = body.take_while([](char c) { return isAlnum(c); });
    number += word == name;
    body = body.drop_front(std::max<size_t>(word.size(), 1));
  }
  return number;
}

/// What is small enough to be computed once more, which is `id` or the element
/// of a temporary that holds it.
FailureOr<ExprId> StatementChecker::makeRepeatable(ExprId id,
                                                   const ast::Expr &expr) {
  unsigned room = maxCopied;
  if (copySmall(id, room))
    return id;
  SmallVector<ExprId> typed;
  collectTyped(id, typed);
  FailureOr<ElementType> joined = joinTyped(typed, scope.options.defaultType);
  if (failed(joined))
    return failure();
  return addReduction(expr, UpdateKind::Assign, id, {},
                      getAccumulator(*joined));
}

/// The body with the operands, lowered once, in place of the parameters.
FailureOr<ExprId> StatementChecker::lowerDerived(const ast::Expr &expr,
                                                 const DerivedFn &function) {
  SmallVector<StringRef> parameters;
  function.parameters.split(parameters, ' ');
  if (expr.operands.size() != parameters.size())
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {expr.text, count(parameters.size(), "argument"),
                         std::to_string(expr.operands.size())});
  StringMap<ExprId> arguments;
  for (auto [name, operand] : llvm::zip_equal(parameters, expr.operands)) {
    FailureOr<ExprId> id = lower(*operand);
    if (failed(id))
      continue;
    FailureOr<ExprId> repeatable = *id;
    if (countUses(function.body, name) > 1)
      repeatable = makeRepeatable(*id, expr);
    if (succeeded(repeatable))
      arguments[name] = *repeatable;
  }
  if (arguments.size() != parameters.size())
    return failure();
  return lowerBody(function.body, arguments, expr.range);
}

FailureOr<ExprId>
StatementChecker::lowerBody(StringRef text, const StringMap<ExprId> &arguments,
                            SourceRange range) {
  ast::ExprPtr body = parseFunctionBody(text, range);
  const StringMap<ExprId> *outer = std::exchange(parameterValues, &arguments);
  FailureOr<ExprId> result = lower(*body);
  parameterValues = outer;
  return result;
}

/// A tree once more, if it is small.
std::optional<ExprId> StatementChecker::copySmall(ExprId id, unsigned &room) {
  if (room == 0)
    return std::nullopt;
  --room;
  Expr copy = scope.def[id];
  if (!copy.places.empty())
    return std::nullopt;
  for (ExprId *operand : {&copy.condition, &copy.lhs, &copy.rhs}) {
    if (!operand->isValid())
      continue;
    std::optional<ExprId> copied = copySmall(*operand, room);
    if (!copied)
      return std::nullopt;
    *operand = *copied;
  }
  ExprId result = addExpr(std::move(copy));
  if (auto literal = literals.find(id); literal != literals.end())
    literals.emplace(result, PendingLiteral(literal->second));
  return result;
}

/// `rng(min, max, seed)`: a linear congruential generator that takes in one
/// index on the left after the other, as linalg.fill_rng_2d does for two.
FailureOr<ExprId> StatementChecker::lowerRng(const ast::Expr &expr) {
  if (expr.operands.size() != 3)
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {expr.text, count(3, "argument"),
                         std::to_string(expr.operands.size())});
  SmallVector<ExprId, 3> operands;
  for (const ast::ExprPtr &operand : expr.operands) {
    FailureOr<ExprId> id = lower(*operand);
    if (succeeded(id))
      operands.push_back(*id);
  }
  if (operands.size() != 3)
    return failure();
  auto assign = [&](ExprId id, ElementType type) {
    return assignType(id, type, "an operand of `rng`");
  };
  if (failed(assign(operands[0], ElementType::F64)) ||
      failed(assign(operands[1], ElementType::F64)) ||
      failed(assign(operands[2], ElementType::I32)))
    return failure();

  // The least is read twice.
  unsigned room = 8;
  std::optional<ExprId> least = copySmall(operands[0], room);
  if (!least) {
    FailureOr<ExprId> stored = addReduction(expr, UpdateKind::Assign,
                                            operands[0], {}, ElementType::F64);
    if (failed(stored))
      return failure();
    operands[0] = *stored;
    least = addExpr(Expr(scope.def[*stored]));
  }
  StringMap<ExprId> arguments;
  arguments["r"] = operands[2];
  for (IndexId index : statement.targetIndices) {
    arguments["i"] = addPosition(Affine(index), expr.range);
    FailureOr<ExprId> next =
        lowerBody("(i32(i) + r) * 1103515245 + 12345", arguments, expr.range);
    if (failed(next))
      return failure();
    arguments["r"] = *next;
  }
  arguments["a"] = operands[0];
  arguments["b"] = operands[1];
  arguments["c"] = *least;
  FailureOr<ExprId> value = lowerBody("rounded(rounded((f64(r) + 2147483647) * "
                                      "rounded((b - a) * 2.3283064e-10)) + c)",
                                      arguments, expr.range);
  if (failed(value) || failed(assign(*value, ElementType::F64)))
    return failure();
  Expr cast;
  cast.kind = ExprKind::Cast;
  cast.range = expr.range;
  cast.lhs = *value;
  ExprId result = addExpr(std::move(cast));
  openCasts.insert(result);
  return result;
}

/// `max_unsigned`, `min_unsigned` and `div_unsigned`, which take the bits of
/// signed integers for those of unsigned ones. OpDSL needs them, having no
/// signs in its types.
FailureOr<ExprId> StatementChecker::lowerUnsigned(const ast::Expr &expr,
                                                  StringRef name,
                                                  BinaryFn function) {
  if (expr.operands.size() != 2)
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {name.str(), count(2, "argument"),
                         std::to_string(expr.operands.size())});
  FailureOr<ExprId> lhs = lower(*expr.operands[0]);
  FailureOr<ExprId> rhs = lower(*expr.operands[1]);
  if (failed(lhs) || failed(rhs))
    return failure();
  SmallVector<ExprId> typed;
  collectTyped(*lhs, typed);
  collectTyped(*rhs, typed);
  FailureOr<ElementType> type = joinTyped(typed, scope.options.defaultType);
  if (failed(type))
    return failure();
  bool divides = function == BinaryFn::Div || function == BinaryFn::Rem;
  if (divides && !isInteger(*type))
    return diags.report(DiagId::OperatorType, expr.range,
                        {name.str(), getSpelling(*type).str()});
  ElementType bits = getUnsigned(*type);
  if (bits != *type) {
    lhs = addCast(*lhs, *type, bits);
    rhs = addCast(*rhs, *type, bits);
    if (failed(lhs) || failed(rhs))
      return failure();
  }
  Expr result;
  result.kind = ExprKind::Binary;
  result.range = expr.range;
  result.binary = function;
  result.lhs = *lhs;
  result.rhs = *rhs;
  ExprId id = addExpr(std::move(result));
  if (bits == *type)
    return id;
  return addCast(id, bits, *type);
}

/// condition ? lhs : rhs
FailureOr<ExprId> StatementChecker::lowerConditional(const ast::Expr &expr) {
  SmallVector<ExprId, 3> operands;
  for (const ast::ExprPtr &operand : expr.operands) {
    FailureOr<ExprId> id = lower(*operand);
    if (succeeded(id))
      operands.push_back(*id);
  }
  if (operands.size() != 3 ||
      failed(assignType(operands[0], ElementType::Bool, "a condition")))
    return failure();
  Expr select;
  select.kind = ExprKind::Select;
  select.range = expr.range;
  select.condition = operands[0];
  select.lhs = operands[1];
  select.rhs = operands[2];
  return addExpr(std::move(select));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// `A(i, j)`, or the name of something without dims.
FailureOr<ExprId> StatementChecker::lowerAccess(TensorId id,
                                                const ast::Expr &expr) {
  if (failed(checkReadable(id, expr)))
    return failure();
  if (llvm::any_of(expr.operands, [&](const ast::ExprPtr &subscript) {
        return isComputed(*subscript);
      }))
    return lowerGather(id, expr, Outside::Checked);
  FailureOr<AccessSite> site = lowerSite(id, expr);
  if (failed(site))
    return failure();
  Expr access;
  access.kind = ExprKind::Access;
  access.range = expr.range;
  access.tensor = id;
  access.type = scope.def[id].type;
  access.subscripts = site->subscripts;
  sites.push_back(std::move(*site));
  return addExpr(std::move(access));
}

FailureOr<AccessSite> StatementChecker::lowerSite(TensorId id,
                                                  const ast::Expr &expr,
                                                  StringRef what) {
  if (expr.operands.size() != scope.def[id].dims.size())
    return reportRank(id, expr.nameRange, expr.kind == ast::Expr::Kind::Call,
                      expr.operands.size());
  AccessSite site = {id, {}, {}};
  for (const ast::ExprPtr &subscript : expr.operands) {
    FailureOr<Affine> lowered =
        scope.lowerAffine(*subscript, what, [&](const ast::Expr &name) {
          return resolveSubscriptName(name);
        });
    if (failed(lowered))
      return failure();
    site.subscripts.push_back(*lowered);
    site.ranges.push_back(subscript->range);
  }
  return site;
}

LogicalResult StatementChecker::checkReadable(TensorId id,
                                              const ast::Expr &expr) {
  const TensorState &state = scope[id];
  if (state.isBroken)
    return failure();
  if (scope.isWritten(id))
    return success();
  const Tensor &tensor = scope.def[id];
  if (scope.skippedNames.contains(tensor.name))
    return failure();
  DiagnosticBuilder builder =
      diags.report(DiagId::ReadBeforeWritten, expr.nameRange, {tensor.name});
  if (tensor.role == TensorRole::Output && !scope.isCalled())
    builder.note(DiagId::InOutInstead, tensor.range, {tensor.name});
  return builder.note(DiagId::DeclaredHere, tensor.range, {tensor.name});
}

/// An index on the left, a size, or else an index that is reduced over.
FailureOr<Affine>
StatementChecker::resolveSubscriptName(const ast::Expr &name) {
  if (indices.count(name.text) || ranges.count(name.text))
    return addIndex(name, /*isReduction=*/true);
  auto symbol = scope.symbols.find(name.text);
  if (!name.isLabel && !scope.isImplicit && symbol != scope.symbols.end())
    return symbol->second;
  return addIndex(name, /*isReduction=*/true);
}

} // namespace ein
