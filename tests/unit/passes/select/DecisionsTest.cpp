//===- DecisionsTest.cpp - What is decided, by op and machine -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The selection is a function of an op and a machine. Here it is called for the
// ops of decisions.ein and several machines; nothing is tiled or compiled.
// decisions.txt is the whole table, so that a change of the selection shows
// what else it decides; EIN_UPDATE_GOLDENS=1 writes it. What must hold of every
// decision is tested apart.
//
//===----------------------------------------------------------------------===//

#include "../../frontend/TestSupport.h"
#include "driver/Registration.h"
#include "ir/EmitMLIR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/PassManager.h"
#include "passes/fused/Passes.h"
#include "passes/pipelines/Pipelines.h"
#include "passes/schedule/DescribeSchedule.h"
#include "passes/select/Passes.h"
#include "target/Target.h"
#include <cstdlib>
#include <map>

using namespace ein;
using namespace ein::test;
using namespace mlir;

namespace {

struct Machine {
  const char *triple;
  const char *cpu;
};
constexpr const char *kX86 = "x86_64-unknown-linux-gnu";
constexpr const char *kArm = "aarch64-unknown-linux-gnu";
constexpr Machine machines[] = {
    {kX86, "x86-64"},         {kX86, "haswell"},
    {kX86, "znver3"},         {kX86, "skylake-avx512"},
    {kX86, "sapphirerapids"}, {kArm, "neoverse-n1"},
    {kArm, "generic"},        {"riscv64-unknown-linux-gnu", "generic-rv64"},
};

std::string getLabel(const Machine &machine) {
  bool isNamed = llvm::StringRef(machine.cpu) != "generic";
  return isNamed ? machine.cpu
                 : llvm::StringRef(machine.triple).split('-').first.str();
}

/// The structured ops that a schedule is of interest for.
bool isDecided(linalg::LinalgOp op) {
  return !isa<linalg::FillOp>(op.getOperation());
}

class Decisions : public testing::Test {
protected:
  void SetUp() override {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    Sources file("decisions.ein", readFile(getPath("decisions.ein")));
    ein::DiagnosticEngine diags;
    llvm::FailureOr<Program> program = parseProgram(file, {}, diags);
    ASSERT_TRUE(succeeded(program));
    module = emitMLIR(*program, &context, file, /*checks=*/true,
                      /*strictFP=*/false);
    PassManager passes(&context);
    buildToLinalg(passes, LinalgOptions());
    // As for machines that have products of halves.
    ContractOptions options;
    options.bf16Products = true;
    buildToContract(passes, options);
    passes.addNestedPass<func::FuncOp>(createGeneralizeContract());
    ASSERT_TRUE(succeeded(passes.run(*module)));
  }

  static std::filesystem::path getPath(const char *name) {
    return getSourceDir() / "tests/unit/passes/select" / name;
  }

  /// Calls `visit` with each op of each function and its schedule on `machine`.
  void decide(
      const Machine &machine,
      llvm::function_ref<void(func::FuncOp, linalg::LinalgOp, const Schedule &)>
          visit) {
    OwningOpRef<ModuleOp> copy = module->clone();
    SelectScheduleOptions options;
    options.triple = machine.triple;
    options.cpu = machine.cpu;
    PassManager passes(&context);
    passes.addNestedPass<func::FuncOp>(createSelectSchedule(options));
    ASSERT_TRUE(succeeded(passes.run(*copy)));
    copy->walk([&](linalg::LinalgOp op) {
      if (!isDecided(op))
        return;
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      ASSERT_TRUE(succeeded(schedule));
      visit(op->getParentOfType<func::FuncOp>(), op, *schedule);
    });
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// Per function, the machines that decide the same beside each other.
TEST_F(Decisions, AreThoseOfTheTable) {
  std::map<std::string, std::map<std::string, std::string>> byMachine;
  for (const Machine &machine : machines)
    decide(machine, [&](func::FuncOp function, linalg::LinalgOp op,
                        const Schedule &schedule) {
      byMachine[getLabel(machine)][function.getName().str()] +=
          "\n    " + describeSchedule(op, schedule);
    });
  std::string text;
  for (auto function : module->getOps<func::FuncOp>()) {
    std::string name = function.getName().str();
    text += name + "\n";
    std::vector<std::string> decisions; // each once, in the machines' order
    for (const Machine &machine : machines)
      if (const std::string &decision = byMachine[getLabel(machine)][name];
          !llvm::is_contained(decisions, decision))
        decisions.push_back(decision);
    for (const std::string &decision : decisions) {
      std::vector<std::string> deciders;
      for (const Machine &machine : machines)
        if (byMachine[getLabel(machine)][name] == decision)
          deciders.push_back(getLabel(machine));
      text += "  " + llvm::join(deciders, ", ") + ":" + decision + "\n";
    }
  }
  std::filesystem::path path = getPath("decisions.txt");
  if (std::getenv("EIN_UPDATE_GOLDENS"))
    std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(readFile(path), text);
}

/// The accumulators of a register tile, one vector of B's row and a broadcast
/// element of A are in registers at once.
TEST_F(Decisions, RegisterTilesFitTheRegisters) {
  unsigned numTiles = 0;
  for (const Machine &machine : machines) {
    auto target = getTarget(machine.triple, machine.cpu, "");
    ASSERT_TRUE(bool(target));
    decide(machine, [&](func::FuncOp function, linalg::LinalgOp op,
                        const Schedule &schedule) {
      if (schedule.kind != Schedule::PackedGemm || schedule.hasTiles())
        return;
      Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
      if (!element.isIntOrFloat())
        return; // of complex numbers, which are split later
      int64_t lanes = target->getLanes(element.getIntOrFloatBitWidth());
      for (auto [mr, nr] :
           {std::pair(schedule.mr, schedule.nr),
            std::pair(schedule.colRemainderMr, schedule.colRemainderNr)}) {
        if (mr == 0)
          continue;
        ++numTiles;
        int64_t vectors = llvm::divideCeil(nr, lanes);
        EXPECT_LE(mr * vectors + 2, int64_t(target->vectorRegisters))
            << function.getName().str() << " on " << machine.cpu;
      }
    });
  }
  EXPECT_GT(numTiles, 50u);
}

/// A block of A's panel stays in L2 while it is multiplied.
TEST_F(Decisions, PackedBlocksFitTheCache) {
  unsigned numBlocks = 0;
  for (const Machine &machine : machines) {
    auto target = getTarget(machine.triple, machine.cpu, "");
    ASSERT_TRUE(bool(target));
    decide(machine, [&](func::FuncOp function, linalg::LinalgOp op,
                        const Schedule &schedule) {
      if (schedule.kind != Schedule::PackedGemm || !schedule.pack[schedule.lhs])
        return;
      Type element =
          getElementTypeOrSelf(op.getDpsInputs()[schedule.lhs].getType());
      if (!element.isIntOrFloat())
        return;
      SmallVector<int64_t> extents = op.getStaticLoopRanges();
      auto getBlock = [&](int64_t dim) {
        return schedule.tile[dim] != 0 ? schedule.tile[dim] : extents[dim];
      };
      int64_t rows = getBlock(schedule.m), sums = getBlock(schedule.k);
      if (ShapedType::isDynamic(rows) || ShapedType::isDynamic(sums))
        return;
      ++numBlocks;
      EXPECT_LE(rows * sums * element.getIntOrFloatBitWidth() / 8,
                int64_t(target->l2Bytes))
          << function.getName().str() << " on " << machine.cpu;
    });
  }
  EXPECT_GT(numBlocks, 20u);
}

/// Every loop that vectors lie along, every tile and order names a loop of the
/// op; the same op and machine give the same decision again.
TEST_F(Decisions, AreAboutTheOpAndTheSameAgain) {
  for (const Machine &machine : machines) {
    std::vector<std::string> first, second;
    decide(machine,
           [&](func::FuncOp, linalg::LinalgOp op, const Schedule &schedule) {
             int64_t numLoops = op.getNumLoops();
             for (int64_t dim : {schedule.m, schedule.n, schedule.k,
                                 schedule.vectorDim, schedule.parallelDim})
               EXPECT_LT(dim, numLoops);
             EXPECT_LE(int64_t(schedule.tile.size()), numLoops);
             EXPECT_LE(int64_t(schedule.interchange.size()), numLoops);
             first.push_back(describeSchedule(op, schedule));
           });
    decide(machine,
           [&](func::FuncOp, linalg::LinalgOp op, const Schedule &schedule) {
             second.push_back(describeSchedule(op, schedule));
           });
    EXPECT_EQ(first, second);
    EXPECT_GE(first.size(), 45u);
  }
}

} // namespace
