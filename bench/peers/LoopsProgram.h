//===- LoopsProgram.h - A function of programs/loops.c ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PEERS_LOOPSPROGRAM_H
#define EIN_BENCH_PEERS_LOOPSPROGRAM_H

#include "bench/harness/Peer.h"

namespace ein::bench {

/// The compiler that makes code of them.
std::string describeLoopsCompiler(const Setup &setup);

/// `function` on these arrays, compiled with the sizes of the program, which
/// are constants in a static case. Null, and why, if there is none.
std::unique_ptr<Contestant> createLoopsProgram(const Problem &problem,
                                               const std::string &function,
                                               std::vector<void *> arrays,
                                               const Setup &setup,
                                               std::string &why);

} // namespace ein::bench

#endif // EIN_BENCH_PEERS_LOOPSPROGRAM_H
