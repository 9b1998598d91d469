//===- Pipeline.h - linalg -> contract --------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_CONTRACT_PIPELINE_H
#define EIN_PASSES_CONTRACT_PIPELINE_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

struct ContractOptions : mlir::PassPipelineOptions<ContractOptions> {
  Option<bool> f16Products{
      *this, "f16-products",
      llvm::cl::desc("matrices of f16 are multiplied as they are"),
      llvm::cl::init(false)};
  Option<bool> bf16Products{
      *this, "bf16-products",
      llvm::cl::desc("matrices of bf16 are multiplied as they are"),
      llvm::cl::init(false)};
  Option<bool> splitProducts{
      *this, "split-products",
      llvm::cl::desc("matrices of f32 are multiplied as sums of halves"),
      llvm::cl::init(false)};
};

/// linalg -> contract: raised, transposes and broadcasts folded.
void buildToContract(mlir::OpPassManager &pm, const ContractOptions &options);

} // namespace ein

#endif // EIN_PASSES_CONTRACT_PIPELINE_H
