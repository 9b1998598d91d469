//===- MessagesTest.cpp - What is counted is what is predicted ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All messages of all ranks are sent, by two algorithms, for plans of random
// sizes, ranks and memory.
//
//===----------------------------------------------------------------------===//

#include "bench/scaling/Messages.h"
#include "bench/scaling/Cases.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace ein::bench;
using namespace ein::distribute;

namespace {

void checkMessages(const Program &program, int64_t ranks, int64_t memory,
                   const Network &network) {
  std::optional<ProgramPlan> plan =
      planProgram(program, ranks, memory, network);
  if (!plan)
    return;
  for (Algorithm algorithm : {Algorithm::Ring, Algorithm::Doubling})
    EXPECT_EQ(compare(program, *plan, algorithm), "")
        << ranks << " ranks, "
        << ::testing::PrintToString(program.statements[0].extents);
}

TEST(Messages, AreWhatIsPredicted) {
  std::mt19937 random(6);
  auto pick = [&](int64_t most) { return int64_t(random() % (most + 1)); };
  for (int round = 0; round != 400; ++round) {
    Network network;
    if (round % 2 == 0)
      network = {1e15, 1, 0, 0.05};
    int64_t ranks = 1 + pick(round % 10 == 0 ? 255 : 31);
    Program program = round % 4 == 0 ? makeProduct(pick(40), pick(40), pick(40))
                      : round % 4 == 1 ? makeTtmChain(pick(12), pick(5), 3)
                      : round % 4 == 2 ? makeTtmChain(pick(30), pick(8), 2)
                                       : makeMttkrp(pick(12), pick(12));
    checkMessages(program, ranks, 0, network);
    if (std::optional<ProgramPlan> plan =
            planProgram(program, ranks, 0, network))
      checkMessages(program, ranks,
                    std::max<int64_t>(1, plan->memoryBytes * 3 / 4), network);
  }
}

ArrayUse makeUse(unsigned array, const std::vector<unsigned> &loops) {
  ArrayUse use = {array, {}};
  for (unsigned loop : loops)
    use.subscripts.push_back(makeSubscript(loop));
  return use;
}

/// C = A B, D = C + bias, E = sums of rows of D, F = D in windows, G = all of E
/// for each point of F, H = the sum of F.
Program makeMixed(int64_t m, int64_t n, int64_t k, int64_t w) {
  Program program;
  int64_t rest = m - w + 1;
  program.arrays = {{{m, k}, 8},     {{k, n}, 8},        {{n}, 4},
                    {{w}, 8},        {{m, n}, 8, false}, {{m, n}, 8},
                    {{m}, 8, false}, {{rest, n}, 8},     {{rest, n}, 4},
                    {{}, 8}};
  ArrayUse window = {5, {{{{0, 1}, {2, 1}}}, makeSubscript(1)}};
  ArrayUse all = {6, {{{}, 0, m - 1}}};
  program.statements = {
      {{m, n, k},
       {},
       {makeUse(0, {0, 2}), makeUse(1, {2, 1})},
       makeUse(4, {0, 1})},
      {{m, n}, {}, {makeUse(4, {0, 1}), makeUse(2, {1})}, makeUse(5, {0, 1})},
      {{m, n}, {}, {makeUse(5, {0, 1})}, makeUse(6, {0})},
      {{rest, n, w}, {}, {window, makeUse(3, {2})}, makeUse(7, {0, 1})},
      {{rest, n}, {}, {makeUse(7, {0, 1}), all}, makeUse(8, {0, 1})},
      {{rest, n}, {}, {makeUse(8, {0, 1})}, makeUse(9, {})}};
  return program;
}

TEST(Messages, OfProgramsWithWindowsAndSums) {
  std::mt19937 random(7);
  auto pick = [&](int64_t most) { return 1 + int64_t(random() % most); };
  for (int round = 0; round != 100; ++round) {
    Network network;
    if (round % 2 == 0)
      network = {1e9, 1e6, 1e-9, 0.05};
    int64_t w = pick(4), ranks = pick(40);
    Program program = makeMixed(w + pick(30), pick(20), pick(20), w);
    if (round % 5 == 0)
      program.statements[1].isWhole = {true, false};
    checkMessages(program, ranks, 0, network);
  }
}

// C = A A^T: A lies in one way, and is needed in two.
TEST(Messages, OfAnArrayThatIsReadTwice) {
  for (int64_t n : {1, 5, 24})
    for (int64_t k : {1, 7, 100})
      for (int64_t ranks : {1, 2, 3, 8, 12, 30}) {
        Program program;
        program.arrays = {{{n, k}, 8}, {{n, n}, 8}};
        program.statements = {{{n, n, k},
                               {},
                               {makeUse(0, {0, 2}), makeUse(0, {1, 2})},
                               makeUse(1, {0, 1})}};
        EXPECT_FALSE(isContraction(program.statements[0]));
        checkMessages(program, ranks, 0, Network());
      }
}

// Sizes of bench/scaling that are no multiples of the parts.
TEST(Messages, LargeAndUneven) {
  checkMessages(makeTtmChain(1626, 32, 3), 256, 0, Network());
  checkMessages(makeProduct(1009, 997, 1013), 210, 0, Network());
}

TEST(Messages, BytesOfARing) {
  Program program = makeProduct(6, 6, 6);
  std::optional<ProgramPlan> plan =
      planProgram(program, Grid{3, 1, 1}, 0, Network());
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->statements[0].moves.size(), 1u);
  for (Algorithm algorithm : {Algorithm::Ring, Algorithm::Doubling}) {
    Traffic traffic = simulate(program, *plan, 0, 0, algorithm);
    EXPECT_TRUE(traffic.isComplete);
    // Two thirds of B.
    EXPECT_EQ(traffic.received, std::vector<int64_t>(3, 24 * 8));
    EXPECT_EQ(traffic.sent, std::vector<int64_t>(3, 24 * 8));
    EXPECT_EQ(traffic.messages, std::vector<int64_t>(3, 2));
  }
}

// A plan that says too little is found out.
TEST(Messages, WrongPlansAreFound) {
  Program program = makeProduct(12, 12, 12);
  std::optional<ProgramPlan> plan =
      planProgram(program, Grid{2, 2, 2}, 0, Network());
  ASSERT_TRUE(plan);
  EXPECT_EQ(compare(program, *plan, Algorithm::Ring), "");
  ProgramPlan wrong = *plan;
  wrong.statements[0].moves[0].bytesPerRank -= 8;
  EXPECT_NE(compare(program, wrong, Algorithm::Ring), "");
  wrong = *plan;
  wrong.statements[0].moves.pop_back();
  EXPECT_NE(compare(program, wrong, Algorithm::Ring), "");
  // B lies as if A were asked for.
  wrong = *plan;
  wrong.homes[1].axes = wrong.homes[0].axes;
  EXPECT_NE(compare(program, wrong, Algorithm::Ring), "");
}

} // namespace
