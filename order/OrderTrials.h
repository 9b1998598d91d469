//===- OrderTrials.h - Trials, in threads -----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_ORDERTRIALS_H
#define EIN_ORDER_ORDERTRIALS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace ein {

/// Calls `trial` with each number below `count`, once, in any order and from
/// up to `numThreads` threads at a time; 0 is one per core. Trials must not
/// depend on one another.
void runTrials(unsigned count, unsigned numThreads,
               llvm::function_ref<void(unsigned)> trial);

} // namespace ein

#endif // EIN_ORDER_ORDERTRIALS_H
