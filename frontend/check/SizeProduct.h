//===- SizeProduct.h - Products of sizes ------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dim that `(h w)` is has as many elements as `h` times `w` has, which is
// not linear where both are open. Everything else in the compiler relies on
// extents that are; so such a product gets a size of its own, a symbol like any
// other, and a check that it is the product. What is here is the arithmetic
// that finds out where no new size is needed.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_SIZEPRODUCT_H
#define EIN_FRONTEND_CHECK_SIZEPRODUCT_H

#include "frontend/program/Affine.h"
#include <map>
#include <vector>

namespace ein {

/// constant * factors[0] * factors[1] * …; the factors are not constant.
struct SizeProduct {
  int64_t constant = 1;
  std::vector<Affine> factors;
  bool hasOverflowed = false;

  void multiply(const Affine &factor);
  void multiply(const SizeProduct &other);
  /// The value, if it is linear.
  std::optional<Affine> getLinear() const;
  /// As SizeCheck has them.
  std::vector<Affine> getFactors() const;
  /// The other factor of this, if it can be seen whatever the sizes are.
  std::optional<SizeProduct> divide(const SizeProduct &divisor) const;
  /// The same whatever the sizes are.
  bool equals(const SizeProduct &other) const;
};

/// The sizes of a def that are products.
class SizeProducts {
public:
  void define(SymbolId symbol, SizeProduct product);
  /// The size that is this product, if there is one.
  std::optional<SymbolId> find(const SizeProduct &product) const;
  /// With factors that have been multiplied apart again.
  SizeProduct expand(const Affine &size) const;

private:
  using Key = std::vector<std::pair<int32_t, int64_t>>;
  static Key getKey(const SizeProduct &product);

  std::map<Key, SymbolId> symbols;
  std::map<SymbolId, SizeProduct> products;
};

} // namespace ein

#endif // EIN_FRONTEND_CHECK_SIZEPRODUCT_H
