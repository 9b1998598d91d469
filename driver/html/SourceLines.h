//===- SourceLines.h - Lines of several files in one count ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page links lines of IR with lines of the source, which may be of several
// files. All of their lines are counted on, from one: those of the second file
// come after those of the first. 0 is no line.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_HTML_SOURCELINES_H
#define EIN_DRIVER_HTML_SOURCELINES_H

#include "frontend/source/SourceFile.h"
#include "llvm/Support/JSON.h"

namespace ein {

/// The line of a place.
unsigned getPageLine(const Sources &sources, uint32_t offset);
/// The line of a file by its name, or by the last part of it.
unsigned getPageLine(const Sources &sources, llvm::StringRef file,
                     unsigned line);

/// Where a place is in its line, in units of UTF-16, as JavaScript counts.
unsigned getPageColumn(const Sources &sources, uint32_t offset);

/// Writes an array of the files: `name`, the number of the `first` line, and
/// `lines`.
void printSources(llvm::json::OStream &json, const Sources &sources);

} // namespace ein

#endif // EIN_DRIVER_HTML_SOURCELINES_H
