//===- OneDnnPrograms.h - Programs as oneDNN's primitives -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PEERS_ONEDNNPROGRAMS_H
#define EIN_BENCH_PEERS_ONEDNNPROGRAMS_H

#include "bench/harness/Peer.h"

namespace ein::bench {

/// A program, or a permutation, as primitives; null, and why, if oneDNN has
/// none for it. With `isBlocked` images are in the layout that it likes best,
/// and only what that is of use for is there.
std::unique_ptr<Contestant> createDnnlProgram(const Problem &problem,
                                              const Data &data, bool isBlocked,
                                              std::string &why);

} // namespace ein::bench

#endif // EIN_BENCH_PEERS_ONEDNNPROGRAMS_H
