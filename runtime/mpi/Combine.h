//===- Combine.h - Elements of every type, filled and combined --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_MPI_COMBINE_H
#define EIN_RUNTIME_MPI_COMBINE_H

#include "abi/Distributed.h"
#include "distribute/Layout.h"

namespace ein::runtime {

/// A part of an array in memory: row-major, the elements of a box.
struct BoxMemory {
  distribute::Block box;
  char *data = nullptr;
};

/// What both boxes have; empty if one of them is.
distribute::Block getCommon(const distribute::Block &a,
                            const distribute::Block &b);

/// Copies the elements of `box`, which both have.
void copyBox(const distribute::Block &box, size_t width, const BoxMemory &from,
             const BoxMemory &to);

/// `to` becomes what it is combined with `from`, for the elements of `box`.
void combineBox(const distribute::Block &box, DType type, Combiner combiner,
                const BoxMemory &from, const BoxMemory &to);

/// `count` elements become the one of these bits.
void fill(char *data, int64_t count, const std::vector<uint8_t> &bits);

/// The bits of what changes nothing that it is combined with.
std::vector<uint8_t> getNeutral(DType type, Combiner combiner);

} // namespace ein::runtime

#endif // EIN_RUNTIME_MPI_COMBINE_H
