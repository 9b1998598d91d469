//===- Statement.cpp - The story of one statement -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement is checked step by step, each in files of its own:
//
//  Target    what it writes
//  Rewrite   what it says in the one notation that the rest knows
//  Ranges    which ranges a `where` gives
//  Target    the subscripts on the left
//  Expr      the right side
//  Update    what it does to its target, and in which type
//  Ranges    how far the indices go, and that nothing is outside
//  Order     whether its points are taken one after the other
//  Split     reductions inside become statements before it
//
// A step gets what those before it returned. What is written is broken if a
// step fails, so that nobody hears of it again.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Statement.h"
#include "frontend/check/Builtins.h"
#include "frontend/check/Call.h"
#include "frontend/check/ExprUnknown.h"
#include "frontend/check/Order.h"
#include "frontend/check/RangesComputed.h"
#include "frontend/check/RangesGiven.h"
#include "frontend/check/RangesStatement.h"
#include "frontend/check/Rewrite.h"
#include "frontend/check/SplitPadding.h"
#include "frontend/check/SplitReductions.h"
#include "frontend/check/StatementWarnings.h"
#include "frontend/check/TargetSlice.h"
#include "frontend/check/UpdateType.h"

using namespace llvm;

namespace ein {

/// A call of nothing that there is, which would make a target of rank 0.
static bool namesNothing(const StatementContext &context) {
  const DefScope &scope = context.scope;
  const ast::Statement &source = context.source;
  const ast::Expr &expr = *source.value;
  return expr.kind == ast::Expr::Kind::Call && !source.subscripts &&
         !ast::isEinsum(expr) && !scope.findTensor(expr.text) &&
         !scope.targets.count(expr.text) && !isFunction(expr.text) &&
         !scope.findElementType(expr.text) &&
         !scope.builder.callees.has(expr.text);
}

/// What an attribute says that updates, as if it had been written.
static LogicalResult checkUpdateFunction(const StatementContext &context) {
  const ast::Statement &source = context.source;
  const ast::Name &name = *source.updateFunction;
  FailureOr<std::string> function = context.scope.resolveFunction(name);
  if (failed(function))
    return failure();
  std::optional<TokenKind> update = opdsl::getUpdate(*function);
  if (!update)
    return context.diags.report(DiagId::UnknownReducer, name.range,
                                {*function});
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
  checkStatement(context.scope, written);
  return success();
}

/// Solving for ranges takes time that grows with their square; the labels of an
/// einsum string have theirs without.
static LogicalResult checkNumIndices(const IndexTable &table,
                                     DiagnosticEngine &diags) {
  constexpr size_t maxIndices = 1024;
  size_t count = 0;
  for (const Index &index : table.all)
    if (!index.isLabel && ++count > maxIndices)
      return diags.report(DiagId::TooManyIndices, index.range,
                          {std::to_string(maxIndices)});
  return success();
}

/// The statement is right: what it writes is written from now on.
static LogicalResult finishStatement(DefScope &scope, Statement statement,
                                     ArrayRef<IndexId> reversed) {
  TensorState &state = scope[statement.target];
  if (!state.hasShape) {
    state.hasShape = true;
    if (failed(scope.checkByteSize(scope.def[statement.target])))
      return failure();
  }
  state.isWritten = true;
  scope.pendingResults.erase(statement.target);
  reverseIndices(scope.def, statement, reversed);
  scope.def.statements.push_back(std::move(statement));
  return success();
}

/// What the steps that look at one side each have found out.
static Statement assemble(const StatementContext &context,
                          const ast::Statement &comprehension,
                          std::optional<NamedOp> namedOp,
                          const CheckedTarget &target, const CheckedExpr &expr,
                          const Update &update, const UpdateType &type,
                          IndexTable &table) {
  Statement statement;
  statement.range = context.source.range;
  statement.target = target.id;
  if (!target.isScatter && !target.isRecurrence)
    statement.targetIndices = target.indices;
  statement.indices = std::move(table.all);
  statement.update = update.kind;
  statement.fromIdentity = update.fromIdentity;
  statement.computeType = type.type;
  statement.value = type.value;
  statement.condition = expr.condition;
  statement.exists = expr.exists;
  statement.nonEmpty = expr.nonEmpty;
  statement.groups = comprehension.groups;
  statement.namedOp = std::move(namedOp);
  return statement;
}

/// Accesses that are computed and surely inside need no look when they run.
static void findSafePlaces(Def &def, const Statement &statement,
                           const CheckedExpr &expr) {
  findSafePlaces(def, statement, statement.value);
  if (statement.condition.isValid())
    findSafePlaces(def, statement, statement.condition);
  for (const Reduction &reduction : expr.reductions)
    findSafePlaces(def, statement, reduction.value);
}

/// A statement that writes `id`, which is sound.
static LogicalResult checkInOrder(const StatementContext &context,
                                  TensorId id) {
  DefScope &scope = context.scope;
  FailureOr<RewrittenStatement> rewritten = rewriteStatement(context, id);
  if (failed(rewritten))
    return failure();
  if (rewritten->complete)
    return finishStatement(scope, std::move(*rewritten->complete), {});
  const ast::Statement &comprehension = rewritten->get(context.source);
  warnOfDiagonal(context, id);

  IndexTable table;
  FailureOr<GivenRanges> given = checkGivenRanges(scope, comprehension);
  if (failed(given))
    return failure();
  table.given = std::move(*given);
  bool isOfNew = isRecurrence(context, id, comprehension);
  if (isOfNew && failed(decideRecurrenceType(context, id, comprehension)))
    return failure();
  FailureOr<CheckedTarget> target =
      checkTarget(context, id, comprehension, table, isOfNew);
  if (failed(target))
    return failure();
  FailureOr<CheckedExpr> expr =
      checkExpression(context, comprehension, *target, table);
  if (failed(expr))
    return failure();
  warnOfNames(context, comprehension, *target, table);
  warnOfSizesAsIndices(context, *expr, table);
  if (failed(checkNumIndices(table, context.diags)))
    return failure();
  FailureOr<Update> update =
      checkUpdate(context, comprehension, *target, *expr, table);
  if (failed(update))
    return failure();
  FailureOr<UpdateType> type =
      checkUpdateType(context, id, *update, table, *expr);
  if (failed(type))
    return failure();

  Statement statement =
      assemble(context, comprehension, std::move(rewritten->namedOp), *target,
               *expr, *update, *type, table);
  if (failed(checkRanges(context, statement, *target, *expr, table)))
    return failure();
  warnOfReadings(context, statement, *target, *expr, table);
  FailureOr<TargetSlice> slice = checkSlice(context, statement, *target, table);
  if (failed(slice))
    return failure();
  findSafePlaces(scope.def, statement, *expr);
  statement.slice = std::move(slice->dims);
  if (failed(decideOrder(context, statement, *target, *expr)))
    return failure();
  if (statement.isInOrder())
    slice->reversed.clear();
  if (failed(splitReductions(context, *expr, table, statement)))
    return failure();
  splitPadding(context, statement);
  return finishStatement(scope, std::move(statement), slice->reversed);
}

/// Whether `tensor` is read, other than by what ods-gen's reducers add to.
static bool readsBefore(const ast::Expr &expr, const std::string &tensor) {
  bool isName =
      expr.kind == ast::Expr::Kind::Name || expr.kind == ast::Expr::Kind::Call;
  bool isOds = expr.kind == ast::Expr::Kind::Reduce && isOdsReducer(expr.text);
  return (isName && expr.text == tensor) ||
         llvm::any_of(expr.operands, [&](const ast::ExprPtr &operand) {
           return !(isOds && operand->text == tensor) &&
                  readsBefore(*operand, tensor);
         });
}

/// `C(i) = b * C(i)` reads what the caller put into `C`, as `C(i) += b` would,
/// if no statement has written it. Its type must be known for that.
static void continueOutput(const StatementContext &context, TensorId id) {
  DefScope &scope = context.scope;
  const ast::Statement &source = context.source;
  Tensor &target = scope.def.tensors[id.value];
  if (target.role != TensorRole::Output || scope.isCalled() ||
      scope.isWritten(id) || !scope[id].hasShape ||
      scope.skippedNames.contains(target.name) ||
      !readsBefore(*source.value, target.name))
    return;
  context.diags.report(
      DiagId::OutputContinued, source.opRange,
      {"reading `" + target.name + "` before it is written", target.name});
  target.role = TensorRole::InOut;
  scope[id].isWritten = true;
}

void checkStatement(DefScope &scope, const ast::Statement &source,
                    bool isPartOfEinsum) {
  StatementContext context(scope, source, isPartOfEinsum);
  if (source.updateFunction) {
    if (succeeded(checkUpdateFunction(context)))
      return;
    ResolvedTarget target = resolveTarget(context);
    if (target.isSound)
      breakTarget(scope, target.id);
    return;
  }
  if (!source.subscripts && callsDef(scope, *source.value))
    return checkCall(scope, source);
  if (namesNothing(context)) {
    (void)reportUnknown(scope, *source.value);
    std::optional<TensorId> known = scope.findTensor(source.target.text);
    return breakTarget(scope, known ? *known : declareTemporary(context).id);
  }
  if (!source.moreTargets.empty())
    scope.diags.report(DiagId::SeveralTargets, source.moreTargets[0].range);
  ResolvedTarget target = resolveTarget(context);
  if (target.isSound && !isRecurrence(context, target.id, source))
    continueOutput(context, target.id);
  if (!target.isSound || failed(checkInOrder(context, target.id)))
    breakTarget(scope, target.id);
}

} // namespace ein
