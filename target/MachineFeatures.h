//===- MachineFeatures.h - How programs find a CPU's features ---*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code for several CPUs is chosen from when it runs. What it has to ask the
// machine for a CPU's code follows from LLVM's table of its features and from
// MachineFeatures.def.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_MACHINEFEATURES_H
#define EIN_TARGET_MACHINEFEATURES_H

#include "target/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <set>
#include <tuple>

namespace ein {

enum class FeatureSource : uint8_t {
  Cpuid, // a register after x86's `cpuid`
  Xcr0,  // x86's register of what the system saves
  Hwcap, // AT_HWCAP (1) or AT_HWCAP2 (2), by Linux's `getauxval`
  Sve,   // the bit of Arm's `rdvl` in units of 16 bytes; 0 without SVE
};

enum class CpuidRegister : uint8_t { EAX, EBX, ECX, EDX };

/// A number that a machine tells.
struct FeatureWord {
  FeatureSource source;
  uint32_t leaf = 0; // which hwcap
  uint32_t subleaf = 0;
  CpuidRegister reg = CpuidRegister::EAX;

  bool operator<(const FeatureWord &other) const {
    return std::tie(source, leaf, subleaf, reg) <
           std::tie(other.source, other.leaf, other.subleaf, other.reg);
  }
  bool operator==(const FeatureWord &other) const {
    return !(*this < other) && !(other < *this);
  }
};

/// (word & mask) >= least. Bits that all have to be there are `mask` and
/// `least`.
struct FeatureTest {
  FeatureWord word;
  uint64_t mask;
  uint64_t least;
};

/// One of several CPUs, and what its code asks a machine for.
struct TestedCpu {
  TargetInfo target;
  /// LLVM's names of what is tested.
  std::set<std::string> features;
  std::vector<FeatureTest> tests;
};

/// Whether one of Arm's machines has SVE, whose length cannot be read if not.
FeatureTest getSveTest();

std::vector<std::string> getNames(llvm::ArrayRef<TestedCpu> cpus);

/// What code for the CPU may need that not each machine has. An error if it
/// cannot be found out.
llvm::Expected<TestedCpu> getTestedCpu(const TargetInfo &target);

/// The CPUs from the oldest, whose features all the others have, to the most
/// capable: that which has more features, of two that have as many the one of
/// the larger name. An error if none is the oldest, or if two cannot be told
/// apart.
llvm::Expected<std::vector<TestedCpu>>
orderCpus(llvm::ArrayRef<TargetInfo> targets);

} // namespace ein

#endif // EIN_TARGET_MACHINEFEATURES_H
