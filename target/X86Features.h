//===- X86Features.h - The features that x86's instructions need *- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_X86FEATURES_H
#define EIN_TARGET_X86FEATURES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ein {

enum class X86Encoding { Legacy, VEX, EVEX, XOP };

struct X86Instruction {
  /// As Intel writes it, without prefixes.
  llvm::StringRef mnemonic;
  X86Encoding encoding = X86Encoding::Legacy;
  /// Of opcodes: 0, 1 (0F), 2 (0F 38), 3 (0F 3A), ...
  unsigned map = 0;
  /// 128, 256 or 512, of VEX and EVEX.
  unsigned vectorBits = 128;
  bool touchesMemory = false;
  bool hasOnlyVectors = false;
  /// It names r16 to r31, or it has a prefix that could.
  bool usesExtendedRegisters = false;
};

/// Finds encoding, map and width.
void readX86Prefixes(llvm::ArrayRef<uint8_t> bytes,
                     X86Instruction &instruction);

/// Names of LLVM's, unsorted; none if x86-64's first CPUs had the instruction,
/// or if it belongs to systems and LLVM has no name for its feature.
std::vector<std::string> getX86Features(const X86Instruction &instruction);

} // namespace ein

#endif // EIN_TARGET_X86FEATURES_H
