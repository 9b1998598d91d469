//===- CacheKey.h - What compiled code depends on ----------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_CACHEKEY_H
#define EIN_DRIVER_CACHEKEY_H

#include "backend/DiskCache.h"
#include "driver/Compiler.h"

namespace ein {

/// The hash of a program's text and of all that is known before it is read: the
/// options, the machine, and which compiler this is.
CacheKey hashProgram(const Sources &file, const CompileOptions &options);

/// A file besides the program's own that was read, or was looked for and not
/// there.
struct Dependence {
  std::string path;
  /// The hash of its bytes; none if there is no such file.
  std::optional<CacheKey> hash;
  /// Where it is, past symbolic links: a file is imported once.
  std::string realPath;
};

/// What a compilation of `file` has read, by what it brought in, and where it
/// has looked for that.
std::vector<Dependence> findDependences(const Sources &file,
                                        const CompileOptions &options);
/// Looks at the files as they are now.
void updateDependences(std::vector<Dependence> &dependences);

/// `program`'s key, of these files.
CacheKey hashDependences(const CacheKey &program,
                         llvm::ArrayRef<Dependence> dependences);

} // namespace ein

#endif // EIN_DRIVER_CACHEKEY_H
