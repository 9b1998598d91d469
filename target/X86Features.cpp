//===- X86Features.cpp - The features that x86's instructions need --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most of AVX and AVX-512 follows rules: the encoding gives AVX or AVX-512F,
// the vector's width AVX2 or VL. X86Features.def lists what does not.
//
//===----------------------------------------------------------------------===//

#include "target/X86Features.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace llvm;

namespace ein {
namespace {

/// One encoding's part of the table.
struct FeatureTable {
  StringMap<SmallVector<StringRef, 1>> byName;
  std::vector<std::pair<StringRef, StringRef>> byStart;

  void add(StringRef feature, StringRef mnemonics) {
    SmallVector<StringRef> names;
    mnemonics.split(names, ' ');
    for (StringRef name : names)
      if (name.consume_back("*"))
        byStart.push_back({name, feature});
      else
        byName[name].push_back(feature);
  }

  /// Names take precedence over patterns.
  void find(StringRef mnemonic, std::vector<std::string> &features) const {
    auto entry = byName.find(mnemonic);
    if (entry != byName.end())
      for (StringRef feature : entry->second)
        features.push_back(feature.str());
    else
      for (const auto &[start, feature] : byStart)
        if (mnemonic.starts_with(start))
          features.push_back(feature.str());
  }
};

} // namespace

static const FeatureTable &getTable(X86Encoding encoding) {
  static const std::map<X86Encoding, FeatureTable> tables = [] {
    std::map<X86Encoding, FeatureTable> result;
#define EIN_X86_FEATURE(ENCODING, FEATURE, MNEMONICS)                          \
  result[X86Encoding::ENCODING].add(FEATURE, MNEMONICS);
#include "target/X86Features.def"
    return result;
  }();
  return tables.at(encoding);
}

static bool isLegacyPrefix(uint8_t byte) {
  switch (byte) {
  case 0x26:
  case 0x2e:
  case 0x36:
  case 0x3e:
  case 0x64:
  case 0x65:
  case 0x66:
  case 0x67:
  case 0xf0:
  case 0xf2:
  case 0xf3:
    return true;
  default:
    return false;
  }
}

void readX86Prefixes(ArrayRef<uint8_t> bytes, X86Instruction &instruction) {
  while (bytes.size() > 1 && isLegacyPrefix(bytes.front()))
    bytes = bytes.drop_front();
  auto at = [&](size_t index) -> uint8_t {
    return index < bytes.size() ? bytes[index] : 0;
  };
  switch (at(0)) {
  case 0xc5:
    instruction.encoding = X86Encoding::VEX;
    instruction.map = 1;
    instruction.vectorBits = at(1) & 0x04 ? 256 : 128;
    return;
  case 0xc4:
    instruction.encoding = X86Encoding::VEX;
    instruction.map = at(1) & 0x1f;
    instruction.vectorBits = at(2) & 0x04 ? 256 : 128;
    return;
  case 0x8f: // pop, or XOP's maps
    if ((at(1) & 0x1f) < 8)
      return;
    instruction.encoding = X86Encoding::XOP;
    instruction.map = at(1) & 0x1f;
    instruction.vectorBits = at(2) & 0x04 ? 256 : 128;
    return;
  case 0x62: {
    instruction.encoding = X86Encoding::EVEX;
    instruction.map = at(1) & 0x07;
    // Between registers, the bit of broadcasts says that the width's bits are
    // a direction of rounding: 512 bits.
    bool rounds = (at(3) & 0x10) && (at(5) & 0xc0) == 0xc0;
    unsigned width = (at(3) >> 5) & 3;
    instruction.vectorBits = rounds || width > 1 ? 512 : 128 << width;
    return;
  }
  case 0xd5: // REX2
    instruction.usesExtendedRegisters = true;
    instruction.map = at(1) >> 7;
    return;
  default:
    break;
  }
  if ((at(0) & 0xf0) == 0x40) // REX
    bytes = bytes.drop_front();
  if (at(0) == 0x0f)
    instruction.map = at(1) == 0x38 ? 2 : at(1) == 0x3a ? 3 : 1;
}

/// Whether one element is computed, whatever the width says. Integers, `vp...`,
/// have no such forms, and `vpmaxsd` is not of a double.
static bool isScalar(StringRef mnemonic) {
  static const StringSet<> moves = {
      "vmovd",     "vmovq",    "vmovw",    "vmovlps", "vmovlpd", "vmovhps",
      "vmovhpd",   "vmovhlps", "vmovlhps", "vpextrb", "vpextrw", "vpextrd",
      "vpextrq",   "vpinsrb",  "vpinsrw",  "vpinsrd", "vpinsrq", "vextractps",
      "vinsertps", "vcomish",  "vucomish"};
  if (moves.contains(mnemonic))
    return true;
  if (mnemonic.starts_with("vp") || mnemonic.starts_with("vbroadcast"))
    return false;
  return mnemonic.ends_with("ss") || mnemonic.ends_with("sd") ||
         mnemonic.ends_with("sh") || mnemonic.contains("ss2") ||
         mnemonic.contains("sd2") || mnemonic.contains("sh2");
}

/// Instructions on integers of AVX that AVX2 made wider, `vp...` but for those
/// that AVX had for floats.
static bool isWidenedByAVX2(StringRef mnemonic) {
  if (mnemonic == "vmovntdqa" || mnemonic == "vmpsadbw")
    return true;
  return mnemonic.starts_with("vp") && mnemonic != "vptest" &&
         mnemonic != "vperm2f128" && !mnemonic.starts_with("vpermil");
}

static void addVEX(const X86Instruction &instruction,
                   std::vector<std::string> &features) {
  StringRef mnemonic = instruction.mnemonic;
  bool isWide = instruction.vectorBits == 256;
  if (mnemonic.starts_with("vaes") || mnemonic == "vpclmulqdq") {
    bool isAES = mnemonic.starts_with("vaes");
    features.push_back(isWide ? (isAES ? "vaes" : "vpclmulqdq")
                              : (isAES ? "aes" : "pclmul"));
    features.push_back("avx");
    return;
  }
  size_t found = features.size();
  getTable(X86Encoding::VEX).find(mnemonic, features);
  if (!mnemonic.starts_with("v"))
    return;
  bool isFromRegister =
      (mnemonic == "vbroadcastss" || mnemonic == "vbroadcastsd") &&
      !instruction.touchesMemory;
  if (features.size() == found &&
      (isFromRegister || (isWide && isWidenedByAVX2(mnemonic))))
    features.push_back("avx2");
  features.push_back("avx");
}

static void addEVEX(const X86Instruction &instruction,
                    std::vector<std::string> &features) {
  StringRef mnemonic = instruction.mnemonic;
  size_t found = features.size();
  getTable(X86Encoding::EVEX).find(mnemonic, features);
  bool isListed = features.size() != found;
  // AMX's rows are in vectors of AVX-512.
  if (isListed && !mnemonic.starts_with("v")) {
    features.push_back("avx512f");
    return;
  }
  // APX encodes the others so that they can have more registers and operands.
  if (instruction.map == 4 || !mnemonic.starts_with("v")) {
    features.push_back("egpr");
    getTable(X86Encoding::Legacy).find(mnemonic, features);
    getTable(X86Encoding::VEX).find(mnemonic, features);
    return;
  }
  if (!isListed && (instruction.map == 5 || instruction.map == 6))
    features.push_back("avx512fp16");
  // From vector to vector.
  if ((mnemonic == "vmovd" || mnemonic == "vmovw") &&
      instruction.hasOnlyVectors && !instruction.touchesMemory)
    features.push_back("avx10.2");
  features.push_back("avx512f");
  if (instruction.vectorBits < 512 && !isScalar(mnemonic))
    features.push_back("avx512vl");
}

std::vector<std::string> getX86Features(const X86Instruction &instruction) {
  std::vector<std::string> features;
  if (instruction.usesExtendedRegisters)
    features.push_back("egpr");
  switch (instruction.encoding) {
  case X86Encoding::Legacy:
    getTable(X86Encoding::Legacy).find(instruction.mnemonic, features);
    // SSE2 has a form to a register only, SSE4.1 another one.
    if (instruction.mnemonic == "pextrw" && instruction.map == 3)
      features.push_back("sse4.1");
    break;
  case X86Encoding::VEX:
    addVEX(instruction, features);
    break;
  case X86Encoding::EVEX:
    addEVEX(instruction, features);
    break;
  case X86Encoding::XOP:
    getTable(X86Encoding::XOP).find(instruction.mnemonic, features);
    if (features.empty())
      features.push_back("xop");
    break;
  }
  return features;
}

} // namespace ein
