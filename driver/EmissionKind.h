//===- EmissionKind.h - What `--emit` can ask for -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_EMISSIONKIND_H
#define EIN_DRIVER_EMISSIONKIND_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace ein {

/// In the order in which compilation meets them.
enum class EmissionKind : uint8_t {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT) ENUM,
#include "driver/EmissionKinds.def"
};

llvm::StringRef getName(EmissionKind kind);
llvm::StringRef getSuffix(EmissionKind kind);
bool isText(EmissionKind kind);
/// Whether it is a form of the program that depends on the machine, and that
/// code for several CPUs has one of for each.
bool isForOneCpu(EmissionKind kind);
std::optional<EmissionKind> parseEmissionKind(llvm::StringRef name);
/// The kind that `-o FILE.suffix` means; none for a suffix of no kind.
std::optional<EmissionKind> getKindOfSuffix(llvm::StringRef suffix);
/// Whether other tools write files with such a suffix, of which einc writes
/// none: who asks for one does not want an executable.
bool isForeignSuffix(llvm::StringRef suffix);

} // namespace ein

#endif // EIN_DRIVER_EMISSIONKIND_H
