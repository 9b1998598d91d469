//===- SizeProduct.cpp - Products of sizes --------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/SizeProduct.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein {

void SizeProduct::multiply(const Affine &factor) {
  hasOverflowed |= factor.hasOverflowed();
  int64_t multiple = factor.getConstant();
  if (!factor.isConstant()) {
    // `2*N` is two factors, so that `2*N*M` and `N*2*M` are one product.
    ArrayRef<Affine::SymbolTerm> terms = factor.getSymbolTerms();
    bool isMultiple = terms.size() == 1 && factor.getConstant() == 0;
    multiple = isMultiple ? terms[0].coefficient : 1;
    factors.push_back(isMultiple ? Affine(terms[0].id) : factor);
  }
  hasOverflowed |= MulOverflow(constant, multiple, constant);
}

void SizeProduct::multiply(const SizeProduct &other) {
  multiply(Affine(other.constant));
  llvm::append_range(factors, other.factors);
  hasOverflowed |= other.hasOverflowed;
}

std::optional<Affine> SizeProduct::getLinear() const {
  if (factors.empty() || constant == 0)
    return Affine(constant);
  if (factors.size() > 1)
    return std::nullopt;
  return factors.front() * constant;
}

std::vector<Affine> SizeProduct::getFactors() const {
  if (std::optional<Affine> linear = getLinear())
    return {*linear};
  std::vector<Affine> result = factors;
  if (constant != 1)
    result.insert(result.begin(), Affine(constant));
  return result;
}

/// `factor` / `divisor`, if every term of it is a multiple.
static std::optional<Affine> divideExactly(const Affine &factor,
                                           int64_t divisor) {
  if (divisor == 0 || factor.getConstant() % divisor != 0)
    return std::nullopt;
  Affine quotient(factor.getConstant() / divisor);
  for (const Affine::SymbolTerm &term : factor.getSymbolTerms()) {
    if (term.coefficient % divisor != 0)
      return std::nullopt;
    quotient = quotient + Affine(term.id) * (term.coefficient / divisor);
  }
  return quotient;
}

std::optional<SizeProduct>
SizeProduct::divide(const SizeProduct &divisor) const {
  SizeProduct quotient = *this;
  for (const Affine &factor : divisor.factors) {
    auto found = llvm::find(quotient.factors, factor);
    if (found == quotient.factors.end())
      return std::nullopt;
    quotient.factors.erase(found);
  }
  if (divisor.constant != 0 && constant % divisor.constant == 0) {
    quotient.constant /= divisor.constant;
    return quotient;
  }
  for (Affine &factor : quotient.factors)
    if (std::optional<Affine> part = divideExactly(factor, divisor.constant)) {
      quotient.factors.erase(&factor - quotient.factors.data() +
                             quotient.factors.begin());
      quotient.multiply(*part);
      return quotient;
    }
  return std::nullopt;
}

bool SizeProduct::equals(const SizeProduct &other) const {
  if (constant == 0 && other.constant == 0)
    return true;
  std::optional<Affine> linear = getLinear(), otherLinear = other.getLinear();
  if (linear && otherLinear)
    return *linear == *otherLinear;
  return constant == other.constant &&
         std::is_permutation(factors.begin(), factors.end(),
                             other.factors.begin(), other.factors.end());
}

//===----------------------------------------------------------------------===//
// Sizes that are products
//===----------------------------------------------------------------------===//

/// The same for products that differ in the order of their factors only.
SizeProducts::Key SizeProducts::getKey(const SizeProduct &product) {
  std::vector<Key> factors;
  for (const Affine &factor : product.factors) {
    Key &key = factors.emplace_back();
    key.push_back({-1, factor.getConstant()});
    for (const Affine::SymbolTerm &term : factor.getSymbolTerms())
      key.push_back({term.id.value, term.coefficient});
  }
  llvm::sort(factors);
  Key key = {{-1, product.constant}};
  for (const Key &factor : factors)
    llvm::append_range(key, factor);
  return key;
}

void SizeProducts::define(SymbolId symbol, SizeProduct product) {
  symbols.try_emplace(getKey(product), symbol);
  products.try_emplace(symbol, std::move(product));
}

std::optional<SymbolId> SizeProducts::find(const SizeProduct &product) const {
  auto found = symbols.find(getKey(product));
  if (found == symbols.end())
    return std::nullopt;
  return found->second;
}

SizeProduct SizeProducts::expand(const Affine &size) const {
  SizeProduct result;
  ArrayRef<Affine::SymbolTerm> terms = size.getSymbolTerms();
  auto found = terms.size() == 1 && size.getConstant() == 0
                   ? products.find(terms[0].id)
                   : products.end();
  if (found == products.end()) {
    result.multiply(size);
  } else {
    result = found->second;
    result.multiply(Affine(terms[0].coefficient));
  }
  return result;
}

} // namespace ein
