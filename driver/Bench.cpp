//===- Bench.cpp - How fast a program runs --------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times are worth something only beside what the machine can do in the same
// minute: the peak is measured before and after, by code that goes the same way
// as the program's. Sizes that nobody gave are 1024, or the largest smaller
// power of two with which a call stays below a few billion operations.
//
// Operations are those of the chosen order of contraction (countFlops), bytes
// the least that has to move: every input once, every output once. Nobody
// counts the operations of a function that a user wrote in MLIR; its sizes are
// such that its arrays are not large.
//
//===----------------------------------------------------------------------===//

#include "backend/OutputFile.h"
#include "backend/Peak.h"
#include "driver/CheckedRun.h"
#include "driver/Commands.h"
#include "driver/Explanation.h"
#include "driver/Metadata.h"
#include "driver/Progress.h"
#include "driver/html/Page.h"
#include "runtime/Print.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {
namespace {

/// What one def was measured to do.
struct Measurement {
  runtime::Timing timing;
  /// None where nobody knows.
  std::optional<double> flops;
  double bytes = 0;
  /// None where the program does not compute in f32 or f64.
  std::optional<double> peakFlops;

  double getFlopRate() const { return *flops / timing.median; }
  double getByteRate() const { return bytes / timing.median; }
};

class Bencher {
public:
  /// `def` is null for what is MLIR.
  Bencher(const Options &options, const Def *def, runtime::Bindings sizes,
          CallableEntry entry)
      : options(options), def(def), sizes(std::move(sizes)), entry(entry),
        invocation(entry.signature) {}

  /// Measures for about as long. Nothing of `progress` is left when it ends.
  ExitStatus run(double seconds, Progress &progress);
  void printText(raw_ostream &os) const;
  void printJson(json::OStream &json) const;
  bool bindSizes(std::string &error);
  bool isQuick() const;

private:
  double countBytes() const;
  std::vector<int64_t> getSymbolValues() const {
    return ein::getSymbolValues(*def, invocation.getSizes());
  }

  const Options &options;
  const Def *def;
  runtime::Bindings sizes; // from the command line
  CallableEntry entry;
  runtime::Invocation invocation;
  Measurement measurement;
};

} // namespace

double Bencher::countBytes() const {
  double bytes = 0;
  for (const runtime::Argument &argument : entry.signature.arguments) {
    const runtime::Array &array =
        invocation.getArray(&argument - entry.signature.arguments.data());
    bytes += static_cast<double>(array.getNumBytes()) *
             (argument.role == runtime::Role::InOut ? 2 : 1);
  }
  return bytes;
}

/// Whether a call is done in about a second, as far as that is known.
bool Bencher::isQuick() const {
  constexpr double maxFlops = 4e9, maxElements = 1e8, maxUnknown = 1e7;
  if (def)
    return countFlops(*def, getSymbolValues(), options.compile.order) <=
               maxFlops &&
           countElements(*def, getSymbolValues()) <= maxElements;
  double elements = 0;
  for (const runtime::Argument &argument : entry.signature.arguments) {
    double count = 1;
    for (const runtime::Dim &dim : argument.dims)
      count *= static_cast<double>(dim.evaluate(invocation.getSizes()));
    elements += count;
  }
  return elements <= maxUnknown;
}

bool Bencher::bindSizes(std::string &error) {
  if (!options.inputFiles.empty())
    return invocation.bind(sizes, error);
  return bindLargest(invocation, sizes, [&] { return isQuick(); }, error);
}

ExitStatus Bencher::run(double seconds, Progress &progress) {
  scope_exit clear([&] { progress.clear(); });
  auto reportError = [&](DiagId id, const std::string &error,
                         ExitStatus status = kWrongInput) {
    progress.clear();
    return ein::reportError(options, id, {error}, status);
  };
  std::string error;
  int status = kWrongInput;
  if (!runtime::loadOperands(options.inputFiles, invocation, error, status))
    return reportError(DiagId::RunFailed, error,
                       static_cast<ExitStatus>(status));
  if (!bindSizes(error) || !fillInputs(def, invocation, options.seed, error))
    return reportError(DiagId::RunFailed, error);

  std::optional<PeakKernel> peak;
  if (std::optional<unsigned> bits = def ? getFloatBits(*def) : std::nullopt) {
    auto kernel = PeakKernel::create(options.compile.target, *bits);
    if (!kernel)
      return reportError(DiagId::CodeGenerationFailed,
                         toString(kernel.takeError()), kInternalError);
    peak.emplace(std::move(*kernel));
  }
  constexpr double peakSeconds = 0.05;
  double before = peak ? peak->measure(peakSeconds) : 0;
  if (!invocation.measure(entry.function, seconds, measurement.timing, error))
    return reportError(
        DiagId::RunFailed,
        error + describeSizes(entry.signature, invocation.getSizes()) +
            adviseSizes(entry.signature));
  if (peak)
    measurement.peakFlops = std::max(before, peak->measure(peakSeconds));
  if (def)
    measurement.flops =
        countFlops(*def, getSymbolValues(), options.compile.order);
  measurement.bytes = countBytes();
  return kDone;
}

void Bencher::printText(raw_ostream &os) const {
  const runtime::Timing &timing = measurement.timing;
  os << entry.signature.name << ":";
  for (auto [symbol, size] :
       zip_equal(entry.signature.symbols, invocation.getSizes()))
    os << " " << symbol << "=" << size;
  os << "\n  " << runtime::printSeconds(timing.median) << ", median of "
     << timing.calls << " calls; fastest "
     << runtime::printSeconds(timing.minimum);
  if (measurement.flops)
    os << "\n  " << format("%.4g", measurement.getFlopRate() * 1e-9)
       << " GFLOP/s";
  if (measurement.peakFlops)
    os << ", "
       << format("%.1f",
                 100 * measurement.getFlopRate() / *measurement.peakFlops)
       << " % of the measured peak of "
       << format("%.4g", *measurement.peakFlops * 1e-9);
  os << "\n  " << format("%.4g", measurement.getByteRate() * 1e-9)
     << " GB/s, each operand counted once\n";
}

void Bencher::printJson(json::OStream &json) const {
  json.object([&] {
    json.attribute("def", entry.signature.name);
    json.attributeObject("sizes", [&] {
      for (auto [symbol, size] :
           zip_equal(entry.signature.symbols, invocation.getSizes()))
        json.attribute(symbol, size);
    });
    json.attribute("cpu", options.compile.target.cpu);
    json.attribute("calls", measurement.timing.calls);
    json.attribute("median_seconds", measurement.timing.median);
    json.attribute("fastest_seconds", measurement.timing.minimum);
    if (measurement.flops)
      json.attribute("flops", *measurement.flops);
    json.attribute("bytes", measurement.bytes);
    if (measurement.flops)
      json.attribute("gflops", measurement.getFlopRate() * 1e-9);
    json.attribute("gbytes_per_second", measurement.getByteRate() * 1e-9);
    if (measurement.peakFlops) {
      json.attribute("peak_gflops", *measurement.peakFlops * 1e-9);
      json.attribute("percent_of_peak",
                     100 * measurement.getFlopRate() / *measurement.peakFlops);
    }
  });
}

/// One object of a page: the entry at sizes that double, where nobody gave
/// them, as long as a call is quick.
static ExitStatus sweep(const Options &options, const Def *def,
                        const runtime::Bindings &sizes,
                        const CallableEntry &entry, json::OStream &json) {
  constexpr double kSeconds = 0.2;
  constexpr int64_t kLeast = 8, kMost = 1024;
  size_t numFree =
      completeBindings(entry.signature, sizes, kLeast).size() - sizes.size();
  bool isFixed = numFree == 0 || !options.inputFiles.empty();
  ExitStatus status = kDone;
  unsigned numPoints = 0;
  Progress progress;
  json.object([&] {
    json.attribute("def", json::fixUTF8(entry.signature.name));
    if (std::optional<unsigned> bits = def ? getFloatBits(*def) : std::nullopt)
      json.attribute("element_bits", *bits);
    json.attributeArray("points", [&] {
      for (int64_t size = kLeast; size <= kMost && status == kDone; size *= 2) {
        Bencher bencher(
            options, def,
            isFixed ? sizes : completeBindings(entry.signature, sizes, size),
            entry);
        std::string error;
        if (!isFixed && numPoints > 0 && bencher.bindSizes(error) &&
            !bencher.isQuick())
          break;
        progress.enter("measuring `" + entry.signature.name + "` of size " +
                       std::to_string(size));
        status = bencher.run(kSeconds, progress);
        if (status == kDone)
          bencher.printJson(json);
        ++numPoints;
        if (isFixed)
          break;
      }
    });
  });
  return status;
}

/// Writes the page of `--html`, or nothing.
static ExitStatus writePage(const Options &options, const Sources &file,
                            const Program &program,
                            ArrayRef<CallableEntry> entries) {
  std::string data;
  raw_string_ostream os(data);
  json::OStream json(os);
  ExitStatus worst = kDone;
  json.object([&] {
    json.attributeArray("points", [&] {
      for (const CallableEntry &entry : entries)
        worst = std::max(
            worst, sweep(options, program.find(entry.signature.name),
                         selectSizes(options.sizes, entry.signature, entries),
                         entry, json));
    });
    json.attribute("einc", getVersion());
    json.attribute("flags", json::fixUTF8(printFlags(options.compile)));
    json.attributeBegin("machine");
    printMachine(json, options.compile.target);
    json.attributeEnd();
  });
  if (worst != kDone)
    return worst;
  std::string page = makePage(file.getName(), data);
  if (Error error = writeFile(options.html, {page.data(), page.size()}))
    return reportError(options, DiagId::CannotWrite,
                       {toString(std::move(error))});
  return kDone;
}

ExitStatus runBench(const Options &options) {
  std::optional<Sources> file = readSource(options);
  if (!file)
    return kWrongInput;
  LoadedProgram program;
  if (ExitStatus status = program.load(options, *file))
    return status;
  std::vector<CallableEntry> entries;
  if (ExitStatus status = program.selectEntries(options, entries))
    return status;

  if (!options.html.empty())
    return writePage(options, *file, program.getProgram(), entries);

  std::optional<json::OStream> json;
  if (options.json) {
    json.emplace(outs(), /*IndentSize=*/2);
    json->arrayBegin();
  }
  ExitStatus worst = kDone;
  Progress progress;
  double numDone = 0;
  for (const CallableEntry &entry : entries) {
    progress.enter("measuring `" + entry.signature.name + "`",
                   numDone++ / static_cast<double>(entries.size()));
    Bencher bencher(options, program.getProgram().find(entry.signature.name),
                    selectSizes(options.sizes, entry.signature, entries),
                    entry);
    constexpr double kSeconds = 0.5;
    ExitStatus status = bencher.run(kSeconds, progress);
    worst = std::max(worst, status);
    if (status != kDone)
      continue;
    if (json)
      bencher.printJson(*json);
    else
      bencher.printText(outs());
  }
  if (json) {
    json->arrayEnd();
    outs() << "\n";
  }
  return worst;
}

} // namespace ein
