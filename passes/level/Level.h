//===- Level.h - The levels of the IR ---------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LEVEL_LEVEL_H
#define EIN_PASSES_LEVEL_LEVEL_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace ein {

enum class Level {
#define EIN_LEVEL(ENUM, NAME, PIPELINE, TEXT) ENUM,
#include "passes/level/Levels.def"
};

llvm::StringRef getName(Level level);
std::optional<Level> parseLevel(llvm::StringRef name);

/// The level after `level`, where `form` (Fused, Loops, Affine or Parallel) is
/// the one that follows Contract. LLVMDialect has none.
Level getNext(Level level, Level form);

/// The level that a module says it is at (`ein.level`, which the check of each
/// level sets); Mlir if it does not say.
Level getLevel(mlir::ModuleOp module);

} // namespace ein

#endif // EIN_PASSES_LEVEL_LEVEL_H
