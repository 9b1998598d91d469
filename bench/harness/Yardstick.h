//===- Yardstick.h - What the machine could do ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_YARDSTICK_H
#define EIN_BENCH_YARDSTICK_H

#include "bench/harness/Clock.h"
#include "bench/harness/Peak.h"
#include "bench/harness/Peer.h"

namespace ein::bench {

/// A level of the memory, by what it holds.
struct Level {
  std::string name;
  double bytes; // that fit
};

/// The level that holds so many bytes.
Level getLevel(double bytes);

/// Something whose speed is known in operations or bytes, not in calls.
struct Yardstick {
  std::string name;
  enum Kind { Flops, Flops1, Bytes } kind; // Flops1: of one thread
  std::unique_ptr<Contestant> contestant;
  double amount; // a call's
};

/// Multiply-add loops of a case's element type, on as many threads as there are
/// and on one, and passes over what the case's level holds.
std::vector<Yardstick> getYardsticks(const Problem &problem);

} // namespace ein::bench

#endif // EIN_BENCH_YARDSTICK_H
