//===- Program.h - The sizes and arrays of a program ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PROGRAM_H
#define EIN_BENCH_PROGRAM_H

#include "bench/cases/Problem.h"

namespace ein::bench {

/// Reads the signature of `program.path` with `sizes`, `M=64,N=32`, and the
/// number of operations. Returns what is wrong, or nothing.
std::string readProgram(Program &program, const std::string &sizes,
                        Element &element);

} // namespace ein::bench

#endif // EIN_BENCH_PROGRAM_H
