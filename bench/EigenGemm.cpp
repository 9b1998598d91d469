//===- EigenGemm.cpp - Eigen's matrix product -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of its own because it alone is compiled with -march=native: that is
// how Eigen gets its best code, and it would hide what the rest assumes of the
// machine.
//
//===----------------------------------------------------------------------===//

#include "bench/Peers.h"
#include <Eigen/Core>

namespace ein::bench {

void runEigenGemm(const GemmProblem &problem, const float *a, const float *b,
                  float *c) {
  using Matrix =
      Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<const Matrix, Eigen::Aligned64> lhs(a, problem.m, problem.k);
  Eigen::Map<const Matrix, Eigen::Aligned64> rhs(b, problem.k, problem.n);
  Eigen::Map<Matrix, Eigen::Aligned64> result(c, problem.m, problem.n);
  result.noalias() = lhs * rhs;
}

} // namespace ein::bench
