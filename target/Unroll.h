//===- Unroll.h - Steps of k that are taken at a time -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_UNROLL_H
#define EIN_TARGET_UNROLL_H

#include "target/Target.h"

namespace ein {

/// How many steps of the loop over k of a register tile are made one, at least
/// 1; of a loop that is long enough for the largest number to be a part of it.
unsigned getUnroll(const TargetInfo &target);

} // namespace ein

#endif // EIN_TARGET_UNROLL_H
