//===- DotProductsTest.cpp - Instructions that add up products ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/DotProducts.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ein;

namespace {

constexpr const char *x86 = "x86_64-pc-linux-gnu";
constexpr const char *arm = "aarch64-linux-gnu";
constexpr DotNumber S8 = DotNumber::S8, U8 = DotNumber::U8,
                    S16 = DotNumber::S16, BF16 = DotNumber::BF16,
                    I32 = DotNumber::I32, F32 = DotNumber::F32;

TargetInfo get(const char *triple, const char *cpu, const char *features = "") {
  llvm::Expected<TargetInfo> target = getTarget(triple, cpu, features);
  if (!target) {
    ADD_FAILURE() << llvm::toString(target.takeError());
    return {};
  }
  return *target;
}

/// `vpdpbusd swapped offset`, or `none`.
std::string select(const TargetInfo &target, DotNumber lhs, DotNumber rhs,
                   DotNumber sum, std::optional<int64_t> rows = {}) {
  std::optional<DotChoice> choice =
      selectDotProduct(target, lhs, rhs, sum, rows);
  if (!choice)
    return "none";
  return choice->product->name.str() + (choice->isSwapped ? " swapped" : "") +
         (choice->isOffset ? " offset" : "");
}

TEST(DotProducts, SignsOfBytesOnX86) {
  for (const char *cpu :
       {"icelake-server", "sapphirerapids", "znver4", "alderlake"}) {
    TargetInfo target = get(x86, cpu);
    EXPECT_EQ(select(target, U8, S8, I32), "vpdpbusd") << cpu;
    EXPECT_EQ(select(target, S8, U8, I32), "vpdpbusd swapped") << cpu;
    EXPECT_EQ(select(target, S8, S8, I32), "vpdpbusd offset") << cpu;
    EXPECT_EQ(select(target, U8, U8, I32), "vpdpbusd swapped offset") << cpu;
    EXPECT_EQ(select(target, S8, S16, I32), "vpmaddwd") << cpu;
    EXPECT_EQ(select(target, S16, S16, I32), "vpmaddwd") << cpu;
  }
  for (const char *cpu : {"sierraforest", "grandridge"}) {
    TargetInfo target = get(x86, cpu);
    EXPECT_EQ(select(target, S8, S8, I32), "vpdpbssd") << cpu;
    EXPECT_EQ(select(target, U8, U8, I32), "vpdpbuud") << cpu;
    EXPECT_EQ(select(target, U8, S8, I32), "vpdpbusd") << cpu;
  }
  // Without VNNI, words; and never what saturates.
  for (const char *cpu : {"x86-64", "haswell", "skylake-avx512"})
    for (auto [lhs, rhs] : {std::pair(U8, S8), std::pair(S8, S8),
                            std::pair(U8, U8), std::pair(S16, U8)})
      EXPECT_EQ(select(get(x86, cpu), lhs, rhs, I32), "vpmaddwd") << cpu;
}

TEST(DotProducts, HalvesOnX86) {
  EXPECT_EQ(select(get(x86, "sapphirerapids"), BF16, BF16, F32), "vdpbf16ps");
  EXPECT_EQ(select(get(x86, "znver4"), BF16, BF16, F32), "vdpbf16ps");
  EXPECT_EQ(select(get(x86, "icelake-server"), BF16, BF16, F32), "none");
  EXPECT_EQ(select(get(x86, "haswell"), BF16, BF16, F32), "none");
}

TEST(DotProducts, Arm) {
  TargetInfo n1 = get(arm, "neoverse-n1");
  EXPECT_EQ(select(n1, S8, S8, I32), "sdot");
  EXPECT_EQ(select(n1, U8, U8, I32), "udot");
  EXPECT_EQ(select(n1, U8, S8, I32), "sdot offset");
  EXPECT_EQ(select(n1, S8, U8, I32), "udot offset");
  EXPECT_EQ(select(n1, BF16, BF16, F32), "none");
  for (const char *cpu : {"neoverse-v1", "neoverse-v2"}) {
    TargetInfo target = get(arm, cpu);
    EXPECT_EQ(select(target, S8, S8, I32), "smmla") << cpu;
    EXPECT_EQ(select(target, U8, U8, I32), "ummla") << cpu;
    EXPECT_EQ(select(target, U8, S8, I32), "usmmla") << cpu;
    EXPECT_EQ(select(target, S8, U8, I32), "usmmla swapped") << cpu;
    EXPECT_EQ(select(target, BF16, BF16, F32), "bfmmla") << cpu;
    // A block has two rows.
    EXPECT_EQ(select(target, S8, S8, I32, 1), "sdot") << cpu;
    EXPECT_EQ(select(target, BF16, BF16, F32, 2), "bfdot") << cpu;
    EXPECT_EQ(select(target, S8, S8, I32, 3), "smmla") << cpu;
  }
  EXPECT_EQ(select(get(arm, "generic"), S8, S8, I32), "none");
}

TEST(DotProducts, WidthsAreTheMachines) {
  EXPECT_TRUE(hasDotProduct(get(x86, "znver4"), "vpdpbusd"));
  std::optional<DotChoice> choice = selectDotProduct(
      get(x86, "znver4", "+prefer-256-bit"), U8, S8, I32, std::nullopt);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->product->bits, 256u);
  // AVX-512's instructions of 256 bits are VL's.
  EXPECT_EQ(select(get(x86, "haswell", "+avx512vnni,-avx512vl,+prefer-256-bit"),
                   U8, S8, I32),
            "vpmaddwd");
}

TEST(DotProducts, TilesAreOfWholeRegistersAndBlocks) {
  TargetInfo v1 = get(arm, "neoverse-v1"), zen = get(x86, "znver4");
  const DotProduct &blocks = *selectDotProduct(v1, S8, S8, I32, {})->product;
  for (int64_t rows : {3, 4, 5, 8, 100}) {
    MicroKernels kernels = getMicroKernels(v1, blocks, rows, 3);
    EXPECT_EQ(kernels.main.mr % 2, 0u);
    EXPECT_LE(kernels.main.mr, 8u);
    EXPECT_EQ(kernels.main.getNr(), 8u);
    EXPECT_FALSE(kernels.edge);
  }
  const DotProduct &bytes = *selectDotProduct(zen, U8, S8, I32, {})->product;
  for (int64_t columns : {1, 7, 16, 33, 100}) {
    MicroKernels kernels = getMicroKernels(zen, bytes, 64, columns);
    EXPECT_EQ(kernels.main.lanes, 16u);
    if (kernels.edge) {
      EXPECT_EQ(kernels.edge->lanes, 16u);
      EXPECT_LE(kernels.edge->getNr(), kernels.main.getNr());
    }
  }
  // A step of k is a group, which blocks do not cut.
  for (const DotProduct *product : {&blocks, &bytes}) {
    Blocking blocking =
        getBlocking(zen, *product, getMicroKernels(zen, 32, {}, {}).main);
    EXPECT_EQ(blocking.kc % product->group, 0);
  }
}

/// Each line has a family that there is, groups that fill the lanes, and
/// operands that instructions have.
TEST(DotProducts, TheTableIsSound) {
  for (const char *family : {"x86", "aarch64"})
    for (unsigned bits : {128u, 256u, 512u})
      for (unsigned number : findDotProducts(
               family, [](llvm::StringRef) { return true; }, bits)) {
        const DotProduct &product = getDotProduct(number);
        SCOPED_TRACE(product.name.str());
        auto getBits = [](DotNumber type) {
          return type == S8 || type == U8      ? 8u
                 : type == S16 || type == BF16 ? 16u
                                               : 32u;
        };
        EXPECT_EQ(getBits(product.lhs), getBits(product.rhs));
        unsigned elements = bits / getBits(product.lhs);
        unsigned factors = product.rows == 2
                               ? product.rows * product.group
                               : product.getLanes() * product.group;
        EXPECT_EQ(factors, elements);
        EXPECT_TRUE(product.intrinsic.empty() ||
                    product.intrinsic.starts_with("llvm."));
      }
}

} // namespace
