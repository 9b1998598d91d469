//===- Tune.cpp - Measure which strategies are the fastest ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a model of the machine is wrong by some per cent, and by more for
// shapes and machines that nobody looked at.
//
// Choice: the compiler lists the candidates of each op
// (passes/select/Candidates.h), best first by its model. The first ones are
// compiled, each with the whole program, as what an op reads from caches
// depends on what is round it. Each result is compared with the reference. The
// candidates run by turns, so that a machine that slows down does so for all;
// after each round those that are behind drop out, so that time goes to those
// that are near one another (successive halving: K. Jamieson and A. Talwalkar,
// "Non-stochastic Best Arm Identification and Hyperparameter Optimization",
// AISTATS 2016, section 2). One op follows the other, the longest first, and
// what is best for one holds for those after it.
//
// Consequence: the file is complete after each op, so that who stops the
// command has what was measured by then, and who starts it again goes on.
//
//===----------------------------------------------------------------------===//

#include "backend/OutputFile.h"
#include "driver/CheckedRun.h"
#include "driver/Commands.h"
#include "driver/Explanation.h"
#include "driver/PlainCode.h"
#include "driver/Progress.h"
#include "driver/TunedFile.h"
#include "runtime/Print.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace llvm;

namespace ein {
namespace {

/// One way of an op's.
struct Way {
  std::string schedule; // the attribute
  std::string sentence;
  double cycles = 0; // predicted; infinite if not
};

/// An op of the program, and its ways: first the one that it has untuned.
struct TunedOp {
  std::string key;
  std::vector<Way> ways;
  const Def *def = nullptr;
};

/// A compiled program in which an op runs one way.
struct Trial {
  const Way *way;
  LoadedProgram program;
  runtime::PackedFunction function = nullptr;
  std::unique_ptr<runtime::Invocation> call;
  std::vector<double> times;

  double getMedian() const {
    std::vector<double> sorted = times;
    size_t middle = sorted.size() / 2;
    std::nth_element(sorted.begin(), sorted.begin() + middle, sorted.end());
    return sorted[middle];
  }
};

using Trials = std::vector<std::unique_ptr<Trial>>;

class Tuner {
public:
  Tuner(const Options &options, Sources &file)
      : options(options), file(file), entries(options.compile.tuned) {}
  ExitStatus run();

private:
  ExitStatus tuneAll();
  raw_ostream &say();
  ExitStatus checkDefs(const Program &program);
  ExitStatus collect(const Program &program, std::vector<TunedOp> &ops);
  ExitStatus prepare(const Def &def);
  ExitStatus tune(const TunedOp &op, double seconds);
  /// Compiles the ways that the model puts first, for about as long.
  ExitStatus makeTrials(const TunedOp &op, double seconds, Trials &trials);
  bool check(const TunedOp &op, Trial &trial, std::string &error);
  bool measure(Trials &trials, const Way *untunedWay, double seconds,
               std::string &error);
  ExitStatus write();
  ExitStatus list();
  void printJson(const TunedOp &op, function_ref<void()> printTimes,
                 function_ref<std::optional<double>(const Way &)> getSeconds);
  void reportJson(const TunedOp &op, const Trial &first);
  void report(const TunedOp &op, const Trial &best, const Trial &first);
  ExitStatus fail(const std::string &error) {
    progress.clear();
    return reportError(options, DiagId::RunFailed, {error});
  }
  bool isWanted(const Def &def) const {
    return options.entry.empty() || def.name == options.entry;
  }
  std::string getCpu() const { return options.compile.target.cpu; }

  const Options &options;
  Sources &file;
  Progress progress;
  LoadedProgram loaded; // whose program the defs are of
  std::vector<TunedEntry> entries;
  std::set<std::string> done; // keys
  /// What each def is called with, and what it should return.
  std::map<const Def *, std::unique_ptr<CheckedRun>> calls;
  /// What each way took in the fastest of its turns, as neither what else the
  /// machine does nor a slow clock makes code faster.
  std::map<const Way *, double> leastTimes;
  std::optional<json::OStream> json;
  unsigned numFaster = 0, numTuned = 0;
  double share = 0; // of the time that is over
};

} // namespace

/// Fails if the program has no def that is to be tuned.
ExitStatus Tuner::checkDefs(const Program &program) {
  if (program.defs.empty())
    return fail("there is no def to tune: MLIR has no reference to compare "
                "with");
  if (none_of(program.defs, [&](const Def &def) { return isWanted(def); }))
    return reportUnknownDef(options, options.entry, getNames(program));
  return kDone;
}

/// The ops that have several ways and no entry, with what is known so far.
ExitStatus Tuner::collect(const Program &program, std::vector<TunedOp> &ops) {
  CompileOptions asking = options.compile;
  asking.packed = asking.keepsPrivate = true;
  asking.tuned = entries;
  asking.reports = {"tuning"};
  DiagnosticEngine diags(options.compile.check.warnings);
  Compilation decided = compile(file, EmissionKind::Scheduled, asking, diags);
  if (decided.status != kDone) {
    progress.clear();
    printAll(options, file, diags, decided.status);
    return decided.status;
  }
  std::set<std::string> seen = done;
  for (const Finding &finding : decided.findings) {
    TunedOp op;
    for (const auto &[name, value] : finding.facts) {
      if (name == "key")
        op.key = value;
      else if (name == "schedule")
        op.ways.push_back({value, "", 0});
      else if (name == "says")
        op.ways.back().sentence = value;
      else if (name == "cycles" && !to_float(value, op.ways.back().cycles))
        op.ways.back().cycles = std::numeric_limits<double>::infinity();
    }
    for (const Def &def : program.defs)
      if (SourceRange extent = getExtent(def, program);
          extent.begin <= finding.range.begin &&
          finding.range.begin < extent.end)
        op.def = &def;
    if (op.ways.size() > 1 && op.def && isWanted(*op.def) &&
        seen.insert(op.key).second)
      ops.push_back(std::move(op));
  }
  stable_sort(ops, [](const TunedOp &a, const TunedOp &b) {
    return a.ways.front().cycles > b.ways.front().cycles;
  });
  return kDone;
}

/// Finds sizes and data for a def, and what it should make of them.
ExitStatus Tuner::prepare(const Def &def) {
  std::optional<CallableEntry> entry = loaded.lookup(def);
  if (!entry)
    return kWrongInput;
  auto call = std::make_unique<CheckedRun>(def, entry->signature);
  runtime::Invocation &invocation = call->getInvocation();
  std::string error;
  int status = kWrongInput;
  if (!runtime::loadOperands(options.inputFiles, invocation, error, status))
    return fail(error);
  auto isQuick = [&] {
    return isQuickToEvaluate(def, getSymbolValues(def, invocation.getSizes()),
                             options.compile.order);
  };
  bool isBound = options.inputFiles.empty()
                     ? bindLargest(invocation, options.sizes, isQuick, error)
                     : invocation.bind(options.sizes, error);
  if (!isBound)
    return fail("`" + def.name + "`: " + error + adviseSizes(entry->signature));
  if (!fillInputs(&def, invocation, options.seed, error))
    return fail("`" + def.name + "`: " + error);
  progress.enter("evaluating the reference of `" + def.name + "`");
  reference::Failure failure;
  reference::EvaluateOptions evaluation;
  evaluation.splitsProducts = options.compile.splitsProducts;
  if (failed(call->evaluate(failure, evaluation)))
    return fail("`" + def.name + "` fails" +
                describeSizes(entry->signature, invocation.getSizes()) + ": " +
                failure.message);
  calls[&def] = std::move(call);
  return kDone;
}

/// Whether the code returns what it should, the first time that it runs.
bool Tuner::check(const TunedOp &op, Trial &trial, std::string &error) {
  const CheckedRun &checked = *calls[op.def];
  trial.call = std::make_unique<runtime::Invocation>(
      checked.getInvocation().getSignature());
  if (!copyCall(checked.getInvocation(), *trial.call, error) ||
      !trial.call->run(trial.function, error))
    return false;
  for (size_t r = 0; r < op.def->results.size(); ++r) {
    size_t position = checked.getPosition(r);
    reference::Comparison comparison =
        checked.compare(r, trial.call->getArray(position).data());
    if (!comparison.ok) {
      error = reference::describe((*op.def)[op.def->results[r]].name,
                                  checked.getExpected(r).shape, comparison);
      return false;
    }
  }
  // Those that are read and written have what the call has left.
  return copyCall(checked.getInvocation(), *trial.call, error);
}

ExitStatus Tuner::makeTrials(const TunedOp &op, double seconds,
                             Trials &trials) {
  // The model puts the best in front; what it puts behind is not compiled.
  auto start = std::chrono::steady_clock::now();
  for (const Way &way : ArrayRef(op.ways).take_front(options.mostWays)) {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - start;
    if (trials.size() >= 2 && passed.count() > seconds)
      break;
    progress.enter("compiling way " + std::to_string(trials.size() + 1) +
                       " of `" + op.def->name + "`",
                   share);
    Options tuned = options;
    tuned.compile.tuned = entries;
    tuned.compile.tuned.push_back({op.key, getCpu(), way.schedule});
    auto owned = std::make_unique<Trial>();
    Trial &trial = *owned;
    trial.way = &way;
    if (ExitStatus status = trial.program.load(tuned, file))
      return status;
    std::optional<CallableEntry> entry =
        trial.program.lookup(StringRef(op.def->name));
    if (!entry)
      return kWrongInput;
    trial.function = entry->function;
    std::string error;
    if (!check(op, trial, error)) {
      progress.clear();
      // It is ours to be right whichever way is taken.
      return reportError(options, DiagId::InternalError,
                         {"`" + op.def->name + "` is wrong with " +
                          way.schedule + ": " + error},
                         kInternalError);
    }
    trials.push_back(std::move(owned));
  }
  return kDone;
}

/// Runs them by turns; those that are left in the end are few, and in order.
bool Tuner::measure(Trials &trials, const Way *untunedWay, double seconds,
                    std::string &error) {
  constexpr unsigned kRounds = 4, kTurns = 3;
  double slice = seconds / kRounds;
  for (unsigned round = 0; round < kRounds; ++round) {
    double each = slice / double(trials.size() * kTurns);
    for (unsigned turn = 0; turn < kTurns; ++turn)
      for (auto &trial : trials) {
        runtime::Timing timing;
        if (!trial->call->measure(trial->function, each, timing, error))
          return false;
        trial->times.push_back(timing.median);
        double &least =
            leastTimes.try_emplace(trial->way, timing.median).first->second;
        least = std::min(least, timing.median);
      }
    // The untuned one stays, to be compared with.
    stable_sort(trials, [](const auto &a, const auto &b) {
      return a->getMedian() < b->getMedian();
    });
    size_t numLeft = std::max<size_t>(trials.size() / 2, 2);
    Trials left;
    for (auto &trial : trials)
      if (left.size() < numLeft || trial->way == untunedWay)
        left.push_back(std::move(trial));
    trials = std::move(left);
  }
  return true;
}

/// An object of the list: the ways that have a time, or all of them where none
/// is measured, in the model's order.
void Tuner::printJson(
    const TunedOp &op, function_ref<void()> printTimes,
    function_ref<std::optional<double>(const Way &)> getSeconds) {
  json->object([&] {
    json->attribute("def", json::fixUTF8(op.def->name));
    json->attribute("op", op.key);
    json->attribute("cpu", getCpu());
    printTimes();
    json->attributeArray("ways", [&] {
      for (const Way &way : op.ways) {
        std::optional<double> seconds = getSeconds(way);
        if (!seconds && !options.listsWays)
          continue;
        json->object([&] {
          json->attribute("schedule", way.schedule);
          json->attribute("says", way.sentence);
          if (std::isfinite(way.cycles))
            json->attribute("predicted_cycles", way.cycles);
          if (seconds)
            json->attribute("seconds", *seconds);
        });
      }
    });
  });
}

void Tuner::reportJson(const TunedOp &op, const Trial &first) {
  printJson(
      op,
      [&] {
        json->attribute("untuned_seconds", first.getMedian());
        json->attribute("tuned_seconds", entries.back().seconds);
      },
      [&](const Way &way) -> std::optional<double> {
        auto time = leastTimes.find(&way);
        if (time == leastTimes.end())
          return std::nullopt;
        return time->second;
      });
}

/// All ways of all ops, and what is predicted of each. No code is made, so that
/// this machine need not be the one that it is for.
ExitStatus Tuner::list() {
  DiagnosticEngine diags(options.compile.check.warnings);
  Program program =
      compile(file, EmissionKind::Header, options.compile, diags).program;
  std::vector<TunedOp> ops;
  // First what is wrong with the program itself.
  if (ExitStatus status = collect(program, ops))
    return status;
  if (ExitStatus status = checkDefs(program))
    return status;
  progress.clear();
  for (const TunedOp &op : ops) {
    if (json) {
      printJson(op, [] {}, [](const Way &) { return std::nullopt; });
      continue;
    }
    outs() << op.def->name << ": " << op.key << "\n";
    for (const Way &way : op.ways) {
      outs() << "  ";
      if (std::isfinite(way.cycles))
        outs() << format("%.0f", way.cycles) << " cycles";
      else
        outs() << "not priced";
      outs() << ": " << way.sentence << "\n";
    }
  }
  return kDone;
}

void Tuner::report(const TunedOp &op, const Trial &best, const Trial &first) {
  progress.clear();
  double before = first.getMedian(), after = best.getMedian();
  outs() << op.def->name << ": " << op.key << "\n  "
         << runtime::printSeconds(before) << " untuned: " << first.way->sentence
         << "\n";
  if (&best == &first)
    outs() << "  the fastest of " << op.ways.size() << "\n";
  else
    outs() << "  " << runtime::printSeconds(after) << ", "
           << format("%.2f", before / after)
           << " times as fast: " << best.way->sentence << "\n";
  outs().flush();
}

ExitStatus Tuner::tune(const TunedOp &op, double seconds) {
  // What is nearer than this is as fast: untuned code stays.
  constexpr double kNoise = 0.02;
  Trials trials;
  auto start = std::chrono::steady_clock::now();
  if (ExitStatus status = makeTrials(op, seconds / 2, trials))
    return status;
  std::chrono::duration<double> compiling =
      std::chrono::steady_clock::now() - start;
  progress.enter("measuring " + std::to_string(trials.size()) + " ways of `" +
                     op.def->name + "`",
                 share);
  leastTimes.clear();
  std::string error;
  const Way *untunedWay = &op.ways.front();
  if (!measure(trials, untunedWay,
               std::max(seconds - compiling.count(), seconds / 4), error))
    return fail(error);
  const Trial *first = find_if(trials, [&](const auto &trial) {
                         return trial->way == untunedWay;
                       })->get();
  const Trial *best = trials.front().get();
  if (best->getMedian() > (1 - kNoise) * first->getMedian())
    best = first;
  numFaster += best != first;
  ++numTuned;
  entries.push_back({op.key, getCpu(), best->way->schedule, best->getMedian(),
                     first->getMedian()});
  done.insert(op.key);
  if (json)
    reportJson(op, *first);
  else
    report(op, *best, *first);
  return write();
}

ExitStatus Tuner::write() {
  std::string text = printTuned(
      entries,
      "Made by einc tune: what was measured to be the fastest, by op and CPU.\n"
      "Seconds are those of a call of the def that has the op; code does not\n"
      "depend on them. `einc build --tuned` reads it.");
  if (Error error = writeFile(options.output, {text.data(), text.size()}))
    return reportError(options, DiagId::CannotWrite,
                       {toString(std::move(error))});
  return kDone;
}

ExitStatus Tuner::run() {
  if (options.json) {
    json.emplace(outs(), /*IndentSize=*/2);
    json->arrayBegin();
  }
  ExitStatus status = tuneAll();
  progress.clear();
  if (json) {
    json->arrayEnd();
    outs() << "\n";
  }
  return status;
}

/// A line for people.
raw_ostream &Tuner::say() {
  progress.clear();
  return json ? nulls() : outs();
}

ExitStatus Tuner::tuneAll() {
  // What an earlier run has written is gone on with.
  for (const TunedEntry &entry : entries)
    if (entry.cpu == getCpu())
      done.insert(entry.op);
  if (options.listsWays)
    return list();
  if (ExitStatus status = loaded.load(options, file))
    return status;
  const Program &program = loaded.getProgram();
  if (ExitStatus status = checkDefs(program))
    return status;
  for (const Def &def : program.defs)
    if (isWanted(def))
      if (ExitStatus status = prepare(def))
        return status;
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  std::vector<TunedOp> ops;
  if (ExitStatus status = collect(program, ops))
    return status;
  if (ops.empty() && options.output != "-" && !done.empty())
    say() << "all ops have an entry in `" << options.output << "`\n";
  while (!ops.empty()) {
    std::chrono::duration<double> passed = Clock::now() - start;
    double left = double(options.tuningSeconds) - passed.count();
    share = std::clamp(passed.count() / options.tuningSeconds, 0.0, 1.0);
    // However little time there is: who starts it again and again ends some
    // day.
    if (left <= 0 && numTuned != 0) {
      say() << ops.size() << (ops.size() == 1 ? " op was" : " ops were")
            << " not measured; the same command goes on from here\n";
      return kDone;
    }
    unsigned numBefore = numFaster;
    if (ExitStatus status =
            tune(ops.front(), std::max(left, 0.0) / double(ops.size())))
      return status;
    ops.erase(ops.begin());
    // What is done another way may be made of other ops.
    if (numFaster != numBefore) {
      ops.clear();
      if (ExitStatus status = collect(program, ops))
        return status;
    }
  }
  if (numTuned != 0)
    say() << numTuned << (numTuned == 1 ? " op" : " ops") << " measured, "
          << numFaster << " of which " << (numFaster == 1 ? "is" : "are")
          << " faster otherwise\n";
  else if (done.empty())
    say() << "there is no op that could run another way\n";
  return done.empty() ? write() : kDone;
}

ExitStatus runTune(const Options &options) {
  std::optional<Sources> file = readSource(options);
  if (!file)
    return kWrongInput;
  return Tuner(options, *file).run();
}

} // namespace ein
