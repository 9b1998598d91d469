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
// Choice: compute them, in the spirit of T. M. Low, F. D. Igual, T. M. Smith
// and E. S. Quintana-Orti, "Analytical Modeling Is Enough for High-Performance
// BLIS", ACM TOMS 43(2), 2016: each level of cache holds one packed block that
// is reused while others stream past it. Half of a cache goes to the resident
// block, the other half to what streams, as associativity is not known here.
//
//   L2  a block of A, MC x KC, while micro-panels of B, KC x NR, stream
//   L3  a panel of B, KC x NC, while blocks of A stream
//
// The paper keeps the micro-panel of B in L1 and takes KC from that. With wide
// vectors that makes KC so short that reading and writing the tile of C shows:
// half of 32 KiB is 128 rows of 32 floats. But the tile of C asks for MR + NR
// elements in the time of MR * NR / lanes FMAs, which L2 delivers several times
// over, so KC follows from the traffic beyond L2 instead. For each FMA that is
// 2 / KC elements of C, read and written once per block of K, and 1 / MC of B.
// With MC * KC = S, half of L2, the sum is smallest at KC = sqrt(2 S) and MC =
// KC / 2. For f32 this gives KC x MC = 256 x 128 with an L2 of 256 KiB and 512
// x 256 with 1 MiB; the values that BLIS was tuned to by hand are 256 x 144
// (config/haswell), 384 x 480 (skx) and 480 x 512 (zen4).
//
// Consequence: no search, and the same answer every day. Measured with a 14 x
// 32 f32 kernel on Zen 4 (32 KiB, 1 MiB; peak 117 GFLOP/s), 1008 x 1024 x 1024,
// MC 252: KC 128 98, KC 192 102, KC 256 104, KC 344 106, KC 512 108 GFLOP/s;
// with a 6 x 16 kernel KC 128 98, KC 256 105, KC 512 109; MC from 126 to 504
// changes 1 %.
//
//===----------------------------------------------------------------------===//

#include "target/Target.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <cmath>

namespace ein {

/// The largest multiple of `step` up to `value`, at least one `step`.
static int64_t roundDown(int64_t value, int64_t step) {
  return std::max<int64_t>(value / step, 1) * step;
}

Blocking getBlocking(const TargetInfo &target, unsigned elementBits,
                     MicroKernel kernel) {
  int64_t bytes = std::max(elementBits / 8, 1u);
  int64_t mr = kernel.mr;
  int64_t nr = kernel.getNr();

  // Unrolling K by 2, 4 or 8 then leaves no remainder in full blocks, nor does
  // transposing a cache line of K at a time.
  constexpr int64_t kStep = 16;
  // Beyond this, the traffic that is left to save is less than 1 % of the time.
  constexpr double kcMax = 512;
  // A panel of B wider than this saves nothing more: packing A again for every
  // NC columns costs 1/NC of the FMAs. It bounds the packing buffer instead.
  constexpr int64_t ncMax = 4096;

  // A panel of B is loaded from L2 once for each block of A, which with so many
  // rows is less than 1 % of what is computed with it. Lower blocks leave more
  // of L2 to B and C: 1024^3 with 6 x 64 on a core with 2 MiB ran at 73 % of
  // the peak with MC = 510, 75 % with 126.
  constexpr int64_t mcMax = 128;

  // The micro-panel of B is reused from L2 at worst, beside the block of A.
  double residentA = target.l2Bytes / 2.0 / bytes;
  double microPanelB = target.l2Bytes / 4.0 / bytes / nr;
  double kc = std::min({std::sqrt(2 * residentA), microPanelB, kcMax});

  Blocking blocking;
  blocking.kc = roundDown(kc, kStep);
  blocking.mc = roundDown(std::min<double>(residentA / blocking.kc, mcMax), mr);
  blocking.nc = roundDown(
      std::min<int64_t>(target.l3Bytes / 2 / (blocking.kc * bytes), ncMax), nr);
  return blocking;
}

int64_t getEvenBlock(int64_t size, int64_t block, int64_t step) {
  assert(size >= 0 && block >= 1 && step >= 1);
  int64_t count = std::max<int64_t>(llvm::divideCeil(size, block), 1);
  int64_t even = llvm::alignTo(llvm::divideCeil(size, count), step);
  return std::clamp<int64_t>(even, step, std::max(block, step));
}

} // namespace ein
