//===- SemaEinsum.cpp - A tree to a checked program: einsum strings -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `C = einsum("mk,kn->mn", A, B)` becomes `C(m, n) = A(m, k) * B(k, n)`, whose
// places are those of the labels, so that what is wrong with an extent is shown
// inside the string. Ellipses align on the right: their last dims are one
// index, and an operand that has fewer of them is the same along the others.
//
//===----------------------------------------------------------------------===//

#include "frontend/EinsumString.h"
#include "frontend/SemaImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

bool StatementChecker::isEinsum() const {
  return source.value->kind == ast::Expr::Kind::Call &&
         source.value->text == "einsum" && !scope.findTensor("einsum");
}

/// The string, if the statement has the form that einsum needs.
FailureOr<EinsumString> StatementChecker::parseEinsumCall() {
  const ast::Expr &call = *source.value;
  if (source.op != TokenKind::Assign)
    return diags.report(DiagId::EinsumNotAssigned, source.opRange)
        .fixIt(source.opRange, "=");
  if (source.subscripts)
    return diags.report(DiagId::EinsumWithSubscripts, source.target.range,
                        {source.target.text});
  if (call.operands.empty() ||
      call.operands[0]->kind != ast::Expr::Kind::String)
    return diags.report(DiagId::EinsumNeedsString,
                        call.operands.empty() ? call.range
                                              : call.operands[0]->range);
  const ast::Expr &string = *call.operands[0];
  FailureOr<EinsumString> einsum =
      parseEinsumString(string.text, string.nameRange.begin, diags);
  if (failed(einsum))
    return failure();
  size_t numTerms = einsum->operands.size();
  size_t numOperands = call.operands.size() - 1;
  if (numTerms != numOperands)
    return diags.report(
        DiagId::EinsumOperandCount, string.range,
        {count(numTerms, "term"), count(numOperands, "operand")});
  return einsum;
}

/// How many dims the ellipsis of `term` holds for this operand; 0 without one.
FailureOr<size_t> StatementChecker::checkEinsumOperand(const ast::Expr &operand,
                                                       const EinsumTerm &term) {
  if (operand.kind != ast::Expr::Kind::Name)
    return diags.report(DiagId::EinsumOperand, operand.range);
  std::optional<TensorId> id = scope.findTensor(operand.text);
  if (!id)
    return reportUnknown(operand);
  if (failed(checkReadable(*id, operand)))
    return failure();
  const Tensor &tensor = scope.def[*id];
  bool hasEllipsis = term.getEllipsis().has_value();
  size_t numLabels = term.labels.size() - hasEllipsis;
  size_t rank = tensor.dims.size();
  if (hasEllipsis ? rank < numLabels : rank != numLabels)
    return diags
        .report(DiagId::EinsumRank, term.range,
                {tensor.name, std::to_string(rank), count(numLabels, "label")})
        .note(DiagId::DeclaredHere, tensor.range, {tensor.name});
  return rank - numLabels;
}

/// One index per dim; the last `numEllipsis` of `maxEllipsis` for an ellipsis.
static std::vector<ast::ExprPtr>
makeSubscripts(const EinsumTerm &term, size_t numEllipsis, size_t maxEllipsis) {
  std::vector<ast::ExprPtr> subscripts;
  for (const EinsumLabel &label : term.labels) {
    if (!label.isEllipsis) {
      subscripts.push_back(
          ast::makeName(label.name, label.range, /*isLabel=*/true));
      continue;
    }
    // Labels have one letter, so this name is free.
    for (size_t i = maxEllipsis - numEllipsis; i != maxEllipsis; ++i)
      subscripts.push_back(ast::makeName("e" + std::to_string(i), label.range,
                                         /*isLabel=*/true));
  }
  return subscripts;
}

FailureOr<ast::Statement> StatementChecker::expandEinsum() {
  FailureOr<EinsumString> einsum = parseEinsumCall();
  if (failed(einsum))
    return failure();
  auto operands = ArrayRef(source.value->operands).drop_front();
  std::vector<size_t> ellipses;
  for (auto [operand, term] : llvm::zip(operands, einsum->operands)) {
    FailureOr<size_t> ellipsis = checkEinsumOperand(*operand, term);
    if (succeeded(ellipsis))
      ellipses.push_back(*ellipsis);
  }
  if (ellipses.size() != operands.size())
    return failure();
  size_t maxEllipsis = *llvm::max_element(ellipses);
  if (maxEllipsis != 0 && !einsum->output.getEllipsis())
    return diags.report(DiagId::EllipsisDropped, einsum->output.range);

  ast::Statement expanded;
  expanded.target = source.target;
  expanded.opRange = source.opRange;
  expanded.range = source.range;
  expanded.subscripts =
      makeSubscripts(einsum->output, maxEllipsis, maxEllipsis);
  for (auto [operand, term, ellipsis] :
       llvm::zip(operands, einsum->operands, ellipses)) {
    std::vector<ast::ExprPtr> subscripts =
        makeSubscripts(term, ellipsis, maxEllipsis);
    ast::ExprPtr access = ast::makeCall({operand->text, operand->range},
                                        term.range, std::move(subscripts));
    if (!expanded.value)
      expanded.value = std::move(access);
    else
      expanded.value =
          ast::makeBinary(TokenKind::Star, source.value->nameRange,
                          std::move(expanded.value), std::move(access));
  }
  return expanded;
}

} // namespace ein
