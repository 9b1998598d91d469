//===- Target.cpp - From names to machine facts ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's tables know which features a CPU implies; MCSubtargetInfo answers for
// them without a TargetMachine. It prints warnings about names it does not
// know, so names are looked up before it is asked.
//
//===----------------------------------------------------------------------===//

#include "target/Target.h"
#include "target/DotProducts.h"
#include "target/Family.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include <algorithm>
#include <memory>

using namespace llvm;

namespace ein {

unsigned TargetInfo::getLanes(unsigned elementBits) const {
  return std::max(vectorBits / std::max(elementBits, 1u), 1u);
}

static Family getFamily(const Triple &triple) {
  // The generic family matches everything, so it is last.
  for (Family family : {getX86Family(), getAArch64Family()})
    if (family.matches(triple))
      return family;
  return getGenericFamily();
}

StringRef getModelName(const TargetInfo &target) {
  return getFamily(Triple(target.triple)).name;
}

/// LLVM's list of targets is made by whoever asks first; two threads at once,
/// as passes on functions run in, would link an entry to itself.
static void registerTargets() {
  static const bool once = [] {
    InitializeAllTargetInfos();
    InitializeAllTargetMCs();
    return true;
  }();
  (void)once;
}

bool isTested(const TargetInfo &target) {
  Triple triple(target.triple);
  return triple.isOSLinux() &&
         (triple.getArch() == Triple::x86_64 || triple.isAArch64(64));
}

/// LLVM ends the process over 64-bit code for a CPU without that mode.
static bool hasMode(const MCSubtargetInfo &subtarget) {
  return subtarget.getTargetTriple().getArch() != Triple::x86_64 ||
         subtarget.checkFeatures("+64bit");
}

std::vector<std::string> getCpuNames(StringRef tripleName) {
  registerTargets();
  Triple triple(Triple::normalize(tripleName));
  std::string reason;
  const Target *target = TargetRegistry::lookupTarget(triple, reason);
  std::unique_ptr<MCSubtargetInfo> names(
      target ? target->createMCSubtargetInfo(triple, "", "") : nullptr);
  std::vector<std::string> result;
  if (names)
    for (const SubtargetSubTypeKV &cpu : names->getAllProcessorDescriptions()) {
      std::unique_ptr<MCSubtargetInfo> subtarget(
          target->createMCSubtargetInfo(triple, cpu.Key, ""));
      if (hasMode(*subtarget))
        result.push_back(cpu.Key);
    }
  return result;
}

std::vector<std::pair<std::string, std::string>> getCodeGenerators() {
  registerTargets();
  std::vector<std::pair<std::string, std::string>> result;
  for (const Target &target : TargetRegistry::targets())
    result.push_back({target.getName(), target.getShortDescription()});
  llvm::sort(result);
  return result;
}

MicroKernels getMicroKernels(const TargetInfo &target, unsigned elementBits,
                             std::optional<int64_t> rows,
                             std::optional<int64_t> columns, unsigned sums) {
  RegisterLimits limits =
      getFamily(Triple(target.triple)).getRegisterLimits(target);
  return selectMicroKernels(limits, target.getLanes(elementBits), rows, columns,
                            sums);
}

std::vector<MicroKernels> getAllMicroKernels(const TargetInfo &target,
                                             unsigned elementBits,
                                             std::optional<int64_t> rows,
                                             std::optional<int64_t> columns,
                                             unsigned sums) {
  return listMicroKernels(
      getFamily(Triple(target.triple)).getRegisterLimits(target),
      target.getLanes(elementBits), rows, columns, sums);
}

MicroKernel getMicroKernel(const TargetInfo &target, unsigned elementBits) {
  return getMicroKernels(target, elementBits, std::nullopt, std::nullopt).main;
}

/// "+a,-b", sorted, as the map's order is not defined. What is off comes last:
/// it takes along all that implies it, so that no instruction is used which a
/// hypervisor hides.
static std::string getHostFeatures() {
  SmallVector<std::string> flags;
  for (const auto &entry : sys::getHostCPUFeatures())
    flags.push_back((entry.second ? "+" : "-") + entry.first().str());
  llvm::sort(flags);
  return join(flags, ",");
}

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// Whether LLVM knows every name in "+x,-y".
static Error checkFeatureNames(const MCSubtargetInfo &subtarget,
                               StringRef features) {
  SmallVector<StringRef> flags;
  features.split(flags, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef flag : flags) {
    if (!flag.starts_with("+") && !flag.starts_with("-"))
      return makeError("feature `" + flag + "` begins with neither + nor -");
    auto known = subtarget.getAllProcessorFeatures();
    if (none_of(known, [&](const SubtargetFeatureKV &feature) {
          return flag.drop_front() == feature.Key;
        }))
      return makeError("unknown feature `" + flag.drop_front() + "` for `" +
                       subtarget.getTargetTriple().getArchName() + "`");
  }
  return Error::success();
}

/// Features of kernels and of random numbers, which hypervisors hide and
/// compiled code does not use. Of movrs it has prefetches, which do nothing
/// where they are not known.
static bool isOfSystem(StringRef feature) {
  SmallVector<StringRef> features = {"movrs"};
#define EIN_X86_SYSTEM(FEATURES) StringRef(FEATURES).split(features, ' ');
#include "target/MachineFeatures.def"
  return is_contained(features, feature);
}

std::string findMissingFeature(const TargetInfo &info) {
  std::string reason;
  Triple triple(info.triple);
  const Target *target = TargetRegistry::lookupTarget(triple, reason);
  std::unique_ptr<MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, info.cpu, info.features));
  SmallVector<std::string> missing;
  for (const auto &feature : sys::getHostCPUFeatures())
    if (!feature.second && !isOfSystem(feature.first()) &&
        subtarget->checkFeatures(("+" + feature.first()).str()))
      missing.push_back(feature.first().str());
  // The map has no order.
  return missing.empty() ? std::string() : *llvm::min_element(missing);
}

bool isForHost(const TargetInfo &target) {
  Triple triple(target.triple), host(sys::getProcessTriple());
  return triple.getArch() == host.getArch() && triple.getOS() == host.getOS();
}

bool runsHere(const TargetInfo &target) {
  return isForHost(target) && findMissingFeature(target).empty();
}

static StringRef getBaselineCpu(const Triple &triple) {
  return triple.getArch() == Triple::x86_64 ? "x86-64" : "generic";
}

/// What clang takes for granted where nobody names a CPU: Linux on RISC-V is
/// built for rv64gc, and passes floats in registers.
static StringRef getBaselineFeatures(const Triple &triple) {
  bool hasSystem = triple.getOS() != Triple::UnknownOS;
  return triple.isRISCV64() && hasSystem ? "+m,+a,+f,+d,+c" : "";
}

static ComplexConvention getComplexConvention(const Triple &triple,
                                              HasFeature has) {
  if (triple.getArch() == Triple::x86_64 && !triple.isOSWindows())
    return ComplexConvention::SysVX86_64;
  if (triple.isAArch64(64))
    return ComplexConvention::AAPCS64;
  // LLVM takes lp64d where there are registers for it.
  if (triple.isRISCV64() && has("d"))
    return ComplexConvention::RISCV64D;
  return ComplexConvention::Unknown;
}

/// Blocks for a level that there is not are those for the one before it.
static void setCaches(TargetInfo &target, const MachineModel &machine) {
  target.blockModel = machine.name;
  target.l1Bytes = machine.l1.bytes;
  target.l2Bytes = std::max(machine.l2.bytes, machine.l1.bytes);
  target.l3Bytes = std::max(machine.l3.bytes, target.l2Bytes);
}

void useMachine(TargetInfo &target, const MachineModel &machine) {
  target.machine = machine;
  setCaches(target, machine);
}

/// That SVE's vectors may be so long.
static Error checkSveBits(unsigned bits, const Triple &triple, HasFeature has) {
  if (bits < kLeastSveBits || bits > kMostSveBits || !isPowerOf2_32(bits))
    return makeError("SVE's vectors have 128, 256, 512, 1024 or 2048 bits, "
                     "not " +
                     Twine(bits));
  if (!triple.isAArch64(64))
    return makeError("`" + triple.getArchName() +
                     "` has no SVE, whose vectors are to be of " + Twine(bits) +
                     " bits");
  if (!has("sve"))
    return makeError("the CPU has no SVE, whose vectors are to be of " +
                     Twine(bits) +
                     " bits; name one that has, or add `+sve` to the features");
  return Error::success();
}

Expected<TargetInfo> getTarget(StringRef tripleName, StringRef cpu,
                               StringRef features, unsigned sveBits) {
  registerTargets();

  TargetInfo info;
  Triple host(sys::getProcessTriple());
  Triple triple(tripleName.empty() ? host.str()
                                   : Triple::normalize(tripleName));
  info.triple = triple.str();
  info.cpu = cpu.empty() ? getBaselineCpu(triple) : cpu;
  info.features = features;
  if (StringRef baseline = cpu.empty() ? getBaselineFeatures(triple) : "";
      !baseline.empty())
    info.features =
        features.empty() ? baseline.str() : (baseline + "," + features).str();

  std::string reason;
  const Target *target = TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return makeError("unknown target `" + tripleName + "`: " + reason);

  std::unique_ptr<MCSubtargetInfo> names(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!names)
    return makeError("LLVM has no code generator for `" + tripleName + "`");

  if (cpu == "native") {
    if (triple.getArch() != host.getArch())
      return makeError("cpu `native` is a `" + host.getArchName() +
                       "`, the target is `" + triple.getArchName() + "`");
    std::optional<std::string> other = sys::Process::GetEnv("EINC_HOST_CPU");
    if (other) {
      if (!names->isCPUStringValid(*other))
        return makeError("EINC_HOST_CPU: unknown cpu `" + *other + "`");
      info.cpu = *other;
      info.features.clear();
      if (std::string feature = findMissingFeature(info); !feature.empty())
        return makeError("EINC_HOST_CPU: this machine has no `" + feature +
                         "`, which `" + *other + "` has");
    } else {
      info.cpu = sys::getHostCPUName();
      info.features = getHostFeatures();
    }
    // The user's flags come last and so win.
    if (!features.empty())
      info.features += (info.features.empty() ? "" : ",") + features.str();
  }

  // Some targets have no `generic` CPU; the empty name is LLVM's choice.
  if (cpu.empty() && !names->isCPUStringValid(info.cpu))
    info.cpu.clear();
  if (!info.cpu.empty() && !names->isCPUStringValid(info.cpu)) {
    // A host newer than LLVM's table is described by its features alone.
    if (cpu != "native")
      return makeError("unknown cpu `" + info.cpu + "` for `" +
                       triple.getArchName() + "`");
    info.cpu = getBaselineCpu(triple);
  }
  if (Error error = checkFeatureNames(*names, features))
    return error;

  std::unique_ptr<MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, info.cpu, info.features));
  auto has = [&](StringRef feature) {
    return subtarget->checkFeatures(("+" + feature).str());
  };
  if (!hasMode(*subtarget)) {
    std::string named =
        StringRef(features).contains("-64bit") ? features.str() : info.cpu;
    return makeError("code for `" + triple.getArchName() +
                     "` needs a CPU with 64-bit mode; `" + named +
                     "` is without");
  }
  // Its calling convention passes floats in these registers.
  if (triple.getArch() == Triple::x86_64 && !has("sse2"))
    return makeError("code for `" + triple.getArchName() +
                     "` needs the feature `sse2`, which passes floats; `" +
                     (features.empty() ? cpu : features) + "` is without");
  if (sveBits != 0)
    if (Error error = checkSveBits(sveBits, triple, has))
      return error;
  info.sveBits = sveBits;
  Family family = getFamily(triple);
  StringRef own = findMachineName(info.cpu);
  setCaches(info, getMachine(family.getMachine(has)));
  info.machine = getMachine(own.empty() ? StringRef(info.blockModel) : own);
  family.describe(has, info);
  // Tiles are asked for by a call of Linux's.
  auto hasUsable = [&](StringRef feature) {
    return has(feature) &&
           (!feature.starts_with("amx-") ||
            (triple.isOSLinux() && triple.getArch() == Triple::x86_64));
  };
  info.dotProducts = findDotProducts(family.name, hasUsable, info.vectorBits);
  info.complexConvention = getComplexConvention(triple, has);
  return info;
}

TargetInfo getHostTarget() {
  // LLVM knows the machine it was built for, and its own names for it; what can
  // be wrong is the environment's EINC_HOST_CPU.
  Expected<TargetInfo> target = getTarget("", "native", "");
  if (!target)
    reportFatalUsageError(target.takeError());
  return *target;
}

} // namespace ein
