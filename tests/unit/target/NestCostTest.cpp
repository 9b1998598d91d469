//===- NestCostTest.cpp - Prices of loop nests, by hand -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/NestCost.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace ein;

namespace {

/// Round numbers: 2 loads, 1 store, 2 multiply-adds of 32 bytes a cycle; L1 of
/// 64 sets with 8 ways.
MachineModel getMachine() {
  MachineModel machine = ein::getMachine("haswell");
  machine.l2.read = 32, machine.l2.write = 16, machine.l2.copy = 20;
  machine.l3.read = 16, machine.l3.write = 8, machine.l3.copy = 10;
  machine.memory.read = 4, machine.memory.write = 2, machine.memory.copy = 3;
  machine.call = 5, machine.threadStart = 1000;
  return machine;
}

/// out(i) = in(i) of so many bytes, by vectors.
LoopNest getCopy(double bytes) {
  LoopNest nest;
  nest.loops = {{bytes / 4, 8}};
  nest.arrays = {{{4}, 32, true, false}, {{4}, 32, false, true}};
  nest.work.vectorBits = 256;
  nest.work.loads = nest.work.stores = 1;
  return nest;
}

/// Not less, and a little more for all that is done beside it.
void expectAbout(double cycles, double least) {
  EXPECT_GE(cycles, least * (1 - 1e-12));
  EXPECT_LE(cycles, 1.2 * least);
}

TEST(NestCost, InL1InstructionsCount) {
  // 4 KiB are 128 vectors, each of which is stored in a cycle.
  NestCost cost = priceNest(getCopy(4096), getMachine());
  expectAbout(cost.issueCycles, 128);
  expectAbout(cost.cycles, 128);
  EXPECT_EQ(cost.bound, "issue");
  EXPECT_EQ(cost.movedBytes, (std::array<double, 3>{0, 0, 0}));
}

TEST(NestCost, BeyondACacheItsBytesCount) {
  // 2 * 64 KiB are in L2: 131,072 bytes at 20 a cycle.
  NestCost cost = priceNest(getCopy(65536), getMachine());
  EXPECT_EQ(cost.movedBytes[0], 131072);
  EXPECT_EQ(cost.movedBytes[1], 0);
  expectAbout(cost.cycles, 131072 / 20.0);
  EXPECT_EQ(cost.bound, "L2");
  // 2 * 64 MiB are in memory.
  cost = priceNest(getCopy(64 << 20), getMachine());
  expectAbout(cost.cycles, 134217728 / 3.0);
  EXPECT_EQ(cost.bound, "memory");
}

TEST(NestCost, ReadsAndWritesHaveRatesOfTheirOwn) {
  LoopNest nest = getCopy(65536);
  nest.arrays.pop_back();
  nest.work.stores = 0;
  EXPECT_DOUBLE_EQ(priceNest(nest, getMachine()).moveCycles[0], 65536 / 32.0);
  nest.arrays[0].isRead = false;
  nest.arrays[0].isWritten = true;
  EXPECT_DOUBLE_EQ(priceNest(nest, getMachine()).moveCycles[0], 65536 / 16.0);
}

TEST(NestCost, ASumWaitsForItself) {
  LoopNest nest;
  nest.loops = {{1024, 8}};
  nest.arrays = {{{4}, 32}};
  nest.work.vectorBits = 256;
  nest.work.loads = nest.work.adds = nest.work.chainedAdds = 1;
  NestCost cost = priceNest(nest, getMachine());
  // One addition a cycle, but each takes three.
  expectAbout(cost.issueCycles, 128);
  expectAbout(cost.cycles, 384);
  EXPECT_EQ(cost.bound, "latency");
}

TEST(NestCost, WideVectorsTakeTurns) {
  LoopNest nest = getCopy(4096);
  nest.loops = {{1024, 16}};
  nest.work.vectorBits = 512;
  nest.arrays[0].bytes = nest.arrays[1].bytes = 64;
  expectAbout(priceNest(nest, getMachine()).cycles, 128);
}

TEST(NestCost, PiecesThatAreNearShareALine) {
  // Every fourth float of 256 KiB: each line of L2 once, not four times.
  LoopNest nest;
  nest.loops = {{16384, 1}};
  nest.arrays = {{{16}, 4}};
  nest.work.loads = 1;
  EXPECT_EQ(priceNest(nest, getMachine()).movedBytes[0], 262144);
}

TEST(NestCost, TheLastStepTakesAsLongAsTheOthers) {
  LoopNest nest = getCopy(4 * 9);
  expectAbout(priceNest(nest, getMachine()).cycles, 2);
  // A masked store for each of both.
  MachineModel machine = getMachine();
  machine.maskedStore = 12;
  nest.work.maskedStores = 1, nest.work.stores = 0;
  expectAbout(priceNest(nest, machine).cycles, 24);
}

TEST(NestCost, TheLastBlockTakesAsMuchLessAsItIsSmaller) {
  // 65 rows in blocks of 64, of 8 columns each.
  LoopNest nest;
  nest.loops = {{65, 64}, {64, 1}, {8, 8}};
  nest.arrays = {{{0, 0, 4}, 32}};
  nest.work.vectorBits = 256;
  nest.work.loads = 1;
  double whole = priceNest(nest, getMachine()).cycles;
  nest.loops[0].isBlock = true;
  EXPECT_DOUBLE_EQ(priceNest(nest, getMachine()).cycles, whole * 65 / 128);
}

TEST(NestCost, EndsOfLoopsAreNotOverlapped) {
  LoopNest nest = getCopy(4096);
  double without = priceNest(nest, getMachine()).cycles;
  nest.work.loopEnds = 0.5;
  EXPECT_DOUBLE_EQ(priceNest(nest, getMachine()).cycles,
                   without + 0.5 * 20 * 128);
}

/// C(m, n) += A(m, k) * B(k, n) of f32, for m, for k, for n by vectors.
LoopNest getProduct(double m, double k, double n, double rowBytesOfB) {
  LoopNest nest;
  nest.loops = {{m, 1}, {k, 1}, {n, 8}};
  nest.arrays = {{{4 * k, 4, 0}, 4},
                 {{0, rowBytesOfB, 4}, 32},
                 {{4 * n, 0, 4}, 32, true, true}};
  nest.work.vectorBits = 256;
  nest.work.loads = 2, nest.work.stores = 1, nest.work.fmas = 1;
  return nest;
}

TEST(NestCost, WhatACacheHoldsComesOnce) {
  // B is 16 KiB and stays in L1 while m goes on.
  NestCost cost = priceNest(getProduct(4096, 64, 64, 256), getMachine());
  double a = 4096 * 64 * 4, b = 64 * 64 * 4, c = 4096 * 64 * 4;
  EXPECT_EQ(cost.movedBytes[0], a + b + 2 * c);
  EXPECT_GE(cost.issueCycles, 4096.0 * 64 * 8);
  EXPECT_EQ(cost.bound, "issue");
}

/// 16 KiB that another nest reads in each of 100 rounds: with 24 KiB beside, L1
/// of 32 does not hold them.
TEST(NestCost, WhatIsTouchedBesideTakesACache) {
  LoopNest nest;
  nest.loops = {{100, 1}, {4096, 8}};
  nest.arrays = {{{0, 4}, 32}};
  nest.work.vectorBits = 256;
  nest.work.loads = 1;
  EXPECT_EQ(priceNest(nest, getMachine()).movedBytes[0], 0);
  NestArray other = {{0, 0}, 4, false, false};
  other.beside = 1;
  other.steps = {{4, 6144}};
  nest.arrays.push_back(other);
  EXPECT_EQ(priceNest(nest, getMachine()).movedBytes[0], 100 * 16384);
  // It has no price of its own, and what fits fits.
  nest.arrays[1].steps = {{4, 2048}};
  EXPECT_EQ(priceNest(nest, getMachine()).movedBytes[0], 0);
  // Inside of a round the others are not touched.
  nest.loops.insert(nest.loops.begin() + 1, {100, 1});
  nest.arrays[0].strides = {0, 0, 4};
  nest.arrays[1].strides = {0, 0, 0};
  nest.arrays[1].steps = {{4, 6144}};
  EXPECT_EQ(priceNest(nest, getMachine()).movedBytes[0], 100 * 16384);
  // What a nest writes for others they use.
  nest.arrays[0].isRead = false;
  nest.arrays[0].isWritten = true;
  EXPECT_EQ(priceNest(nest, getMachine()).movedBytes[0], 0);
}

TEST(NestCost, PastTheCachesGoesWhatTheyDoNotHold) {
  auto price = [](double bytes, bool isStreamed) {
    LoopNest nest = getCopy(bytes);
    nest.arrays.back().isStreamed = isStreamed;
    return priceNest(nest, getMachine());
  };
  double small = 1 << 18, large = 1 << 28;
  EXPECT_LT(price(small, false).cycles, price(small, true).cycles);
  EXPECT_LT(price(large, true).cycles, price(large, false).cycles);
  // Nothing of what is written comes to a near cache.
  EXPECT_EQ(price(large, true).movedBytes[0], large);
  EXPECT_EQ(price(large, true).movedBytes[2], 2 * large);
}

TEST(NestCost, LinesPastTheCachesOpenRowsOfMemory) {
  // Columns of 64 rows, a line of each: more rows than are open at once.
  MachineModel machine = getMachine();
  machine.memory.latency = 1000;
  auto price = [&](double rows) {
    LoopNest nest;
    nest.loops = {{1 << 20, 16}, {rows, 1}};
    nest.arrays = {{{4, 1 << 22}, 64, false, true}};
    nest.arrays[0].isStreamed = true;
    nest.work.stores = 1;
    return priceNest(nest, machine).moveCycles[2] / rows;
  };
  EXPECT_EQ(price(32), price(16));
  EXPECT_LT(price(32), price(64));
}

TEST(NestCost, WhatItDoesNotHoldComesAgain) {
  // B is 256 KiB: more than L1, and it comes for each of 64 rows.
  NestCost cost = priceNest(getProduct(64, 256, 256, 1024), getMachine());
  double a = 64 * 256 * 4, b = 256 * 256 * 4, c = 64 * 256 * 4;
  EXPECT_EQ(cost.movedBytes[0], a + 64 * b + 2 * c);
}

TEST(NestCost, RowsThatShareASetDoNotFit) {
  // 16 rows of 32 columns of B are 2 KiB. With rows of 4 KiB all are in two of
  // 64 sets, and 16 lines of a set are twice its ways.
  auto price = [](double rowBytes) {
    return priceNest(getProduct(64, 16, 32, rowBytes), getMachine());
  };
  double b = 16 * 32 * 4;
  NestCost packed = price(128), near = price(4096 + 128), far = price(4096);
  EXPECT_EQ(packed.movedBytes[0], 0);
  EXPECT_EQ(near.movedBytes[0], 0);
  EXPECT_GE(far.movedBytes[0], 64 * b);
  EXPECT_GT(far.cycles, 0);
}

TEST(NestCost, WindowsOfRowsThatShareASetDoNotFit) {
  // Of 16 rows two pieces of 32 bytes each, 512 bytes apart, and the same again
  // as the next half of their lines: with rows of 28 KiB, a multiple of 4 KiB,
  // they are in two sets, from which each line has gone by then.
  auto price = [](double rowBytes) {
    LoopNest nest;
    nest.loops = {{4, 1}, {2, 1}};
    nest.arrays = {{{1024, 32}, 32}};
    nest.arrays[0].steps = {{512, 2}, {rowBytes, 16}};
    nest.work.vectorBits = 256;
    nest.work.loads = 32;
    MachineModel machine = getMachine();
    machine.l1.bytes = 16384; // with 4 ways
    machine.l1.ways = 4;
    return priceNest(nest, machine).movedBytes[0];
  };
  EXPECT_EQ(price(28672), 8 * 32 * 64);
  EXPECT_EQ(price(28672 + 1088), 0);
}

TEST(NestCost, WindowsThatOverlapHaveTheirRowsOnce) {
  // 600 windows of three rows of a line each, twice: 602 rows, more than L1
  // holds.
  LoopNest nest;
  nest.loops = {{2, 1}, {600, 1}};
  nest.arrays = {{{0, 1088}, 64}};
  nest.arrays[0].steps = {{1088, 3}};
  nest.work.loads = 3;
  EXPECT_EQ(priceNest(nest, getMachine()).movedBytes[0], 2 * 602 * 64);
  // What lies beside a window is not in it.
  nest.arrays[0].strides[1] = 3 * 1088;
  EXPECT_EQ(priceNest(nest, getMachine()).movedBytes[0], 2 * 1800 * 64);
}

TEST(NestCost, WindowsAreKeptIfTheirNeighboursFitBeside) {
  // Rows of 4 KiB: their lines are in one set, of eight ways.
  auto price = [](double rows) {
    LoopNest nest;
    nest.loops = {{60, 1}};
    nest.arrays = {{{4096}, 64}};
    nest.arrays[0].steps = {{4096, rows}};
    nest.work.loads = rows;
    return priceNest(nest, getMachine()).movedBytes[0];
  };
  EXPECT_EQ(price(7), 66 * 64);
  EXPECT_EQ(price(8), 60 * 8 * 64);
}

TEST(NestCost, PiecesOfTwoDistancesAreInTheSetsThatBothHave) {
  // 9 pixels of a KiB in 7 rows of 29: all of them in four of 64 sets, eight of
  // each fit.
  auto price = [](double pixels, double pixelBytes) {
    LoopNest nest;
    nest.loops = {{4, 1}, {2, 1}};
    nest.arrays = {{{64, 32}, 32}};
    nest.arrays[0].steps = {{pixelBytes, pixels}, {29 * pixelBytes, 7}};
    nest.work.vectorBits = 256;
    nest.work.loads = 63;
    return priceNest(nest, getMachine()).movedBytes[0];
  };
  EXPECT_EQ(price(9, 1024), 8 * 63 * 64);
  EXPECT_EQ(price(4, 1024), 0);
  EXPECT_EQ(price(9, 1024 + 64), 0);
}

TEST(NestCost, PagesAreCountedByTheRowsTheyAreIn) {
  // 40 pieces of 64 bytes: two of each of 20 rows, which are 7 pages apart.
  LoopNest nest;
  nest.loops = {{200, 1}, {20, 1}, {2, 1}};
  nest.arrays = {{{64, 28672, 512}, 64}};
  nest.work.loads = 2;
  MachineModel machine = getMachine();
  machine.tlb1.entries = 16;
  NestCost cost = priceNest(nest, machine);
  EXPECT_GE(cost.tlbCycles, 200 * 20 * machine.tlb1.miss);
}

TEST(NestCost, AsMuchIsUnderWayAsTheMachineLooksAhead) {
  // 64 rows of a KiB, of which 64 bytes each are read: nobody sees the next one
  // coming. With few instructions for each there are many under way.
  LoopNest nest;
  nest.loops = {{16, 1}, {1024, 1}};
  nest.arrays = {{{64, 1024}, 64}};
  nest.work.vectorBits = 256;
  nest.work.loads = 2;
  nest.work.fmas = 126;
  MachineModel machine = getMachine();
  machine.l2.bytes = 32768;
  auto price = [&](double window) {
    machine.window = window;
    return priceNest(nest, machine).moveCycles[1];
  };
  EXPECT_EQ(price(128), 16384.0 * machine.l3.latency);
  EXPECT_EQ(price(512), 16384.0 * machine.l3.latency / 4);
  // There are buffers for some.
  EXPECT_EQ(price(1 << 20), price(1 << 21));
}

TEST(NestCost, MasksInVectorsHaveAPriceOfTheirOwn) {
  LoopNest nest = getCopy(4096);
  nest.work.stores = 0, nest.work.maskedStores = 1;
  MachineModel machine = getMachine();
  machine.maskedStore = 1, machine.avxMaskedStore = 12;
  expectAbout(priceNest(nest, machine).cycles, 128);
  nest.work.hasMaskRegisters = false;
  expectAbout(priceNest(nest, machine).cycles, 128 * 12);
}

TEST(NestCost, ShortPiecesOfManyPagesMissTheTlb) {
  // A column of 4,096 rows of a page each: more than both levels hold.
  LoopNest nest;
  nest.loops = {{4096, 1}};
  nest.arrays = {{{4096}, 4}};
  nest.work.loads = 1;
  MachineModel machine = getMachine();
  NestCost cost = priceNest(nest, machine);
  EXPECT_EQ(cost.tlbCycles, 4096 * machine.tlb2.miss);
  nest.loops = {{512, 1}};
  EXPECT_EQ(priceNest(nest, machine).tlbCycles, 512 * machine.tlb1.miss);
  nest.loops = {{64, 1}};
  EXPECT_EQ(priceNest(nest, machine).tlbCycles, 0);
}

TEST(NestCost, AResultInPiecesIsWaitedFor) {
  // 64 KiB by columns of 64 bytes, down rows of a KiB: each piece of 1,024 is
  // fetched while it is needed, but those that instructions fetch before.
  LoopNest nest;
  nest.loops = {{16, 1}, {1024, 1}};
  nest.arrays = {{{64, 1024}, 64, true, true}};
  nest.work.vectorBits = 256;
  nest.work.loads = nest.work.stores = 2;
  nest.work.fmas = 64;
  MachineModel machine = getMachine();
  machine.l2.bytes = 32768;
  NestCost cost = priceNest(nest, machine);
  nest.arrays[0].fetchedAhead = 1000;
  NestCost prefetched = priceNest(nest, machine);
  EXPECT_GT(cost.otherCycles, 0);
  EXPECT_EQ(prefetched.otherCycles, 0);
  // Along its rows the machine fetches ahead itself.
  std::swap(nest.loops[0], nest.loops[1]);
  nest.arrays[0] = {{1024, 64}, 64, true, true};
  EXPECT_EQ(priceNest(nest, machine).otherCycles, 0);
}

TEST(NestCost, ThreadsShareWhatIsTheirOwn) {
  LoopNest nest = getProduct(4096, 64, 64, 256);
  double one = priceNest(nest, getMachine()).cycles;
  nest.threads = 4;
  expectAbout(priceNest(nest, getMachine()).cycles, one / 4 + 1000);
  // Memory is for all of them together.
  LoopNest copy = getCopy(64 << 20);
  copy.threads = 4;
  expectAbout(priceNest(copy, getMachine()).cycles, 134217728 / 3.0 + 1000);
}

TEST(NestCost, CallsCount) {
  LoopNest nest = getCopy(4096);
  nest.calls = 3;
  double without = priceNest(getCopy(4096), getMachine()).cycles;
  EXPECT_DOUBLE_EQ(priceNest(nest, getMachine()).cycles, without + 15);
}

TEST(NestCost, WithoutALastCacheMemoryIsNext) {
  MachineModel machine = getMachine();
  machine.l3 = {};
  NestCost cost = priceNest(getCopy(1 << 20), machine);
  expectAbout(cost.cycles, 2097152 / 3.0);
  EXPECT_EQ(cost.bound, "memory");
  EXPECT_EQ(cost.moveCycles[2], 0);
}

TEST(NestCost, NothingCostsNothing) {
  LoopNest nest;
  EXPECT_EQ(priceNest(nest, getMachine()).cycles, 0);
}

//===----------------------------------------------------------------------===//
// Beside measurements
//===----------------------------------------------------------------------===//

struct Measured {
  LoopNest nest;
  double cycles; // on a Zen 5, docs/decisions/0040-machine-model.md
};

LoopNest getWideCopy(double bytes) {
  LoopNest nest = getCopy(bytes);
  nest.loops[0].step = 16;
  nest.arrays[0].bytes = nest.arrays[1].bytes = 64;
  nest.work.vectorBits = 512;
  return nest;
}

LoopNest getWideSum(double bytes, double chains) {
  LoopNest nest;
  nest.loops = {{bytes / 4, 16 * chains}};
  nest.arrays = {{{4}, 64 * chains}};
  nest.work.vectorBits = 512;
  nest.work.loads = nest.work.adds = chains;
  nest.work.chainedAdds = 1;
  nest.work.scalars = 2;
  return nest;
}

LoopNest getWideProduct(double m, double k, double n, double rowBytes) {
  LoopNest nest = getProduct(m, k, n, rowBytes);
  nest.loops[2].step = 16;
  nest.arrays[1].bytes = nest.arrays[2].bytes = 64;
  nest.work.vectorBits = 512;
  nest.work.scalars = 2;
  return nest;
}

/// Sums of columns, one after the other.
LoopNest getColumns(double rows, double columns, double rowBytes) {
  LoopNest nest;
  nest.loops = {{columns, 1}, {rows, 1}};
  nest.arrays = {{{4, rowBytes}, 4}};
  nest.work.vectorBits = 32;
  nest.work.loads = nest.work.adds = nest.work.chainedAdds = 1;
  nest.work.scalars = 2;
  return nest;
}

/// The position of each number among all of them.
std::vector<double> getRanks(const std::vector<double> &values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t i = 0; i < order.size(); ++i)
    ranks[order[i]] = double(i);
  return ranks;
}

TEST(NestCost, PricesAreInTheOrderOfMeasuredTimes) {
  constexpr double kKiB = 1024, kMiB = 1024 * kKiB;
  const std::vector<Measured> all = {
      {getWideCopy(8 * kKiB), 529},
      {getWideCopy(256 * kKiB), 11886},
      {getWideCopy(4 * kMiB), 302259},
      {getWideCopy(64 * kMiB), 12942663},
      {getWideSum(16 * kKiB, 1), 841},
      {getWideSum(16 * kKiB, 8), 595},
      {getWideSum(512 * kKiB, 8), 8760},
      {getWideSum(32 * kMiB, 8), 2866602},
      {getWideProduct(64, 64, 64, 256), 100328},
      {getWideProduct(64, 256, 256, 1024), 957501},
      {getWideProduct(128, 1024, 1024, 4096), 34100688},
      {getWideProduct(256, 16, 64, 256), 98813},
      {getWideProduct(256, 16, 64, 4096), 109030},
      {getWideProduct(64, 64, 64, 4096), 114986},
      {getWideProduct(64, 64, 64, 4096 + 128), 108416},
      {getColumns(64, 64, 256), 8053},
      {getColumns(1024, 64, 4096), 762517},
      {getColumns(1024, 64, 4096 + 64), 133626},
      {getColumns(8192, 16, 8192), 2552080},
  };
  std::vector<double> predicted, measured;
  for (const Measured &one : all) {
    predicted.push_back(priceNest(one.nest, ein::getMachine("zen5")).cycles);
    measured.push_back(one.cycles);
  }
  // Spearman's.
  std::vector<double> a = getRanks(predicted), b = getRanks(measured);
  double squares = 0, n = double(all.size());
  for (size_t i = 0; i < all.size(); ++i)
    squares += (a[i] - b[i]) * (a[i] - b[i]);
  EXPECT_GE(1 - 6 * squares / (n * (n * n - 1)), 0.9);
}

TEST(NestCost, SaysWhatIsIssued) {
  LoopNest nest = getCopy(8 * 1024);
  nest.work.stores = 0, nest.work.shuffles = 3;
  NestCost cost = priceNest(nest, getMachine());
  EXPECT_EQ(cost.bound, "issue");
  EXPECT_EQ(cost.getBusiestPort(), Port::Shuffles);
  EXPECT_EQ(getName(cost.getBusiestPort()), "shuffles");
  // One a cycle; 256 iterations.
  EXPECT_EQ(cost.portCycles[size_t(Port::Shuffles)], 3 * 256);
  EXPECT_EQ(cost.portCycles[size_t(Port::Stores)], 0);
}

TEST(NestCost, AddsUp) {
  NestCost first = priceNest(getCopy(8 * 1024), getMachine()),
           second = priceNest(getCopy(1 << 26), getMachine()), both = first;
  both.add(second);
  EXPECT_EQ(both.cycles, first.cycles + second.cycles);
  EXPECT_EQ(both.movedBytes[2], second.movedBytes[2]);
  EXPECT_EQ(both.bound, "memory");
}

} // namespace
