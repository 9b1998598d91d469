//===- Peer.cpp - Who can be timed ----------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Peer.h"
#include "bench/harness/Clock.h"

namespace ein::bench {

double TimedLoop::run(int64_t repetitions) {
  double start = getSeconds();
  bool isRight = runAll(repetitions);
  return isRight ? getSeconds() - start : -1;
}

bool Setup::hasAvx512() const {
#ifdef __x86_64__
  return isa == Isa::Native && __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

std::string Setup::getCpu() const {
  if (isa == Isa::Native)
    return "native";
#ifdef __x86_64__
  if (__builtin_cpu_is("amd"))
    return "znver3";
#endif
  return "haswell";
}

} // namespace ein::bench
