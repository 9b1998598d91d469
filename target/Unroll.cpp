//===- Unroll.cpp - Steps of k that are taken at a time -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A core that two hyperthreads share issues half as many instructions for each,
// and of the 37 of a step three only count: four steps at a time are a tenth
// faster (docs/decisions/0005-square-products.md). x86 reads elements of A from
// memory with the multiply-add. Where that is an instruction and a register of
// its own, LLVM loads the elements of all steps first, and four steps do not
// fit into NEON's 32 registers beside the tile: 2 to 11 accesses to the stack
// for 80 multiply-adds.
//
//===----------------------------------------------------------------------===//

#include "target/Unroll.h"
#include "llvm/TargetParser/Triple.h"

namespace ein {

unsigned getUnroll(const TargetInfo &target) {
  return llvm::Triple(target.triple).isX86() ? 4 : 2;
}

} // namespace ein
