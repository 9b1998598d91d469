//===- Generic.cpp - Machines that nothing more is known about ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers that do least harm when they are wrong: LLVM splits 128-bit
// vectors where registers are narrower, the smallest of the usual register
// files spills nothing, and blocks that fit small caches fit larger ones.
//
//===----------------------------------------------------------------------===//

#include "target/Family.h"

namespace ein {
namespace {

bool matchesAny(const llvm::Triple &triple) { return true; }

llvm::StringRef getAnyMachine(HasFeature has) { return "generic"; }

void describeGeneric(HasFeature has, TargetInfo &target) {
  target.vectorBits = 128;
  target.vectorRegisters = 16;
  target.fma = false;
  target.maskedOps = target.maskedNarrowOps = false;
}

RegisterLimits getGenericRegisterLimits(const TargetInfo &target) {
  // 4 * 2 accumulators + 2 of B + a broadcast + products: 16 registers do.
  return {10, 2};
}

} // namespace

Family getGenericFamily() {
  return {"generic", matchesAny, getAnyMachine, describeGeneric,
          getGenericRegisterLimits};
}

} // namespace ein
