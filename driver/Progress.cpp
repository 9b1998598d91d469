//===- Progress.cpp - What einc is at, for those who wait -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Progress.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdlib>

using namespace llvm;

namespace ein {

/// The line is rewritten with control sequences, which a dumb terminal shows.
static bool isTerminal() {
  const char *term = std::getenv("TERM");
  return errs().is_displayed() && term && StringRef(term) != "dumb";
}

Progress::Progress() {
  if (isTerminal())
    thread = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isDone = true;
  }
  changed.notify_one();
  thread.join();
}

void Progress::enter(StringRef what) {
  std::lock_guard<std::mutex> lock(mutex);
  stage = what.str();
  changed.notify_one();
}

/// After how long work is talked about.
static std::chrono::seconds getPatience() {
  unsigned seconds = 2;
  if (const char *text = std::getenv("EINC_PROGRESS_SECONDS"))
    (void)StringRef(text).getAsInteger(10, seconds);
  return std::chrono::seconds(seconds);
}

void Progress::show() {
  using namespace std::chrono;
  const seconds patience = getPatience();
  constexpr milliseconds pace(250);
  auto start = steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  if (changed.wait_for(lock, patience, [&] { return isDone; }))
    return;
  changed.wait(lock, [&] { return isDone || !stage.empty(); });
  if (isDone)
    return;
  while (true) {
    auto elapsed = duration_cast<seconds>(steady_clock::now() - start).count();
    // To the line's start, the text, and the rest of the line erased.
    errs() << "\reinc: " << stage << " (" << elapsed << " s)\x1b[K";
    errs().flush();
    if (changed.wait_for(lock, pace, [&] { return isDone; }))
      break;
  }
  errs() << "\r\x1b[K";
  errs().flush();
}

} // namespace ein
