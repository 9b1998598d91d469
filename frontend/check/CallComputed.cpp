//===- CallComputed.cpp - Calls of defs: sizes that follow from others ----===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a callee's `C: f32(N / 2)` or `C: f32(min(N, M))` the dim is an unknown,
// too, which follows from the others: it never says what these are, because
// many of them have the same half. An argument or a target that has such a dim
// claims that it is as long.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Call.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

bool CallChecker::hasUnknowns(const Affine &expr) const {
  return llvm::any_of(
      expr.getSymbolTerms(), [](const Affine::SymbolTerm &term) {
        return static_cast<size_t>(term.id.value) >= firstUnknown;
      });
}

bool CallChecker::isComputed(SymbolId id) const {
  return llvm::any_of(unknownComputed, [&](const UnknownComputed &computed) {
    return firstUnknown + computed.position == static_cast<size_t>(id.value);
  });
}

bool CallChecker::hasComputed(const Affine &expr) const {
  return llvm::any_of(
      expr.getSymbolTerms(),
      [&](const Affine::SymbolTerm &term) { return isComputed(term.id); });
}

/// With the callee's names for its sizes.
std::string CallChecker::describeUnknown(const Affine &expr) const {
  return expr.str([](IndexId) { return StringRef("?"); },
                  [&](SymbolId id) {
                    size_t position = static_cast<size_t>(id.value);
                    return position < firstUnknown
                               ? StringRef(builder.def[id].name)
                               : StringRef(
                                     unknowns[position - firstUnknown].text);
                  });
}

Affine CallChecker::addComputed(ArrayRef<Affine> operands, int64_t divisor,
                                std::string name, SourceRange range) {
  for (const UnknownComputed &other : unknownComputed)
    if (other.divisor == divisor && ArrayRef(other.operands) == operands)
      return Affine(SymbolId(firstUnknown + other.position));
  unknownComputed.push_back({unknowns.size(), operands.vec(), divisor});
  unknowns.push_back({std::move(name), range});
  values.emplace_back();
  return Affine(SymbolId(firstUnknown + unknowns.size() - 1));
}

Affine CallChecker::divideUnknown(const Affine &numerator, int64_t divisor,
                                  const ast::Expr &expr) {
  if (std::optional<Affine> linear = floorDivide(numerator, divisor))
    return *linear;
  if (!hasUnknowns(numerator))
    return scope.divideSize(numerator, divisor, expr.range);
  std::string name =
      strQuotient(describeUnknown(numerator), numerator, divisor);
  return addComputed(numerator, divisor, "(" + name + ")", expr.range);
}

Affine CallChecker::minimizeUnknowns(ArrayRef<Affine> operands,
                                     const ast::Expr &expr) {
  if (llvm::none_of(operands, [&](const Affine &operand) {
        return hasUnknowns(operand);
      }))
    return scope.minimizeSizes(operands, expr.range);
  SmallVector<std::string> texts;
  for (const Affine &operand : operands)
    texts.push_back(describeUnknown(operand));
  return addComputed(operands, /*divisor=*/0,
                     "min(" + llvm::join(texts, ", ") + ")", expr.range);
}

/// Whether anything was found.
FailureOr<bool> CallChecker::solveComputed() {
  bool progress = false;
  for (const UnknownComputed &computed : unknownComputed) {
    std::optional<Affine> &value = values[computed.position];
    SmallVector<Affine> operands;
    for (const Affine &operand : computed.operands)
      operands.push_back(substitute(operand));
    if (value || llvm::any_of(operands, [&](const Affine &operand) {
          return hasUnknowns(operand);
        }))
      continue;
    if (llvm::any_of(operands, [](const Affine &operand) {
          return operand.hasOverflowed();
        }))
      return diags.report(DiagId::ArithmeticOverflow, call.nameRange);
    value = computed.divisor == 0
                ? scope.minimizeSizes(operands, call.nameRange)
                : scope.divideSize(operands.front(), computed.divisor,
                                   call.nameRange);
    progress = true;
  }
  return progress;
}

} // namespace ein
