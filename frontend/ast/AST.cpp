//===- AST.cpp - What was written -----------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/ast/AST.h"
#include <algorithm>

namespace ein::ast {

bool isEinsum(const Expr &expr) {
  if (expr.kind != Expr::Kind::Call)
    return false;
  bool hasString =
      !expr.operands.empty() && expr.operands[0]->kind == Expr::Kind::String;
  return expr.text == "einsum" || (expr.text == "contract" && hasString);
}

ExprPtr makeName(std::string text, SourceRange range, bool isLabel) {
  auto expr = std::make_unique<Expr>();
  expr->kind = Expr::Kind::Name;
  expr->text = std::move(text);
  expr->range = expr->nameRange = range;
  expr->isLabel = isLabel;
  return expr;
}

ExprPtr makeCall(Name name, SourceRange range, std::vector<ExprPtr> args) {
  auto expr = std::make_unique<Expr>();
  expr->kind = Expr::Kind::Call;
  expr->text = std::move(name.text);
  expr->nameRange = name.range;
  expr->range = range;
  for (const ExprPtr &arg : args)
    expr->height = std::max(expr->height, arg->height + 1);
  expr->operands = std::move(args);
  return expr;
}

ExprPtr makeNumber(int64_t value, SourceRange range) {
  auto expr = std::make_unique<Expr>();
  expr->kind = Expr::Kind::Number;
  expr->op = TokenKind::Integer;
  expr->text = std::to_string(value);
  expr->range = expr->nameRange = range;
  return expr;
}

ExprPtr makeBinary(TokenKind op, SourceRange opRange, ExprPtr lhs,
                   ExprPtr rhs) {
  auto expr = std::make_unique<Expr>();
  expr->kind = Expr::Kind::Binary;
  expr->op = op;
  expr->nameRange = opRange;
  expr->range = {lhs->range.begin, rhs->range.end};
  expr->height = std::max(lhs->height, rhs->height) + 1;
  expr->operands.push_back(std::move(lhs));
  expr->operands.push_back(std::move(rhs));
  return expr;
}

ExprPtr makeUnary(TokenKind op, SourceRange opRange, ExprPtr operand) {
  auto expr = std::make_unique<Expr>();
  expr->kind = Expr::Kind::Unary;
  expr->op = op;
  expr->nameRange = opRange;
  expr->range = {opRange.begin, operand->range.end};
  expr->height = operand->height + 1;
  expr->operands.push_back(std::move(operand));
  return expr;
}

ExprPtr makeConditional(SourceRange opRange, ExprPtr condition, ExprPtr lhs,
                        ExprPtr rhs) {
  auto expr = std::make_unique<Expr>();
  expr->kind = Expr::Kind::Conditional;
  expr->nameRange = opRange;
  expr->range = {condition->range.begin, rhs->range.end};
  expr->height = 1 + std::max({condition->height, lhs->height, rhs->height});
  expr->operands.push_back(std::move(condition));
  expr->operands.push_back(std::move(lhs));
  expr->operands.push_back(std::move(rhs));
  return expr;
}

ExprPtr makeLiteral(std::string text, SourceRange range, TokenKind kind) {
  auto expr = std::make_unique<Expr>();
  expr->kind = Expr::Kind::Number;
  expr->op = kind;
  expr->text = std::move(text);
  expr->range = expr->nameRange = range;
  return expr;
}

ExprPtr makeElement(std::string name, unsigned number, SourceRange range) {
  auto expr = std::make_unique<Expr>();
  expr->kind = Expr::Kind::Element;
  expr->text = std::move(name);
  expr->range = expr->nameRange = range;
  expr->height = 2;
  expr->operands.push_back(makeLiteral(std::to_string(number), range));
  return expr;
}

ExprPtr makeCast(Name name, Name type, ExprPtr operand) {
  auto expr = std::make_unique<Expr>();
  expr->kind = Expr::Kind::Cast;
  expr->text = std::move(name.text);
  expr->nameRange = name.range;
  expr->range = name.range;
  expr->height = operand->height + 1;
  expr->type = std::move(type);
  expr->operands.push_back(std::move(operand));
  return expr;
}

ExprPtr cloneNode(const Expr &expr) {
  auto copy = std::make_unique<Expr>();
  copy->kind = expr.kind;
  copy->range = expr.range;
  copy->text = expr.text;
  copy->nameRange = expr.nameRange;
  copy->op = expr.op;
  copy->isLabel = expr.isLabel;
  copy->type = expr.type;
  copy->labels = expr.labels;
  for (const ExprPtr &index : expr.indices)
    copy->indices.push_back(clone(*index));
  for (const NamedArgument &argument : expr.named)
    copy->named.push_back({argument.name, clone(*argument.value)});
  return copy;
}

ExprPtr clone(const Expr &expr) {
  ExprPtr copy = cloneNode(expr);
  copy->height = expr.height;
  for (const ExprPtr &operand : expr.operands)
    copy->operands.push_back(clone(*operand));
  return copy;
}

} // namespace ein::ast
