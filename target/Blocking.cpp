//===- Blocking.cpp - Cache blocking of a matrix product ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: MC, NC and KC, the sizes of what is packed, decide how often each
// operand travels through the memory hierarchy. Searching for them takes time
// at every compilation, and gives another answer on another day.
//
// Choice: compute them, after T. M. Low, F. D. Igual, T. M. Smith and E. S.
// Quintana-Orti, "Analytical Modeling Is Enough for High-Performance BLIS",
// ACM TOMS 43(2), 2016. Each level of cache holds one packed block that is
// reused while others stream past it:
//
//   L1  a micro-panel of B, KC x NR, while micro-panels of A stream
//   L2  a block of A, MC x KC, while micro-panels of B stream
//   L3  a panel of B, KC x NC, while blocks of A stream
//
// The paper shares out the ways of a set between the three operands by the
// ratio of their traffic. With associativity unknown, half of each cache goes
// to the resident block and the other half to what streams past.
//
// Consequence: three divisions. Larger K blocks would save traffic to C, but
// that is MR x NR loads and stores against KC times as many FMAs already.
//
//===----------------------------------------------------------------------===//

#include "target/Target.h"
#include <algorithm>

namespace ein {

/// The largest multiple of `step` up to `value`, at least one `step`.
static int64_t roundDown(int64_t value, int64_t step) {
  return std::max<int64_t>(value / step, 1) * step;
}

Blocking getBlocking(const TargetInfo &target, unsigned elementBits,
                     MicroKernel kernel) {
  int64_t bytes = std::max(elementBits / 8, 1u);
  int64_t mr = kernel.mr;
  int64_t nr = kernel.getNr(target, elementBits);

  // Unrolling K by 2, 4 or 8 then leaves no remainder in full blocks.
  constexpr int64_t kStep = 8;
  // A panel of B wider than this saves nothing more: packing A again for every
  // NC columns costs 1/NC of the FMAs. It bounds the packing buffer instead.
  constexpr int64_t ncMax = 4096;

  Blocking blocking;
  blocking.kc = roundDown(target.l1Bytes / 2 / (nr * bytes), kStep);
  blocking.mc = roundDown(target.l2Bytes / 2 / (blocking.kc * bytes), mr);
  blocking.nc = roundDown(
      std::min<int64_t>(target.l3Bytes / 2 / (blocking.kc * bytes), ncMax), nr);
  return blocking;
}

} // namespace ein
