//===- RequiredFeaturesTest.cpp - What instructions need of a CPU ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The features are those of the manuals (X86Features.def names them). For x86,
// all that GNU's assembler of binutils 2.40 knows was compared with what it
// refuses without a feature: 13,915 forms of instructions.
//
//===----------------------------------------------------------------------===//

#include "target/RequiredFeatures.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ein;

namespace {

struct Case {
  const char *assembly;
  const char *bytes; // hexadecimal
  const char *features;
  const char *cpu;
};

std::string print(const RequiredCpu &cpu) {
  std::string text = cpu.level;
  for (const std::string &feature : cpu.features)
    text += "+" + feature;
  return text;
}

std::unique_ptr<FeatureReader> getReader(const char *triple) {
  llvm::Expected<std::unique_ptr<FeatureReader>> reader =
      FeatureReader::create(triple);
  EXPECT_TRUE(bool(reader)) << llvm::toString(reader.takeError());
  return std::move(*reader);
}

void check(const char *triple, llvm::ArrayRef<Case> cases) {
  std::unique_ptr<FeatureReader> reader = getReader(triple);
  // What is known of one form must not leak into others, in either order.
  for (int round = 0; round < 2; ++round)
    for (const Case &entry : cases) {
      SCOPED_TRACE(entry.assembly);
      std::string bytes = llvm::fromHex(entry.bytes);
      // Something follows.
      std::string padded = bytes + std::string(16, '\0');
      auto instruction =
          reader->read(llvm::arrayRefFromStringRef(padded), 0x1000);
      ASSERT_TRUE(instruction.has_value());
      EXPECT_EQ(instruction->size, bytes.size());
      const FeatureNames &features = reader->getFeatures(instruction->features);
      EXPECT_EQ(llvm::join(features, " "), entry.features);
      EXPECT_EQ(print(reader->getCpu(features)), entry.cpu);
    }
}

TEST(RequiredFeatures, X86) {
  check(
      "x86_64-linux-gnu",
      {
          {"addps %xmm1, %xmm0", "0f58c1", "", "x86-64"},
          {"pextrw $0x1, %xmm0, %eax", "660fc5c001", "", "x86-64"},
          {"pextrw $0x1, %xmm0, (%rax)", "660f3a150001", "sse4.1", "x86-64-v2"},
          {"endbr64", "f30f1efa", "", "x86-64"},
          {"tzcntl %eax, %eax", "f30fbcc0", "", "x86-64"},
          {"lzcntl %eax, %eax", "f30fbdc0", "lzcnt", "x86-64-v3"},
          {"popcntl %eax, %eax", "f30fb8c0", "popcnt", "x86-64-v2"},
          {"crc32l %eax, %ecx", "f20f38f1c8", "crc32", "x86-64-v2"},
          {"cmpxchg16b (%rax)", "480fc708", "cx16", "x86-64-v2"},
          {"lahf", "9f", "sahf", "x86-64-v2"},
          {"fisttps (%rax)", "df08", "sse3", "x86-64-v2"},
          {"haddps %xmm1, %xmm0", "f20f7cc1", "sse3", "x86-64-v2"},
          {"pshufb %xmm1, %xmm0", "660f3800c1", "ssse3", "x86-64-v2"},
          {"pmulld %xmm1, %xmm0", "660f3840c1", "sse4.1", "x86-64-v2"},
          {"pcmpgtq %xmm1, %xmm0", "660f3837c1", "sse4.2", "x86-64-v2"},
          {"movntss %xmm0, (%rax)", "f30f2b00", "sse4a", "x86-64-v2+sse4a"},
          {"movbel (%rax), %eax", "0f38f000", "movbe", "x86-64-v3"},
          {"aesenc %xmm1, %xmm0", "660f38dcc1", "aes", "x86-64+aes"},
          {"pclmulqdq $0x0, %xmm1, %xmm0", "660f3a44c100", "pclmul",
           "x86-64+pclmul"},
          {"sha256msg1 %xmm1, %xmm0", "0f38ccc1", "sha", "x86-64+sha"},
          {"rdrandl %eax", "0fc7f0", "rdrnd", "x86-64+rdrnd"},
          {"xbegin .", "c7f800000000", "rtm", "x86-64+rtm"},
          {"xgetbv", "0f01d0", "xsave", "x86-64-v3"},
          {"vaddps %ymm1, %ymm2, %ymm3", "c5ec58d9", "avx", "x86-64-v3"},
          {"vpaddd %xmm1, %xmm2, %xmm3", "c5e9fed9", "avx", "x86-64-v3"},
          {"vpaddd %ymm1, %ymm2, %ymm3", "c5edfed9", "avx avx2", "x86-64-v3"},
          {"vptest %ymm1, %ymm2", "c4e27d17d1", "avx", "x86-64-v3"},
          {"vpermilps $0x1, %ymm1, %ymm2", "c4e37d04d101", "avx", "x86-64-v3"},
          {"vbroadcastss (%rax), %ymm1", "c4e27d1808", "avx", "x86-64-v3"},
          {"vbroadcastss %xmm0, %ymm1", "c4e27d18c8", "avx avx2", "x86-64-v3"},
          {"vpgatherdd %xmm0, (%rax,%xmm1), %xmm2", "c4e279901408", "avx avx2",
           "x86-64-v3"},
          {"vfmadd231ps %ymm1, %ymm2, %ymm3", "c4e26db8d9", "avx fma",
           "x86-64-v3"},
          {"vcvtph2ps %xmm0, %ymm1", "c4e27d13c8", "avx f16c", "x86-64-v3"},
          {"vfmaddps %xmm0, %xmm1, %xmm2, %xmm3", "c4e3e968d810", "avx fma4",
           "x86-64-v3+fma4"},
          {"andnl %eax, %ecx, %edx", "c4e270f2d0", "bmi", "x86-64-v3"},
          {"mulxl %eax, %ecx, %edx", "c4e273f6d0", "bmi2", "x86-64-v3"},
          {"vpcomled %xmm0, %xmm1, %xmm2", "8fe870ced001", "xop",
           "x86-64-v3+xop"},
          {"blcsl %eax, %ecx", "8fe97001d8", "tbm", "x86-64+tbm"},
          {"vaesenc %xmm1, %xmm2, %xmm3", "c4e269dcd9", "aes avx",
           "x86-64-v3+aes"},
          {"vaesenc %ymm1, %ymm2, %ymm3", "c4e26ddcd9", "avx vaes",
           "x86-64-v3+vaes"},
          {"{vex} vpdpbusd %ymm1, %ymm2, %ymm3", "c4e26d50d9", "avx avxvnni",
           "x86-64-v3+avxvnni"},
          {"{vex} vpmadd52luq %ymm1, %ymm2, %ymm3", "c4e2edb4d9", "avx avxifma",
           "x86-64-v3+avxifma"},
          {"vpdpbssd %ymm1, %ymm2, %ymm3", "c4e26f50d9", "avx avxvnniint8",
           "x86-64-v3+avxvnniint8"},
          {"tdpbssd %tmm1, %tmm2, %tmm3", "c4e2735eda", "amx-int8",
           "x86-64+amx-int8"},
          {"tilezero %tmm1", "c4e27b49c8", "amx-tile", "x86-64+amx-tile"},
          {"kmovw %eax, %k1", "c5f892c8", "avx512f", "x86-64-v4"},
          {"kmovb %eax, %k1", "c5f992c8", "avx512dq", "x86-64-v4"},
          {"kmovd %eax, %k1", "c5fb92c8", "avx512bw", "x86-64-v4"},
          {"vaddps %zmm1, %zmm2, %zmm3", "62f16c4858d9", "avx512f",
           "x86-64-v4"},
          {"vaddps %ymm17, %ymm2, %ymm3", "62b16c2858d9", "avx512f avx512vl",
           "x86-64-v4"},
          {"vaddss %xmm17, %xmm2, %xmm3", "62b16e0858d9", "avx512f",
           "x86-64-v4"},
          {"vaddps {rn-sae}, %zmm1, %zmm2, %zmm3", "62f16c1858d9", "avx512f",
           "x86-64-v4"},
          {"vpmaxsd %xmm17, %xmm2, %xmm3", "62b26d083dd9", "avx512f avx512vl",
           "x86-64-v4"},
          {"vpaddb %zmm1, %zmm2, %zmm3", "62f16d48fcd9", "avx512bw avx512f",
           "x86-64-v4"},
          {"vandps %zmm1, %zmm2, %zmm3", "62f16c4854d9", "avx512dq avx512f",
           "x86-64-v4"},
          {"vpconflictd %zmm1, %zmm2", "62f27d48c4d1", "avx512cd avx512f",
           "x86-64-v4"},
          {"vpermb %zmm1, %zmm2, %zmm3", "62f26d488dd9", "avx512f avx512vbmi",
           "x86-64-v4+avx512vbmi"},
          {"vpmadd52luq %zmm1, %zmm2, %zmm3", "62f2ed48b4d9",
           "avx512f avx512ifma", "x86-64-v4+avx512ifma"},
          {"vpdpbusd %zmm1, %zmm2, %zmm3", "62f26d4850d9", "avx512f avx512vnni",
           "x86-64-v4+avx512vnni"},
          {"vdpbf16ps %zmm1, %zmm2, %zmm3", "62f26e4852d9",
           "avx512bf16 avx512f", "x86-64-v4+avx512bf16"},
          {"vaddph %zmm1, %zmm2, %zmm3", "62f56c4858d9", "avx512f avx512fp16",
           "x86-64-v4+avx512fp16"},
          {"vcmpltph %zmm1, %zmm2, %k1", "62f36c48c2c901", "avx512f avx512fp16",
           "x86-64-v4+avx512fp16"},
          {"vaesenc %zmm1, %zmm2, %zmm3", "62f26d48dcd9", "avx512f vaes",
           "x86-64-v4+vaes"},
          {"vpextrd $0x1, %xmm17, %eax", "62e37d0816c801", "avx512dq avx512f",
           "x86-64-v4"},
          {"vp2intersectd %zmm1, %zmm2, %k0", "62f26f4868c1",
           "avx512f avx512vp2intersect", "x86-64-v4+avx512vp2intersect"},
          {"vaddbf16 %zmm1, %zmm2, %zmm3", "62f56d4858d9", "avx10.2 avx512f",
           "x86-64-v4+avx10.2"},
          {"vmovd %xmm17, %eax", "62e17d087ec8", "avx512f", "x86-64-v4"},
          {"addl %eax, %r16d", "d51001c0", "egpr", "x86-64+egpr"},
          {"addq %rax, %rcx, %rdx", "62f4ec1801c1", "egpr", "x86-64+egpr"},
          {"vmovaps (%r17), %zmm1", "62f97c482809", "avx512f egpr",
           "x86-64-v4+egpr"},
      });
}

TEST(RequiredFeatures, AArch64) {
  check("aarch64-linux-gnu",
        {
            {"add x0, x1, x2", "2000028b", "", "armv8-a"},
            {"fmla v0.4s, v1.4s, v2.4s", "20cc224e", "", "armv8-a"},
            {"paciasp", "3f2303d5", "", "armv8-a"},
            {"ldaddal w0, w1, [x2]", "4100e0b8", "lse", "armv8-a+lse"},
            {"crc32x w0, w1, x2", "204cc29a", "crc", "armv8-a+crc"},
            {"aese v0.16b, v1.16b", "2048284e", "aes", "armv8-a+aes"},
            {"sdot v0.4s, v1.16b, v2.16b", "2094824e", "dotprod",
             "armv8-a+dotprod"},
            {"smmla v0.4s, v1.16b, v2.16b", "20a4824e", "i8mm", "armv8-a+i8mm"},
            {"bfmmla v0.4s, v1.8h, v2.8h", "20ec426e", "bf16", "armv8-a+bf16"},
            {"fadd v0.8h, v1.8h, v2.8h", "2014424e", "fullfp16",
             "armv8-a+fullfp16"},
            {"fmla z0.s, p0/m, z1.s, z2.s", "2000a265", "sve", "armv8-a+sve"},
            {"smlalb z0.s, z1.h, z2.h", "20408244", "sve2", "armv8-a+sve2"},
        });
}

TEST(RequiredFeatures, RISCV) {
  check("riscv64-linux-gnu",
        {
            {"add a0, a0, a1", "3305b500", "", "rv64i"},
            {"mul a0, a0, a1", "3305b502", "zmmul", "rv64gc"},
            {"div a0, a0, a1", "3345b502", "m", "rv64gc"},
            {"fadd.d fa0, fa0, fa1", "5375b502", "d", "rv64gc"},
            {"c.mv a0, a1", "2e85", "zca", "rv64gc"},
            {"sh1add a0, a0, a1", "3325b520", "zba", "rva22u64"},
            {"vadd.vv v0, v1, v2", "57001102", "zve32x", "rva23u64"},
        });
}

TEST(RequiredFeatures, CpuOfSeveral) {
  std::unique_ptr<FeatureReader> reader = getReader("x86_64-linux-gnu");
  EXPECT_EQ(print(reader->getCpu({})), "x86-64");
  EXPECT_EQ(print(reader->getCpu({"aes", "sse3"})), "x86-64-v2+aes");
  // What another one brings along is not said; what no level has is.
  EXPECT_EQ(print(reader->getCpu({"avx512bf16", "avx512bw", "xop"})),
            "x86-64-v4+avx512bf16+xop");
  EXPECT_EQ(print(reader->getCpu({"aes", "vaes"})), "x86-64-v3+vaes");
  EXPECT_EQ(print(reader->getCpu({"3dnow"})), "x86-64+3dnow");
}

TEST(RequiredFeatures, NoInstruction) {
  std::unique_ptr<FeatureReader> reader = getReader("x86_64-linux-gnu");
  EXPECT_FALSE(reader->read({}, 0).has_value());
  EXPECT_FALSE(reader->read({0x06}, 0).has_value()); // push es, of 32 bits
  EXPECT_FALSE(reader->read({0x62, 0xf1}, 0).has_value()); // cut off
}

TEST(RequiredFeatures, UnknownArchitectures) {
  using testing::HasSubstr;
  auto getMessage = [](const char *triple) {
    llvm::Expected<std::unique_ptr<FeatureReader>> reader =
        FeatureReader::create(triple);
    return reader ? std::string() : llvm::toString(reader.takeError());
  };
  EXPECT_THAT(getMessage("powerpc64le-linux-gnu"),
              HasSubstr("knows no levels of CPUs of `powerpc64le`"));
  EXPECT_THAT(getMessage("i386-linux-gnu"), HasSubstr("`i386`"));
  EXPECT_THAT(getMessage("nvptx64-nvidia-cuda"),
              HasSubstr("no disassembler for `nvptx64`"));
  EXPECT_THAT(getMessage("cray1-unknown-none"),
              HasSubstr("no disassembler for `cray1`"));
}

} // namespace
