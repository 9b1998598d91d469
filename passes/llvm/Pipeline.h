//===- Pipeline.h - memref or loops -> llvm-dialect -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_PIPELINE_H
#define EIN_PASSES_LLVM_PIPELINE_H

#include "mlir/Pass/PassOptions.h"
namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

struct LLVMOptions : mlir::PassPipelineOptions<LLVMOptions> {
  Option<bool> packed{*this, "packed",
                      llvm::cl::desc("make the uniform entries instead"),
                      llvm::cl::init(false)};
  Option<bool> executable{*this, "executable",
                          llvm::cl::desc("packed, with an executable's table"),
                          llvm::cl::init(false)};
  Option<std::string> mpi{
      *this, "mpi",
      llvm::cl::desc("make what ranks call: by openmpi, or mpich; empty: none"),
      llvm::cl::init("")};
  Option<bool> parallel{*this, "parallel",
                        llvm::cl::desc("run parallel loops in threads"),
                        llvm::cl::init(false)};
  Option<bool> views{*this, "views",
                     llvm::cl::desc("make the entries that take strides"),
                     llvm::cl::init(true)};
  Option<std::string> helpers{
      *this, "helpers",
      llvm::cl::desc("for which architecture to add helpers of views that are "
                     "compiled; empty: functions"),
      llvm::cl::init("")};
  Option<bool> checks{*this, "checks",
                      llvm::cl::desc("have entries check sizes and overlap"),
                      llvm::cl::init(true)};
  Option<bool> halfConversions{
      *this, "half-conversions",
      llvm::cl::desc("the target converts f16 by instructions"),
      llvm::cl::init(false)};
  Option<bool> halfArithmetic{
      *this, "half-arithmetic",
      llvm::cl::desc("the target computes with f16, and converts it"),
      llvm::cl::init(false)};
  Option<bool> maskRegisters{
      *this, "mask-registers",
      llvm::cl::desc("the target writes under masks as fast as without"),
      llvm::cl::init(true)};
  Option<unsigned> sveBits{
      *this, "sve-vector-bits",
      llvm::cl::desc("how long the machine's SVE vectors have to be; 0: any"),
      llvm::cl::init(0)};
  Option<bool> plain{*this, "plain",
                     llvm::cl::desc("leave out what only makes code faster"),
                     llvm::cl::init(false)};
  Option<bool> debug{*this, "debug",
                     llvm::cl::desc("keep locations as line tables"),
                     llvm::cl::init(false)};
};

/// memref, loops, affine or parallel -> llvm-dialect, with entry points.
void buildToLLVM(mlir::OpPassManager &pm, const LLVMOptions &options);

} // namespace ein

#endif // EIN_PASSES_LLVM_PIPELINE_H
