//===- Library.cpp - Compilation behind einc.h ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a process needs of a library and a tool does not give:
//
//  - Stack. The compiler recurses as deep as its bounds on nesting allow, on a
//    tool's main thread. Threads of other programs may have little, so it runs
//    in a thread of its own.
//  - Life. LLVM ends the process where it cannot go on. In a thread of ours the
//    handler leaves that compilation instead, and its memory with it.
//  - Silence. What would print is refused as an option.
//
// Options are read by the command line's own parser: einc_compile is
// `einc run`, einc_emit `einc build`, einc_explain `einc explain`, as far as
// their flags go.
//
//===----------------------------------------------------------------------===//

#include "library/Library.h"
#include "driver/CachedCode.h"
#include "driver/Commands.h"
#include "frontend/source/ReadFile.h"
#include "ir/Signature.h"
#include "runtime/Bind.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <csetjmp>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>

using namespace llvm;
using namespace ein;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static std::string &getMessage() {
  static thread_local std::string message;
  return message;
}

einc_status ein::fail(einc_status status, const Twine &message) {
  getMessage() = message.str();
  return status;
}

const char *einc_last_message(void) { return getMessage().c_str(); }

const char *einc_version(void) { return EINC_VERSION; }
const char *einc_llvm_version(void) { return LLVM_VERSION; }

//===----------------------------------------------------------------------===//
// A thread of its own
//===----------------------------------------------------------------------===//

namespace {
/// A compilation that LLVM may leave.
struct Guard {
  jmp_buf exit;
  std::string message;
};

struct Work {
  function_ref<void()> run;
  std::string *message;
};
} // namespace

static thread_local Guard *guard = nullptr;

static void leave(void *, const char *reason, bool) {
  if (!guard)
    return; // in a thread of others: LLVM goes on to end the process
  guard->message = reason;
  std::longjmp(guard->exit, 1);
}

static void *runGuarded(void *argument) {
  Work &work = *static_cast<Work *>(argument);
  Guard local;
  guard = &local;
  if (setjmp(local.exit) == 0)
    work.run();
  else
    *work.message = local.message;
  guard = nullptr;
  return nullptr;
}

/// Runs it to its end, or until LLVM gives up: what LLVM says then.
static std::string runApart(function_ref<void()> run) {
  static std::once_flag once;
  std::call_once(once, [] {
    install_fatal_error_handler(leave);
    install_bad_alloc_error_handler(leave);
    initializeTargets();
  });
  constexpr size_t kStackBytes = 32u << 20;
  std::string message;
  Work work = {run, &message};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, runGuarded, &work);
  pthread_attr_destroy(&attributes);
  if (error != 0)
    return std::string("cannot start a thread: ") + std::strerror(error);
  pthread_join(thread, nullptr);
  return message;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static std::nullopt_t reject(DiagnosticEngine &diags, const Twine &message) {
  diags.report(DiagId::WrongCommandLine, {}, {message.str()});
  return std::nullopt;
}

/// Reads the options of a command; `leading` are ours.
static std::optional<Options> readOptions(StringRef command,
                                          const einc_source &source,
                                          ArrayRef<std::string> leading,
                                          ArrayRef<const char *> given,
                                          DiagnosticEngine &diags) {
  // What stands for the source says its form.
  static constexpr const char *placeholders[] = {"source.ein", "-",
                                                 "source.yaml", "source.mlir"};
  std::vector<std::string> arguments = {"einc", command.str()};
  if (source.form == EINC_FORM_TEXT)
    arguments.push_back("-e");
  arguments.push_back(placeholders[source.form]);
  arguments.insert(arguments.end(), leading.begin(), leading.end());
  // Only what is called is kept. Who asks for more of a program gives the
  // options that it was compiled with.
  bool isKept = command == "run";
  for (const char *option : given)
    if (isKept || option != StringRef("--no-cache"))
      arguments.push_back(option);
  std::vector<const char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());

  ExitStatus status = kDone;
  std::string text;
  std::optional<Options> options =
      parseOptions(argv.size(), argv.data(), status, diags, text);
  if (!options)
    return status == kDone ? reject(diags, "the library does not print: no "
                                           "`--help` and `--version`")
                           : std::nullopt;
  if (!options->operands.empty() || !options->outputs.empty())
    return reject(diags, "the library takes arrays, not files of them");
  if (options->compile.timePasses || !options->compile.printAfter.empty() ||
      options->verifyDiagnostics)
    return reject(diags, "the library does not print: no `--time-passes`, "
                         "`--print-after` and `--verify-diagnostics`");
  if (!options->depfile.empty() || !options->html.empty())
    return reject(diags, "the library writes no `--depfile` and no `--html`");
  if (options->measures)
    return reject(diags, "the library does not measure: no `--measure`");
  return options;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static einc_status toStatus(ExitStatus status) {
  switch (status) {
  case kDone:
    return EINC_OK;
  case kWrongInput:
  case kVerificationFailed:
    return EINC_WRONG_INPUT;
  case kWrongCommandLine:
    return EINC_WRONG_OPTION;
  case kInternalError:
    return EINC_INTERNAL_ERROR;
  }
  llvm_unreachable("a status that is not listed");
}

/// What an earlier compilation of the program has said.
using Said = std::vector<Diagnostic>;

/// Runs what is asked of a source: `run` compiles, with the options that it is
/// given, and reports.
static einc_status request(StringRef command, const einc_source *source,
                           ArrayRef<std::string> leading,
                           const char *const *options, size_t numOptions,
                           einc_diagnostics **diagnostics,
                           function_ref<ExitStatus(const Options &, Sources &,
                                                   DiagnosticEngine &, Said &)>
                               run) {
  if (diagnostics)
    *diagnostics = nullptr;
  if (!source || (!source->text && source->size != 0))
    return fail(EINC_WRONG_ARGUMENT, "there is no source");
  if (source->form < EINC_FORM_FILE || source->form > EINC_FORM_MLIR)
    return fail(EINC_WRONG_ARGUMENT, "there is no such form of a source");
  if (numOptions != 0 && !options)
    return fail(EINC_WRONG_ARGUMENT, "there are no options");
  ArrayRef<const char *> given(options, numOptions);
  if (is_contained(given, nullptr))
    return fail(EINC_WRONG_ARGUMENT, "an option is NULL");

  ExitStatus status = kInternalError;
  std::unique_ptr<einc_diagnostics> records;
  std::string said = runApart([&] {
    DiagnosticEngine diags;
    Said said;
    std::string name = source->name ? source->name : "<text>";
    // Offsets are of 32 bits.
    bool isTooLarge = source->size > kMaxSourceBytes;
    Sources file(name, isTooLarge || source->size == 0
                           ? std::string()
                           : std::string(source->text, source->size));
    std::optional<Options> parsed =
        readOptions(command, *source, leading, given, diags);
    if (isTooLarge) {
      diags.report(DiagId::FileTooLarge, {}, {name});
      status = kWrongInput;
    } else if (!parsed) {
      status = kWrongCommandLine;
    } else {
      diags = DiagnosticEngine(parsed->compile.check.warnings);
      status = run(*parsed, file, diags, said);
    }
    append_range(said, diags.getDiagnostics());
    records = makeRecords(file, said);
  });
  if (!said.empty()) {
    status = kInternalError;
    DiagnosticEngine diags;
    diags.report(DiagId::InternalError, {}, {said});
    records = makeRecords(Sources(source->name ? source->name : "<text>", ""),
                          diags.getDiagnostics());
  }
  if (status != kDone) {
    std::string message = "internal error";
    for (size_t i = einc_diagnostics_count(records.get()); i-- > 0;)
      if (records->records[i].severity == EINC_SEVERITY_ERROR)
        message = records->records[i].message;
    fail(toStatus(status), message);
  }
  if (diagnostics)
    *diagnostics = records.release();
  return toStatus(status);
}

//===----------------------------------------------------------------------===//
// Code in this process
//===----------------------------------------------------------------------===//

static ExitStatus load(const Options &options, Sources &file,
                       DiagnosticEngine &diags, Said &said,
                       einc_program &program) {
  CompileOptions compileOptions = options.compile;
  compileOptions.packed = compileOptions.keepsPrivate = true;
  compileOptions.views = true;
  Compilation result =
      compileOrFind(file, compileOptions, options.cache, diags);
  said = std::move(result.said);
  if (result.status != kDone)
    return result.status;
  auto failToLink = [&](Error error, StringRef advice = "") {
    diags.report(DiagId::LinkFailed, {},
                 {toString(std::move(error)) + advice.str()});
    return kWrongInput;
  };
  const CompiledEntry *main = result.find(options.entry);
  if (!main) {
    std::vector<StringRef> names;
    for (const CompiledEntry &entry : result.entries)
      names.push_back(entry.signature.name);
    diags.report(DiagId::UnknownDef, {},
                 describeUnknownDef(options.entry, names));
    return kWrongInput;
  }
  Expected<LoadedCode> code = LoadedCode::load(
      std::move(result.output), result.usesThreads, getLibraries(options));
  if (!code)
    return failToLink(code.takeError());
  for (const CompiledEntry &compiled : result.entries) {
    Expected<void *> address =
        code->lookup((kPackedViewPrefix + compiled.signature.name).str());
    if (!address) // ours calls libm only; a user's MLIR may call anything
      return failToLink(address.takeError(),
                        "; `--link FILE` names what defines them");
    program.entries.push_back(std::make_unique<einc_entry>(compiled));
    einc_entry &entry = *program.entries.back();
    entry.function = reinterpret_cast<runtime::PackedFunction>(*address);
    if (&compiled == main)
      program.main = &entry;
  }
  program.code.emplace(std::move(*code));
  return kDone;
}

einc_status einc_compile(const einc_source *source, const char *const *options,
                         size_t numOptions, einc_program **program,
                         einc_diagnostics **diagnostics) {
  if (!program)
    return fail(EINC_WRONG_ARGUMENT, "there is no place for the program");
  *program = nullptr;
  auto result = std::make_unique<einc_program>();
  einc_status status = request(
      "run", source, {}, options, numOptions, diagnostics,
      [&](const Options &parsed, Sources &file, DiagnosticEngine &diags,
          Said &said) { return load(parsed, file, diags, said, *result); });
  if (status == EINC_OK)
    *program = result.release();
  return status;
}

void einc_program_free(einc_program *program) { delete program; }

//===----------------------------------------------------------------------===//
// Artefacts
//===----------------------------------------------------------------------===//

/// Where libein_main.a and what it links are: beside this library.
static std::string getRuntimeDir() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&einc_version), &info) ||
      !info.dli_fname)
    return ".";
  SmallString<128> path(info.dli_fname);
  (void)sys::fs::make_absolute(path);
  return sys::path::parent_path(path).str();
}

/// What the linker makes is a file.
static Error linkToMemory(const Options &options, const Compilation &result,
                          SmallVectorImpl<char> &output) {
  SmallString<128> path;
  if (std::error_code error =
          sys::fs::createTemporaryFile("libeinc", "out", path))
    return createStringError(error, "cannot make a temporary file: " +
                                        error.message());
  Error error =
      options.kind == EmissionKind::Exe
          ? linkExecutable(result.output, result.usesThreads, getRuntimeDir(),
                           path, getLibraries(options))
          : linkShared(result.output, result.usesThreads, path,
                       getLibraries(options));
  if (!error) {
    auto bytes = MemoryBuffer::getFile(path, /*IsText=*/false,
                                       /*RequiresNullTerminator=*/false);
    if (bytes)
      output.assign((*bytes)->getBufferStart(), (*bytes)->getBufferEnd());
    else
      error =
          createStringError(bytes.getError(), "cannot read what was linked");
  }
  (void)sys::fs::remove(path);
  return error;
}

static ExitStatus emit(const Options &options, Sources &file,
                       DiagnosticEngine &diags, SmallVectorImpl<char> &output) {
  CompileOptions compileOptions = options.compile;
  compileOptions.packed = options.kind == EmissionKind::Exe;
  Compilation result = compile(file, options.kind, compileOptions, diags);
  if (result.status != kDone)
    return result.status;
  // Text kinds before the program have no defs yet.
  if (!options.entry.empty() && !result.program.defs.empty() &&
      !result.program.find(options.entry)) {
    diags.report(DiagId::UnknownDef, {},
                 describeUnknownDef(options.entry, getNames(result.program)));
    return kWrongInput;
  }
  auto write = [&]() -> Error {
    switch (options.kind) {
    case EmissionKind::Exe:
    case EmissionKind::Shared:
      return linkToMemory(options, result, output);
    case EmissionKind::Static: {
      StringRef stem = sys::path::stem(file.getName());
      bool isFile = !stem.empty() && !stem.starts_with("<");
      auto library =
          archive(result.output, ((isFile ? stem : "a") + ".o").str());
      if (!library)
        return library.takeError();
      output.assign(library->begin(), library->end());
      return Error::success();
    }
    default:
      output.assign(result.output.begin(), result.output.end());
      return Error::success();
    }
  };
  if (Error error = write()) {
    diags.report(DiagId::LinkFailed, {}, {toString(std::move(error))});
    return kWrongInput;
  }
  return kDone;
}

static einc_status give(einc_status status, std::unique_ptr<einc_bytes> made,
                        einc_bytes **bytes) {
  if (status != EINC_OK)
    return status;
  made->data.push_back('\0');
  *bytes = made.release();
  return status;
}

einc_status einc_emit(const einc_source *source, const char *const *options,
                      size_t numOptions, const char *kind, einc_bytes **bytes,
                      einc_diagnostics **diagnostics) {
  if (!bytes || !kind || !*kind)
    return fail(EINC_WRONG_ARGUMENT, "there is no kind, or no place for it");
  *bytes = nullptr;
  auto made = std::make_unique<einc_bytes>();
  einc_status status =
      request("build", source, {"--emit", kind, "-o", "-"}, options, numOptions,
              diagnostics,
              [&](const Options &parsed, Sources &file, DiagnosticEngine &diags,
                  Said &) { return emit(parsed, file, diags, made->data); });
  return give(status, std::move(made), bytes);
}

einc_status einc_explain(const einc_source *source, const char *const *options,
                         size_t numOptions, einc_bytes **json,
                         einc_diagnostics **diagnostics) {
  if (!json)
    return fail(EINC_WRONG_ARGUMENT, "there is no place for the JSON");
  *json = nullptr;
  auto made = std::make_unique<einc_bytes>();
  einc_status status =
      request("explain", source, {}, options, numOptions, diagnostics,
              [&](const Options &parsed, Sources &file, DiagnosticEngine &diags,
                  Said &) {
                raw_svector_ostream stream(made->data);
                return explain(parsed, file, /*asJson=*/true, diags, stream);
              });
  return give(status, std::move(made), json);
}

const char *einc_bytes_data(const einc_bytes *bytes) {
  return bytes ? bytes->data.data() : "";
}

size_t einc_bytes_size(const einc_bytes *bytes) {
  return bytes ? bytes->data.size() - 1 : 0;
}

void einc_bytes_free(einc_bytes *bytes) { delete bytes; }
