//===- Level.cpp - The levels of the IR -----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/level/Level.h"
#include "ir/EinDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace ein {

StringRef getName(Level level) {
  switch (level) {
#define EIN_LEVEL(ENUM, NAME, PIPELINE, TEXT)                                  \
  case Level::ENUM:                                                            \
    return NAME;
#include "passes/level/Levels.def"
  }
  llvm_unreachable("a level that is not in Levels.def");
}

std::optional<Level> parseLevel(StringRef name) {
  return llvm::StringSwitch<std::optional<Level>>(name)
#define EIN_LEVEL(ENUM, NAME, PIPELINE, TEXT) .Case(NAME, Level::ENUM)
#include "passes/level/Levels.def"
      .Default(std::nullopt);
}

Level getNext(Level level, Level form) {
  switch (level) {
  case Level::Mlir:
    return Level::Linalg;
  case Level::Linalg:
    return Level::Contract;
  case Level::Contract:
    return form;
  case Level::Fused:
    return Level::Scheduled;
  case Level::Scheduled:
    return Level::Tiled;
  case Level::Tiled:
    return Level::Vector;
  case Level::Vector:
    return Level::Memref;
  case Level::Memref:
  case Level::Loops:
  case Level::Affine:
  case Level::Parallel:
    return Level::LLVMDialect;
  case Level::LLVMDialect:
    break;
  }
  llvm_unreachable("nothing follows the llvm dialect");
}

Level getLevel(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>(EinDialect::kLevelAttr);
  return name ? parseLevel(name).value_or(Level::Mlir) : Level::Mlir;
}

} // namespace ein
