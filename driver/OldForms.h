//===- OldForms.h - MLIR of 2019 to 2021, as written now --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_OLDFORMS_H
#define EIN_DRIVER_OLDFORMS_H

#include "llvm/ADT/StringRef.h"

namespace ein {

/// What MLIR has now for what it could not read at `offset` of `text`, where it
/// said `message`; empty if that is no old form.
llvm::StringRef getNewForm(llvm::StringRef text, size_t offset,
                           llvm::StringRef message);

} // namespace ein

#endif // EIN_DRIVER_OLDFORMS_H
