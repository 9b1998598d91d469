//===- Worker.h - A Python process that answers -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_WORKER_H
#define EIN_BENCH_WORKER_H

#include "bench/harness/Peer.h"
#include <cstdio>
#include <sys/types.h>

namespace ein::bench {

/// A process with numpy in it, on the core that this one is pinned to.
class Worker {
public:
  explicit Worker(const std::string &script);
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// A line for a line; empty if there is no answer.
  std::string ask(const std::string &line);
  /// Writes the inputs to a file and has the worker make arrays of them.
  /// Returns what is wrong, or nothing.
  std::string load(const Problem &problem, const Data &data,
                   const std::string &path);

private:
  pid_t child = -1;
  std::FILE *to = nullptr, *from = nullptr;
};

} // namespace ein::bench

#endif // EIN_BENCH_WORKER_H
