//===- Where.cpp - The clauses of a where ---------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each clause is gone when a statement has been checked, but for conditions:
//
//  * `x = expr` is replaced in the tree, before names are looked up. Trees are
//    copied, so that what they grow to is bounded.
//  * `i in a:b step s` has `i` stand for a + s * i', where i' runs from 0 like
//    any other index. On the left that makes a slice of the target.
//    A range that is found not to start at 0 is made one of these.
//  * `exists A(i)` is one more access for the ranges, and `exists i` a check.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

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

/// The statement with everything replaced that a `where` defines.
FailureOr<ast::Statement>
StatementChecker::expandDefinitions(const ast::Statement &comprehension) {
  DefinitionExpander expander(diags);
  for (const ast::Clause &clause : comprehension.clauses)
    if (clause.kind == ast::Clause::Kind::Let &&
        (failed(checkClauseName(clause.name)) ||
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

/// What a clause gives a meaning to has none yet.
LogicalResult StatementChecker::checkClauseName(const ast::Name &name) {
  if (std::optional<StringRef> noun = scope.getConstantNoun(name.text))
    return diags.report(DiagId::ClauseName, name.range,
                        {name.text, noun->str()});
  if (scope.findTensor(name.text))
    return diags.report(DiagId::ClauseName, name.range,
                        {name.text, "a tensor"});
  return success();
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// `i in a:b step s`.
LogicalResult StatementChecker::declareRange(const ast::Clause &clause) {
  const ast::Name &name = clause.name;
  if (failed(checkClauseName(name)))
    return failure();
  SmallVector<Affine, 3> parts;
  for (const ast::ExprPtr &operand : clause.operands) {
    FailureOr<Affine> part = scope.lowerAffine(
        *operand, "bound", [&](const ast::Expr &size) -> FailureOr<Affine> {
          auto symbol = scope.symbols.find(size.text);
          if (symbol != scope.symbols.end())
            return symbol->second;
          return scope.reportUnknownSize(size);
        });
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  GivenRange range = {parts[0], parts[1], {}, 1, name.range};
  if (parts.size() == 3) {
    range.step = parts[2].getConstant();
    if (!parts[2].isConstant() || range.step <= 0)
      return diags.report(DiagId::BadStep, clause.operands[2]->range);
  }
  SourceRange whole = {clause.operands[0]->range.begin,
                       clause.operands[1]->range.end};
  Affine span = range.end - range.begin + Affine(range.step - 1);
  if (span.hasOverflowed())
    return diags.report(DiagId::ArithmeticOverflow, whole);
  Affine extent = scope.checks.divide(span, range.step, whole);
  if (isNegative(extent))
    return diags.report(DiagId::RangeNegative, whole,
                        {name.text, describe(scope.def, extent)});
  scope.checks.addExtent(
      extent, "extent of `" + name.text + "` from its `where`", whole);
  range.extent = extent;
  auto [entry, isNew] = ranges.try_emplace(name.text, range);
  if (isNew)
    return success();
  return diags.report(DiagId::ClauseTwice, name.range, {name.text})
      .note(DiagId::FirstHere, entry->second.range);
}

//===----------------------------------------------------------------------===//
// Ranges that nobody gave, and that do not start at 0
//===----------------------------------------------------------------------===//

/// From here on it is as if a `where` had given them.
LogicalResult StatementChecker::takeStarts(ArrayRef<RangeStart> starts) {
  if (starts.empty())
    return success();
  for (const RangeStart &start : starts)
    if (failed(takeStart(start)))
      return failure();
  warnOfStarts(starts);
  shiftIndices(starts);
  return success();
}

LogicalResult StatementChecker::takeStart(const RangeStart &start) {
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
  ranges[index.name] = {start.begin, end, index.extent, /*step=*/1, range};
  return success();
}

/// Each is from now on what it was less its start.
void StatementChecker::shiftIndices(ArrayRef<RangeStart> starts) {
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
  for (AccessSite &site : sites)
    shift(site.subscripts);
  shift(targetSite.subscripts);
  for (ExistsClause &exists : statement.exists)
    shift(exists.subscripts);
  for (const auto &[id, begin] : begins)
    shift(statement.indices[id.value].origin.subscript);
  // What reductions write runs from 0 whatever they run over.
  std::set<TensorId> reduced;
  SmallVector<ExprId> work = {statement.value};
  if (statement.condition.isValid())
    work.push_back(statement.condition);
  for (const Reduction &reduction : reductions) {
    reduced.insert(reduction.target);
    work.push_back(reduction.value);
  }
  while (!work.empty()) {
    Expr &expr = scope.def.exprs[work.pop_back_val().value];
    if (!reduced.count(expr.tensor))
      shift(expr.subscripts);
    llvm::append_range(work, expr.getOperands());
  }
  llvm::erase_if(extentPositions, [&](const auto &position) {
    const auto &[id, index] = position;
    if (!begins.count(index))
      return false;
    // It counts by the ends of ranges.
    scope.def.exprs[id.value].subscripts.front() =
        ranges[statement.indices[index.value].name].end;
    return true;
  });
}

/// In a def that is called, sizes have the caller's names, and it has been said
/// already. Loose statements cannot name sizes.
void StatementChecker::warnOfStarts(ArrayRef<RangeStart> starts) {
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
    const Affine &end = ranges[index.name].end;
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

//===----------------------------------------------------------------------===//
// What the right side does not say
//===----------------------------------------------------------------------===//

LogicalResult
StatementChecker::lowerClauses(const ast::Statement &comprehension) {
  for (const ast::Clause &clause : comprehension.clauses) {
    switch (clause.kind) {
    case ast::Clause::Kind::Range:
      if (reducedRanges.contains(clause.name.text))
        break;
      addIndex(*ast::makeName(clause.name.text, clause.name.range),
               /*isReduction=*/true);
      break;
    case ast::Clause::Kind::Exists:
      if (failed(lowerExists(*clause.operands[0])))
        return failure();
      break;
    case ast::Clause::Kind::Condition:
      if (failed(lowerCondition(*clause.operands[0])))
        return failure();
      break;
    case ast::Clause::Kind::Let:
      break;
    }
  }
  return success();
}

LogicalResult StatementChecker::lowerExists(const ast::Expr &access) {
  bool isAccess = access.kind == ast::Expr::Kind::Call ||
                  access.kind == ast::Expr::Kind::Name;
  if (!isAccess)
    return diags.report(DiagId::NeedsAccess, access.range, {"exists"});
  std::optional<TensorId> id = scope.findTensor(access.text);
  auto index = indices.find(access.text);
  if (!id && index != indices.end() && access.kind == ast::Expr::Kind::Name) {
    statement.nonEmpty.push_back(index->second);
    return success();
  }
  if (!id)
    return reportUnknown(access);
  const TensorState &state = scope[*id];
  if (state.isBroken)
    return failure();
  if (!state.hasShape)
    return diags.report(DiagId::ReadBeforeWritten, access.nameRange,
                        {access.text});
  FailureOr<AccessSite> site = lowerSite(*id, access, "subscript in `exists`");
  if (failed(site))
    return failure();
  statement.exists.push_back({*id, site->subscripts});
  sites.push_back(std::move(*site));
  return success();
}

/// All conditions have to hold.
LogicalResult StatementChecker::lowerCondition(const ast::Expr &condition) {
  FailureOr<ExprId> id = lower(condition);
  if (failed(id) || failed(assignType(*id, ElementType::Bool, "a condition")))
    return failure();
  if (!statement.condition.isValid()) {
    statement.condition = *id;
    return success();
  }
  Expr both;
  both.kind = ExprKind::Binary;
  both.binary = BinaryFn::And;
  both.range = condition.range;
  both.type = ElementType::Bool;
  both.lhs = statement.condition;
  both.rhs = *id;
  statement.condition = addExpr(std::move(both));
  return success();
}

} // namespace ein
