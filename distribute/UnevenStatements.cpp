//===- UnevenStatements.cpp - Statements whose parts make no grid ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Planner.h"
#include "distribute/Uneven.h"

namespace ein::distribute {

/// Whether each dim of the array is one loop, all of it, or is no loop's; and
/// no loop is there twice.
static bool hasLoopsOnly(const Program &program,
                         const ProgramStatement &statement,
                         const ArrayUse &use) {
  std::vector<unsigned> loops;
  for (size_t dim = 0; dim != use.subscripts.size(); ++dim) {
    const Subscript &subscript = use.subscripts[dim];
    if (subscript.terms.empty())
      continue;
    unsigned loop = subscript.terms[0].first;
    if (!subscript.isLone() || contains(loops, loop) ||
        statement.extents[loop] != program.arrays[use.array].extents[dim])
      return false;
    loops.push_back(loop);
  }
  return true;
}

/// Blocks of the dims that loops have, as those of the array.
static std::vector<Block> addWholeDims(const ProgramArray &array,
                                       const ArrayUse &use,
                                       const std::vector<Block> &blocks) {
  std::vector<Block> all(blocks.size());
  for (size_t rank = 0; rank != blocks.size(); ++rank) {
    size_t next = 0;
    bool isThere =
        std::all_of(blocks[rank].ranges.begin(), blocks[rank].ranges.end(),
                    [](Range range) { return range.size() > 0; });
    for (size_t dim = 0; dim != use.subscripts.size(); ++dim) {
      bool isCut = !use.subscripts[dim].terms.empty();
      Range whole = {0, isThere ? array.extents[dim] : 0};
      all[rank].ranges.push_back(isCut ? blocks[rank].ranges[next] : whole);
      next += isCut;
    }
    if (use.subscripts.empty() && !isThere)
      all[rank].ranges.emplace_back();
  }
  return all;
}

std::vector<Candidate> Planner::makeUneven(const ProgramStatement &statement,
                                           const Contraction &contraction,
                                           const Plan &best) const {
  // A limit on time, as of grids.
  constexpr unsigned kMostCuts = 4;
  for (unsigned i = 0; i <= statement.reads.size(); ++i)
    if (!hasLoopsOnly(program, statement, getUse(statement, i)))
      return {};
  // What moves little more than it has to is good enough.
  double bytes = double(best.bytesMoved);
  if (bytes == 0 || bytes <= (1 + network.slack) *
                                 getLowerBound(contraction, ranks).getBytes())
    return {};
  std::vector<Candidate> candidates;
  for (const NestedCut &cut :
       findNestedCuts(contraction, ranks, network, bytes,
                      best.computeSeconds + best.moveSeconds, kMostCuts)) {
    UnevenParts parts(contraction.extents, cut, ranks);
    std::vector<Block> blocks = parts.getParts();
    for (Block &block : blocks)
      for (unsigned loop = 0; loop != statement.extents.size(); ++loop)
        if (isWhole(statement, loop))
          block.ranges[loop] = {0, statement.extents[loop]};
    Candidate candidate;
    candidate.iteration = makeTiles(statement.extents, std::move(blocks));
    for (unsigned i = 0; i <= statement.reads.size(); ++i) {
      const ArrayUse &use = getUse(statement, i);
      std::vector<Block> homes = parts.makeHomes(contraction.getArray(i).dims);
      const ProgramArray &array = program.arrays[use.array];
      for (Block &home : homes) {
        size_t next = 0;
        for (const Subscript &subscript : use.subscripts)
          if (!subscript.terms.empty()) {
            unsigned loop = subscript.terms[0].first;
            Range &range = home.ranges[next++];
            if (isWhole(statement, loop) && range.size() != 0)
              range.end = statement.extents[loop];
          }
      }
      candidate.wanted.push_back(
          makeTiles(array.extents, addWholeDims(array, use, homes)));
    }
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

/// The statement is computed where the blocks of an array are.
std::optional<Candidate> Planner::followTiles(const ProgramStatement &statement,
                                              const ArrayUse &use,
                                              const BlockLayout &home) const {
  if (!hasLoopsOnly(program, statement, use))
    return std::nullopt;
  for (size_t dim = 0; dim != use.subscripts.size(); ++dim) {
    const Subscript &subscript = use.subscripts[dim];
    if (home.countParts(dim) > 1 &&
        (subscript.terms.empty() ||
         isWhole(statement, subscript.terms[0].first)))
      return std::nullopt;
  }
  std::vector<Block> blocks;
  for (int64_t rank = 0; rank != countRanks(home.grid); ++rank) {
    const Block &there = home.tiles->blocks[rank];
    bool isThere = there.countElements() != 0;
    Block &block = blocks.emplace_back();
    for (int64_t extent : statement.extents)
      block.ranges.push_back({0, isThere ? extent : 0});
    for (size_t dim = 0; dim != use.subscripts.size(); ++dim)
      if (isThere && !use.subscripts[dim].terms.empty())
        block.ranges[use.subscripts[dim].terms[0].first] = there.ranges[dim];
  }
  Candidate candidate;
  candidate.followed = use.array;
  candidate.iteration = makeTiles(statement.extents, std::move(blocks));
  for (unsigned i = 0; i <= statement.reads.size(); ++i)
    candidate.wanted.push_back(
        projectTiles(statement, getUse(statement, i), candidate.iteration));
  return candidate;
}

/// How an array lies best where the loops are cut in tiles: as these, if all
/// that cuts them are its dims, else evenly.
BlockLayout Planner::projectTiles(const ProgramStatement &statement,
                                  const ArrayUse &use,
                                  const BlockLayout &iteration) const {
  const ProgramArray &array = program.arrays[use.array];
  std::vector<unsigned> loops;
  for (const Subscript &subscript : use.subscripts)
    if (!subscript.terms.empty())
      loops.push_back(subscript.terms[0].first);
  bool isSame = hasLoopsOnly(program, statement, use);
  for (unsigned loop = 0; loop != statement.extents.size(); ++loop)
    isSame &= iteration.countParts(loop) == 1 || contains(loops, loop);
  if (!isSame)
    return getAnyHome(array);
  std::vector<Block> blocks;
  for (const Block &part : iteration.tiles->blocks) {
    Block &block = blocks.emplace_back();
    for (unsigned loop : loops)
      block.ranges.push_back(part.ranges[loop]);
    if (loops.empty() && part.countElements() == 0)
      block.ranges.emplace_back();
  }
  return makeTiles(array.extents, addWholeDims(array, use, blocks));
}

} // namespace ein::distribute
