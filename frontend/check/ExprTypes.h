//===- ExprTypes.h - Expressions: element types -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: nodes whose operands are known. Comes out: the type that they
// compute in, which is given to them, or a mistake.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRTYPES_H
#define EIN_FRONTEND_CHECK_EXPRTYPES_H

#include "frontend/check/Expr.h"

namespace ein {

class TypeAssigner : StatementContext {
public:
  /// `written` is the target.
  TypeAssigner(const StatementContext &context, TensorId written,
               const IndexTable &table,
               const std::vector<Reduction> &reductions, PendingTypes &pending)
      : StatementContext(context), written(written), table(table),
        reductions(reductions), pending(pending) {}

  /// The accesses, casts and literals of known type that compute together.
  void collectTyped(ExprId id, llvm::SmallVectorImpl<ExprId> &typed) const;
  /// The smallest type that holds them all; `otherwise`, if there is none.
  llvm::FailureOr<ElementType> joinTyped(llvm::ArrayRef<ExprId> typed,
                                         ElementType otherwise);
  /// Has all that computes together with `id` compute in `type`; `holder`
  /// says whose type it is.
  llvm::LogicalResult assignType(ExprId id, ElementType type,
                                 const std::string &holder);
  /// A cast of what computes in `from`.
  llvm::FailureOr<ExprId> addCast(ExprId operand, ElementType from,
                                  ElementType to);
  /// Of a function between real and complex numbers: what its operands compute
  /// in, and what it yields.
  llvm::LogicalResult decideOperandType(ExprId id);
  /// Of a subscript that is computed.
  llvm::LogicalResult decidePlaceType(ExprId id);
  bool isLeaf(ExprId id) const;

private:
  std::string describeTyped(ExprId id) const;
  llvm::LogicalResult decideCompareType(ExprId id);
  llvm::LogicalResult checkOperator(const Expr &expr);
  llvm::LogicalResult checkSigns(const Expr &expr, ElementType type);
  llvm::LogicalResult finishLiteral(ExprId id, ElementType type);

  TensorId written;
  const IndexTable &table;
  const std::vector<Reduction> &reductions;
  PendingTypes &pending;
};

ExprId addExpr(Def &def, Expr expr);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRTYPES_H
