//===- Unicode.cpp - Characters in UTF-8 text -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/source/Unicode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/UnicodeCharRanges.h"

using namespace llvm;

namespace ein {

Character decodeCharacter(StringRef text) {
  auto *begin = reinterpret_cast<const UTF8 *>(text.data());
  Character malformed = {begin[0], 1, false};
  unsigned length = getNumBytesForUTF8(begin[0]);
  if (length > text.size())
    return malformed;
  const UTF8 *end = begin + length;
  UTF32 codePoint;
  if (convertUTF8Sequence(&begin, end, &codePoint, strictConversion) !=
      conversionOK)
    return malformed;
  return {codePoint, length, true};
}

bool isLetter(uint32_t codePoint) {
  static constexpr sys::UnicodeCharRange letters[] = {
#define EIN_LETTERS(FIRST, LAST) {FIRST, LAST},
#include "frontend/source/UnicodeLetters.def"
  };
  static const sys::UnicodeCharSet set(letters);
  return set.contains(codePoint);
}

std::optional<LookAlike> findLookAlike(StringRef text) {
  static constexpr std::pair<StringLiteral, StringLiteral> lookAlikes[] = {
#define EIN_LOOK_ALIKE(CHARACTER, OURS) {CHARACTER, OURS},
#include "frontend/source/LookAlikes.def"
  };
  for (auto [character, ours] : lookAlikes)
    if (text.starts_with(character))
      return LookAlike{character, ours};
  return std::nullopt;
}

std::string transliterate(StringRef name) {
  static constexpr std::pair<StringLiteral, StringLiteral> letters[] = {
#define EIN_GREEK(LETTER, NAME) {LETTER, NAME},
#include "frontend/source/LookAlikes.def"
  };
  std::string result;
  while (!name.empty()) {
    size_t length = decodeCharacter(name).length;
    StringRef letter = name.take_front(length);
    name = name.drop_front(length);
    const auto *found = llvm::find_if(
        letters, [&](const auto &entry) { return entry.first == letter; });
    if (length > 1 && found == std::end(letters))
      return "";
    result += length == 1 ? letter : StringRef(found->second);
  }
  return result;
}

std::string describeCharacter(StringRef text) {
  Character character = decodeCharacter(text);
  if (!character.isValid)
    return "0x" + utohexstr(character.codePoint, false, 2);
  if (!sys::unicode::isPrintable(character.codePoint))
    return "U+" + utohexstr(character.codePoint, false, 4);
  return "`" + text.take_front(character.length).str() + "`";
}

} // namespace ein
