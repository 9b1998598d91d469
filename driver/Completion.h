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

/// A flag, or an argument that goes by its place, as the command line's parser
/// has it.
struct FlagInfo {
  std::vector<std::string> names; // `-h`, `--help`; `FILE`
  std::string description;
  std::string value; // what it takes, as `KIND`; empty: nothing
  std::string group; // its heading in the help
};

/// A command, or einc itself, which has commands instead of arguments.
struct CommandInfo {
  std::string name; // empty: einc
  std::string description;
  std::string usage;
  std::string footer;
  std::vector<FlagInfo> arguments;
  std::vector<FlagInfo> flags;
};

/// The script for `bash`, `zsh` or `fish`; none for another shell.
std::optional<std::string>
emitCompletion(const std::string &shell,
               const std::vector<CommandInfo> &commands);

} // namespace ein

#endif // EIN_DRIVER_COMPLETION_H
