//===- Progress.cpp - What einc is at, for those who wait -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Progress.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace llvm;

namespace ein {

/// The line is rewritten with control sequences, which a dumb terminal shows.
static bool isTerminal() {
  const char *term = std::getenv("TERM");
  return errs().is_displayed() && term && StringRef(term) != "dumb";
}

/// After how long work is talked about.
static std::chrono::seconds getPatience() {
  unsigned seconds = 2;
  if (const char *text = std::getenv("EINC_PROGRESS_SECONDS"))
    (void)StringRef(text).getAsInteger(10, seconds);
  return std::chrono::seconds(seconds);
}

Progress::Progress() {
  if (isTerminal())
    thread = std::thread([this] { show(); });
}

/// About how much of a compilation is over when it announces `stage`.
static std::optional<double> getShare(StringRef stage) {
  return StringSwitch<std::optional<double>>(stage)
#define EIN_PROGRESS(STAGE, SHARE) .Case(STAGE, SHARE)
#include "driver/ProgressStages.def"
      .Default(std::nullopt);
}

Progress::Progress(CompileOptions &options) : Progress() {
  this->options = &options;
  options.onStage = [this](StringRef stage) { enter(stage, getShare(stage)); };
}

Progress::~Progress() {
  if (options)
    options->onStage = nullptr;
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isDone = true;
  }
  changed.notify_one();
  thread.join();
}

void Progress::enter(StringRef what, std::optional<double> share) {
  std::lock_guard<std::mutex> lock(mutex);
  stage = what.str();
  done = share;
  // Whoever waits for nothing sees each stage, however short it is.
  if (thread.joinable() && getPatience().count() == 0)
    draw();
  changed.notify_one();
}

void Progress::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  stage.clear();
  erase();
}

/// How many columns the terminal has; none if it does not say.
static std::optional<size_t> getColumns() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return std::nullopt;
  return size.ws_col;
}

void Progress::draw() {
  int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(
                        std::chrono::steady_clock::now() - start)
                        .count();
  std::string bar;
  if (done) {
    constexpr int width = 20;
    int full = static_cast<int>(std::clamp(*done, 0.0, 1.0) * width);
    bar = "[" + std::string(full, '#') + std::string(width - full, '.') + "] ";
  }
  std::string text = stage + " (" + std::to_string(seconds) + " s)";
  std::string line = "einc: " + bar + text;
  // What is wrapped is not erased, and a full line may be wrapped.
  if (std::optional<size_t> columns = getColumns();
      columns && line.size() >= *columns)
    line = ("einc: " + text).substr(0, *columns - 1);
  // To the line's start, the text, and the rest of the line erased.
  errs() << "\r" << line << "\x1b[K";
  errs().flush();
  isShown = true;
}

void Progress::erase() {
  if (!std::exchange(isShown, false))
    return;
  errs() << "\r\x1b[K";
  errs().flush();
}

void Progress::show() {
  using namespace std::chrono;
  const seconds patience = getPatience();
  constexpr milliseconds pace(250);
  std::unique_lock<std::mutex> lock(mutex);
  if (changed.wait_for(lock, patience, [&] { return isDone; }))
    return;
  while (true) {
    changed.wait(lock, [&] { return isDone || !stage.empty(); });
    if (isDone)
      break;
    draw();
    if (changed.wait_for(lock, pace, [&] { return isDone; }))
      break;
  }
  erase();
}

} // namespace ein
