//===- Target.cpp - The left side of a statement --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a statement writes: a tensor that is there or a new one. Which part of
// it is written is known when ranges are: see TargetSlice.cpp.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Target.h"
#include "frontend/check/ExprAccess.h"
#include "frontend/check/OpenRank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace ein {

static LogicalResult checkWritable(const StatementContext &context,
                                   TensorId id) {
  DefScope &scope = context.scope;
  DiagnosticEngine &diags = context.diags;
  const ast::Statement &source = context.source;
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

ResolvedTarget declareTemporary(const StatementContext &context) {
  DefScope &scope = context.scope;
  const ast::Statement &source = context.source;
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
  return {scope.addTensor(std::move(tensor), state), !state.isBroken};
}

ResolvedTarget resolveTarget(const StatementContext &context) {
  DefScope &scope = context.scope;
  const ast::Name &name = context.source.target;
  if (std::optional<StringRef> noun = scope.getConstantNoun(name.text)) {
    context.diags.report(DiagId::SizeWritten, name.range,
                         {name.text, noun->str()});
    return {};
  }
  std::optional<TensorId> id = scope.findTensor(name.text);
  if (!id)
    return declareTemporary(context);
  return {*id, succeeded(checkWritable(context, *id))};
}

void breakTarget(DefScope &scope, TensorId id) {
  if (!id.isValid())
    return;
  TensorState &state = scope[id];
  state.isWritten = true;
  state.isBroken |= !state.hasShape || !state.hasType;
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

bool isTargetIndex(const DefScope &scope, const ast::Expr &subscript) {
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

static bool holdsIndex(const DefScope &scope, const ast::Expr &expr) {
  return isTargetIndex(scope, expr) ||
         llvm::any_of(expr.operands, [&](const ast::ExprPtr &operand) {
           return holdsIndex(scope, *operand);
         });
}

/// Whether it is not linear in indices, sizes and scalars.
static bool isComputedTarget(const DefScope &scope,
                             const ast::Expr &subscript) {
  auto isComputed = [&](const ast::ExprPtr &operand) {
    return isComputedTarget(scope, *operand);
  };
  auto hasIndex = [&](size_t operand) {
    return holdsIndex(scope, *subscript.operands[operand]);
  };
  switch (subscript.kind) {
  case ast::Expr::Kind::Call:
    return subscript.text != "dim" || scope.findTensor("dim");
  case ast::Expr::Kind::Cast:
  case ast::Expr::Kind::Conditional:
  case ast::Expr::Kind::Reduce:
    return true;
  case ast::Expr::Kind::Unary:
    return subscript.op != TokenKind::Minus ||
           isComputed(subscript.operands[0]);
  case ast::Expr::Kind::Binary:
    break;
  default:
    return false;
  }
  if (llvm::any_of(subscript.operands, isComputed))
    return true;
  switch (subscript.op) {
  case TokenKind::Plus:
  case TokenKind::Minus:
    return false;
  case TokenKind::Star:
    return hasIndex(0) && hasIndex(1);
  default:
    return hasIndex(0) || hasIndex(1);
  }
}

static void collectTargetIndices(const DefScope &scope, const ast::Expr &expr,
                                 StringSet<> &names) {
  if (isTargetIndex(scope, expr))
    names.insert(expr.text);
  for (const ast::ExprPtr &operand : expr.operands)
    collectTargetIndices(scope, *operand, names);
}

/// A sum of indices under `=` is more likely meant to be added up.
static bool isScatter(const DefScope &scope, const ast::Statement &statement) {
  if (!statement.subscripts)
    return false;
  StringSet<> all;
  bool isSum = false, repeats = false, isAlone = true;
  for (const ast::ExprPtr &subscript : *statement.subscripts) {
    if (isComputedTarget(scope, *subscript))
      return true;
    StringSet<> own;
    collectTargetIndices(scope, *subscript, own);
    isSum |= own.size() > 1;
    isAlone &= isTargetIndex(scope, *subscript);
    for (const auto &name : own)
      repeats |= !all.insert(name.getKey()).second;
  }
  return isSum ? statement.op != TokenKind::Assign : repeats && !isAlone;
}

namespace {

class TargetChecker : StatementContext {
public:
  TargetChecker(const StatementContext &context, TensorId id, IndexTable &table,
                bool isRecurrence)
      : StatementContext(context), table(table) {
    result.id = id;
    result.isRecurrence = isRecurrence;
  }

  FailureOr<CheckedTarget> check(const ast::Statement &comprehension);

private:
  void addComputedIndices(const ast::Expr &subscript);
  IndexId addConstantIndex(size_t dim, SourceRange range);
  FailureOr<Affine> lowerTargetSubscript(const ast::Expr &subscript,
                                         size_t dim);
  FailureOr<Affine> lowerTargetScalar(const ast::Expr &subscript,
                                      const std::string &name);
  FailureOr<Affine> takeScalars(const ast::Expr &subscript,
                                const Affine &lowered);
  LogicalResult reportScalarSubscript(const ast::Expr &subscript,
                                      const std::string &name,
                                      const std::string &why);

  IndexTable &table;
  CheckedTarget result;
};

} // namespace

/// `h: i64(256)(…)`, with a place for each value that a narrow subscript has.
static std::string declareScatter(const DefScope &scope,
                                  const ast::Statement &comprehension) {
  std::string sizes;
  for (const ast::ExprPtr &subscript : *comprehension.subscripts) {
    std::string size = "16";
    if (subscript->kind == ast::Expr::Kind::Name)
      size = StringRef(subscript->text).upper();
    std::optional<TensorId> tensor = scope.findTensor(subscript->text);
    if (subscript->kind == ast::Expr::Kind::Call && tensor &&
        scope.states[tensor->value].hasType &&
        scope.def[*tensor].type == ElementType::U8)
      size = "256";
    sizes += (sizes.empty() ? "" : ", ") + size;
  }
  const ast::Expr &value = *comprehension.value;
  bool counts =
      value.kind == ast::Expr::Kind::Number && value.op == TokenKind::Integer;
  return comprehension.target.text + ": " + (counts ? "i64" : "f32") + "(" +
         sizes + ")(…)";
}

FailureOr<CheckedTarget>
TargetChecker::check(const ast::Statement &comprehension) {
  const Tensor &target = scope.def[result.id];
  bool hasShape = scope[result.id].hasShape;
  result.hadShape = hasShape;
  size_t rank = comprehension.subscripts ? comprehension.subscripts->size() : 0;
  if (hasShape && rank != target.dims.size())
    return reportRank(scope, result.id, comprehension.target.range,
                      comprehension.subscripts.has_value(), rank);
  result.site.tensor = result.id;
  result.isScatter = isScatter(scope, comprehension);
  for (size_t i = 0; i != rank; ++i) {
    const ast::Expr &subscript = *(*comprehension.subscripts)[i];
    if (isEllipsis(subscript))
      return diags.report(DiagId::OpenRank, subscript.range);
    result.site.ranges.push_back(subscript.range);
    if (isComputedTarget(scope, subscript)) {
      if (!hasShape)
        return diags
            .report(DiagId::ScatterShape, subscript.range, {target.name})
            .note(DiagId::ScatterDeclare, comprehension.target.range,
                  {declareScatter(scope, comprehension)});
      addComputedIndices(subscript);
      result.site.computedDims.push_back(i);
      result.site.subscripts.emplace_back();
      continue;
    }
    FailureOr<Affine> lowered = lowerTargetSubscript(subscript, i);
    if (failed(lowered))
      return failure();
    bool isInOrder = result.isScatter || result.isRecurrence;
    if (lowered->getIndexTerms().empty() && !isInOrder)
      *lowered = *lowered + Affine(addConstantIndex(i, subscript.range));
    result.site.subscripts.push_back(*lowered);
    if (lowered->getIndexTerms().empty() || result.isScatter)
      continue;
    IndexId index = lowered->getIndexTerms()[0].id;
    // A diagonal has been rewritten.
    assert(!llvm::is_contained(result.indices, index) || !result.isRecurrence);
    result.indices.push_back(index);
  }
  // It is written where sums are empty, too; in order, at points alone.
  if (!result.isScatter && !result.isRecurrence)
    result.site.loops.emplace(result.indices.begin(), result.indices.end());
  return result;
}

/// The indices in a subscript that the right side's checker looks at: they are
/// on the left for all that.
void TargetChecker::addComputedIndices(const ast::Expr &subscript) {
  if (subscript.kind == ast::Expr::Kind::Name &&
      isTargetIndex(scope, subscript) && !scope.findTensor(subscript.text) &&
      !scope.constants.contains(subscript.text))
    (void)table.add(subscript, /*isReduction=*/false);
  if (subscript.kind == ast::Expr::Kind::Reduce)
    return; // it has indices of its own
  for (const ast::ExprPtr &operand : subscript.operands)
    addComputedIndices(*operand);
}

/// The one subscript that a constant is: of an index that nobody can name, and
/// that gets a name for itself when all others are known.
IndexId TargetChecker::addConstantIndex(size_t dim, SourceRange range) {
  IndexId id(table.all.size());
  table.all.push_back({"at" + std::to_string(dim),
                       Affine(1),
                       /*isReduction=*/false,
                       range,
                       /*isLabel=*/false,
                       {},
                       /*isGiven=*/true});
  result.constants.push_back(id);
  return id;
}

/// An index, perhaps times a factor and plus an offset, or no index; scalars
/// may be in the offset. A size alone was meant for an index where it cannot be
/// inside.
FailureOr<Affine>
TargetChecker::lowerTargetSubscript(const ast::Expr &subscript, size_t dim) {
  std::optional<StringRef> noun = scope.getConstantNoun(subscript.text);
  bool isNamed =
      subscript.kind == ast::Expr::Kind::Name && noun && !subscript.isLabel;
  auto reportSize = [&] {
    return diags.report(DiagId::SizeAsTargetIndex, subscript.range,
                        {subscript.text, noun->str()});
  };
  if (isNamed && !scope[result.id].hasShape)
    return reportSize();
  FailureOr<Affine> lowered =
      scope.lowerAffine(subscript, "subscript on the left",
                        [&](const ast::Expr &name) -> FailureOr<Affine> {
                          if (isTargetIndex(scope, name))
                            return table.add(name, /*isReduction=*/false);
                          auto symbol = scope.symbols.find(name.text);
                          return symbol == scope.symbols.end()
                                     ? lowerTargetScalar(subscript, name.text)
                                     : FailureOr<Affine>(symbol->second);
                        });
  if (failed(lowered))
    return failure();
  if (lowered->getIndexTerms().size() > 1 && !result.isScatter)
    return diags.report(DiagId::TargetSubscript, subscript.range)
        .note(DiagId::ScatterInstead, source.opRange);
  if (isNamed &&
      isNegative(scope.def[result.id].dims[dim] - Affine(1) - *lowered))
    return reportSize();
  return takeScalars(subscript, *lowered);
}

/// `K(pos, h) = …` writes the row that the caller says.
FailureOr<Affine> TargetChecker::lowerTargetScalar(const ast::Expr &subscript,
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
  if (!scope[result.id].hasShape)
    return reportScalarSubscript(subscript, name,
                                 "the shape of `" + source.target.text +
                                     "` would depend on it");
  return scope.checks.addScalar(id);
}

/// The scalars of a subscript become where its slice starts. That is known
/// before anything runs, like a size.
FailureOr<Affine> TargetChecker::takeScalars(const ast::Expr &subscript,
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

/// What `pos` of `K(pos, h) = …` cannot be.
LogicalResult TargetChecker::reportScalarSubscript(const ast::Expr &subscript,
                                                   const std::string &name,
                                                   const std::string &why) {
  const Tensor &scalar = scope.def[*scope.findTensor(name)];
  DiagnosticBuilder builder =
      diags.report(DiagId::ScalarAsTargetIndex, subscript.range, {name, why});
  bool isAlone = subscript.kind == ast::Expr::Kind::Name &&
                 isInteger(scalar.type) && scope[result.id].hasShape;
  std::string index = scope.makeFresh("t");
  while (table.byName.contains(index))
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

FailureOr<CheckedTarget> checkTarget(const StatementContext &context,
                                     TensorId id,
                                     const ast::Statement &comprehension,
                                     IndexTable &table, bool isRecurrence) {
  return TargetChecker(context, id, table, isRecurrence).check(comprehension);
}

void warnOfDiagonal(const StatementContext &context, TensorId id) {
  DefScope &scope = context.scope;
  const ast::Statement &source = context.source;
  if (source.op != TokenKind::Assign || !source.subscripts ||
      context.isPartOfEinsum || scope.isCalled() || !scope.isWritten(id))
    return;
  StringSet<> names;
  bool repeats = false;
  for (const ast::ExprPtr &subscript : *source.subscripts)
    repeats |= isTargetIndex(scope, *subscript) &&
               !names.insert(subscript->text).second;
  if (!repeats)
    return;
  DiagnosticBuilder builder = context.diags.report(
      DiagId::DiagonalClears, source.target.range, {source.target.text});
  if (source.subscripts->size() == 2) {
    std::string i = (*source.subscripts)[0]->text;
    std::string j = i == "j" ? "k" : "j";
    builder.note(DiagId::DiagonalByWhere, source.target.range,
                 {source.target.text + "(" + i + ", " + j + ") = … where " + i +
                  " == " + j});
  }
}

} // namespace ein
