//===- CheckLevel.cpp - The contract of a level -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Levels.def says in words what each level promises; this pass says it in code.
// At which level a mark is gone it reads from ir/Marks.td.
// A violation is a bug of ours that would otherwise show up levels later, as a
// crash or as slow code.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/Marks.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/analysis/Aggregates.h"
#include "passes/level/Level.h"
#include "passes/level/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_CHECKLEVEL
#include "passes/level/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static bool hasTensor(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

static bool isInLoop(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>() != nullptr;
}

/// What is wrong with `op` at `level`, or nothing.
static std::optional<StringRef> getViolation(Operation *op, Level level) {
  if (level == Level::Mlir)
    return std::nullopt;
  if (isa<EinsumOp>(op))
    return "is an einsum, which ends with the `linalg` level";
  if (isa<ProductOp>(op))
    return "is a product of which no order was chosen, which ends with the "
           "`linalg` level";
  if (isa<EinDialect>(op->getDialect()) &&
      !isa<SpecialOp, LogSumOp, ReinterpretOp, WideSumOp, DotProductsOp,
           TileProductsOp>(op) &&
      !(isa<OnlineReduceOp, YieldOp>(op) && level == Level::Fused) &&
      level != Level::Linalg && level != Level::Contract)
    return "belongs to the ein dialect, which ends with the `contract` level";
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  switch (level) {
  case Level::Mlir:
  case Level::Linalg:
  case Level::Contract:
    if (isAggregate(op))
      return "combines others, which ends with the `linalg` level";
    return std::nullopt;
  case Level::Fused:
    return std::nullopt;
  case Level::Scheduled:
  case Level::Tiled:
    if (structured && !op->hasAttr(EinDialect::kScheduleAttr))
      return "has no schedule";
    if (structured && hasSchedule(op, Schedule::Gett))
      return "is a contraction whose operands were not packed";
    if (structured && hasSchedule(op, Schedule::Rows))
      return "is one of several ops on rows that were not fused";
    if (structured && hasSchedule(op, Schedule::SplitSum))
      return "is a sum that was not split";
    if (level == Level::Tiled && isa<tensor::EmptyOp>(op) && isInLoop(op))
      return "allocates inside a loop";
    return std::nullopt;
  case Level::Vector:
    if (structured && (hasSchedule(op, Schedule::PackedGemm) ||
                       hasSchedule(op, Schedule::Dot)))
      return "is a contraction that was not vectorised";
    if (structured && hasSchedule(op, Schedule::Vectorize) &&
        !isa<linalg::FillOp>(op))
      return "is elementwise, or a copy, and was not vectorised";
    if (structured && hasSchedule(op, Schedule::Transpose))
      return "is a transposition that was not vectorised";
    if (structured && hasSchedule(op, Schedule::Epilogue))
      return "is an epilogue that was not vectorised";
    if (structured && hasSchedule(op, Schedule::Window))
      return "sums up windows and was not vectorised";
    if (structured && hasSchedule(op, Schedule::Reduce))
      return "is a reduction that was not vectorised";
    return std::nullopt;
  case Level::Memref:
    if (hasTensor(op))
      return "is on tensors";
    if (isa<memref::AllocOp>(op) && isInLoop(op))
      return "allocates inside a loop";
    return std::nullopt;
  case Level::Loops:
  case Level::Affine:
  case Level::Parallel:
    if (hasTensor(op))
      return "is on tensors";
    if (isa<linalg::LinalgDialect, vector::VectorDialect>(op->getDialect()))
      return "is not a loop or a scalar op";
    return std::nullopt;
  case Level::LLVMDialect:
    if (!isa<LLVM::LLVMDialect, omp::OpenMPDialect>(op->getDialect()) &&
        !isa<ModuleOp>(op))
      return "does not belong to the llvm dialect";
    return std::nullopt;
  }
  llvm_unreachable("unknown level");
}

/// The first mark on `op` that ir/Marks.td says is gone at `level`, if any.
static const Mark *getSurvivor(Operation *op, Level level) {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    if (!isa_and_present<EinDialect>(attribute.getNameDialect()))
      continue;
    const Mark *mark = lookupMark(attribute.getName());
    if (!mark || mark->goneAt.empty())
      continue;
    std::optional<Level> goneAt = parseLevel(mark->goneAt);
    assert(goneAt && "Marks.td names a level that Levels.def does not");
    // `loops`, `affine` and `parallel` are listed after `memref` and are as
    // far: what is gone there is gone here.
    if (*goneAt <= level)
      return mark;
  }
  return nullptr;
}

namespace {
struct CheckLevelPass : impl::CheckLevelBase<CheckLevelPass> {
  using CheckLevelBase::CheckLevelBase;
  void runOnOperation() override {
    std::optional<Level> checked = parseLevel(level);
    if (!checked) {
      getOperation().emitError("there is no level `") << level << "`";
      return signalPassFailure();
    }
    bool failed = false;
    getOperation().walk([&](Operation *op) {
      if (std::optional<StringRef> violation = getViolation(op, *checked)) {
        op->emitOpError(*violation) << ", at level `" << level << "`";
        failed = true;
      }
      if (const Mark *mark = getSurvivor(op, *checked)) {
        op->emitOpError("has `")
            << mark->name << "`, which is gone at the `" << mark->goneAt
            << "` level, at level `" << level << "`";
        failed = true;
      }
    });
    if (failed)
      return signalPassFailure();
    getOperation()->setAttr(EinDialect::kLevelAttr,
                            StringAttr::get(&getContext(), level.getValue()));
    markAllAnalysesPreserved();
  }
};
} // namespace

} // namespace ein
