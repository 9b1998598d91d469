//===- Execute.cpp - Does a program do what it means? ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Execute.h"
#include "abi/SizeSources.h"
#include "backend/Backend.h"
#include "driver/CheckedRun.h"
#include "driver/Compiler.h"
#include "ir/Signature.h"
#include "mlir/IR/MLIRContext.h"
#include "tests/RunnableTargets.h"
#include "tests/StridedMemory.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace ein::fuzz {

const char *getName(Outcome outcome) {
  switch (outcome) {
  case Outcome::Ok:
    return "ok";
  case Outcome::Rejected:
    return "rejected";
  case Outcome::Refused:
    return "refused at run time";
  case Outcome::SilentlyRejected:
    return "rejected without a diagnostic";
  case Outcome::InternalError:
    return "internal error";
  case Outcome::WrongCode:
    return "wrong code returned";
  case Outcome::WrongValue:
    return "wrong value";
  case Outcome::OutOfBounds:
    return "write out of bounds";
  case Outcome::Crash:
    return "crash";
  case Outcome::Hang:
    return "hang";
  }
  return "";
}

std::string Verdict::getKind() const {
  std::string kind = getName(outcome);
  if (isFailure(outcome))
    kind += " at -O" + std::to_string(optLevel);
  // What MLIR or an assertion says tells bugs apart; the numbers in it do not.
  if (outcome == Outcome::InternalError || outcome == Outcome::Crash) {
    std::string words;
    for (char c : detail.substr(0, detail.find('\n')).substr(0, 160))
      if (!(c >= '0' && c <= '9'))
        words += c;
    kind += ": " + words;
  }
  return kind;
}

namespace {
/// An argument's memory between zones that have to stay as they are.
class GuardedArray {
public:
  GuardedArray(int64_t bytes, size_t offset) : bytes(bytes), offset(offset) {
    size = (2 * kGuard + bytes + offset + 63) / 64 * 64;
    memory.reset(static_cast<unsigned char *>(std::aligned_alloc(64, size)));
    for (size_t i = 0; i < size; ++i)
      memory.get()[i] = getPattern(i);
  }
  unsigned char *data() const { return memory.get() + kGuard + offset; }
  bool isIntact() const {
    size_t begin = kGuard + offset;
    for (size_t i = 0; i < size; ++i)
      if ((i < begin || i >= begin + bytes) && memory.get()[i] != getPattern(i))
        return false;
    return true;
  }

private:
  static constexpr size_t kGuard = 4096;
  static unsigned char getPattern(size_t i) { return 0x5a + 31 * i; }
  struct Free {
    void operator()(unsigned char *memory) const { std::free(memory); }
  };
  std::unique_ptr<unsigned char, Free> memory;
  int64_t bytes;
  size_t offset, size;
};
} // namespace

namespace {
/// A program, its data, and what the reference says of them.
class Trial {
public:
  Trial(const Program &model, const Def &def, int optLevel)
      : model(model), def(def), optLevel(optLevel),
        context(mlir::MLIRContext::Threading::DISABLED),
        run(def, makeSignature(def, &context).toRuntime(def.name)),
        invocation(run.getInvocation()), signature(invocation.getSignature()) {}

  Verdict call(runtime::PackedFunction function,
               runtime::PackedFunction viewFunction);

private:
  Verdict verdict(Outcome outcome, const std::string &detail = "") const {
    return Verdict{outcome, optLevel, detail};
  }
  Verdict prepare(const runtime::Bindings &sizes);
  bool layOut(std::string &error);
  Verdict callArrays(runtime::PackedFunction function);
  Verdict callViews(runtime::PackedFunction function);
  Verdict judgeCode(int32_t code) const;

  const Program &model;
  const Def &def;
  int optLevel;
  mlir::MLIRContext context;
  CheckedRun run;
  runtime::Invocation &invocation;
  const runtime::Signature &signature;
  std::vector<int64_t> values; // of the sizes
  bool isBound = false, isRefused = false;
  reference::Failure failure;
  std::vector<GuardedArray> arrays;       // per argument
  std::vector<test::StridedMemory> views; // likewise
};
} // namespace

/// The inputs in random layouts. Elements that share a place have one value,
/// in the arrays as well.
bool Trial::layOut(std::string &error) {
  std::mt19937_64 random(model.seed * 31 + optLevel);
  views.reserve(signature.arguments.size());
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const runtime::Argument &argument = signature.arguments[i];
    runtime::Shape shape;
    if (!runtime::evaluateShape(signature, argument, invocation.getSizes(),
                                shape, error))
      return false;
    views.emplace_back(shape, runtime::getByteWidth(argument.type),
                       argument.isResult(), random);
    if (!argument.isRead())
      continue;
    runtime::Array array;
    if (!array.copyFrom(invocation.getArray(i)))
      return false;
    views[i].write(array.data());
    views[i].read(array.data());
    if (!invocation.setInput(argument.name, std::move(array), error))
      return false;
  }
  return true;
}

/// The data, and what is expected of them.
Verdict Trial::prepare(const runtime::Bindings &sizes) {
  std::string error;
  isBound = invocation.bind(sizes, error);
  if (!isBound) {
    // An extent is negative. No array has such a shape, but a caller from C can
    // still say so.
    isRefused = true;
    failure = {static_cast<int32_t>(runtime::Code::ShapeMismatch), error};
    for (size_t i = 0; i < signature.arguments.size(); ++i)
      arrays.emplace_back(0, 0);
    return verdict(Outcome::Ok);
  }
  if (!invocation.fillMissing(model.seed, error) ||
      (model.hasViews && !layOut(error)))
    return verdict(Outcome::WrongCode, "cannot fill the inputs: " + error);
  isRefused = llvm::failed(run.evaluate(failure));
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const runtime::Argument &argument = signature.arguments[i];
    runtime::Shape shape;
    int64_t bytes = 0;
    size_t width = runtime::getByteWidth(argument.type);
    if (!runtime::evaluateShape(signature, argument, values, shape, error) ||
        !runtime::countBytes(shape, width, bytes))
      return verdict(Outcome::WrongCode, "no shape: " + error);
    arrays.emplace_back(bytes, model.isUnaligned ? width : 0);
    if (argument.isRead())
      std::memcpy(arrays[i].data(), invocation.getArray(i).data(), bytes);
    else
      std::memset(arrays[i].data(), 0xff, bytes);
  }
  return verdict(Outcome::Ok);
}

/// Ok if results are due, Refused if none are.
Verdict Trial::judgeCode(int32_t code) const {
  if (code == failure.code && code != 0)
    return verdict(Outcome::Refused);
  if (code == 0 && !isRefused)
    return verdict(Outcome::Ok);
  return verdict(Outcome::WrongCode,
                 "returned " + std::to_string(code) + ", and the reference " +
                     (isRefused ? "says " + std::to_string(failure.code) +
                                      ", " + failure.message
                                : "accepts the sizes"));
}

Verdict Trial::callArrays(runtime::PackedFunction function) {
  std::vector<void *> pointers;
  for (const GuardedArray &array : arrays)
    pointers.push_back(array.data());
  Verdict judged = judgeCode(function(pointers.data(), values.data()));
  if (isFailure(judged.outcome))
    return judged;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const runtime::Argument &argument = signature.arguments[i];
    if (!arrays[i].isIntact())
      return verdict(Outcome::OutOfBounds,
                     "bytes beside `" + argument.name + "` were written");
    if (isBound && !argument.isResult() &&
        std::memcmp(pointers[i], invocation.getArray(i).data(),
                    invocation.getArray(i).getNumBytes()) != 0)
      return verdict(Outcome::OutOfBounds,
                     "the input `" + argument.name + "` was written");
  }
  for (size_t r = 0; judged.outcome == Outcome::Ok && r < def.results.size();
       ++r) {
    reference::Comparison comparison =
        run.compare(r, pointers[run.getPosition(r)]);
    if (!comparison.ok)
      return verdict(Outcome::WrongValue,
                     reference::describe(def[def.results[r]].name,
                                         run.getExpected(r).shape, comparison));
  }
  return judged;
}

/// The view entry on the same values.
Verdict Trial::callViews(runtime::PackedFunction function) {
  std::vector<void *> pointers;
  std::string layouts = ", through views";
  for (size_t i = 0; i < views.size(); ++i) {
    const runtime::Argument &argument = signature.arguments[i];
    layouts += ", " + argument.name + " by " + views[i].str();
    pointers.push_back(argument.isScalarInput()
                           ? const_cast<void *>(invocation.getArray(i).data())
                           : views[i].getView());
  }
  std::vector<int64_t> sizes;
  for (unsigned position : runtime::getSizesWithoutSource(signature))
    sizes.push_back(invocation.getSizes()[position]);
  Verdict judged = judgeCode(function(pointers.data(), sizes.data()));
  judged.detail += layouts;
  if (isFailure(judged.outcome))
    return judged;
  for (size_t i = 0; i < views.size(); ++i) {
    const runtime::Argument &argument = signature.arguments[i];
    if (views[i].isDamaged(/*all=*/!argument.isResult()))
      return verdict(Outcome::OutOfBounds,
                     "beside or in `" + argument.name + "`" + layouts);
  }
  for (size_t r = 0; judged.outcome == Outcome::Ok && r < def.results.size();
       ++r) {
    size_t position = run.getPosition(r);
    runtime::Array result;
    if (!result.allocate(signature.arguments[position].type,
                         run.getExpected(r).shape))
      return verdict(Outcome::WrongCode, "no memory");
    views[position].read(result.data());
    reference::Comparison comparison = run.compare(r, result.data());
    if (!comparison.ok)
      return verdict(Outcome::WrongValue,
                     reference::describe(def[def.results[r]].name,
                                         run.getExpected(r).shape, comparison) +
                         layouts);
  }
  return judged;
}

Verdict Trial::call(runtime::PackedFunction function,
                    runtime::PackedFunction viewFunction) {
  runtime::Bindings sizes;
  for (const std::string &symbol : signature.symbols) {
    sizes.push_back({symbol, model.getValues()[symbol]});
    values.push_back(sizes.back().second);
  }
  Verdict result = prepare(sizes);
  if (result.outcome == Outcome::Ok)
    result = callArrays(function);
  if (isFailure(result.outcome) || !viewFunction || !isBound)
    return result;
  return callViews(viewFunction);
}

/// Where the level that is being tried is told to the parent.
static volatile int *levelReached = nullptr;

const TargetInfo &getTarget(const Program &program) {
  const std::vector<TargetInfo> &targets = getRunnableTargets();
  return targets[program.seed % targets.size()];
}

/// The code of a level that the program has passed.
static Verdict executeState(const Program &program, const Def &def,
                            int optLevel, const ModuleState &state) {
  auto fail = [&](const std::string &what) {
    return Verdict{Outcome::InternalError, optLevel,
                   "after " + state.describe() + ": " + what};
  };
  if (!state.error.empty())
    return fail(state.error);
  auto code = LoadedCode::load(state.object, /*usesThreads=*/false);
  if (!code)
    return fail(toString(code.takeError()));
  auto address = code->lookup("__ein_packed_f");
  if (!address)
    return fail(toString(address.takeError()));
  Verdict verdict =
      Trial(program, def, optLevel)
          .call(reinterpret_cast<runtime::PackedFunction>(*address), nullptr);
  verdict.detail += ", first after " + state.describe();
  return verdict;
}

static Verdict executeAt(const Program &program, Sources &file, int optLevel) {
  if (levelReached)
    *levelReached = optLevel;
  CompileOptions options;
  options.optLevel = optLevel;
  options.packed = true;
  options.views = program.hasViews;
  options.target = getTarget(program);
  if (program.hasLevels && optLevel != 0)
    options.keptStates = KeptStates::Levels;
  for (const Size &size : program.sizes)
    if (size.isBound)
      options.check.bindings[size.name] = size.value;
  DiagnosticEngine diags;
  Compilation compilation = compile(file, EmissionKind::Obj, options, diags);
  std::string messages;
  for (const Diagnostic &diagnostic : diags.getDiagnostics())
    if (diagnostic.severity == Severity::Error)
      messages += (messages.empty() ? "" : "\n") + diagnostic.message;
  if (compilation.status == kWrongInput)
    return {messages.empty() ? Outcome::SilentlyRejected : Outcome::Rejected,
            optLevel, messages};
  if (compilation.status != kDone)
    return {Outcome::InternalError, optLevel, messages};
  auto code =
      LoadedCode::load(std::move(compilation.output), compilation.usesThreads);
  if (!code)
    return {Outcome::InternalError, optLevel, toString(code.takeError())};
  auto address = code->lookup("__ein_packed_f");
  if (!address)
    return {Outcome::InternalError, optLevel, toString(address.takeError())};
  runtime::PackedFunction viewFunction = nullptr;
  if (program.hasViews) {
    auto viewAddress = code->lookup("__ein_packed_view_f");
    if (!viewAddress)
      return {Outcome::InternalError, optLevel,
              toString(viewAddress.takeError())};
    viewFunction = reinterpret_cast<runtime::PackedFunction>(*viewAddress);
  }
  const Def &def = *compilation.program.find("f");
  Verdict verdict =
      Trial(program, def, optLevel)
          .call(reinterpret_cast<runtime::PackedFunction>(*address),
                viewFunction);
  for (const ModuleState &state : compilation.states) {
    if (isFailure(verdict.outcome))
      break;
    verdict = executeState(program, def, optLevel, state);
  }
  return verdict;
}

Verdict execute(const Program &program) {
  Sources file("<fuzz>", program.str());
  Verdict verdict = executeAt(program, file, 3);
  if (isFailure(verdict.outcome) || verdict.outcome == Outcome::Rejected)
    return verdict;
  return executeAt(program, file, 0);
}

//===----------------------------------------------------------------------===//
// Children
//===----------------------------------------------------------------------===//

namespace {
/// What a child tells, in memory that outlives it.
struct Report {
  Outcome outcome;
  volatile int optLevel;
  char detail[2000];
};

/// How long a process has computed.
double getCpuSeconds(pid_t process) {
  clockid_t clock;
  timespec time = {};
  if (clock_getcpuclockid(process, &clock) == 0)
    clock_gettime(clock, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

/// Child's last words: the first line of standard error that says something.
std::string getLastWords(int file) {
  char text[4000] = {};
  if (pread(file, text, sizeof(text) - 1, 0) <= 0)
    return "";
  std::string words(text);
  size_t at = words.find("ssertion");
  if (at == std::string::npos)
    at = words.find("UNREACHABLE");
  if (at == std::string::npos)
    at = 0;
  return words.substr(at, words.find('\n', at) - at);
}
} // namespace

void executeInChildren(
    const std::function<std::unique_ptr<Program>()> &next,
    const std::function<void(const Program &, const Verdict &)> &done,
    unsigned batch, unsigned timeout) {
  auto *report = static_cast<Report *>(mmap(nullptr, sizeof(Report),
                                            PROT_READ | PROT_WRITE,
                                            MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  int words = memfd_create("stderr", 0);
  bool isMore = true;
  while (isMore) {
    std::vector<std::unique_ptr<Program>> programs;
    while (programs.size() < batch &&
           (isMore = bool(programs.emplace_back(next()))))
      ;
    if (!isMore)
      programs.pop_back();
    for (size_t first = 0; first < programs.size();) {
      // One byte through the pipe per program that is finished; it is answered
      // when the report has been read.
      int up[2], down[2];
      if (pipe(up) != 0 || pipe(down) != 0)
        std::abort();
      std::fflush(nullptr);
      pid_t child = fork();
      if (child == 0) {
        close(up[0]);
        close(down[1]);
        levelReached = &report->optLevel;
        dup2(words, STDERR_FILENO);
        dup2(words, STDOUT_FILENO);
        for (size_t i = first; i < programs.size(); ++i) {
          (void)!ftruncate(words, 0);
          lseek(words, 0, SEEK_SET);
          Verdict verdict = execute(*programs[i]);
          report->outcome = verdict.outcome;
          report->optLevel = verdict.optLevel;
          std::strncpy(report->detail, verdict.detail.c_str(),
                       sizeof(report->detail) - 1);
          char byte = 0;
          if (write(up[1], &byte, 1) != 1 || read(down[0], &byte, 1) != 1)
            _exit(0);
        }
        _exit(0);
      }
      close(up[1]);
      close(down[0]);
      for (bool isAlive = true; isAlive && first < programs.size();) {
        pollfd wait = {up[0], POLLIN, 0};
        // A hang is known by the time it computes; on a busy machine that is
        // much less than what passes. Who does not compute at all hangs too.
        double start = getCpuSeconds(child), now = start;
        int ready = 0;
        for (unsigned idle = 0;
             ready <= 0 && idle < 20 * timeout && now - start < timeout;) {
          ready = poll(&wait, 1, 1000);
          double before = std::exchange(now, getCpuSeconds(child));
          idle = now > before ? 0 : idle + 1;
        }
        char byte;
        Verdict verdict;
        if (ready <= 0) {
          kill(child, SIGKILL);
          verdict = {Outcome::Hang, report->optLevel, ""};
          isAlive = false;
        } else if (read(up[0], &byte, 1) == 1) {
          verdict = {report->outcome, report->optLevel, report->detail};
          // Whatever says "internal error" only to the terminal.
          if (verdict.outcome == Outcome::InternalError &&
              verdict.detail.empty())
            verdict.detail = getLastWords(words);
          if (write(down[1], &byte, 1) != 1)
            isAlive = false;
        } else {
          int status = 0;
          waitpid(child, &status, 0);
          child = 0;
          verdict = {Outcome::Crash, report->optLevel, getLastWords(words)};
          verdict.detail +=
              WIFSIGNALED(status)
                  ? std::string(" (") + strsignal(WTERMSIG(status)) + ")"
                  : " (exit)";
          isAlive = false;
        }
        done(*programs[first++], verdict);
      }
      close(up[0]);
      close(down[1]);
      if (child)
        waitpid(child, nullptr, 0);
    }
  }
  munmap(report, sizeof(Report));
  close(words);
}

Verdict executeInChild(const Program &program, unsigned timeout) {
  Verdict result;
  bool isGiven = false;
  executeInChildren(
      [&]() {
        bool wasGiven = isGiven;
        isGiven = true;
        return wasGiven ? nullptr : std::make_unique<Program>(program);
      },
      [&](const Program &, const Verdict &verdict) { result = verdict; }, 1,
      timeout);
  return result;
}

} // namespace ein::fuzz
