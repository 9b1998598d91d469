//===- Affine.cpp - Linear expressions over symbols and indices -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/program/Affine.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace ein {

template <typename TermT, typename IdT>
static int64_t findCoefficient(ArrayRef<TermT> terms, IdT id) {
  for (const TermT &term : terms)
    if (term.id == id)
      return term.coefficient;
  return 0;
}

int64_t Affine::getCoefficient(IndexId index) const {
  return findCoefficient(getIndexTerms(), index);
}

int64_t Affine::getCoefficient(SymbolId symbol) const {
  return findCoefficient(getSymbolTerms(), symbol);
}

std::optional<IndexId> Affine::getSingleIndex() const {
  if (constantTerm == 0 && symbols.empty() && indices.size() == 1 &&
      indices[0].coefficient == 1)
    return indices[0].id;
  return std::nullopt;
}

std::optional<SymbolId> Affine::getSingleSymbol() const {
  if (constantTerm == 0 && indices.empty() && symbols.size() == 1 &&
      symbols[0].coefficient == 1)
    return symbols[0].id;
  return std::nullopt;
}

Affine Affine::withoutIndices() const {
  Affine result = *this;
  result.indices.clear();
  return result;
}

int64_t Affine::evaluate(ArrayRef<int64_t> symbolValues,
                         ArrayRef<int64_t> indexValues) const {
  int64_t value = constantTerm;
  for (const IndexTerm &term : indices)
    value += term.coefficient * indexValues[term.id.value];
  for (const SymbolTerm &term : symbols)
    value += term.coefficient * symbolValues[term.id.value];
  return value;
}

/// a + factor * b, term by term; sets `overflowed` on signed overflow.
template <typename TermT>
static SmallVector<TermT, 2> addScaled(ArrayRef<TermT> a, ArrayRef<TermT> b,
                                       int64_t factor, bool &overflowed) {
  SmallVector<TermT, 2> sum;
  while (!a.empty() || !b.empty()) {
    TermT next;
    if (b.empty() || (!a.empty() && a.front().id < b.front().id)) {
      next = a.front();
      a = a.drop_front();
    } else {
      next = b.front();
      overflowed |=
          MulOverflow(b.front().coefficient, factor, next.coefficient);
      if (!a.empty() && a.front().id == next.id) {
        overflowed |= AddOverflow(a.front().coefficient, next.coefficient,
                                  next.coefficient);
        a = a.drop_front();
      }
      b = b.drop_front();
    }
    if (next.coefficient != 0)
      sum.push_back(next);
  }
  return sum;
}

Affine Affine::operator+(const Affine &other) const {
  Affine sum;
  sum.overflowed = overflowed || other.overflowed;
  sum.overflowed |=
      AddOverflow(constantTerm, other.constantTerm, sum.constantTerm);
  sum.indices =
      addScaled(getIndexTerms(), other.getIndexTerms(), 1, sum.overflowed);
  sum.symbols =
      addScaled(getSymbolTerms(), other.getSymbolTerms(), 1, sum.overflowed);
  return sum;
}

Affine Affine::operator*(int64_t factor) const {
  Affine product;
  product.overflowed = overflowed;
  product.overflowed |= MulOverflow(constantTerm, factor, product.constantTerm);
  product.indices =
      addScaled<IndexTerm>({}, getIndexTerms(), factor, product.overflowed);
  product.symbols =
      addScaled<SymbolTerm>({}, getSymbolTerms(), factor, product.overflowed);
  return product;
}

Affine Affine::operator-(const Affine &other) const {
  return *this + other * -1;
}

std::string Affine::str(function_ref<StringRef(IndexId)> indexName,
                        function_ref<StringRef(SymbolId)> symbolName) const {
  std::string text;
  auto append = [&](StringRef name, int64_t coefficient) {
    // Written through uint64_t, because -INT64_MIN has no int64_t.
    uint64_t magnitude = coefficient < 0
                             ? 0 - static_cast<uint64_t>(coefficient)
                             : static_cast<uint64_t>(coefficient);
    if (text.empty())
      text += coefficient < 0 ? "-" : "";
    else
      text += coefficient < 0 ? " - " : " + ";
    if (name.empty())
      text += std::to_string(magnitude);
    else if (magnitude == 1)
      text += name.str();
    else
      text += std::to_string(magnitude) + "*" + name.str();
  };
  for (const IndexTerm &term : indices)
    append(indexName(term.id), term.coefficient);
  for (const SymbolTerm &term : symbols)
    append(symbolName(term.id), term.coefficient);
  if (constantTerm != 0 || text.empty())
    append("", constantTerm);
  return text;
}

} // namespace ein
