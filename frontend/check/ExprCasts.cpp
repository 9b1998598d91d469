//===- ExprCasts.cpp - Expressions: casts ---------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprCasts.h"

using namespace llvm;

namespace ein {

FailureOr<ExprId> lowerCast(ExprBuilder &builder, ExprLowerer &lowerer,
                            const ast::Expr &expr, const ast::Name &typeName,
                            bool isUnsigned) {
  DefScope &scope = builder.scope;
  DiagnosticEngine &diags = builder.diags;
  FailureOr<ElementType> type = scope.resolveElementType(typeName);
  if (failed(type))
    return failure();
  if (expr.operands.size() != 1)
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {expr.text, count(1, "argument"),
                         std::to_string(expr.operands.size())});
  FailureOr<ExprId> operand = lowerer.lower(*expr.operands[0]);
  if (failed(operand))
    return failure();

  SmallVector<ExprId> typed;
  builder.types.collectTyped(*operand, typed);
  // Literals alone are of the cast's type.
  FailureOr<ElementType> joined = builder.types.joinTyped(typed, *type);
  if (failed(joined))
    return failure();
  ElementType operandType = *joined;
  if (!builder.types.isLeaf(*operand))
    operandType = getAccumulator(operandType);
  if (isComplex(operandType) && !isComplex(*type))
    return diags
        .report(DiagId::ComplexCast, scope.def[*operand].range,
                {getSpelling(operandType).str(), getSpelling(*type).str()})
        .note(DiagId::TakeAPart, scope.def[*operand].range);
  FailureOr<ExprId> cast = builder.types.addCast(*operand, operandType, *type);
  if (failed(cast))
    return failure();
  scope.def.exprs[cast->value].range = expr.range;
  scope.def.exprs[cast->value].isUnsigned = isUnsigned;
  scope.def.exprs[cast->value].generic = scope.findGeneric(typeName.text);
  return cast;
}

FailureOr<ExprId> lowerTargetCast(ExprBuilder &builder, ExprLowerer &lowerer,
                                  const ast::Expr &expr, bool isUnsigned) {
  DefScope &scope = builder.scope;
  DiagnosticEngine &diags = builder.diags;
  if (scope.states[builder.target.id.value].hasType) {
    StringRef type = getSpelling(scope.def[builder.target.id].type);
    return lowerCast(builder, lowerer, expr, {type.str(), expr.nameRange},
                     isUnsigned);
  }
  if (expr.operands.size() == 1)
    return lowerer.lower(*expr.operands[0]);
  return diags.report(
      DiagId::WrongArity, expr.nameRange,
      {expr.text, count(1, "argument"), std::to_string(expr.operands.size())});
}

FailureOr<ExprId> lowerUnsigned(ExprBuilder &builder, ExprLowerer &lowerer,
                                const ast::Expr &expr, StringRef name,
                                BinaryFn function) {
  DefScope &scope = builder.scope;
  DiagnosticEngine &diags = builder.diags;
  if (expr.operands.size() != 2)
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {name.str(), count(2, "argument"),
                         std::to_string(expr.operands.size())});
  FailureOr<ExprId> lhs = lowerer.lower(*expr.operands[0]);
  FailureOr<ExprId> rhs = lowerer.lower(*expr.operands[1]);
  if (failed(lhs) || failed(rhs))
    return failure();
  SmallVector<ExprId> typed;
  builder.types.collectTyped(*lhs, typed);
  builder.types.collectTyped(*rhs, typed);
  FailureOr<ElementType> type =
      builder.types.joinTyped(typed, scope.options.defaultType);
  if (failed(type))
    return failure();
  bool divides = function == BinaryFn::Div || function == BinaryFn::Rem;
  if (divides && !isInteger(*type))
    return diags.report(DiagId::OperatorType, expr.range,
                        {name.str(), getSpelling(*type).str()});
  ElementType bits = getUnsigned(*type);
  if (bits != *type) {
    lhs = builder.types.addCast(*lhs, *type, bits);
    rhs = builder.types.addCast(*rhs, *type, bits);
    if (failed(lhs) || failed(rhs))
      return failure();
  }
  Expr result;
  result.kind = ExprKind::Binary;
  result.range = expr.range;
  result.binary = function;
  result.lhs = *lhs;
  result.rhs = *rhs;
  ExprId id = builder.add(std::move(result));
  if (isComparison(function)) {
    if (failed(builder.types.decideOperandType(id)))
      return failure();
    return id;
  }
  if (bits == *type)
    return id;
  return builder.types.addCast(id, bits, *type);
}

} // namespace ein
