//===- RangesGiven.cpp - The ranges that a where gives --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `i in a:b step s` has `i` stand for a + s * i', where i' runs from 0 like any
// other index. On the left that makes a slice of the target.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RangesGiven.h"
#include "frontend/check/RewriteDefinitions.h"

using namespace llvm;

namespace ein {

/// `i in a:b step s`.
static LogicalResult addGivenRange(DefScope &scope, const ast::Clause &clause,
                                   GivenRanges &ranges) {
  DiagnosticEngine &diags = scope.diags;
  const ast::Name &name = clause.name;
  if (failed(checkClauseName(scope, name)))
    return failure();
  SmallVector<Affine, 3> parts;
  for (const ast::ExprPtr &operand : clause.operands) {
    FailureOr<Affine> part = scope.lowerAffine(
        *operand, "bound", [&](const ast::Expr &size) -> FailureOr<Affine> {
          auto symbol = scope.symbols.find(size.text);
          if (symbol != scope.symbols.end())
            return symbol->second;
          return scope.reportUnknownSize(size);
        });
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  GivenRange range = {parts[0], parts[1], {}, 1, name.range};
  if (parts.size() == 3) {
    range.step = parts[2].getConstant();
    if (!parts[2].isConstant() || range.step <= 0)
      return diags.report(DiagId::BadStep, clause.operands[2]->range);
  }
  SourceRange whole = {clause.operands[0]->range.begin,
                       clause.operands[1]->range.end};
  Affine span = range.end - range.begin + Affine(range.step - 1);
  if (span.hasOverflowed())
    return diags.report(DiagId::ArithmeticOverflow, whole);
  Affine extent = scope.checks.divide(span, range.step, whole);
  if (isNegative(extent))
    return diags.report(DiagId::RangeNegative, whole,
                        {name.text, describe(scope.def, extent)});
  scope.checks.addExtent(
      extent, "extent of `" + name.text + "` from its `where`", whole);
  range.extent = extent;
  auto [entry, isNew] = ranges.try_emplace(name.text, range);
  if (isNew)
    return success();
  return diags.report(DiagId::ClauseTwice, name.range, {name.text})
      .note(DiagId::FirstHere, entry->second.range);
}

FailureOr<GivenRanges> checkGivenRanges(DefScope &scope,
                                        const ast::Statement &comprehension) {
  GivenRanges ranges;
  for (const ast::Clause &clause : comprehension.clauses)
    if (clause.kind == ast::Clause::Kind::Range &&
        failed(addGivenRange(scope, clause, ranges)))
      return failure();
  return ranges;
}

} // namespace ein
