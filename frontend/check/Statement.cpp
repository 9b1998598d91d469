//===- Statement.cpp - The story of one statement -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Statement.h"
#include "frontend/check/Call.h"
#include "frontend/check/OpenRank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

/// A call of nothing that there is, which would make a target of rank 0.
bool StatementChecker::namesNothing(const ast::Expr &expr) const {
  return expr.kind == ast::Expr::Kind::Call && !source.subscripts &&
         !ast::isEinsum(expr) && !scope.findTensor(expr.text) &&
         !scope.targets.count(expr.text) && !isFunction(expr.text) &&
         !scope.findElementType(expr.text) &&
         !scope.builder.callees.has(expr.text);
}

/// What an attribute says that updates, as if it had been written.
LogicalResult StatementChecker::checkUpdateFunction() {
  const ast::Name &name = *source.updateFunction;
  FailureOr<std::string> function = scope.resolveFunction(name);
  if (failed(function))
    return failure();
  std::optional<TokenKind> update = opdsl::getUpdate(*function);
  if (!update)
    return diags.report(DiagId::UnknownReducer, name.range, {*function});
  ast::Statement written;
  written.target = source.target;
  written.subscripts.emplace();
  for (const ast::ExprPtr &subscript : *source.subscripts)
    written.subscripts->push_back(ast::clone(*subscript));
  written.op = *update;
  written.opRange = source.opRange;
  written.value = ast::clone(*source.value);
  written.isUnsigned = opdsl::isUnsignedUpdate(*function);
  written.range = source.range;
  StatementChecker(scope, written).check();
  return success();
}

void StatementChecker::check() {
  if (source.updateFunction) {
    if (failed(checkUpdateFunction()) && succeeded(checkTarget()))
      breakTarget();
    return;
  }
  if (!source.subscripts && callsDef(scope, *source.value))
    return checkCall(scope, source);
  if (namesNothing(*source.value)) {
    (void)reportUnknown(*source.value);
    if (!scope.findTensor(source.target.text))
      (void)declareTemporary();
    else
      statement.target = *scope.findTensor(source.target.text);
    return breakTarget();
  }
  if (!source.moreTargets.empty())
    (void)diags.report(DiagId::SeveralTargets, source.moreTargets[0].range);
  if (failed(checkInOrder()))
    breakTarget();
}

LogicalResult StatementChecker::checkInOrder() {
  statement.range = source.range;
  if (failed(resolveTarget()))
    return failure();

  ast::Statement expanded;
  const ast::Statement *comprehension = &source;
  if (isEinsum()) {
    if (!source.clauses.empty())
      return diags.report(DiagId::EinsumWithWhere,
                          source.clauses[0].operands[0]->range);
    FailureOr<std::optional<ast::Statement>> result = expandEinsum();
    if (failed(result))
      return failure();
    if (!*result)
      return finishTarget();
    expanded = std::move(**result);
    comprehension = &expanded;
    if (source.value->text == "contract" && failed(nameContract()))
      return failure();
  } else if (isOfWholeTensors()) {
    FailureOr<ast::Statement> result = expandWhole();
    if (failed(result))
      return failure();
    expanded = std::move(*result);
    comprehension = &expanded;
  }
  // From here on there are comprehensions only.
  LogicalResult named = checkNoNamed(*comprehension->value);
  for (const ast::Clause &clause : comprehension->clauses)
    for (const ast::ExprPtr &operand : clause.operands)
      if (failed(checkNoNamed(*operand)))
        named = failure();
  if (failed(named))
    return failure();
  if (!comprehension->clauses.empty()) {
    FailureOr<ast::Statement> result = expandDefinitions(*comprehension);
    if (failed(result))
      return failure();
    expanded = std::move(*result);
    comprehension = &expanded;
  }
  if (isDiagonalToSplit(*comprehension)) {
    FailureOr<ast::Statement> result = splitDiagonal(*comprehension);
    if (failed(result))
      return failure();
    expanded = std::move(*result);
    comprehension = &expanded;
  }
  // From here on a diagonal is written from a single access.
  warnOfDiagonal();
  for (const ast::Clause &clause : comprehension->clauses)
    if (clause.kind == ast::Clause::Kind::Range && failed(declareRange(clause)))
      return failure();
  if (failed(declareTargetIndices(*comprehension)))
    return failure();
  collectSubscriptNames(*comprehension->value, /*isSubscript=*/false);
  for (const ast::Clause &clause : comprehension->clauses)
    for (const ast::ExprPtr &operand : clause.operands)
      collectSubscriptNames(*operand, /*isSubscript=*/false);
  const Reducer *whole = getWholeReducer(*comprehension);
  FailureOr<ExprId> value = whole ? lowerWholeReduction(*comprehension, *whole)
                                  : lower(*comprehension->value);
  if (failed(value))
    return failure();
  statement.value = *value;
  if (failed(lowerClauses(*comprehension)))
    return failure();
  statement.groups = comprehension->groups;

  finishSites();
  warnOfNames(*comprehension);
  warnOfSizesAsIndices();
  if (failed(checkNumIndices()) ||
      failed(decideUpdate(*comprehension, whole)) || failed(decideType()) ||
      failed(inferRanges(scope.def, statement, sites, outsideSites,
                         scope.checks, diags,
                         [&](DiagnosticBuilder &builder, IndexId index) {
                           explainNoRange(builder, index);
                         })) ||
      failed(
          takeStarts(findStarts(scope.def, statement, sites, scope.checks))) ||
      failed(checkAccesses(scope.def, statement, sites, scope.checks, diags,
                           !source.clauses.empty())))
    return failure();
  warnOfReadings();
  findSafePlaces(statement.value);
  if (statement.condition.isValid())
    findSafePlaces(statement.condition);
  for (const Reduction &reduction : reductions)
    findSafePlaces(reduction.value);
  if (failed(decideSlice()) || failed(splitReductions()))
    return failure();
  finishOutside();
  return finishTarget();
}

/// Whether `name` may be `other` with a letter wrong. Names that differ in a
/// number are two names.
bool StatementChecker::isMisspeltIndex(StringRef name, StringRef other) {
  auto getLetters = [](StringRef text) {
    std::string letters = text.str();
    llvm::erase_if(letters, isDigit);
    return letters;
  };
  constexpr size_t minLength = 3;
  return name.size() >= minLength && other.size() >= minLength &&
         getLetters(name) != getLetters(other) &&
         findSimilarName(name, {other}).has_value();
}

/// Indices need no declaration, so that a misspelt one is one more. It shows as
/// a range for nobody, or as two that are alike, one of them on the left only.
void StatementChecker::warnOfNames(const ast::Statement &comprehension) {
  auto names = llvm::to_vector(indices.keys());
  llvm::erase_if(names, [&](StringRef name) { return ranges.contains(name); });
  for (const ast::Clause &clause : comprehension.clauses) {
    const ast::Name &name = clause.name;
    if (clause.kind == ast::Clause::Kind::Range &&
        comprehension.op == TokenKind::Assign && numUses[name.text] == 1 &&
        !reducedRanges.contains(name.text))
      diags.report(DiagId::RangeUnused, name.range, {name.text})
          .didYouMean(name.range, name.text, names);
  }
  constexpr size_t maxIndices = 32; // nobody writes so many of them by hand
  if (statement.indices.size() > maxIndices || isPartOfEinsum)
    return;
  for (const Index &index : statement.indices)
    for (IndexId id : statement.targetIndices) {
      const Index &target = statement.indices[id.value];
      if (index.isReduction && numUses[index.name] == 1 &&
          numUses[target.name] == 1 && isMisspeltIndex(index.name, target.name))
        diags
            .report(DiagId::IndexMisspelt, index.range,
                    {index.name, target.name})
            .note(DiagId::DidYouMean, index.range, {target.name})
            .fixIt(index.range, target.name);
    }
}

/// What is left to do for `pad` and `clamp` once ranges are known.
void StatementChecker::finishOutside() {
  checkClamped(statement.value);
  if (statement.condition.isValid())
    checkClamped(statement.condition);
  if (llvm::any_of(statement.indices,
                   [](const Index &index) { return index.isReduction; }))
    padFirst(statement.value);
}

/// `A(i, j)`; of many dims, `A(i, …)`.
static std::string exampleAccess(const Tensor &tensor) {
  static constexpr StringLiteral subscripts[] = {"", "i", "i, j", "i, j, k"};
  size_t rank = tensor.dims.size();
  return tensor.name + "(" +
         (rank < std::size(subscripts) ? subscripts[rank].str() : "i, …") + ")";
}

LogicalResult StatementChecker::reportRank(TensorId id, SourceRange range,
                                           bool hasSubscripts, size_t rank) {
  const Tensor &tensor = scope.def[id];
  std::string expected = std::to_string(tensor.dims.size());
  DiagnosticBuilder builder =
      hasSubscripts
          ? diags.report(DiagId::RankMismatch, range,
                         {tensor.name, expected, count(rank, "subscript")})
          : diags.report(DiagId::NeedsSubscripts, range,
                         {tensor.name, expected, exampleAccess(tensor)});
  return builder.note(DiagId::DeclaredHere, tensor.range, {tensor.name});
}

//===----------------------------------------------------------------------===//
// What the statement does
//===----------------------------------------------------------------------===//

/// Solving for ranges takes time that grows with their square; the labels of an
/// einsum string have theirs without.
LogicalResult StatementChecker::checkNumIndices() {
  constexpr size_t maxIndices = 1024;
  size_t count = 0;
  for (const Index &index : statement.indices)
    if (!index.isLabel && ++count > maxIndices)
      return diags.report(DiagId::TooManyIndices, index.range,
                          {std::to_string(maxIndices)});
  return success();
}

static UpdateKind getUpdateKind(TokenKind op) {
  switch (op) {
  case TokenKind::Assign:
    return UpdateKind::Assign;
  case TokenKind::AddAssign:
  case TokenKind::AddInit:
    return UpdateKind::Add;
  case TokenKind::MulAssign:
  case TokenKind::MulInit:
    return UpdateKind::Mul;
  case TokenKind::MaxAssign:
  case TokenKind::MaxInit:
    return UpdateKind::Max;
  case TokenKind::MinAssign:
  case TokenKind::MinInit:
    return UpdateKind::Min;
  case TokenKind::AndAssign:
  case TokenKind::AndInit:
    return UpdateKind::And;
  case TokenKind::OrAssign:
  case TokenKind::OrInit:
    return UpdateKind::Or;
  case TokenKind::XorAssign:
  case TokenKind::XorInit:
    return UpdateKind::Xor;
  default:
    llvm_unreachable("the parser lets no other assignment pass");
  }
}

static bool startsFromIdentity(TokenKind op) {
  return op == TokenKind::AddInit || op == TokenKind::MulInit ||
         op == TokenKind::MaxInit || op == TokenKind::MinInit ||
         op == TokenKind::AndInit || op == TokenKind::OrInit ||
         op == TokenKind::XorInit;
}

/// A `*`-tree of accesses, scalars and literals, casts aside: what `=` sums of
/// itself.
bool StatementChecker::isProduct(ExprId id) const {
  const Expr &expr = scope.def[id];
  if (expr.kind == ExprKind::Binary)
    return expr.binary == BinaryFn::Mul && isProduct(expr.lhs) &&
           isProduct(expr.rhs);
  if (expr.kind == ExprKind::Cast)
    return isProduct(expr.lhs);
  return expr.kind != ExprKind::Unary && expr.kind != ExprKind::Select &&
         !isReduction(id);
}

/// `whole`: the right side is a reduction, which is the update.
LogicalResult
StatementChecker::decideUpdate(const ast::Statement &comprehension,
                               const Reducer *whole) {
  statement.update = whole ? whole->update : getUpdateKind(comprehension.op);
  statement.fromIdentity = whole || startsFromIdentity(comprehension.op);
  if (continuesTarget) {
    statement.fromIdentity = false;
    return decideContinuation("`" + comprehension.value->text + "<…>`");
  }
  if (statement.update != UpdateKind::Assign && !whole)
    return statement.fromIdentity
               ? success()
               : decideContinuation(getDescription(source.op));

  // Those that no reduction names.
  const Index *reduction = nullptr;
  for (size_t i = statement.targetIndices.size();
       i < statement.indices.size() && !reduction; ++i)
    if (statement.indices[i].isReduction &&
        !(whole && isOdsReducer(comprehension.value->text)) &&
        !scopedIndices.count(IndexId(i)) && !listedIndices.count(IndexId(i)))
      reduction = &statement.indices[i];
  if (!reduction)
    return success();
  if (whole || !isProduct(statement.value))
    return reportForgotten(*reduction, comprehension);
  statement.update = UpdateKind::Add;
  statement.fromIdentity = true;
  return success();
}

/// One more index on the left, and one more dim where the target is declared;
/// none if it is not known what that is.
std::vector<FixIt> StatementChecker::addTargetIndex(const Index &index) const {
  std::vector<FixIt> fixIts;
  auto insert = [&](uint32_t place, const std::string &text, bool isFirst) {
    fixIts.push_back(
        {{place, place}, isFirst ? "(" + text + ")" : ", " + text});
  };
  // In a def that is called, sizes have the caller's names.
  // Elsewhere the target would have an index too few.
  if (isPartOfEinsum || scope.isCalled() ||
      scope.numWrites.lookup(source.target.text) > 1 ||
      (source.subscripts && source.subscripts->empty()))
    return {};
  const TensorState &state = scope.states[statement.target.value];
  if (state.typeEnd && !scope.isImplicit) {
    IndexId id(&index - statement.indices.data());
    const Affine *extent = nullptr;
    for (const AccessSite &site : sites)
      for (auto [dim, subscript] : llvm::enumerate(site.subscripts))
        if (!extent && subscript == Affine(id))
          extent = &scope.def[site.tensor].dims[dim];
    if (!extent)
      return {};
    insert(*state.typeEnd, describe(scope.def, *extent, /*quote=*/false),
           scope.def[statement.target].dims.empty());
  }
  if (source.subscripts)
    insert(source.subscripts->back()->range.end, index.name, false);
  else
    insert(source.type ? source.type->range.end : source.target.range.end,
           index.name, true);
  return fixIts;
}

/// Whether a product of elements is inside a function: `sqrt(T(i) * T(i))` may
/// be meant to sum inside or outside.
bool StatementChecker::hidesProduct(ExprId id, bool isInside) const {
  const Expr &expr = scope.def[id];
  auto isElement = [&](ExprId operand) {
    return !collectIndices(operand).empty();
  };
  bool isProductOfTwo = expr.kind == ExprKind::Binary &&
                        expr.binary == BinaryFn::Mul && isElement(expr.lhs) &&
                        isElement(expr.rhs);
  bool isSquare = expr.kind == ExprKind::Unary && expr.unary == UnaryFn::Square;
  if (isInside && (isProductOfTwo || isSquare))
    return true;
  bool isFunction =
      expr.kind == ExprKind::Unary && expr.unary != UnaryFn::Neg && !isSquare;
  return llvm::any_of(expr.getOperands(), [&](ExprId operand) {
    return hidesProduct(operand, isInside || isFunction);
  });
}

/// `+=!` if it is what all terms of the right side need; of terms that do not
/// depend on the index, a sum of the others. False if it may be something else.
bool StatementChecker::addSumFixIt(DiagnosticBuilder &builder,
                                   const Index &index) {
  if (hidesProduct(statement.value, /*isInside=*/false))
    return false;
  const ast::Expr *value = source.value.get();
  auto isSum = [](const ast::Expr &expr) {
    return expr.kind == ast::Expr::Kind::Binary &&
           (expr.op == TokenKind::Plus || expr.op == TokenKind::Minus);
  };
  // In the order of the text.
  SmallVector<const ast::Expr *> terms;
  for (; isSum(*value); value = value->operands[0].get())
    terms.insert(terms.begin(), value->operands[1].get());
  terms.insert(terms.begin(), value);
  std::function<bool(const ast::Expr &)> names = [&](const ast::Expr &expr) {
    return (expr.kind == ast::Expr::Kind::Name && expr.text == index.name) ||
           llvm::any_of(expr.operands, [&](const ast::ExprPtr &operand) {
             return names(*operand);
           });
  };
  size_t numUsing = llvm::count_if(
      terms, [&](const ast::Expr *term) { return names(*term); });
  if (numUsing == terms.size() && !isPartOfEinsum) {
    builder.fixIt(source.opRange, "+=!");
    return true;
  }
  if (numUsing == 0) {
    builder.fixIt(source.opRange, "+=!");
    return isPartOfEinsum;
  }
  // The index may not be the only one that is summed over.
  std::string list;
  for (const Index &each : statement.indices)
    if (each.isReduction)
      list += (list.empty() ? "" : ", ") + each.name;
  for (const ast::Expr *term : terms) {
    if (!names(*term))
      continue;
    builder.fixIt({term->range.begin, term->range.begin}, "sum<" + list + ">(");
    builder.fixIt({term->range.end, term->range.end}, ")");
  }
  return true;
}

/// `=` would have to sum over `index`: that is `+=!`, or one more index of a
/// reduction. Or else the index was to be kept.
LogicalResult
StatementChecker::reportForgotten(const Index &index,
                                  const ast::Statement &comprehension) {
  DiagnosticBuilder builder =
      diags.report(DiagId::SumWithoutReduction, index.range, {index.name});
  const ast::Expr &value = *comprehension.value;
  if (value.kind == ast::Expr::Kind::Reduce) {
    // One that is used nowhere is the other one, misspelt.
    const ast::Expr &last = *value.indices.back();
    if (value.indices.size() == 1 && !subscriptNames.contains(last.text))
      builder.fixIt(last.range, index.name);
    else
      builder.fixIt({last.range.end, last.range.end}, ", " + index.name);
  } else if (!addSumFixIt(builder, index)) {
    builder.note(DiagId::SumInside, source.opRange, {index.name});
  }
  if (isPartOfEinsum || isOfWholeTensors())
    return builder;
  std::string left = source.target.text + "(";
  if (source.subscripts)
    for (const ast::ExprPtr &subscript : *source.subscripts)
      left +=
          (subscript->kind == ast::Expr::Kind::Name ? subscript->text : "…") +
          ", ";
  // Of several, one more on the left is not enough.
  auto isForgotten = [&](const Index &each) {
    IndexId id(&each - statement.indices.data());
    return each.isReduction && !scopedIndices.count(id) &&
           !listedIndices.count(id);
  };
  bool isOnly = llvm::count_if(statement.indices, isForgotten) == 1;
  return builder.note(DiagId::KeepIndex, source.target.range,
                      {index.name, left + index.name + ")"},
                      isOnly ? addTargetIndex(index) : std::vector<FixIt>());
}

/// `op=` needs something to continue from.
LogicalResult StatementChecker::decideContinuation(StringRef op) {
  Tensor &target = scope.def.tensors[statement.target.value];
  if (scope.isWritten(statement.target))
    return success();
  if (scope.skippedNames.contains(target.name))
    return failure();
  bool isError = target.role == TensorRole::Temporary || scope.isCalled();
  DiagnosticBuilder builder = diags.report(
      isError ? DiagId::NothingToContinue : DiagId::OutputContinued,
      source.opRange, {op.str(), target.name});
  if (!continuesTarget)
    builder.fixIt({source.opRange.end, source.opRange.end}, "!");
  if (isError)
    return builder;
  target.role = TensorRole::InOut;
  return success();
}

/// The statement is right: what it writes is written from now on.
LogicalResult StatementChecker::finishTarget() {
  Tensor &target = scope.def.tensors[statement.target.value];
  TensorState &state = scope[statement.target];
  if (!state.hasShape) {
    state.hasShape = true;
    if (failed(scope.checkByteSize(target)))
      return failure();
  }
  state.isWritten = true;
  scope.pendingResults.erase(statement.target);
  reverseIndices();
  scope.def.statements.push_back(std::move(statement));
  return success();
}

/// Nobody is to hear of it again.
void StatementChecker::breakTarget() {
  if (!statement.target.isValid())
    return;
  TensorState &state = scope[statement.target];
  state.isWritten = true;
  state.isBroken |= !state.hasShape || !state.hasType;
}

} // namespace ein
