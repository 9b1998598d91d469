//===- Completion.h - Scripts that complete einc's command line -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_COMPLETION_H
#define EIN_DRIVER_COMPLETION_H

#include <optional>
#include <string>
#include <vector>

namespace ein {

/// A flag as the shell sees it.
struct FlagInfo {
  std::string name; // `--emit`, `-o`
  std::string description;
  bool takesValue = false;
};

struct CommandInfo {
  std::string name;
  std::string description;
  std::vector<FlagInfo> flags;
};

/// The script for `bash`, `zsh` or `fish`; none for another shell.
std::optional<std::string>
emitCompletion(const std::string &shell,
               const std::vector<CommandInfo> &commands);

} // namespace ein

#endif // EIN_DRIVER_COMPLETION_H
