//===- DotProducts.cpp - Instructions that add up products ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: which instruction multiplies bytes depends on their signs, and no
// machine has all combinations. x86 had unsigned by signed only for years.
//
// Choice: signs as they are, if there is an instruction for them, in either
// order. Else A's bytes are moved by 128, half of their range, which is one
// exclusive or as they are packed: the sum is then off by 128 times the sum of
// B's column, which the accumulators start without. Else words of both, as the
// products of two words need no more than the accumulator has.
//
// Consequence: with VNNI, all products of bytes run at four times the rate of
// f32; without, at twice as much, with vpmaddwd.
//
//===----------------------------------------------------------------------===//

#include "target/DotProducts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace ein {

static constexpr DotProduct kTable[] = {
#define EIN_DOT_PRODUCT(NAME, FAMILY, FEATURES, BITS, LHS, RHS, SUM, ROWS,     \
                        GROUP, INTRINSIC)                                      \
  {NAME,           FAMILY,         FEATURES, BITS,  DotNumber::LHS,            \
   DotNumber::RHS, DotNumber::SUM, ROWS,     GROUP, INTRINSIC},
#include "target/DotProducts.def"
};

unsigned DotProduct::getLanes() const {
  constexpr unsigned kWord = 16, kDouble = 32;
  return bits / (sum == DotNumber::S16 ? kWord : kDouble);
}

const DotProduct &getDotProduct(unsigned number) { return kTable[number]; }

std::vector<unsigned> findDotProducts(StringRef family, HasFeature has,
                                      unsigned vectorBits) {
  // Arm's are of NEON's registers, which are the first bits of SVE's.
  constexpr unsigned kNeonBits = 128;
  if (family == "aarch64")
    vectorBits = std::min(vectorBits, kNeonBits);
  std::vector<unsigned> found;
  for (auto [number, product] : enumerate(kTable)) {
    SmallVector<StringRef> features;
    product.features.split(features, ' ');
    if (product.family == family && product.bits == vectorBits &&
        all_of(features, has))
      found.push_back(number);
  }
  return found;
}

bool hasDotProduct(const TargetInfo &target, StringRef name) {
  return any_of(target.dotProducts, [&](unsigned number) {
    return getDotProduct(number).name == name;
  });
}

static bool isByte(DotNumber number) {
  return number == DotNumber::S8 || number == DotNumber::U8;
}

std::optional<DotChoice> selectDotProduct(const TargetInfo &target,
                                          DotNumber lhs, DotNumber rhs,
                                          DotNumber sum,
                                          std::optional<int64_t> rows) {
  // A block of two rows that has one row of C computes half for nothing.
  constexpr int64_t kFewRows = 2;
  enum Rank { AsTheyAre, Offset, Wider, None };
  auto getRank = [](DotNumber from, DotNumber to, bool canHaveOffset) {
    if (from == to)
      return AsTheyAre;
    if (canHaveOffset && isByte(from) && isByte(to))
      return Offset;
    return isByte(from) && to == DotNumber::S16 ? Wider : None;
  };
  std::optional<DotChoice> best;
  Rank least = None;
  for (unsigned number : target.dotProducts) {
    const DotProduct &product = getDotProduct(number);
    if (product.sum != sum || (product.rows > 1 && rows && *rows <= kFewRows))
      continue;
    for (bool isSwapped : {false, true}) {
      auto [first, second] = isSwapped ? std::pair(product.rhs, product.lhs)
                                       : std::pair(product.lhs, product.rhs);
      Rank rank = std::max(getRank(lhs, first, /*canHaveOffset=*/true),
                           getRank(rhs, second, /*canHaveOffset=*/false));
      if (rank >= least)
        continue;
      least = rank;
      best = {&product, isSwapped, rank == Offset};
    }
  }
  return best;
}

MicroKernels getMicroKernels(const TargetInfo &target,
                             const DotProduct &product,
                             std::optional<int64_t> rows,
                             std::optional<int64_t> columns) {
  constexpr unsigned kDouble = 32;
  if (product.rows > 1) {
    // 8 rows by 8 columns are 16 accumulators, which take 4 + 4 registers of A
    // and B a step [ARM: 32 registers].
    constexpr int64_t kMostRows = 8;
    constexpr unsigned kVectors = 2;
    int64_t mr = llvm::alignTo(
        std::clamp<int64_t>(rows.value_or(kMostRows), 1, kMostRows),
        product.rows);
    return {{unsigned(mr), kVectors, product.getLanes()}, std::nullopt};
  }
  MicroKernels kernels = getMicroKernels(target, kDouble, rows, columns);
  // The instruction is one of whole registers.
  kernels.main.lanes = product.getLanes();
  if (kernels.edge)
    kernels.edge->lanes = product.getLanes();
  return kernels;
}

Blocking getBlocking(const TargetInfo &target, const DotProduct &product,
                     MicroKernel kernel) {
  // A step of k is a group: a lane, or a row of a block.
  unsigned groupBits =
      product.bits / (product.rows > 1 ? product.rows : product.getLanes());
  Blocking blocking = getBlocking(target, groupBits, kernel);
  blocking.kc *= product.group;
  return blocking;
}

} // namespace ein
