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
// inside the string. Products are balanced trees, so that thousands of operands
// are no deep recursion; what parentheses say of their order goes beside them.
//
// Two things need sizes that are known here: a dim of size 1 that is stretched
// (`--broadcast=numpy`) is subscripted with 0, and one dim of several labels,
// `(h w)`, with `w_size*h + w`.
//
//===----------------------------------------------------------------------===//

#include "frontend/SemaImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein {

bool StatementChecker::isEinsum() const {
  return source.value->kind == ast::Expr::Kind::Call &&
         source.value->text == "einsum" && !scope.findTensor("einsum");
}

/// The call, if the statement has the form that einsum needs.
FailureOr<EinsumCall> StatementChecker::readEinsum() {
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
  size_t rank = tensor.dims.size();
  if (!getEllipsisRank(term, rank))
    return diags
        .report(DiagId::EinsumRank, term.range,
                {tensor.name, std::to_string(rank),
                 count(term.labels.size() - term.getEllipsis().has_value(),
                       "label")})
        .note(DiagId::DeclaredHere, tensor.range, {tensor.name});
  return rank;
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

/// Makes no label of dims of size 1 that numpy would stretch: those whose label
/// has a dim that may be larger in another operand. Within one operand, nothing
/// is stretched.
void StatementChecker::stretchDims(EinsumCall &call) {
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

/// The sizes of labels that have a dim of constant size to themselves.
StringMap<int64_t> StatementChecker::collectLabelSizes(const EinsumCall &call) {
  StringMap<int64_t> sizes;
  auto collect = [&](const EinsumTerm &term, const Tensor &tensor) {
    for (auto [label, dim] : llvm::zip(term.labels, tensor.dims))
      if (!label.isGroup() && dim.isConstant())
        sizes.try_emplace(label.name, dim.getConstant());
  };
  for (auto [term, operand] :
       llvm::zip_equal(call.einsum.operands, call.operands))
    collect(term, scope.def[*scope.findTensor(operand->text)]);
  if (scope[statement.target].hasShape)
    collect(call.einsum.output, scope.def[statement.target]);
  return sizes;
}

/// `(h w)` as `w_size*h + w`. The sizes of all labels but one are known, and
/// that of the group says what the last one is.
FailureOr<ast::ExprPtr>
StatementChecker::makeGroup(const EinsumLabel &group, const Affine &dim,
                            const StringMap<int64_t> &sizes) {
  const EinsumLabel *open = nullptr;
  int64_t known = 1;
  bool overflows = false;
  for (const EinsumLabel &label : group.members) {
    auto size = sizes.find(label.name);
    if (size != sizes.end())
      overflows |= MulOverflow(known, size->second, known);
    else if (open || !dim.isConstant())
      return diags.report(DiagId::EinsumGroupSize, label.range, {label.name});
    else
      open = &label;
  }
  bool divides = dim.isConstant() && !overflows &&
                 (open ? known != 0 && dim.getConstant() % known == 0
                       : dim.getConstant() == known);
  if (!divides)
    return diags.report(DiagId::EinsumGroupExtent, group.range,
                        {describe(scope.def, dim), std::to_string(known)});
  int64_t stride = dim.getConstant();
  ast::ExprPtr sum;
  for (const EinsumLabel &label : group.members) {
    auto size = sizes.find(label.name);
    int64_t extent = &label == open ? dim.getConstant() / known : size->second;
    stride = extent == 0 ? 0 : stride / extent;
    ast::ExprPtr term = ast::makeBinary(
        TokenKind::Star, label.range, ast::makeNumber(stride, label.range),
        ast::makeName(label.name, label.range, /*isLabel=*/true));
    sum = sum ? ast::makeBinary(TokenKind::Plus, group.range, std::move(sum),
                                std::move(term))
              : std::move(term);
  }
  return sum;
}

/// One subscript per dim of `tensor`, or of the target if there is none.
FailureOr<std::vector<ast::ExprPtr>>
StatementChecker::makeSubscripts(const EinsumTerm &term, const Tensor *tensor,
                                 const StringMap<int64_t> &sizes) {
  std::vector<ast::ExprPtr> subscripts;
  for (const EinsumLabel &label : term.labels) {
    if (label.isGroup() && !tensor)
      return diags.report(DiagId::NotSupported, label.range,
                          {"several labels in one dim of the output are"});
    if (label.isGroup()) {
      FailureOr<ast::ExprPtr> sum =
          makeGroup(label, tensor->dims[subscripts.size()], sizes);
      if (failed(sum))
        return failure();
      subscripts.push_back(std::move(*sum));
    } else if (label.name.empty()) {
      subscripts.push_back(ast::makeNumber(0, label.range));
    } else {
      subscripts.push_back(
          ast::makeName(label.name, label.range, /*isLabel=*/true));
    }
  }
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

FailureOr<ast::Statement> StatementChecker::expandEinsum() {
  FailureOr<EinsumCall> call = readEinsum();
  if (failed(call))
    return failure();
  EinsumString &einsum = call->einsum;
  std::vector<size_t> ranks;
  for (auto [operand, term] : llvm::zip(call->operands, einsum.operands)) {
    FailureOr<size_t> rank = checkEinsumOperand(*operand, term);
    if (succeeded(rank))
      ranks.push_back(*rank);
  }
  if (ranks.size() != call->operands.size() ||
      failed(expandEllipses(einsum, ranks, diags)))
    return failure();
  // From here on every dim of every operand has its label.
  if (scope.options.broadcastsSizeOne)
    stretchDims(*call);
  StringMap<int64_t> sizes = collectLabelSizes(*call);

  ast::Statement expanded;
  expanded.target = source.target;
  expanded.opRange = source.opRange;
  expanded.range = source.range;
  expanded.groups = einsum.groups;
  auto target = makeSubscripts(einsum.output, nullptr, sizes);
  if (failed(target))
    return failure();
  expanded.subscripts = std::move(*target);
  std::vector<ast::ExprPtr> factors;
  for (auto [operand, term] : llvm::zip(call->operands, einsum.operands)) {
    const Tensor &tensor = scope.def[*scope.findTensor(operand->text)];
    auto subscripts = makeSubscripts(term, &tensor, sizes);
    if (failed(subscripts))
      return failure();
    factors.push_back(ast::makeCall({operand->text, operand->range}, term.range,
                                    std::move(*subscripts)));
  }
  expanded.value = makeProduct(factors, source.value->nameRange);
  return expanded;
}

} // namespace ein
