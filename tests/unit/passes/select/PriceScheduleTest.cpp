//===- PriceScheduleTest.cpp - What an op takes where it is ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "passes/select/DescribePrice.h"
#include "passes/select/PriceGroup.h"
#include "passes/select/SelectReductions.h"
#include "passes/select/SelectSchedule.h"
#include "gtest/gtest.h"

using namespace ein;
using namespace mlir;

namespace {

constexpr const char *kMaps = R"(
#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
)";

class PriceSchedule : public testing::Test {
protected:
  void SetUp() override {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    llvm::Expected<TargetInfo> found =
        getTarget("x86_64-unknown-linux-gnu", "haswell", "");
    ASSERT_TRUE(bool(found));
    target = *found;
  }

  /// The last op of the text that computes.
  linalg::LinalgOp parse(const std::string &text) {
    module = parseSourceString<ModuleOp>(kMaps + text, &context);
    linalg::LinalgOp last;
    if (module)
      module->walk([&](linalg::LinalgOp op) {
        if (!isa<linalg::FillOp>(op.getOperation()))
          last = op;
      });
    return last;
  }

  SchedulePrice price(linalg::LinalgOp op, const Schedule &schedule,
                      const Surroundings &surroundings = {}) {
    std::optional<SchedulePrice> price =
        OpPricer(op, target, surroundings).priceParts(schedule);
    EXPECT_TRUE(price);
    return price.value_or(SchedulePrice());
  }

  MLIRContext context;
  TargetInfo target;
  OwningOpRef<ModuleOp> module;
};

/// Rows of a matrix of 4,000 by 1,000, each made twice as large in a buffer.
constexpr const char *kRows = R"(
func.func @f(%x: tensor<4000x1000xf32>, %y: tensor<4000x1000xf32>)
    -> tensor<4000x1000xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4000 = arith.constant 4000 : index
  %buffer = tensor.empty() : tensor<1000xf32>
  %r = scf.for %m = %c0 to %c4000 step %c1 iter_args(%o = %y)
      -> (tensor<4000x1000xf32>) {
    %row = tensor.extract_slice %x[%m, 0] [1, 1000] [1, 1]
        : tensor<4000x1000xf32> to tensor<1000xf32>
    %twice = linalg.generic {indexing_maps = [#id1, #id1],
        iterator_types = ["parallel"]}
        ins(%row : tensor<1000xf32>) outs(%buffer : tensor<1000xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %a : f32
      linalg.yield %s : f32
    } -> tensor<1000xf32>
    %n = tensor.insert_slice %twice into %o[%m, 0] [1, 1000] [1, 1]
        : tensor<1000xf32> into tensor<4000x1000xf32>
    scf.yield %n : tensor<4000x1000xf32>
  }
  return %r : tensor<4000x1000xf32>
}
)";

TEST_F(PriceSchedule, FindsOperandsWhereLoopsHaveThem) {
  linalg::LinalgOp op = parse(kRows);
  ASSERT_TRUE(op);
  Surroundings found = findSurroundings(op);
  ASSERT_EQ(found.loops.size(), 1u);
  EXPECT_EQ(found.loops[0].extent, 4000);
  EXPECT_TRUE(found.loops[0].isExact);
  ASSERT_EQ(found.operands.size(), 2u);
  EXPECT_EQ(found.operands[0].loopStrides[0], 4000); // bytes of a row
  EXPECT_EQ(found.operands[0].axisStrides[0], 4);
  EXPECT_EQ(found.operands[1].loopStrides[0], 0); // the buffer
}

TEST_F(PriceSchedule, CountsWhatLoopsGoThrough) {
  linalg::LinalgOp op = parse(kRows);
  ASSERT_TRUE(op);
  Schedule schedule = selectSchedule(op, target, {});
  SchedulePrice once = price(op, schedule),
                all = price(op, schedule, findSurroundings(op));
  // A row is in L1. All of them come from memory, and the buffer does not.
  EXPECT_EQ(once.total.movedBytes[2], 0);
  EXPECT_NEAR(all.total.movedBytes[2], 16e6, 1e5);
  EXPECT_EQ(getBoundName(all.total), "memory");
  EXPECT_NEAR(all.total.portCycles[size_t(Port::Additions)],
              4000 * once.total.portCycles[size_t(Port::Additions)], 1);
}

/// A product of which B is packed, and whose last rows and columns are tiles of
/// their own.
constexpr const char *kProduct = R"(
func.func @f(%a: tensor<1000x1000xf32>, %b: tensor<1000x1000xf32>,
             %c: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %r = linalg.contract indexing_maps = [#mk, #kn, #mn]
      ins(%a, %b : tensor<1000x1000xf32>, tensor<1000x1000xf32>)
      outs(%c : tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return %r : tensor<1000x1000xf32>
}
)";

TEST_F(PriceSchedule, HasParts) {
  linalg::LinalgOp op = parse(kProduct);
  ASSERT_TRUE(op);
  Schedule schedule = selectSchedule(op, target, {});
  ASSERT_EQ(schedule.kind, Schedule::PackedGemm);
  schedule.pack = {false, true};
  schedule.rowRemainder = 4;
  SchedulePrice parts = price(op, schedule);
  EXPECT_GT(parts.copies.cycles, 0);
  EXPECT_GT(parts.edges.cycles, 0);
  EXPECT_LT(parts.copies.cycles + parts.edges.cycles, parts.total.cycles);
  // Each element of B once, whatever the blocks are.
  EXPECT_NEAR(parts.copiedBytes, 4e6, 1e5);
  // Terms are those of the main nest, but for copies and edges.
  double copies = 0, multiplyAdds = 0;
  for (const PriceTerm &term : getTerms(parts, target.machine)) {
    copies += term.name == "copies" ? term.cycles : 0;
    multiplyAdds += term.name == "multiply-adds" ? term.cycles : 0;
  }
  EXPECT_EQ(copies, parts.copies.cycles);
  EXPECT_NEAR(multiplyAdds, 996e3 * 992 / 16, 1);

  schedule.pack = {true, true};
  PriceTerm loss = findLoss(parts, price(op, schedule), target.machine);
  EXPECT_EQ(loss.name, "copies");
  EXPECT_GT(loss.cycles, 0);
}

TEST_F(PriceSchedule, IsNoneOfWhatALibraryComputes) {
  linalg::LinalgOp op = parse(kProduct);
  ASSERT_TRUE(op);
  Schedule schedule;
  schedule.kind = Schedule::LibraryCall;
  EXPECT_FALSE(OpPricer(op, target).price(schedule));
}

TEST_F(PriceSchedule, OfAnEpilogueLeavesTheResultInRegisters) {
  linalg::LinalgOp op = parse(R"(
func.func @f(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>)
    -> tensor<512x512xf32> {
  %r = linalg.generic {indexing_maps = [#id2, #id2],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<512x512xf32>) outs(%y : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
)");
  ASSERT_TRUE(op);
  Schedule schedule = selectSchedule(op, target, {});
  SchedulePrice alone = price(op, schedule);
  schedule.kind = Schedule::Epilogue;
  SchedulePrice inTiles = price(op, schedule);
  EXPECT_EQ(inTiles.total.portCycles[size_t(Port::Stores)], 0);
  EXPECT_NEAR(inTiles.total.movedBytes[1], 1 << 20, 1 << 14);
  EXPECT_LT(inTiles.total.cycles, alone.total.cycles);
}

std::string sumRows(const std::string &shape, const std::string &rows) {
  return "func.func @f(%x: tensor<" + shape + "xf32>, %y: tensor<" + rows +
         "xf32>) -> tensor<" + rows + R"(xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>,
      affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<)" +
         shape + "xf32>) outs(%y : tensor<" + rows + R"(xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<)" +
         rows + R"(xf32>
  return %r : tensor<)" +
         rows + "xf32>\n}\n";
}

TEST_F(PriceSchedule, OfOneSumWaitsForIt) {
  linalg::LinalgOp op = parse(sumRows("2x2048", "2"));
  ASSERT_TRUE(op);
  std::vector<Candidate> ways = listReductions(op, target);
  ASSERT_GT(ways.size(), 2u);
  EXPECT_GE(ways.front().schedule.unroll, 4);
  EXPECT_EQ(ways.back().schedule.unroll, 1);
  EXPECT_EQ(getBoundName(*ways.back().cost), "latency");
  EXPECT_GT(ways.back().cost->cycles, 2 * ways.front().cost->cycles);
}

/// Two passes over a matrix.
std::string scaleRows(const std::string &shape, const std::string &rows) {
  std::string matrix = "tensor<" + shape + "xf32>",
              column = "tensor<" + rows + "xf32>";
  return "func.func @f(%x: " + matrix + ", %y: " + column + ", %z: " + matrix +
         ") -> " + matrix + R"( {
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>,
      affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : )" +
         matrix + ") outs(%y : " + column + R"() {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %b, %a : f32
    linalg.yield %t : f32
  } -> )" +
         column + R"(
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>,
      affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : )" +
         matrix + ", " + column + ") outs(%z : " + matrix + R"() {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> )" +
         matrix + "\n  return %r : " + matrix + "\n}\n";
}

TEST_F(PriceSchedule, OfRowsInOneLoopReadsThemOnce) {
  for (auto [shape, rows, isFar] :
       {std::tuple("8192x2048", "8192", true), {"4x256", "4", false}}) {
    ASSERT_TRUE(parse(scaleRows(shape, rows)));
    FusionGroup group;
    module->walk([&](linalg::LinalgOp op) { group.insert({op, {0}}); });
    ASSERT_EQ(group.size(), 2u);
    GroupPricer pricer(group, target);
    NestCost together = pricer.price({}), apart = pricer.priceApart();
    // 64 MiB each: x twice and the result, or x once.
    EXPECT_NEAR(apart.movedBytes[2], isFar ? 3 * double(1 << 26) : 0, 1e6);
    EXPECT_NEAR(together.movedBytes[2], isFar ? 2 * double(1 << 26) : 0, 1e6);
    if (isFar)
      EXPECT_LT(together.cycles, 0.8 * apart.cycles);
  }
}

} // namespace
