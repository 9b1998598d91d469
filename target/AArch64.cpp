//===- AArch64.cpp - 64-bit Arm: NEON and SVE -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: [ARM] Arm Architecture Reference Manual for A-profile, ch. A1, B1;
// [BLIS] config/armv8a and kernels/armv8a of the BLIS library.
//
//===----------------------------------------------------------------------===//

#include "target/Family.h"
#include <algorithm>

namespace ein {
namespace {

bool matchesAArch64(const llvm::Triple &triple) { return triple.isAArch64(64); }

llvm::StringRef getAArch64Machine(HasFeature has) {
  // The first machine with SME, which others are not known to be unlike.
  if (has("sme"))
    return "apple-m4";
  // Armv8.2 servers: Neoverse N1, V1 and N2 agree on L1 and L2.
  return has("dotprod") ? "neoverse-n1" : "aarch64";
}

void describeAArch64(HasFeature has, TargetInfo &target) {
  // 32 registers of 128 bits, fused multiply-add in the baseline [ARM]. SVE's
  // are longer on some CPUs, and their first 128 bits are NEON's. Code for 128
  // bits runs on all of them, and code for more where they are just as long:
  // tiles and shuffles have to be known (docs/decisions/0041-sve.md).
  unsigned length = target.sveBits ? target.sveBits : target.machine.vectorBits;
  target.vectorBits = has("sve") ? std::max(length, 128u) : 128;
  target.sveBits = target.vectorBits > 128 ? target.vectorBits : 0;
  target.vectorRegisters = 32;
  target.fma = true;
  target.halfConversions = true;
  target.halfArithmetic = has("fullfp16");
  // FMAX and FMIN [ARM].
  target.exactMaxima = true;
  target.maskedOps = target.maskedNarrowOps = has("sve");
}

RegisterLimits getAArch64RegisterLimits(const TargetInfo &target) {
  // 5 * 4 accumulators + 4 of B + elements of A, as FMLA takes its multiplier
  // from a lane. [BLIS] armv8a's 8 x 12 needs as many.
  return {27, 4};
}

} // namespace

Family getAArch64Family() {
  return {"aarch64", matchesAArch64, getAArch64Machine, describeAArch64,
          getAArch64RegisterLimits};
}

} // namespace ein
