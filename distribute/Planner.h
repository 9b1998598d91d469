//===- Planner.h - The search for the plan of a program ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Program.cpp, which looks for a plan, and StatementCosts.cpp, which says
// what a statement of it costs, have in common.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_PLANNER_H
#define EIN_DISTRIBUTE_PLANNER_H

#include "distribute/Program.h"
#include <algorithm>

namespace ein::distribute {

/// How a statement may be cut.
struct Candidate {
  BlockLayout iteration;
  Steps steps;
  std::optional<unsigned> followed;
  /// By read, then the write: where the array would best lie.
  std::vector<BlockLayout> wanted;
};

/// The statements that are planned so far.
struct State {
  std::vector<std::optional<BlockLayout>> homes;
  std::vector<Candidate> chosen;
  std::vector<StatementPlan> statements;
  double seconds = 0, bytes = 0;
  /// As of grids (GridSearch.cpp).
  double getScore() const { return (bytes + 1) * seconds; }
};

class Planner {
public:
  Planner(const Program &program, int64_t ranks, int64_t maxMemory,
          const Network &network)
      : program(program), ranks(std::max<int64_t>(ranks, 1)),
        maxMemory(maxMemory), network(network) {}

  std::optional<ProgramPlan> run();
  std::optional<ProgramPlan> runGrid(const Grid &grid);

private:
  std::vector<Plan> planAlone(const ProgramStatement &statement) const;
  Candidate makeCandidate(const ProgramStatement &statement,
                          const Plan &plan) const;
  std::optional<Candidate> follow(const ProgramStatement &statement,
                                  const ArrayUse &use,
                                  const BlockLayout &home) const;
  /// Those that are no grids, where they may be better than the best grid.
  std::vector<Candidate> makeUneven(const ProgramStatement &statement,
                                    const Contraction &contraction,
                                    const Plan &best) const;
  std::optional<Candidate> followTiles(const ProgramStatement &statement,
                                       const ArrayUse &use,
                                       const BlockLayout &home) const;
  BlockLayout projectTiles(const ProgramStatement &statement,
                           const ArrayUse &use,
                           const BlockLayout &iteration) const;
  BlockLayout expand(const ProgramStatement &statement, const ArrayUse &use,
                     const BlockLayout &layout) const;
  BlockLayout project(const ProgramStatement &statement, const ArrayUse &use,
                      const BlockLayout &iteration) const;

  /// The state after the statement, cut so; none if memory is too short.
  std::optional<State> extend(const State &state, unsigned number,
                              const Candidate &candidate, bool isFinal) const;
  StatementPlan cost(const State &state, unsigned number,
                     const Candidate &candidate, bool isFinal) const;
  /// An array that the statement moves, or not.
  struct UseCost;
  UseCost makeUseCost(const State &state, const ProgramStatement &statement,
                      const Candidate &candidate, unsigned number) const;

  /// Whether what a use fetches may go around what is at home.
  bool hasRoom(unsigned number, unsigned use) const;
  BlockLayout getAnyHome(const ProgramArray &array) const;
  bool isLive(unsigned array, unsigned statement) const;
  const ArrayUse &getUse(const ProgramStatement &statement,
                         unsigned number) const {
    return number < statement.reads.size() ? statement.reads[number]
                                           : statement.write;
  }
  /// The statement where an array lies that it reads or writes.
  std::vector<Candidate> followAll(const State &state, unsigned number) const;
  /// Of states before statement `next`.
  std::vector<State> keepBest(std::vector<State> states, unsigned next) const;
  std::vector<State> findPromising(const std::vector<State> &states,
                                   unsigned next) const;
  State getBegin() const;
  /// The plan of what was chosen, with the costs of all ranks.
  std::optional<ProgramPlan> finish(const State &state) const;

  const Program &program;
  int64_t ranks, maxMemory;
  const Network &network;
};

inline bool contains(const std::vector<unsigned> &list, unsigned member) {
  return std::find(list.begin(), list.end(), member) != list.end();
}

/// Whether a loop is not cut.
inline bool isWhole(const ProgramStatement &statement, unsigned loop) {
  return !statement.isWhole.empty() && statement.isWhole[loop];
}

/// As the function of Program.h, into `box`, for whoever asks for many.
void getReached(const ArrayUse &use, const Block &part, Block &box);

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_PLANNER_H
