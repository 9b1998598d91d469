//===- VectorCode.h - How code in vectors is laid out -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What follows from registers, latencies and caches, where there is one way
// only that is worth looking at.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_VECTORCODE_H
#define EIN_TARGET_VECTORCODE_H

#include "target/Target.h"

namespace ein {

/// How many vectors of `lanes` elements go through a body with functions side
/// by side, of rows of `size` elements, if that is known: each step of a
/// formula waits for the one before, and no processor sees as far ahead as the
/// next vector's.
int64_t getVectorsOfFormulas(const TargetInfo &target,
                             std::optional<int64_t> size, int64_t lanes);

/// The same of what has a branch for rare numbers and no formula, as quotients
/// and roots of complex numbers: elements of so many bits, in pairs of parts.
int64_t getVectorsOfBranches(const TargetInfo &target,
                             std::optional<int64_t> size, int64_t lanes,
                             unsigned bits);

/// Of so many vectors, a row stays in registers from one op on it to the next,
/// if its code has no loop.
int64_t getVectorsOfRow(const TargetInfo &target);

/// Rows that are a multiple of so many bytes long begin in so few sets of L1
/// that it does not hold as many of them as a block of rows has.
int64_t getConflictBytes(const MachineModel &machine);

} // namespace ein

#endif // EIN_TARGET_VECTORCODE_H
