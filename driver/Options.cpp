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

#include "driver/Commands.h"
#include "driver/Completion.h"
#include "driver/Flags.h"
#include "driver/ManPage.h"
#include "driver/Reports.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>
#include <sstream>

namespace ein {
namespace {

/// The kinds, one to a line, in the columns of the options.
std::string listKinds() {
  std::string text = "Kinds:\n";
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  text += "  " + llvm::StringRef(NAME).str() +                                 \
          std::string(25 - llvm::StringRef(NAME).size(), ' ') + TEXT "\n";
#include "driver/EmissionKinds.def"
  return text + "\n";
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
  app.add_option("--sve-vector-bits", flags.sveBits,
                 "how long SVE's vectors are on the machine (default: the "
                 "CPU's, where it is known, else any)")
      ->option_text("N");
  app.add_option("--machine", flags.machine,
                 "a file with what the machine takes for what, as `einc "
                 "targets --model` prints it")
      ->option_text("FILE");
}

void addTuned(CLI::App &app, Flags &flags) {
  app.add_option("--tuned", flags.tuned,
                 "a file of `einc tune`, with what was measured to be the "
                 "fastest")
      ->option_text("FILE.tuned");
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
  app.add_option("--precision", flags.precision,
                 "what matrices of f32 are multiplied as")
      ->option_text("f32|f32x3");
  addTarget(app, flags);
  addTuned(app, flags);
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

void addDistribution(CLI::App &app, Flags &flags) {
  app.add_option_function<std::string>(
         "--distribute",
         [&](const std::string &ranks) { flags.distribute = ranks; },
         "for so many ranks, or for the parts of each loop, as 2x2x1 (default: "
         "any number)")
      ->expected(0, 1)
      ->default_str("any")
      ->option_text("RANKS|GRID");
  app.add_option("--max-memory", flags.maxMemory,
                 "what a rank may take: 512MiB, 4GiB")
      ->option_text("SIZE");
  app.add_option("--network", flags.network,
                 "a file with what ranks and messages between them take")
      ->option_text("FILE");
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

/// An option that names a file, and is not as good as absent if it names none.
CLI::Option *addFile(CLI::App &app, const char *name, std::string &file,
                     const char *description) {
  auto check = [](const std::string &text) {
    return std::string(text.empty() ? "needs the name of a file" : "");
  };
  return app.add_option(name, file, description)
      ->check(CLI::Validator(check, "", "file"));
}

void addHtml(CLI::App &app, Options &options) {
  addFile(app, "--html", options.html,
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
      .Case("tune", "FILE | -e TEXT -o FILE.tuned [--bind K=V,...] "
                    "[--seconds N] [--ways N] [--list] [options]")
      .Case("explain", "FILE | -e TEXT [--bind K=V,...] [--json] "
                       "[--html FILE.html] [options]")
      .Case("ops", "[FILE.ein] [NAME] [-I DIR]")
      .Case("fmt", "FILE... [--check]")
      .Case("targets", "[--target TRIPLE] [--cpu NAME] [--machine FILE] "
                       "[--model | --calibrate FILE]")
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
      {"--sve-vector-bits", "Machine"},
      {"--machine", "Machine"},
      {"--tuned", "Machine"},
      {"--distribute", "Many ranks"},
      {"--max-memory", "Many ranks"},
      {"--mpi", "Many ranks"},
      {"--network", "Many ranks"},
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
  addDistribution(*build, flags);
  build->add_option("FILE", flags.positionals,
                    "the program: .ein, .yaml of OpDSL, or .mlir");
  addFile(*build, "-o", options.output,
          "where to write; its suffix says what (`-`: standard output)")
      ->option_text("OUT");
  addFile(*build, "--depfile", options.depfile,
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
  build
      ->add_option("--mpi", flags.mpi,
                   "the MPI library that --distribute is for (default: "
                   "openmpi)")
      ->option_text("openmpi|mpich");
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

  CLI::App *tune = app.add_subcommand(
      "tune", "measure which ways of running its ops are the fastest");
  addCommon(*tune, flags, options);
  tune->add_option("FILE", flags.positionals, "the program");
  addSizes(*tune, options, sizes);
  addFile(*tune, "-o", options.output,
          "where to write; what is there already is gone on with")
      ->option_text("FILE.tuned");
  tune->add_flag("--json", options.json,
                 "print JSON: what was predicted and measured of each way");
  tune->add_option("--seconds", options.tuningSeconds,
                   "how long to measure (default: 60)")
      ->check(CLI::Range(1, 86400))
      ->option_text("N");
  tune->add_option("--ways", options.mostWays,
                   "how many ways of an op to measure (default: 16)")
      ->check(CLI::Range(2, 1000))
      ->option_text("N");
  tune->add_flag("--list", options.listsWays,
                 "measure nothing: print the ways and what is predicted");
  tune->footer("Example:\n"
               "  einc tune mm.ein --bind M=256,K=256,N=256 -o mm.tuned\n"
               "  einc build mm.ein --bind M=256,K=256,N=256 --tuned mm.tuned");

  CLI::App *explain = app.add_subcommand(
      "explain", "say what becomes of it: order, raising, strategy, memory");
  addCommon(*explain, flags, options);
  addDistribution(*explain, flags);
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
  targets->add_flag("--model", options.printsModel,
                    "print how long the machine takes for what, with sources");
  targets
      ->add_option("--calibrate", options.calibration,
                   "measure this machine for at most two minutes, and write "
                   "that")
      ->option_text("FILE");
  targets
      ->add_option("--seconds", options.calibrationSeconds,
                   "how long to measure (default: 30)")
      ->check(CLI::Range(1, 120))
      ->option_text("N");
  addMessages(*targets, flags);
  targets->footer("Examples:\n"
                  "  einc targets --cpu znver3 --model\n"
                  "  einc targets --calibrate here.machine");

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
                    : tune->parsed()    ? Command::Tune
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
