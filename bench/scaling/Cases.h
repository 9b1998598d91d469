//===- Cases.h - What is distributed, and how large -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_SCALING_CASES_H
#define EIN_BENCH_SCALING_CASES_H

#include "distribute/ChainBound.h"
#include "distribute/Slices.h"
#include <functional>
#include <string>

namespace ein::bench {

struct ScalingCase {
  std::string name;
  /// Of f64, for so many ranks: of one size (strong), or so that each rank has
  /// as much (weak).
  std::function<distribute::Program(int64_t ranks)> makeProgram;
};

/// Products, chains of tensors by matrices, and MTTKRP.
std::vector<ScalingCase> getScalingCases();

// C(i, j) += A(i, k) * B(k, j)
distribute::Program makeProduct(int64_t m, int64_t n, int64_t k);
// Y(r, s, t) += X(i, j, k) * U(i, r) * V(j, s) * W(k, t), one after the other;
// the first `count` of the three. Two are what each step of HOOI computes.
distribute::Program makeTtmChain(int64_t n, int64_t rank, unsigned count);
// M(i, r) += X(i, j, k) * A(j, r) * B(k, r), by X * A first
distribute::Program makeMttkrp(int64_t n, int64_t rank);

// Z += A(i, j) * B(j, k) * C(k, l) * D(l, i), whose tensors have eight parts
// each in as many slices.
distribute::SlicedProgram makeSlicedRing(int64_t n, int64_t slices);
/// The sum of `groups` results, of so many elements.
distribute::Program makeSum(int64_t elements, int64_t groups);

} // namespace ein::bench

#endif // EIN_BENCH_SCALING_CASES_H
