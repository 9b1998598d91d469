//===- RequiredCpus.cpp - Which CPU the code of a file needs --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sections are read from their starts to their ends, and afresh from the start
// of each function, as data in between can look like the beginning of an
// instruction. Symbols say which function a byte belongs to and, on AArch64 and
// RISC-V, where data is. Where they were taken out, the tables for unwinding
// still say where functions are.
//
//===----------------------------------------------------------------------===//

#include "backend/RequiredCpus.h"
#include "backend/CpuDispatch.h"
#include "backend/ObjectFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugFrame.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include <algorithm>
#include <map>
#include <set>

using namespace llvm;
using namespace llvm::object;

namespace ein {
namespace {

struct Function {
  uint64_t start, end;
  std::string name;
  bool isGlobal;
};

/// What symbols say of one section.
struct SectionSymbols {
  std::vector<Function> functions;
  /// From each place on: data or code.
  std::map<uint64_t, bool> isData;
};

/// All code for one architecture, as it is read.
struct Architecture {
  std::string name;
  std::string unknown;
  std::unique_ptr<FeatureReader> reader;
  /// The sets of features in each function, and outside of all.
  struct FunctionFeatures {
    std::string name;
    bool isGlobal;
    std::set<unsigned> sets;
  };
  std::vector<FunctionFeatures> functions;
  std::set<unsigned> outside;
  uint64_t numBytes = 0, numOutside = 0, numUnread = 0;
};

class Walker {
public:
  Error add(const ObjectFile &object);
  std::vector<RequiredCpus> getResults(ArrayRef<std::string> cpus) const;

private:
  Architecture &getArchitecture(const ObjectFile &object);
  static void read(const SectionSymbols &symbols, uint64_t address,
                   ArrayRef<uint8_t> bytes, Architecture &architecture);

  std::map<std::string, Architecture> architectures;
};

} // namespace

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

template <typename ELFT>
static Error checkTables(const ELFObjectFile<ELFT> &object) {
  const ELFFile<ELFT> &file = object.getELFFile();
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections)
    if (section.sh_type == ELF::SHT_SYMTAB ||
        section.sh_type == ELF::SHT_DYNSYM)
      if (auto symbols = file.symbols(&section); !symbols)
        return symbols.takeError();
  return Error::success();
}

/// LLVM's iterators abort where a table of symbols is not in the file.
static Error checkTables(const ObjectFile &object) {
  if (auto *file = dyn_cast<ELF64LEObjectFile>(&object))
    return checkTables(*file);
  if (auto *file = dyn_cast<ELF32LEObjectFile>(&object))
    return checkTables(*file);
  if (auto *file = dyn_cast<ELF64BEObjectFile>(&object))
    return checkTables(*file);
  if (auto *file = dyn_cast<ELF32BEObjectFile>(&object))
    return checkTables(*file);
  return Error::success();
}

static Error addSymbol(const SymbolRef &symbol, const ObjectFile &object,
                       std::map<uint64_t, SectionSymbols> &sections) {
  Expected<uint32_t> flags = symbol.getFlags();
  if (!flags)
    return flags.takeError();
  if (*flags & SymbolRef::SF_Undefined)
    return Error::success();
  Expected<SymbolRef::Type> type = symbol.getType();
  if (!type)
    return type.takeError();
  bool isFunction = *type == SymbolRef::ST_Function;
  bool isMark = *flags & SymbolRef::SF_FormatSpecific;
  if (!isFunction && !isMark)
    return Error::success();
  Expected<section_iterator> section = symbol.getSection();
  if (!section)
    return section.takeError();
  if (*section == object.section_end())
    return Error::success();
  Expected<uint64_t> address = symbol.getAddress();
  if (!address)
    return address.takeError();
  Expected<StringRef> name = symbol.getName();
  if (!name)
    return name.takeError();
  if (name->empty())
    return Error::success();
  SectionSymbols &symbols = sections[(*section)->getIndex()];
  if (isFunction) {
    uint64_t size = object.isELF() ? ELFSymbolRef(symbol).getSize() : 0;
    symbols.functions.push_back({*address, *address + size, name->str(),
                                 bool(*flags & SymbolRef::SF_Global)});
  } else if (name->starts_with("$d")) {
    symbols.isData[*address] = true;
  } else if (name->starts_with("$x")) {
    symbols.isData[*address] = false;
  }
  return Error::success();
}

/// Functions by the tables that debuggers and exceptions unwind the stack with,
/// without names. Objects that are not linked yet have symbols.
static Error addUnwound(const ObjectFile &object,
                        std::vector<Function> &functions) {
  if (object.isRelocatableObject())
    return Error::success();
  auto ignore = [](Error error) { consumeError(std::move(error)); };
  std::unique_ptr<DWARFContext> context = DWARFContext::create(
      object, DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "",
      ignore, ignore);
  Expected<const DWARFDebugFrame *> frames = context->getEHFrame();
  if (!frames)
    return frames.takeError();
  for (const dwarf::FrameEntry &entry : **frames)
    if (auto *function = dyn_cast<dwarf::FDE>(&entry))
      functions.push_back(
          {function->getInitialLocation(),
           function->getInitialLocation() + function->getAddressRange(), "",
           /*isGlobal=*/false});
  return Error::success();
}

/// One function for each start, the first of its names, those that others see
/// before those that they do not. A function without a size ends where the next
/// begins, the last one with its section.
static void finish(std::vector<Function> &functions, uint64_t end) {
  llvm::sort(functions, [](const Function &a, const Function &b) {
    return std::make_tuple(a.start, a.name.empty(), !a.isGlobal,
                           StringRef(a.name)) <
           std::make_tuple(b.start, b.name.empty(), !b.isGlobal,
                           StringRef(b.name));
  });
  std::vector<Function> unique;
  for (Function &function : functions)
    if (unique.empty() || unique.back().start != function.start)
      unique.push_back(std::move(function));
    else
      unique.back().end = std::max(unique.back().end, function.end);
  for (auto [index, function] : enumerate(unique)) {
    if (function.name.empty())
      function.name = "0x" + utohexstr(function.start, /*LowerCase=*/true);
    if (function.end <= function.start)
      function.end = index + 1 < unique.size() ? unique[index + 1].start : end;
  }
  functions = std::move(unique);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Walker::read(const SectionSymbols &symbols, uint64_t address,
                  ArrayRef<uint8_t> bytes, Architecture &architecture) {
  FeatureReader &reader = *architecture.reader;
  uint64_t end = address + bytes.size();
  architecture.numBytes += bytes.size();
  size_t first = architecture.functions.size();
  for (const Function &function : symbols.functions)
    architecture.functions.push_back({function.name, function.isGlobal, {}});

  // Those that `here` is in, the innermost last; functions can lie in others.
  std::vector<size_t> open;
  size_t next = 0;
  unsigned lastFeatures = 0;
  uint64_t here = address;
  while (here < end) {
    while (next < symbols.functions.size() &&
           symbols.functions[next].start <= here) {
      open.push_back(next++);
      lastFeatures = 0;
    }
    while (!open.empty() && symbols.functions[open.back()].end <= here) {
      open.pop_back();
      lastFeatures = 0;
    }
    uint64_t limit = next < symbols.functions.size()
                         ? std::min(symbols.functions[next].start, end)
                         : end;
    auto data = symbols.isData.upper_bound(here);
    if (data != symbols.isData.begin() && std::prev(data)->second) {
      here = data == symbols.isData.end() ? end : std::min(data->first, end);
      continue;
    }
    std::optional<FeatureReader::Instruction> instruction =
        reader.read(bytes.drop_front(here - address), here);
    uint64_t size = instruction ? instruction->size : reader.getAlignment();
    if (!instruction || (open.empty() && here + size > limit)) {
      // What is none, or ends where a function has begun.
      size =
          std::min(std::min<uint64_t>(size, reader.getAlignment()), end - here);
      architecture.numUnread += size;
      if (open.empty())
        architecture.numOutside += size;
      here += size;
      continue;
    }
    here += size;
    if (open.empty())
      architecture.numOutside += size;
    unsigned features = instruction->features;
    if (features == 0 || features == lastFeatures)
      continue;
    lastFeatures = features;
    if (open.empty())
      architecture.outside.insert(features);
    else
      architecture.functions[first + open.back()].sets.insert(features);
  }
}

Architecture &Walker::getArchitecture(const ObjectFile &object) {
  Triple triple = object.makeTriple();
  std::string name = triple.getArchName().str();
  auto [entry, isNew] = architectures.try_emplace(name);
  Architecture &architecture = entry->second;
  if (isNew) {
    architecture.name = name;
    Expected<std::unique_ptr<FeatureReader>> reader =
        FeatureReader::create(triple.str());
    if (reader)
      architecture.reader = std::move(*reader);
    else
      architecture.unknown = toString(reader.takeError());
  }
  return architecture;
}

Error Walker::add(const ObjectFile &object) {
  if (Error error = checkTables(object))
    return error;
  std::map<uint64_t, SectionSymbols> symbols;
  for (const SymbolRef &symbol : object.symbols())
    if (Error error = addSymbol(symbol, object, symbols))
      return error;
  // Libraries without the names that linkers need have those that loaders do.
  if (auto *elf = dyn_cast<ELFObjectFileBase>(&object))
    for (const SymbolRef &symbol : elf->getDynamicSymbolIterators())
      if (Error error = addSymbol(symbol, object, symbols))
        return error;
  std::vector<Function> unwound;
  if (Error error = addUnwound(object, unwound))
    return error;
  for (const SectionRef &section : object.sections()) {
    if (!section.isText() || section.isVirtual() || section.getSize() == 0)
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      return contents.takeError();
    Architecture &architecture = getArchitecture(object);
    if (!architecture.reader)
      continue;
    SectionSymbols &own = symbols[section.getIndex()];
    uint64_t address = section.getAddress();
    own.functions.insert(own.functions.end(), unwound.begin(), unwound.end());
    llvm::erase_if(own.functions, [&](const Function &function) {
      return function.start < address ||
             function.start - address >= contents->size();
    });
    finish(own.functions, address + contents->size());
    read(own, address, arrayRefFromStringRef(*contents), architecture);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// What is said of them
//===----------------------------------------------------------------------===//

static FeatureNames join(const FeatureReader &reader,
                         const std::set<unsigned> &sets) {
  std::set<std::string> names;
  for (unsigned set : sets)
    names.insert(reader.getFeatures(set).begin(),
                 reader.getFeatures(set).end());
  return FeatureNames(names.begin(), names.end());
}

/// A function that multiplies by SME does so in streaming mode, which has SVE's
/// vectors whether the machine has SVE or not.
static FeatureNames leaveOutStreaming(FeatureNames features) {
  if (is_contained(features, "sme"))
    llvm::erase(features, "sve");
  return features;
}

/// Which of `cpus` the function is for; none if it is for all of them.
static std::optional<size_t> findVariant(StringRef name,
                                         ArrayRef<std::string> cpus) {
  const auto *cpu = llvm::find_if(cpus, [&](const std::string &candidate) {
    return name.ends_with(getVariantName("", candidate));
  });
  if (cpu == cpus.end())
    return std::nullopt;
  return cpu - cpus.begin();
}

static RequiredCpus describe(const Architecture &architecture,
                             ArrayRef<std::string> cpus) {
  RequiredCpus result;
  result.architecture = architecture.name;
  result.unknown = architecture.unknown;
  if (!architecture.reader)
    return result;
  const FeatureReader &reader = *architecture.reader;
  result.numFunctions = architecture.functions.size();
  result.numBytes = architecture.numBytes;
  result.numOutside = architecture.numOutside;
  result.numUnread = architecture.numUnread;

  // The levels from the lowest, then features by name.
  std::vector<CpuUse> levels;
  for (const std::string &level : reader.getLevels().drop_front())
    levels.push_back({level, {}, {}});
  std::map<std::string, CpuUse> beyond;
  std::set<std::string> all;
  std::vector<std::set<std::string>> ofVariants(cpus.size());
  std::vector<size_t> sizes(cpus.size());
  // Names that others can call, other names, addresses.
  std::vector<const Architecture::FunctionFeatures *> functions;
  for (const Architecture::FunctionFeatures &function : architecture.functions)
    functions.push_back(&function);
  auto getRank = [](const Architecture::FunctionFeatures &function) {
    return std::make_tuple(!function.isGlobal, isDigit(function.name[0]),
                           StringRef(function.name));
  };
  llvm::stable_sort(functions, [&](const auto *a, const auto *b) {
    return getRank(*a) < getRank(*b);
  });
  for (const Architecture::FunctionFeatures *function : functions) {
    const auto &[name, isGlobal, sets] = *function;
    FeatureNames features = leaveOutStreaming(join(reader, sets));
    if (std::optional<size_t> variant = findVariant(name, cpus)) {
      ofVariants[*variant].insert(features.begin(), features.end());
      ++sizes[*variant];
    } else if (cpus.empty() || name != kRunnableCpus) {
      // That one runs what a machine may lack once the machine has said that it
      // does not.
      all.insert(features.begin(), features.end());
    }
    RequiredCpu cpu = reader.getCpu(features);
    auto level = llvm::find_if(
        levels, [&](const CpuUse &use) { return use.need == cpu.level; });
    if (level != levels.end()) {
      level->functions.push_back(name);
      for (const std::string &feature : features)
        if (RequiredCpu own = reader.getCpu({feature});
            own.level == cpu.level && own.features.empty())
          level->features.push_back(feature);
    }
    for (const std::string &feature : cpu.features) {
      beyond[feature].need = feature;
      beyond[feature].functions.push_back(name);
    }
  }

  for (CpuUse &use : levels)
    if (!use.functions.empty())
      result.uses.push_back(std::move(use));
  for (auto &[feature, use] : beyond)
    result.uses.push_back(std::move(use));
  for (CpuUse &use : result.uses) {
    llvm::sort(use.features);
    use.features.erase(llvm::unique(use.features), use.features.end());
  }
  for (auto [index, cpu] : enumerate(cpus))
    if (sizes[index] != 0)
      result.variants.push_back(
          {cpu,
           reader.getCpu(FeatureNames(ofVariants[index].begin(),
                                      ofVariants[index].end())),
           sizes[index]});
  // Where no other variant can run, the oldest does.
  if (!result.variants.empty())
    all.insert(ofVariants.front().begin(), ofVariants.front().end());
  result.functions = reader.getCpu(FeatureNames(all.begin(), all.end()));
  FeatureNames outside = join(reader, architecture.outside);
  result.outside = reader.getCpu(outside);
  all.insert(outside.begin(), outside.end());
  RequiredCpu both = reader.getCpu(FeatureNames(all.begin(), all.end()));
  result.isOutsideHigher = both.level != result.functions.level ||
                           both.features != result.functions.features;
  return result;
}

std::vector<RequiredCpus> Walker::getResults(ArrayRef<std::string> cpus) const {
  std::vector<RequiredCpus> results;
  for (const auto &[name, architecture] : architectures)
    results.push_back(describe(architecture, cpus));
  return results;
}

Expected<std::vector<RequiredCpus>>
readRequiredCpus(StringRef path, ArrayRef<std::string> cpus) {
  Walker walker;
  if (Error error = forEachObject(
          path, [&](const ObjectFile &object) { return walker.add(object); }))
    return Expected<std::vector<RequiredCpus>>(std::move(error));
  return walker.getResults(cpus);
}

} // namespace ein
