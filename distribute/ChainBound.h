//===- ChainBound.h - What has to move in a program -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the sum of the bounds of a program's statements lets each begin with
// its arrays wherever it likes. A tensor by a matrix for each of its dims sums
// over all dims, and whichever is cut, something of the tensor has to move: the
// sum does not know that.
//
// Choice: what a rank has of the tensor at first changes the result, a linear
// map of it, in so many directions as the map restricted to that part has rank:
// of a box of a x b x c elements, min(a, r) min(b, s) min(c, t), where r, s and
// t are the ranks of the matrices. Of these directions, only as many numbers
// can stay as the rank has of the result at home. The least over all boxes of a
// P-th of the tensor is sent, as elements of the tensor, of an intermediate or
// of partial sums. Matrices that a rank gets are no part of it: with any share
// s from 0 to 1, the bound is s times that, and the sum of the statements'
// bounds in which bytes of the chain's tensors count (1 - s).
//
// Consequence: both parts hold at once, and a chain that keeps its tensor where
// it is and adds up partial sums at the end is seen to be as good as any.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_CHAINBOUND_H
#define EIN_DISTRIBUTE_CHAINBOUND_H

#include "distribute/Program.h"

namespace ein::distribute {

/// Bytes that the busiest of `ranks` has to move if all compute as much: the
/// sum of the statements' bounds, or that of a chain, with any memory. The
/// statements are contractions (`isContraction`).
double getLowerBound(const Program &program, int64_t ranks);

/// The least elements that a rank sends of a tensor whose dims, of `extents`,
/// are multiplied by matrices of `matrixRanks`.
double countSentElements(const std::vector<int64_t> &extents,
                         const std::vector<int64_t> &matrixRanks,
                         double resultElements, int64_t ranks);

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_CHAINBOUND_H
