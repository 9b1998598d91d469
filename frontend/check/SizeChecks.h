//===- SizeChecks.h - What has to hold of sizes -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: what has to hold of sizes that are not known. Comes out: a check for
// when the code runs, or that it holds, or fails, whatever the sizes are.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_SIZECHECKS_H
#define EIN_FRONTEND_CHECK_SIZECHECKS_H

#include "frontend/program/DefNames.h"
#include "frontend/program/Program.h"
#include <unordered_map>

namespace ein {

/// Adds checks to a def, each once, and what is computed of sizes. There may be
/// one for every access, so they are found by their hashes.
class CheckSet {
public:
  explicit CheckSet(Def &def) : names(def), def(def) {}
  CheckSet(const CheckSet &) = delete;
  void add(SizeCheck check);

  /// floor(numerator / divisor) over symbols, for a divisor above 0: linear if
  /// it can be, else a symbol. Who uses it has to say so to addExtent.
  Affine divide(const Affine &numerator, int64_t divisor, SourceRange range);
  /// The same, if it is linear or a symbol that there is.
  std::optional<Affine> findQuotient(const Affine &numerator,
                                     int64_t divisor) const;
  /// The least of `values`, over symbols: one of them, if it always is, else a
  /// symbol. Who uses it has to say so to addExtent.
  Affine minimize(llvm::ArrayRef<Affine> values, SourceRange range);
  /// The same, if it is one of them or a symbol that there is.
  std::optional<Affine> findMinimum(llvm::ArrayRef<Affine> values) const;
  /// The value of an integer parameter, which only addStart takes.
  Affine addScalar(TensorId scalar);
  /// Where a slice starts, of sizes and scalars: a symbol, which is not
  /// negative if the checks say so.
  Affine addStart(const Affine &start, SourceRange range);
  /// Checks that an extent is not negative, nor what is divided in it or what
  /// it is the least of.
  void addExtent(const Affine &extent, const std::string &what,
                 SourceRange range);

  /// For the texts of checks.
  DefNames names;

private:
  Def &def;
  std::unordered_multimap<size_t, size_t> positions; // by hash
  /// Quotients by how they are written; minima likewise, in the order of what
  /// they are of.
  llvm::StringMap<SymbolId> computed;
};

/// floor(expr / divisor), if it is linear.
std::optional<Affine> floorDivide(const Affine &expr, int64_t divisor);

/// Not negative whatever the sizes, none of which is negative.
bool isNonNegative(const Affine &expr);
/// The same, given that a quotient is not more than what is divided, and a
/// minimum is one of those that it is of and not more than the others.
bool isNonNegative(const Def &def, const Affine &expr);
/// A constant other than 0, or a difference from a minimum that is always
/// larger or smaller.
bool isNeverZero(const Def &def, const Affine &difference);
/// Negative whatever the sizes.
bool isNegative(const Affine &expr);
/// Negative for all sizes of 2 and more. A least subscript that is asks for a
/// range that starts elsewhere; a greatest one may be too large in ods-gen's
/// definitions, which say `A: f32(N)` and `A(2*n)`.
bool isNegativeAboveOne(const Def &def, const Affine &expr);

/// The least or the greatest value of a subscript, where an index runs from 0
/// to its extent, exclusive.
Affine getExtreme(const Affine &subscript, bool isMax,
                  llvm::function_ref<Affine(IndexId)> getExtent);

/// Those of `values` that none of the others always is at most, by position;
/// the first of those that are equal.
llvm::SmallVector<size_t> findLeast(const Def &def,
                                    llvm::ArrayRef<Affine> values);

/// In backticks unless it is a number or `quote` is false. Over symbols only.
std::string describe(const Def &def, const Affine &expr, bool quote = true);

/// `(2*h + 1) / 2` of what is printed as `text`, which is all for 1.
std::string strQuotient(const std::string &text, const Affine &dividend,
                        int64_t divisor);

/// `H * W`, over symbols only.
std::string describeProduct(const Def &def, llvm::ArrayRef<Affine> factors);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_SIZECHECKS_H
