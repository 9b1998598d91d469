//===- Messages.cpp - What moves, message by message ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/scaling/Messages.h"
#include <algorithm>
#include <numeric>
#include <string>

using namespace ein::distribute;

namespace ein::bench {

namespace {

class Simulator {
public:
  Simulator(const Program &program, const ProgramPlan &plan, unsigned statement,
            unsigned number, Algorithm algorithm);
  Traffic run();

private:
  bool isOfSums() const {
    return move.kind == MoveKind::ReduceScatter ||
           move.kind == MoveKind::Reduce;
  }
  /// The part of the loops in a step.
  Block getPart(int64_t rank, int64_t step) const;
  void send(int64_t from, int64_t to, int64_t bytes);

  void runGroups(int64_t step);
  /// `pieces` are the bytes that each of `members` has at home.
  void gather(const std::vector<int64_t> &members,
              const std::vector<int64_t> &pieces);
  void scatter(const std::vector<int64_t> &members,
               const std::vector<int64_t> &pieces);
  void runPairs(int64_t step);

  const StatementPlan &own;
  const Move &move;
  const ArrayUse *use = nullptr;
  const BlockLayout &home;
  int64_t elementBytes, ranks;
  Algorithm algorithm;
  Traffic traffic;
};

} // namespace

Simulator::Simulator(const Program &program, const ProgramPlan &plan,
                     unsigned statement, unsigned number, Algorithm algorithm)
    : own(plan.statements[statement]), move(own.moves[number]),
      home(plan.homes[move.array]),
      elementBytes(program.arrays[move.array].elementBytes),
      ranks(std::max(countRanks(own.iteration.grid), countRanks(home.grid))),
      algorithm(algorithm) {
  const ProgramStatement &source = program.statements[statement];
  use =
      move.use < source.reads.size() ? &source.reads[move.use] : &source.write;
  traffic.sent.assign(ranks, 0);
  traffic.received.assign(ranks, 0);
  traffic.messages.assign(ranks, 0);
}

Block Simulator::getPart(int64_t rank, int64_t step) const {
  Block part = getHomeBlock(own.iteration, rank);
  if (move.times > 1) {
    Range &range = part.ranges[own.steps.dim];
    range = cutRange(range, own.steps.count, step);
  }
  return part;
}

void Simulator::send(int64_t from, int64_t to, int64_t bytes) {
  traffic.sent[from] += bytes;
  traffic.received[to] += bytes;
  ++traffic.messages[from];
}

/// Whose pieces are kept, by rank and piece, as counts: of an input how often
/// it has arrived, of a sum how many parts it has.
using Counts = std::vector<std::vector<uint16_t>>;

void Simulator::gather(const std::vector<int64_t> &members,
                       const std::vector<int64_t> &pieces) {
  size_t size = members.size();
  Counts counts(size, std::vector<uint16_t>(size, 0));
  for (size_t i = 0; i != size; ++i)
    counts[i][i] = 1;
  // In a round, pieces `first` to `first + number` of each rank, which it has
  // from the rounds before, go to a neighbour at `distance`.
  auto runRound = [&](size_t first, size_t number, size_t distance) {
    for (size_t i = 0; i != size; ++i) {
      size_t to = (i + size - distance) % size;
      int64_t bytes = 0;
      for (size_t j = 0; j != number; ++j) {
        size_t piece = (i + first + j) % size;
        traffic.isComplete &= counts[i][piece] == 1;
        ++counts[to][piece];
        bytes += pieces[piece];
      }
      send(members[i], members[to], bytes);
    }
  };
  if (algorithm == Algorithm::Ring)
    for (size_t round = 0; round + 1 < size; ++round)
      runRound(round, 1, 1);
  else
    for (size_t have = 1; have < size; have *= 2)
      runRound(0, std::min(have, size - have), have);
  for (const std::vector<uint16_t> &row : counts)
    traffic.isComplete &=
        std::all_of(row.begin(), row.end(), [](uint16_t n) { return n == 1; });
}

void Simulator::scatter(const std::vector<int64_t> &members,
                        const std::vector<int64_t> &pieces) {
  size_t size = members.size();
  Counts counts(size, std::vector<uint16_t>(size, 1));
  // The rounds of `gather` from the last to the first: what came from a
  // neighbour goes to it, and is added to what is there.
  auto runRound = [&](size_t first, size_t number, size_t distance) {
    for (size_t i = 0; i != size; ++i) {
      size_t to = (i + distance) % size;
      int64_t bytes = 0;
      for (size_t j = 0; j != number; ++j) {
        size_t piece = (to + first + j) % size;
        counts[to][piece] = uint16_t(counts[to][piece] + counts[i][piece]);
        counts[i][piece] = 0;
        bytes += pieces[piece];
      }
      send(members[i], members[to], bytes);
    }
  };
  if (algorithm == Algorithm::Ring) {
    for (size_t round = size - 1; round-- != 0;)
      runRound(round, 1, 1);
  } else {
    size_t have = 1;
    while (have * 2 < size)
      have *= 2;
    for (; size > 1 && have != 0; have /= 2)
      runRound(0, std::min(have, size - have), have);
  }
  for (size_t i = 0; i != size; ++i)
    traffic.isComplete &= counts[i][i] == size;
}

/// Those that share a block, in each group of them.
void Simulator::runGroups(int64_t step) {
  for (int64_t rank = 0; rank != countRanks(home.grid); ++rank) {
    std::vector<int64_t> members = getSharers(home, rank);
    // Each group once, when its first rank comes.
    if (members.size() < 2 || members.front() != rank)
      continue;
    std::vector<int64_t> pieces;
    int64_t needed = -1;
    for (int64_t member : members) {
      Block box = getReached(*use, getPart(member, step));
      Block there = getHomeBlock(home, member);
      pieces.push_back(there.countElements() == 0
                           ? 0
                           : intersect(box, there).countElements() *
                                 elementBytes);
      // All need the same.
      traffic.isComplete &= needed < 0 || needed == box.countElements();
      needed = box.countElements();
    }
    traffic.isComplete &= std::accumulate(pieces.begin(), pieces.end(),
                                          int64_t(0)) == needed * elementBytes;
    isOfSums() ? scatter(members, pieces) : gather(members, pieces);
  }
}

/// From each rank to each other one, what the one has and the other needs.
void Simulator::runPairs(int64_t step) {
  std::vector<Block> homes;
  for (int64_t rank = 0; rank != ranks; ++rank)
    homes.push_back(getHomeBlock(home, rank));
  for (int64_t rank = 0; rank != ranks; ++rank) {
    Block box = getReached(*use, getPart(rank, step));
    int64_t missing = box.countElements();
    if (missing == 0)
      continue;
    for (int64_t other = 0; other != ranks; ++other) {
      if (homes[other].countElements() == 0)
        continue;
      int64_t common = intersect(box, homes[other]).countElements();
      missing -= common;
      if (common == 0 || other == rank)
        continue;
      isOfSums() ? send(rank, other, common * elementBytes)
                 : send(other, rank, common * elementBytes);
    }
    traffic.isComplete &= missing == 0;
  }
}

Traffic Simulator::run() {
  for (int64_t step = 0; step != move.times; ++step)
    if (move.kind == MoveKind::AllGather ||
        move.kind == MoveKind::ReduceScatter)
      runGroups(step);
    else
      runPairs(step);
  return traffic;
}

const std::vector<int64_t> &Traffic::getMoved(const Move &move) const {
  bool isOfSums =
      move.kind == MoveKind::ReduceScatter || move.kind == MoveKind::Reduce;
  return isOfSums ? sent : received;
}

Traffic simulate(const Program &program, const ProgramPlan &plan,
                 unsigned statement, unsigned number, Algorithm algorithm) {
  return Simulator(program, plan, statement, number, algorithm).run();
}

std::string compare(const Program &program, const ProgramPlan &plan,
                    Algorithm algorithm) {
  for (unsigned i = 0; i != plan.statements.size(); ++i) {
    const StatementPlan &own = plan.statements[i];
    std::vector<int64_t> moved;
    auto fail = [&](const std::string &what, double counted, double predicted) {
      return "statement " + std::to_string(i) + ": " + what + " " +
             std::to_string(counted) + ", predicted " +
             std::to_string(predicted);
    };
    for (unsigned j = 0; j != own.moves.size(); ++j) {
      const Move &move = own.moves[j];
      Traffic traffic = simulate(program, plan, i, j, algorithm);
      const std::vector<int64_t> &counted = traffic.getMoved(move);
      if (!traffic.isComplete)
        return fail("something is missing, or there twice, of move", j, j);
      int64_t most = *std::max_element(counted.begin(), counted.end());
      if (most != move.bytesPerRank)
        return fail("bytes of a rank", double(most), double(move.bytesPerRank));
      double all = std::accumulate(counted.begin(), counted.end(), 0.0);
      if (all != move.totalBytes)
        return fail("bytes of all ranks", all, move.totalBytes);
      moved.resize(std::max(moved.size(), counted.size()), 0);
      for (size_t rank = 0; rank != counted.size(); ++rank)
        moved[rank] += counted[rank];
    }
    int64_t most =
        moved.empty() ? 0 : *std::max_element(moved.begin(), moved.end());
    if (most != own.bytesMoved)
      return fail("bytes of the busiest rank", double(most),
                  double(own.bytesMoved));
  }
  return "";
}

} // namespace ein::bench
