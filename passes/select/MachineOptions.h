//===- MachineOptions.h - Options that name a machine -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_MACHINEOPTIONS_H
#define EIN_PASSES_SELECT_MACHINEOPTIONS_H

#include "mlir/Pass/PassOptions.h"
#include <string>

namespace ein {

/// What a pipeline is told of the machine, beside its own options. All empty:
/// the host.
struct MachineOptions : virtual mlir::detail::PassOptions {
  Option<std::string> triple{*this, "triple", llvm::cl::desc("target triple"),
                             llvm::cl::init("")};
  Option<std::string> cpu{*this, "cpu", llvm::cl::desc("target CPU"),
                          llvm::cl::init("")};
  Option<std::string> features{
      *this, "features", llvm::cl::desc("target features"), llvm::cl::init("")};
  Option<unsigned> sveBits{
      *this, "sve-vector-bits",
      llvm::cl::desc("how long SVE's vectors are; 0: as the CPU's"),
      llvm::cl::init(0)};
  Option<std::string> machine{
      *this, "machine",
      llvm::cl::desc("file with a machine model; empty: by "
                     "the CPU"),
      llvm::cl::init("")};
};

} // namespace ein

#endif // EIN_PASSES_SELECT_MACHINEOPTIONS_H
