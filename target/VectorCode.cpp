//===- VectorCode.cpp - How code in vectors is laid out -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/VectorCode.h"
#include "target/SumRegisters.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace ein {

int64_t getVectorsOfFormulas(const TargetInfo &target,
                             std::optional<int64_t> size, int64_t lanes) {
  // A polynomial is two chains, of its even and its odd powers. Four times what
  // a formula keeps fits 32 registers, beside its constants; where there are
  // 16, reading some of it again takes less time than waiting.
  constexpr int64_t kChains = 2, kMost = 4;
  auto underWay = uint64_t(getSumsUnderWay(target.machine)) / kChains;
  int64_t vectors = std::min<int64_t>(
      llvm::bit_floor(std::max<uint64_t>(underWay, 1)), kMost);
  // Of a short row, waiting for the longest of all chains would be most; and
  // the last vectors of a row are computed as if there were all of them.
  constexpr int64_t kSteps = 8;
  while (size && vectors > 1 && *size < kSteps * vectors * lanes)
    vectors /= 2;
  return vectors;
}

int64_t getVectorsOfBranches(const TargetInfo &target,
                             std::optional<int64_t> size, int64_t lanes,
                             unsigned bits) {
  // Parts are twice as many registers. A division or root of f64 takes so long
  // that all else is done meanwhile.
  constexpr int64_t kMost = 2;
  constexpr unsigned kSingle = 32;
  return bits > kSingle
             ? 1
             : std::min(getVectorsOfFormulas(target, size, lanes), kMost);
}

int64_t getVectorsOfRow(const TargetInfo &target) {
  // Half of 16 registers, the other half being for what is computed. With 32,
  // longer rows have not been measured.
  constexpr int64_t kMost = 8;
  return std::min<int64_t>(target.vectorRegisters / 2, kMost);
}

int64_t getConflictBytes(const MachineModel &machine) {
  // Blocks have 16 to 128 rows (passes/select/SelectRows.cpp).
  constexpr uint64_t kRows = 64;
  return int64_t(2 * llvm::bit_floor(machine.l1.bytes / kRows));
}

} // namespace ein
