//===- Affine.h - Linear expressions over symbols and indices ---*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every extent and every subscript of a checked program is a linear expression
//
//   constant + sum of coefficient * index + sum of coefficient * symbol
//
// kept in a normal form (terms sorted by id, no zero coefficient), so that
// equality of expressions is equality of values for all sizes.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PROGRAM_AFFINE_H
#define EIN_FRONTEND_PROGRAM_AFFINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace ein {

/// A position in one of Program's tables; the tag keeps the tables apart.
template <typename Tag> struct Id {
  int32_t value = -1;
  Id() = default;
  explicit Id(size_t value) : value(static_cast<int32_t>(value)) {}
  bool isValid() const { return value >= 0; }
  friend bool operator==(Id a, Id b) { return a.value == b.value; }
  friend bool operator!=(Id a, Id b) { return a.value != b.value; }
  friend bool operator<(Id a, Id b) { return a.value < b.value; }
};

/// A symbolic size such as `M`, in Def::symbols.
using SymbolId = Id<struct SymbolTag>;
/// An index such as `m`, in Statement::indices.
using IndexId = Id<struct IndexTag>;

/// constant + sum of coefficient * index + sum of coefficient * symbol.
/// Arithmetic that leaves int64_t saturates `overflowed`, which is sticky.
class Affine {
public:
  template <typename IdT> struct Term {
    IdT id;
    int64_t coefficient;
    friend bool operator==(const Term &a, const Term &b) {
      return a.id == b.id && a.coefficient == b.coefficient;
    }
  };
  using IndexTerm = Term<IndexId>;
  using SymbolTerm = Term<SymbolId>;

  Affine() = default;
  explicit Affine(int64_t constant) : constantTerm(constant) {}
  explicit Affine(IndexId index) : indices({{index, 1}}) {}
  explicit Affine(SymbolId symbol) : symbols({{symbol, 1}}) {}

  int64_t getConstant() const { return constantTerm; }
  llvm::ArrayRef<IndexTerm> getIndexTerms() const { return indices; }
  llvm::ArrayRef<SymbolTerm> getSymbolTerms() const { return symbols; }
  int64_t getCoefficient(IndexId index) const;
  int64_t getCoefficient(SymbolId symbol) const;

  /// No index and no symbol: the value is getConstant().
  bool isConstant() const { return indices.empty() && symbols.empty(); }
  /// The index, if the expression is exactly one index with coefficient 1.
  std::optional<IndexId> getSingleIndex() const;
  /// The symbol, if the expression is exactly one symbol with coefficient 1.
  std::optional<SymbolId> getSingleSymbol() const;
  bool hasOverflowed() const { return overflowed; }

  /// The constant and the symbols: what is left where every index is 0.
  Affine withoutIndices() const;

  /// The value for given sizes and index values, by position.
  int64_t evaluate(llvm::ArrayRef<int64_t> symbolValues,
                   llvm::ArrayRef<int64_t> indexValues = {}) const;

  Affine operator+(const Affine &other) const;
  Affine operator-(const Affine &other) const;
  Affine operator*(int64_t factor) const;
  friend bool operator==(const Affine &a, const Affine &b) {
    return a.constantTerm == b.constantTerm && a.indices == b.indices &&
           a.symbols == b.symbols && a.overflowed == b.overflowed;
  }
  friend bool operator!=(const Affine &a, const Affine &b) { return !(a == b); }

  /// As it would be written: `2*h + kh - 1`. Names come from the callbacks.
  std::string
  str(llvm::function_ref<llvm::StringRef(IndexId)> indexName,
      llvm::function_ref<llvm::StringRef(SymbolId)> symbolName) const;

private:
  int64_t constantTerm = 0;
  llvm::SmallVector<IndexTerm, 2> indices;
  llvm::SmallVector<SymbolTerm, 2> symbols;
  bool overflowed = false;
};

} // namespace ein

#endif // EIN_FRONTEND_PROGRAM_AFFINE_H
