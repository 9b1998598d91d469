//===- EigenPrograms.h - Programs as Eigen's arrays -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PEERS_EIGENPROGRAMS_H
#define EIN_BENCH_PEERS_EIGENPROGRAMS_H

#include "bench/harness/Peer.h"

namespace ein::bench {

/// Null, and why, if the program has no form in Eigen.
std::unique_ptr<Contestant>
createEigenProgram(const Problem &problem, const Data &data, std::string &why);

} // namespace ein::bench

#endif // EIN_BENCH_PEERS_EIGENPROGRAMS_H
