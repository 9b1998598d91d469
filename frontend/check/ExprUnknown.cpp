//===- ExprUnknown.cpp - Expressions: unknown names -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A name that means nothing here is a slip of the pen, something that is
// written otherwise in this language, or something that it has not. What is
// said of it says which, and what to write.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprUnknown.h"
#include "frontend/check/Builtins.h"
#include "frontend/check/Call.h"
#include "frontend/check/RewriteWhole.h"
#include "frontend/prelude/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

LogicalResult reportCallInExpression(const StatementContext &context,
                                     const ast::Expr &expr) {
  const ast::Statement &source = context.source;
  DiagnosticBuilder builder = context.diags.report(DiagId::CallInExpression,
                                                   expr.nameRange, {expr.text});
  bool isWhole = &expr == source.value.get() && source.subscripts &&
                 !source.type && callsDef(context.scope, expr) &&
                 llvm::any_of(expr.operands, [&](const ast::ExprPtr &operand) {
                   return holdsWholeTensor(context.scope, *operand);
                 });
  if (isWhole)
    builder.fixIt({source.target.range.end, source.opRange.begin}, " ");
  // What is of elements, `cumsum<i>(x(i))`, has another form.
  StringRef advice = getForeignAdvice(expr.text);
  if (!isWhole && !advice.empty())
    builder.note(DiagId::WriteInstead, expr.nameRange, {advice.str()});
  return builder;
}

/// Names in subscripts that are nothing but indices, in order.
static void collectIndexNames(const DefScope &scope, const ast::Expr &expr,
                              SmallVectorImpl<StringRef> &names) {
  bool isKnown = scope.tensors.contains(expr.text) ||
                 scope.symbols.contains(expr.text) ||
                 scope.constants.contains(expr.text);
  if (expr.kind == ast::Expr::Kind::Name && !isKnown &&
      !llvm::is_contained(names, expr.text))
    names.push_back(expr.text);
  for (const ast::ExprPtr &operand : expr.operands)
    collectIndexNames(scope, *operand, names);
}

/// `sum(A(i, k), k)`, `sum(A(i, k))` and `sum_k(A(i, k))`.
static LogicalResult reportReduction(const DefScope &scope,
                                     const IndexTable &table,
                                     const ast::Expr &expr) {
  auto [reducer, index] = StringRef(expr.text).split('_');
  // `sum(A)`, of a tensor that is known.
  if (index.empty() && expr.operands.size() == 1 && expr.named.empty() &&
      expr.operands[0]->kind == ast::Expr::Kind::Name) {
    const std::string &operand = expr.operands[0]->text;
    std::optional<TensorId> tensor = scope.findTensor(operand);
    size_t rank = tensor && scope.states[tensor->value].hasShape
                      ? scope.def[*tensor].dims.size()
                      : 0;
    if (rank != 0) {
      std::string indices;
      size_t number = 0;
      for (size_t i = 0; i != rank; ++i) {
        auto isTaken = [&](const std::string &name) {
          return table.byName.contains(name) || table.given.contains(name) ||
                 scope.makeFresh(name) != name;
        };
        while (isTaken(makeIndexName(number)))
          ++number;
        indices += (i == 0 ? "" : ", ") + makeIndexName(number++);
      }
      std::string ours = (reducer + "<" + indices + ">").str();
      return scope.diags
          .report(DiagId::ReductionForm, expr.nameRange, {ours + "(…)"})
          .fixIt(expr.range, ours + "(" + operand + "(" + indices + "))");
    }
  }
  SmallVector<StringRef> reduced;
  if (!index.empty())
    reduced.push_back(index);
  bool isList = index.empty() && expr.operands.size() > 1 &&
                llvm::all_of(llvm::drop_begin(expr.operands),
                             [](const ast::ExprPtr &operand) {
                               return operand->kind == ast::Expr::Kind::Name;
                             });
  if (isList)
    for (const ast::ExprPtr &operand : llvm::drop_begin(expr.operands))
      reduced.push_back(operand->text);
  // Else what is not on the left.
  if (reduced.empty() && expr.operands.size() == 1) {
    collectIndexNames(scope, *expr.operands[0], reduced);
    llvm::erase_if(reduced, [&](StringRef name) {
      return table.byName.contains(name) || name == "...";
    });
  }
  std::string ours = (reducer + "<" +
                      (reduced.empty() ? "k" : llvm::join(reduced, ", ")) + ">")
                         .str();
  DiagnosticBuilder builder =
      scope.diags.report(DiagId::ReductionForm, expr.nameRange, {ours + "(…)"});
  bool isComplete = expr.operands.size() == 1 || isList;
  if (reduced.empty() || !isComplete || !expr.named.empty())
    return builder;
  builder.fixIt(expr.nameRange, ours);
  if (isList)
    builder.fixIt({expr.operands[0]->range.end, expr.range.end}, ")");
  return builder;
}

/// `cast(A, f32)`.
static LogicalResult reportCast(const DefScope &scope, const ast::Expr &expr) {
  const ast::Expr &type = *expr.operands[1];
  if (type.kind != ast::Expr::Kind::Name || !scope.findElementType(type.text))
    return scope.diags.report(DiagId::CastForm, expr.nameRange, {"f32"});
  return scope.diags.report(DiagId::CastForm, expr.nameRange, {type.text})
      .fixIt(expr.nameRange, type.text)
      .fixIt({expr.operands[0]->range.end, expr.range.end}, ")");
}

LogicalResult reportUnknown(const DefScope &scope, const ast::Expr &expr,
                            const IndexTable &table) {
  auto target = scope.targets.find(expr.text);
  if (target != scope.targets.end())
    return scope.diags
        .report(DiagId::ReadBeforeWritten, expr.nameRange, {expr.text})
        .note(DiagId::WrittenHere, target->second, {expr.text});
  bool isCall = expr.kind == ast::Expr::Kind::Call;
  if (isCall && expr.text == "not")
    return scope.diags.report(DiagId::WrittenAs, expr.nameRange, {"not", "!"})
        .fixIt(expr.nameRange, "!");
  if (isCall && !StringRef(expr.text).starts_with("std_") &&
      !isCumulative(expr.text) &&
      takesAngleBrackets(StringRef(expr.text).split('_').first))
    return reportReduction(scope, table, expr);
  if (isCall && expr.text == "cast" && expr.operands.size() == 2)
    return reportCast(scope, expr);
  // The lexer has complained of a name that is none.
  if (scope.skippedNames.contains(expr.text) ||
      !llvm::all_of(expr.text, [](char c) { return isASCII(c); }))
    return failure();
  StringRef reason = isCall ? explainUncallableOp(expr.text) : "";
  if (!reason.empty())
    return scope.diags.report(DiagId::OpNotCallable, expr.nameRange,
                              {expr.text, reason.str()});
  DiagnosticBuilder builder =
      scope.diags.report(isCall ? DiagId::UnknownCall : DiagId::UnknownName,
                         expr.nameRange, {expr.text});
  StringRef advice = isCall ? getForeignAdvice(expr.text) : "";
  if (!advice.empty())
    return builder.note(DiagId::WriteInstead, expr.nameRange, {advice.str()});
  auto names = llvm::to_vector(scope.tensors.keys());
  if (!isCall) {
    llvm::append_range(names, scope.symbols.keys());
    llvm::append_range(names, scope.constants.keys());
    llvm::append_range(names, table.byName.keys());
    llvm::append_range(names, table.subscriptNames.keys());
  } else {
    names.append({"einsum", "dim", "pad", "clamp", "rng"});
    llvm::append_range(names, scope.builder.callees.getNames());
    names.append({
#define EIN_UNARY(ENUM, SPELLING, ULPS) SPELLING,
#define EIN_BINARY(ENUM, SPELLING, ULPS) SPELLING,
#define EIN_UNARY_ALIAS(ENUM, SPELLING) SPELLING,
#define EIN_BINARY_ALIAS(ENUM, SPELLING) SPELLING,
#define EIN_UNSIGNED(ENUM, SPELLING) SPELLING,
#define EIN_DERIVED(SPELLING, PARAMETERS, BODY) SPELLING,
#define EIN_TO_TARGET(SPELLING, IS_UNSIGNED) SPELLING,
#include "frontend/program/Functions.def"
    });
    // Not operators.
    llvm::erase_if(names, [](StringRef name) { return !isAlpha(name[0]); });
  }
  return builder.didYouMean(expr.nameRange, expr.text, names);
}

} // namespace ein
