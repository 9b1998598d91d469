//===- Pipeline.h - mlir -> linalg ------------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_EINSUM_PIPELINE_H
#define EIN_PASSES_EINSUM_PIPELINE_H

#include "abi/AssumedSizes.h"
#include "mlir/Pass/PassOptions.h"
#include "passes/select/MachineOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

struct LinalgOptions : mlir::PassPipelineOptions<LinalgOptions>,
                       MachineOptions {
  Option<int64_t> unknownSize{
      *this, "unknown-size",
      llvm::cl::desc("extent assumed for dynamic dims by the order search"),
      llvm::cl::init(kAssumedSize)};
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
  Option<bool> oneOrder{
      *this, "one-order",
      llvm::cl::desc("write one order, whatever sizes are not known"),
      llvm::cl::init(false)};
};

/// mlir -> linalg: every einsum gets an order and becomes linalg.
void buildToLinalg(mlir::OpPassManager &pm, const LinalgOptions &options);

} // namespace ein

#endif // EIN_PASSES_EINSUM_PIPELINE_H
