//===- TargetTest.cpp - Machine facts, micro-kernels, blocking ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/Target.h"
#include "target/DotKernel.h"
#include "target/DotProducts.h"
#include "target/SumRegisters.h"
#include "target/WindowKernel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ein;
using testing::HasSubstr;

namespace {

constexpr const char *x86 = "x86_64-pc-linux-gnu";
constexpr const char *arm = "aarch64-linux-gnu";

TargetInfo get(const char *triple, const char *cpu, const char *features) {
  llvm::Expected<TargetInfo> target = getTarget(triple, cpu, features);
  if (!target) {
    ADD_FAILURE() << llvm::toString(target.takeError());
    return {};
  }
  return *target;
}

std::string getError(const char *triple, const char *cpu,
                     const char *features) {
  llvm::Expected<TargetInfo> target = getTarget(triple, cpu, features);
  return target ? "no error" : llvm::toString(target.takeError());
}

TEST(Target, X86PairsOfWordsNeedTheFullWidth) {
  EXPECT_TRUE(hasDotProduct(get(x86, "", ""), "vpmaddwd"));
  // AVX's integers are of 128 bits, AVX-512's bytes and words an extension.
  EXPECT_FALSE(hasDotProduct(get(x86, "", "+avx"), "vpmaddwd"));
  EXPECT_TRUE(hasDotProduct(get(x86, "haswell", ""), "vpmaddwd"));
  EXPECT_FALSE(hasDotProduct(get(x86, "haswell", "+avx512f"), "vpmaddwd"));
  EXPECT_TRUE(hasDotProduct(get(x86, "skylake-avx512", ""), "vpmaddwd"));
  EXPECT_FALSE(hasDotProduct(get(arm, "neoverse-n1", ""), "vpmaddwd"));
}

TEST(Target, X86WidthsFollowFeatures) {
  TargetInfo sse = get(x86, "", "");
  EXPECT_EQ(sse.cpu, "x86-64");
  EXPECT_EQ(sse.vectorBits, 128u);
  EXPECT_EQ(sse.vectorRegisters, 16u);
  EXPECT_FALSE(sse.fma);
  EXPECT_FALSE(sse.maskedOps);

  TargetInfo avx = get(x86, "", "+avx");
  EXPECT_EQ(avx.vectorBits, 256u);
  EXPECT_FALSE(avx.fma);

  TargetInfo avx2 = get(x86, "haswell", "");
  EXPECT_EQ(avx2.vectorBits, 256u);
  EXPECT_EQ(avx2.vectorRegisters, 16u);
  EXPECT_TRUE(avx2.fma);
  EXPECT_FALSE(avx2.maskedOps);

  TargetInfo avx512 = get(x86, "skylake-avx512", "");
  EXPECT_EQ(avx512.vectorBits, 512u);
  EXPECT_EQ(avx512.vectorRegisters, 32u);
  EXPECT_TRUE(avx512.fma);
  EXPECT_TRUE(avx512.maskedOps);
}

TEST(Target, FeaturesDecideAndNamesDoNot) {
  // A name that stands for AVX-512 and flags that take it away.
  EXPECT_EQ(get(x86, "skylake-avx512", "-avx512f").vectorBits, 256u);
  // A name that stands for nothing and flags that bring it.
  TargetInfo target = get(x86, "x86-64", "+avx512f,+avx512vl");
  EXPECT_EQ(target.vectorBits, 512u);
  EXPECT_EQ(target.l2Bytes, get(x86, "skylake-avx512", "").l2Bytes);
}

TEST(Target, NarrowerVectorsOnRequestOnly) {
  // LLVM's table makes this CPU prefer 256 bits; only a flag does so here.
  EXPECT_EQ(get(x86, "icelake-server", "").vectorBits, 512u);
  TargetInfo target = get(x86, "icelake-server", "+prefer-256-bit");
  EXPECT_EQ(target.vectorBits, 256u);
  EXPECT_EQ(target.vectorRegisters, 32u);
  EXPECT_TRUE(target.maskedOps);
}

TEST(Target, AArch64) {
  TargetInfo neon = get(arm, "", "");
  EXPECT_EQ(neon.vectorBits, 128u);
  EXPECT_EQ(neon.vectorRegisters, 32u);
  EXPECT_TRUE(neon.fma);
  EXPECT_FALSE(neon.maskedOps);
  EXPECT_TRUE(get(arm, "neoverse-v1", "").maskedOps);
}

TEST(Target, ArithmeticOfHalfPrecision) {
  EXPECT_FALSE(get(x86, "skylake-avx512", "").halfArithmetic);
  EXPECT_TRUE(get(x86, "sapphirerapids", "").halfArithmetic);
  EXPECT_TRUE(get(x86, "graniterapids", "+prefer-256-bit").halfArithmetic);
  EXPECT_FALSE(get(x86, "sapphirerapids", "-avx512fp16").halfArithmetic);
  EXPECT_FALSE(get(arm, "", "").halfArithmetic);
  EXPECT_FALSE(get(arm, "cortex-a72", "").halfArithmetic);
  EXPECT_TRUE(get(arm, "neoverse-n1", "").halfArithmetic);
  EXPECT_TRUE(get(arm, "a64fx", "").halfArithmetic);
}

TEST(Target, LengthsOfSVE) {
  auto describe = [](const char *triple, const char *cpu, const char *features,
                     unsigned sveBits) {
    llvm::Expected<TargetInfo> target =
        getTarget(triple, cpu, features, sveBits);
    if (!target)
      return llvm::toString(target.takeError());
    return std::to_string(target->vectorBits) + " " +
           std::to_string(target->sveBits);
  };
  // Those of known length, which code relies on, and all others.
  EXPECT_EQ(describe(arm, "neoverse-v1", "", 0), "256 256");
  EXPECT_EQ(describe(arm, "neoverse-512tvb", "", 0), "256 256");
  EXPECT_EQ(describe(arm, "a64fx", "", 0), "512 512");
  for (const char *cpu : {"neoverse-v2", "neoverse-n2", "grace", "cortex-x2"})
    EXPECT_EQ(describe(arm, cpu, "", 0), "128 0") << cpu;
  EXPECT_EQ(describe(arm, "", "+sve", 0), "128 0");
  EXPECT_EQ(describe(arm, "neoverse-v1", "-sve", 0), "128 0");
  EXPECT_EQ(describe(arm, "neoverse-n1", "", 0), "128 0");
  // A user knows better.
  EXPECT_EQ(describe(arm, "neoverse-v1", "", 128), "128 0");
  EXPECT_EQ(describe(arm, "neoverse-v2", "", 256), "256 256");
  EXPECT_EQ(describe(arm, "", "+sve", 2048), "2048 2048");
  EXPECT_EQ(describe(arm, "", "+sve", 384),
            "SVE's vectors have 128, 256, 512, 1024 or 2048 bits, not 384");
  EXPECT_EQ(describe(arm, "", "+sve", 4096),
            "SVE's vectors have 128, 256, 512, 1024 or 2048 bits, not 4096");
  EXPECT_EQ(describe(arm, "neoverse-n1", "", 256),
            "the CPU has no SVE, whose vectors are to be of 256 bits; name one "
            "that has, or add `+sve` to the features");
  EXPECT_EQ(describe(x86, "haswell", "", 256),
            "`x86_64` has no SVE, whose vectors are to be of 256 bits");
}

TEST(Target, UnknownFamiliesGetGenericFacts) {
  TargetInfo riscv = get("riscv64-unknown-linux-gnu", "", "");
  EXPECT_EQ(riscv.vectorBits, 128u);
  EXPECT_EQ(getMicroKernel(riscv, 32).mr, 4u);
}

TEST(Target, MicroKernels) {
  auto shape = [](const TargetInfo &target, unsigned bits) {
    MicroKernel kernel = getMicroKernel(target, bits);
    return std::make_pair(kernel.mr, kernel.getNr());
  };
  EXPECT_EQ(shape(get(x86, "znver4", ""), 32), std::make_pair(6u, 64u));
  EXPECT_EQ(shape(get(x86, "znver4", ""), 64), std::make_pair(6u, 32u));
  EXPECT_EQ(shape(get(x86, "haswell", ""), 32), std::make_pair(6u, 16u));
  EXPECT_EQ(shape(get(x86, "haswell", ""), 64), std::make_pair(6u, 8u));
  EXPECT_EQ(shape(get(x86, "", ""), 32), std::make_pair(4u, 8u));
  EXPECT_EQ(shape(get(arm, "", ""), 32), std::make_pair(5u, 16u));
  EXPECT_EQ(shape(get(arm, "", ""), 64), std::make_pair(5u, 8u));
}

/// Two sums for each element take twice the registers.
TEST(Target, MicroKernelsOfComplexNumbers) {
  TargetInfo avx512 = get(x86, "znver4", ""), avx2 = get(x86, "haswell", "");
  for (const TargetInfo &target : {avx512, avx2})
    for (std::optional<int64_t> rows :
         {std::optional<int64_t>(), std::optional<int64_t>(1),
          std::optional<int64_t>(16)}) {
      MicroKernel one = getMicroKernels(target, 64, rows, std::nullopt).main;
      MicroKernel two =
          getMicroKernels(target, 64, rows, std::nullopt, /*sums=*/2).main;
      EXPECT_GE(two.mr, 1u);
      EXPECT_LE((2 * two.mr + 1) * two.nrVectors, target.vectorRegisters);
      EXPECT_EQ(two.lanes, one.lanes);
    }
  MicroKernel open =
      getMicroKernels(avx512, 64, std::nullopt, std::nullopt, 2).main;
  EXPECT_EQ(open.mr, 3u);
  EXPECT_EQ(open.nrVectors, 4u);
}

TEST(Target, MicroKernelsFitC) {
  TargetInfo avx512 = get(x86, "znver4", "");
  auto shapes = [&](std::optional<int64_t> rows,
                    std::optional<int64_t> columns) {
    MicroKernels kernels = getMicroKernels(avx512, 32, rows, columns);
    std::vector<unsigned> list = {kernels.main.mr, kernels.main.nrVectors};
    if (kernels.edge) {
      list.push_back(kernels.edge->mr);
      list.push_back(kernels.edge->nrVectors);
    }
    return list;
  };
  using Shapes = std::vector<unsigned>;
  EXPECT_EQ(shapes(std::nullopt, std::nullopt), Shapes({6, 4}));
  EXPECT_EQ(shapes(64, 64), Shapes({6, 4}));
  EXPECT_EQ(shapes(16, 16), Shapes({16, 1}));
  EXPECT_EQ(shapes(24, 24), Shapes({12, 2}));
  // Few rows: wider ones.
  EXPECT_EQ(shapes(1, 512), Shapes({1, 8}));
  EXPECT_EQ(shapes(4, 512).at(1), 4u);
  // 80 columns are 64 and 16, 48 are 32 and 16.
  EXPECT_EQ(shapes(57, 80), Shapes({6, 4, 19, 1}));
  EXPECT_EQ(shapes(512, 48).at(1), 2u);
  EXPECT_EQ(shapes(512, 48).at(3), 1u);
  // No columns at all.
  EXPECT_EQ(shapes(0, 0).size(), 2u);
}

TEST(Target, DotKernels) {
  using Shape = std::vector<unsigned>;
  auto shape = [](const TargetInfo &target, std::optional<int64_t> rows,
                  std::optional<int64_t> columns) {
    DotKernel kernel = getDotKernel(target, rows, columns);
    return Shape{kernel.rows, kernel.columns, kernel.unroll};
  };
  TargetInfo avx512 = get(x86, "znver4", "");
  EXPECT_EQ(shape(avx512, 1, 4096), Shape({1, 8, 1}));
  EXPECT_EQ(shape(avx512, 4, std::nullopt), Shape({4, 6, 1}));
  EXPECT_EQ(shape(avx512, 16, 4096), Shape({4, 6, 1}));
  EXPECT_EQ(shape(avx512, 4096, 3), Shape({8, 3, 1}));
  // A dot has to have as many accumulators as hide the latency of an addition.
  EXPECT_EQ(shape(avx512, 1, 1), Shape({1, 1, 8}));
  EXPECT_EQ(shape(get(x86, "haswell", ""), 1, 1), Shape({1, 1, 8}));
  EXPECT_EQ(shape(get(x86, "haswell", ""), 4, 4096)[0], 2u);
}

TEST(Target, WindowKernels) {
  TargetInfo avx512 = get(x86, "znver4", ""), avx2 = get(x86, "haswell", "");
  auto list = [](const TargetInfo &target, const WindowNest &nest) {
    std::vector<WindowKernel> kernels = listWindowKernels(target, 32, nest);
    EXPECT_EQ(kernels.front().getNumSums(), 1);
    for (const WindowKernel &kernel : kernels) {
      EXPECT_LT(kernel.getNumSums() * (nest.isTracked ? 2 : 1),
                int64_t(target.vectorRegisters));
      EXPECT_LE(llvm::count_if(kernel.rows, [](int64_t n) { return n > 1; }),
                2);
    }
    return kernels;
  };
  auto has = [](llvm::ArrayRef<WindowKernel> kernels, std::vector<int64_t> rows,
                int64_t vectors) {
    return llvm::any_of(kernels, [&](const WindowKernel &kernel) {
      return kernel.rows == rows && kernel.vectors == vectors;
    });
  };
  // Images of h by w, and 64 channels.
  WindowNest image = {
      {56, 56}, 64, {{{true, true}, false}, {{false, false}, true}}};
  EXPECT_TRUE(has(list(avx512, image), {1, 6}, 4));
  EXPECT_TRUE(has(list(avx2, image), {2, 3}, 2));
  EXPECT_FALSE(has(list(avx2, image), {1, 7}, 2)); // no register is left
  // No more rows than there are, and no more vectors.
  EXPECT_TRUE(has(list(avx512, {{1, 7}, 32}), {1, 7}, 2));
  for (const WindowKernel &kernel : list(avx512, {{1, 7}, 32})) {
    EXPECT_EQ(kernel.rows[0], 1);
    EXPECT_LE(kernel.rows[1], 7);
    EXPECT_LE(kernel.vectors, 2);
  }
  // What is tracked has several vectors for each sum.
  image.isTracked = true;
  EXPECT_TRUE(has(list(avx2, image), {2, 2}, 1));
  EXPECT_FALSE(has(list(avx2, image), {2, 3}, 1));
  // Open sizes have no limit but registers; few columns are one short vector.
  EXPECT_TRUE(has(list(avx512, {{}, std::nullopt}), {}, 8));
  std::vector<WindowKernel> few = list(avx512, {{}, 5});
  ASSERT_EQ(few.size(), 1u);
  EXPECT_EQ(few.front().lanes, 8);
}

struct Machine {
  const char *triple;
  const char *cpu;
};

class EveryMachine : public testing::TestWithParam<Machine> {};

TEST_P(EveryMachine, TileFitsRegisters) {
  TargetInfo target = get(GetParam().triple, GetParam().cpu, "");
  for (unsigned bits : {32u, 64u}) {
    MicroKernel kernel = getMicroKernel(target, bits);
    // Accumulators, a row of B and at least one register for A.
    EXPECT_LE(kernel.mr * kernel.nrVectors + kernel.nrVectors + 1,
              target.vectorRegisters);
  }
}

TEST_P(EveryMachine, DotTileFitsRegisters) {
  TargetInfo target = get(GetParam().triple, GetParam().cpu, "");
  for (int64_t rows : {1, 2, 3, 4, 5, 8, 16, 100}) {
    DotKernel kernel = getDotKernel(target, rows, std::nullopt);
    // Accumulators, the vectors of one side and one of the other.
    EXPECT_LE(kernel.rows * kernel.columns * kernel.unroll +
                  std::min(kernel.rows, kernel.columns) + 1,
              target.vectorRegisters)
        << rows;
  }
}

TEST_P(EveryMachine, BlocksFitCaches) {
  TargetInfo target = get(GetParam().triple, GetParam().cpu, "");
  for (unsigned bits : {8u, 16u, 32u, 64u, 128u}) {
    MicroKernel kernel = getMicroKernel(target, bits);
    Blocking blocking = getBlocking(target, bits, kernel);
    uint64_t bytes = bits / 8;
    unsigned nr = kernel.getNr();
    EXPECT_EQ(blocking.mc % kernel.mr, 0);
    EXPECT_EQ(blocking.nc % nr, 0);
    EXPECT_GE(blocking.kc, 64);
    EXPECT_EQ(blocking.kc % 8, 0);
    EXPECT_LE(blocking.nc, 4096);
    EXPECT_LE(blocking.kc * nr * bytes, target.l2Bytes / 4);
    EXPECT_LE(blocking.mc * blocking.kc * bytes, target.l2Bytes / 2);
    EXPECT_LE(blocking.nc * blocking.kc * bytes, target.l3Bytes / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Target, EveryMachine,
    testing::Values(Machine{x86, ""}, Machine{x86, "haswell"},
                    Machine{x86, "znver3"}, Machine{x86, "znver4"},
                    Machine{x86, "sapphirerapids"}, Machine{arm, ""},
                    Machine{arm, "neoverse-n1"},
                    Machine{"riscv64-linux-gnu", ""}));

TEST(Target, TinyCachesStillGiveOneTile) {
  TargetInfo target = get(x86, "znver4", "");
  target.l1Bytes = target.l2Bytes = target.l3Bytes = 64;
  MicroKernel kernel = getMicroKernel(target, 32);
  Blocking blocking = getBlocking(target, 32, kernel);
  EXPECT_EQ(blocking.mc, 6);
  EXPECT_EQ(blocking.nc, 64);
  EXPECT_GE(blocking.kc, 1);
}

TEST(Target, BlockingMatchesHandTunedValues) {
  auto get = [](const char *cpu, unsigned bits) {
    TargetInfo target = ::get(x86, cpu, "");
    Blocking blocking = getBlocking(target, bits, getMicroKernel(target, bits));
    return std::make_tuple(blocking.mc, blocking.nc, blocking.kc);
  };
  EXPECT_EQ(get("znver4", 32), std::make_tuple(126, 4096, 512));
  EXPECT_EQ(get("znver4", 64), std::make_tuple(126, 4096, 352));
  EXPECT_EQ(get("haswell", 32), std::make_tuple(126, 4096, 256));
}

TEST(Target, EvenBlocks) {
  EXPECT_EQ(getEvenBlock(1024, 432, 8), 344);
  EXPECT_EQ(getEvenBlock(1024, 512, 8), 512);
  EXPECT_EQ(getEvenBlock(1021, 512, 8), 512);
  EXPECT_EQ(getEvenBlock(1024, 252, 14), 210);
  EXPECT_EQ(getEvenBlock(100, 512, 8), 104);
  EXPECT_EQ(getEvenBlock(0, 512, 8), 8);
  EXPECT_EQ(getEvenBlock(1, 1, 8), 8);
  for (int64_t size = 0; size < 2000; size += 7) {
    int64_t even = getEvenBlock(size, 240, 6);
    EXPECT_LE(even, 240);
    EXPECT_EQ(even % 6, 0);
    EXPECT_EQ((size + even - 1) / even, (size + 239) / 240);
  }
}

TEST(Target, ErrorsNameWhatIsUnknown) {
  EXPECT_THAT(getError("pdp11-dec-unix", "", ""),
              HasSubstr("unknown target `pdp11-dec-unix`"));
  EXPECT_EQ(getError(x86, "i4004", ""), "unknown cpu `i4004` for `x86_64`");
  EXPECT_EQ(getError(x86, "", "+avx,+warp"),
            "unknown feature `warp` for `x86_64`");
  EXPECT_EQ(getError(x86, "", "avx"),
            "feature `avx` begins with neither + nor -");
}

TEST(Target, NativeIsForTheHostOnly) {
  TargetInfo host = getHostTarget();
  const char *other = host.triple.compare(0, 3, "x86") == 0 ? arm : x86;
  EXPECT_THAT(getError(other, "native", ""), HasSubstr("cpu `native` is a"));
}

TEST(Target, RunsHere) {
  TargetInfo host = getHostTarget();
  EXPECT_TRUE(runsHere(host));
  bool isX86 = host.triple.compare(0, 3, "x86") == 0;
  EXPECT_EQ(runsHere(get(x86, "x86-64", "")), isX86);
  EXPECT_EQ(runsHere(get(arm, "generic", "")), !isX86);
}

/// Has the host taken for another CPU while it lives.
class AssumedHost {
public:
  explicit AssumedHost(const char *cpu) {
    if (const char *before = std::getenv("EINC_HOST_CPU"))
      saved = before;
    setenv("EINC_HOST_CPU", cpu, /*overwrite=*/1);
  }
  ~AssumedHost() {
    if (saved)
      setenv("EINC_HOST_CPU", saved->c_str(), /*overwrite=*/1);
    else
      unsetenv("EINC_HOST_CPU");
  }

private:
  std::optional<std::string> saved;
};

TEST(Target, HostCanBeTakenForAnother) {
  if (getHostTarget().triple.compare(0, 3, "x86") != 0)
    GTEST_SKIP();
  {
    AssumedHost assumed("x86-64-v2");
    TargetInfo host = getHostTarget();
    EXPECT_EQ(host.cpu, "x86-64-v2");
    EXPECT_EQ(host.vectorBits, 128u);
    EXPECT_EQ(get("", "native", "+avx").vectorBits, 256u);
  }
  {
    AssumedHost assumed("i4004");
    EXPECT_EQ(getError("", "native", ""), "EINC_HOST_CPU: unknown cpu `i4004`");
  }
  {
    // No machine has the instructions of two makers.
    AssumedHost intel("knl");
    AssumedHost amd(runsHere(get("", "bdver4", "")) ? "knl" : "bdver4");
    EXPECT_THAT(getError("", "native", ""),
                HasSubstr("EINC_HOST_CPU: this machine has no `"));
  }
}

TEST(Target, HostIsTheSameEachTime) {
  TargetInfo first = getHostTarget(), second = getHostTarget();
  EXPECT_EQ(first.cpu, second.cpu);
  EXPECT_EQ(first.features, second.features);
  EXPECT_GE(first.vectorBits, 128u);
  // What the host is said to be can be said by flags as well.
  TargetInfo named =
      get(first.triple.c_str(), first.cpu.c_str(), first.features.c_str());
  EXPECT_EQ(named.vectorBits, first.vectorBits);
  EXPECT_EQ(named.l2Bytes, first.l2Bytes);
}

TEST(Target, UsersFlagsWinOverNative) {
  llvm::Expected<TargetInfo> target = getTarget("", "native", "-avx512f,-avx");
  if (!target) { // The host may be another architecture.
    llvm::consumeError(target.takeError());
    return;
  }
  EXPECT_EQ(target->vectorBits, 128u);
}

ComplexConvention getConvention(llvm::StringRef triple,
                                llvm::StringRef features = "") {
  return llvm::cantFail(getTarget(triple, "", features)).complexConvention;
}

TEST(Target, HasAConventionForComplexArgumentsOrNone) {
  EXPECT_EQ(getConvention("x86_64-linux-gnu"), ComplexConvention::SysVX86_64);
  EXPECT_EQ(getConvention("x86_64-pc-windows-msvc"),
            ComplexConvention::Unknown);
  EXPECT_EQ(getConvention("i386-linux-gnu"), ComplexConvention::Unknown);
  EXPECT_EQ(getConvention("aarch64-linux-gnu"), ComplexConvention::AAPCS64);
  EXPECT_EQ(getConvention("riscv64-linux-gnu", "+d"),
            ComplexConvention::RISCV64D);
  EXPECT_EQ(getConvention("riscv64-linux-gnu", "-d"),
            ComplexConvention::Unknown);
  EXPECT_EQ(getConvention("powerpc64le-linux-gnu"), ComplexConvention::Unknown);
}

TEST(Target, RegistersHoldSums) {
  TargetInfo wide = llvm::cantFail(
                 getTarget("x86_64-linux-gnu", "skylake-avx512", "")),
             narrow =
                 llvm::cantFail(getTarget("x86_64-linux-gnu", "haswell", ""));
  // Of 32, and of 16.
  EXPECT_TRUE(fitsRegisters(wide, {30}));
  EXPECT_FALSE(fitsRegisters(wide, {31}));
  EXPECT_TRUE(fitsRegisters(narrow, {12, 1, false, /*held=*/2}));
  EXPECT_FALSE(fitsRegisters(narrow, {13, 1, false, /*held=*/2}));
  // Each has a mask, or a vector that stands for it.
  EXPECT_TRUE(fitsRegisters(wide, {7, 1, /*isTracked=*/true}));
  EXPECT_FALSE(fitsRegisters(wide, {8, 1, /*isTracked=*/true}));
  EXPECT_TRUE(fitsRegisters(narrow, {4, 1, /*isTracked=*/true}));
  EXPECT_FALSE(fitsRegisters(narrow, {5, 1, /*isTracked=*/true}));
  // Five cycles, two a cycle.
  EXPECT_EQ(getSumsUnderWay(narrow.machine), 10);
}

} // namespace
