//===- Pipeline.h - contract -> fused ops -----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_FUSED_PIPELINE_H
#define EIN_PASSES_FUSED_PIPELINE_H

#include "mlir/Pass/PassOptions.h"
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

struct FusedOptions : mlir::PassPipelineOptions<FusedOptions> {
  Option<std::string> transform{
      *this, "transform", llvm::cl::desc("a file with a transform script"),
      llvm::cl::init("")};
  Option<bool> planes{*this, "planes",
                      llvm::cl::desc("products of complex numbers are of real "
                                     "and imaginary planes"),
                      llvm::cl::init(false)};
  Option<bool> fma{*this, "fma",
                   llvm::cl::desc("a product that is added is one instruction, "
                                  "and rounds once"),
                   llvm::cl::init(false)};
  Option<bool> rootEstimates{
      *this, "root-estimates",
      llvm::cl::desc("an instruction estimates inverses of roots"),
      llvm::cl::init(false)};
};

/// contract -> fused: all structured ops are upstream's, and nothing that one
/// op can compute is two.
void buildFused(mlir::OpPassManager &pm, const FusedOptions &options);

} // namespace ein

#endif // EIN_PASSES_FUSED_PIPELINE_H
