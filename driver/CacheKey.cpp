//===- CacheKey.cpp - What compiled code depends on -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structs of options are taken apart by structured bindings, which name all of
// their members: a new option does not compile before it is said here whether
// code depends on it.
//
//===----------------------------------------------------------------------===//

#include "driver/CacheKey.h"
#include "frontend/prelude/Library.h"
#include "frontend/source/ReadFile.h"
#include "target/NetworkFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <elf.h>
#include <link.h>
#include <map>

using namespace llvm;

namespace ein {
namespace {

/// Hashes values so that no two sequences of them are the same bytes.
class Hasher {
public:
  template <typename T>
  std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>> add(T value) {
    uint64_t word = static_cast<uint64_t>(value);
    hash.update({reinterpret_cast<const uint8_t *>(&word), sizeof word});
  }
  void add(StringRef text) {
    add(text.size());
    hash.update(text);
  }
  void add(const std::string &text) { add(StringRef(text)); }
  void add(const CacheKey &key) { hash.update(ArrayRef(key)); }
  template <typename T> void add(const std::optional<T> &value) {
    add(value.has_value());
    if (value)
      add(*value);
  }
  template <typename T> void add(const std::vector<T> &values) {
    add(values.size());
    for (const T &value : values)
      add(value);
  }
  template <typename K, typename V> void add(const std::map<K, V> &values) {
    add(values.size());
    for (const auto &[key, value] : values) {
      add(key);
      add(value);
    }
  }
  template <typename T> void add(const std::set<T> &values) {
    add(values.size());
    for (const T &value : values)
      add(value);
  }
  /// Each of them.
  template <typename... Ts> void addAll(const Ts &...values) {
    (add(values), ...);
  }

  void add(const DataType &data) {
    const auto &[shape, type, name] = data;
    addAll(shape, type, name);
  }
  void add(const WarningOptions &warnings) {
    const auto &[ignored, errors, areErrors] = warnings;
    addAll(ignored, errors, areErrors);
  }
  void add(const CheckOptions &check) {
    // Who has files open compiles nothing.
    const auto &[bindings, constants, defaultType, includeDirs, openFiles,
                 broadcastsSizeOne, warnings, namedData, data] = check;
    addAll(bindings, constants, defaultType, includeDirs, broadcastsSizeOne,
           warnings, namedData, data);
    (void)openFiles;
  }
  void add(const ContractionOrderOptions &order) {
    // How many threads search does not matter.
    const auto &[strategy, effort, seed, keepsOrder, maxTempBytes, wantsOne,
                 numThreads] = order;
    addAll(strategy, effort, seed, keepsOrder, maxTempBytes, wantsOne);
    (void)numThreads;
  }
  void add(const DistributionOptions &distribution) {
    const auto &[isWanted, makesFunctions, ranks, mpi, maxMemoryBytes, network,
                 networkFile] = distribution;
    addAll(isWanted, makesFunctions, ranks, mpi, maxMemoryBytes,
           printNetwork(network), networkFile);
  }
  void add(const TargetInfo &target) {
    const auto &[triple, cpu, features, vectorBits, vectorRegisters, sveBits,
                 fma, dotProducts, halfConversions, halfArithmetic,
                 halfRounding, maskedOps, maskedNarrowOps, complexConvention,
                 exactMaxima, machine, blockModel, l1Bytes, l2Bytes, l3Bytes,
                 rowStreams, privateBytes] = target;
    addAll(triple, cpu, features, vectorBits, vectorRegisters, sveBits, fma,
           dotProducts, halfConversions, halfArithmetic, halfRounding,
           maskedOps, maskedNarrowOps, complexConvention, exactMaxima,
           printMachine(machine), blockModel, l1Bytes, l2Bytes, l3Bytes,
           rowStreams, privateBytes);
  }
  void add(const TunedEntry &entry) {
    // Times are for people.
    const auto &[op, cpu, schedule, seconds, untunedSeconds] = entry;
    addAll(op, cpu, schedule);
    (void)seconds;
    (void)untunedSeconds;
  }
  void add(const TestedCpu &cpu) {
    // What is tested follows from the features.
    const auto &[target, features, tests] = cpu;
    addAll(target, features);
    (void)tests;
  }
  void add(const CompileOptions &options) {
    const auto &[form, check, optLevel, llvmOptLevel, codegenLevel, target,
                 machineFile, tuned, tunedFile, cpus, prefix, nameSpace, packed,
                 keepsPrivate, parallel, distribution, views, checks, strictFP,
                 splitsProducts, keptStates, debug, timePasses, printAfter,
                 order, pathFile, useBlas, packing, sharing, columnBlock,
                 transformFile, reports, onStage, dumpDir, observer] = options;
    addAll(form, check, optLevel, llvmOptLevel, codegenLevel, target,
           machineFile, tuned, tunedFile, cpus, prefix, nameSpace, packed,
           keepsPrivate, parallel, distribution, views, checks, strictFP,
           splitsProducts, keptStates, debug, timePasses, printAfter, order,
           pathFile, useBlas, packing, sharing, columnBlock, transformFile,
           reports, dumpDir);
    (void)onStage;
    (void)observer; // `explain` has one, which asks for no code
  }

  CacheKey finish() { return hash.final<32>(); }

private:
  BLAKE3 hash;
};

} // namespace

//===----------------------------------------------------------------------===//
// Which compiler this is
//===----------------------------------------------------------------------===//

/// Whether a loaded file holds `address`.
static bool holds(const dl_phdr_info &info, uintptr_t address) {
  for (const ElfW(Phdr) &header : ArrayRef(info.dlpi_phdr, info.dlpi_phnum))
    if (header.p_type == PT_LOAD &&
        address - (info.dlpi_addr + header.p_vaddr) < header.p_memsz)
      return true;
  return false;
}

/// What the linker has made of the whole file's contents; empty if it was not
/// asked to.
static StringRef getBuildId(const dl_phdr_info &info) {
  for (const ElfW(Phdr) &header : ArrayRef(info.dlpi_phdr, info.dlpi_phnum)) {
    if (header.p_type != PT_NOTE)
      continue;
    StringRef notes(
        reinterpret_cast<const char *>(info.dlpi_addr + header.p_vaddr),
        header.p_memsz);
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, notes.data(), sizeof note);
      size_t nameSize = alignTo(note.n_namesz, 4);
      size_t size = sizeof note + nameSize + alignTo(note.n_descsz, 4);
      if (size > notes.size())
        break;
      StringRef name = notes.substr(sizeof note, note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && name == StringRef("GNU\0", 4))
        return notes.substr(sizeof note + nameSize, note.n_descsz);
      notes = notes.drop_front(size);
    }
  }
  return "";
}

/// A file by when and where it was written, for want of a build id.
static std::string describeFile(StringRef path) {
  sys::fs::file_status status;
  // The program itself has no name there.
  if (sys::fs::status(path.empty() ? "/proc/self/exe" : path, status))
    return path.str();
  auto time = status.getLastModificationTime().time_since_epoch().count();
  return (path + " " + Twine(status.getSize()) + " " + Twine(time) + " " +
          Twine(status.getUniqueID().getFile()))
      .str();
}

/// The builds of this compiler, and of LLVM where that is a file of its own.
static std::string describeBuild() {
  std::string text;
  auto visit = [](dl_phdr_info *info, size_t, void *text) {
    StringRef path = info->dlpi_name ? info->dlpi_name : "";
    StringRef name = sys::path::filename(path);
    if (!holds(*info, reinterpret_cast<uintptr_t>(&describeBuild)) &&
        !name.contains("LLVM") && !name.contains("MLIR"))
      return 0;
    StringRef id = getBuildId(*info);
    *static_cast<std::string *>(text) +=
        (id.empty() ? describeFile(path) : toHex(id)) + "\n";
    return 0;
  };
  dl_iterate_phdr(visit, &text);
  return text;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

CacheKey hashProgram(const Sources &file, const CompileOptions &options) {
  Hasher hasher;
  hasher.addAll(describeBuild(), options, file.getText());
  // Where a program is matters to what it imports, which may be itself, and to
  // nothing else.
  if (file.getText().contains("import")) {
    hasher.add(file.getName());
    hasher.add(getRealPath(file.getName()));
  }
  return hasher.finish();
}

static std::optional<CacheKey> hashFile(StringRef path) {
  ErrorOr<std::string> text = readSourceFile(path);
  if (!text)
    return std::nullopt;
  return BLAKE3::hash<32>(arrayRefFromStringRef(*text));
}

std::vector<Dependence> findDependences(const Sources &file,
                                        const CompileOptions &options) {
  std::vector<Dependence> dependences;
  for (const std::string &path :
       listImportPaths(file, options.check.includeDirs))
    dependences.push_back({path, std::nullopt, ""});
  updateDependences(dependences);
  // What was read may have changed meanwhile.
  for (const SourceFile *other : listRead(file)) {
    StringRef path = other->getName();
    auto known = llvm::find_if(dependences, [&](const Dependence &dependence) {
      return dependence.path == path;
    });
    if (known == dependences.end())
      known = dependences.insert(known,
                                 {path.str(), std::nullopt, getRealPath(path)});
    known->hash = BLAKE3::hash<32>(arrayRefFromStringRef(other->getText()));
  }
  return dependences;
}

void updateDependences(std::vector<Dependence> &dependences) {
  for (Dependence &dependence : dependences) {
    dependence.hash = sys::fs::is_regular_file(dependence.path)
                          ? hashFile(dependence.path)
                          : std::nullopt;
    dependence.realPath = getRealPath(dependence.path);
  }
}

CacheKey hashDependences(const CacheKey &program,
                         ArrayRef<Dependence> dependences) {
  Hasher hasher;
  hasher.add(program);
  for (const Dependence &dependence : dependences) {
    hasher.add(dependence.path);
    hasher.add(dependence.hash);
    hasher.add(dependence.realPath);
  }
  return hasher.finish();
}

} // namespace ein
