//===- HeldSignals.cpp - No interruption while files are half-made ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask would be of one thread, and MLIR and OpenMP have others, which would
// take the signal; actions are of the process. So is what they have to know,
// because a handler is given nothing else.
//
//===----------------------------------------------------------------------===//

#include "runtime/HeldSignals.h"
#include <csignal>
#include <cstddef>
#include <iterator>
#include <mutex>

static constexpr int kSignals[] = {SIGHUP, SIGINT, SIGTERM};
static volatile std::sig_atomic_t received = 0;
static std::mutex mutex;
static unsigned numHolds = 0;            // guarded by mutex
static bool isHeld[std::size(kSignals)]; // guarded by mutex

static void receive(int signal) {
  if (received != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  received = signal;
}

namespace ein::runtime {

HeldSignals::HeldSignals() {
  std::lock_guard<std::mutex> lock(mutex);
  if (numHolds++ != 0)
    return;
  received = 0;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    struct sigaction action = {};
    isHeld[i] = sigaction(kSignals[i], nullptr, &action) == 0 &&
                action.sa_handler == SIG_DFL;
    if (!isHeld[i])
      continue;
    action.sa_handler = receive;
    action.sa_flags = SA_RESTART;
    sigaction(kSignals[i], &action, nullptr);
  }
}

bool HeldSignals::isWaiting() const { return received != 0; }

HeldSignals::~HeldSignals() {
  std::lock_guard<std::mutex> lock(mutex);
  if (--numHolds != 0)
    return;
  for (size_t i = 0; i < std::size(kSignals); ++i)
    if (isHeld[i])
      std::signal(kSignals[i], SIG_DFL);
  if (received != 0)
    std::raise(received);
}

} // namespace ein::runtime
