//===- StatementWarnings.cpp - What is allowed and seldom meant -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement may be right and still compute what nobody wanted. Each of these
// warnings has a reading that is the language's and another that is as likely;
// it says both. What is in a def that is called has been said where the def
// stands, and what is made of an einsum string was never written.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

/// The terms of a sum, signs and casts aside.
static void collectTerms(const Def &def, ExprId id,
                         SmallVectorImpl<ExprId> &terms) {
  const Expr &expr = def[id];
  bool isSum = expr.kind == ExprKind::Binary &&
               (expr.binary == BinaryFn::Add || expr.binary == BinaryFn::Sub);
  bool isSign = expr.kind == ExprKind::Unary && expr.unary == UnaryFn::Neg;
  if (isSum || isSign || expr.kind == ExprKind::Cast) {
    collectTerms(def, expr.lhs, terms);
    if (isSum)
      collectTerms(def, expr.rhs, terms);
    return;
  }
  terms.push_back(id);
}

/// `C(m, n) +=! A(m, k) * B(k, n) + bias(n)` adds the bias once for each `k`.
void StatementChecker::warnOfInvariants() {
  if (statement.update != UpdateKind::Add)
    return;
  SmallVector<ExprId> terms;
  collectTerms(scope.def, statement.value, terms);
  if (terms.size() < 2)
    return;
  SmallVector<SmallVector<IndexId>> used;
  for (ExprId term : terms)
    used.push_back(collectIndices(term));
  for (auto [i, index] : llvm::enumerate(statement.indices)) {
    IndexId id(i);
    auto has = [&](ArrayRef<IndexId> list) {
      return llvm::is_contained(list, id);
    };
    if (!index.isReduction || scopedIndices.count(id) ||
        listedIndices.count(id) || llvm::none_of(used, has))
      continue;
    for (auto [term, list] : llvm::zip_equal(terms, used))
      if (!has(list))
        diags
            .report(DiagId::ReductionInvariant, scope.def[term].range,
                    {index.name, source.target.text})
            .note(DiagId::ReduceTheOthers, source.opRange, {index.name});
  }
}

/// `B(i) = A(j)`: each element is the sum of all of A.
void StatementChecker::warnOfUnreadIndices() {
  if (source.op != TokenKind::Assign || statement.update != UpdateKind::Add ||
      !listedIndices.empty())
    return;
  const Index *reduced = nullptr;
  for (auto [i, index] : llvm::enumerate(statement.indices))
    if (index.isReduction && !scopedIndices.count(IndexId(i)))
      reduced = reduced ? reduced : &index;
  if (!reduced)
    return;
  SmallVector<IndexId> used = collectIndices(statement.value);
  for (IndexId id : statement.targetIndices) {
    const Index &index = statement.indices[id.value];
    if (!llvm::is_contained(used, id) &&
        !llvm::is_contained(constantIndices, id) &&
        !isMisspeltIndex(reduced->name, index.name))
      return (void)diags.report(DiagId::IndexUnread, index.range,
                                {index.name, reduced->name});
  }
}

/// `B(i, j) = A(i, j)` into `f32(N, M)`, of `A: f32(M, N)`.
void StatementChecker::warnOfTurnedShapes() {
  if (!targetHadShape)
    return;
  const Tensor &target = scope.def[statement.target];
  auto isAlone = [](const Affine &subscript) {
    return subscript.getIndexTerms().size() == 1 &&
           subscript == Affine(subscript.getIndexTerms()[0].id);
  };
  auto findDim = [&](const AccessSite &site,
                     const Affine &subscript) -> const Affine * {
    for (auto [dim, other] : llvm::enumerate(site.subscripts))
      if (other == subscript)
        return &scope.def[site.tensor].dims[dim];
    return nullptr;
  };
  for (const AccessSite &site : sites) {
    if (site.subscripts.size() != scope.def[site.tensor].dims.size())
      continue;
    for (size_t i = 0; i < targetSite.subscripts.size(); ++i)
      for (size_t j = i + 1; j < targetSite.subscripts.size(); ++j) {
        const Affine &a = targetSite.subscripts[i];
        const Affine &b = targetSite.subscripts[j];
        const Affine *sizeOfA = findDim(site, a), *sizeOfB = findDim(site, b);
        if (!isAlone(a) || !isAlone(b) || !sizeOfA || !sizeOfB)
          continue;
        if (target.dims[i] == *sizeOfB && target.dims[j] == *sizeOfA &&
            !(*sizeOfA == *sizeOfB) && !sizeOfA->isConstant() &&
            !sizeOfB->isConstant()) {
          const Tensor &tensor = scope.def[site.tensor];
          diags
              .report(DiagId::ShapesTurned, targetSite.ranges[i],
                      {target.name, tensor.name,
                       describe(scope.def, *sizeOfA, /*quote=*/false),
                       describe(scope.def, *sizeOfB, /*quote=*/false)})
              .note(DiagId::DeclaredHere, tensor.range, {tensor.name});
          return;
        }
      }
  }
}

/// `/` of integers, in statements whose types nobody wrote.
void StatementChecker::warnOfDivisions(ExprId id) {
  const Expr &expr = scope.def[id];
  if (expr.kind == ExprKind::Binary && expr.binary == BinaryFn::Div &&
      isInteger(expr.type) && expr.type != ElementType::Index)
    diags.report(DiagId::IntegerDivision, expr.range,
                 {getSpelling(expr.type).str()});
  for (ExprId operand : expr.getOperands())
    warnOfDivisions(operand);
}

/// A sum of truth values is whether any holds.
void StatementChecker::warnOfBoolSum(UpdateKind update, ElementType type,
                                     ExprId value, SourceRange range) {
  const Expr &expr = scope.def[value];
  bool isTest = expr.kind == ExprKind::Binary &&
                (isComparison(expr.binary) || expr.binary == BinaryFn::And ||
                 expr.binary == BinaryFn::Or);
  isTest |= expr.kind == ExprKind::Unary && expr.unary == UnaryFn::Not;
  if (update == UpdateKind::Add && type == ElementType::Bool && isTest &&
      !scope.isCalled() && !isPartOfEinsum)
    diags.report(DiagId::BoolSum, range);
}

/// `last = A(N - 1)`, where nothing says that `N` is a size.
void StatementChecker::warnOfSizesAsIndices() {
  if (!scope.isImplicit || isPartOfEinsum)
    return;
  for (const AccessSite &site : sites)
    for (auto [dim, subscript] : llvm::enumerate(site.subscripts)) {
      if (subscript.getIndexTerms().size() != 1 || dim >= site.ranges.size())
        continue;
      auto [id, coefficient] = subscript.getIndexTerms()[0];
      const Index &index = statement.indices[id.value];
      Affine offset = subscript - Affine(id) * coefficient;
      if (coefficient == 1 && offset.isConstant() && offset.getConstant() < 0 &&
          index.isReduction && numUses.lookup(index.name) == 1 &&
          !ranges.contains(index.name))
        diags.report(DiagId::SizeAsIndex, site.ranges[dim],
                     {index.name, scope.def[site.tensor].name,
                      std::to_string(dim),
                      std::to_string(-offset.getConstant())});
    }
}

/// An index that has the name of a tensor.
void StatementChecker::warnOfHiddenNames() {
  for (const Index &index : statement.indices)
    if (!index.isLabel)
      if (std::optional<TensorId> tensor = scope.findTensor(index.name))
        diags.report(DiagId::NameHidden, index.range, {index.name})
            .note(DiagId::DeclaredHere, scope.def[*tensor].range, {index.name});
}

/// Types, ranges and the update are known; reductions are still in place.
void StatementChecker::warnOfReadings() {
  if (scope.isCalled() || isPartOfEinsum)
    return;
  warnOfInvariants();
  warnOfUnreadIndices();
  warnOfTurnedShapes();
  warnOfHiddenNames();
  warnOfBoolSum(statement.update, statement.computeType, statement.value,
                scope.def[statement.value].range);
  if (!scope.isImplicit)
    return;
  warnOfDivisions(statement.value);
  for (const Reduction &reduction : reductions)
    warnOfDivisions(reduction.value);
}

} // namespace ein
