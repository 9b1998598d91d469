//===- Harness.cpp - Compile, call on guarded memory, compare -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include "abi/SizeSources.h"
#include "runtime/Random.h"
#include "tests/RunnableTargets.h"
#include "tests/StridedMemory.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <csignal>
#include <random>
#include <set>
#include <unistd.h>

namespace ein::test {

//===----------------------------------------------------------------------===//
// Crashes
//===----------------------------------------------------------------------===//

/// What runs now, for the last words of a crash.
static char currentCommand[4096];

static void reportCrash(int signal) {
  static const char message[] = "\ncrashed; to repeat: ";
  (void)!write(STDERR_FILENO, message, sizeof(message) - 1);
  (void)!write(STDERR_FILENO, currentCommand, std::strlen(currentCommand));
  (void)!write(STDERR_FILENO, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

static void setCommand(const std::string &command) {
  static bool installed = [] {
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
      std::signal(signal, reportCrash);
    return true;
  }();
  (void)installed;
  size_t length = std::min(command.size(), sizeof(currentCommand) - 1);
  std::memcpy(currentCommand, command.data(), length);
  currentCommand[length] = 0;
}

//===----------------------------------------------------------------------===//
// Guarded memory
//===----------------------------------------------------------------------===//

namespace {
/// Memory for one argument. The zones are as wide as the widest tile row that a
/// kernel writes at once, and a page beside.
class GuardedArray {
public:
  GuardedArray(int64_t bytes, size_t offset) : bytes(bytes), offset(offset) {
    size_t total = 2 * kGuard + bytes + offset;
    total = (total + 63) / 64 * 64;
    memory.reset(static_cast<unsigned char *>(std::aligned_alloc(64, total)));
    size = total;
    for (size_t i = 0; i < size; ++i)
      memory.get()[i] = getPattern(i);
  }

  void *data() const { return memory.get() + kGuard + offset; }
  /// The first byte out of bounds that was written, from the data on; 0 if none
  /// was (the data itself is not out of bounds).
  int64_t findDamage() const {
    size_t begin = kGuard + offset, end = begin + bytes;
    for (size_t i = 0; i < size; ++i)
      if ((i < begin || i >= end) && memory.get()[i] != getPattern(i))
        return int64_t(i) - int64_t(begin);
    return 0;
  }

private:
  static constexpr size_t kGuard = 4096 + 256;
  static unsigned char getPattern(size_t i) { return 0x5a + 31 * i; }

  struct Free {
    void operator()(unsigned char *memory) const { std::free(memory); }
  };
  std::unique_ptr<unsigned char, Free> memory;
  int64_t bytes;
  size_t offset;
  size_t size;
};
} // namespace

//===----------------------------------------------------------------------===//
// Compiled
//===----------------------------------------------------------------------===//

static std::string join(const Sizes &sizes) {
  std::string text;
  for (const auto &[name, value] : sizes)
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(value);
  return text;
}

static const TargetInfo &getCompiledFor(const std::string &text,
                                        const BuildOptions &options);

std::string Compiled::getCommand(const Sizes &sizes, uint64_t seed) const {
  std::string command = "einc verify -O" + std::to_string(options.optLevel) +
                        " --dtype " + getSpelling(options.type).str() +
                        " --seed " + std::to_string(seed) + " -e '" + text +
                        "'";
  if (options.drawsCpu)
    command += " --cpu " + getCompiledFor(text, options).cpu;
  if (options.parallel)
    command += " --parallel";
  if (!options.bindings.empty())
    command += " --bind " + join(options.bindings);
  if (!sizes.empty())
    command += " --sizes " + join(sizes);
  return command;
}

static const TargetInfo &getCompiledFor(const std::string &text,
                                        const BuildOptions &options) {
  const std::vector<TargetInfo> &targets = getRunnableTargets();
  if (!options.drawsCpu)
    return targets.back();
  return targets[llvm::xxh3_64bits(text + join(options.bindings)) %
                 targets.size()];
}

/// Whether the program is of the tenth that goes through all of LLVM; the same
/// programs in every run.
static bool takesAllOfLLVM(const std::string &text,
                           const BuildOptions &options) {
  const char *wish = std::getenv("EIN_LLVM");
  if (options.effort == LLVMEffort::Full ||
      (wish && llvm::StringRef(wish) == "full"))
    return true;
  return llvm::xxh3_64bits(text + join(options.bindings) + options.packing) %
             10 ==
         0;
}

/// The options of the driver that are left to a test.
static Options getDriverOptions(const std::string &text,
                                const BuildOptions &options) {
  Options driver;
  driver.text = text;
  driver.compile.form = SourceForm::CommandLine;
  driver.compile.optLevel = options.optLevel;
  if (!takesAllOfLLVM(text, options)) {
    driver.compile.llvmOptLevel = 0;
    driver.compile.codegenLevel = 0;
  }
  driver.compile.parallel = options.parallel;
  driver.compile.check.defaultType = options.type;
  driver.compile.views = options.views;
  driver.compile.packing = options.packing;
  driver.compile.sharing = options.threads;
  driver.compile.columnBlock = options.block;
  driver.compile.tuned = options.tuned;
  driver.compile.reports = options.reports;
  for (const auto &[name, value] : options.bindings)
    driver.compile.check.bindings[name] = value;
  driver.compile.target = getCompiledFor(text, options);
  return driver;
}

Compiled::Compiled(std::string newText, BuildOptions newOptions)
    : text(std::move(newText)), options(std::move(newOptions)) {
  // About a megabyte each.
  constexpr size_t kMostPrograms = 500;
  static std::map<std::string, std::shared_ptr<const LoadedProgram>> cache;
  setCommand(getCommand({}, 1));
  Options driver = getDriverOptions(text, options);
  std::string key = llvm::formatv(
      "{0}\n{1} {2} {3} {4} {5} {6} {7} {8} {9} {10}", text, options.optLevel,
      int(options.effort), getSpelling(options.type), options.parallel,
      options.views, options.drawsCpu, options.packing, options.threads,
      options.block, join(options.bindings));
  for (const TunedEntry &entry : options.tuned)
    key += "\n" + entry.op + " " + entry.schedule;
  for (const std::string &report : options.reports)
    key += "\n" + report;
  program = cache[key]; // none, if it is new
  status = kDone;
  if (program)
    return;
  auto fresh = std::make_shared<LoadedProgram>();
  Sources file("<test>", text);
  status = fresh->load(driver, file);
  program = fresh;
  if (cache.size() > kMostPrograms)
    cache.clear();
  // What does not compile says so each time.
  if (status == kDone)
    cache[key] = program;
}

std::vector<std::string> getSymbols(const std::string &text,
                                    const BuildOptions &options) {
  Options driver = getDriverOptions(text, options);
  Sources file("<test>", text);
  DiagnosticEngine diags;
  Compilation checked =
      compile(file, EmissionKind::Program, driver.compile, diags);
  std::vector<std::string> symbols;
  if (const Def *def = checked.program.find(""))
    for (const Symbol &symbol : def->symbols)
      if (!symbol.bound)
        symbols.push_back(symbol.name);
  return symbols;
}

testing::AssertionResult Compiled::isOk() const {
  if (status == kDone)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "does not compile, status " << status
                                     << "; to repeat: " << getCommand({}, 1);
}

CallableEntry Compiled::getEntry(const std::string &entry) const {
  return *program->lookup(*program->getProgram().find(entry));
}

runtime::PackedFunction Compiled::getViewEntry(const std::string &entry) const {
  return program->lookupView(*program->getProgram().find(entry));
}

/// The sizes and the inputs are in `run`.
testing::AssertionResult
Compiled::checkViews(const CallOptions &call, CheckedRun &run, const Def &def,
                     const std::string &command) const {
  runtime::Invocation &invocation = run.getInvocation();
  const runtime::Signature &signature = invocation.getSignature();
  std::mt19937_64 random(call.seed * 7919 + signature.arguments.size());
  std::vector<StridedMemory> memory;
  std::vector<void *> pointers;
  memory.reserve(signature.arguments.size());
  std::string layouts, error;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const runtime::Argument &argument = signature.arguments[i];
    runtime::Shape shape;
    if (!runtime::evaluateShape(signature, argument, invocation.getSizes(),
                                shape, error))
      return testing::AssertionFailure() << error;
    memory.emplace_back(shape, runtime::getByteWidth(argument.type),
                        argument.isResult(), random);
    layouts += "\n" + argument.name + ": " + memory[i].str();
    if (argument.isRead()) {
      // Elements that share a place have one value.
      runtime::Array array;
      if (!array.copyFrom(invocation.getArray(i)))
        return testing::AssertionFailure() << "no memory";
      memory[i].write(array.data());
      memory[i].read(array.data());
      if (!invocation.setInput(argument.name, std::move(array), error))
        return testing::AssertionFailure() << error;
    }
    pointers.push_back(argument.isScalarInput()
                           ? const_cast<void *>(static_cast<const void *>(
                                 invocation.getArray(i).data()))
                           : memory[i].getView());
  }
  auto fail = [&](const std::string &what) {
    return testing::AssertionFailure()
           << what << layouts << "\nthe contiguous call: " << command;
  };
  std::vector<int64_t> sizes;
  for (unsigned position : runtime::getSizesWithoutSource(signature))
    sizes.push_back(invocation.getSizes()[position]);
  reference::Failure failure;
  bool refused = failed(run.evaluate(failure));
  int32_t code = getViewEntry(call.entry)(pointers.data(), sizes.data());
  if (code != (refused ? failure.code : 0))
    return fail("the view entry returned code " + std::to_string(code));
  for (size_t i = 0; i < memory.size(); ++i)
    if (memory[i].isDamaged(refused || !signature.arguments[i].isResult()))
      return fail("wrote where it should not, near or in `" +
                  signature.arguments[i].name + "`");
  for (size_t r = 0; !refused && r < def.results.size(); ++r) {
    size_t position = run.getPosition(r);
    std::vector<char> values;
    int64_t count = 1;
    for (int64_t extent : run.getExpected(r).shape)
      count *= extent;
    values.resize(
        count * runtime::getByteWidth(signature.arguments[position].type) + 1);
    memory[position].read(values.data());
    reference::Comparison comparison = run.compare(r, values.data());
    if (!comparison.ok)
      return fail(reference::describe(def[def.results[r]].name,
                                      run.getExpected(r).shape, comparison));
  }
  return testing::AssertionSuccess();
}

std::vector<std::string> Compiled::getSymbols(const std::string &entry) const {
  std::vector<std::string> symbols;
  for (const Symbol &symbol : program->getProgram().find(entry)->symbols)
    if (!symbol.bound)
      symbols.push_back(symbol.name);
  return symbols;
}

testing::AssertionResult Compiled::check(const Sizes &allSizes,
                                         const CallOptions &call) const {
  if (status != kDone)
    return isOk();
  const Def &def = *program->getProgram().find(call.entry);
  CallableEntry entry = getEntry(call.entry);
  Sizes sizes;
  for (const auto &binding : allSizes)
    if (llvm::is_contained(entry.signature.symbols, binding.first))
      sizes.push_back(binding);
  std::string command = getCommand(sizes, call.seed);
  setCommand(command);
  auto fail = [&](const std::string &what) {
    return testing::AssertionFailure() << what << "\nto repeat: " << command;
  };

  CheckedRun run(def, entry.signature);
  runtime::Invocation &invocation = run.getInvocation();
  std::string error;
  if (!invocation.bind(sizes, error)) {
    // Sizes that make an extent negative: no array has that shape, but a caller
    // from C can still say them.
    std::vector<int64_t> values;
    for (const std::string &symbol : entry.signature.symbols)
      for (const auto &[name, value] : sizes)
        if (name == symbol)
          values.push_back(value);
    if (values.size() != entry.signature.symbols.size())
      return fail(error);
    GuardedArray nothing(0, 0);
    std::vector<void *> pointers(entry.signature.arguments.size(),
                                 nothing.data());
    int32_t code = entry.function(pointers.data(), values.data());
    if (code != static_cast<int32_t>(runtime::Code::ShapeMismatch))
      return fail(error + ", and the code returned " + std::to_string(code));
    if (nothing.findDamage())
      return fail(error + ", and the code wrote something");
    return testing::AssertionSuccess();
  }
  const std::vector<runtime::Argument> &arguments = entry.signature.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].isRead())
      continue;
    runtime::Shape shape;
    runtime::Array array;
    if (!runtime::evaluateShape(entry.signature, arguments[i],
                                invocation.getSizes(), shape, error))
      return fail(error);
    if (!array.allocate(arguments[i].type, shape))
      return fail("no memory for " + arguments[i].name);
    runtime::fillRandom(array, call.seed, i);
    if (call.edit)
      call.edit(arguments[i].name, array);
    for (const auto &[copy, original] : call.same)
      if (copy == arguments[i].name &&
          !array.copyFrom(invocation.getArray(*invocation.find(original))))
        return fail("no memory for " + copy);
    if (!invocation.setInput(arguments[i].name, std::move(array), error))
      return fail(error);
  }
  if (!invocation.bind(sizes, error))
    return fail(error);
  if (call.views)
    return checkViews(call, run, def, command);

  reference::Failure failure;
  bool refused = failed(run.evaluate(failure));

  // The memory that the code sees.
  std::vector<GuardedArray> memory;
  std::vector<void *> pointers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    size_t width = runtime::getByteWidth(arguments[i].type);
    runtime::Shape shape;
    if (!runtime::evaluateShape(entry.signature, arguments[i],
                                invocation.getSizes(), shape, error))
      return fail(error);
    int64_t bytes = 0;
    if (!runtime::countBytes(shape, width, bytes))
      return fail("the size of " + arguments[i].name + " overflows");
    memory.emplace_back(bytes, call.unaligned ? width : 0);
    pointers.push_back(memory.back().data());
    if (arguments[i].isRead())
      std::memcpy(pointers[i], invocation.getArray(i).data(), bytes);
    else
      std::memset(pointers[i], 0xff, bytes);
  }
  for (const auto &[copy, original] : call.same)
    pointers[*invocation.find(copy)] = pointers[*invocation.find(original)];

  int32_t code = entry.function(pointers.data(), invocation.getSizes().data());

  if (code != (refused ? failure.code : 0))
    return fail(
        "returned code " + std::to_string(code) + ", and the reference " +
        (refused
             ? "says " + std::to_string(failure.code) + ", " + failure.message
             : "accepts it"));
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (int64_t where = memory[i].findDamage())
      return fail("wrote out of bounds of `" + arguments[i].name + "`, " +
                  std::to_string(where) + " bytes from its start");
    if (arguments[i].role == runtime::Role::Input &&
        std::memcmp(pointers[i], invocation.getArray(i).data(),
                    invocation.getArray(i).getNumBytes()))
      return fail("changed the input `" + arguments[i].name + "`");
  }
  if (refused && !def.hasDataChecks()) {
    // All checks are before anything is written.
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].role == runtime::Role::InOut &&
          std::memcmp(pointers[i], invocation.getArray(i).data(),
                      invocation.getArray(i).getNumBytes()))
        return fail("changed `" + arguments[i].name + "`, and was refused");
  }
  if (refused)
    return testing::AssertionSuccess();
  for (size_t r = 0; r < def.results.size(); ++r) {
    reference::Comparison comparison =
        run.compare(r, pointers[run.getPosition(r)]);
    if (!comparison.ok)
      return fail(reference::describe(def[def.results[r]].name,
                                      run.getExpected(r).shape, comparison));
  }
  return testing::AssertionSuccess();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

MicroKernel getTile(const TargetInfo &target, ElementType type) {
  return getMicroKernels(target, getBitWidth(type), std::nullopt, std::nullopt,
                         isComplex(type) ? 2 : 1)
      .main;
}

std::vector<int64_t> getTileSizes(ElementType type) {
  TargetInfo host = getHostTarget();
  MicroKernel kernel = getTile(host, type);
  int64_t mr = kernel.mr, nr = kernel.getNr();
  std::set<int64_t> sizes = {0, 1, 7, mr - 1, mr, mr + 1, nr - 1, nr, nr + 1};
  return {sizes.begin(), sizes.end()};
}

Sizes getPresent(llvm::StringRef program, const Sizes &sizes) {
  Sizes present;
  for (const auto &[name, size] : sizes)
    if (program.contains(name))
      present.push_back({name, size});
  return present;
}

uint64_t getSeed() {
  const char *text = std::getenv("EIN_SEED");
  return text ? std::strtoull(text, nullptr, 0) : 1;
}

void runSweep(const Compiled &compiled, const Sweep &sweep,
              const std::string &entry) {
  ASSERT_TRUE(compiled.isOk());
  std::vector<std::string> symbols = compiled.getSymbols(entry);
  std::mt19937_64 random(sweep.seed * 1000003 + symbols.size());
  unsigned number = 0;
  auto run = [&](const std::vector<int64_t> &values) {
    double points = 1;
    Sizes sizes;
    for (size_t i = 0; i < symbols.size(); ++i) {
      points *= std::max<int64_t>(values[i], 1);
      sizes.push_back({symbols[i], values[i]});
    }
    if (points > sweep.maxPoints)
      return;
    CallOptions call;
    call.entry = entry;
    call.seed = sweep.seed + number;
    call.views = sweep.views;
    // Every other call finds its data where no vector is aligned.
    call.unaligned = ++number % 2 == 0;
    EXPECT_TRUE(compiled.check(sizes, call));
  };
  for (int64_t choice : sweep.choices)
    run(std::vector<int64_t>(symbols.size(), choice));
  if (symbols.size() < 2)
    return;
  for (size_t i = 0; i < symbols.size(); ++i)
    for (int64_t choice : sweep.choices) {
      std::vector<int64_t> values(symbols.size(), sweep.base);
      values[i] = choice;
      run(values);
    }
  for (unsigned draw = 0; draw < sweep.numRandom; ++draw) {
    std::vector<int64_t> values;
    for (size_t i = 0; i < symbols.size(); ++i)
      values.push_back(sweep.choices[random() % sweep.choices.size()]);
    run(values);
  }
}

void runSweep(const std::string &text, const BuildOptions &options,
              Sweep sweep) {
  SCOPED_TRACE(text + ", packing " + options.packing + ", threads " +
               options.threads);
  sweep.views = options.views;
  runSweep(Compiled(text, options), sweep);
}

} // namespace ein::test
