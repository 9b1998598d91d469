//===- Pipelines.h - The levels as pipelines ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From one level of Levels.def to the next. The driver runs exactly these, and
// `ein-opt` has each under its name.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_PIPELINES_PIPELINES_H
#define EIN_PASSES_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"
#include "passes/contract/Pipeline.h"
#include "passes/einsum/Pipeline.h"
#include "passes/fused/Pipeline.h"
#include "passes/level/Level.h"
#include "passes/llvm/Pipeline.h"
#include "passes/memref/Pipeline.h"
#include "passes/select/MachineOptions.h"
#include "passes/source/Pipeline.h"
#include "passes/vector/Pipeline.h"
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

struct ScheduledOptions : mlir::PassPipelineOptions<ScheduledOptions>,
                          MachineOptions {
  Option<std::string> library{*this, "library", llvm::cl::desc("none, or blas"),
                              llvm::cl::init("none")};
  Option<std::string> packing{*this, "packing",
                              llvm::cl::desc("auto, always or never"),
                              llvm::cl::init("auto")};
  Option<std::string> threads{*this, "threads",
                              llvm::cl::desc("what threads share, for tests"),
                              llvm::cl::init("auto")};
  Option<int64_t> columnBlock{
      *this, "column-block",
      llvm::cl::desc("columns of attention at a time, for tests"),
      llvm::cl::init(0)};
  Option<bool> parallel{*this, "parallel",
                        llvm::cl::desc("give loops to threads"),
                        llvm::cl::init(false)};
};

/// contract -> contract: kernels for the blocks of `ranks`, which take at most
/// `maxMemory` bytes (0: any). `network`, of four numbers or empty, is what
/// their grids are chosen for.
void buildForRanks(mlir::OpPassManager &pm, const std::string &ranks,
                   int64_t maxMemory, llvm::ArrayRef<double> network);
/// contract -> fused: complex numbers taken apart, then passes/fused/.
void buildToFused(mlir::OpPassManager &pm, const FusedOptions &options);
/// fused -> scheduled: how each op runs is decided, and what that takes ops
/// apart into is there.
void buildToScheduled(mlir::OpPassManager &pm, const ScheduledOptions &options);
/// scheduled -> tiled: tiled and packed, as was decided.
void buildToTiled(mlir::OpPassManager &pm);
/// contract -> loops, affine or parallel (`form`): bufferised and lowered to
/// scalar loops.
void buildToLoops(mlir::OpPassManager &pm, Level form);

/// Any level -> llvm-dialect: each op as it is defined, in loops, with the
/// uniform entries of abi/Signature.h. What validation executes.
void buildPlain(mlir::OpPassManager &pm);

/// The flag names of all passes that the pipelines run, each once.
std::vector<std::string> getPipelinePassNames();

/// Registers the passes and the pipelines under their names.
void registerPassesAndPipelines();

} // namespace ein

#endif // EIN_PASSES_PIPELINES_PIPELINES_H
