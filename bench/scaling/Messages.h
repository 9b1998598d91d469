//===- Messages.h - What moves, message by message --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: that a plan moves so many bytes is a formula, and formulas are wrong
// at borders.
//
// Choice: every message of every rank is sent here, by the algorithms that MPI
// libraries use (Thakur, Rabenseifner and Gropp 2005), with blocks of the sizes
// that they have, and counted where it is sent and where it arrives. Ranks keep
// a list of what they have: in the end each has all that it needs, and each sum
// has all of its parts, once.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_SCALING_MESSAGES_H
#define EIN_BENCH_SCALING_MESSAGES_H

#include "distribute/Program.h"
#include <string>

namespace ein::bench {

enum class Algorithm {
  /// Each piece goes round: as many rounds as ranks, but one.
  Ring,
  /// Twice as many pieces in each round (Bruck); any number of ranks.
  Doubling
};

/// Of one move, by rank.
struct Traffic {
  std::vector<int64_t> sent, received; // bytes
  std::vector<int64_t> messages;       // that are sent
  /// Each rank has what it needs, and nothing arrived twice.
  bool isComplete = true;

  /// What a plan counts: received of inputs, sent of partial sums.
  const std::vector<int64_t> &getMoved(const distribute::Move &move) const;
};

/// Sends the messages of move `number` of a statement.
Traffic simulate(const distribute::Program &program,
                 const distribute::ProgramPlan &plan, unsigned statement,
                 unsigned number, Algorithm algorithm);

/// Sends those of all moves. Empty if everything that is counted is what the
/// plan says; else what is not.
std::string compare(const distribute::Program &program,
                    const distribute::ProgramPlan &plan, Algorithm algorithm);

} // namespace ein::bench

#endif // EIN_BENCH_SCALING_MESSAGES_H
