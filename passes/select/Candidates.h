//===- Candidates.h - Ways in which an op could run -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: what is fastest is a matter of measuring, and what is measured has
// to be right whichever way is taken.
//
// Choice: a tuner does not make up schedules. It takes from this list, which
// for one op and one machine is always the same, and so does whoever reads what
// the tuner wrote: a schedule that is not on the list fits nothing.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_CANDIDATES_H
#define EIN_PASSES_SELECT_CANDIDATES_H

#include "passes/select/Listed.h"
#include "passes/select/SelectSchedule.h"
#include "target/NestCost.h"
#include <string>
#include <vector>

namespace ein {

struct Candidate {
  Schedule schedule;
  /// Predicted; none where the schedule has no price of its own.
  std::optional<NestCost> cost;
};

/// Prices are no truer than that: what takes so many times as long is as good.
inline constexpr double kAbout = 1.01;

/// Those first that are predicted to take least; all have a price.
void sortByPrice(std::vector<Candidate> &candidates);
/// The same, but the first is, of those that take about the least, the one that
/// executes and waits least: what memory bounds had better leave the core
/// alone.
void sortByWork(std::vector<Candidate> &candidates);

/// Ways in which `op` could run: the one that `selectSchedule` takes, and then
/// the others, those first that are predicted to take least.
std::vector<Candidate> collectCandidates(mlir::linalg::LinalgOp op,
                                         const TargetInfo &target,
                                         const GivenChoices &given);

/// Other blocks that a dim of `size` could be cut into than `block` (0: it is
/// whole): half of it, twice as much, and 0, as far as they are multiples of
/// `step` and less than the size; a dynamic one has always blocks.
llvm::SmallVector<int64_t> getOtherBlocks(int64_t size, int64_t block,
                                          int64_t step);

/// Blocks that a dim of `size` could be cut into, each twice the one before:
/// from `step` on, to less than `end` and than the size.
llvm::SmallVector<int64_t> getBlockLadder(int64_t size, int64_t step,
                                          int64_t end);

/// What makes two ops the same to a tuner: kind, maps, sizes, types and body.
/// One line, readable but for the body, of which there is a hash:
///
///     contract (d0, d2), (d2, d1) -> (d0, d1) of 64x64xf32, … body 0f3a…
std::string describeKey(mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_SELECT_CANDIDATES_H
