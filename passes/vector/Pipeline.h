//===- Pipeline.h - tiled -> vector -----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_PIPELINE_H
#define EIN_PASSES_VECTOR_PIPELINE_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

struct VectorOptions : mlir::PassPipelineOptions<VectorOptions> {
  Option<bool> exchanges{
      *this, "exchanges",
      llvm::cl::desc("rows of squares exchange elements, as with SVE")};
};

/// tiled -> vector: vectorised, accumulators in registers.
void buildToVector(mlir::OpPassManager &pm, const VectorOptions &options);

} // namespace ein

#endif // EIN_PASSES_VECTOR_PIPELINE_H
