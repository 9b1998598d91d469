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
constexpr DotNumber s8 = DotNumber::S8, u8 = DotNumber::U8,
                    s16 = DotNumber::S16, f16 = DotNumber::F16,
                    bf16 = DotNumber::BF16, i32 = DotNumber::I32,
                    f32 = DotNumber::F32;

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
  return choice->product.name.str() + (choice->isSwapped ? " swapped" : "") +
         (choice->isOffset ? " offset" : "");
}

TEST(DotProducts, SignsOfBytesOnX86) {
  for (const char *cpu : {"icelake-server", "znver4", "alderlake"}) {
    TargetInfo target = get(x86, cpu);
    EXPECT_EQ(select(target, u8, s8, i32), "vpdpbusd") << cpu;
    EXPECT_EQ(select(target, s8, u8, i32), "vpdpbusd swapped") << cpu;
    EXPECT_EQ(select(target, s8, s8, i32), "vpdpbusd offset") << cpu;
    EXPECT_EQ(select(target, u8, u8, i32), "vpdpbusd swapped offset") << cpu;
    EXPECT_EQ(select(target, s8, s16, i32), "vpmaddwd") << cpu;
    EXPECT_EQ(select(target, s16, s16, i32), "vpmaddwd") << cpu;
  }
  for (const char *cpu : {"sierraforest", "grandridge"}) {
    TargetInfo target = get(x86, cpu);
    EXPECT_EQ(select(target, s8, s8, i32), "vpdpbssd") << cpu;
    EXPECT_EQ(select(target, u8, u8, i32), "vpdpbuud") << cpu;
    EXPECT_EQ(select(target, u8, s8, i32), "vpdpbusd") << cpu;
  }
  // Without VNNI, words; and never what saturates.
  for (const char *cpu : {"x86-64", "haswell", "skylake-avx512"})
    for (auto [lhs, rhs] : {std::pair(u8, s8), std::pair(s8, s8),
                            std::pair(u8, u8), std::pair(s16, u8)})
      EXPECT_EQ(select(get(x86, cpu), lhs, rhs, i32), "vpmaddwd") << cpu;
}

TEST(DotProducts, HalvesOnX86) {
  EXPECT_EQ(select(get(x86, "cooperlake"), bf16, bf16, f32), "vdpbf16ps");
  EXPECT_EQ(select(get(x86, "znver4"), bf16, bf16, f32), "vdpbf16ps");
  EXPECT_EQ(select(get(x86, "icelake-server"), bf16, bf16, f32), "none");
  EXPECT_EQ(select(get(x86, "haswell"), bf16, bf16, f32), "none");
}

TEST(DotProducts, Arm) {
  TargetInfo n1 = get(arm, "neoverse-n1");
  EXPECT_EQ(select(n1, s8, s8, i32), "sdot");
  EXPECT_EQ(select(n1, u8, u8, i32), "udot");
  EXPECT_EQ(select(n1, u8, s8, i32), "sdot offset");
  EXPECT_EQ(select(n1, s8, u8, i32), "udot offset");
  EXPECT_EQ(select(n1, bf16, bf16, f32), "none");
  for (const char *cpu : {"neoverse-n2", "neoverse-v2"}) {
    TargetInfo target = get(arm, cpu);
    EXPECT_EQ(select(target, s8, s8, i32), "smmla") << cpu;
    EXPECT_EQ(select(target, u8, u8, i32), "ummla") << cpu;
    EXPECT_EQ(select(target, u8, s8, i32), "usmmla") << cpu;
    EXPECT_EQ(select(target, s8, u8, i32), "usmmla swapped") << cpu;
    EXPECT_EQ(select(target, bf16, bf16, f32), "bfmmla") << cpu;
    // A block has two rows.
    EXPECT_EQ(select(target, s8, s8, i32, 1), "sdot") << cpu;
    EXPECT_EQ(select(target, bf16, bf16, f32, 2), "bfdot") << cpu;
    EXPECT_EQ(select(target, s8, s8, i32, 3), "smmla") << cpu;
  }
  EXPECT_EQ(select(get(arm, "generic"), s8, s8, i32), "none");
}

TEST(DotProducts, SveHasItsOwn) {
  TargetInfo v1 = get(arm, "neoverse-v1");
  EXPECT_EQ(select(v1, s8, s8, i32), "smmla.z");
  EXPECT_EQ(select(v1, s8, u8, i32), "usmmla.z swapped");
  EXPECT_EQ(select(v1, bf16, bf16, f32), "bfmmla.z");
  EXPECT_EQ(select(v1, s8, s8, i32, 1), "sdot.z");
  DotProduct product = selectDotProduct(v1, s8, s8, i32, {})->product;
  EXPECT_EQ(product.bits, 256u);
  EXPECT_TRUE(product.isScalable());
  // Of whole registers, which have blocks of two columns.
  EXPECT_EQ(getMicroKernels(v1, product, 100, 100).main.getNr(), 16u);
  TargetInfo a64fx = get(arm, "a64fx");
  EXPECT_EQ(select(a64fx, s8, s8, i32), "sdot.z");
  EXPECT_EQ(select(a64fx, u8, s8, i32), "sdot.z offset");
  EXPECT_EQ(select(a64fx, bf16, bf16, f32), "none");
  EXPECT_FALSE(selectDotProduct(get(arm, "neoverse-v2"), s8, s8, i32, {})
                   ->product.isScalable());
}

TEST(DotProducts, Tiles) {
  TargetInfo target = get(x86, "graniterapids");
  EXPECT_EQ(select(target, s8, s8, i32), "tdpbssd");
  EXPECT_EQ(select(target, s8, u8, i32), "tdpbsud");
  EXPECT_EQ(select(target, u8, s8, i32), "tdpbusd");
  EXPECT_EQ(select(target, u8, u8, i32), "tdpbuud");
  EXPECT_EQ(select(target, bf16, bf16, f32), "tdpbf16ps");
  EXPECT_EQ(select(target, f16, f16, f32), "tdpfp16ps");
  EXPECT_EQ(select(target, s16, s16, i32), "vpmaddwd");
  EXPECT_EQ(select(get(x86, "sapphirerapids"), f16, f16, f32), "none");
  // Up to two rows take vectors.
  EXPECT_EQ(select(target, u8, s8, i32, 2), "vpdpbusd");
  EXPECT_EQ(select(target, bf16, bf16, f32, 1), "vdpbf16ps");
  EXPECT_EQ(select(target, u8, s8, i32, 3), "tdpbusd");
  // There are none where nobody asks the system for them.
  EXPECT_EQ(
      select(get("x86_64-pc-windows-msvc", "sapphirerapids"), s8, s8, i32),
      "vpdpbusd offset");
  EXPECT_TRUE(hasHalfProducts(target));
  EXPECT_FALSE(hasHalfProducts(get(x86, "haswell")));

  DotProduct bytes = selectDotProduct(target, s8, s8, i32, {})->product;
  EXPECT_EQ(bytes.getDepth(), 64u);
  EXPECT_EQ(getBlocking(target, bytes, {32, 2, 16}).kc % 64, 0);
  // A block of A, 2048 bytes deep, has half of L2, and one of B half of L3.
  Blocking blocking = getBlocking(target, bytes, {32, 2, 16}, 2048);
  EXPECT_EQ(blocking.mc, int64_t(target.l2Bytes) / 2 / 2048);
  EXPECT_EQ(blocking.nc, int64_t(target.l3Bytes) / 2 / 2048);
  auto getShape = [&](std::optional<int64_t> rows,
                      std::optional<int64_t> columns) {
    MicroKernels kernels = getMicroKernels(target, bytes, rows, columns);
    EXPECT_FALSE(kernels.edge);
    return std::pair(kernels.main.mr, kernels.main.getNr());
  };
  EXPECT_EQ(getShape({}, {}), std::pair(32u, 32u));
  EXPECT_EQ(getShape(1000, 1000), std::pair(32u, 32u));
  EXPECT_EQ(getShape(21, 1000), std::pair(21u, 32u));
  EXPECT_EQ(getShape(5, 1000), std::pair(5u, 64u));
  EXPECT_EQ(getShape(16, 20), std::pair(16u, 32u));
  EXPECT_EQ(getShape(1000, 16), std::pair(64u, 16u));
  EXPECT_EQ(getShape({}, 3), std::pair(64u, 16u));
  EXPECT_EQ(getShape(0, 0), std::pair(1u, 16u));
}

TEST(DotProducts, OuterProducts) {
  TargetInfo m4 = get(arm, "apple-m4");
  EXPECT_EQ(select(m4, s8, s8, i32), "smopa");
  EXPECT_EQ(select(m4, s8, u8, i32), "sumopa");
  EXPECT_EQ(select(m4, u8, s8, i32), "usmopa");
  EXPECT_EQ(select(m4, u8, u8, i32), "umopa");
  EXPECT_EQ(select(m4, bf16, bf16, f32), "bfmopa");
  EXPECT_EQ(select(m4, f16, f16, f32), "fmopa");
  EXPECT_EQ(select(get(arm, "", "+sme"), bf16, bf16, f32), "bfmopa");
  // Up to two rows take vectors, and a model that has no rate does.
  EXPECT_EQ(select(m4, bf16, bf16, f32, 2), "bfdot");
  EXPECT_EQ(select(get(arm, "neoverse-v2", "+sme"), bf16, bf16, f32), "bfmmla");
  auto getName = [&](DotRegisters registers) {
    return selectDotProduct(m4, bf16, bf16, f32, {}, registers)->product.name;
  };
  EXPECT_EQ(getName(DotRegisters::Tiles), "bfmopa");
  EXPECT_EQ(getName(DotRegisters::Vectors), "bfmmla");

  // A step is a group, and not as many of them as a register has.
  DotProduct bytes = selectDotProduct(m4, s8, s8, i32, {})->product;
  EXPECT_TRUE(bytes.isOuter());
  EXPECT_FALSE(bytes.isScalable());
  EXPECT_EQ(bytes.getDepth(), 4u);
  MicroKernel kernel = getMicroKernels(m4, bytes, {}, {}).main;
  EXPECT_EQ(kernel.mr, 32u);
  EXPECT_EQ(kernel.getNr(), 32u);
  EXPECT_EQ(getMicroKernels(m4, bytes, 1000, 9).main.mr, 64u);
  EXPECT_TRUE(getTileRegisters(m4).isOuter);
  EXPECT_EQ(getTileRegisters(m4).count, 4);
  EXPECT_FALSE(getTileRegisters(get(x86, "graniterapids")).isOuter);
}

TEST(DotProducts, WidthsAreTheMachines) {
  EXPECT_TRUE(hasDotProduct(get(x86, "znver4"), "vpdpbusd"));
  std::optional<DotChoice> choice = selectDotProduct(
      get(x86, "znver4", "+prefer-256-bit"), u8, s8, i32, std::nullopt);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->product.bits, 256u);
  // AVX-512's instructions of 256 bits are VL's.
  EXPECT_EQ(select(get(x86, "haswell", "+avx512vnni,-avx512vl,+prefer-256-bit"),
                   u8, s8, i32),
            "vpmaddwd");
}

TEST(DotProducts, TilesAreOfWholeRegistersAndBlocks) {
  TargetInfo v2 = get(arm, "neoverse-v2"), zen = get(x86, "znver4");
  const DotProduct blocks = selectDotProduct(v2, s8, s8, i32, {})->product;
  for (int64_t rows : {3, 4, 5, 8, 100}) {
    MicroKernels kernels = getMicroKernels(v2, blocks, rows, 3);
    EXPECT_EQ(kernels.main.mr % 2, 0u);
    EXPECT_LE(kernels.main.mr, 8u);
    EXPECT_EQ(kernels.main.getNr(), 8u);
    EXPECT_FALSE(kernels.edge);
  }
  const DotProduct bytes = selectDotProduct(zen, u8, s8, i32, {})->product;
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
        DotProduct product = getDotProduct(number);
        // SVE's are as long as vectors.
        if (product.bits == 0)
          product.bits = bits;
        SCOPED_TRACE(product.name.str());
        auto getBits = [](DotNumber type) {
          return type == s8 || type == u8                     ? 8u
                 : type == s16 || type == bf16 || type == f16 ? 16u
                                                              : 32u;
        };
        EXPECT_EQ(getBits(product.lhs), getBits(product.rhs));
        unsigned elements = product.bits / getBits(product.lhs);
        unsigned factors = product.getLanes() * product.group;
        // A factor of an outer product is a vector.
        if (product.isOuter())
          elements /= product.rows;
        if (product.hasTiles())
          factors = product.rows * product.getDepth();
        else if (product.rows == 2)
          factors /= product.rows;
        EXPECT_EQ(factors, elements);
        EXPECT_TRUE(product.intrinsic.empty() ||
                    product.intrinsic.starts_with("llvm."));
      }
}

} // namespace
