//===- IeeeMinMax.h - Maxima and minima of many floats ------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The larger of two floats is NaN if one of them is, and 0 of 0 and -0. On most
// machines that is six instructions, where a comparison alone is one. Of many
// floats it is enough to know at the end whether there was a NaN, and, should
// the largest be a zero, whether all signs were set. Both are gathered beside
// what comparisons say, at a half or a third of an instruction each, as
// processors test two numbers for NaN at once, and combine three words.
//
// Half-precision numbers are compared by their bits, as few processors compare
// them otherwise: as signed integers those above zero are in their order, and
// those below in the opposite one. Gathered are the largest and the least of
// them, and the largest as unsigned integers, which has all that can be asked:
// the largest number, the least one, and NaN of either sign. As soon as there
// is a number without a sign, the largest one has none, and the least one does
// not matter any more; so it is of minima and numbers with a sign.
//
// Of a maximum all of that can be left to the rare case. What comparisons say
// is right unless there was a NaN, or the largest is -0, which other numbers
// may have been 0 beside. A sum of products of pairs is NaN if a number was, at
// half a multiply-add each, which machines execute beside comparisons. It may
// be NaN of infinities as well, so that it only says when to gather once more,
// exactly. Of minima 0 would be what says so, and zeros without a sign are not
// rare. Where a body makes infinities, as of what a mask leaves out, that would
// be often.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_IEEEMINMAX_H
#define EIN_PASSES_ANALYSIS_IEEEMINMAX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

/// Whether `op` reduces by the maximum or minimum of floats, and nothing else.
bool isExtreme(mlir::linalg::LinalgOp op);

/// Whether such an op had better be gathered on a machine that has or has not
/// an instruction for these of f32 and f64.
bool isGathered(mlir::linalg::LinalgOp op, bool hasInstruction);

/// Whether comparisons alone are right for what is gathered so, but for what a
/// witness tells.
bool hasWitness(mlir::linalg::LinalgOp op);

/// Gathers vectors of floats by `combiner`, which `isExtreme` is about. The
/// state is a few values, for loops to carry.
class IeeeMinMax {
public:
  using State = llvm::SmallVector<mlir::Value, 3>;
  /// How many values a state is.
  static constexpr int64_t kValues = 3;
  /// How many instructions there are beside each maximum, and at the beginning
  /// and the end of all that is gathered.
  static constexpr int64_t kBeside = 2, kAround = 6;
  /// How many multiply-adds tell of an element whether it is NaN; how many
  /// instructions there are at the end of each maximum, and of a tile of them.
  static constexpr double kOfWitness = 0.5;
  static constexpr int64_t kOfDoubt = 1, kOfDoubts = 5;

  /// With `hasMasks`, what is compared is bits of mask registers, and words
  /// elsewhere.
  IeeeMinMax(mlir::ImplicitLocOpBuilder &b, mlir::Operation *combiner,
             bool hasMasks)
      : b(b), combiner(combiner), hasMasks(hasMasks) {}

  State start(mlir::Value vector);
  State add(mlir::ValueRange state, mlir::Value vector);
  /// Two at once, for fewer instructions: of their signs in one, of which are
  /// numbers in another.
  State add(mlir::ValueRange state, mlir::Value first, mlir::Value second);
  /// Whether a state says so much that only what it names is left to gather.
  bool canBeKnown() { return isHalf(); }
  /// A bit: whether any of these states, of vectors, says so.
  mlir::Value isKnown(llvm::ArrayRef<State> states);
  /// The same as `add`, if it is known.
  State addKnown(mlir::ValueRange state, mlir::Value first, mlir::Value second);
  State join(mlir::ValueRange first, mlir::ValueRange second);
  /// The vector of the maxima, or minima.
  mlir::Value finish(mlir::ValueRange state);

  /// The larger elements, where none is NaN.
  mlir::Value compare(mlir::Value first, mlir::Value second) {
    return select(first, second);
  }
  /// A vector that is NaN wherever one of `values` or `witness`, if there is
  /// one, is.
  mlir::Value addToWitness(mlir::Value witness,
                           llvm::ArrayRef<mlir::Value> values);
  /// A bit: whether these maxima may be wrong anywhere.
  mlir::Value areDoubtful(llvm::ArrayRef<mlir::Value> maxima,
                          llvm::ArrayRef<mlir::Value> witnesses);
  /// The same for a maximum that is one number.
  mlir::Value isDoubtful(mlir::Value maximum,
                         llvm::ArrayRef<mlir::Value> witnesses);
  /// The largest element of a vector, if none is NaN.
  mlir::Value compareAcross(mlir::Value vector);
  /// The one of all lanes.
  mlir::Value finishAcross(mlir::ValueRange state);

private:
  bool isMaximum();
  bool isHalf();
  State joinHalves(mlir::ValueRange first, mlir::ValueRange second);
  mlir::Value finishHalves(mlir::Value most, mlir::Value least,
                           mlir::Value mostUnsigned);
  mlir::Value select(mlir::Value first, mlir::Value second);
  mlir::Value combineSigns(mlir::Value first, mlir::Value second);
  mlir::Value getBits(mlir::Value floats);
  mlir::Value areNumbers(mlir::Value first, mlir::Value second);
  mlir::Value finish(mlir::Value value, mlir::Value signs,
                     mlir::Value areNumbers);

  mlir::ImplicitLocOpBuilder &b;
  mlir::Operation *combiner;
  bool hasMasks;
};

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_IEEEMINMAX_H
