//===- UpdateType.cpp - What a statement accumulates in -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/UpdateType.h"
#include "frontend/check/ExprTypes.h"
#include "frontend/check/RewriteEinsum.h"

using namespace llvm;

namespace ein {

FailureOr<std::optional<ElementType>>
resolveAccumulator(const StatementContext &context) {
  const ast::Statement &source = context.source;
  std::optional<ast::Name> name = source.accumulator;
  if (isEinsum(context) && source.value->type) {
    if (name)
      return context.diags.report(DiagId::AccumulatorTwice, name->range)
          .note(DiagId::FirstHere, source.value->type->range);
    name = source.value->type;
  }
  std::optional<ElementType> type;
  if (name) {
    FailureOr<ElementType> named = context.scope.resolveElementType(*name);
    if (failed(named))
      return failure();
    type = *named;
  }
  return type;
}

/// Complex numbers have no order, and do not become real on their own.
static LogicalResult checkOrder(const StatementContext &context,
                                const Tensor &target, const Update &update,
                                ElementType type, bool hasAccumulator) {
  DiagnosticEngine &diags = context.diags;
  const ast::Statement &source = context.source;
  bool compares =
      update.kind == UpdateKind::Max || update.kind == UpdateKind::Min;
  if (isBitwise(update.kind) && (isFloat(type) || isComplex(type)))
    return diags.report(
        DiagId::OperatorType, source.opRange,
        {getSpelling(update.kind).str(), getSpelling(type).str()});
  if (compares && isComplex(type))
    return diags.report(
        DiagId::NoOrder, source.opRange,
        {getDescription(source.op).str(), getSpelling(type).str()});
  if (!hasAccumulator)
    return success();
  bool continues = update.kind != UpdateKind::Assign && !update.fromIdentity;
  SourceRange range =
      (source.accumulator ? source.accumulator : source.value->type)->range;
  auto report = [&](StringRef from, ElementType fromType, const std::string &to,
                    ElementType toType) {
    return diags
        .report(DiagId::Narrowing, range,
                {from.str(), getSpelling(fromType).str(), to,
                 getSpelling(toType).str()})
        .note(DiagId::TakeAPart, range);
  };
  if (isComplex(type) && !isComplex(target.type))
    return report("acc", type, "`" + target.name + "`", target.type);
  if (continues && !isComplex(type) && isComplex(target.type))
    return report(target.name, target.type, "the accumulator", type);
  return success();
}

FailureOr<UpdateType> checkUpdateType(const StatementContext &context,
                                      TensorId target, const Update &update,
                                      const IndexTable &table,
                                      CheckedExpr &expr) {
  DefScope &scope = context.scope;
  TypeAssigner types(context, target, table, expr.reductions, expr.types);
  ExprId value = expr.value;
  Tensor &written = scope.def.tensors[target.value];
  TensorState &state = scope[target];
  FailureOr<std::optional<ElementType>> given = resolveAccumulator(context);
  if (failed(given))
    return failure();
  std::optional<ElementType> accumulator = *given;
  if (!accumulator && state.hasType)
    accumulator = getAccumulator(written.type);
  if (!accumulator) {
    SmallVector<ExprId> typed;
    types.collectTyped(value, typed);
    FailureOr<ElementType> joined =
        types.joinTyped(typed, scope.options.defaultType);
    if (failed(joined))
      return failure();
    accumulator = getAccumulator(*joined);
  }
  if (!state.hasType)
    written.type = *accumulator;
  state.hasType = true;
  ElementType bits = getUnsigned(*accumulator);
  if (context.source.isUnsigned && bits != *accumulator) {
    FailureOr<ExprId> cast = types.addCast(value, *accumulator, bits);
    if (failed(cast))
      return failure();
    value = *cast;
    accumulator = bits;
  }
  if (failed(checkOrder(context, written, update, *accumulator,
                        given->has_value())))
    return failure();
  if (failed(types.assignType(value, *accumulator,
                              written.type == *accumulator
                                  ? "`" + written.name + "`"
                                  : "the accumulator")))
    return failure();
  return UpdateType{*accumulator, value};
}

} // namespace ein
