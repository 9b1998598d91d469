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

#include "frontend/check/StatementWarnings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

/// Whether `name` may be `other` with a letter wrong. Names that differ in a
/// number are two names.
static bool isMisspeltIndex(StringRef name, StringRef other) {
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

void warnOfNames(const StatementContext &context,
                 const ast::Statement &comprehension,
                 const CheckedTarget &target, const IndexTable &table) {
  DiagnosticEngine &diags = context.diags;
  auto names = llvm::to_vector(table.byName.keys());
  llvm::erase_if(names,
                 [&](StringRef name) { return table.given.contains(name); });
  for (const ast::Clause &clause : comprehension.clauses) {
    const ast::Name &name = clause.name;
    if (clause.kind == ast::Clause::Kind::Range &&
        comprehension.op == TokenKind::Assign &&
        table.numUses.lookup(name.text) == 1 &&
        !table.reducedRanges.contains(name.text))
      diags.report(DiagId::RangeUnused, name.range, {name.text})
          .didYouMean(name.range, name.text, names);
  }
  constexpr size_t maxIndices = 32; // nobody writes so many of them by hand
  if (table.all.size() > maxIndices || context.isPartOfEinsum)
    return;
  for (const Index &index : table.all)
    for (IndexId id : target.indices) {
      const Index &written = table.all[id.value];
      if (index.isReduction && table.numUses.lookup(index.name) == 1 &&
          table.numUses.lookup(written.name) == 1 &&
          isMisspeltIndex(index.name, written.name))
        diags
            .report(DiagId::IndexMisspelt, index.range,
                    {index.name, written.name})
            .note(DiagId::DidYouMean, index.range, {written.name})
            .fixIt(index.range, written.name);
    }
}

void warnOfSizesAsIndices(const StatementContext &context,
                          const CheckedExpr &expr, const IndexTable &table) {
  const DefScope &scope = context.scope;
  DiagnosticEngine &diags = context.diags;
  if (!scope.isImplicit || context.isPartOfEinsum)
    return;
  for (const AccessSite &site : expr.sites)
    for (auto [dim, subscript] : llvm::enumerate(site.subscripts)) {
      if (subscript.getIndexTerms().size() != 1 || dim >= site.ranges.size())
        continue;
      auto [id, coefficient] = subscript.getIndexTerms()[0];
      const Index &index = table.all[id.value];
      Affine offset = subscript - Affine(id) * coefficient;
      if (coefficient == 1 && offset.isConstant() && offset.getConstant() < 0 &&
          index.isReduction && table.numUses.lookup(index.name) == 1 &&
          !table.given.contains(index.name))
        diags.report(DiagId::SizeAsIndex, site.ranges[dim],
                     {index.name, scope.def[site.tensor].name,
                      std::to_string(dim),
                      std::to_string(-offset.getConstant())});
    }
}

void warnOfBoolSum(const StatementContext &context, UpdateKind update,
                   ElementType type, ExprId value, SourceRange range) {
  const DefScope &scope = context.scope;
  const Expr &expr = scope.def[value];
  bool isTest = expr.kind == ExprKind::Binary &&
                (isComparison(expr.binary) || expr.binary == BinaryFn::And ||
                 expr.binary == BinaryFn::Or);
  isTest |= expr.kind == ExprKind::Unary && expr.unary == UnaryFn::Not;
  if (update == UpdateKind::Add && type == ElementType::Bool && isTest &&
      !scope.isCalled() && !context.isPartOfEinsum)
    context.diags.report(DiagId::BoolSum, range);
}

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

namespace {

class ReadingWarner : StatementContext {
public:
  ReadingWarner(const StatementContext &context, const Statement &statement,
                const CheckedTarget &target, const CheckedExpr &expr,
                const IndexTable &table)
      : StatementContext(context), statement(statement), target(target),
        expr(expr), table(table) {}

  void warn();

private:
  void warnOfInvariants();
  void warnOfUnreadIndices();
  void warnOfTurnedShapes();
  void warnOfDivisions(ExprId id);
  void warnOfHiddenNames();

  const Statement &statement;
  const CheckedTarget &target;
  const CheckedExpr &expr;
  const IndexTable &table;
};

} // namespace

/// `C(m, n) +=! A(m, k) * B(k, n) + bias(n)` adds the bias once for each `k`.
void ReadingWarner::warnOfInvariants() {
  if (statement.update != UpdateKind::Add)
    return;
  SmallVector<ExprId> terms;
  collectTerms(scope.def, statement.value, terms);
  if (terms.size() < 2)
    return;
  SmallVector<SmallVector<IndexId>> used;
  for (ExprId term : terms)
    used.push_back(collectIndices(scope.def, term));
  for (auto [i, index] : llvm::enumerate(statement.indices)) {
    IndexId id(i);
    auto has = [&](ArrayRef<IndexId> list) {
      return llvm::is_contained(list, id);
    };
    if (!index.isReduction || table.isReduced(id) || llvm::none_of(used, has))
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
void ReadingWarner::warnOfUnreadIndices() {
  if (source.op != TokenKind::Assign || statement.update != UpdateKind::Add ||
      !table.listed.empty())
    return;
  const Index *reduced = nullptr;
  for (auto [i, index] : llvm::enumerate(statement.indices))
    if (index.isReduction && !table.scoped.count(IndexId(i)))
      reduced = reduced ? reduced : &index;
  if (!reduced)
    return;
  SmallVector<IndexId> used = collectIndices(scope.def, statement.value);
  for (IndexId id : statement.targetIndices) {
    const Index &index = statement.indices[id.value];
    if (!llvm::is_contained(used, id) &&
        !llvm::is_contained(target.constants, id) &&
        !isMisspeltIndex(reduced->name, index.name))
      return (void)diags.report(DiagId::IndexUnread, index.range,
                                {index.name, reduced->name});
  }
}

/// `B(i, j) = A(i, j)` into `f32(N, M)`, of `A: f32(M, N)`.
void ReadingWarner::warnOfTurnedShapes() {
  if (!target.hadShape)
    return;
  const Tensor &written = scope.def[target.id];
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
  for (const AccessSite &site : expr.sites) {
    if (site.subscripts.size() != scope.def[site.tensor].dims.size())
      continue;
    for (size_t i = 0; i < target.site.subscripts.size(); ++i)
      for (size_t j = i + 1; j < target.site.subscripts.size(); ++j) {
        const Affine &a = target.site.subscripts[i];
        const Affine &b = target.site.subscripts[j];
        const Affine *sizeOfA = findDim(site, a), *sizeOfB = findDim(site, b);
        if (!isAlone(a) || !isAlone(b) || !sizeOfA || !sizeOfB)
          continue;
        if (written.dims[i] == *sizeOfB && written.dims[j] == *sizeOfA &&
            !(*sizeOfA == *sizeOfB) && !sizeOfA->isConstant() &&
            !sizeOfB->isConstant()) {
          const Tensor &tensor = scope.def[site.tensor];
          diags
              .report(DiagId::ShapesTurned, target.site.ranges[i],
                      {written.name, tensor.name,
                       describe(scope.def, *sizeOfA, /*quote=*/false),
                       describe(scope.def, *sizeOfB, /*quote=*/false)})
              .note(DiagId::DeclaredHere, tensor.range, {tensor.name});
          return;
        }
      }
  }
}

/// `/` of integers, in statements whose types nobody wrote.
void ReadingWarner::warnOfDivisions(ExprId id) {
  const Expr &node = scope.def[id];
  if (node.kind == ExprKind::Binary && node.binary == BinaryFn::Div &&
      isInteger(node.type) && node.type != ElementType::Index)
    diags.report(DiagId::IntegerDivision, node.range,
                 {getSpelling(node.type).str()});
  for (ExprId operand : node.getOperands())
    warnOfDivisions(operand);
}

/// An index that has the name of a tensor.
void ReadingWarner::warnOfHiddenNames() {
  for (const Index &index : statement.indices)
    if (!index.isLabel)
      if (std::optional<TensorId> tensor = scope.findTensor(index.name))
        diags
            .report(DiagId::NameHidden, index.range,
                    {"index", index.name, "tensor"})
            .note(DiagId::DeclaredHere, scope.def[*tensor].range, {index.name});
}

/// Types, ranges and the update are known; reductions are still in place.
void ReadingWarner::warn() {
  if (scope.isCalled() || isPartOfEinsum)
    return;
  warnOfInvariants();
  warnOfUnreadIndices();
  warnOfTurnedShapes();
  warnOfHiddenNames();
  warnOfBoolSum(*this, statement.update, statement.computeType, statement.value,
                scope.def[statement.value].range);
  if (!scope.isImplicit)
    return;
  warnOfDivisions(statement.value);
  for (const Reduction &reduction : expr.reductions)
    warnOfDivisions(reduction.value);
}

void warnOfReadings(const StatementContext &context, const Statement &statement,
                    const CheckedTarget &target, const CheckedExpr &expr,
                    const IndexTable &table) {
  ReadingWarner(context, statement, target, expr, table).warn();
}

} // namespace ein
