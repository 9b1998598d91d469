//===- DotProducts.h - Instructions that add up products --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table DotProducts.def, and which of its instructions a matrix product of
// narrow numbers is made of.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_DOTPRODUCTS_H
#define EIN_TARGET_DOTPRODUCTS_H

#include "abi/VectorInstructions.h"
#include "target/Family.h"
#include <optional>
#include <vector>

namespace ein {

/// What is multiplied, and what it is added up in.
enum class DotNumber { S8, U8, S16, F16, BF16, I32, F32 };

/// A line of DotProducts.def.
struct DotProduct {
  static constexpr unsigned kNeonBits = 128;
  llvm::StringRef name, family, features;
  unsigned bits;
  DotNumber lhs, rhs, sum;
  unsigned rows, group;
  llvm::StringRef intrinsic;
  /// To LLVM the registers are vectors whose length it does not know: SVE's.
  bool isScalable() const {
    return family == "aarch64" && bits > kNeonBits && !hasTiles();
  }
  /// Lanes of the accumulator; of a tile those of a row.
  unsigned getLanes() const;
  /// Whether the registers are tiles.
  bool hasTiles() const { return rows > 2; }
  /// Whether these are multiplied by one group of k at a time.
  bool isOuter() const { return hasTiles() && family == "aarch64"; }
  /// Steps of k that are multiplied at once.
  unsigned getDepth() const;
};

const DotProduct &getDotProduct(unsigned number);

/// The numbers of those that a machine of the family with vectors of this width
/// has; Arm's beyond NEON's are SVE's.
std::vector<unsigned> findDotProducts(llvm::StringRef family, HasFeature has,
                                      unsigned vectorBits);

/// Whether the machine has the instruction of that name, in the width of its
/// vectors.
bool hasDotProduct(const TargetInfo &target, llvm::StringRef name);

/// The registers that its products of tiles go by.
TileRegisters getTileRegisters(const TargetInfo &target);

/// Whether the machine adds up products of bf16.
bool hasHalfProducts(const TargetInfo &target);

/// The instruction for a product of matrices, and what its operands become.
struct DotChoice {
  /// With the width that the machine's registers have.
  DotProduct product;
  /// The rows, those of A, are the intrinsic's second factor.
  bool isSwapped = false;
  /// A's bytes are of the other signedness: 128 is added to signed ones, and
  /// subtracted from unsigned ones.
  bool isOffset = false;
};

/// What its registers may be.
enum class DotRegisters { Any, Tiles, Vectors };

/// For rows of `lhs` by columns of `rhs`; none if there is no instruction for
/// it. Bytes may become words, and rows get an offset, but nothing else will
/// do. `rows` is the extent of C, none if it is dynamic. Outer products are of
/// machines whose model knows how many there are a cycle.
std::optional<DotChoice>
selectDotProduct(const TargetInfo &target, DotNumber lhs, DotNumber rhs,
                 DotNumber sum, std::optional<int64_t> rows,
                 DotRegisters registers = DotRegisters::Any);

/// The register tiles of C for that: of whole registers, and of whole blocks of
/// rows.
MicroKernels getMicroKernels(const TargetInfo &target,
                             const DotProduct &product,
                             std::optional<int64_t> rows,
                             std::optional<int64_t> columns);

/// The blocks for it, of which those of k are whole groups. `depth` is k's
/// extent, none if it is dynamic.
Blocking getBlocking(const TargetInfo &target, const DotProduct &product,
                     MicroKernel kernel,
                     std::optional<int64_t> depth = std::nullopt);

} // namespace ein

#endif // EIN_TARGET_DOTPRODUCTS_H
