//===- ExprRecurrence.cpp - Expressions: what a statement writes ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprRecurrence.h"
#include "frontend/check/ExprGather.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

bool isSelfRead(const ExprBuilder &builder, TensorId id) {
  return builder.target.isRecurrence && builder.target.id == id;
}

/// What is outside of the target.
static FailureOr<ExprId> lowerPadding(ExprBuilder &builder,
                                      ExprLowerer &lowerer,
                                      const ast::Expr &source,
                                      Outside outside) {
  if (outside == Outside::Padded)
    return lowerer.lower(*source.operands[1]);
  Expr zero;
  zero.kind = ExprKind::Literal;
  zero.range = source.range;
  ExprId id = builder.add(std::move(zero));
  builder.result.types.literals.try_emplace(id,
                                            PendingLiteral{"0", std::nullopt});
  return id;
}

FailureOr<ExprId> lowerSelfRead(ExprBuilder &builder, ExprLowerer &lowerer,
                                const ast::Expr &access,
                                const ast::Expr &source, Outside outside) {
  DiagnosticEngine &diags = builder.diags;
  const Tensor tensor = builder.scope.def[builder.target.id];
  size_t rank = builder.target.site.subscripts.size();
  if (access.kind != ast::Expr::Kind::Call || access.operands.size() != rank)
    return diags
        .report(DiagId::RankMismatch, access.nameRange,
                {tensor.name, std::to_string(rank),
                 count(access.operands.size(), "subscript")})
        .note(DiagId::DeclaredHere, tensor.range, {tensor.name});
  if (outside == Outside::Clamped)
    return diags.report(DiagId::RecurrenceClamped, source.range, {tensor.name});
  Expr gather;
  gather.kind = ExprKind::Gather;
  gather.range = source.range;
  gather.tensor = builder.target.id;
  gather.type = tensor.type;
  for (const ast::ExprPtr &subscript : access.operands) {
    FailureOr<ExprId> place = lowerPlace(builder, lowerer, *subscript);
    if (failed(place))
      return failure();
    gather.places.push_back(*place);
  }
  bool isComputed = llvm::any_of(gather.places, [&](ExprId place) {
    return builder.scope.def[place].kind != ExprKind::Position;
  });
  bool isBare = outside == Outside::Checked;
  // What is computed is checked, as in any access.
  if (!isBare || !isComputed) {
    FailureOr<ExprId> padding = lowerPadding(builder, lowerer, source, outside);
    if (failed(padding) || failed(builder.types.assignType(
                               *padding, tensor.type, "`" + tensor.name + "`")))
      return failure();
    gather.lhs = *padding;
    gather.outside = Outside::Padded;
  }
  ExprId id = builder.add(std::move(gather));
  builder.result.selfReads.push_back({id, isBare, access.range});
  return id;
}

} // namespace ein
