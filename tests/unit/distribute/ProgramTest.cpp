//===- ProgramTest.cpp - Layouts that are chosen together -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Program.h"
#include "Contractions.h"
#include "gtest/gtest.h"
#include <random>

using namespace ein::distribute;

namespace {

constexpr Network kSlow = {1e15, 1, 0, 0.05};

ArrayUse makeUse(unsigned array, const std::vector<unsigned> &loops) {
  ArrayUse use = {array, {}};
  for (unsigned loop : loops)
    use.subscripts.push_back(makeSubscript(loop));
  return use;
}

/// The program that is one contraction.
Program makeProgram(const Contraction &contraction) {
  Program program;
  ProgramStatement statement;
  statement.extents = contraction.extents;
  statement.work = contraction.work;
  for (unsigned i = 0; i != contraction.getNumArrays(); ++i) {
    const Operand &operand = contraction.getArray(i);
    ProgramArray array = {{}, operand.elementBytes};
    for (unsigned dim : operand.dims)
      array.extents.push_back(contraction.extents[dim]);
    program.arrays.push_back(array);
    ArrayUse use = makeUse(i, operand.dims);
    if (contraction.isOutput(i))
      statement.write = use;
    else
      statement.reads.push_back(use);
  }
  program.statements.push_back(statement);
  return program;
}

// A program of one contraction is the contraction: what boxes of all ranks say
// is what the planner of grids says.
TEST(Program, OneContraction) {
  std::mt19937 random(4);
  for (int round = 0; round != 300; ++round) {
    auto pick = [&](int64_t most) { return int64_t(random() % (most + 1)); };
    Contraction contraction =
        round % 3 == 0   ? test::makeProduct(pick(40), pick(40), pick(40))
        : round % 3 == 1 ? test::makeMttkrp(pick(9), pick(9), pick(9), pick(9))
                         : test::makeTtm(pick(9), pick(9), pick(9), pick(9));
    int64_t ranks = 1 + pick(29);
    Network network = round % 2 ? kSlow : Network();
    int64_t memory = 0;
    if (round % 5 == 0)
      memory = findLeastMemory(contraction, ranks, network) * 5 / 4;
    std::optional<Plan> plan =
        planContraction(contraction, ranks, memory, network);
    std::optional<ProgramPlan> program =
        planProgram(makeProgram(contraction), ranks, memory, network);
    ASSERT_EQ(plan.has_value(), program.has_value());
    if (!plan)
      continue;
    const StatementPlan &own = program->statements[0];
    SCOPED_TRACE(::testing::PrintToString(contraction.extents) +
                 ::testing::PrintToString(plan->grid));
    // The one adds up what each rank moves, the other the most of each array.
    if (own.iteration.grid != plan->grid) {
      auto getScore = [](const auto &planned) {
        return double(planned.bytesMoved + 1) *
               (planned.computeSeconds + planned.moveSeconds);
      };
      EXPECT_LE(getScore(own), getScore(*plan) * (1 + 1e-9));
      continue;
    }
    EXPECT_EQ(own.bytesMoved, plan->bytesMoved);
    EXPECT_EQ(own.totalBytes, plan->totalBytes);
    EXPECT_EQ(own.flops, plan->flops);
    EXPECT_EQ(own.memoryBytes, plan->memoryBytes);
    size_t next = 0;
    for (const Collective &collective : plan->collectives) {
      if (collective.bytesPerRank == 0)
        continue;
      ASSERT_LT(next, own.moves.size());
      const Move &move = own.moves[next++];
      EXPECT_EQ(move.array, collective.array);
      EXPECT_EQ(move.bytesPerRank, collective.bytesPerRank);
      EXPECT_EQ(move.totalBytes, collective.totalBytes);
      EXPECT_EQ(move.times, collective.times);
      EXPECT_EQ(move.kind == MoveKind::ReduceScatter,
                collective.kind == CollectiveKind::ReduceScatter);
    }
  }
}

// C = A B, D = relu(C) + bias, s = sum of D over its rows.
TEST(Program, ElementwiseFollows) {
  Program program;
  int64_t n = 64;
  program.arrays = {{{n, n}, 8}, {{n, n}, 8}, {{n, n}, 8, false},
                    {{n}, 8},    {{n, n}, 8}, {{n}, 8}};
  program.statements = {
      {{n, n, n},
       {},
       {makeUse(0, {0, 2}), makeUse(1, {2, 1})},
       makeUse(2, {0, 1})},
      {{n, n}, {}, {makeUse(2, {0, 1}), makeUse(3, {1})}, makeUse(4, {0, 1})},
      {{n, n}, {}, {makeUse(4, {0, 1})}, makeUse(5, {0})}};
  std::optional<ProgramPlan> plan = planProgram(program, 8, 0, kSlow);
  ASSERT_TRUE(plan);
  // The product in 3D; its result, cut by a third axis as well, stays.
  EXPECT_EQ(plan->statements[0].iteration.grid, (Grid{2, 2, 2}));
  EXPECT_EQ(plan->statements[1].followed, 2u);
  EXPECT_EQ(plan->homes[4].countParts(0) * plan->homes[4].countParts(1), 8);
  // Only the bias moves, and partial sums.
  for (const Move &move : plan->statements[1].moves)
    EXPECT_EQ(move.array, 3u);
  EXPECT_LE(plan->statements[1].bytesMoved, n * 8);
  EXPECT_LE(plan->statements[2].bytesMoved, n * 8);
}

// Y(i) = sum over w of X(i + w) * f(w): only borders move.
TEST(Program, WindowsHaveHalos) {
  int64_t n = 1000, w = 5;
  Program program;
  program.arrays = {{{n + w - 1}, 8}, {{w}, 8}, {{n}, 8}};
  ProgramStatement statement;
  statement.extents = {n, w};
  statement.reads = {{0, {{{{0, 1}, {1, 1}}, 0}}}, makeUse(1, {1})};
  statement.write = makeUse(2, {0});
  program.statements = {statement};
  std::optional<ProgramPlan> plan = planProgram(program, 4, 0, kSlow);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->statements[0].iteration.countParts(0), 4);
  for (const Move &move : plan->statements[0].moves)
    EXPECT_LE(move.bytesPerRank, 2 * w * 8);
  EXPECT_FALSE(isContraction(statement));
}

TEST(Program, WholeLoopsAreNotCut) {
  // Eight sorts of 100: only eight ranks have something to do.
  Program program;
  program.arrays = {{{8, 100}, 4}, {{8, 100}, 4}};
  program.statements = {
      {{8, 100}, {false, true}, {makeUse(0, {0, 1})}, makeUse(1, {0, 1})}};
  std::optional<ProgramPlan> plan = planProgram(program, 100, 0, Network());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->statements[0].iteration.countParts(0), 8);
  EXPECT_EQ(plan->statements[0].iteration.countParts(1), 1);
  EXPECT_EQ(plan->bytesMoved, 0);
}

// (A B) C: what the first product leaves is not redistributed at a price that a
// better choice of both does not pay.
TEST(Program, ChainsAreNoDearerThanTheirPartsAndMoves) {
  std::mt19937 random(5);
  for (int round = 0; round != 40; ++round) {
    auto pick = [&] { return int64_t(1) << (3 + random() % 6); };
    int64_t m = pick(), k = pick(), l = pick(), n = pick();
    int64_t ranks = int64_t(1) << (1 + random() % 5);
    Program program;
    program.arrays = {
        {{m, k}, 8}, {{k, l}, 8}, {{l, n}, 8}, {{m, l}, 8, false}, {{m, n}, 8}};
    program.statements = {{{m, l, k},
                           {},
                           {makeUse(0, {0, 2}), makeUse(1, {2, 1})},
                           makeUse(3, {0, 1})},
                          {{m, n, l},
                           {},
                           {makeUse(3, {0, 2}), makeUse(2, {2, 1})},
                           makeUse(4, {0, 1})}};
    std::optional<ProgramPlan> plan = planProgram(program, ranks, 0, kSlow);
    ASSERT_TRUE(plan);
    double apart = 0;
    for (const Contraction &own :
         {test::makeProduct(m, l, k), test::makeProduct(m, n, l)})
      apart += planContraction(own, ranks, 0, kSlow)->moveSeconds;
    // At worst, all of the temporary moves.
    EXPECT_LE(plan->bytesMoved,
              apart + double(m * l * 8) / double(ranks) + 1e-6);
  }
}

TEST(Program, LittleMemory) {
  Program program = makeProgram(test::makeProduct(256, 256, 256));
  std::optional<ProgramPlan> plan = planProgram(program, 16, 0, kSlow);
  ASSERT_TRUE(plan);
  int64_t memory = 256 * 256 * 3 * 8 / 16 * 6 / 5;
  std::optional<ProgramPlan> small = planProgram(program, 16, memory, kSlow);
  ASSERT_TRUE(small);
  EXPECT_LE(small->memoryBytes, memory);
  EXPECT_GT(small->statements[0].steps.count, 1);
  EXPECT_FALSE(planProgram(program, 16, 256 * 256 * 3 * 8 / 16, kSlow));
}

TEST(Program, GivenGrid) {
  Program program = makeProgram(test::makeProduct(6, 6, 6));
  std::optional<ProgramPlan> plan =
      planProgram(program, Grid{3, 1, 2}, 0, Network());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->statements[0].iteration.grid, (Grid{3, 1, 2}));
}

} // namespace
