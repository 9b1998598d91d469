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

#ifndef EIN_PASSES_PIPELINES_H
#define EIN_PASSES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace ein {

enum class Level {
#define EIN_LEVEL(ENUM, NAME, PIPELINE, TEXT) ENUM,
#include "passes/Levels.def"
};

llvm::StringRef getName(Level level);
std::optional<Level> parseLevel(llvm::StringRef name);

/// The level after `level`, where `form` (Tiled, Loops, Affine or Parallel) is
/// the one that follows Contract. LLVMDialect has none.
Level getNext(Level level, Level form);

/// The level that a module says it is at (`ein.level`, which the check of each
/// level sets); Mlir if it does not say.
Level getLevel(mlir::ModuleOp module);
inline constexpr llvm::StringLiteral kLevelAttr = "ein.level";

/// Set before buildToLLVM's pipeline runs, and gone when it has: the module's
/// ComplexConvention by its name, a fact of the machine beside its data layout.
inline constexpr llvm::StringLiteral kComplexConventionAttr =
    "ein.complex_convention";

struct LinalgOptions : mlir::PassPipelineOptions<LinalgOptions> {
  Option<int64_t> unknownSize{
      *this, "unknown-size",
      llvm::cl::desc("extent assumed for dynamic dims by the order search"),
      llvm::cl::init(256)};
  Option<bool> strictFP{
      *this, "strict-fp",
      llvm::cl::desc("floats are added in order, each result rounded"),
      llvm::cl::init(false)};
  Option<std::string> strategy{
      *this, "strategy",
      llvm::cl::desc("of the order search: auto, optimal, greedy or left"),
      llvm::cl::init("auto")};
  Option<uint64_t> effort{
      *this, "effort",
      llvm::cl::desc("trees that the order search evaluates; 0: its default"),
      llvm::cl::init(0)};
  Option<uint64_t> seed{*this, "seed", llvm::cl::desc("of the order search"),
                        llvm::cl::init(1)};
  Option<uint64_t> maxTemp{
      *this, "max-temp",
      llvm::cl::desc("bytes that temporaries of an einsum may take; 0: any"),
      llvm::cl::init(0)};
};

struct TiledOptions : mlir::PassPipelineOptions<TiledOptions> {
  Option<std::string> triple{*this, "triple", llvm::cl::desc("target triple"),
                             llvm::cl::init("")};
  Option<std::string> cpu{*this, "cpu", llvm::cl::desc("target CPU"),
                          llvm::cl::init("")};
  Option<std::string> features{
      *this, "features", llvm::cl::desc("target features"), llvm::cl::init("")};
  Option<std::string> library{*this, "library", llvm::cl::desc("none, or blas"),
                              llvm::cl::init("none")};
  Option<std::string> packing{*this, "packing",
                              llvm::cl::desc("auto, always or never"),
                              llvm::cl::init("auto")};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("a file with a schedule in the transform dialect"),
      llvm::cl::init("")};
  Option<bool> parallel{*this, "parallel",
                        llvm::cl::desc("give loops to threads"),
                        llvm::cl::init(false)};
};

struct LLVMOptions : mlir::PassPipelineOptions<LLVMOptions> {
  Option<bool> packed{*this, "packed",
                      llvm::cl::desc("make the uniform entries instead"),
                      llvm::cl::init(false)};
  Option<bool> executable{*this, "executable",
                          llvm::cl::desc("packed, with an executable's table"),
                          llvm::cl::init(false)};
  Option<bool> parallel{*this, "parallel",
                        llvm::cl::desc("run parallel loops in threads"),
                        llvm::cl::init(false)};
  Option<bool> views{*this, "views",
                     llvm::cl::desc("make the entries that take strides"),
                     llvm::cl::init(true)};
  Option<bool> checks{*this, "checks",
                      llvm::cl::desc("have entries check sizes and overlap"),
                      llvm::cl::init(true)};
  Option<bool> halfConversions{
      *this, "half-conversions",
      llvm::cl::desc("the target converts f16 by instructions"),
      llvm::cl::init(false)};
  Option<bool> debug{*this, "debug",
                     llvm::cl::desc("keep locations as line tables"),
                     llvm::cl::init(false)};
};

/// A module that einc did not write -> mlir: checked, calls inlined, with
/// signatures.
void buildFromSource(mlir::OpPassManager &pm);
/// mlir -> linalg: every einsum gets an order and becomes linalg.
void buildToLinalg(mlir::OpPassManager &pm, const LinalgOptions &options);
/// linalg -> contract: raised, transposes and broadcasts folded.
void buildToContract(mlir::OpPassManager &pm);
/// contract -> tiled: strategies chosen; tiled and packed.
void buildToTiled(mlir::OpPassManager &pm, const TiledOptions &options);
/// tiled -> vector: vectorised, accumulators in registers.
void buildToVector(mlir::OpPassManager &pm);
/// vector -> memref: bufferised, results in place, buffers freed.
void buildToMemref(mlir::OpPassManager &pm);
/// contract -> loops, affine or parallel (`form`): bufferised and lowered to
/// scalar loops.
void buildToLoops(mlir::OpPassManager &pm, Level form);
/// memref, loops, affine or parallel -> llvm-dialect, with entry points.
void buildToLLVM(mlir::OpPassManager &pm, const LLVMOptions &options);

/// The flag names of all passes that the pipelines run, each once.
std::vector<std::string> getPipelinePassNames();

/// Registers the passes and the pipelines under their names.
void registerPassesAndPipelines();

} // namespace ein

#endif // EIN_PASSES_PIPELINES_H
