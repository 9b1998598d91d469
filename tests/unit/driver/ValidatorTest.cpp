//===- ValidatorTest.cpp - Bugs that are planted are found ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that computes something else stands between the pipelines, each time
// another one at another level. The validator has to name it.
//
//===----------------------------------------------------------------------===//

#include "driver/Validator.h"
#include "../frontend/TestSupport.h"
#include "driver/Registration.h"
#include "ir/EinDialect.h"
#include "ir/EmitMLIR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "passes/pipelines/Pipelines.h"
#include "llvm/Support/TargetSelect.h"

using namespace ein;
using namespace mlir;

namespace {

constexpr const char *kProduct = R"(
def f(A: f32(23, 19), B: f32(19, 17)) -> (C: f32(23, 17)) {
  C(i, j) +=! A(i, k) * B(k, j)
})";
constexpr const char *kDynamicProduct = R"(
def f(A: f32(N, N), B: f32(N, N)) -> (C: f32(N, N)) {
  C(i, j) +=! A(i, k) * B(k, j)
})";
constexpr const char *kChain = R"(
def f(A: f32(N, N), B: f32(N, N), C: f32(N, N)) -> (D: f32(N, N)) {
  D(i, l) +=! A(i, j) * B(j, k) * C(k, l)
})";
constexpr const char *kLargest = R"(
def f(A: f32(M, N)) -> (y: f32(M)) {
  y(i) max=! A(i, j) * A(i, j)
})";
constexpr const char *kStencil = R"(
def f(A: f32(N + 2)) -> (B: f32(N)) {
  B(i) = A(i + 1) + 2 * A(i + 2)
})";

/// Changes what the module computes; false if there is nothing to change.
using Bug = bool (*)(ModuleOp module);

/// Applies `change` to the first op of the kind for which it can be done.
template <typename Op, typename Change>
bool changeFirst(ModuleOp module, Change change) {
  return module
      .walk([&](Op op) {
        return change(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

struct Plant : PassWrapper<Plant, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Plant)
  explicit Plant(Bug bug, bool *isPlanted) : bug(bug), isPlanted(isPlanted) {}
  StringRef getArgument() const override { return "test-plant-bug"; }
  void runOnOperation() override { *isPlanted = bug(getOperation()); }
  Bug bug;
  bool *isPlanted;
};

class ValidatorTest : public testing::Test {
protected:
  ValidatorTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
  }

  /// Compiles `text` with `bug` behind the pipeline to `level`; returns whom
  /// the validator accuses.
  std::string run(const char *text, Level level, Bug bug,
                  const char *packing = "auto") {
    Sources file("test.ein", text);
    ein::DiagnosticEngine diags;
    llvm::FailureOr<Program> program = parseProgram(file, {}, diags);
    if (failed(program))
      return "the front end";
    OwningOpRef<ModuleOp> module = emitMLIR(
        *program, &context, file, /*checksGathers=*/true, /*keepsOrder=*/false);
    PassManager passes(&context);
    std::string said;
    llvm::raw_string_ostream os(said);
    Validator validator(getHostTarget(), {}, /*seed=*/1, os);
    validator.attach(passes);
    bool isPlanted = !bug;
    auto plant = [&](Level here) {
      if (bug && here == level)
        passes.addPass(std::make_unique<Plant>(bug, &isPlanted));
    };
    plant(Level::Mlir);
    buildToLinalg(passes, {});
    plant(Level::Linalg);
    buildToContract(passes, {});
    plant(Level::Contract);
    buildToFused(passes, {});
    plant(Level::Fused);
    ScheduledOptions scheduled;
    scheduled.triple = "x86_64-unknown-linux-gnu";
    scheduled.cpu = "x86-64";
    scheduled.packing = packing;
    buildToScheduled(passes, scheduled);
    plant(Level::Scheduled);
    buildToTiled(passes);
    plant(Level::Tiled);
    buildToVector(passes, {});
    plant(Level::Vector);
    buildToMemref(passes);
    plant(Level::Memref);
    LLVMOptions options;
    options.packed = true;
    buildToLLVM(passes, options);
    plant(Level::LLVMDialect);
    if (failed(passes.run(*module)))
      return "a pass that failed";
    EXPECT_TRUE(isPlanted) << "there was nothing to change";
    EXPECT_EQ(validator.finish(), validator.getCulprit().empty()) << said;
    return validator.getCulprit();
  }

  MLIRContext context;
};

constexpr const char *kCulprit = "test-plant-bug";

TEST_F(ValidatorTest, AccusesNobody) {
  for (const char *text : {kProduct, kLargest, kStencil})
    EXPECT_EQ(run(text, Level::Mlir, nullptr), "") << text;
}

/// A transposed operand.
TEST_F(ValidatorTest, FindsASwappedIndex) {
  EXPECT_EQ(run(kChain, Level::Mlir,
                [](ModuleOp module) {
                  return changeFirst<EinsumOp>(module, [](EinsumOp op) {
                    SmallVector<Attribute> maps(op.getIndexingMaps().begin(),
                                                op.getIndexingMaps().end());
                    AffineMap map = op.getMap(1);
                    maps[1] = AffineMapAttr::get(AffineMap::get(
                        map.getNumDims(), 0,
                        {map.getResult(1), map.getResult(0)}, op.getContext()));
                    op.setIndexingMapsAttr(
                        ArrayAttr::get(op.getContext(), maps));
                    return true;
                  });
                }),
            kCulprit);
}

/// A sum that starts from another number.
TEST_F(ValidatorTest, FindsAWrongStart) {
  EXPECT_EQ(run(kProduct, Level::Linalg,
                [](ModuleOp module) {
                  return changeFirst<linalg::FillOp>(
                      module, [](linalg::FillOp op) {
                        OpBuilder b(op);
                        op.getInputsMutable()[0].set(arith::ConstantOp::create(
                            b, op.getLoc(), b.getF32FloatAttr(1)));
                        return true;
                      });
                }),
            kCulprit);
}

/// The least instead of the largest.
TEST_F(ValidatorTest, FindsAnotherCombiner) {
  EXPECT_EQ(run(kLargest, Level::Contract,
                [](ModuleOp module) {
                  return changeFirst<ContractOp>(module, [](ContractOp op) {
                    op.setKind(vector::CombiningKind::MINIMUMF);
                    return true;
                  });
                }),
            kCulprit);
}

/// A loop that leaves out its last rounds.
TEST_F(ValidatorTest, FindsASkippedTile) {
  EXPECT_EQ(run(kProduct, Level::Tiled,
                [](ModuleOp module) {
                  return changeFirst<scf::ForOp>(module, [](scf::ForOp op) {
                    OpBuilder b(op);
                    op.setUpperBound(arith::SubIOp::create(
                        b, op.getLoc(), op.getUpperBound(), op.getStep()));
                    return true;
                  });
                }),
            kCulprit);
}

/// An accumulator that starts anew where it should go on.
TEST_F(ValidatorTest, FindsATurnedCondition) {
  EXPECT_EQ(run(
                kDynamicProduct, Level::Tiled,
                [](ModuleOp module) {
                  bool isChanged = false;
                  module.walk([&](arith::SelectOp op) {
                    isChanged = true;
                    Value whole = op.getTrueValue();
                    op.getTrueValueMutable().set(op.getFalseValue());
                    op.getFalseValueMutable().set(whole);
                  });
                  return isChanged;
                },
                "always"),
            kCulprit);
}

/// A tile that is not written back.
TEST_F(ValidatorTest, FindsALostTile) {
  EXPECT_EQ(run(kProduct, Level::Vector,
                [](ModuleOp module) {
                  return changeFirst<vector::TransferWriteOp>(
                      module, [](vector::TransferWriteOp op) {
                        if (op->getNumResults() == 0)
                          return false;
                        op.getResult().replaceAllUsesWith(op.getBase());
                        op.erase();
                        return true;
                      });
                }),
            kCulprit);
}

/// The neighbour of the element that is meant.
TEST_F(ValidatorTest, FindsAnOffByOne) {
  EXPECT_EQ(run(kStencil, Level::Memref,
                [](ModuleOp module) {
                  bool isChanged = false;
                  module.walk([&](vector::TransferReadOp op) {
                    OpBuilder b(op);
                    Value one =
                        arith::ConstantIndexOp::create(b, op.getLoc(), 1);
                    OpOperand &place = op.getIndicesMutable()[0];
                    place.set(arith::AddIOp::create(b, op.getLoc(), place.get(),
                                                    one));
                    isChanged = true;
                  });
                  return isChanged;
                }),
            kCulprit);
}

/// Another operation in the code itself.
TEST_F(ValidatorTest, FindsAnotherInstruction) {
  EXPECT_EQ(run(kStencil, Level::LLVMDialect,
                [](ModuleOp module) {
                  bool isChanged = false;
                  module.walk([&](LLVM::FAddOp op) {
                    OpBuilder b(op);
                    op.replaceAllUsesWith(LLVM::FSubOp::create(b, op.getLoc(),
                                                               op.getLhs(),
                                                               op.getRhs())
                                              .getResult());
                    isChanged = true;
                  });
                  return isChanged;
                }),
            kCulprit);
}

} // namespace
