//===- TargetSlice.cpp - Which part of a target is written ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/TargetSlice.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

using namespace llvm;

namespace ein {

namespace {

class SliceChecker : StatementContext {
public:
  SliceChecker(const StatementContext &context, Statement &statement,
               const CheckedTarget &target, const IndexTable &table)
      : StatementContext(context), statement(statement), target(target),
        table(table) {}

  FailureOr<TargetSlice> check();

private:
  FailureOr<TargetSlice> checkInOrder();
  LogicalResult finishShape();
  void nameConstantIndices();
  void checkStarts();

  Statement &statement;
  const CheckedTarget &target;
  const IndexTable &table;
};

} // namespace

void SliceChecker::nameConstantIndices() {
  for (IndexId id : target.constants) {
    std::string name = statement.indices[id.value].name;
    while (table.byName.contains(name))
      name += "_";
    statement.indices[id.value].name = scope.makeFresh(name);
  }
}

/// What the caller says may be below 0, as no size is.
void SliceChecker::checkStarts() {
  std::vector<Affine> unlessEmpty;
  for (auto [i, index] : llvm::enumerate(statement.indices)) {
    const Affine &extent = index.extent;
    bool isRound = target.isScatter || target.isRecurrence ||
                   llvm::is_contained(target.indices, IndexId(i));
    if (isRound && (!extent.isConstant() || extent == Affine(0)))
      unlessEmpty.push_back(extent);
  }
  const Tensor &written = scope.def[target.id];
  for (auto [dim, subscript] : llvm::enumerate(target.site.subscripts))
    for (const Affine::SymbolTerm &term : subscript.getSymbolTerms())
      if (scope.def.dependsOnScalar(term.id))
        scope.checks.add({SizeCheck::InBounds, Affine(term.id), unlessEmpty,
                          "dim " + std::to_string(dim) + " of `" +
                              written.name + "` at " +
                              describe(scope.def, Affine(term.id)),
                          target.site.ranges[dim]});
}

/// Which part of the target is written. One without a shape gets the smallest
/// that holds it, or the end of a range that `where` gives.
FailureOr<TargetSlice> SliceChecker::check() {
  if (target.isScatter || target.isRecurrence)
    return checkInOrder();
  Tensor &written = scope.def.tensors[target.id.value];
  bool isNew = !scope[target.id].hasShape;
  nameConstantIndices();
  checkStarts();
  TargetSlice result;
  bool isWhole = true;
  for (auto [dim, subscript] : llvm::enumerate(target.site.subscripts)) {
    auto [index, step] = subscript.getIndexTerms()[0];
    const Affine &extent = statement.indices[index.value].extent;
    Affine offset = subscript - Affine(index) * step;
    if (isNew) {
      Affine last = step < 0 ? Affine(0) : (extent - Affine(1)) * step;
      auto given = table.given.find(statement.indices[index.value].name);
      if (given != table.given.end() && step > 0)
        last = (given->second.end - Affine(1) - given->second.begin) *
               (step / given->second.step);
      written.dims.push_back(offset + last + Affine(1));
    }
    if (step < 0)
      offset = offset + (extent - Affine(1)) * step;
    if (step < 0)
      result.reversed.push_back(index);
    isWhole &= offset == Affine(0) && std::abs(step) == 1 &&
               extent == written.dims[dim];
    result.dims.push_back({offset, std::abs(step)});
  }
  if (isWhole)
    result.dims.clear();
  if (isWhole || !isNew)
    return result;
  if (failed(finishShape()))
    return failure();
  return result;
}

/// A new target without a shape, which has to be said beside it from now on.
LogicalResult SliceChecker::finishShape() {
  Tensor &written = scope.def.tensors[target.id.value];
  written.isInferred = false;
  for (auto [dim, size] : llvm::enumerate(written.dims)) {
    SourceRange range = target.site.ranges[dim];
    if (size.hasOverflowed())
      return diags.report(DiagId::ArithmeticOverflow, range);
    if (!isNonNegative(size))
      scope.checks.add(
          {SizeCheck::NonNegativeExtent,
           size,
           {},
           "dim " + std::to_string(dim) + " of `" + written.name + "`",
           range});
  }
  return checkAccesses(scope.def, statement, target.site, scope.checks, diags);
}

/// No part of the target is written as a whole. One without a shape gets the
/// smallest that holds what the points write.
FailureOr<TargetSlice> SliceChecker::checkInOrder() {
  checkStarts();
  if (scope[target.id].hasShape)
    return TargetSlice();
  Tensor &written = scope.def.tensors[target.id.value];
  bool isWhole = true;
  for (const Affine &subscript : target.site.subscripts) {
    Affine last = subscript.withoutIndices();
    for (auto [index, step] : subscript.getIndexTerms()) {
      if (step < 0)
        continue;
      const Index &own = statement.indices[index.value];
      auto given = table.given.find(own.name);
      // A range that a `where` gives ends where it says.
      last =
          last + (given == table.given.end()
                      ? (own.extent - Affine(1)) * step
                      : (given->second.end - Affine(1) - given->second.begin) *
                            (step / given->second.step));
    }
    written.dims.push_back(last + Affine(1));
    isWhole &= subscript.getSingleIndex().has_value();
  }
  if (!isWhole && failed(finishShape()))
    return failure();
  return TargetSlice();
}

FailureOr<TargetSlice> checkSlice(const StatementContext &context,
                                  Statement &statement,
                                  const CheckedTarget &target,
                                  const IndexTable &table) {
  return SliceChecker(context, statement, target, table).check();
}

void reverseIndices(Def &def, Statement &statement,
                    ArrayRef<IndexId> reversed) {
  if (reversed.empty())
    return;
  auto reverse = [&](std::vector<Affine> &subscripts) {
    for (Affine &subscript : subscripts)
      for (IndexId index : reversed) {
        const Affine &extent = statement.indices[index.value].extent;
        int64_t coefficient = subscript.getCoefficient(index);
        subscript = subscript + (extent - Affine(1)) * coefficient -
                    Affine(index) * coefficient * 2;
      }
  };
  std::vector<ExprId> work = {statement.value};
  if (statement.condition.isValid())
    work.push_back(statement.condition);
  if (statement.isInOrder())
    work.push_back(statement.written);
  while (!work.empty()) {
    Expr &expr = def.exprs[work.back().value];
    work.pop_back();
    reverse(expr.subscripts);
    llvm::append_range(work, expr.getOperands());
  }
  for (ExistsClause &clause : statement.exists)
    reverse(clause.subscripts);
}

} // namespace ein
