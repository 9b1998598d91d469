//===- Measure.cpp - How long a def, and each statement, takes ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements are fused, so that there is no time of one within a def. What is
// measured of a statement is a def with that statement alone, whose inputs are
// the tensors that it reads: printed as a program and compiled like any other.
//
//===----------------------------------------------------------------------===//

#include "driver/html/Measure.h"
#include "backend/Peak.h"
#include "driver/CheckedRun.h"
#include "driver/Commands.h"
#include "driver/Path.h"
#include "frontend/print/Printer.h"
#include "ir/Signature.h"
#include "target/Roofline.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {
namespace {

/// More than about ten seconds, or than memory has, is not tried.
constexpr double kMostOperations = 1e11, kMostBytes = double(1ull << 31);

/// Compiled code in this process.
class Meter {
public:
  explicit Meter(const Options &options) : options(options) {}

  /// Returns why it could not be compiled.
  Error load(Sources &sources, const CompileOptions &given);
  /// `sizes` may have more than the entry does.
  Expected<double> measure(StringRef name, const runtime::Bindings &sizes);

private:
  const Options &options;
  Compilation compilation;
  std::optional<LoadedCode> code;
};

} // namespace

static Error fail(const Twine &text) { return createStringError(text); }

Error Meter::load(Sources &sources, const CompileOptions &given) {
  CompileOptions compileOptions = given;
  compileOptions.packed = compileOptions.keepsPrivate = true;
  compileOptions.reports.clear();
  compileOptions.dumpDir.clear();
  compileOptions.printAfter.clear();
  compileOptions.timePasses = false;
  DiagnosticEngine diags(given.check.warnings);
  compilation = compile(sources, EmissionKind::Obj, compileOptions, diags);
  if (compilation.status != kDone) {
    for (const Diagnostic &diagnostic : diags.getDiagnostics())
      if (diagnostic.severity == Severity::Error)
        return fail(diagnostic.message);
    return fail("it does not compile");
  }
  auto loaded = LoadedCode::load(compilation.output, compilation.usesThreads,
                                 getLibraries(options));
  if (!loaded)
    return loaded.takeError();
  code.emplace(std::move(*loaded));
  return Error::success();
}

Expected<double> Meter::measure(StringRef name,
                                const runtime::Bindings &sizes) {
  const CompiledEntry *entry = compilation.find(name);
  if (!entry)
    return fail("there is no such entry");
  Expected<void *> address =
      code->lookup((kPackedPrefix + entry->signature.name).str());
  if (!address)
    return address.takeError();
  runtime::Bindings own = sizes;
  erase_if(own, [&](const auto &binding) {
    return !is_contained(entry->signature.symbols, binding.first);
  });
  runtime::Invocation invocation(entry->signature);
  std::string error;
  if (!invocation.bind(own, error) ||
      !fillInputs(compilation.program.find(name), invocation, options.seed,
                  error))
    return fail(error);
  constexpr double kSeconds = 0.2;
  runtime::Timing timing;
  if (!invocation.measure(reinterpret_cast<runtime::PackedFunction>(*address),
                          kSeconds, timing, error))
    return fail(error);
  return timing.median;
}

/// The tensors that an expression, and what is below it, reads.
static void collectReads(const Def &def, ExprId root, SmallBitVector &reads) {
  SmallVector<ExprId> work = {root};
  while (!work.empty()) {
    const Expr &expr = def[work.pop_back_val()];
    if (expr.tensor.isValid())
      reads.set(expr.tensor.value);
    append_range(work, expr.getOperands());
  }
}

/// A program of the statement alone; empty if it cannot be by itself.
static std::string printAlone(const Def &def, const Statement &statement) {
  if (statement.namedOp && statement.namedOp->numStatements > 1)
    return "";
  SmallBitVector reads(def.tensors.size());
  collectReads(def, statement.value, reads);
  if (statement.condition.isValid())
    collectReads(def, statement.condition, reads);
  if (statement.isInOrder())
    collectReads(def, statement.written, reads);
  for (const ExistsClause &exists : statement.exists)
    reads.set(exists.tensor.value);
  for (const Symbol &symbol : def.symbols)
    if (symbol.scalar.isValid())
      reads.set(symbol.scalar.value);
  bool keepsOld =
      reads.test(statement.target.value) ||
      (statement.update != UpdateKind::Assign && !statement.fromIdentity) ||
      !statement.slice.empty() || statement.isInOrder();
  reads.reset(statement.target.value);

  Def alone = def;
  alone.statements = {statement};
  alone.isPublic = true;
  alone.params.clear();
  for (unsigned id : reads.set_bits()) {
    alone.tensors[id].role = TensorRole::Input;
    alone.tensors[id].isInferred = false;
    TensorId param;
    param.value = id;
    alone.params.push_back(param);
  }
  Tensor &target = alone.tensors[statement.target.value];
  target.role = keepsOld ? TensorRole::InOut : TensorRole::Output;
  target.isInferred = false;
  alone.results = {statement.target};
  Program program;
  program.defs.push_back(std::move(alone));
  std::string text;
  raw_string_ostream os(text);
  printSource(os, program);
  return text;
}

std::optional<unsigned> getFloatBits(const Def &def) {
  std::optional<unsigned> bits;
  for (const Statement &statement : def.statements) {
    if (statement.computeType != ElementType::F32 &&
        statement.computeType != ElementType::F64)
      return std::nullopt;
    bits = std::max(bits.value_or(0), getBitWidth(statement.computeType));
  }
  return bits;
}

/// Why it is not tried; empty if it is.
static std::string findObstacle(double operations, double bytes) {
  return operations <= kMostOperations && bytes <= kMostBytes
             ? ""
             : "it takes more than 1e11 operations or 2 GiB; `--bind` gives "
               "smaller sizes";
}

static DefMeasurement measure(const Options &options, Meter &meter,
                              const DefExplanation &explained) {
  DefMeasurement result;
  result.statements.resize(explained.statements.size());
  const Def &def = *explained.def;
  std::optional<PeakKernel> peak;
  if (std::optional<unsigned> bits = getFloatBits(def)) {
    if (auto kernel = PeakKernel::create(options.compile.target, *bits))
      peak.emplace(std::move(*kernel));
    else
      result.notes.push_back("no peak: " + toString(kernel.takeError()));
  }
  constexpr double kPeakSeconds = 0.05;
  if (peak)
    result.peak = peak->measure(kPeakSeconds);

  runtime::Bindings sizes = explained.sizes;
  auto note = [&](const Twine &what, const Twine &why) {
    result.notes.push_back((what + " was not measured: " + why).str());
  };
  std::string obstacle = findObstacle(explained.operations,
                                      double(sizeof(float)) *
                                          countElements(def, assumeSizes(def)));
  if (!obstacle.empty())
    note("`" + explained.name + "`", obstacle);
  else if (auto seconds = meter.measure(explained.name, sizes))
    result.whole = {*seconds, explained.operations, explained.bytes};
  else
    note("`" + explained.name + "`", toString(seconds.takeError()));

  for (auto [statement, measured] :
       zip_equal(explained.statements, result.statements)) {
    std::string what = "line " + std::to_string(statement.line) + " alone";
    obstacle = findObstacle(statement.operations, statement.bytes);
    std::string text = printAlone(def, *statement.statement);
    if (text.empty())
      obstacle = "it is a part of a named op";
    if (!obstacle.empty()) {
      note(what, obstacle);
      continue;
    }
    CompileOptions compileOptions = options.compile;
    compileOptions.form = SourceForm::File;
    // They are in the text.
    compileOptions.check.bindings.clear();
    compileOptions.check.constants.clear();
    compileOptions.pathFile.clear();
    Sources alone("<statement>", text);
    Meter own(options);
    if (Error error = own.load(alone, compileOptions))
      note(what, toString(std::move(error)));
    else if (auto seconds = own.measure("", sizes))
      measured = {*seconds, statement.operations, statement.bytes};
    else
      note(what, toString(seconds.takeError()));
  }
  if (peak) {
    result.peak = std::max(result.peak, peak->measure(kPeakSeconds));
    result.hertz = result.peak / getOperationsPerCycle(options.compile.target,
                                                       *getFloatBits(def));
  }
  return result;
}

std::vector<DefMeasurement> measure(const Options &options,
                                    const Sources &sources,
                                    ArrayRef<DefExplanation> defs) {
  // Compilation adds what is imported to its sources.
  Sources own(sources.getName().str(), sources.getText().str());
  Meter meter(options);
  std::vector<DefMeasurement> results;
  if (Error error = meter.load(own, options.compile)) {
    std::string text = toString(std::move(error));
    for (const DefExplanation &def : defs) {
      results.emplace_back();
      results.back().statements.resize(def.statements.size());
      results.back().notes.push_back("nothing was measured: " + text);
    }
    return results;
  }
  for (const DefExplanation &def : defs)
    results.push_back(measure(options, meter, def));
  return results;
}

} // namespace ein
