//===- CompileBudget.h - What compiling may take ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All numbers that trade the time and memory of compiling, or the size of code,
// for what is gained when it runs. No pass has others of its own. They were
// chosen on programs of hundreds of statements
// (docs/decisions/0026-compile-time.md, 0027-long-programs.md), and say nothing
// of machines. Those of LLVM's straight code are in target/Unroll.h, as their
// values depend on registers.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_COMPILEBUDGET_H
#define EIN_PASSES_ANALYSIS_COMPILEBUDGET_H

#include <cstddef>
#include <cstdint>

namespace ein {

struct CompileBudget {
  /// How many times as many ops as it had a function may get where buffers that
  /// loops exchange are given names.
  static constexpr size_t kMostGrowth = 16;

  /// Of sums that may be equal, the orders of so many factors are tried.
  static constexpr size_t kPermutedFactors = 4;

  /// The points of the interior of a window that are worth code of their own,
  /// without the tests of borders.
  static constexpr int64_t kFewestInteriorPoints = 64;

  /// The smallest nest that becomes a function if there are equal ones; from
  /// how many nests on each becomes one; and ops that may stand between a nest
  /// and the last that uses its results: at most a nest with results is as
  /// long.
  static constexpr unsigned kFewestNestOps = 12, kManyNests = 128,
                            kLongestTail = 8;

  /// From how many functions of a block on those that it has several times are
  /// called; and how many ops are followed from a select to the function that
  /// its value is of, or from what is rounded to half precision to what it is
  /// of.
  static constexpr unsigned kManyFormulas = 24;
  static constexpr size_t kFollowedOps = 256;

  /// How many steps a report of memory lists.
  static constexpr unsigned kReportedSteps = 2000;

  /// The largest kernel that LLVM compiles twice, the second time for operands
  /// whose strides are numbers.
  static constexpr int64_t kMostOpsForSecondKernel = 10000;
  /// More arguments than these, some seven for an array, are passed in memory,
  /// unless what a function gets is so few ones; and the blocks of what passes
  /// them are so long.
  static constexpr size_t kManyArguments = 512, kFewArguments = 4;
  static constexpr unsigned kLongestBlock = 128;
};

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_COMPILEBUDGET_H
