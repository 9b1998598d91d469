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

} // namespace ein::bench
