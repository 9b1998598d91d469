//===- SizeChecks.cpp - What has to hold of sizes -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/SizeChecks.h"
#include "abi/PrintQuotient.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein {

bool isNonNegative(const Affine &expr) {
  return !expr.hasOverflowed() && expr.getConstant() >= 0 &&
         llvm::all_of(expr.getSymbolTerms(), [](const Affine::SymbolTerm &t) {
           return t.coefficient >= 0;
         });
}

bool isNonNegative(const Def &def, const Affine &expr) {
  if (isNonNegative(expr))
    return true;
  // Of two that are divided alike, the one with the larger numerator is never
  // the smaller: `(I + 1) / 2` and `I / 2`.
  for (const Affine::SymbolTerm &less : expr.getSymbolTerms()) {
    if (less.coefficient >= 0 || !def[less.id].quotient)
      continue;
    const Symbol::Quotient &small = *def[less.id].quotient;
    for (const Affine::SymbolTerm &more : expr.getSymbolTerms()) {
      const std::optional<Symbol::Quotient> &large = def[more.id].quotient;
      if (large && large->divisor == small.divisor &&
          more.coefficient >= -less.coefficient &&
          isNonNegative(def, large->numerator - small.numerator))
        return isNonNegative(def, expr + (Affine(more.id) - Affine(less.id)) *
                                             less.coefficient);
    }
  }
  // n / d is n/d at most. From the last one on: a quotient is of symbols before
  // it.
  for (const Affine::SymbolTerm &term : llvm::reverse(expr.getSymbolTerms())) {
    const std::optional<Symbol::Quotient> &quotient = def[term.id].quotient;
    if (quotient && term.coefficient < 0 && !def.dependsOnScalar(term.id))
      return isNonNegative(def, (expr - Affine(term.id) * term.coefficient) *
                                        quotient->divisor +
                                    quotient->numerator * term.coefficient);
  }
  return false;
}

bool isNegative(const Affine &expr) {
  return !expr.hasOverflowed() && expr.getConstant() < 0 &&
         llvm::all_of(
             expr.getSymbolTerms(),
             [](const Affine::SymbolTerm &t) { return t.coefficient <= 0; });
}

bool isNegativeAboveOne(const Def &def, const Affine &expr) {
  Affine atTwo = expr;
  for (const Affine::SymbolTerm &term : expr.getSymbolTerms()) {
    if (def[term.id].quotient)
      return false;
    atTwo = atTwo + Affine(term.coefficient) * 2;
  }
  return isNegative(atTwo);
}

std::string describe(const Def &def, const Affine &expr, bool quote) {
  std::string text =
      expr.str([](IndexId) { return StringRef("?"); },
               [&](SymbolId id) { return StringRef(def[id].name); });
  return expr.isConstant() || !quote ? text : "`" + text + "`";
}

std::string strQuotient(const std::string &text, const Affine &dividend,
                        int64_t divisor) {
  bool isName = dividend.getSingleIndex() || dividend.getSingleSymbol();
  return divisor == 1 ? text : printQuotient(text, isName, divisor);
}

std::string describeProduct(const Def &def, ArrayRef<Affine> factors) {
  std::string text;
  for (const Affine &factor : factors) {
    std::string part = describe(def, factor, /*quote=*/false);
    bool isSum = factors.size() != 1 && StringRef(part).contains(' ');
    text += (text.empty() ? "" : " * ") + (isSum ? "(" + part + ")" : part);
  }
  return text;
}

/// Over symbols only. The same for `expr` and `expr * -1`.
static hash_code hashOfEither(const Affine &expr) {
  auto getMagnitude = [](int64_t value) {
    uint64_t bits = static_cast<uint64_t>(value);
    return value < 0 ? 0 - bits : bits;
  };
  hash_code hash = hash_value(getMagnitude(expr.getConstant()));
  for (const Affine::SymbolTerm &term : expr.getSymbolTerms())
    hash = hash_combine(hash, term.id.value, getMagnitude(term.coefficient));
  return hash;
}

void CheckSet::add(SizeCheck check) {
  size_t hash = hash_combine(check.kind, hashOfEither(check.expr),
                             check.unlessEmpty.size());
  auto [begin, end] = positions.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const SizeCheck &other = def.checks[it->second];
    bool isSame = other.expr == check.expr || (check.kind == SizeCheck::Equal &&
                                               other.expr == check.expr * -1);
    if (isSame && other.kind == check.kind &&
        other.unlessEmpty == check.unlessEmpty &&
        other.factors == check.factors)
      return;
  }
  positions.emplace(hash, def.checks.size());
  def.checks.push_back(std::move(check));
}

Affine CheckSet::divide(const Affine &numerator, int64_t divisor,
                        SourceRange range) {
  if (std::optional<Affine> linear = floorDivide(numerator, divisor))
    return *linear;
  std::string name = "(" +
                     strQuotient(describe(def, numerator, /*quote=*/false),
                                 numerator, divisor) +
                     ")";
  auto [entry, isNew] =
      quotients.try_emplace(name, SymbolId(def.symbols.size()));
  if (isNew)
    def.symbols.push_back(
        {name, std::nullopt, range, Symbol::Quotient{numerator, divisor}});
  return Affine(entry->second);
}

Affine CheckSet::addScalar(TensorId scalar) {
  auto found = llvm::find_if(def.symbols, [&](const Symbol &symbol) {
    return symbol.scalar == scalar;
  });
  SymbolId id(found - def.symbols.begin());
  if (found == def.symbols.end()) {
    const Tensor &tensor = def[scalar];
    def.symbols.push_back(
        {tensor.name, std::nullopt, tensor.range, std::nullopt, scalar});
  }
  return Affine(id);
}

Affine CheckSet::addStart(const Affine &start, SourceRange range) {
  std::string name = describe(def, start, /*quote=*/false);
  if (!start.getSingleSymbol())
    name = "(" + name + ")";
  auto [entry, isNew] =
      quotients.try_emplace(name, SymbolId(def.symbols.size()));
  if (isNew)
    def.symbols.push_back(
        {name, std::nullopt, range, Symbol::Quotient{start, 1}});
  return Affine(entry->second);
}

void CheckSet::addExtent(const Affine &extent, const std::string &what,
                         SourceRange range) {
  auto check = [&](const Affine &expr) {
    if (!isNonNegative(def, expr))
      add({SizeCheck::NonNegativeExtent, expr, {}, what, range});
  };
  for (const Affine::SymbolTerm &term : extent.getSymbolTerms())
    if (const auto &quotient = def[term.id].quotient)
      check(Affine(quotient->numerator));
  check(extent);
}

Affine getExtreme(const Affine &subscript, bool isMax,
                  function_ref<Affine(IndexId)> getExtent) {
  Affine extreme = subscript.withoutIndices();
  for (const Affine::IndexTerm &term : subscript.getIndexTerms())
    if ((term.coefficient > 0) == isMax)
      extreme = extreme + (getExtent(term.id) - Affine(1)) * term.coefficient;
  return extreme;
}

std::optional<Affine> floorDivide(const Affine &expr, int64_t divisor) {
  Affine quotient(llvm::divideFloorSigned(expr.getConstant(), divisor));
  for (const Affine::SymbolTerm &term : expr.getSymbolTerms()) {
    if (term.coefficient % divisor != 0)
      return std::nullopt;
    quotient = quotient + Affine(term.id) * (term.coefficient / divisor);
  }
  return quotient;
}

} // namespace ein
