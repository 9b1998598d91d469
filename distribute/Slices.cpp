//===- Slices.cpp - Slices over ranks -------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Slices.h"
#include "distribute/Costs.h"
#include <algorithm>

namespace ein::distribute {

static int64_t countBytes(const ProgramArray &array) {
  int64_t bytes = array.elementBytes;
  for (int64_t extent : array.extents)
    bytes *= extent;
  return bytes;
}

/// Of the rank that has most of an array at home, which is the first.
static int64_t countHomeElements(const BlockLayout &home) {
  return getHomeBlock(home, 0).countElements();
}

static std::vector<unsigned> getInputs(const Program &program) {
  std::vector<unsigned> inputs;
  for (const ProgramStatement &statement : program.statements)
    for (const ArrayUse &use : statement.reads)
      if (program.arrays[use.array].isArgument &&
          std::find(inputs.begin(), inputs.end(), use.array) == inputs.end())
        inputs.push_back(use.array);
  return inputs;
}

/// In so many groups.
static std::optional<SlicedPlan> planGroups(const SlicedProgram &program,
                                            int64_t ranks, int64_t groups,
                                            int64_t maxMemoryBytes,
                                            const Network &network) {
  SlicedPlan plan;
  plan.groups = groups;
  plan.ranksPerGroup = ranks / groups;
  plan.rounds = getLargestPart(program.numSlices, groups);
  // All ranks have a part of each whole input, whoever needs it.
  int64_t homes = 0;
  std::vector<unsigned> inputs = getInputs(program.slice);
  if (ranks > 1)
    for (unsigned input : inputs)
      homes += getLargestPart(countBytes(program.slice.arrays[input]) *
                                  program.parts[input],
                              ranks);
  int64_t memory = 0;
  if (maxMemoryBytes != 0) {
    memory = maxMemoryBytes - homes;
    if (memory <= 0)
      return std::nullopt;
  }
  std::optional<ProgramPlan> slice =
      planProgram(program.slice, plan.ranksPerGroup, memory, network);
  if (!slice)
    return std::nullopt;
  plan.slice = std::move(*slice);
  plan.memoryBytes = plan.slice.memoryBytes + homes;
  double messages = 0;
  if (ranks > 1)
    for (unsigned input : inputs) {
      // One part serves all slices that have it.
      int64_t times = std::min(plan.rounds, program.parts[input]);
      plan.inputBytes += countHomeElements(plan.slice.homes[input]) *
                         program.slice.arrays[input].elementBytes * times;
      messages += double(times) * getMessages(ranks);
    }
  plan.stepBytes = plan.slice.bytesMoved * plan.rounds;
  unsigned result = program.slice.statements.back().write.array;
  // Where each slice has a part of the result, there is nothing to add.
  bool isSum = program.parts[result] == 1 && groups > 1;
  if (isSum) {
    int64_t elements = countHomeElements(plan.slice.homes[result]);
    plan.sumBytes = (elements - elements / groups) *
                    program.slice.arrays[result].elementBytes;
    messages += getMessages(groups);
  }
  double rounds = double(plan.rounds), moves = 0;
  for (const StatementPlan &own : plan.slice.statements) {
    plan.computeSeconds += own.computeSeconds * rounds;
    moves += own.moveSeconds * rounds;
  }
  double apart = double(plan.inputBytes + plan.sumBytes) / network.bytes +
                 network.latency * messages;
  plan.moveSeconds = moves + apart;
  plan.seconds = plan.slice.seconds * rounds + apart;
  return plan;
}

std::optional<SlicedPlan> planSlices(const SlicedProgram &program,
                                     int64_t ranks, int64_t maxMemoryBytes,
                                     const Network &network) {
  std::optional<SlicedPlan> best;
  // Half as many groups each time. Groups that have as many slices as those of
  // fewer ones are made larger.
  for (int64_t most = std::min(ranks, std::max<int64_t>(program.numSlices, 1));
       most >= 1; most /= 2) {
    int64_t rounds = getLargestPart(program.numSlices, most);
    int64_t groups = std::max<int64_t>(
        1, getLargestPart(program.numSlices, std::max<int64_t>(rounds, 1)));
    std::optional<SlicedPlan> plan =
        planGroups(program, ranks, groups, maxMemoryBytes, network);
    if (plan && (!best || plan->seconds < best->seconds))
      best = std::move(plan);
  }
  return best;
}

} // namespace ein::distribute
