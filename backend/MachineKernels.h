//===- MachineKernels.h - Code that a machine is measured by ----*- C++ -*-===//
//===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels in LLVM IR that go the way of the user's own code, and so have the
// vectors that the user's code may have.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_MACHINEKERNELS_H
#define EIN_BACKEND_MACHINEKERNELS_H

#include "backend/Backend.h"

namespace ein {

/// How many chains of multiply-adds hide each other's latency and stay in
/// registers: latency times pipes is at most 4 x 4 on today's cores.
unsigned getNumChains(const TargetInfo &target);

/// Optimises and loads a module of LLVM IR for `target`, which is the host.
/// Errors begin with `what` the module is for.
llvm::Expected<LoadedCode> loadKernels(llvm::StringRef text,
                                       const TargetInfo &target,
                                       llvm::StringRef what, bool usesThreads);

} // namespace ein

#endif // EIN_BACKEND_MACHINEKERNELS_H
