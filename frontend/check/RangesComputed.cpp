//===- RangesComputed.cpp - What computed subscripts can be ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RangesComputed.h"
#include "frontend/check/Expr.h"
#include "frontend/check/ExprPlaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

namespace {

/// What a number may be, given that there is a point: not below all of the
/// one, nor above all of the other.
struct Interval {
  SmallVector<Affine, 1> least, most;
};

/// At a point, each of `indices` has a value: its extent is one at least.
class IntervalFinder {
public:
  IntervalFinder(const Def &def, const Statement &statement,
                 ArrayRef<IndexId> indices)
      : def(def), statement(statement), indices(indices) {}

  std::optional<Interval> find(ExprId id) const;
  /// Never negative where there is a point.
  bool holds(const Affine &expr) const;
  bool isAtLeast(const Interval &interval, int64_t least) const {
    return llvm::all_of(interval.least, [&](const Affine &bound) {
      return holds(bound - Affine(least));
    });
  }
  bool isBelow(const Interval &interval, const Affine &end) const {
    return llvm::all_of(interval.most, [&](const Affine &bound) {
      return holds(end - Affine(1) - bound);
    });
  }

private:
  using Bounds = SmallVector<Affine, 1>;
  static Bounds combine(const Bounds &lhs, const Bounds &rhs, int64_t factor);
  std::optional<Interval> findProduct(const Interval &lhs,
                                      const Interval &rhs) const;
  std::optional<Interval> findQuotient(const Interval &lhs,
                                       const Interval &rhs) const;
  std::optional<Interval> findRemainder(const Interval &lhs,
                                        const Interval &rhs) const;
  Interval findMax(const Interval &lhs, const Interval &rhs) const;
  Interval findMin(const Interval &lhs, const Interval &rhs) const;
  std::optional<Interval> findBinary(BinaryFn fn, const Interval &lhs,
                                     const Interval &rhs) const;

  const Def &def;
  const Statement &statement;
  ArrayRef<IndexId> indices;
};

} // namespace

bool IntervalFinder::holds(const Affine &expr) const {
  return isNonNegative(def, expr) || llvm::any_of(indices, [&](IndexId id) {
           const Affine &extent = statement.indices[id.value].extent;
           return isNonNegative(def, expr - (extent - Affine(1)));
         });
}

/// Each of `lhs` plus `factor` times each of `rhs`.
IntervalFinder::Bounds
IntervalFinder::combine(const Bounds &lhs, const Bounds &rhs, int64_t factor) {
  Bounds result;
  for (const Affine &a : lhs)
    for (const Affine &b : rhs)
      result.push_back(a + b * factor);
  return result;
}

/// The number that is all of an interval.
static std::optional<int64_t> getNumber(ArrayRef<Affine> least,
                                        ArrayRef<Affine> most) {
  if (least.size() == 1 && most.size() == 1 && least[0] == most[0] &&
      least[0].isConstant() && !least[0].hasOverflowed())
    return least[0].getConstant();
  return std::nullopt;
}

std::optional<Interval> IntervalFinder::findProduct(const Interval &lhs,
                                                    const Interval &rhs) const {
  std::optional<int64_t> factor = getNumber(lhs.least, lhs.most);
  const Interval &other = factor ? rhs : lhs;
  if (!factor)
    factor = getNumber(rhs.least, rhs.most);
  if (!factor)
    return std::nullopt;
  Bounds zero = {Affine(0)};
  Interval product = {combine(zero, other.least, *factor),
                      combine(zero, other.most, *factor)};
  if (*factor < 0)
    std::swap(product.least, product.most);
  return product;
}

std::optional<Interval>
IntervalFinder::findQuotient(const Interval &lhs, const Interval &rhs) const {
  std::optional<int64_t> divisor = getNumber(rhs.least, rhs.most);
  if (!divisor || *divisor <= 0 || !isAtLeast(lhs, 0))
    return std::nullopt;
  Interval quotient = {{Affine(0)}, {}};
  // What is divided is more in any case.
  for (const Affine &most : lhs.most)
    quotient.most.push_back(floorDivide(most, *divisor).value_or(most));
  return quotient;
}

/// By what is above zero.
std::optional<Interval>
IntervalFinder::findRemainder(const Interval &lhs, const Interval &rhs) const {
  if (!isAtLeast(lhs, 0) || !isAtLeast(rhs, 1))
    return std::nullopt;
  return Interval{{Affine(0)}, combine(rhs.most, {Affine(1)}, -1)};
}

/// What one operand is at least is enough; what both are at most, it takes.
Interval IntervalFinder::findMax(const Interval &lhs,
                                 const Interval &rhs) const {
  Interval result = {isAtLeast(lhs, 0) ? lhs.least : rhs.least, lhs.most};
  llvm::append_range(result.most, rhs.most);
  return result;
}

Interval IntervalFinder::findMin(const Interval &lhs,
                                 const Interval &rhs) const {
  bool isLeft = llvm::all_of(rhs.most, [&](const Affine &bound) {
    return isBelow(lhs, bound + Affine(1));
  });
  Interval result = {lhs.least, isLeft ? lhs.most : rhs.most};
  llvm::append_range(result.least, rhs.least);
  return result;
}

std::optional<Interval> IntervalFinder::findBinary(BinaryFn fn,
                                                   const Interval &lhs,
                                                   const Interval &rhs) const {
  switch (fn) {
  case BinaryFn::Add:
    return Interval{combine(lhs.least, rhs.least, 1),
                    combine(lhs.most, rhs.most, 1)};
  case BinaryFn::Sub:
    return Interval{combine(lhs.least, rhs.most, -1),
                    combine(lhs.most, rhs.least, -1)};
  case BinaryFn::Mul:
    return findProduct(lhs, rhs);
  case BinaryFn::Div:
    return findQuotient(lhs, rhs);
  case BinaryFn::Rem:
    return findRemainder(lhs, rhs);
  case BinaryFn::Max:
    return findMax(lhs, rhs);
  case BinaryFn::Min:
    return findMin(lhs, rhs);
  default:
    return std::nullopt;
  }
}

std::optional<Interval> IntervalFinder::find(ExprId id) const {
  const Expr &expr = def[id];
  if (std::optional<int64_t> constant = getConstant(expr))
    return Interval{{Affine(*constant)}, {Affine(*constant)}};
  if (expr.kind == ExprKind::Position) {
    auto getExtent = [&](IndexId index) {
      return statement.indices[index.value].extent;
    };
    const Affine &value = expr.subscripts.front();
    return Interval{{getExtreme(value, /*isMax=*/false, getExtent)},
                    {getExtreme(value, /*isMax=*/true, getExtent)}};
  }
  if (expr.type != ElementType::Index || expr.kind != ExprKind::Binary)
    return std::nullopt;
  std::optional<Interval> lhs = find(expr.lhs);
  std::optional<Interval> rhs = lhs ? find(expr.rhs) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  std::optional<Interval> result = findBinary(expr.binary, *lhs, *rhs);
  // Sums of many would have more and more.
  constexpr size_t maxBounds = 4;
  if (result && std::max(result->least.size(), result->most.size()) > maxBounds)
    return std::nullopt;
  return result;
}

void findSafePlaces(Def &def, const Statement &statement, ExprId id) {
  const Expr &expr = def[id];
  for (size_t dim = 0; dim != expr.places.size(); ++dim) {
    ExprId place = expr.places[dim];
    if (def[place].kind == ExprKind::Position)
      continue;
    SmallVector<IndexId> found = collectIndices(def, place);
    IntervalFinder finder(def, statement, found);
    if (std::optional<Interval> interval = finder.find(place))
      def.exprs[place.value].isInside |=
          finder.isAtLeast(*interval, 0) &&
          finder.isBelow(*interval, def[expr.tensor].dims[dim]);
    std::vector<ExprId> work = {place};
    while (!work.empty()) {
      Expr &part = def.exprs[work.back().value];
      work.pop_back();
      llvm::append_range(work, part.getOperands());
      if (part.kind != ExprKind::Binary || !isDivision(part.binary, part.type))
        continue;
      std::optional<Interval> divisor = finder.find(part.rhs);
      part.isByNonZero = divisor && finder.isAtLeast(*divisor, 1);
    }
  }
  for (ExprId operand : expr.getOperands())
    findSafePlaces(def, statement, operand);
}

} // namespace ein
