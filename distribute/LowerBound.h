//===- LowerBound.h - What has to move --------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: bytes that move say little without those that have to.
//
// Choice: a rank that computes F points of the index space touches at least so
// many elements x_j of each array that the product of x_j ^ s_j is F or more,
// for each s that covers all dims: the sum of the s_j of the arrays that have a
// dim is at least 1 (Loomis and Whitney; Hölder, Brascamp and Lieb). Some rank
// computes a P-th of all points, and so touches a P-th of each array. What it
// touches and has not at home moves, if all ranks have as much at home.
//
//  * Without regard to memory: the least sum of x_j with both, as Demmel et al.
//    2013 and Al Daas et al. 2022 for products, and Ballard, Knight and Rouse
//    2018 for MTTKRP.
//  * With M bytes of memory: while T bytes move, no more than 2 M + T bytes are
//    touched, so that there are many such phases (Irony, Toledo and Tiskin
//    2004, whose constant for products, 1 / 2 sqrt 2, becomes sqrt 2).
//
// Consequence: a bound for any contraction, by the same few lines. It counts
// what a rank receives of inputs and sends of results. It is for points that
// are computed as a whole: a rank that has the product of two of three factors
// may move that.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_LOWERBOUND_H
#define EIN_DISTRIBUTE_LOWERBOUND_H

#include "distribute/Contraction.h"

namespace ein::distribute {

/// Bytes that the busiest rank has to move.
struct LowerBound {
  double anyMemory = 0, thisMemory = 0;
  double getBytes() const {
    return anyMemory > thisMemory ? anyMemory : thisMemory;
  }
};

/// Of `ranks` that have the arrays evenly at home. 0 bytes are any memory.
LowerBound getLowerBound(const Contraction &contraction, int64_t ranks,
                         int64_t memoryBytes = 0);

/// The same of any memory, where bytes of each array count as much as its
/// weight, above 0, says.
double getWeightedBound(const Contraction &contraction, int64_t ranks,
                        const std::vector<double> &weights);

/// The vertices of the covers: by array, its exponent.
std::vector<std::vector<double>> getCovers(const Contraction &contraction);

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_LOWERBOUND_H
