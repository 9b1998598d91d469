//===- OrderTrials.cpp - Trials, in threads -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of POSIX and not of the C++ library: where no thread can be had, as
// under a limit of processes, the latter ends the program, as there are no
// exceptions. Here the threads that there are do it all.
//
//===----------------------------------------------------------------------===//

#include "order/OrderTrials.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <atomic>
#include <pthread.h>
#include <thread>

using namespace llvm;

namespace ein {

namespace {
struct Trials {
  unsigned count;
  function_ref<void(unsigned)> trial;
  std::atomic<unsigned> next{0};

  void run() {
    for (unsigned i = next++; i < count; i = next++)
      trial(i);
  }
};
} // namespace

void runTrials(unsigned count, unsigned numThreads,
               function_ref<void(unsigned)> trial) {
  if (numThreads == 0)
    numThreads = std::max(std::thread::hardware_concurrency(), 1u);
  Trials trials{count, trial};
  SmallVector<pthread_t> threads;
  auto run = [](void *trials) -> void * {
    static_cast<Trials *>(trials)->run();
    return nullptr;
  };
  while (threads.size() + 1 < std::min(numThreads, count)) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, run, &trials) != 0)
      break;
    threads.push_back(thread);
  }
  trials.run();
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
}

} // namespace ein
