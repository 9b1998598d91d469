//===- Options.cpp - What the command line asks for ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file that includes CLI11, and the only one with exceptions, which
// CLI11 uses and which end here. Flags are bound to structs once; nothing reads
// a flag anywhere else.
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"
#include "driver/Commands.h"
#include "driver/Completion.h"
#include "driver/ManPage.h"
#include "driver/Reports.h"
#include "passes/pipelines/Pipelines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <sstream>

namespace ein {
namespace {

/// The flags as they are typed, before they are checked together.
struct Flags {
  std::vector<std::string> positionals;
  std::optional<std::string> text;
  std::string bind, dtype, target, cpu, features, emit, color = "auto";
  std::string diagnostics = "text";
  std::vector<std::string> warnings;
  std::vector<std::string> reports;
  std::string optLevel = "3", llvmOptLevel, library = "none",
              broadcast = "none";
  std::string path = "auto", maxTemp;
  bool hasNoChecks = false;
  bool hasNoCache = false, showsCache = false;
};

/// The kinds, one to a line, in the columns of the options.
std::string listKinds() {
  std::string text = "Kinds:\n";
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  text += "  " + llvm::StringRef(NAME).str() +                                 \
          std::string(25 - llvm::StringRef(NAME).size(), ' ') + TEXT "\n";
#include "driver/EmissionKinds.def"
  return text + "\n";
}

llvm::SmallVector<llvm::StringRef> getReports() {
  llvm::SmallVector<llvm::StringRef> names;
#define EIN_REPORT(NAME, TEXT) names.push_back(NAME);
#include "driver/Reports.def"
  return names;
}

std::string nameKinds() {
  std::string text = "there is";
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT) text += " " NAME;
#include "driver/EmissionKinds.def"
  return text;
}

void addTarget(CLI::App &app, Flags &flags) {
  app.add_option("--target", flags.target, "target triple (default: the host)")
      ->option_text("TRIPLE");
  app.add_option("--cpu", flags.cpu,
                 "target CPU, or `native`; `build` takes several, and the "
                 "object chooses when it runs")
      ->option_text("NAME[,NAME...]");
  app.add_option("--features", flags.features, "target features")
      ->option_text("+x,-y");
}

void addMessages(CLI::App &app, Flags &flags) {
  app.add_option("--color", flags.color, "when errors are coloured")
      ->option_text("auto|always|never");
  app.add_option("--diagnostics", flags.diagnostics,
                 "how errors are printed; json is an object to a line")
      ->option_text("text|json");
}

void addWarnings(CLI::App &app, Flags &flags) {
  app.add_option(
         "-W", flags.warnings,
         "no-ID leaves a warning out, error=ID makes it an error, error "
         "all of them")
      ->type_name("FLAG")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void addIncludes(CLI::App &app, Options &options) {
  app.add_option("-I", options.compile.check.includeDirs,
                 "a directory to look for imported files in; once per one")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void addCommon(CLI::App &app, Flags &flags, Options &options) {
  // The empty text is one: an einsum string of one term without labels.
  app.add_option_function<std::string>(
         "-e", [&](const std::string &text) { flags.text = text; },
         "a program, a statement, or an einsum string")
      ->option_text("TEXT");
  app.add_option("--entry", options.entry, "the def to use (default: the last)")
      ->option_text("NAME");
  app.add_option("--bind", flags.bind, "sizes to compile for")
      ->option_text("K=V,...");
  app.add_option("--dtype", flags.dtype,
                 "element type where none is written (default: f32)")
      ->option_text("TYPE");
  addIncludes(app, options);
  app.add_option("--broadcast", flags.broadcast,
                 "whether dims of size 1 are stretched in einsums")
      ->option_text("none|numpy");
  app.add_option("--path", flags.path,
                 "the order in which factors are contracted, or a file with it")
      ->option_text("auto|optimal|greedy|left|FILE");
  app.add_option("--path-effort", options.compile.order.effort,
                 "trees to evaluate where no order is known to be the best")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 40))
      ->option_text("N");
  app.add_option("--max-temp", flags.maxTemp,
                 "what the steps of a product may leave in memory: 64KiB, 1GiB")
      ->option_text("SIZE");
  app.add_option("--seed", options.seed,
                 "of the search for an order, and of random data (default: 1)")
      ->option_text("N");
  app.add_option("-O", flags.optLevel, "optimisation, 0 to 3 (default: 3)")
      ->option_text("N");
  app.add_option("--llvm-opt", flags.llvmOptLevel,
                 "how much LLVM optimises, 0 to 3 (default: as -O)")
      ->option_text("N");
  app.add_flag("--parallel", options.compile.parallel,
               "use threads (OpenMP; OMP_NUM_THREADS says how many)");
  app.add_flag("--no-checks", flags.hasNoChecks,
               "make entries that check neither sizes nor overlap");
  app.add_flag("--strict-fp", options.compile.strictFP,
               "add floats in the order that is written, rounding each result");
  addTarget(app, flags);
  addMessages(app, flags);
  addWarnings(app, flags);
  app.add_option("--library", flags.library, "what contractions are mapped to")
      ->option_text("none|blas");
  app.add_option("--link", options.linkFiles,
                 "an object or library that defines what is called")
      ->allow_extra_args(false)
      ->option_text("FILE");
  app.add_option("--transform", options.compile.transformFile,
                 "a transform script, before ours")
      ->option_text("FILE.mlir");
  app.add_option("--report", flags.reports, "say what was decided, and why")
      ->allow_extra_args(false)
      ->option_text(llvm::join(getReports(), "|"));
  app.add_flag("--time-passes", options.compile.timePasses,
               "print how long each pass and stage took");
  app.add_option("--print-after", options.compile.printAfter,
                 "print the IR after this pass, by the name of its flag")
      ->option_text("PASS");
  app.add_option("--dump-dir", options.compile.dumpDir,
                 "write every stage to this directory")
      ->option_text("DIR");
}

void addCache(CLI::App &app, Flags &flags) {
  app.add_flag("--no-cache", flags.hasNoCache,
               "compile, whether or not that was done before");
}

/// What a run on data of our own choosing needs.
void addSizes(CLI::App &app, Options &options,
              std::vector<std::string> &sizes) {
  app.add_option("--sizes", sizes,
                 "sizes to run with, where they are not compiled in")
      ->allow_extra_args(false)
      ->option_text("K=V,...");
  app.add_option("--inputs", options.inputFiles,
                 "[NAME=]FILE.npy to read instead of random data")
      ->option_text("FILE...");
}

void addHtml(CLI::App &app, Options &options) {
  app.add_option("--html", options.html,
                 "write a page that draws it, for a browser")
      ->option_text("FILE.html");
}

//===----------------------------------------------------------------------===//
// Help
//===----------------------------------------------------------------------===//

/// How a command is used, in one line.
const char *getUsage(llvm::StringRef command) {
  return llvm::StringSwitch<const char *>(command)
      .Case("build", "FILE | -e TEXT [-o OUT] [--emit KIND] [options]")
      .Case("run", "FILE | -e TEXT [NAME=]FILE.npy... [NAME=VALUE...] "
                   "[-o [NAME=]FILE.npy]...")
      .Case("verify", "FILE | -e TEXT [--sizes K=V,...] [options]")
      .Case("bench", "FILE | -e TEXT [--sizes K=V,...] [--json] "
                     "[--html FILE.html] [options]")
      .Case("explain", "FILE | -e TEXT [--bind K=V,...] [--json] "
                       "[--html FILE.html] [options]")
      .Case("ops", "[FILE.ein] [NAME] [-I DIR]")
      .Case("fmt", "FILE... [--check]")
      .Case("targets", "[--target TRIPLE] [--cpu NAME] [--features +x,-y]")
      .Case("lsp", "[-I DIR] [-W FLAG]")
      .Case("cache", "[--show] [--json] | --clear")
      .Case("completion", "bash | zsh | fish")
      .Case("man", "[COMMAND] [--date DATE]")
      .Default("COMMAND ...");
}

/// CLI11's help with our usage lines, in columns that leave room for the text.
class HelpFormatter : public CLI::Formatter {
public:
  HelpFormatter() {
    column_width(27);
    label("Positionals", "Arguments");
    label("Subcommands", "Commands");
  }
  std::string make_usage(const CLI::App *app, std::string name) const override {
    std::string command = app->get_parent() ? app->get_name() : "";
    return "Usage: einc " + command + (command.empty() ? "" : " ") +
           getUsage(command) + "\n";
  }
  std::string make_option(const CLI::Option *option,
                          bool isPositional) const override {
    // What takes many values says so in its text.
    std::stringstream out;
    std::string name = make_option_name(option, isPositional);
    if (!option->get_option_text().empty() && !isPositional)
      name += " " + option->get_option_text();
    CLI::detail::format_help(out, name, option->get_description(),
                             column_width_);
    return out.str();
  }
};

/// The names for `--cpu`, of the architectures with a model of their own.
std::string printCpus() {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const char *architecture : {"x86-64", "aarch64"}) {
    llvm::StringRef triple = llvm::StringRef(architecture) == "aarch64"
                                 ? "aarch64-linux-gnu"
                                 : "x86_64-linux-gnu";
    os << "CPUs of " << architecture << ":";
    printWrapped(os, getCpuNames(triple));
  }
  return llvm::StringRef(text).rtrim().str();
}

/// Puts flags that belong together under one heading.
void sortIntoGroups(CLI::App &app) {
  static constexpr std::pair<const char *, const char *> groups[] = {
      {"--target", "Machine"},
      {"--cpu", "Machine"},
      {"--features", "Machine"},
      {"--color", "Messages"},
      {"--diagnostics", "Messages"},
      {"-W", "Messages"},
      {"--time-passes", "Looking inside"},
      {"--print-after", "Looking inside"},
      {"--dump-dir", "Looking inside"},
      {"--verify-diagnostics", "Looking inside"}};
  for (auto [flag, group] : groups)
    if (CLI::Option *option = app.get_option_no_throw(flag))
      option->group(group);
}

/// A command with its arguments and flags, for the shells and for `man`.
CommandInfo describeCommand(const CLI::App &command) {
  bool isMain = !command.get_parent();
  CommandInfo info{isMain ? "" : command.get_name(),
                   command.get_description(),
                   getUsage(isMain ? "" : command.get_name()),
                   command.get_footer(),
                   {},
                   {}};
  for (const CLI::Option *option : command.get_options()) {
    FlagInfo flag;
    flag.description = option->get_description();
    flag.group = option->get_group();
    if (option->get_positional()) {
      flag.names = {option->get_name(/*positional=*/true)};
      info.arguments.push_back(std::move(flag));
      continue;
    }
    for (const std::string &name : option->get_snames())
      flag.names.push_back("-" + name);
    for (const std::string &name : option->get_lnames())
      flag.names.push_back("--" + name);
    if (option->get_items_expected_max() > 0)
      flag.value = option->get_option_text().empty()
                       ? option->get_type_name()
                       : option->get_option_text();
    info.flags.push_back(std::move(flag));
  }
  return info;
}

/// Those that `--help` lists.
std::vector<CommandInfo> describeCommands(const CLI::App &app) {
  std::vector<CommandInfo> commands;
  for (const CLI::App *command : app.get_subcommands({}))
    if (!command->get_group().empty())
      commands.push_back(describeCommand(*command));
  return commands;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// How einc ends if the command line does not say what to do.
struct Outcome {
  ExitStatus &status;
  DiagnosticEngine &diags;
};

/// Reports a wrong command line.
std::nullopt_t reject(Outcome &outcome, const llvm::Twine &message) {
  outcome.status = kWrongCommandLine;
  outcome.diags.report(DiagId::WrongCommandLine, {}, {message.str()});
  return std::nullopt;
}

/// "; did you mean `build`?", or nothing.
std::string suggest(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> candidates) {
  std::optional<llvm::StringRef> similar = findSimilarName(name, candidates);
  return similar ? "; did you mean `" + similar->str() + "`?" : "";
}

/// "a, b or c".
std::string nameChoices(llvm::ArrayRef<llvm::StringRef> choices) {
  std::string text = llvm::join(choices.drop_back(), ", ");
  return text + (text.empty() ? "" : " or ") + choices.back().str();
}

/// Whether an option has one of the values that it takes.
bool checkChoice(llvm::StringRef flag, llvm::StringRef value,
                 llvm::ArrayRef<llvm::StringRef> choices, Outcome &outcome) {
  if (llvm::is_contained(choices, value))
    return true;
  reject(outcome, flag + " takes " + nameChoices(choices) + ", not `" + value +
                      "`" + suggest(value, choices));
  return false;
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
      ein::getTarget(flags.target, cpu, flags.features);
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

/// Puts the one machine, or the several CPUs, that are named into `options`.
bool setTarget(const Flags &flags, Options &options, Outcome &outcome) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(flags.cpu).split(names, ',');
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

/// What CLI11 complains about, and what may have been meant: it does not name a
/// wrong command, and suggests nothing.
std::string describe(const CLI::ParseError &error, const CLI::App &app,
                     int argc, const char *const *argv) {
  std::vector<CommandInfo> commands = describeCommands(app);
  std::vector<llvm::StringRef> names;
  const CommandInfo *command = nullptr;
  for (const CommandInfo &info : commands) {
    names.push_back(info.name);
    if (argc > 1 && info.name == argv[1])
      command = &info;
  }
  llvm::StringRef first = argc > 1 ? argv[1] : "";
  if (!command && first.starts_with("-"))
    return "there is no option `" + first.str() + "`" +
           suggest(first, {"--help", "--version"});
  if (!command && !first.empty())
    return "there is no command `" + first.str() + "`" + suggest(first, names);

  llvm::StringRef message = error.what();
  llvm::StringRef flag = message.rsplit(": ").second.split(' ').first;
  flag = flag.split('=').first;
  if (!flag.starts_with("-"))
    return message.str();
  names = {"--help", "--version"};
  if (command)
    for (const FlagInfo &info : command->flags)
      llvm::append_range(names, info.names);
  // It is there, and its value is what is wrong.
  if (llvm::is_contained(names, flag))
    return message.str();
  return message.str() + suggest(flag, names);
}

/// A number of bytes, with a unit of 1024 or 1000 or none; not 0.
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

/// Everything that CLI11 does not check.
std::optional<Options> finish(Flags &flags, Options options, Outcome &outcome) {
  options.listsAllTargets =
      flags.target.empty() && flags.cpu.empty() && flags.features.empty();
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
  if (!setTarget(flags, options, outcome))
    return std::nullopt;
  const TargetInfo &target = options.compile.target;
  if (options.command != Command::Build &&
      options.command != Command::Explain &&
      options.command != Command::Targets && options.command != Command::Ops) {
    if (!isForHost(target))
      return reject(outcome, "code for `" + target.triple +
                                 "` cannot run on this machine; use `build`");
    if (std::string feature = findMissingFeature(target); !feature.empty())
      return reject(outcome, "this machine has no `" + feature +
                                 "`, which the code may use; `build` makes it "
                                 "for another one");
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
      !checkChoice("--library", flags.library, {"none", "blas"}, outcome))
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

/// Of a command line that may be wrong, and is to be reported then.
bool wantsJson(int argc, const char *const *argv) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--diagnostics=json" ||
        (argument == "json" && llvm::StringRef(argv[i - 1]) == "--diagnostics"))
      return true;
  }
  return false;
}

} // namespace

std::optional<Options> parseOptions(int argc, char **argv, ExitStatus &status) {
  DiagnosticEngine diags;
  std::string text;
  std::optional<Options> options =
      parseOptions(argc, argv, status, diags, text);
  llvm::outs() << text;
  Options wrong; // of which `printAll` reads how to print
  wrong.jsonDiagnostics = wantsJson(argc, argv);
  printAll(wrong, Sources("", ""), diags, kWrongInput);
  return options;
}

std::optional<Options> parseOptions(int argc, const char *const *argv,
                                    ExitStatus &status, DiagnosticEngine &diags,
                                    std::string &text) {
  Flags flags;
  Options options;
  Outcome outcome{status, diags};
  std::vector<std::string> sizes;
  CLI::App app("einc compiles einsum and Tensor-Comprehensions-style programs "
               "to native code.",
               "einc");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", [] {
    return "einc " EINC_VERSION ", LLVM " LLVM_VERSION "\n" + printCpus();
  });
  app.require_subcommand(1);
  app.footer("FILE is a .ein file; `-` is the standard input.\n"
             "einc COMMAND --help lists the options of a command.");

  CLI::App *build = app.add_subcommand(
      "build", "compile to an executable, a library, a header or any stage");
  addCommon(*build, flags, options);
  build->add_option("FILE", flags.positionals,
                    "the program: .ein, .yaml of OpDSL, or .mlir");
  build
      ->add_option("-o", options.output,
                   "where to write; its suffix says what (`-`: standard "
                   "output)")
      ->option_text("OUT");
  build
      ->add_option("--depfile", options.depfile,
                   "write what the output depends on, as a rule for make")
      ->option_text("FILE");
  build->add_option("--emit", flags.emit, "what to write, see below")
      ->option_text("KIND");
  build
      ->add_option("--prefix", options.compile.prefix,
                   "put before the name of every C function")
      ->option_text("TEXT");
  build
      ->add_option("--namespace", options.compile.nameSpace,
                   "the namespace of the C++ header's functions, as a::b")
      ->option_text("NAME");
  build->add_flag("-g", options.compile.debug,
                  "keep locations: in MLIR text, and as line tables");
  build->add_flag("--verify-diagnostics", options.verifyDiagnostics,
                  "compare errors with the `expected-error` comments");
  build->footer(listKinds() +
                "Examples:\n"
                "  einc build mm.ein -o mm              an executable\n"
                "  einc build mm.ein -o mm.o            an object file\n"
                "  einc build mm.ein -o mm.h            its C header\n"
                "  einc build -e 'ij,jk->ik' --emit tiled");

  CLI::App *run =
      app.add_subcommand("run", "compile in memory and run on data");
  addCommon(*run, flags, options);
  addCache(*run, flags);
  run->add_option("FILE", flags.positionals,
                  "the program, then [NAME=]FILE.npy or [NAME=]VALUE each");
  run->add_option("-o", options.outputs, "[NAME=]FILE.npy for a result")
      ->allow_extra_args(false)
      ->option_text("[NAME=]FILE.npy");
  run->footer("Examples:\n"
              "  einc run mm.ein A.npy B.npy -o C.npy\n"
              "  einc run -e 'ij->i' A.npy");

  CLI::App *verify = app.add_subcommand(
      "verify", "compile, run, and compare with the Eigen reference");
  addCommon(*verify, flags, options);
  addCache(*verify, flags);
  verify->add_option("FILE", flags.positionals, "the program");
  addSizes(*verify, options, sizes);
  verify
      ->add_option("--outputs", options.outputFiles,
                   "[NAME=]FILE.npy to check, which something else computed")
      ->option_text("FILE...");
  verify
      ->add_option("--levels", options.compile.keptStates,
                   "execute each level of the program on its way, too, or "
                   "what each pass leaves")
      ->transform(CLI::CheckedTransformer(std::map<std::string, KeptStates>{
          {"levels", KeptStates::Levels}, {"passes", KeptStates::Passes}}))
      ->expected(0, 1)
      ->default_str("levels")
      ->option_text("[=passes]");
  verify->footer("Examples:\n"
                 "  einc verify mm.ein --sizes M=64,K=100,N=7\n"
                 "  einc verify mm.ein --levels");

  CLI::App *bench = app.add_subcommand(
      "bench", "time it: GFLOP/s, GB/s, percentage of the measured peak");
  addCommon(*bench, flags, options);
  bench->add_option("FILE", flags.positionals, "the program");
  addSizes(*bench, options, sizes);
  bench->add_flag("--json", options.json, "print JSON");
  addHtml(*bench, options);
  bench->footer("Example:\n"
                "  einc bench mm.ein --sizes M=1024,K=1024,N=1024");

  CLI::App *explain = app.add_subcommand(
      "explain", "say what becomes of it: order, raising, strategy, memory");
  addCommon(*explain, flags, options);
  explain->add_option("FILE", flags.positionals, "the program");
  explain->add_flag("--json", options.json, "print JSON");
  addHtml(*explain, options);
  explain->add_flag("--measure", options.measures,
                    "time each def and each statement, for --html and --json");
  explain->footer("Example:\n"
                  "  einc explain -e 'ij,jk,kl->il' --bind i=10,k=10");

  CLI::App *ops = app.add_subcommand(
      "ops",
      "linalg's named ops, or a file's: all of them, or one's definition");
  ops->add_option("FILE NAME", flags.positionals,
                  "a file of defs (FILE.ein), and the op");
  addIncludes(*ops, options);
  addMessages(*ops, flags);
  ops->footer("Example:\n"
              "  einc ops conv_2d_nhwc_hwcf");

  CLI::App *fmt =
      app.add_subcommand("fmt", "lay programs out, without changing them");
  fmt->add_option("FILE", flags.positionals,
                  "programs to be rewritten; `-`: standard input to output");
  fmt->add_flag("--check", options.onlyChecks,
                "write nothing; name what would change, and exit with 1");
  addMessages(*fmt, flags);
  fmt->footer("Example:\n"
              "  einc fmt --check samples/*.ein");

  CLI::App *targets =
      app.add_subcommand("targets", "the machines that code can be made for");
  addTarget(*targets, flags);

  CLI::App *inspect = app.add_subcommand(
      "inspect", "say what compiled code is, and which CPU it needs");
  inspect->add_option("FILE", flags.positionals,
                      "objects, static and shared libraries, executables");
  inspect->add_flag("--json", options.json, "print JSON, an object a line");
  addMessages(*inspect, flags);
  inspect->footer("Example:\n"
                  "  einc inspect libkernels.so");

  CLI::App *lsp = app.add_subcommand(
      "lsp", "the language server: editors start it and talk to it");
  addIncludes(*lsp, options);
  addWarnings(*lsp, flags);
  lsp->add_flag("--lit-test", options.isLspTest,
                "messages between lines `// -----`, as tests write them");
  lsp->add_flag("--stdio", "for editors that say so: it is what it does");
  lsp->footer("docs/how-to/use-an-editor.md says how editors are set up.");

  CLI::App *cache = app.add_subcommand(
      "cache", "what `run`, `verify` and the library have compiled and kept");
  cache->add_flag("--show", flags.showsCache,
                  "say where it is and how large (the default)");
  cache->add_flag("--clear", options.clearsCache, "remove all of it");
  cache->add_flag("--json", options.json, "print JSON");
  addMessages(*cache, flags);
  cache->footer("Example:\n"
                "  einc cache --clear");

  CLI::App *completion = app.add_subcommand(
      "completion", "print a script that completes einc's command line");
  std::string shell;
  completion->add_option("SHELL", shell, "bash, zsh or fish")->required();
  completion->footer("Example:\n  source <(einc completion bash)");

  // What packages are made with.
  CLI::App *man = app.add_subcommand("man", "print a page of the manual");
  std::string page, date;
  man->group("");
  man->add_option("COMMAND", page, "the command; none: einc itself");
  man->add_option("--date", date, "that the page has")->option_text("DATE");

  for (CLI::App *command : app.get_subcommands({}))
    sortIntoGroups(*command);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() != 0)
      return reject(outcome,
                    describe(error, app, argc, argv) + "; see `einc --help`");
    std::ostringstream help; // --help and --version are exceptions as well
    app.exit(error, help, help);
    text = help.str();
    status = kDone;
    return std::nullopt;
  }
  if (completion->parsed()) {
    auto script = emitCompletion(shell, describeCommands(app));
    if (!script) {
      checkChoice("completion", shell, {"bash", "zsh", "fish"}, outcome);
      return std::nullopt;
    }
    text = *script;
    status = kDone;
    return std::nullopt;
  }
  if (man->parsed()) {
    std::vector<CommandInfo> commands = describeCommands(app);
    commands.push_back(describeCommand(app));
    std::vector<llvm::StringRef> names;
    for (const CommandInfo &info : commands) {
      names.push_back(info.name);
      if (info.name == page)
        text = emitManPage(info, commands, "einc " EINC_VERSION, date);
    }
    if (text.empty())
      return reject(outcome, "there is no command `" + page + "`" +
                                 suggest(page, names));
    status = kDone;
    return std::nullopt;
  }
  options.command = build->parsed()     ? Command::Build
                    : run->parsed()     ? Command::Run
                    : verify->parsed()  ? Command::Verify
                    : bench->parsed()   ? Command::Bench
                    : explain->parsed() ? Command::Explain
                    : ops->parsed()     ? Command::Ops
                    : fmt->parsed()     ? Command::Fmt
                    : inspect->parsed() ? Command::Inspect
                    : lsp->parsed()     ? Command::Lsp
                    : cache->parsed()   ? Command::Cache
                                        : Command::Targets;
  std::string error;
  for (const std::string &list : sizes)
    if (!runtime::parseBindings(list, options.sizes, error))
      return reject(outcome, "--sizes: " + error);
  return finish(flags, std::move(options), outcome);
}

} // namespace ein
