//===- ExprDerived.cpp - Expressions: functions made of others ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprDerived.h"
#include "frontend/parse/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

ast::ExprPtr parseFunctionBody(StringRef body, SourceRange range) {
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

/// The body with the operands, lowered once, in place of the parameters.
FailureOr<ExprId> lowerDerived(ExprBuilder &builder, ExprLowerer &lowerer,
                               const ast::Expr &expr,
                               const DerivedFn &function) {
  DiagnosticEngine &diags = builder.diags;
  SmallVector<StringRef> parameters;
  function.parameters.split(parameters, ' ');
  if (expr.operands.size() != parameters.size())
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {expr.text, count(parameters.size(), "argument"),
                         std::to_string(expr.operands.size())});
  StringMap<ExprId> arguments;
  for (auto [name, operand] : llvm::zip_equal(parameters, expr.operands)) {
    FailureOr<ExprId> id = lowerer.lower(*operand);
    if (failed(id))
      continue;
    FailureOr<ExprId> repeatable = *id;
    if (countUses(function.body, name) > 1)
      repeatable = builder.makeRepeatable(*id, expr);
    if (succeeded(repeatable))
      arguments[name] = *repeatable;
  }
  if (arguments.size() != parameters.size())
    return failure();
  return lowerer.lowerBody(function.body, arguments, expr.range);
}

FailureOr<ExprId> lowerRng(ExprBuilder &builder, ExprLowerer &lowerer,
                           const ast::Expr &expr) {
  DefScope &scope = builder.scope;
  DiagnosticEngine &diags = builder.diags;
  CheckedExpr &result = builder.result;
  if (expr.operands.size() != 3)
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {expr.text, count(3, "argument"),
                         std::to_string(expr.operands.size())});
  SmallVector<ExprId, 3> operands;
  for (const ast::ExprPtr &operand : expr.operands) {
    FailureOr<ExprId> id = lowerer.lower(*operand);
    if (succeeded(id))
      operands.push_back(*id);
  }
  if (operands.size() != 3)
    return failure();
  auto assign = [&](ExprId id, ElementType type) {
    return builder.types.assignType(id, type, "an operand of `rng`");
  };
  if (failed(assign(operands[0], ElementType::F64)) ||
      failed(assign(operands[1], ElementType::F64)) ||
      failed(assign(operands[2], ElementType::I32)))
    return failure();

  // The least is read twice.
  unsigned room = 8;
  std::optional<ExprId> least = builder.copySmall(operands[0], room);
  if (!least) {
    FailureOr<ExprId> stored = builder.addReduction(
        expr, UpdateKind::Assign, operands[0], {}, ElementType::F64);
    if (failed(stored))
      return failure();
    operands[0] = *stored;
    least = builder.add(Expr(scope.def[*stored]));
  }
  StringMap<ExprId> arguments;
  arguments["r"] = operands[2];
  for (IndexId index : builder.target.indices) {
    arguments["i"] = builder.addPosition(Affine(index), expr.range);
    FailureOr<ExprId> next = lowerer.lowerBody(
        "(i32(i) + r) * 1103515245 + 12345", arguments, expr.range);
    if (failed(next))
      return failure();
    arguments["r"] = *next;
  }
  arguments["a"] = operands[0];
  arguments["b"] = operands[1];
  arguments["c"] = *least;
  FailureOr<ExprId> value =
      lowerer.lowerBody("rounded(rounded((f64(r) + 2147483647) * "
                        "rounded((b - a) * 2.3283064e-10)) + c)",
                        arguments, expr.range);
  if (failed(value) || failed(assign(*value, ElementType::F64)))
    return failure();
  Expr cast;
  cast.kind = ExprKind::Cast;
  cast.range = expr.range;
  cast.lhs = *value;
  ExprId open = builder.add(std::move(cast));
  result.types.openCasts.insert(open);
  return open;
}

} // namespace ein
