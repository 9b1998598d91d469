//===- ExprBuilder.h - Expressions: nodes -----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: what has been lowered. Comes out: nodes of the def that are made of
// it. The parts of the lowering share this, and ask for operands through
// ExprLowerer.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRBUILDER_H
#define EIN_FRONTEND_CHECK_EXPRBUILDER_H

#include "frontend/check/ExprTypes.h"

namespace ein {

/// What a part of the lowering asks of the whole: operands, which may be
/// anything.
class ExprLowerer {
public:
  virtual ~ExprLowerer() = default;
  virtual llvm::FailureOr<ExprId> lower(const ast::Expr &expr) = 0;
  /// What `text` says, with the arguments, lowered before, for its names. Its
  /// places are all `range`.
  virtual llvm::FailureOr<ExprId>
  lowerBody(llvm::StringRef text, const llvm::StringMap<ExprId> &arguments,
            SourceRange range) = 0;
};

/// Adds nodes to the def, and what is to be known of them to the result.
struct ExprBuilder : StatementContext {
  ExprBuilder(const StatementContext &context, const CheckedTarget &target,
              IndexTable &table, CheckedExpr &result)
      : StatementContext(context), target(target), table(table), result(result),
        types(context, target.id, table, result.reductions, result.types) {}

  ExprId add(Expr expr) { return addExpr(scope.def, std::move(expr)); }
  /// An integer of type index, as a value. A size has a twin before it, for the
  /// cast that it becomes where its context is of a floating-point type.
  ExprId addPosition(Affine value, SourceRange range);
  ExprId addBinary(BinaryFn fn, ExprId lhs, ExprId rhs, SourceRange range);
  /// Notes the reduction, and returns the access of what it will write.
  llvm::FailureOr<ExprId> addReduction(const ast::Expr &expr, UpdateKind update,
                                       ExprId value,
                                       llvm::ArrayRef<IndexId> reduced,
                                       ElementType type);
  /// A tree once more, if it is small.
  std::optional<ExprId> copySmall(ExprId id, unsigned &room);
  /// What is small enough to be computed once more, which is `id` or the
  /// element of a temporary that holds it.
  llvm::FailureOr<ExprId> makeRepeatable(ExprId id, const ast::Expr &expr);

  /// How many nodes are computed again rather than stored.
  static constexpr unsigned maxCopied = 8;

  const CheckedTarget &target;
  IndexTable &table;
  CheckedExpr &result;
  TypeAssigner types;
};

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRBUILDER_H
