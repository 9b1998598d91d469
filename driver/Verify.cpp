//===- Verify.cpp - Compiled code against the reference -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same inputs go to the compiled code and to the reference; every element
// of every result must lie within the bound that the reference computes for it.
// Sizes that nobody gave are small primes, all different, so that a mixed-up
// dim or an incomplete tile shows; a program whose checks refuse them is tried
// with equal sizes.
//
//===----------------------------------------------------------------------===//

#include "backend/Backend.h"
#include "driver/CheckedRun.h"
#include "driver/Commands.h"
#include "driver/PlainCode.h"
#include "driver/Progress.h"
#include "driver/SharedPaths.h"
#include "runtime/Npy.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace ein {

/// Operations on real numbers in one on `type`: of complex ones a product is
/// six and anything else is taken for two.
static double countRealOperations(ElementType type, bool isProduct) {
  if (!isComplex(type))
    return 1;
  return isProduct ? 6 : 2;
}

/// Operations in one evaluation of an expression.
static double countOperations(const Def &def, ExprId id) {
  const Expr &expr = def[id];
  double count = 0;
  if (expr.kind == ExprKind::Unary || expr.kind == ExprKind::Binary ||
      expr.kind == ExprKind::Select)
    count += countRealOperations(expr.type, expr.kind == ExprKind::Binary &&
                                                expr.binary == BinaryFn::Mul);
  for (ExprId operand : expr.getOperands())
    count += countOperations(def, operand);
  return count;
}

static double countFlops(const Def &def, const Statement &statement,
                         ArrayRef<int64_t> symbolValues,
                         const std::optional<ContractionPath> &path) {
  if (path) {
    ElementType type = statement.computeType;
    return countRealOperations(type, /*isProduct=*/true) *
               (path->flops - path->additions) +
           countRealOperations(type, /*isProduct=*/false) * path->additions;
  }
  double points = 1;
  for (const Index &index : statement.indices)
    points *= index.extent.evaluate(symbolValues);
  double operations = countOperations(def, statement.value);
  if (statement.condition.isValid())
    operations += countOperations(def, statement.condition);
  if (statement.update != UpdateKind::Assign)
    operations += countRealOperations(statement.computeType,
                                      statement.update == UpdateKind::Mul);
  return points * operations;
}

double countFlops(const Def &def, const Statement &statement,
                  ArrayRef<int64_t> symbolValues,
                  const ContractionOrderOptions &options) {
  return countFlops(def, statement, symbolValues,
                    findPath(def, statement, symbolValues, options));
}

std::vector<double>
countFlopsByStatement(const Def &def, ArrayRef<int64_t> symbolValues,
                      const ContractionOrderOptions &options) {
  std::vector<double> counts;
  for (auto [statement, path] :
       zip_equal(def.statements, findPaths(def, symbolValues, options)))
    counts.push_back(countFlops(def, statement, symbolValues, path));
  return counts;
}

double countFlops(const Def &def, ArrayRef<int64_t> symbolValues,
                  const ContractionOrderOptions &options) {
  std::vector<double> counts =
      countFlopsByStatement(def, symbolValues, options);
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

bool isQuickToEvaluate(const Def &def, ArrayRef<int64_t> symbolValues,
                       const ContractionOrderOptions &options) {
  constexpr double maxElements = 1e7, maxPoints = 1e8;
  return countElements(def, symbolValues) <= maxElements &&
         countFlops(def, symbolValues, options) <= maxPoints;
}

namespace {
/// One def, its inputs and its results.
class Verifier {
public:
  /// `states` are loaded modules of `kept`. `done` is how much of all that is
  /// to be verified was before.
  Verifier(const Options &options, const Def &def, runtime::Bindings sizes,
           CallableEntry entry, ArrayRef<ModuleState> kept,
           MutableArrayRef<LoadedCode> states, Progress &progress, double done)
      : options(options), def(def), sizes(std::move(sizes)), entry(entry),
        kept(kept), states(states), progress(progress), done(done),
        checked(def, entry.signature), invocation(checked.getInvocation()) {}

  ExitStatus run();

private:
  bool bindSizes(std::string &error);
  bool bindWith(ArrayRef<int64_t> choices, std::string &error);
  bool isQuick() const;
  bool evaluate(std::string &error);
  bool readOutputs(std::string &error);
  bool runStates();
  ExitStatus report();

  const Options &options;
  const Def &def;
  runtime::Bindings sizes; // from the command line
  CallableEntry entry;
  ArrayRef<ModuleState> kept;
  MutableArrayRef<LoadedCode> states;
  Progress &progress;
  double done;
  CheckedRun checked;
  runtime::Invocation &invocation; // of `checked`
  /// Per argument, what `--outputs` gave.
  std::vector<std::optional<runtime::Array>> given;
};
} // namespace

/// Binds the sizes that `--sizes` does not say from `choices`, in order.
bool Verifier::bindWith(ArrayRef<int64_t> choices, std::string &error) {
  return invocation.bind(completeBindings(entry.signature, sizes, choices),
                         error);
}

bool Verifier::isQuick() const {
  return isQuickToEvaluate(def,
                           ein::getSymbolValues(def, invocation.getSizes()),
                           options.compile.order);
}

/// Fills the inputs and asks the reference.
bool Verifier::evaluate(std::string &error) {
  progress.enter("evaluating the reference of `" + def.name + "`", done);
  reference::Failure failure;
  if (!fillInputs(&def, invocation, options.seed, error))
    return false;
  reference::EvaluateOptions evaluation;
  evaluation.splitsProducts = options.compile.splitsProducts;
  if (succeeded(checked.evaluate(failure, evaluation)))
    return true;
  error = "`" + def.name + "` fails" +
          describeSizes(entry.signature, invocation.getSizes()) + ": " +
          failure.message;
  return false;
}

bool Verifier::bindSizes(std::string &error) {
  if (!options.inputFiles.empty())
    return invocation.bind(sizes, error) && evaluate(error);

  for (ArrayRef<int64_t> choices : getSizeChoices()) {
    bool isBound = bindWith(choices, error);
    if (!isBound && !sizes.empty())
      return false;
    bool isLast = choices.data() == getSizeChoices().back().data();
    bool isGiven = sizes.size() == entry.signature.symbols.size();
    if (isBound && !isQuick() && !isLast && !isGiven)
      continue;
    if (isBound && evaluate(error))
      return true;
    if (isGiven)
      return false;
    // Start again with nothing given.
    invocation = runtime::Invocation(entry.signature);
  }
  error += adviseSizes(entry.signature);
  return false;
}

bool Verifier::readOutputs(std::string &error) {
  std::vector<std::optional<std::string>> files;
  if (!runtime::assignItems(entry.signature, /*results=*/true,
                            options.outputFiles, files, error))
    return false;
  given.resize(entry.signature.arguments.size());
  for (size_t i = 0; i < files.size(); ++i) {
    if (!files[i])
      continue;
    const runtime::Argument &argument = entry.signature.arguments[i];
    runtime::Array array;
    runtime::Shape shape;
    if (!runtime::readNpy(*files[i], array, error) ||
        !runtime::evaluateShape(entry.signature, argument,
                                invocation.getSizes(), shape, error))
      return false;
    if (!runtime::isReadAs(array.type, argument.type) || array.shape != shape) {
      error = "`" + *files[i] + "` is " + runtime::getSpelling(array.type) +
              " of shape " + runtime::print(array.shape) + ", and `" +
              argument.name + "` is " + runtime::getSpelling(argument.type) +
              " of shape " + runtime::print(shape);
      return false;
    }
    given[i] = std::move(array);
  }
  return true;
}

ExitStatus Verifier::report() {
  progress.clear();
  bool ok = true;
  for (size_t r = 0; r < def.results.size(); ++r) {
    const Tensor &tensor = def[def.results[r]];
    size_t position = checked.getPosition(r);
    if (!options.outputFiles.empty() && !given[position])
      continue;
    const reference::Value &value = checked.getExpected(r);
    reference::Comparison comparison =
        checked.compare(r, given[position] ? given[position]->data() : nullptr);
    ok &= comparison.ok;
    if (!comparison.ok) {
      outs() << def.name << ": FAILED, "
             << reference::describe(tensor.name, value.shape, comparison)
             << "; " << comparison.numFailures << " of " << value.size()
             << " elements are outside their bounds\n";
      continue;
    }
    outs() << def.name << ": ok, `" << tensor.name << "` of shape "
           << runtime::print(value.shape) << ", worst error "
           << format("%.3g", comparison.worstError) << " ("
           << format("%.2g", comparison.worstRatio) << " of its bound)";
    // Those say nothing of the compiled code.
    if (comparison.numUnknown > 0)
      outs() << "; " << comparison.numUnknown << " of " << value.size()
             << " elements have no bound";
    outs() << "\n";
  }
  outs() << "flops: "
         << format("%.0f", countFlops(def, checked.getSymbolValues(),
                                      options.compile.order))
         << "\n";
  return ok ? kDone : kVerificationFailed;
}

/// Runs each state of the module on its way. Says which is the first whose
/// results are outside their bounds, or that all are inside.
bool Verifier::runStates() {
  for (size_t i = 0; i < kept.size(); ++i) {
    const ModuleState &state = kept[i];
    auto fail = [&](const std::string &what) {
      progress.clear();
      outs() << def.name << ": FAILED first after " << state.describe() << ": "
             << what << "\n";
      return false;
    };
    runtime::Invocation call(entry.signature);
    std::string error;
    if (!copyCall(invocation, call, error) ||
        !runEntry(states[i], entry.signature.name, call, error))
      return fail(error);
    for (size_t r = 0; r < def.results.size(); ++r) {
      size_t position = checked.getPosition(r);
      reference::Comparison comparison =
          checked.compare(r, call.getArray(position).data());
      if (!comparison.ok)
        return fail(reference::describe(def[def.results[r]].name,
                                        checked.getExpected(r).shape,
                                        comparison));
    }
  }
  progress.clear();
  outs() << def.name << ": ok, ";
  if (options.compile.keptStates == KeptStates::Passes)
    outs() << "what " << kept.size() - 1 << " passes leave\n";
  else
    outs() << "levels "
           << join(map_range(kept,
                             [](const ModuleState &state) {
                               return StringRef(state.level);
                             }),
                   ", ")
           << "\n";
  return true;
}

ExitStatus Verifier::run() {
  std::string error;
  int status = kWrongInput;
  if (!runtime::loadOperands(options.inputFiles, invocation, error, status))
    return reportError(options, DiagId::RunFailed, {error},
                       static_cast<ExitStatus>(status));
  if (!bindSizes(error) || !readOutputs(error)) {
    progress.clear();
    return reportError(options, DiagId::RunFailed, {error});
  }
  progress.enter("running `" + def.name + "`", done);
  // Before the results overwrite what is read and written.
  if (!kept.empty() && !runStates())
    return kVerificationFailed;
  if (options.outputFiles.empty() && !invocation.run(entry.function, error)) {
    progress.clear();
    outs() << def.name << ": FAILED, the compiled code says: " << error << "\n";
    return kVerificationFailed;
  }
  return report();
}

/// Every state has to be executable: what is not is not validated.
static ExitStatus loadStates(const Options &options, ArrayRef<ModuleState> kept,
                             std::vector<LoadedCode> &states) {
  for (const ModuleState &state : kept) {
    std::string error = state.error;
    if (error.empty()) {
      auto code = LoadedCode::load(state.object, /*usesThreads=*/false,
                                   getLibraries(options));
      if (code) {
        states.push_back(std::move(*code));
        continue;
      }
      error = toString(code.takeError());
    }
    return reportError(options, DiagId::InternalError,
                       {"after " + state.describe() +
                        ", the module cannot be executed: " + error},
                       kInternalError);
  }
  return kDone;
}

ExitStatus runVerify(const Options &options) {
  std::optional<Sources> file = readSource(options);
  if (!file)
    return kWrongInput;
  LoadedProgram program;
  if (ExitStatus status = program.load(options, *file))
    return status;

  std::vector<CallableEntry> entries;
  if (ExitStatus status = program.selectEntries(options, entries))
    return status;
  std::vector<LoadedCode> states;
  if (ExitStatus status = loadStates(options, program.getStates(), states))
    return status;
  ExitStatus worst = kDone;
  Progress progress;
  double numDone = 0;
  for (const CallableEntry &entry : entries) {
    const Def &def = *program.getProgram().find(entry.signature.name);
    Verifier verifier(options, def,
                      selectSizes(options.sizes, entry.signature, entries),
                      entry, program.getStates(), states, progress,
                      numDone++ / static_cast<double>(entries.size()));
    worst = std::max(worst, verifier.run());
  }
  return worst;
}

} // namespace ein
