//===- OpenRank.cpp - Defs for tensors of any rank ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/OpenRank.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

std::optional<size_t> countBesideEllipsis(const ast::Type &type) {
  for (const ast::ExprPtr &dim : type.dims)
    if (isEllipsis(*dim))
      return type.dims.size() - 1;
  return std::nullopt;
}

bool hasOpenRank(const ast::Def &def) {
  auto isOpen = [](const ast::Param &param) {
    return param.type && countBesideEllipsis(*param.type);
  };
  return llvm::any_of(def.params, isOpen) || llvm::any_of(def.results, isOpen);
}

/// Not to be written, and so not taken.
std::string getOpenSizeName(size_t dim) { return "..." + std::to_string(dim); }
static std::string getOpenIndexName(size_t dim) {
  return "d" + std::to_string(dim);
}

namespace {
class Expander {
public:
  explicit Expander(size_t rank) : rank(rank) {}

  std::vector<ast::ExprPtr> expand(ArrayRef<ast::ExprPtr> exprs,
                                   bool areDims) const;
  ast::ExprPtr expand(const ast::Expr &expr) const;
  ast::Type expand(const ast::Type &type) const;
  ast::Param expand(const ast::Param &param) const;
  ast::Statement expand(const ast::Statement &statement) const;

private:
  size_t rank;
};
} // namespace

std::vector<ast::ExprPtr> Expander::expand(ArrayRef<ast::ExprPtr> exprs,
                                           bool areDims) const {
  std::vector<ast::ExprPtr> result;
  for (const ast::ExprPtr &expr : exprs) {
    if (!isEllipsis(*expr)) {
      result.push_back(expand(*expr));
      continue;
    }
    // Labels are indices whatever else is called so.
    for (size_t i = 0; i != rank; ++i)
      result.push_back(ast::makeName(
          areDims ? getOpenSizeName(i) : getOpenIndexName(i), expr->range,
          /*isLabel=*/!areDims));
  }
  return result;
}

ast::ExprPtr Expander::expand(const ast::Expr &expr) const {
  ast::ExprPtr copy = ast::clone(expr);
  copy->operands = expand(expr.operands, /*areDims=*/false);
  return copy;
}

ast::Type Expander::expand(const ast::Type &type) const {
  return {type.element, expand(type.dims, /*areDims=*/true), type.range};
}

ast::Param Expander::expand(const ast::Param &param) const {
  ast::Param copy = {param.name, std::nullopt, param.isInOut, param.range};
  if (param.type)
    copy.type = expand(*param.type);
  return copy;
}

ast::Statement Expander::expand(const ast::Statement &statement) const {
  ast::Statement copy;
  copy.let = statement.let;
  copy.target = statement.target;
  copy.moreTargets = statement.moreTargets;
  if (statement.type)
    copy.type = expand(*statement.type);
  if (statement.subscripts)
    copy.subscripts = expand(*statement.subscripts, /*areDims=*/false);
  copy.op = statement.op;
  copy.opRange = statement.opRange;
  copy.value = expand(*statement.value);
  copy.accumulator = statement.accumulator;
  copy.groups = statement.groups;
  copy.range = statement.range;
  return copy;
}

ast::Def expandRank(const ast::Def &def, size_t rank) {
  Expander expander(rank);
  ast::Def copy;
  copy.name = def.name;
  copy.generics = def.generics;
  for (const ast::Param &param : def.params)
    copy.params.push_back(expander.expand(param));
  for (const ast::Param &result : def.results)
    copy.results.push_back(expander.expand(result));
  for (const ast::Attribute &attribute : def.attributes) {
    ast::Attribute same = {attribute.name,   attribute.isOptional,
                           attribute.element, attribute.length,
                           {},                attribute.range};
    for (const ast::ExprPtr &value : attribute.values)
      same.values.push_back(ast::clone(*value));
    copy.attributes.push_back(std::move(same));
  }
  for (const ast::Statement &statement : def.statements)
    copy.statements.push_back(expander.expand(statement));
  copy.range = def.range;
  return copy;
}

} // namespace ein
