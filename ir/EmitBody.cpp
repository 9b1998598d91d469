//===- EmitBody.cpp - The body of a structured op
//--------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The right side and the condition, over the elements of the operands and what
// is known outside of the body.
//
//===----------------------------------------------------------------------===//

#include "ir/DefEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace ein {

void DefEmitter::collectAccesses(ExprId id, SmallVectorImpl<ExprId> &accesses) {
  const Expr &expr = def[id];
  if (expr.kind == ExprKind::Access)
    accesses.push_back(id);
  if (fitsPadded(expr)) {
    accesses.push_back(id);
    return;
  }
  for (ExprId operand : expr.getOperands())
    collectAccesses(operand, accesses);
}

/// The operands of an op over all of the statement's indices that evaluates
/// `roots`, and whose output has those in `hasExtent`: accesses that fit, then
/// what the other loops' extents need.
BodyInputs DefEmitter::emitInputs(const Statement &statement,
                                  ArrayRef<ExprId> roots,
                                  llvm::SmallBitVector hasExtent) {
  unsigned numLoops = statement.indices.size();
  BodyInputs result;
  for (ExprId root : roots)
    collectAccesses(root, result.accesses);
  for (ExprId id : result.accesses) {
    const Expr &access = def[id];
    bool isPadded = access.kind == ExprKind::Gather;
    if (!isPadded && !fitsOperand(access))
      continue;
    Operand operand = isPadded ? emitPadded(statement, access)
                               : emitOperand(statement, access);
    bool isScalar = !isa<RankedTensorType>(operand.tensor.getType());
    // Of a named op, scalars are operands.
    if (isScalar && !isMakingNamedOp) {
      result.leaves[id.value] = operand.tensor;
      continue;
    }
    for (AffineExpr expr : operand.map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        hasExtent.set(dim.getPosition());
    auto *same = llvm::find(result.inputs, operand.tensor);
    if (isScalar && same != result.inputs.end()) {
      result.argumentOf[id.value] = same - result.inputs.begin();
      continue;
    }
    result.argumentOf[id.value] = result.inputs.size();
    result.inputs.push_back(operand.tensor);
    result.maps.push_back(operand.map);
  }
  if (statement.namedOp && statement.namedOp->isPooling()) {
    // Upstream's window is one operand, too.
    std::vector<Affine> window;
    SmallVector<AffineExpr> exprs;
    for (unsigned d = 0; d < numLoops; ++d) {
      if (hasExtent.test(d))
        continue;
      window.push_back(statement.indices[d].extent);
      exprs.push_back(getAffineDimExpr(d, b.getContext()));
    }
    result.inputs.push_back(createTensor(window, statement.computeType));
    result.maps.push_back(AffineMap::get(numLoops, 0, exprs, b.getContext()));
    return result;
  }
  for (unsigned d = 0; d < numLoops; ++d) {
    if (hasExtent.test(d))
      continue;
    result.inputs.push_back(
        createTensor(statement.indices[d].extent, statement.computeType));
    result.maps.push_back(AffineMap::get(
        numLoops, 0, getAffineDimExpr(d, b.getContext()), b.getContext()));
  }
  return result;
}

void DefEmitter::emitLeaves(ImplicitLocOpBuilder &body, BodyInputs &inputs,
                            ValueRange arguments) {
  for (ExprId id : inputs.accesses) {
    if (auto it = inputs.argumentOf.find(id.value);
        it != inputs.argumentOf.end())
      inputs.leaves[id.value] = arguments[it->second];
    else if (!inputs.leaves.count(id.value))
      inputs.leaves[id.value] = emitExtract(body, body.getLoc(), def[id]);
  }
}

Value DefEmitter::emitExpr(ImplicitLocOpBuilder &body, ExprId id,
                           const BodyInputs &inputs) {
  const Expr &expr = def[id];
  Location loc = getLoc(expr.range);
  switch (expr.kind) {
  case ExprKind::Literal:
    return emitLiteral(body, expr);
  case ExprKind::Access: {
    Value leaf = inputs.leaves.lookup(id.value);
    // The condition of a named op is of one bit already.
    return leaf.getType().isInteger(1) ? leaf
                                       : emitLoaded(body, leaf, expr.type);
  }
  case ExprKind::Gather:
    if (Value leaf = inputs.leaves.lookup(id.value))
      return emitLoaded(body, leaf, expr.type);
    return emitGather(body, expr, inputs);
  case ExprKind::Position:
    body.setLoc(loc);
    // A size that is bound is the number that it is printed as.
    if (const Affine &place = expr.subscripts.front(); place.isConstant())
      return arith::ConstantIntOp::create(body, place.getConstant(), 64);
    return arith::IndexCastOp::create(
        body, body.getI64Type(),
        emitAffine(body, loc, expr.subscripts.front()));
  case ExprKind::Select: {
    Value condition = emitExpr(body, expr.condition, ElementType::Bool, inputs);
    ++numGuards;
    Value lhs = emitExpr(body, expr.lhs, expr.type, inputs);
    Value rhs = emitExpr(body, expr.rhs, expr.type, inputs);
    --numGuards;
    body.setLoc(loc);
    return arith::SelectOp::create(body, condition, lhs, rhs);
  }
  case ExprKind::Cast: {
    Value operand = emitExpr(body, expr.lhs, inputs);
    body.setLoc(loc);
    auto [from, to] = getConversion(expr, def[expr.lhs].type);
    return emitConversion(body, operand, from, to);
  }
  case ExprKind::Unary: {
    ElementType type = def.getOperandType(expr);
    Value operand = emitExpr(body, expr.lhs, type, inputs);
    body.setLoc(loc);
    return emitUnary(body, expr.unary, operand, type);
  }
  case ExprKind::Binary: {
    ElementType type = def.getOperandType(expr);
    Value lhs = emitExpr(body, expr.lhs, type, inputs);
    numGuards += isLogical(expr.binary);
    Value rhs = emitExpr(body, expr.rhs, type, inputs);
    numGuards -= isLogical(expr.binary);
    body.setLoc(loc);
    if (areDivisorsSafe && expr.binary == BinaryFn::Div)
      return arith::DivUIOp::create(body, lhs, rhs);
    return emitBinary(body, expr.binary, lhs, rhs, type);
  }
  case ExprKind::Reshape:
    break; // a statement of its own (EmitReshape.cpp)
  }
  llvm_unreachable("unknown expression");
}

} // namespace ein
