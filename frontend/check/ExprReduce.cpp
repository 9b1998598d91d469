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
// `var` and `std` are in ExprMoments.cpp.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace llvm;

namespace ein {

bool StatementChecker::isReduction(ExprId id) const {
  const Expr &expr = scope.def[id];
  return expr.kind == ExprKind::Access &&
         llvm::any_of(reductions, [&](const Reduction &reduction) {
           return reduction.target == expr.tensor;
         });
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Entries for the names in `<…>`, which hide others until they are taken away.
FailureOr<SmallVector<IndexId>>
StatementChecker::enterReduction(const ast::Expr &expr) {
  SmallVector<IndexId> ids;
  StringSet<> names;
  for (const ast::ExprPtr &name : expr.indices) {
    auto known = indices.find(name->text);
    bool isInUse = known != indices.end() &&
                   (!statement.indices[known->second.value].isReduction ||
                    scopedIndices.count(known->second) ||
                    listedIndices.count(known->second));
    if (isInUse || !names.insert(name->text).second) {
      DiagnosticBuilder builder =
          diags.report(DiagId::ReducedIndexInUse, name->range, {name->text});
      if (isInUse)
        builder.note(DiagId::FirstHere,
                     statement.indices[known->second.value].range);
      return builder;
    }
    if (std::optional<StringRef> noun = scope.getConstantNoun(name->text))
      return diags.report(DiagId::SizeReduced, name->range,
                          {name->text, noun->str()});
    IndexId id(statement.indices.size());
    Index index = {name->text, Affine(), /*isReduction=*/true, name->range};
    if (auto given = ranges.find(name->text); given != ranges.end()) {
      index.extent = given->second.extent;
      index.isGiven = true;
      reducedRanges.insert(name->text);
    }
    statement.indices.push_back(std::move(index));
    ids.push_back(id);
  }
  return ids;
}

/// Several operands are combined first. `continued` is none of them.
FailureOr<ExprId> StatementChecker::lowerReduced(const ast::Expr &expr,
                                                 const Reducer &reducer,
                                                 const ast::Expr *continued) {
  if (expr.operands.empty() ||
      (expr.operands.size() > 1 && reducer.isComposed()))
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {expr.text, count(1, "argument"),
                         std::to_string(expr.operands.size())});
  std::optional<ExprId> result;
  for (const ast::ExprPtr &operand : expr.operands) {
    if (operand.get() == continued)
      continue;
    FailureOr<ExprId> id = lower(*operand);
    if (failed(id))
      return failure();
    if (!result) {
      result = *id;
      continue;
    }
    Expr combined;
    combined.kind = ExprKind::Binary;
    combined.range = expr.range;
    combined.binary = *getFunction(reducer.update);
    combined.lhs = *result;
    combined.rhs = *id;
    result = addExpr(std::move(combined));
  }
  return *result;
}

FailureOr<ExprId> StatementChecker::lowerReduction(const ast::Expr &expr) {
  const Reducer *reducer = findReducer(expr.text);
  if (!reducer) {
    static constexpr StringRef names[] = {
#define EIN_REDUCER(SPELLING, UPDATE, KIND) SPELLING,
#include "frontend/program/Functions.def"
    };
    DiagnosticBuilder builder =
        diags.report(DiagId::UnknownReducer, expr.nameRange, {expr.text});
    StringRef advice = getForeignAdvice(expr.text);
    if (!advice.empty())
      return builder.note(DiagId::WriteInstead, expr.nameRange, {advice.str()});
    return builder.didYouMean(expr.nameRange, expr.text, names);
  }
  FailureOr<SmallVector<IndexId>> reduced = enterReduction(expr);
  if (failed(reduced))
    return failure();
  size_t firstSite = sites.size();
  std::vector<std::pair<std::string, std::optional<IndexId>>> hidden;
  for (IndexId id : *reduced) {
    const std::string &name = statement.indices[id.value].name;
    auto known = indices.find(name);
    hidden.push_back({name, known == indices.end()
                                ? std::nullopt
                                : std::optional<IndexId>(known->second)});
    indices[name] = id;
    scopedIndices.insert(id);
  }
  FailureOr<ExprId> value = lowerReduced(expr, *reducer);
  for (const auto &[name, id] : hidden) {
    if (id)
      indices[name] = *id;
    else
      indices.erase(name);
  }
  if (failed(value))
    return failure();

  SmallVector<ExprId> typed;
  collectTyped(*value, typed);
  FailureOr<ElementType> joined =
      reducer->kind == Reducer::Logical
          ? FailureOr<ElementType>(ElementType::Bool)
          : joinTyped(typed, scope.options.defaultType);
  if (failed(joined))
    return failure();
  ElementType type = getAccumulator(*joined);
  if (failed(checkReducer(*reducer, type, expr)) ||
      failed(checkMoment(*reducer, *joined, expr)))
    return failure();
  if (reducer->kind == Reducer::Plain)
    warnOfBoolSum(reducer->update, type, *value, expr.range);
  FailureOr<ExprId> result =
      reducer->kind == Reducer::Position
          ? addArgReduction(expr, *reducer, *value, *reduced, *joined)
      : reducer->isMoment()
          ? addMoment(expr, *reducer, *value, *reduced, type)
          : addReduction(expr, reducer->update, *value, *reduced, type);
  if (succeeded(result))
    for (AccessSite &site : MutableArrayRef(sites).drop_front(firstSite))
      if (!site.loops)
        site.loops = reductions.back().loops;
  return result;
}

LogicalResult StatementChecker::checkReducer(const Reducer &reducer,
                                             ElementType type,
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

/// The indices that a tree mentions, in the order of the table.
SmallVector<IndexId> StatementChecker::collectIndices(ExprId root) const {
  std::set<IndexId> found;
  SmallVector<ExprId> work = {root};
  while (!work.empty()) {
    const Expr &expr = scope.def[work.pop_back_val()];
    for (const Affine &subscript : expr.subscripts)
      for (const Affine::IndexTerm &term : subscript.getIndexTerms())
        found.insert(term.id);
    llvm::append_range(work, expr.getOperands());
  }
  return SmallVector<IndexId>(found.begin(), found.end());
}

/// Notes the reduction, and returns the access of what it will write.
FailureOr<ExprId> StatementChecker::addReduction(const ast::Expr &expr,
                                                 UpdateKind update,
                                                 ExprId value,
                                                 ArrayRef<IndexId> reduced,
                                                 ElementType type) {
  if (failed(assignType(value, type, "an operand of `" + expr.text + "`")))
    return failure();
  Reduction reduction;
  reduction.name = expr.text;
  reduction.update = update;
  reduction.value = value;
  reduction.type = type;
  reduction.range = expr.range;
  for (IndexId id : collectIndices(value))
    if (!llvm::is_contained(reduced, id))
      reduction.loops.push_back(id);
  reduction.numKept = reduction.loops.size();
  llvm::append_range(reduction.loops, reduced);
  const std::string &target = scope.def[statement.target].name;
  Tensor tensor = {scope.makeTemporaryName(target + "_" + expr.text),
                   type,
                   TensorRole::Temporary,
                   {},
                   expr.nameRange,
                   // Its range follows from more than its own statement.
                   /*isInferred=*/false};
  TensorState state;
  state.isWritten = true;
  reduction.target = scope.addTensor(std::move(tensor), state);

  Expr access;
  access.kind = ExprKind::Access;
  access.range = expr.range;
  access.tensor = reduction.target;
  access.type = type;
  for (IndexId id : ArrayRef(reduction.loops).take_front(reduction.numKept))
    access.subscripts.push_back(Affine(id));
  reductions.push_back(std::move(reduction));
  return addExpr(std::move(access));
}

/// The row-major number of the point, over the ends of the ranges.
ExprId StatementChecker::addFlatPosition(ArrayRef<IndexId> reduced,
                                         SourceRange range) {
  auto combine = [&](BinaryFn fn, ExprId lhs, ExprId rhs) {
    Expr expr;
    expr.kind = ExprKind::Binary;
    expr.range = range;
    expr.type = ElementType::Index;
    expr.binary = fn;
    expr.lhs = lhs;
    expr.rhs = rhs;
    return addExpr(std::move(expr));
  };
  auto getName = [&](IndexId id) -> const std::string & {
    return statement.indices[id.value].name;
  };
  auto addNamed = [&](IndexId id) {
    return addPosition(getPosition(id, getName(id)), range);
  };
  ExprId position = addNamed(reduced.front());
  for (IndexId id : reduced.drop_front()) {
    auto given = ranges.find(getName(id));
    bool isGiven = given != ranges.end();
    ExprId extent = addPosition(isGiven ? given->second.end : Affine(0), range);
    if (!isGiven)
      extentPositions.push_back({extent, id});
    position = combine(BinaryFn::Mul, position, extent);
    position = combine(BinaryFn::Add, position, addNamed(id));
  }
  return position;
}

FailureOr<ExprId> StatementChecker::addArgReduction(const ast::Expr &expr,
                                                    const Reducer &reducer,
                                                    ExprId value,
                                                    ArrayRef<IndexId> reduced,
                                                    ElementType joined) {
  // What is computed is computed once.
  bool isAccess = scope.def[value].kind == ExprKind::Access;
  ElementType type = getAccumulator(joined);
  if (!isAccess) {
    FailureOr<ExprId> stored =
        addReduction(expr, UpdateKind::Assign, value, {}, type);
    if (failed(stored))
      return failure();
    value = *stored;
  }
  auto read = [&] { return addExpr(Expr(scope.def[value])); };
  FailureOr<ExprId> best =
      addReduction(expr, reducer.update, value, reduced, type);
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
    return addExpr(std::move(condition));
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
  choice.lhs = addFlatPosition(reduced, expr.range);
  choice.rhs = addExpr(std::move(end));
  literals.try_emplace(choice.rhs, PendingLiteral{std::to_string(INT64_MAX),
                                                  ElementType::Index});
  ExprId position = addExpr(std::move(choice));
  FailureOr<ExprId> result = addReduction(expr, UpdateKind::Min, position,
                                          reduced, ElementType::Index);
  if (succeeded(result))
    reductions.back().nonEmpty.assign(reduced.begin(), reduced.end());
  return result;
}

//===----------------------------------------------------------------------===//
// A reduction that is all of the right side
//===----------------------------------------------------------------------===//

/// Whether `value` is what the statement reduces, rather than a temporary.
const Reducer *
StatementChecker::getWholeReducer(const ast::Statement &comprehension) const {
  const ast::Expr &value = *comprehension.value;
  if (comprehension.op != TokenKind::Assign ||
      value.kind != ast::Expr::Kind::Reduce)
    return nullptr;
  const Reducer *reducer = findReducer(value.text);
  if (!reducer || reducer->isComposed())
    return nullptr;
  // The identity of `all` is 1 as a bool only.
  const TensorState &state = scope.states[statement.target.value];
  if (reducer->kind == Reducer::Logical &&
      !(state.hasType && scope.def[statement.target].type == ElementType::Bool))
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

FailureOr<ExprId>
StatementChecker::lowerWholeReduction(const ast::Statement &comprehension,
                                      const Reducer &reducer) {
  const ast::Expr &expr = *comprehension.value;
  const ast::Expr *continued = findContinued(comprehension);
  continuesTarget = continued != nullptr;
  FailureOr<SmallVector<IndexId>> reduced = enterReduction(expr);
  if (failed(reduced))
    return failure();
  for (IndexId id : *reduced) {
    indices[statement.indices[id.value].name] = id;
    listedIndices.insert(id);
  }
  return lowerReduced(expr, reducer, continued);
}

//===----------------------------------------------------------------------===//
// Statements of their own
//===----------------------------------------------------------------------===//

/// Before ranges are inferred: which loops are round an access decides whether
/// it happens at all.
void StatementChecker::finishSites() {
  if (reductions.empty())
    return;
  std::vector<IndexId> loops;
  for (size_t i = 0, e = statement.indices.size(); i != e; ++i)
    if (!scopedIndices.count(IndexId(i)))
      loops.push_back(IndexId(i));
  for (AccessSite &site : sites)
    if (!site.loops)
      site.loops = loops;
}

static Affine remap(const Affine &value, ArrayRef<IndexId> positions) {
  Affine result = value.withoutIndices();
  for (const Affine::IndexTerm &term : value.getIndexTerms())
    result = result + Affine(positions[term.id.value]) * term.coefficient;
  return result;
}

/// Gives `result` the indices `loops` of the statement's table, in that order,
/// and has all that it says use their new numbers.
void StatementChecker::takeLoops(Statement &result, ArrayRef<IndexId> loops,
                                 ArrayRef<Index> table) {
  SmallVector<IndexId> positions(table.size());
  result.indices.clear();
  for (auto [i, id] : llvm::enumerate(loops)) {
    positions[id.value] = IndexId(i);
    result.indices.push_back(table[id.value]);
  }
  for (IndexId &id : result.targetIndices)
    id = positions[id.value];
  for (IndexId &id : result.nonEmpty)
    id = positions[id.value];
  for (ExistsClause &clause : result.exists)
    for (Affine &subscript : clause.subscripts)
      subscript = remap(subscript, positions);
  SmallVector<ExprId> work = {result.value};
  if (result.condition.isValid())
    work.push_back(result.condition);
  while (!work.empty()) {
    Expr &expr = scope.def.exprs[work.pop_back_val().value];
    for (Affine &subscript : expr.subscripts)
      subscript = remap(subscript, positions);
    llvm::append_range(work, expr.getOperands());
  }
  // Where a range comes from may be told by an index of another statement.
  for (auto [i, index] : llvm::enumerate(result.indices)) {
    bool isKnown = llvm::all_of(index.origin.subscript.getIndexTerms(),
                                [&](const Affine::IndexTerm &term) {
                                  return positions[term.id.value].isValid();
                                });
    if (isKnown)
      index.origin.subscript = remap(index.origin.subscript, positions);
    else
      index.origin = {result.target, i, Affine(IndexId(i)) + index.origin.start,
                      /*divisor=*/1, index.origin.start};
  }
}

/// A value of each of those indices has to exist: `argmax` of nothing is none.
LogicalResult StatementChecker::checkNonEmpty(ArrayRef<IndexId> nonEmpty) {
  for (IndexId id : nonEmpty) {
    const Index &index = statement.indices[id.value];
    if (isNegative(index.extent - Affine(1)))
      return diags.report(DiagId::NothingToFind, index.range, {index.name});
    if (isNonNegative(index.extent - Affine(1)))
      continue;
    scope.checks.add({SizeCheck::NonNegativeExtent,
                      index.extent - Affine(1),
                      {},
                      "something to find for `" + index.name + "`",
                      index.range});
  }
  return success();
}

/// All ranges are known: reductions become statements, the inner ones first.
LogicalResult StatementChecker::splitReductions() {
  if (failed(checkNonEmpty(statement.nonEmpty)))
    return failure();
  if (reductions.empty())
    return success();
  std::vector<Index> table = statement.indices;
  for (auto [id, index] : extentPositions)
    for (ExprId position : {id, sizeTwins.at(id)}) // a cast, or what it casts
      if (scope.def[position].kind == ExprKind::Position)
        scope.def.exprs[position.value].subscripts.front() =
            table[index.value].extent;
  for (const Reduction &reduction : reductions)
    if (failed(checkNonEmpty(reduction.nonEmpty)))
      return failure();
  for (const Reduction &reduction : reductions) {
    Statement part;
    part.nonEmpty = reduction.nonEmpty;
    part.target = reduction.target;
    part.update = reduction.update;
    part.fromIdentity = reduction.update != UpdateKind::Assign;
    part.computeType = reduction.type;
    part.value = reduction.value;
    part.range = reduction.range;
    part.targetIndices.assign(reduction.loops.begin(),
                              reduction.loops.begin() + reduction.numKept);
    takeLoops(part, reduction.loops, table);
    for (auto [i, index] : llvm::enumerate(part.indices))
      index.isReduction = i >= reduction.numKept;
    Tensor &target = scope.def.tensors[reduction.target.value];
    for (IndexId id : part.targetIndices)
      target.dims.push_back(part.indices[id.value].extent);
    if (failed(scope.checkByteSize(target)))
      return failure();
    std::swap(statement, part);
    finishOutside();
    std::swap(statement, part);
    scope.def.statements.push_back(std::move(part));
  }
  SmallVector<IndexId> loops;
  for (size_t i = 0, e = table.size(); i != e; ++i)
    if (!scopedIndices.count(IndexId(i)))
      loops.push_back(IndexId(i));
  takeLoops(statement, loops, table);
  return success();
}

} // namespace ein
