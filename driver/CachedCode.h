//===- CachedCode.h - Code that was compiled before --------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_CACHEDCODE_H
#define EIN_DRIVER_CACHEDCODE_H

#include "backend/DiskCache.h"
#include "driver/Compiler.h"

namespace ein {

/// As `compile`, to an object that is called in this process, but what `cache`
/// has is taken from there, and what it has not is put there. A compilation
/// from the cache has entries, object and what was `said`, and no program.
/// Options that have compilation print or keep more are not for a cache: it is
/// left alone then.
Compilation compileOrFind(Sources &file, const CompileOptions &options,
                          const std::optional<DiskCache> &cache,
                          DiagnosticEngine &diags);

/// Part of it, for tests: an entry's bytes, and back; false if they are none.
std::string writeEntry(const Compilation &compilation, const Sources &file,
                       llvm::ArrayRef<Diagnostic> said);
bool readEntry(llvm::StringRef bytes, Compilation &compilation, Sources &file);

} // namespace ein

#endif // EIN_DRIVER_CACHEDCODE_H
