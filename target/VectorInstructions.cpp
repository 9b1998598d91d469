//===- VectorInstructions.cpp - What formulas are computed by -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/VectorInstructions.h"
#include "target/DotProducts.h"

namespace ein {

VectorInstructions getVectorInstructions(const TargetInfo &target) {
  bool isX86 = getModelName(target) == "x86";
  VectorInstructions instructions;
  instructions.vectorBits = target.vectorBits;
  instructions.fma = target.fma;
  // SSE's MAXPS and all that followed it [SDM vol. 2].
  instructions.comparingMaxima = isX86;
  // 32 registers are AVX-512's, see X86.cpp: VSCALEFPS and VRCP14PS.
  instructions.avx512 = isX86 && target.vectorRegisters == 32;
  // Where words are multiplied in pairs, bytes are added up.
  instructions.sumsOfNarrow = hasDotProduct(target, "vpmaddwd");
  instructions.bytePairs = hasDotProduct(target, "vpmaddubsw");
  instructions.byteDots = hasDotProduct(target, "vpdpbusd");
  // AVX2's, as are products of words in vectors of 256 bits [SDM vol. 2].
  instructions.lookUps =
      instructions.sumsOfNarrow && instructions.vectorBits >= 256;
  instructions.halfRounding = target.halfRounding;
  instructions.tiles = getTileRegisters(target);
  return instructions;
}

int64_t getVectorsInSum(const TargetInfo &target, unsigned narrowBits,
                        bool isSigned) {
  // Sums of two bytes are words, of which as many as this overflow none; words
  // without a sign have one number added for all. Where an instruction adds
  // them, these are several sums, and twice as many share what adds up those.
  constexpr int64_t kVectors = 8;
  VectorInstructions instructions = getVectorInstructions(target);
  bool isOfPairs = narrowBits == 8 && isSigned && instructions.bytePairs &&
                   !instructions.byteDots;
  bool isOfWords = narrowBits == 16 && !isSigned && instructions.sumsOfNarrow;
  if (isOfWords && instructions.byteDots)
    return 2 * kVectors;
  return isOfPairs || isOfWords ? kVectors : 1;
}

} // namespace ein
