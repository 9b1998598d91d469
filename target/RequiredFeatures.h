//===- RequiredFeatures.h - What instructions need of a CPU -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's disassemblers say which instruction bytes are. Which features it needs
// they say for some architectures only: those of AArch64 and RISC-V refuse what
// the features they are given lack, so each instruction is tried with one
// feature after the other. That of x86 reads all there is, and its assembler
// takes it; there the features come from a table of mnemonics
// (X86Features.def).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_REQUIREDFEATURES_H
#define EIN_TARGET_REQUIREDFEATURES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ein {

/// LLVM's names, sorted.
using FeatureNames = std::vector<std::string>;

/// What a CPU must be, and have beyond that.
struct RequiredCpu {
  std::string level;
  FeatureNames features;
};

class FeatureReader {
public:
  /// An error if nothing is known of the architecture's levels.
  static llvm::Expected<std::unique_ptr<FeatureReader>>
  create(llvm::StringRef triple);
  virtual ~FeatureReader();

  struct Instruction {
    uint64_t size;
    /// What it needs, for `getFeatures`. Most need the same few sets.
    unsigned features;
  };
  /// The instruction at the start of `bytes`; none if they are none.
  virtual std::optional<Instruction> read(llvm::ArrayRef<uint8_t> bytes,
                                          uint64_t address) = 0;
  virtual const FeatureNames &getFeatures(unsigned features) const = 0;

  /// How far apart instructions can start at least.
  virtual unsigned getAlignment() const = 0;
  /// The levels, from that which every CPU has.
  virtual llvm::ArrayRef<std::string> getLevels() const = 0;
  /// The lowest level that has all of `features` that any level has, and the
  /// rest of them without those that others imply.
  virtual RequiredCpu getCpu(llvm::ArrayRef<std::string> features) const = 0;
};

} // namespace ein

#endif // EIN_TARGET_REQUIREDFEATURES_H
