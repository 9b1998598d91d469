//===- RewriteEinsum.cpp - Rewrites: einsum strings -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `C = einsum("mk,kn->mn", A, B)` becomes `C(m, n) = A(m, k) * B(k, n)`, whose
// places are those of the labels, so that what is wrong with an extent is shown
// inside the string. Products are balanced trees, so that thousands of operands
// are no deep recursion; what parentheses say of their order goes beside them.
//
// A dim of size 1 that is stretched (`--broadcast=numpy`) is subscripted with
// 0. Dims of several labels, `(h w)`, are made and taken apart by statements of
// their own: see RewriteGroups.cpp.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RewriteEinsum.h"
#include "frontend/check/ExprAccess.h"
#include "frontend/check/ExprUnknown.h"
#include "frontend/check/RewriteGroups.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace llvm;

namespace ein {

bool isEinsum(const StatementContext &context) {
  DefScope &scope = context.scope;
  const ast::Statement &source = context.source;
  return ast::isEinsum(*source.value) && !scope.findTensor(source.value->text);
}

/// The call, if the statement has the form that einsum needs.
static FailureOr<EinsumCall> readEinsum(const StatementContext &context) {
  DefScope &scope = context.scope;
  DiagnosticEngine &diags = context.diags;
  const ast::Statement &source = context.source;
  if (source.op != TokenKind::Assign)
    return diags.report(DiagId::EinsumNotAssigned, source.opRange)
        .fixIt(source.opRange, "=");
  if (source.subscripts)
    return diags
        .report(DiagId::EinsumWithSubscripts, source.target.range,
                {source.target.text})
        .fixIt({source.type ? source.type->range.end : source.target.range.end,
                source.opRange.begin},
               " ");
  auto getRank = [&](const ast::Expr &operand) -> std::optional<size_t> {
    std::optional<TensorId> id = scope.findTensor(operand.text);
    if (operand.kind != ast::Expr::Kind::Name || !id || !scope[*id].hasShape)
      return std::nullopt;
    return scope.def[*id].dims.size();
  };
  return readEinsumCall(*source.value, getRank, diags);
}

/// The operand's rank, which fits its term.
static FailureOr<size_t> checkEinsumOperand(DefScope &scope,
                                            const ast::Expr &operand,
                                            const EinsumTerm &term) {
  if (operand.kind != ast::Expr::Kind::Name)
    return scope.diags.report(DiagId::EinsumOperand, operand.range);
  std::optional<TensorId> id = scope.findTensor(operand.text);
  if (!id)
    return reportUnknown(scope, operand);
  if (failed(checkReadable(scope, *id, operand)))
    return failure();
  const Tensor &tensor = scope.def[*id];
  size_t rank = tensor.dims.size();
  if (!getEllipsisRank(term, rank))
    return scope.diags
        .report(DiagId::EinsumRank, term.range,
                {tensor.name, std::to_string(rank),
                 count(term.getNumLabels(), "label")})
        .note(DiagId::DeclaredHere, tensor.range, {tensor.name});
  return rank;
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

/// Makes no label of dims of size 1 that numpy would stretch: those whose label
/// has a dim that may be larger in another operand. Within one operand, nothing
/// is stretched.
static void stretchDims(const DefScope &scope, EinsumCall &call) {
  const Affine one(1);
  auto getDims = [&](size_t operand) -> ArrayRef<Affine> {
    return scope.def[*scope.findTensor(call.operands[operand]->text)].dims;
  };
  StringSet<> larger;
  for (auto [i, term] : llvm::enumerate(call.einsum.operands))
    for (auto [label, dim] : llvm::zip_equal(term.labels, getDims(i)))
      if (!label.isGroup() && dim != one)
        larger.insert(label.name);
  for (auto [i, term] : llvm::enumerate(call.einsum.operands)) {
    StringSet<> largerHere;
    for (auto [label, dim] : llvm::zip_equal(term.labels, getDims(i)))
      if (dim != one)
        largerHere.insert(label.name);
    for (auto [label, dim] : llvm::zip_equal(term.labels, getDims(i)))
      if (!label.isGroup() && larger.contains(label.name) &&
          !largerHere.contains(label.name))
        label.name.clear();
  }
}

static std::vector<ast::ExprPtr> makeSubscripts(const EinsumTerm &term) {
  std::vector<ast::ExprPtr> subscripts;
  for (const EinsumLabel &label : term.labels)
    subscripts.push_back(
        label.name.empty()
            ? ast::makeNumber(0, label.range)
            : ast::makeName(label.name, label.range, /*isLabel=*/true));
  return subscripts;
}

//===----------------------------------------------------------------------===//
// The statement
//===----------------------------------------------------------------------===//

static ast::ExprPtr makeProduct(MutableArrayRef<ast::ExprPtr> factors,
                                SourceRange range) {
  if (factors.size() == 1)
    return std::move(factors.front());
  // Three factors associate as `a * b * c` does.
  size_t half = (factors.size() + 1) / 2;
  ast::ExprPtr lhs = makeProduct(factors.take_front(half), range);
  ast::ExprPtr rhs = makeProduct(factors.drop_front(half), range);
  return ast::makeBinary(TokenKind::Star, range, std::move(lhs),
                         std::move(rhs));
}

FailureOr<RewrittenEinsum> rewriteEinsum(const StatementContext &context,
                                         TensorId target) {
  DefScope &scope = context.scope;
  DiagnosticEngine &diags = context.diags;
  FailureOr<EinsumCall> call = readEinsum(context);
  if (failed(call))
    return failure();
  EinsumString &einsum = call->einsum;
  std::vector<size_t> ranks;
  for (auto [operand, term] : llvm::zip(call->operands, einsum.operands)) {
    FailureOr<size_t> rank = checkEinsumOperand(scope, *operand, term);
    if (succeeded(rank))
      ranks.push_back(*rank);
  }
  if (ranks.size() != call->operands.size() ||
      failed(expandEllipses(einsum, ranks, diags)))
    return failure();
  // From here on every dim of every operand has its label.
  if (scope.options.broadcastsSizeOne)
    stretchDims(scope, *call);
  auto hasGroup = [](const EinsumTerm &term) {
    return llvm::any_of(term.labels, std::mem_fn(&EinsumLabel::isGroup));
  };
  if (hasGroup(einsum.output) || llvm::any_of(einsum.operands, hasGroup))
    return rewriteGroups(context, target, *call);
  return RewrittenEinsum{makeComprehension(context, *call), std::nullopt};
}

ast::Statement makeComprehension(const StatementContext &context,
                                 const EinsumCall &call) {
  const ast::Statement &source = context.source;
  ast::Statement expanded;
  expanded.target = source.target;
  expanded.opRange = source.opRange;
  expanded.range = source.range;
  expanded.groups = call.einsum.groups;
  expanded.subscripts = makeSubscripts(call.einsum.output);
  std::vector<ast::ExprPtr> factors;
  for (auto [operand, term] : llvm::zip(call.operands, call.einsum.operands))
    factors.push_back(ast::makeCall({operand->text, operand->range}, term.range,
                                    makeSubscripts(term)));
  expanded.value = makeProduct(factors, source.value->nameRange);
  return expanded;
}

FailureOr<NamedOp> nameContract(const StatementContext &context) {
  DefScope &scope = context.scope;
  DiagnosticEngine &diags = context.diags;
  const ast::Statement &source = context.source;
  ArrayRef<ast::ExprPtr> tensors =
      ArrayRef(source.value->operands).drop_front();
  if (tensors.size() != 2)
    return diags.report(DiagId::ContractOperands, source.value->nameRange,
                        {count(tensors.size(), "tensor")});
  NamedOp op;
  op.name = source.value->text;
  for (const ast::ExprPtr &tensor : tensors)
    op.inputs.push_back({*scope.findTensor(tensor->text), ""});
  op.attributes.push_back({"maps", {}, source.value->operands[0]->text});
  if (source.value->labels)
    op.attributes.push_back({"labels", {}, "words"});
  return op;
}

} // namespace ein
