//===- Target.cpp - The left side of a statement --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a statement writes: a tensor that is there or a new one, all of it or a
// slice.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/OpenRank.h"
#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

using namespace llvm;

namespace ein {

FailureOr<TensorId> StatementChecker::checkTarget() {
  if (failed(resolveTarget()))
    return failure();
  return statement.target;
}

LogicalResult StatementChecker::resolveTarget() {
  const ast::Name &name = source.target;
  if (std::optional<StringRef> noun = scope.getConstantNoun(name.text))
    return diags.report(DiagId::SizeWritten, name.range,
                        {name.text, noun->str()});
  std::optional<TensorId> id = scope.findTensor(name.text);
  if (!id)
    return declareTemporary();
  statement.target = *id;
  return checkWritable(*id);
}

LogicalResult StatementChecker::checkWritable(TensorId id) {
  const Tensor &tensor = scope.def[id];
  auto declaredHere = [&](DiagnosticBuilder builder) {
    return builder.note(DiagId::DeclaredHere, tensor.range, {tensor.name});
  };
  TensorRole role = scope.getRole(id);
  if (role == TensorRole::Input)
    return declaredHere(
        diags.report(DiagId::InputWritten, source.target.range, {tensor.name}));
  if (source.let && role != TensorRole::Temporary)
    return declaredHere(
        diags.report(DiagId::LetOfResult, *source.let, {tensor.name})
            .fixIt({source.let->begin, source.target.range.begin}, ""));
  if (source.type && !scope.isImplicit)
    return declaredHere(
        diags.report(DiagId::DeclaredTwice, source.type->range, {tensor.name}));
  return success(!scope[id].isBroken);
}

/// A new name on the left; its type and shape may be written beside it.
LogicalResult StatementChecker::declareTemporary() {
  Tensor tensor = {source.target.text,
                   ElementType::F32,
                   TensorRole::Temporary,
                   {},
                   source.target.range,
                   /*isInferred=*/!source.type.has_value()};
  TensorState state;
  state.hasType = state.hasShape = source.type.has_value();
  if (source.type) {
    FailureOr<ElementType> type =
        scope.resolveElementType(source.type->element);
    state.isBroken |= failed(type);
    if (succeeded(type))
      tensor.type = *type;
    tensor.generic = scope.findGeneric(source.type->element.text);
    state.typeEnd = getTypeEnd(*source.type);
    for (const ast::ExprPtr &dimSource : source.type->dims) {
      FailureOr<Affine> dim = scope.lowerSize(*dimSource);
      state.isBroken |= failed(dim);
      if (succeeded(dim))
        tensor.dims.push_back(*dim);
    }
    if (!state.isBroken)
      state.isBroken |= failed(scope.checkDims(tensor, source.type->dims));
  }
  statement.target = scope.addTensor(std::move(tensor), state);
  return success(!state.isBroken);
}

/// What the index of that name stands for.
Affine StatementChecker::addIndex(const ast::Expr &name, bool isReduction) {
  auto [entry, isNew] =
      indices.try_emplace(name.text, IndexId(statement.indices.size()));
  ++numUses[name.text];
  auto range = ranges.find(name.text);
  bool isGiven = range != ranges.end();
  if (isNew)
    statement.indices.push_back({name.text,
                                 isGiven ? range->second.extent : Affine(),
                                 isReduction,
                                 name.range,
                                 name.isLabel,
                                 {},
                                 isGiven});
  return getPosition(entry->second, name.text);
}

/// The value of an index where it is named: a `where` may have it start
/// elsewhere than at 0.
Affine StatementChecker::getPosition(IndexId id,
                                     const std::string &name) const {
  auto range = ranges.find(name);
  Affine index(id);
  return range == ranges.end()
             ? index
             : range->second.begin + index * range->second.step;
}

LogicalResult
StatementChecker::declareTargetIndices(const ast::Statement &comprehension) {
  const Tensor &target = scope.def[statement.target];
  bool hasShape = scope[statement.target].hasShape;
  targetHadShape = hasShape;
  size_t rank = comprehension.subscripts ? comprehension.subscripts->size() : 0;
  if (hasShape && rank != target.dims.size())
    return reportRank(statement.target, comprehension.target.range,
                      comprehension.subscripts.has_value(), rank);
  targetSite.tensor = statement.target;
  for (size_t i = 0; i != rank; ++i) {
    const ast::Expr &subscript = *(*comprehension.subscripts)[i];
    if (isEllipsis(subscript))
      return diags.report(DiagId::OpenRank, subscript.range);
    FailureOr<Affine> lowered = lowerTargetSubscript(subscript, i);
    if (failed(lowered))
      return failure();
    if (lowered->getIndexTerms().empty())
      *lowered = *lowered + Affine(addConstantIndex(i, subscript.range));
    IndexId index = lowered->getIndexTerms()[0].id;
    auto isAlone = [&](const ast::ExprPtr &expr) {
      return isTargetIndex(*expr);
    };
    if (llvm::is_contained(statement.targetIndices, index) &&
        !llvm::all_of(*comprehension.subscripts, isAlone))
      return diags
          .report(DiagId::DuplicateTargetIndex, subscript.range,
                  {statement.indices[index.value].name})
          .note(DiagId::FirstHere, statement.indices[index.value].range);
    statement.targetIndices.push_back(index);
    targetSite.subscripts.push_back(*lowered);
    targetSite.ranges.push_back(subscript.range);
  }
  // It is written where sums are empty, too.
  targetSite.loops.emplace(statement.targetIndices.begin(),
                           statement.targetIndices.end());
  if (hasShape)
    sites.push_back(targetSite);
  return success();
}

/// The one subscript that a constant is: of an index that nobody can name, and
/// that gets a name for itself when all others are known.
IndexId StatementChecker::addConstantIndex(size_t dim, SourceRange range) {
  IndexId id(statement.indices.size());
  statement.indices.push_back({"at" + std::to_string(dim),
                               Affine(1),
                               /*isReduction=*/false,
                               range,
                               /*isLabel=*/false,
                               {},
                               /*isGiven=*/true});
  constantIndices.push_back(id);
  return id;
}

void StatementChecker::nameConstantIndices() {
  for (IndexId id : constantIndices) {
    std::string name = statement.indices[id.value].name;
    while (indices.contains(name))
      name += "_";
    statement.indices[id.value].name = makeFresh(name);
  }
}

/// Whether it is a name that means an index on the left, and no scalar or size.
bool StatementChecker::isTargetIndex(const ast::Expr &subscript) const {
  if (subscript.kind != ast::Expr::Kind::Name)
    return false;
  const std::string &name = subscript.text;
  std::optional<TensorId> scalar = scope.findTensor(name);
  if (subscript.isLabel)
    return true;
  if (scalar && scope.states[scalar->value].hasShape &&
      scope.def[*scalar].dims.empty())
    return false;
  return scope.isImplicit || !scope.symbols.contains(name);
}

/// An index, perhaps times a factor and plus an offset, or no index; scalars
/// may be in the offset. A size alone was meant for an index where it cannot be
/// inside.
FailureOr<Affine>
StatementChecker::lowerTargetSubscript(const ast::Expr &subscript, size_t dim) {
  std::optional<StringRef> noun = scope.getConstantNoun(subscript.text);
  bool isNamed =
      subscript.kind == ast::Expr::Kind::Name && noun && !subscript.isLabel;
  auto reportSize = [&] {
    return diags.report(DiagId::SizeAsTargetIndex, subscript.range,
                        {subscript.text, noun->str()});
  };
  if (isNamed && !scope[statement.target].hasShape)
    return reportSize();
  FailureOr<Affine> lowered =
      scope.lowerAffine(subscript, "subscript on the left",
                        [&](const ast::Expr &name) -> FailureOr<Affine> {
                          if (isTargetIndex(name))
                            return addIndex(name, /*isReduction=*/false);
                          auto symbol = scope.symbols.find(name.text);
                          return symbol == scope.symbols.end()
                                     ? lowerTargetScalar(subscript, name.text)
                                     : FailureOr<Affine>(symbol->second);
                        });
  if (failed(lowered))
    return failure();
  if (lowered->getIndexTerms().size() > 1)
    return diags.report(DiagId::TargetSubscript, subscript.range);
  if (isNamed &&
      isNegative(scope.def[statement.target].dims[dim] - Affine(1) - *lowered))
    return reportSize();
  return takeScalars(subscript, *lowered);
}

/// `K(pos, h) = …` writes the row that the caller says.
FailureOr<Affine>
StatementChecker::lowerTargetScalar(const ast::Expr &subscript,
                                    const std::string &name) {
  TensorId id = *scope.findTensor(name);
  const Tensor &scalar = scope.def[id];
  if (!isInteger(scalar.type))
    return reportScalarSubscript(subscript, name,
                                 "it is of type " +
                                     getSpelling(scalar.type).str() +
                                     ", and a subscript is an integer");
  if (!scalar.isScalarInput())
    return reportScalarSubscript(subscript, name,
                                 "it is computed, and no parameter");
  if (!scope[statement.target].hasShape)
    return reportScalarSubscript(subscript, name,
                                 "the shape of `" + source.target.text +
                                     "` would depend on it");
  return scope.checks.addScalar(id);
}

/// The scalars of a subscript become where its slice starts. That is known
/// before anything runs, like a size.
FailureOr<Affine> StatementChecker::takeScalars(const ast::Expr &subscript,
                                                const Affine &lowered) {
  Affine start = lowered.withoutIndices();
  bool hasScalar = false;
  for (const Affine::SymbolTerm &term : start.getSymbolTerms()) {
    const Symbol &symbol = scope.def[term.id];
    bool isScalar = symbol.scalar.isValid();
    hasScalar |= isScalar;
    // What is negative is rounded towards zero on the right.
    if (!isScalar && scope.def.dependsOnScalar(term.id)) {
      const Affine &numerator = symbol.quotient->numerator;
      for (const Affine::SymbolTerm &part : numerator.getSymbolTerms())
        if (scope.def[part.id].scalar.isValid())
          return reportScalarSubscript(subscript, scope.def[part.id].name,
                                       "it is divided");
    }
  }
  return hasScalar
             ? lowered - start + scope.checks.addStart(start, subscript.range)
             : lowered;
}

/// What the caller says may be below 0, as no size is.
void StatementChecker::checkStarts() {
  std::vector<Affine> unlessEmpty;
  for (IndexId id : statement.targetIndices) {
    const Affine &extent = statement.indices[id.value].extent;
    if (!extent.isConstant() || extent == Affine(0))
      unlessEmpty.push_back(extent);
  }
  const Tensor &target = scope.def[statement.target];
  for (auto [dim, subscript] : llvm::enumerate(targetSite.subscripts))
    for (const Affine::SymbolTerm &term : subscript.getSymbolTerms())
      if (scope.def.dependsOnScalar(term.id))
        scope.checks.add({SizeCheck::InBounds, Affine(term.id), unlessEmpty,
                          "dim " + std::to_string(dim) + " of `" + target.name +
                              "` at " + describe(scope.def, Affine(term.id)),
                          targetSite.ranges[dim]});
}

/// What `pos` of `K(pos, h) = …` cannot be.
LogicalResult
StatementChecker::reportScalarSubscript(const ast::Expr &subscript,
                                        const std::string &name,
                                        const std::string &why) {
  const Tensor &scalar = scope.def[*scope.findTensor(name)];
  DiagnosticBuilder builder =
      diags.report(DiagId::ScalarAsTargetIndex, subscript.range, {name, why});
  bool isAlone = subscript.kind == ast::Expr::Kind::Name &&
                 isInteger(scalar.type) && scope[statement.target].hasShape;
  std::string index = makeFresh("t");
  while (indices.contains(index) || subscriptNames.contains(index))
    index += "_";
  // Other clauses, or an accumulator, would have to be written round.
  std::vector<FixIt> fixIts;
  if (isAlone && source.clauses.empty() && !source.accumulator)
    fixIts = {{subscript.range, index},
              {{source.value->range.end, source.value->range.end},
               " where " + index + " == " + name}};
  if (isAlone)
    builder.note(DiagId::RowByWhere, subscript.range,
                 {"where " + index + " == " + name, name}, std::move(fixIts));
  return builder.note(DiagId::DeclaredHere, scalar.range, {name});
}

/// `corr(i, i) = 1` after `corr(i, j) = …` writes the zeros of a diagonal.
void StatementChecker::warnOfDiagonal() {
  if (source.op != TokenKind::Assign || !source.subscripts || isPartOfEinsum ||
      scope.isCalled() || !scope.isWritten(statement.target))
    return;
  StringSet<> names;
  bool repeats = false;
  for (const ast::ExprPtr &subscript : *source.subscripts)
    repeats |=
        isTargetIndex(*subscript) && !names.insert(subscript->text).second;
  if (!repeats)
    return;
  DiagnosticBuilder builder = diags.report(
      DiagId::DiagonalClears, source.target.range, {source.target.text});
  if (source.subscripts->size() == 2) {
    std::string i = (*source.subscripts)[0]->text;
    std::string j = i == "j" ? "k" : "j";
    builder.note(DiagId::DiagonalByWhere, source.target.range,
                 {source.target.text + "(" + i + ", " + j + ") = … where " + i +
                  " == " + j});
  }
}

/// Which part of the target is written. One without a shape gets the smallest
/// that holds it, or the end of a range that `where` gives.
LogicalResult StatementChecker::decideSlice() {
  Tensor &target = scope.def.tensors[statement.target.value];
  bool isNew = !scope[statement.target].hasShape;
  nameConstantIndices();
  checkStarts();
  std::vector<TargetDim> slice;
  bool isWhole = true;
  for (auto [dim, subscript] : llvm::enumerate(targetSite.subscripts)) {
    auto [index, step] = subscript.getIndexTerms()[0];
    const Affine &extent = statement.indices[index.value].extent;
    Affine offset = subscript - Affine(index) * step;
    if (isNew) {
      Affine last = step < 0 ? Affine(0) : (extent - Affine(1)) * step;
      auto given = ranges.find(statement.indices[index.value].name);
      if (given != ranges.end() && step > 0)
        last = (given->second.end - Affine(1) - given->second.begin) *
               (step / given->second.step);
      target.dims.push_back(offset + last + Affine(1));
    }
    if (step < 0)
      offset = offset + (extent - Affine(1)) * step;
    if (step < 0)
      reversed.push_back(index);
    isWhole &= offset == Affine(0) && std::abs(step) == 1 &&
               extent == target.dims[dim];
    slice.push_back({offset, std::abs(step)});
  }
  if (isWhole)
    return success();
  statement.slice = std::move(slice);
  if (!isNew)
    return success();
  target.isInferred = false;
  for (auto [dim, size] : llvm::enumerate(target.dims)) {
    SourceRange range = targetSite.ranges[dim];
    if (size.hasOverflowed())
      return diags.report(DiagId::ArithmeticOverflow, range);
    if (!isNonNegative(size))
      scope.checks.add(
          {SizeCheck::NonNegativeExtent,
           size,
           {},
           "dim " + std::to_string(dim) + " of `" + target.name + "`",
           range});
  }
  return checkAccesses(scope.def, statement, targetSite, scope.checks, diags);
}

/// What is written from its end is written from its start, by indices that run
/// the other way: a slice has a positive step.
void StatementChecker::reverseIndices() {
  if (reversed.empty())
    return;
  auto reverse = [&](std::vector<Affine> &subscripts) {
    for (Affine &subscript : subscripts)
      for (IndexId index : reversed) {
        const Affine &extent = statement.indices[index.value].extent;
        int64_t coefficient = subscript.getCoefficient(index);
        subscript = subscript + (extent - Affine(1)) * coefficient -
                    Affine(index) * coefficient * 2;
      }
  };
  std::vector<ExprId> work = {statement.value};
  if (statement.condition.isValid())
    work.push_back(statement.condition);
  while (!work.empty()) {
    Expr &expr = scope.def.exprs[work.back().value];
    work.pop_back();
    reverse(expr.subscripts);
    llvm::append_range(work, expr.getOperands());
  }
  for (ExistsClause &clause : statement.exists)
    reverse(clause.subscripts);
}

} // namespace ein
