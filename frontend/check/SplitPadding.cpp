//===- SplitPadding.cpp - What reductions pad is padded before ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/SplitPadding.h"
#include "frontend/check/ExprTypes.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

using namespace llvm;

namespace ein {

/// Whether the value is the same at all points, and is there if there are none.
static bool isFixed(const Def &def, ExprId id) {
  const Expr &expr = def[id];
  auto hasIndex = [](const Affine &affine) {
    return !affine.getIndexTerms().empty();
  };
  bool isElement = expr.kind == ExprKind::Gather ||
                   (expr.kind == ExprKind::Access && !expr.subscripts.empty());
  return !isElement && !def.isCheckedDivision(id) &&
         llvm::none_of(expr.subscripts, hasIndex) &&
         llvm::all_of(expr.getOperands(),
                      [&](ExprId operand) { return isFixed(def, operand); });
}

namespace {

class PaddingSplitter : StatementContext {
public:
  PaddingSplitter(const StatementContext &context, const Statement &statement)
      : StatementContext(context), statement(statement) {}

  /// There has to be an element to read.
  void checkClamped(ExprId id);
  /// A reduction reads an element many times over, and is a contraction only if
  /// its accesses are plain: what it pads is padded before, once.
  void padFirst(ExprId id);

private:
  ExprId addPosition(Affine value, SourceRange range);

  const Statement &statement;
};

} // namespace

void PaddingSplitter::checkClamped(ExprId id) {
  Expr expr = scope.def[id];
  if (expr.kind == ExprKind::Gather && expr.outside == Outside::Clamped) {
    const Tensor &tensor = scope.def[expr.tensor];
    std::vector<Affine> unlessEmpty;
    for (const Index &index : statement.indices)
      if (!index.extent.isConstant() || index.extent == Affine(0))
        unlessEmpty.push_back(index.extent);
    for (auto [number, dim] : llvm::enumerate(tensor.dims))
      if (!isNonNegative(dim - Affine(1)) &&
          !llvm::is_contained(unlessEmpty, dim))
        scope.checks.add({SizeCheck::InBounds, dim - Affine(1), unlessEmpty,
                          "`clamp` in dim " + std::to_string(number) + " of `" +
                              tensor.name + "`",
                          expr.range});
  }
  for (ExprId operand : expr.getOperands())
    checkClamped(operand);
}

/// An integer of type index, which has an index in it.
ExprId PaddingSplitter::addPosition(Affine value, SourceRange range) {
  Expr position;
  position.kind = ExprKind::Position;
  position.range = range;
  position.type = ElementType::Index;
  position.subscripts.push_back(std::move(value));
  return addExpr(scope.def, std::move(position));
}

void PaddingSplitter::padFirst(ExprId id) {
  for (ExprId operand : scope.def[id].getOperands())
    padFirst(operand);
  Expr gather = scope.def[id];
  if (gather.kind != ExprKind::Gather || gather.outside != Outside::Padded ||
      !isFixed(scope.def, gather.lhs) ||
      !llvm::all_of(gather.places, [&](ExprId place) {
        return scope.def[place].kind == ExprKind::Position;
      }))
    return;

  Tensor padded = {scope.makeTemporaryName(source.target.text + "_padded"),
                   gather.type,
                   TensorRole::Temporary,
                   {},
                   gather.range};
  Statement copy;
  copy.range = source.range;
  copy.computeType = getAccumulator(gather.type);
  Expr access = gather;
  access.kind = ExprKind::Access;
  access.places.clear();
  access.lhs = ExprId();
  auto getExtent = [&](IndexId index) {
    return statement.indices[index.value].extent;
  };
  for (auto [dim, place] : llvm::enumerate(gather.places)) {
    Affine subscript = scope.def[place].subscripts.front();
    Affine least = getExtreme(subscript, /*isMax=*/false, getExtent);
    Affine most = getExtreme(subscript, /*isMax=*/true, getExtent);
    Affine size = most - least + Affine(1);
    // Where a range may be empty, a little more than is read.
    if (!isNonNegative(size)) {
      size = Affine(0);
      for (const Affine::IndexTerm &term : subscript.getIndexTerms())
        size = size + getExtent(term.id) * std::abs(term.coefficient);
    }
    IndexId index(dim);
    std::string name = scope.makeFresh("x" + std::to_string(dim));
    copy.indices.push_back({name,
                            size,
                            /*isReduction=*/false,
                            gather.range,
                            /*isLabel=*/false,
                            {},
                            /*isGiven=*/true});
    copy.targetIndices.push_back(index);
    padded.dims.push_back(size);
    // As where a program says so: it may be less than empty for all that.
    scope.checks.addExtent(size, "extent of `" + name + "`", gather.range);
    gather.places[dim] = addPosition(least + Affine(index), gather.range);
    access.subscripts.push_back(subscript - least);
  }
  TensorState state;
  state.isWritten = true;
  access.tensor = copy.target = scope.addTensor(std::move(padded), state);
  copy.value = addExpr(scope.def, std::move(gather));
  scope.def.exprs[id.value] = std::move(access);
  scope.def.statements.push_back(std::move(copy));
}

void splitPadding(const StatementContext &context, const Statement &statement) {
  PaddingSplitter splitter(context, statement);
  splitter.checkClamped(statement.value);
  if (statement.condition.isValid())
    splitter.checkClamped(statement.condition);
  if (statement.isInOrder())
    return; // it may pad what it writes
  if (llvm::any_of(statement.indices,
                   [](const Index &index) { return index.isReduction; }))
    splitter.padFirst(statement.value);
}

} // namespace ein
