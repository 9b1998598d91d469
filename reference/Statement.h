//===- Statement.h - One statement at given sizes ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement with everything worked out that does not vary from point to
// point: extents are numbers, and a subscript list is an offset and a stride
// per index. Private to the reference.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_STATEMENT_H
#define EIN_REFERENCE_STATEMENT_H

#include "abi/Codes.h"
#include "reference/Rounding.h"
#include "reference/Value.h"
#include "llvm/ADT/STLExtras.h"

namespace ein::reference {

/// An access: element `offset + sum of strides[i] * index i` of `tensor`.
struct AccessView {
  const Value *tensor = nullptr;
  double largest = 0; // finite value of the tensor's type
  /// Compiled code may take an element of less magnitude for zero: bf16 in sums
  /// of products, by instructions that know no subnormal numbers.
  double leastKept = 0;
  /// Compiled code may take elements for sums of two numbers of bf16.
  bool isSplit = false;
  int64_t offset = 0;
  std::vector<int64_t> strides; // one per Statement::indices

  void split() {
    isSplit = true;
    // The second number of what is smaller may be no normal one, and bf16 has
    // no element that is larger.
    const Rounding &halves = Rounding::get(ElementType::BF16);
    leastKept = halves.smallest / (halves.unitRoundoff * halves.unitRoundoff);
    largest = halves.largest;
  }

  /// Element `position` as an operand, of a floating-point type, or a part of a
  /// complex one.
  Pair read(int64_t position, Part part = Part::Real) const {
    Pair x = tensor->get(position, part);
    if (std::abs(x.value) < leastKept)
      x.bound += std::abs(x.value);
    if ((x.bound > 0 || isSplit) && !(std::abs(x.value) + x.bound <= largest))
      x.bound = infinity;
    return x;
  }
};

struct StatementView {
  const Def &def;
  const Statement &statement;
  const Rounding &rounding;                // of the compute type
  std::vector<int64_t> extents = {};       // one per Statement::indices
  int64_t numPoints = 1;                   // product of all extents
  double numReduced = 1;                   // product of the reduction extents
  std::vector<int64_t> targetStrides = {}; // one per Statement::indices
  /// The target's contents so far, where they take part in the result.
  std::optional<AccessView> previous = {};
  /// The same, where a condition may leave them as they are.
  std::optional<AccessView> kept = {};
  /// One per Def::exprs; filled in for this statement's accesses.
  std::vector<AccessView> reads = {};

  /// How much more often a term of a sum may be rounded than it is added and
  /// multiplied. Arm's instructions for bf16 round a sum of two products before
  /// they add it, and each time to odd, which may err twice as much.
  double getExtraRoundings() const {
    constexpr double kOfHalves = 4;
    bool hasHalves = llvm::any_of(
        reads, [](const AccessView &access) { return access.leastKept > 0; });
    return (hasHalves ? kOfHalves : 0) + getSplitRoundings();
  }
  /// The same of f32 as sums of two numbers of bf16: each factor is the sum but
  /// for the square of their roundoff, the square of the smaller one's is left
  /// out, and there are three products to add up. Twice the error of first
  /// order is room for the others.
  double getSplitRoundings() const {
    double numSplit = llvm::count_if(
        reads, [](const AccessView &access) { return access.isSplit; });
    double half = Rounding::get(ElementType::BF16).unitRoundoff;
    double ofProduct = 3 * half * half / rounding.unitRoundoff;
    return numSplit < 2 ? 0 : 2 * numReduced + 2 * (numSplit - 1) * ofProduct;
  }
  bool isReduction(size_t index) const {
    return statement.indices[index].isReduction;
  }
};

/// What data make impossible: Domain for a division of integers by zero,
/// OutOfRange for a subscript outside of its tensor.
struct DataTrouble {
  /// Of the first point, in row-major order, and there of the node that is
  /// evaluated first.
  runtime::Code certain = runtime::Code::Ok;
  /// Where rounding decides.
  runtime::Code possible = runtime::Code::Ok;
};

/// Both compute the target's new contents, in the accumulator's type; `result`
/// comes with its shape, and with zeros.
///
/// The network takes products of accesses whose factors are finite and not too
/// large to be laid out by index; it declines (false) everything else.
bool evaluateNetwork(const StatementView &view, Value &result);
DataTrouble evaluateLoopNest(const StatementView &view, Value &result);
/// The same of a statement in order; `result` has what the target holds, which
/// reads of it see change.
DataTrouble evaluateInOrder(const StatementView &view, bool readsOwn,
                            Value &result);

} // namespace ein::reference

#endif // EIN_REFERENCE_STATEMENT_H
