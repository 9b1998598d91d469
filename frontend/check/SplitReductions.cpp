//===- SplitReductions.cpp - Reductions become statements -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/SplitReductions.h"
#include "frontend/check/SplitPadding.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

static Affine remap(const Affine &value, ArrayRef<IndexId> positions) {
  Affine result = value.withoutIndices();
  for (const Affine::IndexTerm &term : value.getIndexTerms())
    result = result + Affine(positions[term.id.value]) * term.coefficient;
  return result;
}

/// Gives `result` the indices `loops` of the statement's table, in that order,
/// and has all that it says use their new numbers.
static void takeLoops(Def &def, Statement &result, ArrayRef<IndexId> loops,
                      ArrayRef<Index> table) {
  SmallVector<IndexId> positions(table.size());
  result.indices.clear();
  for (auto [i, id] : llvm::enumerate(loops)) {
    positions[id.value] = IndexId(i);
    result.indices.push_back(table[id.value]);
  }
  for (IndexId &id : result.targetIndices)
    id = positions[id.value];
  for (IndexId &id : result.nonEmpty)
    id = positions[id.value];
  for (ExistsClause &clause : result.exists)
    for (Affine &subscript : clause.subscripts)
      subscript = remap(subscript, positions);
  SmallVector<ExprId> work = {result.value};
  if (result.condition.isValid())
    work.push_back(result.condition);
  if (result.isInOrder())
    work.push_back(result.written);
  while (!work.empty()) {
    Expr &expr = def.exprs[work.pop_back_val().value];
    for (Affine &subscript : expr.subscripts)
      subscript = remap(subscript, positions);
    llvm::append_range(work, expr.getOperands());
  }
  // Where a range comes from may be told by an index of another statement.
  auto isKnown = [&](const RangeOrigin &origin) {
    return llvm::all_of(origin.subscript.getIndexTerms(),
                        [&](const Affine::IndexTerm &term) {
                          return positions[term.id.value].isValid();
                        });
  };
  for (auto [i, index] : llvm::enumerate(result.indices)) {
    if (!llvm::all_of(index.otherOrigins, isKnown))
      index.otherOrigins.clear();
    for (RangeOrigin &other : index.otherOrigins)
      other.subscript = remap(other.subscript, positions);
    if (isKnown(index.origin))
      index.origin.subscript = remap(index.origin.subscript, positions);
    else
      index.origin = {result.target, i, Affine(IndexId(i)) + index.origin.start,
                      /*divisor=*/1, index.origin.start};
  }
}

/// A value of each of those indices has to exist: `argmax` of nothing is none.
static LogicalResult checkNonEmpty(DefScope &scope, const Statement &statement,
                                   ArrayRef<IndexId> nonEmpty) {
  for (IndexId id : nonEmpty) {
    const Index &index = statement.indices[id.value];
    if (isNegative(index.extent - Affine(1)))
      return scope.diags.report(DiagId::NothingToFind, index.range,
                                {index.name});
    if (isNonNegative(index.extent - Affine(1)))
      continue;
    scope.checks.add({SizeCheck::NonNegativeExtent,
                      index.extent - Affine(1),
                      {},
                      "something to find for `" + index.name + "`",
                      index.range});
  }
  return success();
}

LogicalResult splitReductions(const StatementContext &context,
                              const CheckedExpr &expr, const IndexTable &table,
                              Statement &statement) {
  DefScope &scope = context.scope;
  if (failed(checkNonEmpty(scope, statement, statement.nonEmpty)))
    return failure();
  if (expr.reductions.empty())
    return success();
  std::vector<Index> all = statement.indices;
  for (auto [id, index] : expr.extentPositions)
    for (ExprId position :
         {id, expr.types.twins.at(id)}) // a cast, or what it casts
      if (scope.def[position].kind == ExprKind::Position)
        scope.def.exprs[position.value].subscripts.front() =
            all[index.value].extent;
  for (const Reduction &reduction : expr.reductions)
    if (failed(checkNonEmpty(scope, statement, reduction.nonEmpty)))
      return failure();
  for (const Reduction &reduction : expr.reductions) {
    Statement part;
    part.nonEmpty = reduction.nonEmpty;
    part.target = reduction.target;
    part.update = reduction.update;
    part.fromIdentity = reduction.update != UpdateKind::Assign;
    part.computeType = reduction.type;
    part.value = reduction.value;
    part.range = reduction.range;
    part.targetIndices.assign(reduction.loops.begin(),
                              reduction.loops.begin() + reduction.numKept);
    takeLoops(scope.def, part, reduction.loops, all);
    for (auto [i, index] : llvm::enumerate(part.indices))
      index.isReduction = i >= reduction.numKept;
    Tensor &target = scope.def.tensors[reduction.target.value];
    for (IndexId id : part.targetIndices)
      target.dims.push_back(part.indices[id.value].extent);
    if (failed(scope.checkByteSize(target)))
      return failure();
    splitPadding(context, part);
    scope.def.statements.push_back(std::move(part));
  }
  SmallVector<IndexId> loops;
  for (size_t i = 0, e = all.size(); i != e; ++i)
    if (!table.scoped.count(IndexId(i)))
      loops.push_back(IndexId(i));
  takeLoops(scope.def, statement, loops, all);
  return success();
}

} // namespace ein
