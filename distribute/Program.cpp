//===- Program.cpp - How a program is distributed -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Planner.h"
#include <numeric>

namespace ein::distribute {

Subscript makeSubscript(unsigned loop) { return {{{loop, 1}}}; }

static bool isEmpty(const Block &block) {
  return std::any_of(block.ranges.begin(), block.ranges.end(),
                     [](Range range) { return range.size() <= 0; });
}

void getReached(const ArrayUse &use, const Block &part, Block &box) {
  // A box of an array without dims has no range to be empty: this one stands
  // for it.
  if (isEmpty(part)) {
    box.ranges.assign(std::max<size_t>(use.subscripts.size(), 1), Range());
    return;
  }
  box.ranges.resize(use.subscripts.size());
  for (size_t dim = 0; dim != use.subscripts.size(); ++dim) {
    const Subscript &subscript = use.subscripts[dim];
    Range range = {subscript.constant,
                   subscript.constant + 1 + subscript.extra};
    for (auto [loop, coefficient] : subscript.terms) {
      int64_t first = coefficient * part.ranges[loop].begin;
      int64_t last = coefficient * (part.ranges[loop].end - 1);
      range.begin += std::min(first, last);
      range.end += std::max(first, last);
    }
    box.ranges[dim] = range;
  }
}

Block getReached(const ArrayUse &use, const Block &part) {
  Block box;
  getReached(use, part, box);
  return box;
}

/// By dim of the array, the loop that cuts it: the longest of the subscript
/// that cuts no dim before.
static std::vector<std::optional<unsigned>>
getCuttingLoops(const ProgramStatement &statement, const ArrayUse &use) {
  std::vector<std::optional<unsigned>> loops;
  for (const Subscript &subscript : use.subscripts) {
    std::optional<unsigned> longest;
    for (auto [loop, coefficient] : subscript.terms)
      if (std::find(loops.begin(), loops.end(), loop) == loops.end() &&
          (!longest || statement.extents[loop] > statement.extents[*longest]))
        longest = loop;
    loops.push_back(longest);
  }
  return loops;
}

Contraction makeContraction(const Program &program,
                            const ProgramStatement &statement) {
  Contraction contraction;
  for (unsigned loop = 0; loop != statement.extents.size(); ++loop)
    contraction.extents.push_back(
        isWhole(statement, loop) ? std::min<int64_t>(statement.extents[loop], 1)
                                 : statement.extents[loop]);
  auto makeOperand = [&](const ArrayUse &use) {
    Operand operand;
    operand.elementBytes = program.arrays[use.array].elementBytes;
    std::vector<std::optional<unsigned>> loops =
        getCuttingLoops(statement, use);
    for (unsigned dim = 0; dim != loops.size(); ++dim) {
      std::optional<unsigned> loop = loops[dim];
      if (!loop) {
        operand.elementBytes *= use.subscripts[dim].extra + 1;
        continue;
      }
      operand.dims.push_back(*loop);
      if (isWhole(statement, *loop))
        operand.elementBytes *= std::max<int64_t>(statement.extents[*loop], 1);
    }
    return operand;
  };
  for (const ArrayUse &use : statement.reads)
    contraction.inputs.push_back(makeOperand(use));
  contraction.output = makeOperand(statement.write);
  contraction.work = statement.work;
  if (contraction.work.empty()) { // the same in loops that are not cut
    contraction.work.push_back({{}, double(contraction.inputs.size())});
    contraction.work[0].dims.resize(statement.extents.size());
    std::iota(contraction.work[0].dims.begin(), contraction.work[0].dims.end(),
              0);
  }
  for (Work &work : contraction.work)
    for (unsigned loop : work.dims)
      if (isWhole(statement, loop))
        work.flops *= double(std::max<int64_t>(statement.extents[loop], 1));
  return contraction;
}

bool isContraction(const ProgramStatement &statement) {
  auto isPlain = [&](const ArrayUse &use) {
    std::vector<unsigned> loops;
    for (const Subscript &subscript : use.subscripts) {
      if (!subscript.isLone() || contains(loops, subscript.terms[0].first))
        return false;
      loops.push_back(subscript.terms[0].first);
    }
    return true;
  };
  // What is touched of an array by one use is touched for another one as well.
  std::vector<unsigned> arrays = {statement.write.array};
  for (const ArrayUse &use : statement.reads) {
    if (contains(arrays, use.array))
      return false;
    arrays.push_back(use.array);
  }
  return std::all_of(statement.reads.begin(), statement.reads.end(), isPlain) &&
         isPlain(statement.write);
}

/// Of an array that nobody has placed: its longest dim over all ranks.
BlockLayout Planner::getAnyHome(const ProgramArray &array) const {
  BlockLayout layout;
  layout.extents = array.extents;
  layout.grid = {ranks, 1};
  layout.axes.assign(array.extents.size(), 1);
  if (array.extents.empty())
    layout.sharingAxes = {0};
  else
    layout.axes[std::max_element(array.extents.begin(), array.extents.end()) -
                array.extents.begin()] = 0;
  return layout;
}

std::vector<Plan> Planner::planAlone(const ProgramStatement &statement) const {
  // A limit on time: the others are further from the best.
  constexpr unsigned kMostGrids = 4;
  int64_t memory = maxMemory;
  if (memory != 0) {
    // What the others have at home is not to be had.
    unsigned number = &statement - program.statements.data();
    double others = 0;
    for (unsigned array = 0; array != program.arrays.size(); ++array) {
      bool isUsed = statement.write.array == array;
      for (const ArrayUse &use : statement.reads)
        isUsed |= use.array == array;
      if (isUsed || !isLive(array, number))
        continue;
      double bytes = program.arrays[array].elementBytes;
      for (int64_t extent : program.arrays[array].extents)
        bytes *= double(extent);
      others += bytes / double(ranks);
    }
    if (others >= double(memory))
      return {};
    memory -= int64_t(others);
  }
  return planContractions(makeContraction(program, statement), ranks, memory,
                          network, kMostGrids);
}

/// A layout of the dims that a loop cuts, as one of all dims of the array. The
/// others lie on an axis of one part.
BlockLayout Planner::expand(const ProgramStatement &statement,
                            const ArrayUse &use,
                            const BlockLayout &layout) const {
  std::vector<std::optional<unsigned>> loops = getCuttingLoops(statement, use);
  BlockLayout all = layout;
  unsigned single = layout.grid.size();
  all.grid.push_back(1);
  all.extents = program.arrays[use.array].extents;
  all.axes.assign(all.extents.size(), single);
  all.sharedDim.reset();
  unsigned next = 0;
  for (unsigned dim = 0; dim != loops.size(); ++dim) {
    if (!loops[dim])
      continue;
    all.axes[dim] = layout.axes[next];
    if (layout.sharedDim == next)
      all.sharedDim = dim;
    ++next;
  }
  if (!all.sharedDim && !all.extents.empty())
    all.sharedDim = std::max_element(all.extents.begin(), all.extents.end()) -
                    all.extents.begin();
  return all;
}

Candidate Planner::makeCandidate(const ProgramStatement &statement,
                                 const Plan &plan) const {
  Candidate candidate;
  candidate.steps = plan.steps;
  candidate.iteration.grid = plan.grid;
  candidate.iteration.extents = statement.extents;
  candidate.iteration.axes.resize(statement.extents.size());
  std::iota(candidate.iteration.axes.begin(), candidate.iteration.axes.end(),
            0);
  for (unsigned i = 0; i != plan.layouts.size(); ++i)
    candidate.wanted.push_back(
        expand(statement, getUse(statement, i), plan.layouts[i]));
  return candidate;
}

/// How an array lies best where the loops are cut as `iteration` says: so that
/// what the loops make, or need alone, is at home.
BlockLayout Planner::project(const ProgramStatement &statement,
                             const ArrayUse &use,
                             const BlockLayout &iteration) const {
  std::vector<std::optional<unsigned>> loops = getCuttingLoops(statement, use);
  BlockLayout layout;
  layout.grid = iteration.grid;
  unsigned single = layout.grid.size();
  layout.grid.push_back(1);
  layout.extents = program.arrays[use.array].extents;
  for (std::optional<unsigned> loop : loops)
    layout.axes.push_back(loop ? iteration.axes[*loop] : single);
  for (unsigned dim = 0; dim != loops.size(); ++dim)
    if (loops[dim] && iteration.sharedDim == *loops[dim])
      layout.sharedDim = dim;
  if (layout.sharedDim)
    layout.sharingAxes = iteration.sharingAxes;
  for (unsigned axis = 0; axis != iteration.grid.size(); ++axis)
    if (iteration.grid[axis] > 1 && !contains(layout.axes, axis) &&
        !contains(layout.sharingAxes, axis))
      layout.sharingAxes.push_back(axis);
  if (!layout.sharedDim && !layout.extents.empty()) {
    unsigned best = 0;
    auto getPart = [&](unsigned dim) {
      return getLargestPart(layout.extents[dim], layout.grid[layout.axes[dim]]);
    };
    for (unsigned dim = 1; dim != layout.extents.size(); ++dim)
      if (getPart(dim) > getPart(best))
        best = dim;
    layout.sharedDim = best;
  }
  return layout;
}

/// The statement is computed where an array lies; none if that would cut what
/// cannot be cut, or if the array's dims are not loops.
std::optional<Candidate> Planner::follow(const ProgramStatement &statement,
                                         const ArrayUse &use,
                                         const BlockLayout &home) const {
  if (home.tiles)
    return followTiles(statement, use, home);
  Candidate candidate;
  candidate.followed = use.array;
  BlockLayout &iteration = candidate.iteration;
  iteration = home;
  unsigned single = home.grid.size();
  iteration.grid.push_back(1);
  iteration.extents = statement.extents;
  iteration.axes.assign(statement.extents.size(), single);
  iteration.sharedDim.reset();
  std::vector<bool> isTaken(statement.extents.size(), false);
  for (unsigned dim = 0; dim != use.subscripts.size(); ++dim) {
    const Subscript &subscript = use.subscripts[dim];
    int64_t parts = home.countParts(dim);
    if (parts == 1)
      continue;
    if (!subscript.isLone())
      return std::nullopt;
    unsigned loop = subscript.terms[0].first;
    if (isTaken[loop] || isWhole(statement, loop) ||
        statement.extents[loop] != home.extents[dim])
      return std::nullopt;
    isTaken[loop] = true;
    iteration.axes[loop] = home.axes[dim];
    if (home.sharedDim == dim)
      iteration.sharedDim = loop;
  }
  // The ranks that have no part of the array would do the same as others.
  if (home.countSharers() > 1 && !iteration.sharedDim)
    return std::nullopt;
  if (!iteration.sharedDim)
    iteration.sharingAxes.clear();
  for (unsigned i = 0; i <= statement.reads.size(); ++i)
    candidate.wanted.push_back(
        project(statement, getUse(statement, i), iteration));
  return candidate;
}

std::vector<Candidate> Planner::followAll(const State &state,
                                          unsigned number) const {
  const ProgramStatement &statement = program.statements[number];
  std::vector<Candidate> candidates;
  for (unsigned i = 0; i <= statement.reads.size(); ++i) {
    const ArrayUse &use = getUse(statement, i);
    if (const std::optional<BlockLayout> &home = state.homes[use.array])
      if (std::optional<Candidate> candidate = follow(statement, use, *home))
        candidates.push_back(std::move(*candidate));
  }
  return candidates;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

std::optional<ProgramPlan> Planner::run() {
  std::vector<State> states = {getBegin()};
  for (unsigned number = 0; number != program.statements.size(); ++number) {
    const ProgramStatement &statement = program.statements[number];
    std::vector<Candidate> alone;
    std::vector<Plan> plans = planAlone(statement);
    for (const Plan &plan : plans)
      alone.push_back(makeCandidate(statement, plan));
    if (!plans.empty())
      for (Candidate &uneven : makeUneven(
               statement, makeContraction(program, statement), plans.front()))
        alone.push_back(std::move(uneven));
    std::vector<State> next;
    for (const State &state : states) {
      std::vector<Candidate> candidates = alone;
      for (Candidate &candidate : followAll(state, number))
        candidates.push_back(std::move(candidate));
      for (const Candidate &candidate : candidates)
        if (std::optional<State> longer =
                extend(state, number, candidate, /*isFinal=*/false))
          next.push_back(std::move(*longer));
    }
    if (next.empty())
      return std::nullopt;
    states = keepBest(std::move(next), number + 1);
  }
  return finish(states.front());
}

/// How many states are kept: a limit on time, which grows with it.
static constexpr size_t kBeam = 16;

/// Of states that are not kept, in order, those that are the best after the
/// next statement, if that is computed where they have left an array. A number
/// with many factors has more grids that cost the same than are kept, and the
/// next statement adds up parts along one of their dims.
std::vector<State> Planner::findPromising(const std::vector<State> &states,
                                          unsigned next) const {
  // Limits on time.
  constexpr size_t kMostLooks = 128, kPromising = 8;
  std::vector<State> promising;
  if (next == program.statements.size())
    return promising;
  std::vector<std::pair<double, size_t>> promises;
  size_t end = std::min(states.size(), kMostLooks);
  for (size_t i = std::min(kBeam, end); i != end; ++i)
    for (const Candidate &candidate : followAll(states[i], next))
      if (std::optional<State> longer =
              extend(states[i], next, candidate, /*isFinal=*/false))
        promises.push_back({longer->getScore(), i});
  std::sort(promises.begin(), promises.end());
  std::vector<size_t> taken;
  for (auto [score, i] : promises) {
    bool isTaken = std::find(taken.begin(), taken.end(), i) != taken.end();
    if (isTaken || taken.size() == kPromising)
      continue;
    taken.push_back(i);
    promising.push_back(states[i]);
  }
  return promising;
}

/// Those that may become the best: the fastest ones, those that move the least
/// of those that are little slower, and those that promise to. The best so far
/// is the first.
std::vector<State> Planner::keepBest(std::vector<State> states,
                                     unsigned next) const {
  std::stable_sort(
      states.begin(), states.end(),
      [](const State &a, const State &b) { return a.seconds < b.seconds; });
  double mostSeconds = states.front().seconds * (1 + network.slack);
  auto firstSlow =
      std::find_if(states.begin(), states.end(), [&](const State &state) {
        return state.seconds > mostSeconds;
      });
  std::vector<State> fast(states.begin(),
                          states.begin() + std::min(kBeam, states.size()));
  std::vector<State> kept(states.begin(), firstSlow);
  std::stable_sort(kept.begin(), kept.end(),
                   [](const State &a, const State &b) {
                     return a.getScore() < b.getScore();
                   });
  std::vector<State> promising = findPromising(kept, next);
  if (kept.size() > kBeam)
    kept.resize(kBeam);
  std::move(promising.begin(), promising.end(), std::back_inserter(kept));
  auto isKept = [&](const State &state) {
    return std::any_of(kept.begin(), kept.end(), [&](const State &other) {
      return other.seconds == state.seconds && other.homes == state.homes;
    });
  };
  for (State &state : fast)
    if (!isKept(state))
      kept.push_back(std::move(state));
  return kept;
}

std::optional<ProgramPlan> Planner::runGrid(const Grid &grid) {
  if (program.statements.size() != 1)
    return std::nullopt;
  const ProgramStatement &statement = program.statements.front();
  std::optional<Plan> plan =
      planGrid(makeContraction(program, statement), grid, maxMemory, network);
  if (!plan)
    return std::nullopt;
  State state = getBegin();
  state.chosen.push_back(makeCandidate(statement, *plan));
  return finish(state);
}

State Planner::getBegin() const {
  State state;
  state.homes.resize(program.arrays.size());
  return state;
}

std::optional<ProgramPlan> Planner::finish(const State &state) const {
  State all = getBegin();
  for (unsigned number = 0; number != state.chosen.size(); ++number) {
    std::optional<State> next =
        extend(all, number, state.chosen[number], /*isFinal=*/true);
    if (!next)
      return std::nullopt;
    all = std::move(*next);
  }
  ProgramPlan plan;
  for (unsigned array = 0; array != program.arrays.size(); ++array)
    plan.homes.push_back(all.homes[array] ? *all.homes[array]
                                          : getAnyHome(program.arrays[array]));
  plan.statements = std::move(all.statements);
  for (const StatementPlan &own : plan.statements) {
    plan.bytesMoved += own.bytesMoved;
    plan.totalBytes += own.totalBytes;
    plan.memoryBytes = std::max(plan.memoryBytes, own.memoryBytes);
    plan.seconds += own.seconds;
  }
  return plan;
}

std::optional<ProgramPlan> planProgram(const Program &program, int64_t ranks,
                                       int64_t maxMemoryBytes,
                                       const Network &network) {
  return Planner(program, ranks, maxMemoryBytes, network).run();
}

std::optional<ProgramPlan> planProgram(const Program &program, const Grid &grid,
                                       int64_t maxMemoryBytes,
                                       const Network &network) {
  return Planner(program, countRanks(grid), maxMemoryBytes, network)
      .runGrid(grid);
}

} // namespace ein::distribute
