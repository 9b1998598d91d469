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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein {

bool isNonNegative(const Affine &expr) {
  return !expr.hasOverflowed() && expr.getConstant() >= 0 &&
         llvm::all_of(expr.getSymbolTerms(), [](const Affine::SymbolTerm &t) {
           return t.coefficient >= 0;
         });
}

namespace {
/// Whether values are never negative, by what is known of computed symbols.
class SignProver {
public:
  explicit SignProver(const Def &def) : def(def) {}
  bool isNonNegative(const Affine &expr);

private:
  static Affine replace(const Affine &expr, const Affine::SymbolTerm &term,
                        const Affine &value) {
    return expr + (value - Affine(term.id)) * term.coefficient;
  }
  bool takeNegative(const Affine &expr);
  bool takeMinima(const Affine &expr);

  const Def &def;
  /// Each minimum multiplies the cases.
  unsigned casesLeft = 256;
};
} // namespace

bool SignProver::isNonNegative(const Affine &expr) {
  if (ein::isNonNegative(expr))
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
          isNonNegative(large->numerator - small.numerator))
        return isNonNegative(expr + (Affine(more.id) - Affine(less.id)) *
                                        less.coefficient);
    }
  }
  return takeNegative(expr) || takeMinima(expr);
}

/// Puts something larger in the place of what is subtracted: n / d is n/d at
/// most, a minimum each of what it is of. From the last one on: all are of
/// symbols before them.
bool SignProver::takeNegative(const Affine &expr) {
  for (const Affine::SymbolTerm &term : llvm::reverse(expr.getSymbolTerms())) {
    const Symbol &symbol = def[term.id];
    if (term.coefficient >= 0 || def.dependsOnScalar(term.id))
      continue;
    if (symbol.quotient)
      return isNonNegative((expr - Affine(term.id) * term.coefficient) *
                               symbol.quotient->divisor +
                           symbol.quotient->numerator * term.coefficient);
    if (!symbol.minimum.empty())
      return llvm::any_of(symbol.minimum, [&](const Affine &value) {
        return casesLeft != 0 && casesLeft-- &&
               isNonNegative(replace(expr, term, value));
      });
  }
  return false;
}

/// A minimum that is added is one of those that it is of.
bool SignProver::takeMinima(const Affine &expr) {
  for (const Affine::SymbolTerm &term : llvm::reverse(expr.getSymbolTerms()))
    if (const std::vector<Affine> &values = def[term.id].minimum;
        !values.empty() && term.coefficient > 0)
      return llvm::all_of(values, [&](const Affine &value) {
        return casesLeft != 0 && casesLeft-- &&
               isNonNegative(replace(expr, term, value));
      });
  return false;
}

bool isNonNegative(const Def &def, const Affine &expr) {
  return SignProver(def).isNonNegative(expr);
}

bool isNeverZero(const Def &def, const Affine &difference) {
  if (difference.isConstant())
    return difference != Affine(0);
  bool hasMinimum = llvm::any_of(difference.getSymbolTerms(),
                                 [&](const Affine::SymbolTerm &term) {
                                   return !def[term.id].minimum.empty();
                                 });
  return hasMinimum && (isNonNegative(def, difference - Affine(1)) ||
                        isNonNegative(def, difference * -1 - Affine(1)));
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
    if (def[term.id].isComputed())
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

static std::string nameQuotient(const Def &def, const Affine &numerator,
                                int64_t divisor) {
  return "(" +
         strQuotient(describe(def, numerator, /*quote=*/false), numerator,
                     divisor) +
         ")";
}

std::optional<Affine> CheckSet::findQuotient(const Affine &numerator,
                                             int64_t divisor) const {
  if (std::optional<Affine> linear = floorDivide(numerator, divisor))
    return *linear;
  auto found = computed.find(nameQuotient(def, numerator, divisor));
  if (found == computed.end())
    return std::nullopt;
  return Affine(found->second);
}

Affine CheckSet::divide(const Affine &numerator, int64_t divisor,
                        SourceRange range) {
  if (std::optional<Affine> linear = floorDivide(numerator, divisor))
    return *linear;
  std::string name = nameQuotient(def, numerator, divisor);
  auto [entry, isNew] =
      computed.try_emplace(name, SymbolId(def.symbols.size()));
  if (isNew)
    def.symbols.push_back(
        {name, std::nullopt, range, Symbol::Quotient{numerator, divisor}});
  return Affine(entry->second);
}

SmallVector<size_t> findLeast(const Def &def, ArrayRef<Affine> values) {
  SmallVector<size_t> least;
  for (auto [i, value] : llvm::enumerate(values)) {
    auto isAtMost = [&](const Affine &small, const Affine &large) {
      return isNonNegative(def, large - small);
    };
    if (llvm::any_of(least, [&, &value = value](size_t other) {
          return isAtMost(values[other], value);
        }))
      continue;
    llvm::erase_if(least, [&, &value = value](size_t other) {
      return isAtMost(value, values[other]);
    });
    least.push_back(i);
  }
  return least;
}

namespace {
/// What a minimum is of, and how it is written and looked up.
struct Minimum {
  std::vector<Affine> values;
  std::string name, key;
};
} // namespace

/// What is left is not always at most another. A minimum among the values is
/// what it is of: min(x, y) + z is min(x + z, y + z).
static Minimum makeMinimum(const Def &def, ArrayRef<Affine> values) {
  SmallVector<Affine> flat;
  for (const Affine &value : values) {
    const auto *term =
        llvm::find_if(value.getSymbolTerms(), [&](const auto &part) {
          return part.coefficient == 1 && !def[part.id].minimum.empty();
        });
    if (term == value.getSymbolTerms().end()) {
      flat.push_back(value);
      continue;
    }
    for (const Affine &least : def[term->id].minimum)
      flat.push_back(value - Affine(term->id) + least);
  }
  Minimum result;
  SmallVector<std::string> texts;
  for (size_t position : findLeast(def, flat)) {
    result.values.push_back(flat[position]);
    texts.push_back(describe(def, flat[position], /*quote=*/false));
  }
  result.name = "min(" + llvm::join(texts, ", ") + ")";
  llvm::sort(texts);
  result.key = "min(" + llvm::join(texts, ", ") + ")";
  return result;
}

std::optional<Affine> CheckSet::findMinimum(ArrayRef<Affine> values) const {
  Minimum minimum = makeMinimum(def, values);
  if (minimum.values.size() == 1)
    return minimum.values.front();
  auto found = computed.find(minimum.key);
  if (found == computed.end())
    return std::nullopt;
  return Affine(found->second);
}

Affine CheckSet::minimize(ArrayRef<Affine> values, SourceRange range) {
  if (std::optional<Affine> known = findMinimum(values))
    return *known;
  Minimum minimum = makeMinimum(def, values);
  SymbolId id(def.symbols.size());
  computed.try_emplace(minimum.key, id);
  Symbol symbol = {minimum.name, std::nullopt, range};
  symbol.minimum = std::move(minimum.values);
  def.symbols.push_back(std::move(symbol));
  return Affine(id);
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
      computed.try_emplace(name, SymbolId(def.symbols.size()));
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
  for (const Affine::SymbolTerm &term : extent.getSymbolTerms()) {
    if (const auto &quotient = def[term.id].quotient)
      check(Affine(quotient->numerator));
    for (const Affine &value : def[term.id].minimum)
      addExtent(value, what, range);
  }
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
