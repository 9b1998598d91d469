//===- Program.cpp - How a program is distributed -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Program.h"
#include "distribute/Costs.h"
#include <algorithm>
#include <numeric>

namespace ein::distribute {

Subscript makeSubscript(unsigned loop) { return {{{loop, 1}}}; }

static bool contains(const std::vector<unsigned> &list, unsigned member) {
  return std::find(list.begin(), list.end(), member) != list.end();
}

static bool isEmpty(const Block &block) {
  return std::any_of(block.ranges.begin(), block.ranges.end(),
                     [](Range range) { return range.size() <= 0; });
}

static void getReached(const ArrayUse &use, const Block &part, Block &box) {
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

static bool isWhole(const ProgramStatement &statement, unsigned loop) {
  return !statement.isWhole.empty() && statement.isWhole[loop];
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

namespace {

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

  BlockLayout getAnyHome(const ProgramArray &array) const;
  bool isLive(unsigned array, unsigned statement) const;
  const ArrayUse &getUse(const ProgramStatement &statement,
                         unsigned number) const {
    return number < statement.reads.size() ? statement.reads[number]
                                           : statement.write;
  }
  std::vector<State> keepBest(std::vector<State> states) const;
  State getBegin() const;
  /// The plan of what was chosen, with the costs of all ranks.
  std::optional<ProgramPlan> finish(const State &state) const;

  const Program &program;
  int64_t ranks, maxMemory;
  const Network &network;
};

} // namespace

/// Whether an array is in memory while the statement runs.
bool Planner::isLive(unsigned array, unsigned statement) const {
  if (program.arrays[array].isArgument)
    return true;
  bool isBefore = false, isAfter = false;
  for (unsigned i = 0; i != program.statements.size(); ++i) {
    const ProgramStatement &other = program.statements[i];
    bool isUsed =
        other.write.array == array ||
        std::any_of(other.reads.begin(), other.reads.end(),
                    [&](const ArrayUse &use) { return use.array == array; });
    isBefore |= isUsed && i <= statement;
    isAfter |= isUsed && i >= statement;
  }
  return isBefore && isAfter;
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

//===----------------------------------------------------------------------===//
// What a statement costs
//===----------------------------------------------------------------------===//

/// In elements but where it says bytes.
struct Planner::UseCost {
  const ArrayUse *use;
  BlockLayout home;
  Move move;
  bool isSum = false; // of parts that several ranks have
  bool isStepped = false;
  /// Of a sum, how many ranks add to an element, and whether all of them keep
  /// some of what a step makes.
  int64_t summed = 1;
  bool isSpread = false;
  int64_t elementBytes = 1;
  int64_t most = 0;
};

/// Whether a loop is in a subscript.
static bool reaches(const Subscript &subscript, unsigned loop) {
  return std::any_of(subscript.terms.begin(), subscript.terms.end(),
                     [&](const auto &term) { return term.first == loop; });
}

Planner::UseCost Planner::makeUseCost(const State &state,
                                      const ProgramStatement &statement,
                                      const Candidate &candidate,
                                      unsigned number) const {
  UseCost cost;
  cost.use = &getUse(statement, number);
  bool isWrite = number == statement.reads.size();
  const std::optional<BlockLayout> &home = state.homes[cost.use->array];
  const BlockLayout &wanted = candidate.wanted[number];
  // The first use says where an array lies that nobody has placed.
  unsigned first = 0;
  while (getUse(statement, first).array != cost.use->array)
    ++first;
  cost.home = home ? *home : candidate.wanted[first];
  cost.elementBytes = program.arrays[cost.use->array].elementBytes;
  cost.move.array = cost.use->array;
  cost.move.use = number;
  std::vector<unsigned> loops;
  for (const Subscript &subscript : cost.use->subscripts)
    for (auto [loop, coefficient] : subscript.terms)
      loops.push_back(loop);
  if (candidate.steps.count > 1 && contains(loops, candidate.steps.dim)) {
    cost.isStepped = true;
    cost.move.times = candidate.steps.count;
  }
  if (isWrite)
    for (unsigned loop = 0; loop != statement.extents.size(); ++loop)
      if (!contains(loops, loop))
        cost.summed *= candidate.iteration.countParts(loop);
  cost.isSum = cost.summed > 1;
  if (std::optional<unsigned> dim = cost.home.sharedDim; cost.isSum && dim)
    cost.isSpread = !reaches(cost.use->subscripts[*dim], candidate.steps.dim);
  // Sharers need the same, unless the loops are cut among them as well, or some
  // of them have no part at all.
  const BlockLayout &iteration = candidate.iteration;
  bool isWanted = cost.home == wanted &&
                  !(iteration.sharedDim && iteration.countSharers() > 1 &&
                    contains(loops, *iteration.sharedDim));
  // Windows and parts of arrays are no blocks.
  for (size_t dim = 0; dim != cost.use->subscripts.size(); ++dim) {
    const Subscript &subscript = cost.use->subscripts[dim];
    isWanted &=
        subscript.isLone() && statement.extents[subscript.terms[0].first] ==
                                  program.arrays[cost.use->array].extents[dim];
  }
  for (unsigned loop = 0; loop != statement.extents.size(); ++loop)
    isWanted &= iteration.countParts(loop) <=
                std::max<int64_t>(statement.extents[loop], 1);
  cost.move.kind =
      isWrite && cost.isSum
          ? (isWanted ? MoveKind::ReduceScatter : MoveKind::Reduce)
          : (isWanted ? MoveKind::AllGather : MoveKind::Redistribute);
  if (isWanted)
    cost.move.partners = wanted.countSharers();
  return cost;
}

/// How many ranks have a part of a box at home.
static int64_t countOwners(const BlockLayout &home, const Block &box) {
  int64_t owners = 1;
  for (unsigned dim = 0; dim != home.extents.size(); ++dim) {
    int64_t part = std::max<int64_t>(
        1, home.extents[dim] / std::max<int64_t>(home.countParts(dim), 1));
    owners *= std::min(home.countParts(dim),
                       (box.ranges[dim].size() + part - 1) / part + 1);
  }
  return owners;
}

/// Whether what a part reaches of an array in a step lies in one piece where it
/// is at home.
static bool isAdjacent(const Candidate &candidate, const ArrayUse &use,
                       Block part, const Block &home) {
  if (candidate.steps.count > 1) {
    Range &range = part.ranges[candidate.steps.dim];
    range = cutRange(range, candidate.steps.count, 0);
  }
  Block box;
  getReached(use, part, box);
  return findAdjacent(box, home).has_value();
}

StatementPlan Planner::cost(const State &state, unsigned number,
                            const Candidate &candidate, bool isFinal) const {
  const ProgramStatement &statement = program.statements[number];
  StatementPlan plan;
  plan.iteration = candidate.iteration;
  plan.steps = candidate.steps;
  plan.followed = candidate.followed;
  std::vector<UseCost> uses;
  for (unsigned i = 0; i <= statement.reads.size(); ++i)
    uses.push_back(makeUseCost(state, statement, candidate, i));
  std::vector<std::pair<BlockLayout, int64_t>> residents;
  for (unsigned array = 0; array != program.arrays.size(); ++array) {
    if (!isLive(array, number))
      continue;
    auto use = std::find_if(uses.begin(), uses.end(), [&](const UseCost &own) {
      return own.use->array == array;
    });
    residents.push_back({state.homes[array] ? *state.homes[array]
                         : use != uses.end()
                             ? use->home
                             : getAnyHome(program.arrays[array]),
                         program.arrays[array].elementBytes});
  }
  std::vector<Work> works = makeContraction(program, statement).getWork();

  // All ranks are looked at for what is printed, and some while many plans are
  // compared.
  constexpr int64_t kManyRanks = 1024;
  int64_t stride = isFinal ? 1 : std::max<int64_t>(1, ranks / kManyRanks);
  Block part, box, home;
  for (int64_t rank = 0; rank < ranks; rank += stride) {
    getHomeBlock(candidate.iteration, rank, part);
    double flops = 0;
    for (const Work &work : works) {
      double points = work.flops;
      for (unsigned loop : work.dims)
        if (!isWhole(statement, loop))
          points *= double(part.ranges[loop].size());
      flops += points;
    }
    plan.flops = std::max(plan.flops, flops);
    // Parts of sums that come from others, by slabs as large as what the rank
    // keeps, are there when inputs are there no more.
    int64_t bytes = 0, memory = 0, inputs = 0, slab = 0;
    for (const auto &[layout, elementBytes] : residents) {
      getHomeBlock(layout, rank, home);
      memory += home.countElements() * elementBytes;
    }
    for (UseCost &use : uses) {
      getReached(*use.use, part, box);
      int64_t needed = box.countElements();
      if (needed == 0)
        continue;
      getHomeBlock(use.home, rank, home);
      int64_t there =
          home.countElements() == 0 ? 0 : intersect(box, home).countElements();
      // Sharers have the block beside what is at home, even if that is all.
      bool isCollective = use.move.kind == MoveKind::AllGather ||
                          use.move.kind == MoveKind::ReduceScatter;
      bool isWrite = use.use == &statement.write;
      bool isMoved = needed != there || (isCollective && use.move.partners > 1);
      if (!isMoved && isAdjacent(candidate, *use.use, part, home))
        continue;
      int64_t moved = needed - there;
      use.most = std::max(use.most, moved);
      use.move.totalBytes += double(moved) * use.elementBytes * double(stride);
      bytes += moved * use.elementBytes;
      if (use.move.kind == MoveKind::Redistribute ||
          use.move.kind == MoveKind::Reduce)
        use.move.partners =
            std::max(use.move.partners, countOwners(use.home, box));
      int64_t buffer = needed;
      if (use.isStepped) {
        int64_t whole = part.ranges[candidate.steps.dim].size();
        int64_t panel = getLargestPart(whole, candidate.steps.count);
        int64_t slice = needed / std::max<int64_t>(whole, 1);
        buffer = slice * panel;
        if (use.isSpread)
          buffer += std::min(countOthers(slice, use.summed) * panel,
                             home.countElements());
        else if (isMoved)
          buffer += slice * panel;
      }
      (isWrite ? memory : inputs) += buffer * use.elementBytes;
      if (isWrite && use.isSum && !use.isStepped)
        slab = home.countElements() * use.elementBytes;
    }
    memory += std::max(inputs, slab);
    plan.bytesMoved = std::max(plan.bytesMoved, bytes);
    plan.memoryBytes = std::max(plan.memoryBytes, memory);
  }
  double stepped = 0, once = 0;
  for (UseCost &use : uses) {
    use.move.bytesPerRank = use.most * use.elementBytes;
    plan.totalBytes += use.move.totalBytes;
    if (use.most == 0)
      continue;
    int64_t partners = std::max<int64_t>(use.move.partners, 2);
    int64_t messages = 0;
    if (use.move.kind == MoveKind::AllGather ||
        use.move.kind == MoveKind::ReduceScatter)
      while ((int64_t(1) << messages) < partners)
        ++messages;
    else
      messages = partners - 1;
    (use.isStepped ? stepped : once) +=
        double(use.move.bytesPerRank) / network.bytes +
        network.latency * double(messages) * double(use.move.times);
    plan.moves.push_back(use.move);
  }
  plan.computeSeconds = plan.flops / network.flops;
  plan.moveSeconds = stepped + once;
  double count = double(plan.steps.count);
  plan.seconds = once + (stepped + plan.computeSeconds) / count +
                 std::max(stepped, plan.computeSeconds) * (count - 1) / count;
  return plan;
}

std::optional<State> Planner::extend(const State &state, unsigned number,
                                     const Candidate &candidate,
                                     bool isFinal) const {
  StatementPlan plan = cost(state, number, candidate, isFinal);
  if (maxMemory != 0 && plan.memoryBytes > maxMemory)
    return std::nullopt;
  State next = state;
  const ProgramStatement &statement = program.statements[number];
  for (unsigned i = 0; i <= statement.reads.size(); ++i) {
    std::optional<BlockLayout> &home = next.homes[getUse(statement, i).array];
    if (!home)
      home = candidate.wanted[i];
  }
  next.bytes += double(plan.bytesMoved);
  next.chosen.push_back(candidate);
  next.seconds += plan.computeSeconds + plan.moveSeconds;
  next.statements.push_back(std::move(plan));
  return next;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

std::optional<ProgramPlan> Planner::run() {
  std::vector<State> states = {getBegin()};
  for (unsigned number = 0; number != program.statements.size(); ++number) {
    const ProgramStatement &statement = program.statements[number];
    std::vector<Candidate> alone;
    for (const Plan &plan : planAlone(statement))
      alone.push_back(makeCandidate(statement, plan));
    std::vector<State> next;
    for (const State &state : states) {
      std::vector<Candidate> candidates = alone;
      for (const ArrayUse &use : statement.reads)
        if (const std::optional<BlockLayout> &home = state.homes[use.array])
          if (std::optional<Candidate> candidate =
                  follow(statement, use, *home))
            candidates.push_back(std::move(*candidate));
      if (const std::optional<BlockLayout> &home =
              state.homes[statement.write.array])
        if (std::optional<Candidate> candidate =
                follow(statement, statement.write, *home))
          candidates.push_back(std::move(*candidate));
      for (const Candidate &candidate : candidates)
        if (std::optional<State> longer =
                extend(state, number, candidate, /*isFinal=*/false))
          next.push_back(std::move(*longer));
    }
    if (next.empty())
      return std::nullopt;
    states = keepBest(std::move(next));
  }
  return finish(states.front());
}

/// Those that may become the best: the fastest ones, and those that move the
/// least of those that are little slower. The best so far is the first.
std::vector<State> Planner::keepBest(std::vector<State> states) const {
  // A limit on time, which grows with what is kept.
  constexpr size_t kBeam = 8;
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
  if (kept.size() > kBeam)
    kept.resize(kBeam);
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
