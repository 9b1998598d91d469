//===- ObjectFiles.h - The objects that a file holds ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_OBJECTFILES_H
#define EIN_BACKEND_OBJECTFILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm::object {
class ObjectFile;
} // namespace llvm::object

namespace ein {

/// Calls `visit` for an object, a shared library or an executable itself, and
/// for those in a static library or in a file of several architectures. What
/// else is in a library is passed over. Errors name the member that they are
/// about; the first one ends it.
llvm::Error forEachObject(
    llvm::StringRef path,
    llvm::function_ref<llvm::Error(const llvm::object::ObjectFile &)> visit);

} // namespace ein

#endif // EIN_BACKEND_OBJECTFILES_H
