//===- CheckOptions.cpp - What flags mean together ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CLI11 knows each flag. Here is what it does not know: what a value may be,
// which flags exclude each other, and what follows from a file's suffix.
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"
#include "driver/Flags.h"
#include "driver/Reports.h"
#include "frontend/source/ReadFile.h"
#include "passes/pipelines/Pipelines.h"
#include "target/DotProducts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdlib>
#include <utility>

namespace ein {

std::nullopt_t reject(Outcome &outcome, const llvm::Twine &message) {
  outcome.status = kWrongCommandLine;
  outcome.diags.report(DiagId::WrongCommandLine, {}, {message.str()});
  return std::nullopt;
}

std::string suggest(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> candidates) {
  std::optional<llvm::StringRef> similar = findSimilarName(name, candidates);
  return similar ? "; did you mean `" + similar->str() + "`?" : "";
}

namespace {
/// "a, b or c".
std::string nameChoices(llvm::ArrayRef<llvm::StringRef> choices) {
  std::string text = llvm::join(choices.drop_back(), ", ");
  return text + (text.empty() ? "" : " or ") + choices.back().str();
}

} // namespace

bool checkChoice(llvm::StringRef flag, llvm::StringRef value,
                 llvm::ArrayRef<llvm::StringRef> choices, Outcome &outcome) {
  if (llvm::is_contained(choices, value))
    return true;
  reject(outcome, flag + " takes " + nameChoices(choices) + ", not `" + value +
                      "`" + suggest(value, choices));
  return false;
}

llvm::SmallVector<llvm::StringRef> getReports() {
  llvm::SmallVector<llvm::StringRef> names;
#define EIN_REPORT(NAME, TEXT) names.push_back(NAME);
#include "driver/Reports.def"
  return names;
}

namespace {

std::string nameKinds() {
  std::string text = "there is";
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT) text += " " NAME;
#include "driver/EmissionKinds.def"
  return text;
}

/// ".ein, .yaml, …": those that say what to write.
std::string nameSuffixes() {
  std::vector<std::string> names;
  for (llvm::StringRef suffix : {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT) SUFFIX,
#include "driver/EmissionKinds.def"
       })
    if (std::string name = "." + suffix.str();
        getKindOfSuffix(suffix) && !llvm::is_contained(names, name))
      names.push_back(name);
  return llvm::join(names, ", ");
}

/// The kind that is asked for by `--emit`, else by the output's suffix.
std::optional<EmissionKind> getKind(const Flags &flags, const Options &options,
                                    Outcome &outcome) {
  if (!flags.emit.empty()) {
    std::optional<EmissionKind> kind = parseEmissionKind(flags.emit);
    static constexpr llvm::StringRef kinds[] = {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT) NAME,
#include "driver/EmissionKinds.def"
    };
    if (!kind)
      return reject(outcome, "there is no kind `" + flags.emit + "`" +
                                 suggest(flags.emit, kinds) + "; " +
                                 nameKinds());
    return kind;
  }
  llvm::StringRef suffix = llvm::sys::path::extension(options.output);
  suffix.consume_front(".");
  std::optional<EmissionKind> kind = getKindOfSuffix(suffix);
  if (!kind && isForeignSuffix(suffix))
    return reject(outcome, "no kind is written to `." + suffix +
                               "`; `--emit KIND` says what to write, or one "
                               "of the suffixes " +
                               nameSuffixes());
  return kind.value_or(EmissionKind::Exe);
}

/// What `build` writes when there is no `-o`.
std::string getDefaultOutput(const Options &options) {
  std::string stem =
      options.text ? "a" : llvm::sys::path::stem(options.file).str();
  if (options.kind == EmissionKind::Exe)
    return options.text ? "a.out" : stem;
  bool isLibrary = options.kind == EmissionKind::Static ||
                   options.kind == EmissionKind::Shared;
  return (isLibrary ? "lib" : "") + stem + "." + getSuffix(options.kind).str();
}

/// The machine that `--target`, `--features` and this `--cpu` name.
std::optional<TargetInfo> getTarget(const Flags &flags, llvm::StringRef name,
                                    Outcome &outcome) {
  // Features alone refine the host.
  llvm::StringRef cpu = flags.target.empty() && name.empty() ? "native" : name;
  llvm::Expected<TargetInfo> target =
      ein::getTarget(flags.target, cpu, flags.features, flags.sveBits);
  if (target)
    return *target;
  std::string message = llvm::toString(target.takeError());
  // Which of the three names is wrong is what the message quotes.
  auto isAbout = [&](llvm::StringRef name) {
    return !name.empty() &&
           llvm::StringRef(message).contains("`" + name.str() + "`");
  };
  llvm::Triple triple(flags.target.empty()
                          ? llvm::sys::getProcessTriple()
                          : llvm::Triple::normalize(flags.target));
  std::vector<std::string> names;
  llvm::StringRef wrong;
  if (isAbout(name)) {
    wrong = name;
    for (const char *other :
         {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"})
      if (llvm::is_contained(getCpuNames(other), name))
        return reject(outcome, message + ", but for `" +
                                   llvm::Triple(other).getArchName() + "`");
    names = getCpuNames(triple.str());
    names.push_back("native");
  } else if (isAbout(flags.target)) {
    wrong = llvm::StringRef(flags.target).split('-').first;
    for (auto &[name, description] : getCodeGenerators())
      names.push_back(name);
    // The triples' words for what LLVM calls x86-64.
    names.insert(names.end(), {"x86_64", "aarch64", "arm64"});
  }
  std::vector<llvm::StringRef> candidates(names.begin(), names.end());
  return reject(outcome, message + suggest(wrong, candidates));
}

} // namespace

/// Reports a file that cannot be read, or not be understood.
static void rejectFile(Outcome &outcome, DiagId id,
                       llvm::ArrayRef<std::string> args) {
  outcome.status = kWrongInput;
  outcome.diags.report(id, {}, args);
}

std::optional<std::string> readOptionFile(const std::string &name,
                                          Outcome &outcome) {
  llvm::ErrorOr<std::string> text = readSourceFile(name);
  if (text)
    return *text;
  rejectFile(outcome, DiagId::CannotRead, {name, text.getError().message()});
  return std::nullopt;
}

void rejectModel(const std::string &name, llvm::Error error, Outcome &outcome) {
  llvm::handleAllErrors(std::move(error), [&](const MachineError &wrong) {
    rejectFile(outcome, DiagId::WrongMachine,
               {name, std::to_string(wrong.line), std::to_string(wrong.column),
                wrong.message});
  });
}

namespace {

/// Reads the model of `--machine`.
std::optional<MachineModel> readMachine(const std::string &name,
                                        Outcome &outcome) {
  std::optional<std::string> text = readOptionFile(name, outcome);
  if (!text)
    return std::nullopt;
  llvm::Expected<MachineModel> machine = ein::readMachine(*text);
  if (machine)
    return *machine;
  rejectModel(name, machine.takeError(), outcome);
  return std::nullopt;
}

/// Reads a file of `einc tune`.
bool readTunedFile(const std::string &name, std::vector<TunedEntry> &tuned,
                   Outcome &outcome) {
  std::optional<std::string> text = readOptionFile(name, outcome);
  if (!text)
    return false;
  llvm::Expected<std::vector<TunedEntry>> entries = readTuned(*text, name);
  if (!entries) {
    rejectFile(outcome, DiagId::WrongTuned,
               {llvm::toString(entries.takeError())});
    return false;
  }
  tuned = std::move(*entries);
  return true;
}

/// Puts the one machine, or the several CPUs, that are named into `options`.
bool setTarget(const Flags &flags, Options &options, Outcome &outcome) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(flags.cpu).split(names, ',');
  if (flags.sveBits != 0 && names.size() > 1) {
    reject(outcome,
           "--sve-vector-bits is for one CPU, and --cpu names several");
    return false;
  }
  std::vector<TargetInfo> targets;
  for (auto [index, name] : llvm::enumerate(names)) {
    std::string wrong;
    if (name.empty())
      wrong = "--cpu: a name of the list is empty";
    else if (name == "native")
      wrong = "--cpu: `native` is the machine that compiles; a list has names";
    else if (llvm::is_contained(llvm::ArrayRef(names).take_front(index), name))
      wrong = "--cpu: `" + name.str() + "` is twice in the list";
    if (names.size() > 1 && !wrong.empty()) {
      reject(outcome, wrong);
      return false;
    }
    std::optional<TargetInfo> target = getTarget(flags, name, outcome);
    if (!target)
      return false;
    targets.push_back(std::move(*target));
  }
  options.compile.target = targets.front();
  if (!flags.machine.empty()) {
    if (targets.size() > 1) {
      reject(outcome, "--machine is for one CPU, and --cpu names several");
      return false;
    }
    if (flags.machine == "-") {
      reject(outcome, "--machine takes a file");
      return false;
    }
    std::optional<MachineModel> machine = readMachine(flags.machine, outcome);
    if (!machine)
      return false;
    useMachine(options.compile.target, *machine);
    options.compile.machineFile = flags.machine;
  }
  if (targets.size() == 1)
    return true;
  if (options.command != Command::Build) {
    reject(outcome, "--cpu takes one CPU here; `einc build` takes several");
    return false;
  }
  llvm::Expected<std::vector<TestedCpu>> cpus = orderCpus(targets);
  if (!cpus) {
    reject(outcome, "--cpu: " + llvm::toString(cpus.takeError()));
    return false;
  }
  options.compile.cpus = std::move(*cpus);
  options.compile.target = options.compile.cpus.front().target;
  return true;
}

/// Halves are worth their three products where the machine multiplies them.
bool setPrecision(const Flags &flags, Options &options, Outcome &outcome) {
  if (flags.precision != "f32x3")
    return true;
  CompileOptions &compile = options.compile;
  if (compile.strictFP) {
    reject(outcome, "--precision f32x3 rounds more often than --strict-fp "
                    "lets it");
    return false;
  }
  std::vector<TargetInfo> targets = {compile.target};
  for (const TestedCpu &cpu : compile.cpus)
    targets.push_back(cpu.target);
  for (const TargetInfo &target : targets)
    if (!hasHalfProducts(target)) {
      reject(outcome, "--precision f32x3 needs instructions that add up "
                      "products of bf16, which `" +
                          target.cpu + "` has not");
      return false;
    }
  compile.splitsProducts = true;
  return true;
}

/// Whether there is a pass of that name on the way to any kind.
bool checkPassName(llvm::StringRef name, Outcome &outcome) {
  std::vector<std::string> names = getPipelinePassNames();
  if (name.empty() || llvm::is_contained(names, name))
    return true;
  std::vector<llvm::StringRef> candidates(names.begin(), names.end());
  reject(outcome, "--print-after: there is no pass `" + name + "`" +
                      suggest(name, candidates));
  return false;
}

} // namespace

std::optional<uint64_t> parseBytes(llvm::StringRef text) {
  uint64_t count = 0;
  if (text.consumeInteger(10, count))
    return std::nullopt;
  std::string unit = text.lower();
  uint64_t factor = llvm::StringSwitch<uint64_t>(unit)
                        .Cases({"", "b"}, 1)
                        .Case("kib", uint64_t(1) << 10)
                        .Case("mib", uint64_t(1) << 20)
                        .Case("gib", uint64_t(1) << 30)
                        .Case("tib", uint64_t(1) << 40)
                        .Case("kb", 1'000)
                        .Case("mb", 1'000'000)
                        .Case("gb", 1'000'000'000)
                        .Case("tb", 1'000'000'000'000)
                        .Default(0);
  // What no machine has means any amount.
  constexpr uint64_t kMost = uint64_t(1) << 62;
  if (count == 0 || factor == 0)
    return std::nullopt;
  return count > kMost / factor ? kMost : count * factor;
}

namespace {

/// `a::b`, or nothing. What C++ reserves, its compiler says.
bool isNamespace(llvm::StringRef text) {
  if (text.empty())
    return true;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, "::");
  return llvm::all_of(parts, [](llvm::StringRef part) {
    return !part.empty() && !llvm::isDigit(part[0]) &&
           llvm::all_of(part,
                        [](char c) { return c == '_' || llvm::isAlnum(c); });
  });
}

/// The cache that the environment names; none if there is to be none.
bool findCache(Options &options, Outcome &outcome) {
  uint64_t maxBytes = kDefaultCacheBytes;
  const char *size = std::getenv("EINC_CACHE_SIZE");
  if (size && llvm::StringRef(size) == "0")
    return true;
  if (size && *size) {
    std::optional<uint64_t> bytes = parseBytes(size);
    if (!bytes) {
      reject(outcome, "EINC_CACHE_SIZE is a number of bytes, as `65536`, "
                      "`64KiB` or `1GiB`, or 0 for no cache, not `" +
                          llvm::Twine(size) + "`");
      return false;
    }
    maxBytes = *bytes;
  }
  if (std::string directory = getCacheDirectory(); !directory.empty())
    options.cache.emplace(directory, maxBytes);
  return true;
}

/// Whether what the environment says of progress can be meant.
bool checkPatience(Outcome &outcome) {
  const char *text = std::getenv("EINC_PROGRESS_SECONDS");
  unsigned seconds = 0;
  if (!text || !*text || !llvm::StringRef(text).getAsInteger(10, seconds))
    return true;
  reject(outcome, "EINC_PROGRESS_SECONDS is a number of seconds, not `" +
                      llvm::Twine(text) + "`");
  return false;
}

} // namespace

std::optional<Options> finish(Flags &flags, Options options, Outcome &outcome) {
  if (!checkPatience(outcome) ||
      !setDistribution(flags, options.compile.distribution, outcome))
    return std::nullopt;
  options.listsAllTargets = flags.target.empty() && flags.cpu.empty() &&
                            flags.features.empty() && flags.machine.empty();
  if (options.command == Command::Fmt || options.command == Command::Inspect) {
    if (flags.positionals.empty())
      return reject(outcome, options.command == Command::Fmt
                                 ? "no input: give a FILE, or `-`"
                                 : "no input: give a FILE");
    options.files = std::exchange(flags.positionals, {});
  } else if (options.command == Command::Ops) {
    // A file is told from an op by its ending.
    auto isFile = [](llvm::StringRef text) {
      return text == "-" || llvm::sys::path::has_extension(text);
    };
    std::vector<std::string> &rest = flags.positionals;
    if (!rest.empty() && isFile(rest.front())) {
      options.file = rest.front();
      rest.erase(rest.begin());
    }
    if (!rest.empty()) {
      options.op = rest.front();
      rest.erase(rest.begin());
    }
    llvm::StringRef extension = llvm::sys::path::extension(options.file);
    if (isOpDSLFile(options.file) || extension == ".mlir")
      return reject(outcome,
                    "`einc ops` takes files of defs, .ein; `einc build " +
                        options.file + " --emit ein` prints such");
  } else if (options.command == Command::Cache) {
    if (flags.showsCache && options.clearsCache)
      return reject(outcome, "--show and --clear are two things to ask for");
    if (options.json && options.clearsCache)
      return reject(outcome, "--json is for --show");
  } else if (options.command == Command::Targets ||
             options.command == Command::Lsp) {
    // No program belongs to it.
  } else if (flags.text) {
    options.text = flags.text;
    options.compile.form = SourceForm::CommandLine;
  } else {
    if (flags.positionals.empty())
      return reject(outcome, "no input: give a FILE, or -e TEXT");
    options.file = flags.positionals.front();
    flags.positionals.erase(flags.positionals.begin());
    if (llvm::StringRef(options.file).ends_with(".mlir")) {
      if (options.command == Command::Verify)
        return reject(outcome, "`einc verify` does not take MLIR, which has no "
                               "reference");
      options.compile.form = SourceForm::MLIR;
    } else if (isOpDSLFile(options.file)) {
      options.compile.form = SourceForm::OpDSL;
    }
  }
  options.operands = flags.positionals;
  if (options.command != Command::Run && !options.operands.empty())
    return reject(outcome, "what is `" + options.operands.front() +
                               "`? There is an input already");

  for (const std::string &flag : flags.warnings)
    if (!options.compile.check.warnings.add(flag))
      return reject(outcome, "-W" + flag + ": there is no such warning");
  std::string error;
  if (!flags.bind.empty() &&
      !parseBindings(flags.bind, options.compile.check, error))
    return reject(outcome, "--bind: " + error);

  if (!flags.dtype.empty()) {
    std::optional<ElementType> type = parseElementType(flags.dtype);
    static constexpr llvm::StringRef types[] = {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY) SPELLING,
#define EIN_ELEMENT_ALIAS(ALIAS, ENUM) ALIAS,
#include "abi/ElementTypes.def"
    };
    if (!type)
      return reject(outcome, "--dtype: there is no element type `" +
                                 flags.dtype + "`" +
                                 suggest(flags.dtype, types));
    options.compile.check.defaultType = *type;
    options.hasDataType = true;
  }
  if (!checkChoice("-O", flags.optLevel, {"0", "1", "2", "3"}, outcome))
    return std::nullopt;
  options.compile.optLevel = flags.optLevel[0] - '0';
  // Tests run thousands of programs, few of them for what LLVM makes of them.
  bool isRun =
      options.command == Command::Run || options.command == Command::Verify;
  if (((isRun && !flags.hasNoCache) || options.command == Command::Cache) &&
      !findCache(options, outcome))
    return std::nullopt;
  if (const char *level = std::getenv("EINC_LLVM_OPT");
      level && isRun && flags.llvmOptLevel.empty())
    flags.llvmOptLevel = level;
  if (!flags.llvmOptLevel.empty()) {
    if (!checkChoice("--llvm-opt", flags.llvmOptLevel, {"0", "1", "2", "3"},
                     outcome))
      return std::nullopt;
    options.compile.llvmOptLevel = flags.llvmOptLevel[0] - '0';
  }
  options.compile.checks = !flags.hasNoChecks;
  if (!setTarget(flags, options, outcome) ||
      (!flags.tuned.empty() &&
       !readTunedFile(flags.tuned, options.compile.tuned, outcome)))
    return std::nullopt;
  options.compile.tunedFile = flags.tuned;
  const TargetInfo &target = options.compile.target;
  if (options.command != Command::Build &&
      options.command != Command::Explain && !options.listsWays &&
      options.command != Command::Targets && options.command != Command::Ops) {
    if (!isForHost(target))
      return reject(outcome, "code for `" + target.triple +
                                 "` cannot run on this machine; use `build`");
    if (std::string feature = findMissingFeature(target); !feature.empty())
      return reject(outcome, "this machine has no `" + feature +
                                 "`, which the code may use; `build` makes it "
                                 "for another one");
  }

  if (!options.calibration.empty() && options.printsModel)
    return reject(outcome, "--model and --calibrate are two things to ask for");
  if (!options.calibration.empty() && !isForHost(target))
    return reject(outcome, "--calibrate measures this machine, which is no `" +
                               target.triple + "`");

  if (options.command == Command::Tune) {
    if (options.output.empty() && !options.listsWays)
      return reject(outcome, "tune needs a file to write, `-o FILE.tuned`");
    if (!flags.tuned.empty())
      return reject(outcome, "tune goes on with what is in the file of `-o`; "
                             "--tuned is for what takes it");
    if (options.compile.optLevel == 0)
      return reject(outcome, "nothing is tuned at -O0");
    // What is there already is gone on with.
    if (!options.output.empty() && options.output != "-" &&
        llvm::sys::fs::exists(options.output) &&
        !readTunedFile(options.output, options.compile.tuned, outcome))
      return std::nullopt;
  }
  if (options.measures && options.html.empty() && !options.json)
    return reject(outcome, "--measure is for --html and --json");
  if (options.measures && !isForHost(target))
    return reject(outcome, "code for `" + target.triple +
                               "` cannot be measured on this machine");

  if (!checkChoice("--color", flags.color, {"auto", "always", "never"},
                   outcome) ||
      !checkChoice("--diagnostics", flags.diagnostics, {"text", "json"},
                   outcome) ||
      !checkChoice("--broadcast", flags.broadcast, {"none", "numpy"},
                   outcome) ||
      !checkChoice("--library", flags.library, {"none", "blas"}, outcome) ||
      !checkChoice("--precision", flags.precision, {"f32", "f32x3"}, outcome) ||
      !setPrecision(flags, options, outcome))
    return std::nullopt;
  options.useColor =
      flags.color == "always" ||
      (flags.color == "auto" && llvm::sys::Process::StandardErrHasColors());

  if (auto strategy = parsePathStrategy(flags.path)) {
    options.compile.order.strategy = *strategy;
  } else {
    options.compile.pathFile = flags.path;
    if (options.compile.form == SourceForm::MLIR)
      return reject(outcome, "--path: a file is for statements, and MLIR has "
                             "none; `ein.einsum` has a `path`");
  }
  options.compile.order.seed = options.seed;
  options.compile.order.keepsOrder = options.compile.strictFP;
  if (!flags.maxTemp.empty()) {
    std::optional<uint64_t> bytes = parseBytes(flags.maxTemp);
    if (!bytes)
      return reject(outcome, "--max-temp takes a number of bytes, as `65536`, "
                             "`64KiB` or `1GiB`, not `" +
                                 flags.maxTemp + "`");
    options.compile.order.maxTempBytes = *bytes;
  }

  options.jsonDiagnostics = flags.diagnostics == "json";
  options.compile.check.broadcastsSizeOne = flags.broadcast == "numpy";
  options.compile.useBlas = flags.library == "blas";

  for (llvm::StringRef list : flags.reports)
    for (llvm::StringRef name : llvm::split(list, ',')) {
      if (!checkChoice("--report", name, getReports(), outcome))
        return std::nullopt;
      options.compile.reports.push_back(name.str());
    }

  if (!checkDistribution(options, outcome))
    return std::nullopt;
  options.compile.distribution.makesFunctions =
      options.compile.distribution.isWanted &&
      options.command == Command::Build;

  if (!checkPassName(options.compile.printAfter, outcome))
    return std::nullopt;

  std::string &prefix = options.compile.prefix;
  if (!llvm::all_of(prefix,
                    [](char c) { return c == '_' || llvm::isAlnum(c); }) ||
      (!prefix.empty() && llvm::isDigit(prefix[0])))
    return reject(outcome,
                  "--prefix: no name in C starts with `" + prefix + "`");

  if (!isNamespace(options.compile.nameSpace))
    return reject(outcome, "--namespace takes names joined by `::`, not `" +
                               options.compile.nameSpace + "`");

  if (!options.compile.transformFile.empty() && options.compile.optLevel == 0)
    return reject(outcome, "--transform: at -O0 nothing is scheduled");

  if (options.command == Command::Build) {
    std::optional<EmissionKind> kind = getKind(flags, options, outcome);
    if (!kind)
      return std::nullopt;
    options.kind = *kind;
    bool isSchedulable = *kind != EmissionKind::Loops &&
                         *kind != EmissionKind::Affine &&
                         *kind != EmissionKind::Parallel;
    if (!options.compile.transformFile.empty() && !isSchedulable)
      return reject(
          outcome, "--transform: there is no transform script on the way to `" +
                       getName(*kind) + "`");
    if (!options.compile.cpus.empty() && isForOneCpu(*kind))
      return reject(outcome,
                    "--cpu: `" + getName(*kind) +
                        "` is for one CPU; several have in common what comes "
                        "before `tiled`, and from `llvm-ir` on");
    if (options.compile.distribution.makesFunctions) {
      if (!options.compile.cpus.empty())
        return reject(outcome, "--distribute is for one CPU");
      if (*kind == EmissionKind::Hpp)
        return reject(outcome,
                      "--distribute makes functions of C; their header "
                      "is for C++ as well: `-o NAME.h`");
    }
    if (options.output.empty())
      options.output = isText(*kind) ? "-" : getDefaultOutput(options);
    if (!options.text && options.file != "-" &&
        llvm::sys::fs::is_regular_file(options.file) &&
        llvm::sys::fs::equivalent(options.file, options.output))
      return reject(outcome,
                    "-o: `" + options.output + "` is the program itself");
  }
  return options;
}

} // namespace ein
