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

/// Of AMX [SDM, vol. 1, ch. 18], half of which have sums.
static constexpr int64_t kTileRegisters = 8, kTileSums = kTileRegisters / 2;
/// Of SME's numbers of 32 bits [ARM, B1.4.9].
static constexpr int64_t kOuterSums = 4;
static_assert(kOuterSums == kTileSums, "one shape of sums is for both");

static constexpr DotProduct kTable[] = {
#define EIN_DOT_PRODUCT(NAME, FAMILY, FEATURES, BITS, LHS, RHS, SUM, ROWS,     \
                        GROUP, INTRINSIC)                                      \
  {NAME,           FAMILY,         FEATURES, BITS,  DotNumber::LHS,            \
   DotNumber::RHS, DotNumber::SUM, ROWS,     GROUP, INTRINSIC},
#include "target/DotProducts.def"
};

unsigned DotProduct::getLanes() const {
  constexpr unsigned kWord = 16, kDouble = 32;
  unsigned lanes = bits / (sum == DotNumber::S16 ? kWord : kDouble);
  return hasTiles() ? lanes / rows : lanes;
}

unsigned DotProduct::getDepth() const {
  return hasTiles() && !isOuter() ? group * getLanes() : group;
}

const DotProduct &getDotProduct(unsigned number) { return kTable[number]; }

std::vector<unsigned> findDotProducts(StringRef family, HasFeature has,
                                      unsigned vectorBits) {
  // NEON's registers are the first bits of SVE's.
  bool hasLonger = family == "aarch64" && vectorBits > DotProduct::kNeonBits;
  if (hasLonger)
    vectorBits = DotProduct::kNeonBits;
  std::vector<unsigned> found;
  for (auto [number, product] : enumerate(kTable)) {
    SmallVector<StringRef> features;
    product.features.split(features, ' ');
    if (product.family == family &&
        (product.bits == vectorBits || product.hasTiles() ||
         (product.bits == 0 && hasLonger)) &&
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

TileRegisters getTileRegisters(const TargetInfo &target) {
  constexpr int64_t kByteBits = 8;
  for (unsigned number : target.dotProducts)
    if (const DotProduct &product = getDotProduct(number); product.hasTiles())
      return {product.isOuter() ? kOuterSums : kTileRegisters, product.rows,
              product.bits / product.rows / kByteBits, product.isOuter()};
  return {};
}

bool hasHalfProducts(const TargetInfo &target) {
  return any_of(target.dotProducts, [](unsigned number) {
    return getDotProduct(number).lhs == DotNumber::BF16;
  });
}

static bool isByte(DotNumber number) {
  return number == DotNumber::S8 || number == DotNumber::U8;
}

std::optional<DotChoice> selectDotProduct(const TargetInfo &target,
                                          DotNumber lhs, DotNumber rhs,
                                          DotNumber sum,
                                          std::optional<int64_t> rows,
                                          DotRegisters registers) {
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
  auto isOf = [&](const DotProduct &product) {
    return registers == DotRegisters::Any ||
           product.hasTiles() == (registers == DotRegisters::Tiles);
  };
  std::optional<DotChoice> best;
  Rank least = None;
  for (unsigned number : target.dotProducts) {
    DotProduct product = getDotProduct(number);
    if (product.bits == 0)
      product.bits = target.vectorBits;
    if (product.sum != sum || !isOf(product) ||
        (product.isOuter() && target.machine.outerProducts == 0) ||
        (product.rows > 1 && rows && *rows <= kFewRows))
      continue;
    for (bool isSwapped : {false, true}) {
      // Rows and columns of tiles are loaded as different things.
      if (isSwapped && product.hasTiles())
        continue;
      auto [first, second] = isSwapped ? std::pair(product.rhs, product.lhs)
                                       : std::pair(product.lhs, product.rhs);
      Rank rank = std::max(getRank(lhs, first, /*canHaveOffset=*/true),
                           getRank(rhs, second, /*canHaveOffset=*/false));
      if (rank >= least)
        continue;
      least = rank;
      best = {product, isSwapped, rank == Offset};
    }
  }
  return best;
}

MicroKernels getMicroKernels(const TargetInfo &target,
                             const DotProduct &product,
                             std::optional<int64_t> rows,
                             std::optional<int64_t> columns) {
  constexpr unsigned kDouble = 32;
  if (product.hasTiles()) {
    // Of AMX's registers half have sums, two or one what stays while the others
    // pass by; SME's have nothing else. 2 x 2 load the least; where there are
    // fewer rows or columns, one side has all four.
    int64_t height = product.rows, width = product.getLanes();
    int64_t wide = 2;
    if (rows && *rows <= height)
      wide = columns ? std::clamp<int64_t>(divideCeil(*columns, width), 1,
                                           kTileSums)
                     : kTileSums;
    else if (columns && *columns <= width)
      wide = 1;
    int64_t most = kTileSums / wide;
    int64_t high =
        rows ? std::clamp<int64_t>(divideCeil(*rows, height), 1, most) : most;
    int64_t mr = rows ? std::min(*rows, high * height) : high * height;
    return {{unsigned(std::max<int64_t>(mr, 1)), unsigned(wide),
             product.getLanes()},
            std::nullopt};
  }
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
                     MicroKernel kernel, std::optional<int64_t> depth) {
  // A step of k is a group: a lane, or a row of a block.
  unsigned groupBits =
      product.bits / (product.rows > 1 ? product.rows : product.getLanes());
  if (product.isOuter())
    groupBits /= product.getLanes();
  Blocking blocking = getBlocking(target, groupBits, kernel);
  blocking.kc *= product.getDepth();
  if (!product.hasTiles())
    return blocking;
  // A step of a matrix unit takes as long as L2 needs for its panels, so how
  // often a panel of B comes from beyond L2 counts: a block of A has half of
  // L2. A loop by hand on Sapphire Rapids, 2048^3 of bf16 with all of k, ran at
  // 36 % of the peak with 64 rows of A, 41 % with 128, 45 % with 256 and 31 %
  // with 512.
  int64_t steps = llvm::divideCeil(
      std::min(depth.value_or(blocking.kc), blocking.kc), product.getDepth());
  int64_t rowBytes = std::max<int64_t>(steps * groupBits / 8, 1);
  int64_t rows = int64_t(target.l2Bytes) / 2 / rowBytes;
  blocking.mc = std::max<int64_t>(rows / kernel.mr, 1) * kernel.mr;
  int64_t columns = int64_t(target.l3Bytes) / 2 / rowBytes;
  blocking.nc = std::max<int64_t>(columns / kernel.getNr(), 1) * kernel.getNr();
  return blocking;
}

} // namespace ein
