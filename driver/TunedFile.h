//===- TunedFile.h - Strategies that were measured --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `einc tune` writes and `--tuned` reads: a list in YAML, of which an
// entry says for one op, by its key, and one CPU which schedule is the fastest.
// Times are there for people; code does not depend on them.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_TUNEDFILE_H
#define EIN_DRIVER_TUNEDFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ein {

struct TunedEntry {
  /// The op, as `ein-select-schedule` describes it (`describeKey`).
  std::string op;
  /// The CPU, by LLVM's name.
  std::string cpu;
  /// The schedule, as the attribute `ein.schedule` of the op.
  std::string schedule;
  /// Of a call of the def that has the op: with the schedule, and without.
  double seconds = 0, untunedSeconds = 0;
};

/// Reads the text of a file. An error says where and what is wrong, on one
/// line, and names the file.
llvm::Expected<std::vector<TunedEntry>> readTuned(llvm::StringRef text,
                                                  llvm::StringRef name);

/// The text, with `heading` as comments; it reads back as the same entries.
std::string printTuned(llvm::ArrayRef<TunedEntry> entries,
                       llvm::StringRef heading);

} // namespace ein

#endif // EIN_DRIVER_TUNEDFILE_H
