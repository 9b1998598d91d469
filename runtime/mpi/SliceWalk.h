//===- SliceWalk.h - A part of a network, slice by slice --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a kernel goes through all slices of a rank's part in one call, and
// between two slices nobody can look at the sums.
//
// Choice: the kernel is called on boxes of slices that follow each other in its
// own order. What it takes of an array is then a part of what the rank has. It
// is taken where it lies if its elements follow each other, and copied if not.
//
// Consequence: each element gets the same numbers in the same order, so that
// the bits are those of one call, however the slices are divided among calls.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_MPI_SLICEWALK_H
#define EIN_RUNTIME_MPI_SLICEWALK_H

#include "distribute/Layout.h"

namespace ein::runtime {

/// The largest box of at most `most` points of `part` that begins with point
/// number `first` and has those that follow it in row-major order. `first` is
/// below the number of points, and `most` above 0.
distribute::Block getFollowing(const distribute::Block &part, int64_t first,
                               int64_t most);

} // namespace ein::runtime

#endif // EIN_RUNTIME_MPI_SLICEWALK_H
