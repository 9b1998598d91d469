//===- StatementCosts.cpp - What a statement moves ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Costs.h"
#include "distribute/Planner.h"

namespace ein::distribute {

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

bool Planner::hasRoom(unsigned number, unsigned use) const {
  const ProgramStatement &statement = program.statements[number];
  if (use == statement.reads.size())
    return false;
  unsigned array = statement.reads[use].array;
  // The first use of all.
  for (unsigned i = 0; i <= number; ++i) {
    const ProgramStatement &other = program.statements[i];
    for (unsigned k = 0; k != (i == number ? use : other.reads.size()); ++k)
      if (other.reads[k].array == array)
        return false;
  }
  return program.arrays[array].hasRoom;
}

/// Whether `box` lies in one piece in the memory of a larger one.
static bool liesIn(const Block &box, const Block &whole) {
  return box.countElements() != 0 && intersect(box, whole) == box &&
         findAdjacent(box, whole);
}

/// In elements but where it says bytes.
struct Planner::UseCost {
  const ArrayUse *use;
  BlockLayout home;
  Move move;
  bool isSum = false; // of parts that several ranks have
  bool isStepped = false;
  bool hasRoom = false;
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
  bool isWanted = cost.home == wanted && !wanted.tiles && !iteration.tiles &&
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
  for (unsigned i = 0; i <= statement.reads.size(); ++i)
    uses[i].hasRoom = !uses[i].isStepped && hasRoom(number, i);
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
  // compared: an odd stride meets all places along axes of even lengths.
  constexpr int64_t kManyRanks = 128;
  int64_t stride =
      isFinal || ranks <= kManyRanks ? 1 : (ranks / kManyRanks) | 1;
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
      int64_t buffer =
          use.hasRoom && liesIn(home, box) ? needed - there : needed;
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

} // namespace ein::distribute
