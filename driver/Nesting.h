//===- Nesting.h - How deep the text of a module nests ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's parser and all that walks regions recurse, without a bound, and end on
// a stack that has one.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_NESTING_H
#define EIN_DRIVER_NESTING_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace ein {

/// How deep brackets of all kinds may nest.
inline constexpr unsigned kMaxModuleNesting = 256;

/// The offset of the first bracket in MLIR text that is deeper.
std::optional<size_t> findTooDeep(llvm::StringRef text);

} // namespace ein

#endif // EIN_DRIVER_NESTING_H
