//===- MachineFeaturesTest.cpp - How programs find a CPU's features -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/MachineFeatures.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace ein;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

std::vector<TargetInfo> getTargets(const char *triple,
                                   std::vector<const char *> names) {
  std::vector<TargetInfo> targets;
  for (const char *name : names) {
    llvm::Expected<TargetInfo> target = getTarget(triple, name, "");
    EXPECT_TRUE(bool(target)) << llvm::toString(target.takeError());
    targets.push_back(*target);
  }
  return targets;
}

std::vector<std::string> order(const char *triple,
                               std::vector<const char *> names) {
  auto cpus = orderCpus(getTargets(triple, std::move(names)));
  if (!cpus)
    return {llvm::toString(cpus.takeError())};
  return getNames(*cpus);
}

TEST(MachineFeatures, EveryCpuOfLLVMsCanBeTested) {
  for (const char *triple :
       {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"}) {
    size_t numTested = 0;
    for (const std::string &name : getCpuNames(triple)) {
      llvm::Expected<TargetInfo> target = getTarget(triple, name, "");
      ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
      llvm::Expected<TestedCpu> cpu = getTestedCpu(*target);
      EXPECT_TRUE(bool(cpu)) << llvm::toString(cpu.takeError());
      numTested += cpu && !cpu->tests.empty();
    }
    EXPECT_GT(numTested, 50u);
  }
}

TEST(MachineFeatures, Levels) {
  auto levels = orderCpus(getTargets(
      "x86_64-linux-gnu", {"x86-64-v4", "x86-64", "x86-64-v3", "x86-64-v2"}));
  ASSERT_TRUE(bool(levels)) << llvm::toString(levels.takeError());
  EXPECT_THAT(getNames(*levels),
              ElementsAre("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"));
  std::vector<std::string> features;
  for (const TestedCpu &cpu : *levels)
    features.push_back(
        llvm::join(cpu.features.begin(), cpu.features.end(), " "));
  EXPECT_THAT(
      features,
      ElementsAre("", "cx16 popcnt sahf sse3 sse4.1 sse4.2 ssse3",
                  "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf "
                  "sse3 sse4.1 sse4.2 ssse3",
                  "avx avx2 avx512bw avx512cd avx512dq avx512f avx512vl bmi "
                  "bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 "
                  "sse4.2 ssse3"));
  // The first needs nothing, and vectors need what the system saves.
  EXPECT_TRUE((*levels)[0].tests.empty());
  auto getSaved = [&](const TestedCpu &cpu) {
    uint64_t mask = 0;
    for (const FeatureTest &test : cpu.tests)
      if (test.word.source == FeatureSource::Xcr0)
        mask |= test.mask;
    return mask;
  };
  EXPECT_EQ(getSaved((*levels)[1]), 0u);
  EXPECT_EQ(getSaved((*levels)[2]), 0x6u);
  EXPECT_EQ(getSaved((*levels)[3]), 0xe6u);
}

TEST(MachineFeatures, OrderAndOldest) {
  const char *x86 = "x86_64-linux-gnu", *arm = "aarch64-linux-gnu";
  EXPECT_THAT(order(x86, {"znver4", "skylake-avx512", "nehalem", "haswell"}),
              ElementsAre("nehalem", "haswell", "skylake-avx512", "znver4"));
  EXPECT_THAT(order(arm, {"neoverse-v1", "cortex-a57", "neoverse-n1"}),
              ElementsAre("cortex-a57", "neoverse-n1", "neoverse-v1"));
  // A machine's vectors have one length.
  EXPECT_THAT(order(arm, {"a64fx", "neoverse-v1"}),
              ElementsAre(HasSubstr("has no `sve-vector-bits=")));
  EXPECT_THAT(order(arm, {"a64fx", "generic", "neoverse-v1"}),
              ElementsAre("generic", "a64fx", "neoverse-v1"));
  // AMX and cryptography, which a machine may lack, are in no way.
  EXPECT_THAT(order(x86, {"graniterapids", "haswell"}),
              ElementsAre("haswell", "graniterapids"));
  EXPECT_THAT(order(x86, {"haswell", "core-avx2"}),
              ElementsAre(HasSubstr("have the same instructions")));
  EXPECT_THAT(order(x86, {"bdver1", "haswell"}),
              ElementsAre(HasSubstr("no CPU of the list is the oldest")));
  EXPECT_THAT(order("aarch64-apple-macosx", {"apple-m1", "apple-m2"}),
              ElementsAre(HasSubstr("cannot choose among CPUs")));
}

#if defined(__x86_64__)
uint64_t readXcr0() {
  unsigned eax, ebx, ecx, edx;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_OSXSAVE))
    return 0;
  __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  return eax;
}

uint64_t readWord(const FeatureWord &word) {
  if (word.source == FeatureSource::Xcr0)
    return readXcr0();
  unsigned registers[4] = {};
  if (!__get_cpuid_count(word.leaf, word.subleaf, &registers[0], &registers[1],
                         &registers[2], &registers[3]))
    return 0;
  return registers[static_cast<unsigned>(word.reg)];
}

TEST(MachineFeatures, AgreeWithLLVMAboutThisMachine) {
  auto host = llvm::sys::getHostCPUFeatures();
  unsigned numCompared = 0;
  auto compare = [&](llvm::StringRef feature, const FeatureWord &word,
                     uint64_t mask, uint64_t least) {
    auto entry = host.find(feature);
    if (entry == host.end())
      return;
    ++numCompared;
    EXPECT_EQ((readWord(word) & mask) >= least, entry->second) << feature.str();
  };
#define EIN_X86_FEATURE_BIT(FEATURE, LEAF, SUBLEAF, REGISTER, BIT)             \
  compare(FEATURE,                                                             \
          {FeatureSource::Cpuid, LEAF, SUBLEAF, CpuidRegister::REGISTER},      \
          uint64_t(1) << BIT, uint64_t(1) << BIT);
#define EIN_X86_FEATURE_STATE(FEATURE, MASK)                                   \
  if (host.lookup(FEATURE)) {                                                  \
    compare(FEATURE, {FeatureSource::Xcr0}, MASK, MASK);                       \
  }
#include "target/MachineFeatures.def"
  EXPECT_GT(numCompared, 40u);
}
#endif

} // namespace
