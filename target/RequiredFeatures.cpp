//===- RequiredFeatures.cpp - What instructions need of a CPU -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/RequiredFeatures.h"
#include "target/X86Features.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include <map>

using namespace llvm;

namespace ein {

FeatureReader::~FeatureReader() = default;

namespace {

/// A level as LLVM makes a subtarget of it.
struct Level {
  const char *name;
  const char *cpu;
  const char *features;
};

/// From that which each CPU has. Those of x86-64 are its ABI's; those of RISC-V
/// its Linux distributions' and profiles.
ArrayRef<Level> getLevelsOf(const Triple &triple) {
  static const Level x86[] = {{"x86-64", "x86-64", ""},
                              {"x86-64-v2", "x86-64-v2", ""},
                              {"x86-64-v3", "x86-64-v3", ""},
                              {"x86-64-v4", "x86-64-v4", ""}};
  static const Level arm[] = {{"armv8-a", "generic", "+v8a,+fp-armv8,+neon"}};
  static const Level riscv[] = {{"rv64i", "generic-rv64", ""},
                                {"rv64gc", "generic-rv64", "+m,+a,+f,+d,+c"},
                                {"rva22u64", "generic-rv64", "+rva22u64"},
                                {"rva23u64", "generic-rv64", "+rva23u64"}};
  if (triple.getArch() == Triple::x86_64)
    return x86;
  if (triple.isAArch64(64) && triple.isLittleEndian())
    return arm;
  if (triple.isRISCV64())
    return riscv;
  return {};
}

/// A disassembler of LLVM's for one set of features.
struct Decoder {
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;

  std::optional<unsigned> decode(ArrayRef<uint8_t> bytes, uint64_t address,
                                 MCInst &inst, uint64_t &size) const {
    if (disassembler->getInstruction(inst, size, bytes, address, nulls()) !=
        MCDisassembler::Success)
      return std::nullopt;
    return inst.getOpcode();
  }
};

class LLVMFeatureReader : public FeatureReader {
public:
  LLVMFeatureReader(const Target &target, const Triple &triple,
                    ArrayRef<Level> levels)
      : target(target), triple(triple),
        registers(target.createMCRegInfo(triple)),
        info(target.createMCInstrInfo()) {
    asmInfo.reset(target.createMCAsmInfo(*registers, triple, options));
    for (const Level &level : levels) {
      names.push_back(level.name);
      bits.push_back(
          makeSubtarget(level.cpu, level.features)->getFeatureBits());
    }
    sets.push_back({});
  }

  ArrayRef<std::string> getLevels() const override { return names; }
  const FeatureNames &getFeatures(unsigned features) const override {
    return sets[features];
  }

  RequiredCpu getCpu(ArrayRef<std::string> features) const override {
    FeatureBitset known;
    for (const std::string &feature : features)
      known |= getImplied(feature);
    RequiredCpu cpu;
    size_t level = 0;
    while (level + 1 < bits.size() &&
           ((known & bits.back()) & ~bits[level]).any())
      ++level;
    cpu.level = names[level];
    for (const std::string &feature : features) {
      FeatureBitset own = getImplied(feature);
      bool isInLevel = own.any() && (own & ~bits[level]).none();
      bool isImplied = any_of(features, [&](const std::string &other) {
        FeatureBitset others = getImplied(other);
        return other != feature && own.any() && (own & ~others).none() &&
               others != own;
      });
      if (!isInLevel && !isImplied)
        cpu.features.push_back(feature);
    }
    return cpu;
  }

protected:
  std::unique_ptr<MCSubtargetInfo> makeSubtarget(StringRef cpu,
                                                 StringRef features) const {
    return std::unique_ptr<MCSubtargetInfo>(
        target.createMCSubtargetInfo(triple, cpu, features));
  }
  Decoder makeDecoder(std::unique_ptr<MCSubtargetInfo> subtarget) const {
    Decoder decoder;
    decoder.subtarget = std::move(subtarget);
    decoder.context = std::make_unique<MCContext>(
        triple, asmInfo.get(), registers.get(), decoder.subtarget.get());
    decoder.disassembler.reset(
        target.createMCDisassembler(*decoder.subtarget, *decoder.context));
    return decoder;
  }
  /// The feature and what it brings along; nothing if LLVM has no such name.
  FeatureBitset getImplied(const std::string &feature) const {
    auto [entry, isNew] = implied.try_emplace(feature);
    if (isNew)
      for (const SubtargetFeatureKV &known :
           baseline().getAllProcessorFeatures())
        if (feature == known.Key) {
          // Beyond what there is without any.
          entry->second = makeSubtarget("", "+" + feature)->getFeatureBits() &
                          ~makeSubtarget("", "")->getFeatureBits();
          entry->second.set(known.Value);
        }
    return entry->second;
  }
  const MCSubtargetInfo &baseline() const {
    if (!plain)
      plain = makeSubtarget("", "");
    return *plain;
  }
  /// The number of the set, which may be there.
  unsigned addSet(FeatureNames features) {
    llvm::sort(features);
    features.erase(llvm::unique(features), features.end());
    auto [entry, isNew] = numbers.try_emplace(features, sets.size());
    if (features.empty())
      return 0;
    if (isNew)
      sets.push_back(std::move(features));
    return entry->second;
  }

  const Target &target;
  Triple triple;
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> asmInfo;
  std::unique_ptr<MCInstrInfo> info;
  std::vector<std::string> names;
  std::vector<FeatureBitset> bits;

private:
  std::vector<FeatureNames> sets;
  std::map<FeatureNames, unsigned> numbers;
  mutable std::map<std::string, FeatureBitset> implied;
  mutable std::unique_ptr<MCSubtargetInfo> plain;
};

/// x86: the table.
class X86FeatureReader final : public LLVMFeatureReader {
public:
  X86FeatureReader(const Target &target, const Triple &triple,
                   ArrayRef<Level> levels)
      : LLVMFeatureReader(target, triple, levels),
        decoder(makeDecoder(makeSubtarget("x86-64", ""))),
        printer(target.createMCInstPrinter(triple, /*SyntaxVariant=*/1,
                                           *asmInfo, *info, *registers)),
        kinds(registers->getNumRegs(), RegisterKind::Other) {
    for (unsigned number = 1; number < registers->getNumRegs(); ++number) {
      StringRef name = registers->getName(number);
      unsigned index;
      if (name.starts_with("XMM") || name.starts_with("YMM") ||
          name.starts_with("ZMM"))
        kinds[number] = RegisterKind::Vector;
      else if (name.consume_front("R") && !name.consumeInteger(10, index) &&
               index >= 16)
        kinds[number] = RegisterKind::Extended;
    }
  }

  unsigned getAlignment() const override { return 1; }

  std::optional<Instruction> read(ArrayRef<uint8_t> bytes,
                                  uint64_t address) override {
    MCInst inst;
    uint64_t size;
    if (!decoder.decode(bytes, address, inst, size))
      return std::nullopt;
    X86Instruction instruction;
    readX86Prefixes(bytes.take_front(size), instruction);
    instruction.hasOnlyVectors = true;
    for (const MCOperand &operand : inst) {
      RegisterKind kind =
          operand.isReg() ? kinds[operand.getReg().id()] : RegisterKind::Other;
      instruction.hasOnlyVectors &= kind == RegisterKind::Vector;
      instruction.usesExtendedRegisters |= kind == RegisterKind::Extended;
    }
    unsigned key = inst.getOpcode() * 2 + instruction.usesExtendedRegisters;
    auto [entry, isNew] = known.try_emplace(key, 0);
    if (isNew) {
      const MCInstrDesc &description = info->get(inst.getOpcode());
      instruction.touchesMemory =
          description.mayLoad() || description.mayStore();
      const char *text = printer->getMnemonic(inst).first;
      instruction.mnemonic = StringRef(text ? text : "").ltrim();
      instruction.mnemonic = instruction.mnemonic.take_until(
          [](char letter) { return letter == ' ' || letter == '\t'; });
      entry->second = addSet(getX86Features(instruction));
    }
    return Instruction{size, entry->second};
  }

private:
  enum class RegisterKind : uint8_t { Other, Vector, Extended };
  Decoder decoder;
  std::unique_ptr<MCInstPrinter> printer;
  std::vector<RegisterKind> kinds;
  DenseMap<unsigned, unsigned> known;
};

/// Architectures whose disassemblers refuse what the features lack: the
/// smallest feature with which the same instruction is read. Where one is not
/// enough, all are taken away that it can do without.
class TrialFeatureReader final : public LLVMFeatureReader {
public:
  TrialFeatureReader(const Target &target, const Triple &triple,
                     ArrayRef<Level> levels)
      : LLVMFeatureReader(target, triple, levels), lowest(levels.front()) {
    std::string every = lowest.features;
    for (const SubtargetFeatureKV &feature :
         baseline().getAllProcessorFeatures())
      if (isArchitectural(feature.Key)) {
        candidates.push_back(feature.Key);
        every += std::string(every.empty() ? "+" : ",+") + feature.Key;
      }
    // Those that bring the least along first; names decide between equals.
    llvm::sort(candidates, [&](const std::string &a, const std::string &b) {
      return std::make_tuple(isForStreaming(a), getImplied(a).count(), a) <
             std::make_tuple(isForStreaming(b), getImplied(b).count(), b);
    });
    all = makeDecoder(makeSubtarget(lowest.cpu, every));
    low = makeDecoder(makeSubtarget(lowest.cpu, lowest.features));
  }

  unsigned getAlignment() const override { return triple.isRISCV() ? 2 : 4; }

  std::optional<Instruction> read(ArrayRef<uint8_t> bytes,
                                  uint64_t address) override {
    MCInst inst;
    uint64_t size;
    std::optional<unsigned> opcode = all.decode(bytes, address, inst, size);
    if (!opcode) {
      // Features can exclude each other's encodings.
      if (!low.decode(bytes, address, inst, size))
        return std::nullopt;
      return Instruction{size, 0};
    }
    auto [entry, isNew] = known.try_emplace(*opcode, 0);
    if (isNew)
      entry->second = addSet(findFeatures(bytes.take_front(size), *opcode));
    return Instruction{size, entry->second};
  }

private:
  /// Features that tune, name CPUs, or give registers to the system change no
  /// instruction.
  bool isArchitectural(StringRef feature) const {
    if (triple.isRISCV())
      return feature != "32bit" && feature != "e" &&
             !feature.starts_with("experimental") && !feature.starts_with("x");
    // `all` stands for all of them at once.
    return feature != "all";
  }

  /// SME has instructions of SVE in its streaming mode only.
  static bool isForStreaming(StringRef feature) {
    return feature.starts_with("sme") || feature.starts_with("ssve");
  }

  bool isRead(const Decoder &decoder, ArrayRef<uint8_t> bytes,
              unsigned opcode) const {
    MCInst inst;
    uint64_t size;
    return decoder.decode(bytes, 0, inst, size) == opcode;
  }

  FeatureNames findFeatures(ArrayRef<uint8_t> bytes, unsigned opcode) {
    if (isRead(low, bytes, opcode))
      return {};
    for (const std::string &feature : candidates)
      if (isRead(getDecoder(feature), bytes, opcode))
        return {feature};
    FeatureNames needed = candidates;
    for (const std::string &feature : reverse(candidates)) {
      FeatureNames fewer = needed;
      llvm::erase(fewer, feature);
      std::string flags = lowest.features;
      for (const std::string &name : fewer)
        flags += (flags.empty() ? "+" : ",+") + name;
      if (isRead(makeDecoder(makeSubtarget(lowest.cpu, flags)), bytes, opcode))
        needed = std::move(fewer);
    }
    return needed;
  }

  const Decoder &getDecoder(const std::string &feature) {
    auto [entry, isNew] = decoders.try_emplace(feature);
    if (isNew) {
      std::string flags = lowest.features;
      flags += (flags.empty() ? "+" : ",+") + feature;
      entry->second = makeDecoder(makeSubtarget(lowest.cpu, flags));
    }
    return entry->second;
  }

  Level lowest;
  FeatureNames candidates;
  Decoder all, low;
  std::map<std::string, Decoder> decoders;
  DenseMap<unsigned, unsigned> known;
};

} // namespace

/// LLVM can only be asked for one.
static bool hasDisassembler(const Target &target, const Triple &triple) {
  std::unique_ptr<MCRegisterInfo> registers(target.createMCRegInfo(triple));
  std::unique_ptr<MCSubtargetInfo> subtarget(
      target.createMCSubtargetInfo(triple, "", ""));
  if (!registers || !subtarget)
    return false;
  MCTargetOptions options;
  std::unique_ptr<MCAsmInfo> asmInfo(
      target.createMCAsmInfo(*registers, triple, options));
  if (!asmInfo)
    return false;
  MCContext context(triple, asmInfo.get(), registers.get(), subtarget.get());
  return std::unique_ptr<MCDisassembler>(
             target.createMCDisassembler(*subtarget, context)) != nullptr;
}

Expected<std::unique_ptr<FeatureReader>>
FeatureReader::create(StringRef tripleName) {
  static const bool once = [] {
    InitializeAllTargetInfos();
    InitializeAllTargetMCs();
    InitializeAllDisassemblers();
    return true;
  }();
  (void)once;
  Triple triple(tripleName);
  std::string reason;
  const Target *target = TargetRegistry::lookupTarget(triple, reason);
  if (!target || !hasDisassembler(*target, triple))
    return createStringError("this einc's LLVM has no disassembler for `" +
                             triple.getArchName() + "`");
  ArrayRef<Level> levels = getLevelsOf(triple);
  if (levels.empty())
    return createStringError("einc knows no levels of CPUs of `" +
                             triple.getArchName() + "`");
  if (triple.isX86())
    return std::make_unique<X86FeatureReader>(*target, triple, levels);
  return std::make_unique<TrialFeatureReader>(*target, triple, levels);
}

} // namespace ein
