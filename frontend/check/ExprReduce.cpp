//===- ExprReduce.cpp - Expressions: reductions ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `sum<k>(x)` inside an expression has indices and a type of its own, but its
// ranges hang together with those of the statement round it: `k` may be bound
// by an outer index, and the other way round. So a statement is lowered as a
// whole, with one table of indices, in which those of reductions have entries
// of their own whatever they are called; a reduction leaves an access of a
// temporary behind. When all ranges are known, each reduction becomes a
// statement that writes its temporary, over the outer indices that it uses, in
// front of the one that reads it. A program stays what it was: one
// comprehension per statement.
//
// A reduction that is all of the right side of `=` is the statement's update,
// and accumulates in what the statement accumulates in: `C(m) = sum<k>(x)` is
// `C(m) +=! x`.
//
// `argmax<k>(x)` is made of others: with t = max<k>(x), it is
// min<k>(x == t || x != x ? k : …), the first of ties, and of NaNs. `mean`,
// `var` and `std` are in ExprMoments.cpp, and the statements that reductions
// become in SplitReductions.cpp.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprReduce.h"
#include "frontend/check/ExprMoments.h"
#include "frontend/check/StatementWarnings.h"
#include "frontend/parse/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

/// Entries for the names in `<…>`, which hide others until they are taken away.
static FailureOr<SmallVector<IndexId>> enterReduction(ExprBuilder &builder,
                                                      const ast::Expr &expr) {
  DefScope &scope = builder.scope;
  DiagnosticEngine &diags = builder.diags;
  IndexTable &table = builder.table;
  SmallVector<IndexId> ids;
  StringSet<> names;
  for (const ast::ExprPtr &name : expr.indices) {
    auto known = table.byName.find(name->text);
    bool isInUse = known != table.byName.end() &&
                   (!table.all[known->second.value].isReduction ||
                    table.isReduced(known->second));
    if (isInUse || !names.insert(name->text).second) {
      DiagnosticBuilder report =
          diags.report(DiagId::ReducedIndexInUse, name->range, {name->text});
      if (isInUse)
        report.note(DiagId::FirstHere, table.all[known->second.value].range);
      return report;
    }
    if (std::optional<StringRef> noun = scope.getConstantNoun(name->text))
      return diags.report(DiagId::SizeReduced, name->range,
                          {name->text, noun->str()});
    IndexId id(table.all.size());
    Index index = {name->text, Affine(), /*isReduction=*/true, name->range};
    if (auto given = table.given.find(name->text); given != table.given.end()) {
      index.extent = given->second.extent;
      index.isGiven = true;
      table.reducedRanges.insert(name->text);
    }
    table.all.push_back(std::move(index));
    ids.push_back(id);
  }
  return ids;
}

/// Several operands are combined first. `continued` is none of them.
static FailureOr<ExprId>
lowerReduced(ExprBuilder &builder, ExprLowerer &lowerer, const ast::Expr &expr,
             const Reducer &reducer, const ast::Expr *continued = nullptr) {
  DiagnosticEngine &diags = builder.diags;
  if (expr.operands.empty() ||
      (expr.operands.size() > 1 && reducer.isComposed()))
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {expr.text, count(1, "argument"),
                         std::to_string(expr.operands.size())});
  std::optional<ExprId> combination;
  for (const ast::ExprPtr &operand : expr.operands) {
    if (operand.get() == continued)
      continue;
    FailureOr<ExprId> id = lowerer.lower(*operand);
    if (failed(id))
      return failure();
    if (!combination) {
      combination = *id;
      continue;
    }
    Expr combined;
    combined.kind = ExprKind::Binary;
    combined.range = expr.range;
    combined.binary = *getFunction(reducer.update);
    combined.lhs = *combination;
    combined.rhs = *id;
    combination = builder.add(std::move(combined));
  }
  return *combination;
}

static LogicalResult checkReducer(DiagnosticEngine &diags,
                                  const Reducer &reducer, ElementType type,
                                  const ast::Expr &expr) {
  UpdateKind update = reducer.update;
  std::string spelling = getSpelling(type).str();
  if ((update == UpdateKind::Max || update == UpdateKind::Min) &&
      isComplex(type))
    return diags.report(DiagId::NoOrder, expr.nameRange,
                        {"`" + expr.text + "`", spelling});
  if (isBitwise(update) && (isFloat(type) || isComplex(type)))
    return diags.report(DiagId::OperatorType, expr.nameRange,
                        {expr.text, spelling});
  return success();
}

/// The row-major number of the point, over the ends of the ranges.
static ExprId addFlatPosition(ExprBuilder &builder, ArrayRef<IndexId> reduced,
                              SourceRange range) {
  IndexTable &table = builder.table;
  CheckedExpr &result = builder.result;
  auto combine = [&](BinaryFn fn, ExprId lhs, ExprId rhs) {
    Expr expr;
    expr.kind = ExprKind::Binary;
    expr.range = range;
    expr.type = ElementType::Index;
    expr.binary = fn;
    expr.lhs = lhs;
    expr.rhs = rhs;
    return builder.add(std::move(expr));
  };
  auto getName = [&](IndexId id) -> const std::string & {
    return table.all[id.value].name;
  };
  auto addNamed = [&](IndexId id) {
    return builder.addPosition(table.getPosition(id, getName(id)), range);
  };
  ExprId position = addNamed(reduced.front());
  for (IndexId id : reduced.drop_front()) {
    auto given = table.given.find(getName(id));
    bool isGiven = given != table.given.end();
    ExprId extent =
        builder.addPosition(isGiven ? given->second.end : Affine(0), range);
    if (!isGiven)
      result.extentPositions.push_back({extent, id});
    position = combine(BinaryFn::Mul, position, extent);
    position = combine(BinaryFn::Add, position, addNamed(id));
  }
  return position;
}

static FailureOr<ExprId> addArgReduction(ExprBuilder &builder,
                                         const ast::Expr &expr,
                                         const Reducer &reducer, ExprId value,
                                         ArrayRef<IndexId> reduced,
                                         ElementType joined) {
  DefScope &scope = builder.scope;
  CheckedExpr &result = builder.result;
  // What is computed is computed once.
  bool isAccess = scope.def[value].kind == ExprKind::Access;
  ElementType type = getAccumulator(joined);
  if (!isAccess) {
    FailureOr<ExprId> stored =
        builder.addReduction(expr, UpdateKind::Assign, value, {}, type);
    if (failed(stored))
      return failure();
    value = *stored;
  }
  auto read = [&] { return builder.add(Expr(scope.def[value])); };
  FailureOr<ExprId> best =
      builder.addReduction(expr, reducer.update, value, reduced, type);
  if (failed(best))
    return failure();
  auto combine = [&](BinaryFn fn, ExprId lhs, ExprId rhs) {
    Expr condition;
    condition.kind = ExprKind::Binary;
    condition.range = expr.range;
    condition.type = ElementType::Bool;
    condition.compareType = type;
    condition.binary = fn;
    condition.lhs = lhs;
    condition.rhs = rhs;
    return builder.add(std::move(condition));
  };
  ExprId x = read();
  ExprId isBest = combine(BinaryFn::Equal, x, *best);
  if (isFloat(type)) {
    ExprId y = read(), z = read();
    isBest = combine(BinaryFn::Or, isBest, combine(BinaryFn::NotEqual, y, z));
  }
  Expr end;
  end.kind = ExprKind::Literal;
  end.range = expr.range;
  end.type = ElementType::Index;
  Expr choice;
  choice.kind = ExprKind::Select;
  choice.range = expr.range;
  choice.type = ElementType::Index;
  choice.condition = isBest;
  choice.lhs = addFlatPosition(builder, reduced, expr.range);
  choice.rhs = builder.add(std::move(end));
  result.types.literals.try_emplace(
      choice.rhs,
      PendingLiteral{std::to_string(INT64_MAX), ElementType::Index});
  ExprId position = builder.add(std::move(choice));
  FailureOr<ExprId> reading = builder.addReduction(
      expr, UpdateKind::Min, position, reduced, ElementType::Index);
  if (succeeded(reading))
    result.reductions.back().nonEmpty.assign(reduced.begin(), reduced.end());
  return reading;
}

FailureOr<ExprId> lowerReduction(ExprBuilder &builder, ExprLowerer &lowerer,
                                 const ast::Expr &expr) {
  DefScope &scope = builder.scope;
  DiagnosticEngine &diags = builder.diags;
  IndexTable &table = builder.table;
  CheckedExpr &result = builder.result;
  const Reducer *reducer = findReducer(expr.text);
  if (!reducer) {
    static constexpr StringRef names[] = {
#define EIN_REDUCER(SPELLING, UPDATE, KIND) SPELLING,
#include "frontend/program/Functions.def"
    };
    DiagnosticBuilder report =
        diags.report(DiagId::UnknownReducer, expr.nameRange, {expr.text});
    StringRef advice = getForeignAdvice(expr.text);
    if (!advice.empty())
      return report.note(DiagId::WriteInstead, expr.nameRange, {advice.str()});
    return report.didYouMean(expr.nameRange, expr.text, names);
  }
  FailureOr<SmallVector<IndexId>> reduced = enterReduction(builder, expr);
  if (failed(reduced))
    return failure();
  size_t firstSite = result.sites.size();
  std::vector<std::pair<std::string, std::optional<IndexId>>> hidden;
  for (IndexId id : *reduced) {
    const std::string &name = table.all[id.value].name;
    auto known = table.byName.find(name);
    hidden.push_back({name, known == table.byName.end()
                                ? std::nullopt
                                : std::optional<IndexId>(known->second)});
    table.byName[name] = id;
    table.scoped.insert(id);
  }
  FailureOr<ExprId> value = lowerReduced(builder, lowerer, expr, *reducer);
  for (const auto &[name, id] : hidden) {
    if (id)
      table.byName[name] = *id;
    else
      table.byName.erase(name);
  }
  if (failed(value))
    return failure();

  SmallVector<ExprId> typed;
  builder.types.collectTyped(*value, typed);
  FailureOr<ElementType> joined =
      reducer->kind == Reducer::Logical
          ? FailureOr<ElementType>(ElementType::Bool)
          : builder.types.joinTyped(typed, scope.options.defaultType);
  if (failed(joined))
    return failure();
  ElementType type = getAccumulator(*joined);
  if (failed(checkReducer(diags, *reducer, type, expr)) ||
      failed(checkMoment(diags, *reducer, *joined, expr)))
    return failure();
  if (reducer->kind == Reducer::Plain)
    warnOfBoolSum(builder, reducer->update, type, *value, expr.range);
  FailureOr<ExprId> reading =
      reducer->kind == Reducer::Position
          ? addArgReduction(builder, expr, *reducer, *value, *reduced, *joined)
      : reducer->isMoment()
          ? addMoment(builder, expr, *reducer, *value, *reduced, type)
          : builder.addReduction(expr, reducer->update, *value, *reduced, type);
  if (succeeded(reading))
    for (AccessSite &site : MutableArrayRef(result.sites).drop_front(firstSite))
      if (!site.loops)
        site.loops = result.reductions.back().loops;
  return reading;
}

//===----------------------------------------------------------------------===//
// A reduction that is all of the right side
//===----------------------------------------------------------------------===//

const Reducer *getWholeReducer(const DefScope &scope, TensorId target,
                               const ast::Statement &comprehension) {
  const ast::Expr &value = *comprehension.value;
  if (comprehension.op != TokenKind::Assign ||
      value.kind != ast::Expr::Kind::Reduce)
    return nullptr;
  const Reducer *reducer = findReducer(value.text);
  if (!reducer || reducer->isComposed())
    return nullptr;
  // The identity of `all` is 1 as a bool only.
  const TensorState &state = scope.states[target.value];
  if (reducer->kind == Reducer::Logical &&
      !(state.hasType && scope.def[target].type == ElementType::Bool))
    return nullptr;
  return reducer;
}

/// In ods-gen's notation, `C(m) = std_addf<k>(C(m), A(m, k))` adds to `C` and
/// not, as `sum<k>` would, `C` to each element of `A`. Null if there is no such
/// operand.
static const ast::Expr *findContinued(const ast::Statement &comprehension) {
  const ast::Expr &value = *comprehension.value;
  auto isTarget = [&](const ast::ExprPtr &operand) {
    if (operand->text != comprehension.target.text)
      return false;
    if (!comprehension.subscripts)
      return operand->kind == ast::Expr::Kind::Name;
    return operand->kind == ast::Expr::Kind::Call &&
           llvm::equal(operand->operands, *comprehension.subscripts,
                       [](const ast::ExprPtr &a, const ast::ExprPtr &b) {
                         return a->kind == ast::Expr::Kind::Name &&
                                b->kind == ast::Expr::Kind::Name &&
                                a->text == b->text;
                       });
  };
  if (!isOdsReducer(value.text) || value.operands.size() < 2)
    return nullptr;
  auto found = llvm::find_if(value.operands, isTarget);
  return found == value.operands.end() ? nullptr : found->get();
}

FailureOr<ExprId> lowerWholeReduction(ExprBuilder &builder,
                                      ExprLowerer &lowerer,
                                      const ast::Statement &comprehension,
                                      const Reducer &reducer) {
  IndexTable &table = builder.table;
  CheckedExpr &result = builder.result;
  const ast::Expr &expr = *comprehension.value;
  const ast::Expr *continued = findContinued(comprehension);
  result.continuesTarget = continued != nullptr;
  FailureOr<SmallVector<IndexId>> reduced = enterReduction(builder, expr);
  if (failed(reduced))
    return failure();
  for (IndexId id : *reduced) {
    table.byName[table.all[id.value].name] = id;
    table.listed.insert(id);
  }
  return lowerReduced(builder, lowerer, expr, reducer, continued);
}

} // namespace ein
