//===- Progress.h - What einc is at, for those who wait ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_PROGRESS_H
#define EIN_DRIVER_PROGRESS_H

#include "driver/Compiler.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace ein {

/// One line on the standard error that says what is being done and for how
/// long, with a bar of how much is done, from two seconds on (or
/// EINC_PROGRESS_SECONDS) and only on a terminal. It is gone when the object
/// is, so whatever is printed then starts on an empty line.
class Progress {
public:
  Progress();
  /// Of a compilation with these options, for as long as this lives.
  explicit Progress(CompileOptions &options);
  ~Progress();
  Progress(const Progress &) = delete;

  /// What is being done from now on, `optimising`, and how much of all there is
  /// to do is done, from 0 to 1, if that is known.
  void enter(llvm::StringRef what, std::optional<double> done = std::nullopt);
  /// Erases the line until something else is entered: something is printed.
  void clear();

private:
  void show();
  void draw();
  void erase();

  const std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  CompileOptions *options = nullptr; // whose `onStage` is this
  std::mutex mutex;
  std::condition_variable changed;
  std::string stage;          // guarded by mutex, as all before the thread
  std::optional<double> done; // of the stage
  bool isShown = false;
  bool isDone = false;
  std::thread thread; // not started where nobody would see it
};

} // namespace ein

#endif // EIN_DRIVER_PROGRESS_H
