//===- OutputFile.h - Files that appear complete or not at all ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_OUTPUTFILE_H
#define EIN_BACKEND_OUTPUTFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ein {

/// Whether `path` exists and is no regular file: a device or a pipe, which is
/// written to and never replaced, or a directory.
bool isSpecialFile(llvm::StringRef path);

/// Writes `bytes` to `path`; `-` is the standard output. A regular file is
/// written beside its place and renamed. The error names the file.
llvm::Error writeFile(llvm::StringRef path, llvm::ArrayRef<char> bytes);

} // namespace ein

#endif // EIN_BACKEND_OUTPUTFILE_H
