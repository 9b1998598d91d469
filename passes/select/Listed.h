//===- Listed.h - What is listed for prices to choose from ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// More of it takes longer to compile and finds little else. No selector has
// other numbers of that kind.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_LISTED_H
#define EIN_PASSES_SELECT_LISTED_H

#include <cstddef>
#include <cstdint>

namespace ein {

/// What is listed, for prices to choose from. More of it takes longer to
/// compile and finds little else; no selector has others of its own.
struct Listed {
  /// Of so many of the ways that are listed first, those that are predicted to
  /// take least, what differs in a number is listed as well.
  static constexpr size_t kVaried = 8;
  /// So many rows of attention or of two layers at a time, and so many columns
  /// of attention, if not all.
  static constexpr int64_t kRows[] = {16, 32, 64, 128};
  static constexpr int64_t kColumns[] = {512, 256};
  /// Squares by which half of a symmetric product is copied from the other one:
  /// some register tiles wide, and not too large for L1.
  static constexpr int64_t kSquares[] = {64, 32, 128};
  /// Versions for other sizes, each of which is code. If no more dims than this
  /// are open each is made small alone; tensors of more have none of them long.
  /// And how many times as long as usual, or as short, one dim may be where
  /// several are.
  static constexpr size_t kAlternatives = 4, kDimsAlone = 3;
  static constexpr int64_t kStretch = 3;
  /// So many others are reported beside what is taken.
  static constexpr size_t kReported = 3;
};

} // namespace ein

#endif // EIN_PASSES_SELECT_LISTED_H
