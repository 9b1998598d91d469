//===- MachineFeatures.cpp - How programs find a CPU's features -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/MachineFeatures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace ein {
namespace {

/// MachineFeatures.def, for one architecture.
struct FeatureTable {
  std::map<StringRef, std::vector<FeatureTest>> tests;
  std::set<StringRef> untested;

  void add(StringRef feature, FeatureWord word, uint64_t mask, uint64_t least) {
    tests[feature].push_back({word, mask, least});
  }
  void leaveOut(StringRef names) {
    for (StringRef name : split(names, ' '))
      untested.insert(name);
  }
};

const FeatureTable &getX86Table() {
  static const FeatureTable table = [] {
    FeatureTable result;
#define EIN_X86_FEATURE_VERSION(FEATURE, LEAF, SUBLEAF, REGISTER, MASK, LEAST) \
  result.add(FEATURE,                                                          \
             {FeatureSource::Cpuid, LEAF, SUBLEAF, CpuidRegister::REGISTER},   \
             MASK, LEAST);
#define EIN_X86_FEATURE_BIT(FEATURE, LEAF, SUBLEAF, REGISTER, BIT)             \
  EIN_X86_FEATURE_VERSION(FEATURE, LEAF, SUBLEAF, REGISTER,                    \
                          uint64_t(1) << BIT, uint64_t(1) << BIT)
#define EIN_X86_FEATURE_STATE(FEATURE, MASK)                                   \
  result.add(FEATURE, {FeatureSource::Xcr0}, MASK, MASK);
#define EIN_X86_UNTESTED(FEATURES) result.leaveOut(FEATURES);
#include "target/MachineFeatures.def"
    return result;
  }();
  return table;
}

const FeatureTable &getAArch64Table() {
  static const FeatureTable table = [] {
    FeatureTable result;
#define EIN_AARCH64_FEATURE_BITS(FEATURE, WORD, MASK)                          \
  result.add(FEATURE, {FeatureSource::Hwcap, WORD}, MASK, MASK);
#define EIN_AARCH64_UNTESTED(FEATURES) result.leaveOut(FEATURES);
#include "target/MachineFeatures.def"
    return result;
  }();
  return table;
}

/// How code finds out about machines; null if it cannot.
const FeatureTable *findTable(const Triple &triple) {
  if (triple.getArch() == Triple::x86_64)
    return &getX86Table();
  if (triple.isAArch64(64) && triple.isLittleEndian() && triple.isOSLinux())
    return &getAArch64Table();
  return nullptr;
}

/// With all that they imply.
FeatureBitset addImplied(FeatureBitset bits, const MCSubtargetInfo &subtarget) {
  for (bool isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const SubtargetFeatureKV &feature :
         subtarget.getAllProcessorFeatures()) {
      FeatureBitset implied = feature.Implies.getAsBitset();
      if (!bits.test(feature.Value) || (implied & ~bits).none())
        continue;
      bits |= implied;
      isGrowing = true;
    }
  }
  return bits;
}

/// Those by which LLVM tunes for some CPU, and that none has.
FeatureBitset getTuning(const MCSubtargetInfo &subtarget) {
  FeatureBitset had, tunes;
  for (const SubtargetSubTypeKV &cpu :
       subtarget.getAllProcessorDescriptions()) {
    had |= cpu.Implies.getAsBitset();
    tunes |= cpu.TuneImplies.getAsBitset();
  }
  return addImplied(tunes, subtarget) & ~addImplied(had, subtarget);
}

} // namespace

FeatureTest getSveTest() { return getAArch64Table().tests.at("sve").front(); }

std::vector<std::string> getNames(ArrayRef<TestedCpu> cpus) {
  std::vector<std::string> names;
  for (const TestedCpu &cpu : cpus)
    names.push_back(cpu.target.cpu);
  return names;
}

/// Bits of one word become one test.
static void addTest(const FeatureTest &test, std::vector<FeatureTest> &tests) {
  bool hasBits = test.mask == test.least;
  for (FeatureTest &other : tests)
    if (hasBits && other.word == test.word && other.mask == other.least) {
      other.mask |= test.mask;
      other.least |= test.least;
      return;
    }
  tests.push_back(test);
}

static std::string nameFeatures(const TargetInfo &target) {
  return "`" + target.cpu + "`" +
         (target.features.empty() ? "" : " with `" + target.features + "`");
}

Expected<TestedCpu> getTestedCpu(const TargetInfo &target) {
  Triple triple(target.triple);
  const FeatureTable *table = findTable(triple);
  if (!table)
    return createStringError(
        "code for `" + target.triple +
        "` cannot choose among CPUs; for x86-64, and for AArch64 with Linux, "
        "it can");
  std::string reason;
  const Target *backend = TargetRegistry::lookupTarget(triple, reason);
  std::unique_ptr<MCSubtargetInfo> subtarget(
      backend
          ? backend->createMCSubtargetInfo(triple, target.cpu, target.features)
          : nullptr);
  if (!subtarget)
    return createStringError("LLVM has no code generator for `" +
                             target.triple + "`");
  FeatureBitset bits = subtarget->getFeatureBits() & ~getTuning(*subtarget);
  TestedCpu cpu;
  cpu.target = target;
  std::vector<FeatureTest> tests;
  for (const SubtargetFeatureKV &feature :
       subtarget->getAllProcessorFeatures()) {
    if (!bits.test(feature.Value) || table->untested.count(feature.Key))
      continue;
    auto entry = table->tests.find(feature.Key);
    if (entry == table->tests.end())
      return createStringError(
          "einc does not know how to find out whether a machine has `" +
          StringRef(feature.Key) + "`, as " + nameFeatures(target) + " has");
    cpu.features.insert(feature.Key);
    for (const FeatureTest &test : entry->second)
      addTest(test, tests);
  }
  if (target.sveBits != 0) {
    cpu.features.insert("sve-vector-bits=" + std::to_string(target.sveBits));
    uint64_t bit = uint64_t(1) << (target.sveBits / kLeastSveBits);
    tests.push_back({{FeatureSource::Sve}, bit, bit});
  }
  llvm::sort(tests, [](const FeatureTest &a, const FeatureTest &b) {
    return std::tie(a.word, a.mask) < std::tie(b.word, b.mask);
  });
  cpu.tests = std::move(tests);
  return cpu;
}

Expected<std::vector<TestedCpu>> orderCpus(ArrayRef<TargetInfo> targets) {
  std::vector<TestedCpu> cpus;
  for (const TargetInfo &target : targets) {
    Expected<TestedCpu> cpu = getTestedCpu(target);
    if (!cpu)
      return cpu.takeError();
    for (const TestedCpu &other : cpus)
      if (other.features == cpu->features)
        return createStringError("`" + other.target.cpu + "` and `" +
                                 target.cpu +
                                 "` have the same instructions, so that no "
                                 "machine tells them apart");
    cpus.push_back(std::move(*cpu));
  }
  llvm::sort(cpus, [](const TestedCpu &a, const TestedCpu &b) {
    return std::make_tuple(a.features.size(), StringRef(a.target.cpu)) <
           std::make_tuple(b.features.size(), StringRef(b.target.cpu));
  });
  const TestedCpu &oldest = cpus.front();
  for (const TestedCpu &cpu : cpus)
    for (const std::string &feature : oldest.features)
      if (!cpu.features.count(feature))
        return createStringError(
            "no CPU of the list is the oldest, whose instructions all the "
            "others have: `" +
            cpu.target.cpu + "` has no `" + feature + "`, which `" +
            oldest.target.cpu + "` has");
  return cpus;
}

} // namespace ein
