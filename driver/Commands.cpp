//===- Commands.cpp - build and run -------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"
#include "backend/Backend.h"
#include "backend/OutputFile.h"
#include "driver/CachedCode.h"
#include "driver/CheckedRun.h"
#include "driver/Progress.h"
#include "frontend/source/ReadFile.h"
#include "frontend/source/VerifyDiagnostics.h"
#include "ir/Signature.h"
#include "runtime/Npy.h"
#include "runtime/Npz.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

ExitStatus reportError(const Options &options, DiagId id,
                       ArrayRef<std::string> args, ExitStatus status) {
  DiagnosticEngine diags;
  diags.report(id, {}, args);
  printAll(options, Sources("", ""), diags, kWrongInput);
  return status;
}

std::vector<std::string> describeUnknownDef(StringRef name,
                                            ArrayRef<StringRef> names) {
  // The last ones are what a file is about.
  constexpr size_t maxListed = 8;
  std::string advice;
  if (std::optional<StringRef> similar = findSimilarName(name, names))
    advice = "; did you mean `" + similar->str() + "`?";
  else if (!names.empty())
    advice = std::string("; there is ") +
             (names.size() <= maxListed ? "" : "…, ") + "`" +
             join(names.take_back(maxListed), "`, `") + "`";
  return {name.str(), advice};
}

ExitStatus reportUnknownDef(const Options &options, StringRef name,
                            ArrayRef<StringRef> names) {
  return reportError(options, DiagId::UnknownDef,
                     describeUnknownDef(name, names));
}

std::vector<StringRef> getNames(const Program &program) {
  std::vector<StringRef> names;
  for (const Def &def : program.defs)
    names.push_back(def.name);
  return names;
}

std::optional<Sources> readSource(const Options &options) {
  if (options.text)
    return Sources("<command line>", *options.text);
  return readSource(options, options.file);
}

std::optional<Sources> readSource(const Options &options,
                                  const std::string &name) {
  // Directories open, and read as nothing or as an error, by file system.
  if (sys::fs::is_directory(name)) {
    reportError(options, DiagId::CannotRead, {name, "it is a directory"});
    return std::nullopt;
  }
  ErrorOr<std::string> text = readSourceFile(name);
  if (text)
    return Sources(name == "-" ? "<stdin>" : name, std::move(*text));
  if (text.getError() == std::errc::file_too_large)
    reportError(options, DiagId::FileTooLarge, {name});
  else
    reportError(options, DiagId::CannotRead, {name, text.getError().message()});
  return std::nullopt;
}

void printAll(const Options &options, const Sources &file,
              ArrayRef<Diagnostic> diagnostics, ExitStatus status) {
  if (options.jsonDiagnostics)
    return printDiagnosticsAsJson(errs(), file, diagnostics);
  printDiagnostics(errs(), file, diagnostics, options.useColor);
  if (status == kInternalError)
    errs() << "einc: this is a bug of einc, not of your program; please report "
              "it with the program\n";
}

//===----------------------------------------------------------------------===//
// build
//===----------------------------------------------------------------------===//

/// Where libein_main.a and what it links are: beside the compiler's bin.
static std::string getRuntimeDir() {
  // An address inside the executable leads to its file.
  std::string self =
      sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&runBuild));
  SmallString<128> directory(
      sys::path::parent_path(sys::path::parent_path(self)));
  sys::path::append(directory, "lib");
  return directory.str().str();
}

static ExitStatus writeOutput(const Options &options, StringRef path,
                              ArrayRef<char> bytes) {
  if (Error error = writeFile(path, bytes))
    return reportError(options, DiagId::CannotWrite,
                       {toString(std::move(error))});
  return kDone;
}

/// A file's name as make and ninja read it.
static std::string escapeForMake(StringRef name) {
  std::string escaped;
  for (char c : name) {
    if (c == ' ' || c == '#')
      escaped += '\\';
    else if (c == '$')
      escaped += '$';
    escaped += c;
  }
  return escaped;
}

/// `mm.o: mm.ein`, what it imports, and the machine.
static ExitStatus writeDepfile(const Options &options, const Sources &sources) {
  std::string rule = escapeForMake(options.output) + ":";
  // What is not a file has a name in angle brackets.
  for (const std::unique_ptr<SourceFile> &file : sources.getFiles())
    if (!file->getName().starts_with("<"))
      rule += " " + escapeForMake(file->getName());
  if (!options.compile.machineFile.empty())
    rule += " " + escapeForMake(options.compile.machineFile);
  if (!options.compile.distribution.networkFile.empty())
    rule += " " + escapeForMake(options.compile.distribution.networkFile);
  if (!options.compile.tunedFile.empty())
    rule += " " + escapeForMake(options.compile.tunedFile);
  return writeOutput(options, options.depfile, rule + "\n");
}

std::vector<std::string> getLibraries(const Options &options) {
  std::vector<std::string> libraries = options.linkFiles;
  if (options.compile.useBlas)
    libraries.push_back(kBlasFlag);
  return libraries;
}

static ExitStatus writeArtefact(const Options &options,
                                const Compilation &result) {
  std::vector<std::string> libraries = getLibraries(options), ranksLibraries;
  const DistributionOptions &distribution = options.compile.distribution;
  bool isExecutable = options.kind == EmissionKind::Exe;
  if (distribution.makesFunctions &&
      (isExecutable || options.kind == EmissionKind::Shared)) {
    auto found =
        findRanksLibraries(distribution.mpi, getRuntimeDir(), isExecutable);
    if (!found)
      return reportError(options, DiagId::LinkFailed,
                         {toString(found.takeError())});
    ranksLibraries = std::move(*found);
  }
  auto link = [&](Error error) {
    return error ? reportError(options, DiagId::LinkFailed,
                               {toString(std::move(error))})
                 : kDone;
  };
  switch (options.kind) {
  case EmissionKind::Exe:
    if (options.output == "-")
      return reportError(options, DiagId::NeedsFile, {"an executable"});
    if (distribution.makesFunctions)
      return link(linkRanksExecutable(result.output, result.usesThreads,
                                      ranksLibraries, options.output,
                                      libraries));
    return link(linkExecutable(result.output, result.usesThreads,
                               getRuntimeDir(), options.output, libraries));
  case EmissionKind::Shared:
    if (options.output == "-")
      return reportError(options, DiagId::NeedsFile, {"a shared library"});
    llvm::append_range(libraries, ranksLibraries);
    return link(linkShared(result.output, result.usesThreads, options.output,
                           libraries));
  case EmissionKind::Static: {
    // Named after the program, so that members of several libraries differ.
    std::string stem = options.text ? "a" : sys::path::stem(options.file).str();
    auto library = archive(result.output, stem + ".o");
    if (!library)
      return reportError(options, DiagId::LinkFailed,
                         {toString(library.takeError())}, kInternalError);
    return writeOutput(options, options.output, *library);
  }
  default:
    return writeOutput(options, options.output, result.output);
  }
}

ExitStatus runBuild(const Options &options) {
  std::optional<Sources> file = readSource(options);
  if (!file)
    return kWrongInput;
  DiagnosticEngine diags(options.compile.check.warnings);
  CompileOptions compileOptions = options.compile;
  compileOptions.packed = options.kind == EmissionKind::Exe;
  Compilation result = [&] {
    Progress progress(compileOptions);
    return compile(*file, options.kind, compileOptions, diags);
  }();
  if (options.verifyDiagnostics)
    return succeeded(verifyDiagnostics(*file, diags.getDiagnostics(), errs()))
               ? kDone
               : kWrongInput;
  printAll(options, *file, diags, result.status);
  if (result.status != kDone)
    return result.status;
  // Text kinds before the program have no defs yet.
  if (!options.entry.empty() && !result.program.defs.empty() &&
      !result.program.find(options.entry))
    return reportUnknownDef(options, options.entry, getNames(result.program));
  if (ExitStatus status = writeArtefact(options, result))
    return status;
  return options.depfile.empty() ? kDone : writeDepfile(options, *file);
}

//===----------------------------------------------------------------------===//
// Code in this process
//===----------------------------------------------------------------------===//

struct LoadedProgram::State {
  Options options;
  CompileOptions compileOptions;
  /// The program's name and text, if it has to be understood again.
  std::string name, text;
  Compilation compilation;
  std::optional<LoadedCode> code;
};

LoadedProgram::LoadedProgram() : state(std::make_unique<State>()) {}
LoadedProgram::~LoadedProgram() = default;
LoadedProgram::LoadedProgram(LoadedProgram &&) = default;

ExitStatus LoadedProgram::load(const Options &options, Sources &file) {
  state->options = options;
  state->name = file.getName();
  state->text = file.getText();
  DiagnosticEngine diags(options.compile.check.warnings);
  CompileOptions &compileOptions = state->compileOptions;
  compileOptions = options.compile;
  compileOptions.packed = compileOptions.keepsPrivate = true;
  {
    Progress progress(compileOptions);
    state->compilation =
        compileOrFind(file, compileOptions, options.cache, diags);
  }
  printAll(options, file, state->compilation.said, kDone);
  printAll(options, file, diags, state->compilation.status);
  if (state->compilation.status != kDone)
    return state->compilation.status;
  Expected<LoadedCode> code =
      LoadedCode::load(state->compilation.output,
                       state->compilation.usesThreads, getLibraries(options));
  if (!code)
    return reportError(options, DiagId::LinkFailed,
                       {toString(code.takeError())});
  state->code.emplace(std::move(*code));
  return kDone;
}

const Program &LoadedProgram::getProgram() const {
  Program &program = state->compilation.program;
  if (program.defs.empty() && state->compileOptions.form != SourceForm::MLIR) {
    // It has been said what there is to be said.
    DiagnosticEngine diags(state->options.compile.check.warnings);
    Sources file(state->name, state->text);
    Progress progress(state->compileOptions);
    program = compile(file, EmissionKind::Header, state->compileOptions, diags)
                  .program;
  }
  return program;
}

ArrayRef<ModuleState> LoadedProgram::getStates() const {
  return state->compilation.states;
}

ArrayRef<Finding> LoadedProgram::getFindings() const {
  return state->compilation.findings;
}

ExitStatus
LoadedProgram::selectEntries(const Options &options,
                             std::vector<CallableEntry> &entries) const {
  std::vector<std::string> names;
  if (options.entry.empty() && options.inputFiles.empty() &&
      options.outputFiles.empty())
    for (const CompiledEntry &entry : state->compilation.entries)
      names.push_back(entry.signature.name);
  else
    names.push_back(options.entry);
  for (const std::string &name : names) {
    std::optional<CallableEntry> entry = lookup(name);
    if (!entry)
      return kWrongInput;
    entries.push_back(*entry);
  }
  return kDone;
}

runtime::Bindings selectSizes(const runtime::Bindings &given,
                              const runtime::Signature &signature,
                              ArrayRef<CallableEntry> entries) {
  runtime::Bindings selected;
  for (const auto &binding : given) {
    auto hasSize = [&](const runtime::Signature &candidate) {
      return llvm::is_contained(candidate.symbols, binding.first);
    };
    if (hasSize(signature) ||
        llvm::none_of(entries, [&](const CallableEntry &entry) {
          return hasSize(entry.signature);
        }))
      selected.push_back(binding);
  }
  return selected;
}

std::optional<CallableEntry> LoadedProgram::lookup(StringRef name) const {
  const CompiledEntry *entry = state->compilation.find(name);
  if (!entry) {
    std::vector<StringRef> names;
    for (const CompiledEntry &other : state->compilation.entries)
      names.push_back(other.signature.name);
    reportUnknownDef(state->options, name, names);
    return std::nullopt;
  }
  Expected<void *> address =
      state->code->lookup((kPackedPrefix + entry->signature.name).str());
  if (!address) {
    // Ours calls libm only; a user's MLIR may call anything.
    reportError(state->options, DiagId::LinkFailed,
                {toString(address.takeError()) +
                 "; `--link FILE` names what defines them"});
    return std::nullopt;
  }
  return CallableEntry{entry->signature,
                       reinterpret_cast<runtime::PackedFunction>(*address)};
}

std::optional<CallableEntry> LoadedProgram::lookup(const Def &def) const {
  return lookup(StringRef(def.name));
}

runtime::PackedFunction LoadedProgram::lookupView(const Def &def) const {
  Expected<void *> address =
      state->code->lookup((kPackedViewPrefix + def.name).str());
  if (!address) {
    reportError(state->options, DiagId::LinkFailed,
                {toString(address.takeError())}, kInternalError);
    return nullptr;
  }
  return reinterpret_cast<runtime::PackedFunction>(*address);
}

//===----------------------------------------------------------------------===//
// run
//===----------------------------------------------------------------------===//

/// Each array of an archive is what its name says.
static void adoptArchive(const std::string &path, Options &options) {
  std::vector<runtime::NpzMember> members;
  std::string error;
  if (!runtime::listMembers(path, members, error))
    return; // complained of where it is used
  CheckOptions &check = options.compile.check;
  for (const runtime::NpzMember &member : members) {
    runtime::Array array;
    if (!runtime::readNpy(path + ":" + member.name, array, error,
                          runtime::NpyPart::Header))
      continue;
    DataType data = {{array.shape.begin(), array.shape.end()}};
    if (!options.hasDataType) {
      data.type = static_cast<ElementType>(array.type);
      if (check.namedData.empty() && check.data.empty())
        check.defaultType = *data.type;
    }
    check.namedData.try_emplace(member.name, std::move(data));
  }
}

/// Operands of `-e` have the types of their arrays, those that have none that
/// of the first, unless `--dtype` says; shapes tell what an einsum string
/// leaves open.
static void adoptData(Options &options) {
  if (!options.text)
    return;
  CheckOptions &check = options.compile.check;
  bool arePositionsKnown = true, isFirst = true;
  for (const std::string &operand : options.operands) {
    StringRef path(operand), name;
    if (!sys::fs::exists(path) && path.contains('='))
      std::tie(name, path) = path.split('=');
    if (runtime::isArchive(path.str()) && name.empty()) {
      adoptArchive(path.str(), options);
      arePositionsKnown = false;
      continue;
    }
    runtime::Array array;
    std::string error, archive, member;
    bool isFile = path.ends_with(".npy") ||
                  runtime::splitMember(path.str(), archive, member);
    bool isArray = isFile && runtime::readNpy(path.str(), array, error,
                                              runtime::NpyPart::Header);
    DataType data = {{array.shape.begin(), array.shape.end()}};
    if (isArray)
      data.name = sys::path::stem(path).str();
    if (isArray && !options.hasDataType) {
      data.type = static_cast<ElementType>(array.type);
      if (std::exchange(isFirst, false))
        check.defaultType = *data.type;
    }
    // What cannot be read is complained of where it is.
    arePositionsKnown &= isArray || !isFile;
    if (name.empty() && arePositionsKnown)
      check.data.push_back(std::move(data));
    else if (!name.empty() && (isArray || !isFile))
      check.namedData.try_emplace(name.str(), std::move(data));
  }
}

ExitStatus runRun(const Options &given) {
  Options options = given;
  runtime::CommandLine commandLine;
  commandLine.operands = options.operands;
  commandLine.outputs = options.outputs;
  std::string error;
  if (!runtime::checkSuffixes(commandLine, error))
    return reportError(options, DiagId::WrongCommandLine, {error},
                       kWrongCommandLine);
  adoptData(options);
  std::optional<Sources> file = readSource(options);
  if (!file)
    return kWrongInput;
  LoadedProgram program;
  if (ExitStatus status = program.load(options, *file))
    return status;
  std::optional<CallableEntry> entry = program.lookup(options.entry);
  if (!entry)
    return kWrongInput;

  // The sizes of MLIR are not known when it is compiled.
  if (options.compile.form == SourceForm::MLIR)
    for (const auto &binding : options.compile.check.bindings)
      commandLine.bindings.push_back(binding);
  commandLine.explainSizes = [&](const std::vector<int64_t> &sizes) {
    const Def *def = program.getProgram().find(entry->signature.name);
    bool hasScalars =
        def && llvm::any_of(def->symbols, [](const Symbol &symbol) {
          return symbol.scalar.isValid();
        });
    if (!def || hasScalars)
      return std::string();
    reference::Failure failure;
    (void)reference::checkSizes(*def, getSymbolValues(*def, sizes), failure);
    return failure.message.empty()
               ? ""
               : failure.message + describeSizes(entry->signature, sizes);
  };
  std::string out;
  int status = runtime::runEntry(entry->signature, entry->function, commandLine,
                                 out, error);
  outs() << out;
  if (status != kDone)
    return reportError(options, DiagId::RunFailed, {error},
                       static_cast<ExitStatus>(status));
  return kDone;
}

} // namespace ein
