//===- ManPage.h - Pages of the manual --------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_MANPAGE_H
#define EIN_DRIVER_MANPAGE_H

#include "driver/Completion.h"
#include <string>
#include <vector>

namespace ein {

/// The page of a command, or of einc itself, as `man` reads it. `commands` are
/// all of them, `version` is who made the page, and `date` may be empty.
std::string emitManPage(const CommandInfo &command,
                        const std::vector<CommandInfo> &commands,
                        const std::string &version, const std::string &date);

} // namespace ein

#endif // EIN_DRIVER_MANPAGE_H
