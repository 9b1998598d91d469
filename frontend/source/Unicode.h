//===- Unicode.h - Characters in UTF-8 text ---------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Einsum labels may be any letter and any bytes may be a source file, so the
// front end reads characters itself: LLVM knows widths, but not letters.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_SOURCE_UNICODE_H
#define EIN_FRONTEND_SOURCE_UNICODE_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace ein {

struct Character {
  /// Of a malformed byte, the byte itself.
  uint32_t codePoint;
  /// In bytes, at least one.
  unsigned length;
  bool isValid;
};

/// The character at the front of `text`, which is not empty.
Character decodeCharacter(llvm::StringRef text);

/// Whether the general category is one of L*.
bool isLetter(uint32_t codePoint);

/// A character that is typed or pasted in place of one of ours.
struct LookAlike {
  llvm::StringRef character, ours;
};
/// The one at the front of `text`, if any.
std::optional<LookAlike> findLookAlike(llvm::StringRef text);

/// A name with Greek letters as their names: `alpha` for `α`; empty if it has
/// other letters beyond ASCII.
std::string transliterate(llvm::StringRef name);

/// The character between backticks if it can be seen, else U+200B or 0xFF.
std::string describeCharacter(llvm::StringRef text);

} // namespace ein

#endif // EIN_FRONTEND_SOURCE_UNICODE_H
