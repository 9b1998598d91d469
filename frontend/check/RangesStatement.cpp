//===- RangesStatement.cpp - The ranges of a statement --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RangesStatement.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

namespace {

class RangeChecker : StatementContext {
public:
  RangeChecker(const StatementContext &context, Statement &statement,
               CheckedTarget &target, CheckedExpr &expr, IndexTable &table)
      : StatementContext(context), statement(statement), target(target),
        expr(expr), table(table) {}

  LogicalResult check();

private:
  std::string findOutsideDim(IndexId index) const;
  void explainNoRange(DiagnosticBuilder &builder, IndexId index);
  LogicalResult takeStart(const RangeStart &start);
  void warnOfStarts(ArrayRef<RangeStart> starts);
  void shiftIndices(ArrayRef<RangeStart> starts);

  Statement &statement;
  CheckedTarget &target;
  CheckedExpr &expr;
  IndexTable &table;
};

} // namespace

/// The first dim of what `pad` and `clamp` read that has the index in it, as
/// `A.0`; nothing if there is none.
std::string RangeChecker::findOutsideDim(IndexId index) const {
  for (const AccessSite &site : expr.outsideSites)
    for (auto [dim, subscript] : llvm::enumerate(site.subscripts))
      if (subscript.getCoefficient(index) != 0)
        for (const auto &tensor : scope.tensors)
          if (tensor.second == site.tensor)
            return (tensor.getKey() + "." + Twine(dim)).str();
  return "";
}

/// A computed subscript bounds nothing; and a misspelt size is an index.
void RangeChecker::explainNoRange(DiagnosticBuilder &builder, IndexId index) {
  const std::string &name = statement.indices[index.value].name;
  SourceRange range = statement.indices[index.value].range;
  SmallVector<StringRef> known;
  llvm::append_range(known, scope.constants.keys());
  llvm::append_range(known, scope.symbols.keys());
  constexpr size_t minLength = 3;
  if (name.size() >= minLength && findSimilarName(name, known))
    builder.didYouMean(range, name, known);
  else if (table.computed.contains(name))
    builder.note(DiagId::RangeByWhere, range, {name});
  else if (std::string dim = findOutsideDim(index); !dim.empty())
    builder.note(DiagId::RangeOutside, range, {name, dim});
  else
    builder.note(DiagId::RangeNowhere, range, {name});
}

LogicalResult RangeChecker::takeStart(const RangeStart &start) {
  Index &index = statement.indices[start.index.value];
  SourceRange range = start.site->ranges[start.dim];
  Affine end = index.extent;
  index.extent = end - start.begin;
  if (index.extent.hasOverflowed())
    return diags.report(DiagId::ArithmeticOverflow, range);
  if (isNegative(index.extent))
    return diags.report(DiagId::RangeNegative, range,
                        {index.name, describe(scope.def, index.extent)});
  scope.checks.addExtent(index.extent, "extent of `" + index.name + "`", range);
  index.isGiven = true;
  index.origin = {start.site->tensor, start.dim,
                  start.site->subscripts[start.dim], /*divisor=*/1,
                  start.begin};
  table.given[index.name] = {start.begin, end, index.extent, /*step=*/1, range};
  return success();
}

/// In a def that is called, sizes have the caller's names, and it has been said
/// already. Loose statements cannot name sizes.
void RangeChecker::warnOfStarts(ArrayRef<RangeStart> starts) {
  if (scope.isCalled())
    return;
  std::optional<DiagnosticBuilder> first;
  std::string clauses;
  bool canSay = source.range.end != 0;
  auto str = [&](const Affine &subscript) {
    return subscript.str(
        [&](IndexId id) -> StringRef {
          return statement.indices[id.value].name;
        },
        [&](SymbolId id) -> StringRef { return scope.def[id].name; });
  };
  for (const RangeStart &start : starts) {
    const Index &index = statement.indices[start.index.value];
    const Affine &end = table.given[index.name].end;
    const Tensor &tensor = scope.def[start.site->tensor];
    SourceRange range = start.site->ranges[start.dim];
    DiagnosticBuilder builder =
        diags.report(DiagId::RangeStartsAbove, range,
                     {index.name, describe(scope.def, start.begin),
                      str(start.site->subscripts[start.dim]),
                      std::to_string(start.dim), tensor.name});
    std::string clause = index.name + " in " +
                         describe(scope.def, start.begin, /*quote=*/false) +
                         ":" + describe(scope.def, end, /*quote=*/false);
    builder.note(DiagId::RangeStartSaid, range, {clause});
    canSay &=
        !scope.isImplicit || (start.begin.isConstant() && end.isConstant());
    clauses += (clauses.empty() ? "" : ", ") + clause;
    if (!first)
      first.emplace(builder);
  }
  // One change for all, as a statement has one `where`.
  uint32_t place = source.range.end;
  if (canSay)
    first->fixIt({place, place},
                 (source.clauses.empty() ? " where " : ", ") + clauses);
}

/// Each is from now on what it was less its start.
void RangeChecker::shiftIndices(ArrayRef<RangeStart> starts) {
  std::map<IndexId, Affine> begins;
  for (const RangeStart &start : starts)
    begins.try_emplace(start.index, start.begin);
  auto shift = [&](MutableArrayRef<Affine> subscripts) {
    for (Affine &subscript : subscripts) {
      Affine shifted = subscript;
      for (const Affine::IndexTerm &term : subscript.getIndexTerms())
        if (auto begin = begins.find(term.id); begin != begins.end())
          shifted = shifted + begin->second * term.coefficient;
      subscript = shifted;
    }
  };
  for (AccessSite &site : expr.sites)
    shift(site.subscripts);
  shift(target.site.subscripts);
  for (ExistsClause &exists : statement.exists)
    shift(exists.subscripts);
  for (const auto &[id, begin] : begins) {
    Index &index = statement.indices[id.value];
    shift(index.origin.subscript);
    for (RangeOrigin &other : index.otherOrigins)
      shift(other.subscript);
  }
  // What reductions write runs from 0 whatever they run over.
  std::set<TensorId> reduced;
  SmallVector<ExprId> work = {statement.value};
  if (statement.condition.isValid())
    work.push_back(statement.condition);
  for (ExprId place : expr.targetPlaces)
    if (place.isValid())
      work.push_back(place);
  for (const Reduction &reduction : expr.reductions) {
    reduced.insert(reduction.target);
    work.push_back(reduction.value);
  }
  while (!work.empty()) {
    Expr &node = scope.def.exprs[work.pop_back_val().value];
    if (!reduced.count(node.tensor))
      shift(node.subscripts);
    llvm::append_range(work, node.getOperands());
  }
  llvm::erase_if(expr.extentPositions, [&](const auto &position) {
    const auto &[id, index] = position;
    if (!begins.count(index))
      return false;
    // It counts by the ends of ranges.
    scope.def.exprs[id.value].subscripts.front() =
        table.given[statement.indices[index.value].name].end;
    return true;
  });
}

LogicalResult RangeChecker::check() {
  if (failed(inferRanges(scope.def, statement, expr.sites, expr.outsideSites,
                         scope.checks, diags,
                         [&](DiagnosticBuilder &builder, IndexId index) {
                           explainNoRange(builder, index);
                         })))
    return failure();
  auto starts = findStarts(scope.def, statement, expr.sites, scope.checks);
  for (const RangeStart &start : starts)
    if (failed(takeStart(start)))
      return failure();
  if (!starts.empty()) {
    // From here on it is as if a `where` had given them.
    warnOfStarts(starts);
    shiftIndices(starts);
  }
  return checkAccesses(scope.def, statement, expr.sites, scope.checks, diags,
                       !source.clauses.empty());
}

LogicalResult checkRanges(const StatementContext &context, Statement &statement,
                          CheckedTarget &target, CheckedExpr &expr,
                          IndexTable &table) {
  return RangeChecker(context, statement, target, expr, table).check();
}

} // namespace ein
