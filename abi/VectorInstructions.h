//===- VectorInstructions.h - What formulas are computed by -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// target/ fills it in, the driver writes it on the module, and what computes
// formulas reads it there: neither side needs the other.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_VECTORINSTRUCTIONS_H
#define EIN_ABI_VECTORINSTRUCTIONS_H

#include <cstdint>

namespace ein {

/// The registers of a matrix unit: how many, and of how many rows of bytes.
struct TileRegisters {
  int64_t count = 0, rows = 0, rowBytes = 0;
  /// They are sums of outer products (SME's), and factors are vectors.
  bool isOuter = false;
};

/// What a machine has for the arithmetic of functions, divisions and maxima.
struct VectorInstructions {
  /// Width of a vector register.
  unsigned vectorBits = 128;
  /// acc = acc + a * b is one instruction and rounds once.
  bool fma = false;
  /// An instruction for max(x, y), and one for min(x, y), that gives y where
  /// neither is the larger one: of NaN, and of zeros.
  bool comparingMaxima = false;
  /// AVX-512's: x * 2^n, rounded once, for x and n of any magnitude; and 1 / x
  /// to 14 bits. In vectors of 512 bits, or, where registers are
  /// shorter, of 128 and 256 bits.
  bool avx512 = false;
  /// x86's sums of narrow integers, in vectors of this width and shorter: of
  /// eight bytes (PSADBW) and of products of two words (PMADDWD); of products
  /// of two bytes (PMADDUBSW); of four, or of two words, added to a number of
  /// 32 bits (VPDPBUSD, VPDPWSSD).
  bool sumsOfNarrow = false, bytePairs = false, byteDots = false;
  /// Of eight numbers of f32 in a register, each lane of another one takes the
  /// one that it says (VPERMPS).
  bool lookUps = false;
  /// f32 to bf16, with zero for what is subnormal, and a test for that, in
  /// vectors of 256 bits and as long as registers (VCVTNEPS2BF16, VFPCLASSPS).
  bool halfRounding = false;
  /// None without a matrix unit.
  TileRegisters tiles;
};

} // namespace ein

#endif // EIN_ABI_VECTORINSTRUCTIONS_H
