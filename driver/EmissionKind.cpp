//===- EmissionKind.cpp - What `--emit` can ask for ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/EmissionKind.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace ein {

StringRef getName(EmissionKind kind) {
  switch (kind) {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  case EmissionKind::ENUM:                                                     \
    return NAME;
#include "driver/EmissionKinds.def"
  }
  llvm_unreachable("a kind that is not in EmissionKinds.def");
}

StringRef getSuffix(EmissionKind kind) {
  switch (kind) {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  case EmissionKind::ENUM:                                                     \
    return SUFFIX;
#include "driver/EmissionKinds.def"
  }
  llvm_unreachable("a kind that is not in EmissionKinds.def");
}

bool isText(EmissionKind kind) {
  switch (kind) {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  case EmissionKind::ENUM:                                                     \
    return IS_TEXT;
#include "driver/EmissionKinds.def"
  }
  llvm_unreachable("a kind that is not in EmissionKinds.def");
}

bool isForOneCpu(EmissionKind kind) {
  return kind >= EmissionKind::Scheduled && kind <= EmissionKind::LLVMDialect;
}

std::optional<EmissionKind> parseEmissionKind(StringRef name) {
  return llvm::StringSwitch<std::optional<EmissionKind>>(name)
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  .Case(NAME, EmissionKind::ENUM)
#include "driver/EmissionKinds.def"
      .Default(std::nullopt);
}

std::optional<EmissionKind> getKindOfSuffix(StringRef suffix) {
  // StringSwitch takes the first match. Dumps alone are `.txt`.
  if (suffix.empty() || suffix == "txt")
    return std::nullopt;
  return llvm::StringSwitch<std::optional<EmissionKind>>(suffix)
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  .Case(SUFFIX, EmissionKind::ENUM)
#include "driver/EmissionKinds.def"
      .Default(std::nullopt);
}

bool isForeignSuffix(StringRef suffix) {
  return StringSwitch<bool>(suffix.lower())
      .Cases({"c", "cc", "cpp", "cxx", "cu", "cl", "f90", "go", "rs"}, true)
      .Cases({"obj", "lib", "dll", "dylib", "framework", "wasm"}, true)
      .Cases({"py", "html", "md", "txt", "dot", "svg", "ptx"}, true)
      .Cases({"npy", "npz", "csv", "yml", "zip", "tar", "gz"}, true)
      .Default(false);
}

} // namespace ein
