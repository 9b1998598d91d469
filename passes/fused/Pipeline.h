//===- Pipeline.h - contract -> fused ops -----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_FUSED_PIPELINE_H
#define EIN_PASSES_FUSED_PIPELINE_H

#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

struct FusedOptions {
  /// A file with a transform script; empty if there is none.
  std::string transform;
  /// Products of complex numbers are of real and imaginary planes.
  bool planes = false;
};

/// contract -> fused: all structured ops are upstream's, and nothing that one
/// op can compute is two.
void buildFused(mlir::OpPassManager &pm, const FusedOptions &options);

} // namespace ein

#endif // EIN_PASSES_FUSED_PIPELINE_H
