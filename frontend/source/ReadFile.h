//===- ReadFile.h - A source's bytes, up to a bound -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_SOURCE_READFILE_H
#define EIN_FRONTEND_SOURCE_READFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include <functional>
#include <optional>
#include <string>

namespace ein {

/// No program is larger; what a program may be is bounded by 32-bit offsets.
inline constexpr uint64_t kMaxSourceBytes = 64u << 20;

/// The bytes of a file, or of standard input if it is called `-`. No more than
/// kMaxSourceBytes are read, of files without an end too: `file_too_large`
/// then.
llvm::ErrorOr<std::string> readSourceFile(llvm::StringRef name);

/// The text of a file that an editor has open, by its path; nothing for others.
/// It counts, and not what is on the disk.
using OpenFiles =
    std::function<std::optional<std::string>(llvm::StringRef path)>;

} // namespace ein

#endif // EIN_FRONTEND_SOURCE_READFILE_H
