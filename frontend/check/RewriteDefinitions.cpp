//===- RewriteDefinitions.cpp - Rewrites: what a where defines ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `x = expr` is replaced in the tree, before names are looked up. Trees are
// copied, so that what they grow to is bounded.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RewriteDefinitions.h"

using namespace llvm;

namespace ein {

namespace {

/// Copies trees with names replaced by what they are defined as.
class DefinitionExpander {
public:
  DefinitionExpander(DiagnosticEngine &diags) : diags(diags) {}

  LogicalResult define(const ast::Name &name, const ast::Expr &value) {
    auto [entry, isNew] =
        definitions.try_emplace(name.text, Definition{name, &value});
    if (isNew)
      return success();
    return diags.report(DiagId::ClauseTwice, name.range, {name.text})
        .note(DiagId::FirstHere, entry->second.name.range);
  }

  FailureOr<ast::ExprPtr> expand(const ast::Expr &expr);

private:
  struct Definition {
    ast::Name name;
    const ast::Expr *value;
    bool isBeingExpanded = false;
  };

  FailureOr<ast::ExprPtr> expandName(const ast::Expr &name,
                                     Definition &definition);

  DiagnosticEngine &diags;
  StringMap<Definition> definitions;
  unsigned depth = 0;
  size_t numNodes = 0;
};

FailureOr<ast::ExprPtr> DefinitionExpander::expandName(const ast::Expr &name,
                                                       Definition &definition) {
  if (definition.isBeingExpanded)
    return diags.report(DiagId::DefinedByItself, definition.name.range,
                        {definition.name.text});
  definition.isBeingExpanded = true;
  FailureOr<ast::ExprPtr> value = expand(*definition.value);
  definition.isBeingExpanded = false;
  return value;
}

FailureOr<ast::ExprPtr> DefinitionExpander::expand(const ast::Expr &expr) {
  constexpr size_t maxNodes = 65536;
  if (++numNodes > maxNodes)
    return diags.report(DiagId::DefinitionsTooLarge, expr.range,
                        {std::to_string(maxNodes)});
  if (expr.kind == ast::Expr::Kind::Name && !expr.isLabel)
    if (auto found = definitions.find(expr.text); found != definitions.end())
      return expandName(expr, found->second);
  if (++depth > ast::maxHeight)
    return diags.report(DiagId::NestingTooDeep, expr.range,
                        {std::to_string(ast::maxHeight)});
  ast::ExprPtr copy = ast::cloneNode(expr);
  for (const ast::ExprPtr &operand : expr.operands) {
    FailureOr<ast::ExprPtr> expanded = expand(*operand);
    if (failed(expanded))
      return failure();
    copy->height = std::max(copy->height, (*expanded)->height + 1);
    copy->operands.push_back(std::move(*expanded));
  }
  --depth;
  return copy;
}

} // namespace

FailureOr<ast::Statement>
expandDefinitions(const DefScope &scope, const ast::Statement &comprehension) {
  DefinitionExpander expander(scope.diags);
  for (const ast::Clause &clause : comprehension.clauses)
    if (clause.kind == ast::Clause::Kind::Let &&
        (failed(checkClauseName(scope, clause.name)) ||
         failed(expander.define(clause.name, *clause.operands[0]))))
      return failure();

  ast::Statement expanded;
  expanded.target = comprehension.target;
  expanded.op = comprehension.op;
  expanded.opRange = comprehension.opRange;
  expanded.range = comprehension.range;
  expanded.groups = comprehension.groups;
  auto expandAll = [&](ArrayRef<ast::ExprPtr> from,
                       std::vector<ast::ExprPtr> &to) -> LogicalResult {
    for (const ast::ExprPtr &expr : from) {
      FailureOr<ast::ExprPtr> copy = expander.expand(*expr);
      if (failed(copy))
        return failure();
      to.push_back(std::move(*copy));
    }
    return success();
  };
  if (comprehension.subscripts &&
      failed(
          expandAll(*comprehension.subscripts, expanded.subscripts.emplace())))
    return failure();
  FailureOr<ast::ExprPtr> value = expander.expand(*comprehension.value);
  if (failed(value))
    return failure();
  expanded.value = std::move(*value);
  for (const ast::Clause &clause : comprehension.clauses) {
    if (clause.kind == ast::Clause::Kind::Let)
      continue;
    expanded.clauses.push_back({clause.kind, clause.name, {}});
    if (failed(expandAll(clause.operands, expanded.clauses.back().operands)))
      return failure();
  }
  return expanded;
}

LogicalResult checkClauseName(const DefScope &scope, const ast::Name &name) {
  if (std::optional<StringRef> noun = scope.getConstantNoun(name.text))
    return scope.diags.report(DiagId::ClauseName, name.range,
                              {name.text, noun->str()});
  if (scope.findTensor(name.text))
    return scope.diags.report(DiagId::ClauseName, name.range,
                              {name.text, "a tensor"});
  return success();
}

} // namespace ein
