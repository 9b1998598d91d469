//===- OpenRank.cpp - Defs for tensors of any rank ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/OpenRank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

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

/// The attribute that `...order` or `...-some` names; empty for all dims.
static StringRef getListName(const ast::Expr &ellipsis) {
  StringRef name = StringRef(ellipsis.text).drop_front(3);
  name.consume_front("-");
  return name;
}

static bool isWithout(const ast::Expr &ellipsis) {
  return StringRef(ellipsis.text).starts_with("...-");
}

size_t countMissingDims(const ast::Type &type, const DimLists &lists) {
  for (const ast::ExprPtr &dim : type.dims)
    if (isEllipsis(*dim) && isWithout(*dim))
      return lists.lookup(getListName(*dim)).size();
  return 0;
}

/// Dims may be counted from the end, -1 is the last.
static std::vector<size_t> getDims(ArrayRef<int64_t> list, size_t rank) {
  std::vector<size_t> dims;
  for (int64_t dim : list)
    dims.push_back(dim < 0 ? dim + static_cast<int64_t>(rank) : dim);
  return dims;
}

/// The dynamic dims that an ellipsis stands for.
static std::vector<size_t> getDims(const ast::Expr &ellipsis, size_t rank,
                                   const DimLists &lists) {
  auto range = llvm::seq<size_t>(0, rank);
  std::vector<size_t> all(range.begin(), range.end());
  if (getListName(ellipsis).empty())
    return all;
  std::vector<size_t> listed =
      getDims(lists.lookup(getListName(ellipsis)), rank);
  if (!isWithout(ellipsis))
    return listed;
  llvm::erase_if(all,
                 [&](size_t dim) { return llvm::is_contained(listed, dim); });
  return all;
}

/// The first attribute that a reduction goes along, `cumsum<axis>(…)`, without
/// listing dims.
static std::optional<StringRef> findBadReduction(const ast::Def &def,
                                                 const ast::Expr &expr,
                                                 size_t rank,
                                                 const DimLists &lists) {
  for (const ast::ExprPtr &index : expr.indices) {
    auto attribute =
        llvm::find_if(def.attributes, [&](const ast::Attribute &candidate) {
          return candidate.name.text == index->text;
        });
    if (attribute == def.attributes.end())
      continue;
    std::vector<size_t> dims = getDims(lists.lookup(index->text), rank);
    llvm::sort(dims);
    if (dims.empty() || dims.back() >= rank ||
        llvm::adjacent_find(dims) != dims.end())
      return attribute->name.text;
  }
  for (const ast::ExprPtr &operand : expr.operands)
    if (std::optional<StringRef> bad =
            findBadReduction(def, *operand, rank, lists))
      return bad;
  return std::nullopt;
}

std::optional<StringRef> findBadList(const ast::Def &def, size_t rank,
                                     const DimLists &lists) {
  auto isBad = [&](const ast::Expr &ellipsis) {
    if (!isEllipsis(ellipsis) || getListName(ellipsis).empty())
      return false;
    std::vector<size_t> dims =
        getDims(lists.lookup(getListName(ellipsis)), rank);
    llvm::sort(dims);
    bool areDistinct = llvm::adjacent_find(dims) == dims.end();
    return !areDistinct || (!dims.empty() && dims.back() >= rank) ||
           (isWithout(ellipsis) ? dims.empty() : dims.size() != rank);
  };
  // What the signature lists, or else the left sides.
  for (const std::vector<ast::Param> *params : {&def.params, &def.results})
    for (const ast::Param &param : *params)
      if (param.type)
        for (const ast::ExprPtr &dim : param.type->dims)
          if (isBad(*dim))
            return getListName(*dim);
  for (const ast::Statement &statement : def.statements)
    if (statement.subscripts)
      for (const ast::ExprPtr &subscript : *statement.subscripts)
        if (isBad(*subscript))
          return getListName(*subscript);
  for (const ast::Statement &statement : def.statements)
    if (std::optional<StringRef> bad =
            findBadReduction(def, *statement.value, rank, lists))
      return bad;
  return std::nullopt;
}

/// Not to be written, and so not taken.
std::string getOpenSizeName(size_t dim) { return "." + std::to_string(dim); }
static std::string getOpenIndexName(size_t dim) {
  return "d" + std::to_string(dim);
}

namespace {
class Expander {
public:
  Expander(size_t rank, const DimLists &lists) : rank(rank), lists(lists) {}

  std::vector<ast::ExprPtr> expand(ArrayRef<ast::ExprPtr> exprs,
                                   bool areDims) const;
  ast::ExprPtr expand(const ast::Expr &expr) const;
  ast::Type expand(const ast::Type &type) const;
  ast::Param expand(const ast::Param &param) const;
  ast::Statement expand(const ast::Statement &statement) const;

private:
  size_t rank;
  const DimLists &lists;
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
    for (size_t i : getDims(*expr, rank, lists))
      result.push_back(ast::makeName(
          areDims ? getOpenSizeName(i) : getOpenIndexName(i), expr->range,
          /*isLabel=*/!areDims));
  }
  return result;
}

ast::ExprPtr Expander::expand(const ast::Expr &expr) const {
  ast::ExprPtr copy = ast::clone(expr);
  copy->operands = expand(expr.operands, /*areDims=*/false);
  copy->indices.clear();
  for (const ast::ExprPtr &index : expr.indices) {
    auto list = lists.find(index->text);
    if (list == lists.end()) {
      copy->indices.push_back(ast::clone(*index));
      continue;
    }
    for (size_t dim : getDims(list->second, rank))
      copy->indices.push_back(ast::makeName(getOpenIndexName(dim), index->range,
                                            /*isLabel=*/true));
  }
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
  copy.updateFunction = statement.updateFunction;
  copy.value = expand(*statement.value);
  copy.accumulator = statement.accumulator;
  copy.isUnsigned = statement.isUnsigned;
  copy.groups = statement.groups;
  copy.range = statement.range;
  return copy;
}

ast::Def expandRank(const ast::Def &def, size_t rank, const DimLists &lists) {
  Expander expander(rank, lists);
  ast::Def copy;
  copy.name = def.name;
  copy.generics = def.generics;
  for (const ast::Param &param : def.params)
    copy.params.push_back(expander.expand(param));
  for (const ast::Param &result : def.results)
    copy.results.push_back(expander.expand(result));
  for (const ast::Attribute &attribute : def.attributes) {
    ast::Attribute same;
    same.name = attribute.name;
    same.isOptional = attribute.isOptional;
    same.element = attribute.element;
    same.length = attribute.length;
    same.range = attribute.range;
    for (const ast::ExprPtr &value : attribute.values)
      same.values.push_back(ast::clone(*value));
    same.function = attribute.function;
    copy.attributes.push_back(std::move(same));
  }
  for (const ast::Statement &statement : def.statements)
    copy.statements.push_back(expander.expand(statement));
  copy.range = def.range;
  return copy;
}

} // namespace ein
