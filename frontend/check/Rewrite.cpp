//===- Rewrite.cpp - From every notation to comprehensions ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Rewrite.h"
#include "frontend/check/Builtins.h"
#include "frontend/check/RewriteCumulative.h"
#include "frontend/check/RewriteDefinitions.h"
#include "frontend/check/RewriteDiagonal.h"
#include "frontend/check/RewriteEinsum.h"
#include "frontend/check/RewriteWhole.h"

using namespace llvm;

namespace ein {

/// Only defs and einsum have arguments with names: an access or a function that
/// is given one has been taken for something else.
static LogicalResult checkNoNamed(const DefScope &scope,
                                  const ast::Expr &expr) {
  LogicalResult result = success();
  bool isKnown = expr.kind == ast::Expr::Kind::Call &&
                 (scope.findTensor(expr.text) || isFunction(expr.text) ||
                  scope.findElementType(expr.text));
  if (isKnown)
    for (const ast::NamedArgument &argument : expr.named)
      result = scope.diags.report(DiagId::ArgumentUnknown, argument.name.range,
                                  {expr.text, argument.name.text});
  for (const ast::ExprPtr &operand : expr.operands)
    if (failed(checkNoNamed(scope, *operand)))
      result = failure();
  return result;
}

/// What einsum strings and statements of whole tensors say of elements.
static FailureOr<RewrittenStatement>
rewriteNotation(const StatementContext &context, TensorId target) {
  RewrittenStatement result;
  if (isEinsum(context)) {
    const ast::Statement &source = context.source;
    if (!source.clauses.empty())
      return context.diags.report(DiagId::EinsumWithWhere,
                                  source.clauses[0].operands[0]->range);
    FailureOr<RewrittenEinsum> einsum = rewriteEinsum(context, target);
    if (failed(einsum))
      return failure();
    result.comprehension = std::move(einsum->comprehension);
    result.complete = std::move(einsum->complete);
    if (!result.complete && source.value->text == "contract") {
      FailureOr<NamedOp> op = nameContract(context);
      if (failed(op))
        return failure();
      result.namedOp = std::move(*op);
    }
  } else if (isOfWholeTensors(context)) {
    FailureOr<ast::Statement> whole = rewriteWhole(context, target);
    if (failed(whole))
      return failure();
    result.comprehension = std::move(*whole);
  }
  return result;
}

FailureOr<RewrittenStatement> rewriteStatement(const StatementContext &context,
                                               TensorId target) {
  DefScope &scope = context.scope;
  FailureOr<RewrittenStatement> result = rewriteNotation(context, target);
  if (failed(result) || result->complete)
    return result;
  // From here on there are comprehensions only.
  const ast::Statement &comprehension = result->get(context.source);
  LogicalResult named = checkNoNamed(scope, *comprehension.value);
  for (const ast::Clause &clause : comprehension.clauses)
    for (const ast::ExprPtr &operand : clause.operands)
      if (failed(checkNoNamed(scope, *operand)))
        named = failure();
  if (failed(named))
    return failure();
  if (!comprehension.clauses.empty()) {
    FailureOr<ast::Statement> expanded =
        expandDefinitions(scope, comprehension);
    if (failed(expanded))
      return failure();
    result->comprehension = std::move(*expanded);
  }
  if (hasCumulative(result->get(context.source))) {
    FailureOr<ast::Statement> rewritten =
        rewriteCumulative(context, target, result->get(context.source));
    if (failed(rewritten))
      return failure();
    result->comprehension = std::move(*rewritten);
  }
  if (isDiagonalToSplit(scope, result->get(context.source))) {
    FailureOr<ast::Statement> diagonal =
        splitDiagonal(context, target, result->get(context.source));
    if (failed(diagonal))
      return failure();
    result->comprehension = std::move(*diagonal);
  }
  // From here on a diagonal is written from a single access.
  return result;
}

} // namespace ein
