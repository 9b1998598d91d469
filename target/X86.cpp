//===- X86.cpp - x86-64: SSE2, AVX, AVX2, AVX-512 -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: [SDM] Intel 64 and IA-32 Software Developer's Manual, vol. 1, 2;
// [AMD] Software Optimization Guides for AMD Family 17h (55723), 19h (56305,
// 57647); [BLIS] config/{haswell,skx,zen4} of the BLIS library.
//
//===----------------------------------------------------------------------===//

#include "target/Family.h"

namespace ein {
namespace {

bool matchesX86(const llvm::Triple &triple) { return triple.isX86(); }

llvm::StringRef getX86Machine(HasFeature has) {
  // SSE4a tells AMD's cores from Intel's: no Intel core has it.
  bool amd = has("sse4a");
  // Sapphire Rapids and later.
  if (has("amx-tile") || has("avx512fp16"))
    return "sapphirerapids";
  // Skylake-SP and Zen 4 agree on L1 and L2; Ice Lake's are a little more.
  if (has("avx512f"))
    return amd ? "zen4" : "skylake-sp";
  // Haswell to Comet Lake, Zen to Zen 3.
  if (has("avx2"))
    return amd ? "zen2" : "haswell";
  return "x86-64";
}

void describeX86(HasFeature has, TargetInfo &target) {
  // 512, 256 or 128 bits; 32 registers with AVX-512, else 16 [SDM ch. 13-15].
  // A `+prefer-N-bit` among the flags is the user's wish. The same feature
  // implied by a CPU is LLVM's caution about clock speed: one long dense
  // kernel gains from the full width.
  llvm::StringRef flags = target.features;
  unsigned widest = flags.contains("+prefer-128-bit")   ? 128
                    : flags.contains("+prefer-256-bit") ? 256
                                                        : 512;
  if (has("avx512f") && widest == 512)
    target.vectorBits = 512;
  else if (has("avx") && widest >= 256)
    target.vectorBits = 256;
  else
    target.vectorBits = 128;
  // Vectors of 128 and 256 bits reach registers 16 to 31, and masks, by VL.
  bool evex = has("avx512f") && (target.vectorBits == 512 || has("avx512vl"));
  target.vectorRegisters = evex ? 32 : 16;
  // AVX2's vmaskmov takes no mask register and stores slowly [AMD 56305].
  target.maskedOps = evex;
  // VMOVDQU8 and VMOVDQU16 [SDM vol. 2].
  target.maskedNarrowOps = evex && has("avx512bw");
  target.fma = has("fma") || has("avx512f");
  target.halfConversions = has("f16c") || has("avx512f");
  // VCVTNEPS2BF16 and VADDPH, of each length with VL [SDM vol. 2].
  target.halfRounding = has("avx512bf16") && has("avx512dq") &&
                        (target.vectorBits == 512 || has("avx512vl"));
  target.halfArithmetic =
      has("avx512fp16") && (target.vectorBits == 512 || has("avx512vl"));
}

RegisterLimits getX86RegisterLimits(const TargetInfo &target) {
  // One register holds the element of A that a row of the tile is multiplied
  // by; AVX-512's FMA can read it from memory, but then once for each vector of
  // the row. Four vectors a row leave the ports for loads the most room: a
  // thread that shares its core with another one needs it (MicroKernel.cpp).
  if (target.vectorRegisters == 32)
    return {30, 4};
  // AVX2: 6 * 2 + 2 of B + 2 broadcasts = 16 of 16; [BLIS] haswell's 6 x 16.
  if (target.fma)
    return {14, 2};
  // Without FMA each product needs a register on its way to the sum:
  // 4 * 2 + 2 of B + 1 broadcast + products.
  return {10, 2};
}

} // namespace

Family getX86Family() {
  return {"x86", matchesX86, getX86Machine, describeX86, getX86RegisterLimits};
}

} // namespace ein
