//===- ExprBuilder.cpp - Expressions: nodes -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

SmallVector<IndexId> collectIndices(const Def &def, ExprId root) {
  std::set<IndexId> found;
  SmallVector<ExprId> work = {root};
  while (!work.empty()) {
    const Expr &expr = def[work.pop_back_val()];
    for (const Affine &subscript : expr.subscripts)
      for (const Affine::IndexTerm &term : subscript.getIndexTerms())
        found.insert(term.id);
    llvm::append_range(work, expr.getOperands());
  }
  return SmallVector<IndexId>(found.begin(), found.end());
}

bool isReduction(const Def &def, ArrayRef<Reduction> reductions, ExprId id) {
  const Expr &expr = def[id];
  return expr.kind == ExprKind::Access &&
         llvm::any_of(reductions, [&](const Reduction &reduction) {
           return reduction.target == expr.tensor;
         });
}

ExprId ExprBuilder::addPosition(Affine value, SourceRange range) {
  Expr position;
  position.kind = ExprKind::Position;
  position.range = range;
  position.type = ElementType::Index;
  position.subscripts.push_back(std::move(value));
  ExprId twin = add(Expr(position)), id = add(std::move(position));
  result.types.twins.try_emplace(id, twin);
  return id;
}

ExprId ExprBuilder::addBinary(BinaryFn fn, ExprId lhs, ExprId rhs,
                              SourceRange range) {
  Expr expr;
  expr.kind = ExprKind::Binary;
  expr.range = range;
  expr.binary = fn;
  expr.lhs = lhs;
  expr.rhs = rhs;
  return add(std::move(expr));
}

std::optional<ExprId> ExprBuilder::copySmall(ExprId id, unsigned &room) {
  if (room == 0)
    return std::nullopt;
  --room;
  Expr copy = scope.def[id];
  if (!copy.places.empty())
    return std::nullopt;
  for (ExprId *operand : {&copy.condition, &copy.lhs, &copy.rhs}) {
    if (!operand->isValid())
      continue;
    std::optional<ExprId> inner = copySmall(*operand, room);
    if (!inner)
      return std::nullopt;
    *operand = *inner;
  }
  ExprId copied = add(std::move(copy));
  if (auto twin = result.types.twins.find(id); twin != result.types.twins.end())
    result.types.twins.emplace(copied, add(Expr(scope.def[twin->second])));
  if (auto literal = result.types.literals.find(id);
      literal != result.types.literals.end())
    result.types.literals.emplace(copied, PendingLiteral(literal->second));
  return copied;
}

FailureOr<ExprId> ExprBuilder::makeRepeatable(ExprId id,
                                              const ast::Expr &expr) {
  unsigned room = maxCopied;
  if (copySmall(id, room))
    return id;
  SmallVector<ExprId> typed;
  types.collectTyped(id, typed);
  FailureOr<ElementType> joined =
      types.joinTyped(typed, scope.options.defaultType);
  if (failed(joined))
    return failure();
  return addReduction(expr, UpdateKind::Assign, id, {},
                      getAccumulator(*joined));
}

FailureOr<ExprId> ExprBuilder::addReduction(const ast::Expr &expr,
                                            UpdateKind update, ExprId value,
                                            ArrayRef<IndexId> reduced,
                                            ElementType type) {
  if (failed(
          types.assignType(value, type, "an operand of `" + expr.text + "`")))
    return failure();
  Reduction reduction;
  reduction.name = expr.text;
  reduction.update = update;
  reduction.value = value;
  reduction.type = type;
  reduction.range = expr.range;
  for (IndexId id : collectIndices(scope.def, value))
    if (!llvm::is_contained(reduced, id))
      reduction.loops.push_back(id);
  reduction.numKept = reduction.loops.size();
  llvm::append_range(reduction.loops, reduced);
  const std::string &written = scope.def[target.id].name;
  Tensor tensor = {scope.makeTemporaryName(written + "_" + expr.text),
                   type,
                   TensorRole::Temporary,
                   {},
                   expr.nameRange,
                   // Its range follows from more than its own statement.
                   /*isInferred=*/false};
  TensorState state;
  state.isWritten = true;
  reduction.target = scope.addTensor(std::move(tensor), state);

  Expr access;
  access.kind = ExprKind::Access;
  access.range = expr.range;
  access.tensor = reduction.target;
  access.type = type;
  for (IndexId id : ArrayRef(reduction.loops).take_front(reduction.numKept))
    access.subscripts.push_back(Affine(id));
  result.reductions.push_back(std::move(reduction));
  return add(std::move(access));
}

} // namespace ein
