//===- Progress.h - What einc is at, for those who wait ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_PROGRESS_H
#define EIN_DRIVER_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace ein {

/// One line on the standard error that says what is being done and for how
/// long, from two seconds on (or EINC_PROGRESS_SECONDS) and only on a terminal.
/// It is gone when the object is, so whatever is printed then starts on an
/// empty line.
class Progress {
public:
  Progress();
  ~Progress();
  Progress(const Progress &) = delete;

  /// What is being done from now on: `optimising`.
  void enter(llvm::StringRef what);

private:
  void show();

  std::mutex mutex;
  std::condition_variable changed;
  std::string stage;   // guarded by mutex
  bool isDone = false; // guarded by mutex
  std::thread thread;  // not started where nobody would see it
};

} // namespace ein

#endif // EIN_DRIVER_PROGRESS_H
