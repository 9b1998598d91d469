//===- Call.cpp - Calls of defs: who gets what ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in a call goes to what the callee has: whole tensors as they
// are, other tensors through a temporary that holds them. A result is written
// where the call's target is, unless the callee would read there what it has
// written already, or has another type.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Call.h"
#include "frontend/check/Builtins.h"
#include "frontend/check/RewriteWhole.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

bool callsDef(const DefScope &scope, const ast::Expr &expr) {
  if (expr.kind != ast::Expr::Kind::Call || ast::isEinsum(expr) ||
      scope.findTensor(expr.text) || scope.targets.count(expr.text) ||
      !scope.builder.callees.has(expr.text))
    return false;
  bool isOfLanguage =
      isFunction(expr.text) || scope.findElementType(expr.text).has_value();
  if (!isOfLanguage || !expr.named.empty())
    return true;
  size_t numWhole =
      llvm::count_if(expr.operands, [&](const ast::ExprPtr &operand) {
        return isWholeTensor(scope, *operand);
      });
  // linalg's `max` is of two tensors, and `max(A, 0)` of elements.
  Callee *callee = numWhole != 0 && numWhole != expr.operands.size()
                       ? scope.builder.callees.find(expr.text)
                       : nullptr;
  return numWhole != 0 && !(callee && callee->isPrelude);
}

void checkCall(DefScope &scope, const ast::Statement &statement) {
  (void)CallChecker(scope, *statement.value).checkStatement(statement);
}

LogicalResult CallChecker::checkStatement(const ast::Statement &statement) {
  // One by one, as any statement has its target.
  std::vector<ast::Statement> targets(1 + statement.moreTargets.size());
  for (auto [i, target] : llvm::enumerate(targets)) {
    target.target = i == 0 ? statement.target : statement.moreTargets[i - 1];
    target.let = statement.let;
    target.op = statement.op;
    target.opRange = statement.opRange;
    target.range = statement.range;
    if (i == 0 && statement.type) {
      target.type.emplace();
      target.type->element = statement.type->element;
      target.type->range = statement.type->range;
      for (const ast::ExprPtr &dim : statement.type->dims)
        target.type->dims.push_back(ast::clone(*dim));
    }
  }
  op = statement.op;
  if (succeeded(check(targets)))
    return success();
  // Nobody is to hear of them again.
  for (const ast::Statement &target : targets) {
    std::optional<TensorId> id = caller.findTensor(target.target.text);
    if (!id) {
      Tensor broken = {target.target.text,    ElementType::F32,
                       TensorRole::Temporary, {},
                       target.target.range,   /*isInferred=*/true};
      TensorState state;
      state.hasShape = state.hasType = false;
      id = caller.addTensor(std::move(broken), state);
    }
    TensorState &state = caller[*id];
    state.isWritten = true;
    state.isBroken |= !state.hasShape || !state.hasType;
    caller.pendingResults.erase(*id);
  }
  return failure();
}

FailureOr<TensorId> CallChecker::checkArgument() {
  if (failed(check({})))
    return failure();
  return results.front().written;
}

LogicalResult CallChecker::check(ArrayRef<ast::Statement> targets) {
  if (failed(findCallee()))
    return failure();
  size_t numTargets = std::max<size_t>(targets.size(), 1);
  if (numTargets != def->results.size())
    return diags
        .report(DiagId::CallResultCount, call.nameRange,
                {call.text, count(def->results.size(), "result"),
                 std::to_string(numTargets)})
        .note(DiagId::DeclaredHere, def->name.range, {call.text});
  if (failed(bindArguments()) || failed(lowerArguments()) ||
      failed(decideRank(targets)) || failed(resolveTargets(targets)))
    return failure();
  scope.calledName = call.text;
  if (failed(solveGenerics()) || failed(declareAttributes()) ||
      failed(solveSizes()) || failed(convertArguments()) ||
      failed(declareResults()) || failed(checkBody()))
    return failure();
  if (callee->isPrelude && def->name.text == "cumsum" &&
      builder.def[builder.def.statements.back().target].type ==
          ElementType::Bool)
    diags.report(DiagId::BoolSum, call.range);
  return finishResults();
}

/// The op that `elementwise` is by its kind; any other call's own name.
FailureOr<StringRef> CallChecker::resolveName() {
  if (!isElementwise())
    return StringRef(call.text);
  auto kind = llvm::find_if(call.named, [](const ast::NamedArgument &named) {
    return named.name.text == "kind";
  });
  if (kind == call.named.end())
    return diags.report(DiagId::ArgumentMissing, call.nameRange,
                        {call.text, "kind"});
  SmallVector<StringRef> kinds;
#define EIN_OPDSL_FUNCTION(KIND, NAME, SPELLING)                               \
  if (opdsl::FunctionKind::KIND != opdsl::FunctionKind::Type &&                \
      builder.callees.has(NAME))                                               \
    kinds.push_back(NAME);
#include "frontend/opdsl/Functions.def"
  const ast::Expr &value = *kind->value;
  if (llvm::is_contained(kinds, value.text))
    return StringRef(value.text);
  DiagnosticBuilder report =
      diags.report(DiagId::ElementwiseKind, value.range, {value.text});
  if (std::optional<StringRef> similar = findSimilarName(value.text, kinds))
    report.note(DiagId::DidYouMean, value.nameRange, {similar->str()})
        .fixIt(value.nameRange, *similar);
  return report;
}

LogicalResult CallChecker::findCallee() {
  FailureOr<StringRef> name = resolveName();
  if (failed(name))
    return failure();
  callee = builder.callees.find(*name);
  if (!callee)
    return failure(); // could not be read, which was said
  def = callee->source;
  callee->isCalled = true;
  if (callee->isActive)
    return diags.report(DiagId::CallRecursive, call.nameRange, {call.text})
        .note(DiagId::DefHere, def->name.range, {call.text});
  if (builder.callDepth >= maxCallDepth ||
      failed(builder.callees.prepare(*callee)))
    return diags.report(DiagId::CallTooDeep, call.nameRange,
                        {std::to_string(maxCallDepth)});
  return success(!callee->isBroken);
}

} // namespace ein
