//===- ModuleStages.cpp - From a program or a user's MLIR to the llvm dialect
//===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Nesting.h"
#include "driver/OldForms.h"
#include "driver/PlainCode.h"
#include "driver/Registration.h"
#include "driver/Reports.h"
#include "driver/Stages.h"
#include "frontend/source/ReadFile.h"
#include "ir/EinDialect.h"
#include "ir/EmitMLIR.h"
#include "ir/Signature.h"
#include "ir/WrittenForm.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "target/DotProducts.h"
#include "target/VectorInstructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;

namespace ein {

//===----------------------------------------------------------------------===//
// Where modules come from
//===----------------------------------------------------------------------===//

/// Whether all that a note says is the op that its diagnostic is about.
static bool isDump(mlir::Diagnostic &note) {
  return StringRef(note.str()).starts_with("see current operation");
}

/// MLIR's errors become ours, each with the notes that say where else to look.
/// Warnings are about a user's script, as what MLIR warns of otherwise is not
/// theirs to change.
void CompileState::createContext(DiagId id) {
  DialectRegistry registry;
  registerDialects(registry);
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  errorHandler = std::make_unique<ScopedDiagnosticHandler>(
      context.get(), [this, id](mlir::Diagnostic &diagnostic) {
        auto getPlace = [&](Location loc) {
          return getRange(file, loc, rewritten ? &*rewritten : nullptr);
        };
        auto getFile = [&](Location loc) -> const SourceFile * {
          auto position = loc->findInstanceOf<FileLineColLoc>();
          return position ? file.find(position.getFilename().getValue())
                          : nullptr;
        };
        Location loc = diagnostic.getLocation();
        const SourceFile *of = getFile(loc);
        bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
        bool isWarning =
            diagnostic.getSeverity() == DiagnosticSeverity::Warning && of &&
            of->getName() == options.transformFile;
        if (!isError && !isWarning)
          return success();
        std::string text = diagnostic.str();
        auto position = loc->findInstanceOf<FileLineColLoc>();
        if (position && !of)
          text = llvm::formatv("{0}:{1}:{2}: {3}",
                               position.getFilename().getValue(),
                               position.getLine(), position.getColumn(), text);
        SourceRange range = getPlace(loc);
        DiagnosticBuilder report =
            diags.report(isError ? refusal.value_or(id) : DiagId::ScriptWarning,
                         range, {text});
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          if (getFile(note.getLocation()) && !isDump(note))
            report.note(DiagId::MLIRNote, getPlace(note.getLocation()),
                        {note.str()});
        if (!isModule() || of != &file.getMain())
          return success();
        StringRef newForm = getNewForm(file.getText(), range.begin, text);
        if (!newForm.empty())
          report.note(DiagId::NewForm, range, {newForm.str()});
        return success();
      });
}

/// By the time that a program of ours has become MLIR, each error is a bug of
/// ours; but a script of the user's may make anything of it.
LogicalResult stages::emitModule(CompileState &state, TimingScope &) {
  const CompileOptions &options = state.options;
  bool isOurs = options.transformFile.empty();
  if (isOurs)
    state.statusOfFailure = kInternalError;
  state.createContext(isOurs ? DiagId::InternalError : DiagId::MLIRError);
  const Program &program = state.result.program;
  for (const Def &def : program.defs) {
    Signature signature = makeSignature(def, state.context.get());
    state.result.entries.push_back({signature.toRuntime(def.name),
                                    signature.describeChecks(), def.isPublic});
  }
  reportRemarks(*state.context, state.file, options, state.diags,
                state.result.findings, &state.variant);
  state.module = emitMLIR(program, state.context.get(), state.file,
                          options.checks, options.strictFP);
  return success();
}

/// Whether einc wrote the module, at whatever level: its functions, or what has
/// become of them, are marked.
static bool isOwnModule(ModuleOp module) {
  return module->hasAttr(EinDialect::kLevelAttr) ||
         llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
           return function->hasAttr(EinDialect::kSignatureAttr);
         });
}

/// The level of a module that einc wrote and somebody may have changed.
static FailureOr<Level> checkOwnModule(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>(EinDialect::kLevelAttr);
  if (name && !parseLevel(name))
    return module.emitError("`")
           << EinDialect::kLevelAttr << "` is no level of einc";
  Level level = getLevel(module);
  if (level == Level::LLVMDialect)
    return level;
  bool hasEntry = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(EinDialect::kSignatureAttr))
      continue;
    if (function.isExternal())
      return function.emitError("has a `")
             << EinDialect::kSignatureAttr << "` and is not defined";
    if (failed(checkSignature(function)))
      return failure();
    hasEntry = true;
  }
  if (!hasEntry)
    return module.emitError("the module is at level `")
           << getName(level) << "` and no function has `"
           << EinDialect::kSignatureAttr << "`";
  return level;
}

/// Prints and times what the command line asks for.
static void watch(PassManager &passes, const CompileOptions &options,
                  TimingScope &timing) {
  if (!options.printAfter.empty())
    passes.enableIRPrinting([](Pass *, Operation *) { return false; },
                            [&](Pass *pass, Operation *) {
                              return pass->getArgument() == options.printAfter;
                            },
                            /*printModuleScope=*/false,
                            /*printAfterOnlyOnChange=*/false,
                            /*printAfterOnlyOnFailure=*/false, llvm::errs(),
                            OpPrintingFlags().enableDebugInfo(options.debug));
  passes.enableTiming(timing); // last, so that printing is not timed
}

/// The form of loops that the program takes on its way: which level follows
/// `contract`.
static Level getForm(const CompileState &state) {
  const CompileOptions &options = state.options;
  switch (state.wanted) {
  case EmissionKind::Loops:
    return Level::Loops;
  case EmissionKind::Affine:
    return Level::Affine;
  case EmissionKind::Parallel:
    return Level::Parallel;
  case EmissionKind::Fused:
  case EmissionKind::Scheduled:
  case EmissionKind::Tiled:
  case EmissionKind::Vector:
  case EmissionKind::Memref:
    return Level::Fused;
  default:
    if (options.optLevel != 0)
      return Level::Fused;
    return options.parallel ? Level::Parallel : Level::Loops;
  }
}

/// Whether a module of the level becomes what is wanted on its way down.
static bool comesTo(const CompileState &state, Level level) {
  EmissionKind wanted = state.wanted;
  if (wanted == EmissionKind::Header)
    return level != Level::LLVMDialect; // which has the functions already
  if (wanted < EmissionKind::Mlir)
    return false;
  // Code that is called by data has other entries than an object.
  if (state.options.packed && level == Level::LLVMDialect)
    return false;
  std::optional<Level> last = parseLevel(getName(wanted));
  while (last && level != *last) {
    if (level == Level::LLVMDialect)
      return false;
    level = getNext(level, getForm(state));
  }
  return true;
}

/// What callers see of the module's functions, which get their final names.
static LogicalResult nameEntries(CompileState &state) {
  bool isVisible = !state.options.packed;
  SmallVector<std::pair<StringRef, SourceRange>> names;
  for (auto function : state.module->getOps<func::FuncOp>()) {
    if (!function->hasAttr(EinDialect::kSignatureAttr))
      continue;
    std::string name = state.options.prefix + function.getName().str();
    // Its other form, if there is one, is found by its name.
    auto written = state.module->lookupSymbol<func::FuncOp>(
        (kWrittenPrefix + function.getName()).str());
    if (isVisible && written)
      written.setName((kWrittenPrefix + name).str());
    if (isVisible)
      function.setName(name);
    (void)checkName(function.getName(), {}, isVisible, state.diags);
    names.push_back({function.getName(), {}});
    FailureOr<Signature> signature = Signature::fromOp(function);
    if (failed(signature))
      return failure();
    state.result.entries.push_back({signature->toRuntime(function.getName()),
                                    signature->describeChecks()});
  }
  if (isVisible)
    (void)checkEntryNames(names, state.diags);
  return failure(state.diags.hasErrors());
}

/// A file that is MLIR already: of the level that it says, or of a user's own
/// making. Whatever fails is said of the file; it may hold anything.
LogicalResult stages::readModule(CompileState &state, TimingScope &timing) {
  state.createContext(DiagId::MLIRError);
  if (std::optional<size_t> place = findTooDeep(state.file.getText()))
    return state.diags.report(
        DiagId::ModuleTooDeep,
        {static_cast<uint32_t>(*place), static_cast<uint32_t>(*place + 1)},
        {std::to_string(kMaxModuleNesting)});
  state.rewritten = rewriteDocumentForms(state.file.getText());
  state.module = parseSourceString<ModuleOp>(
      state.rewritten->getText(), state.context.get(), state.file.getName());
  if (!state.module)
    return failure();
  reportRemarks(*state.context, state.file, state.options, state.diags,
                state.result.findings, &state.variant, &*state.rewritten);
  if (!isOwnModule(*state.module)) {
    PassManager passes(state.module.get()->getName());
    buildFromSource(passes);
    watch(passes, state.options, timing);
    if (failed(passes.run(*state.module)))
      return failure();
  }
  FailureOr<Level> level = checkOwnModule(*state.module);
  if (failed(level))
    return failure();
  if (!comesTo(state, *level))
    return state.diags.report(
        DiagId::LevelIsPast, {},
        {getName(state.wanted).str(), getName(*level).str()});
  state.level = *level;
  return nameEntries(state);
}

//===----------------------------------------------------------------------===//
// Down the levels
//===----------------------------------------------------------------------===//

bool stages::isNextLevel(const CompileState &state, EmissionKind kind) {
  Level level = *parseLevel(getName(kind));
  if (state.isAtEntry)
    return level == state.level;
  return state.level != Level::LLVMDialect &&
         level == getNext(state.level, getForm(state));
}

static bool hasF16Products(const TargetInfo &target) {
  return llvm::any_of(target.dotProducts, [](unsigned number) {
    return getDotProduct(number).lhs == DotNumber::F16;
  });
}

/// The architecture that helpers of views are compiled for already; none if the
/// target is another one, or what is wanted may be linked before it is code.
static StringRef getHelpers(const CompileState &state) {
  if (state.wanted < EmissionKind::Asm || !isTested(state.getTarget()))
    return "";
  llvm::Triple triple(state.getTarget().triple);
  return triple.isX32() ? "" : llvm::Triple::getArchTypeName(triple.getArch());
}

/// Adds the pipeline from the level before to `level`.
static void addPipeline(PassManager &passes, Level level, CompileState &state) {
  const CompileOptions &options = state.options;
  switch (level) {
  case Level::Mlir:
    llvm_unreachable("no pipeline leads to the first level");
  case Level::Linalg: {
    LinalgOptions linalg;
    linalg.strictFP = options.strictFP;
    linalg.strategy =
        getPathStrategies()[static_cast<size_t>(options.order.strategy)].str();
    linalg.effort = options.order.effort;
    linalg.seed = options.order.seed;
    linalg.maxTemp = options.order.maxTempBytes;
    linalg.oneOrder = options.distribution.makesFunctions;
    // Of several CPUs the oldest's, as all go on from a later level.
    linalg.triple = options.target.triple;
    linalg.cpu = options.target.cpu;
    linalg.features = options.target.features;
    linalg.sveBits = options.target.sveBits;
    linalg.machine = options.machineFile;
    buildToLinalg(passes, linalg);
    break;
  }
  case Level::Contract: {
    ContractOptions contract;
    // Of several CPUs the oldest's, as all go on from this level.
    contract.f16Products = hasF16Products(options.target);
    contract.bf16Products = hasHalfProducts(options.target);
    contract.splitProducts = options.splitsProducts;
    buildToContract(passes, contract);
    break;
  }
  case Level::Fused: {
    FusedOptions fused;
    fused.transform = options.transformFile;
    fused.planes = options.useBlas;
    fused.fma = state.getTarget().fma;
    fused.rootEstimates = getVectorInstructions(state.getTarget()).avx512;
    buildToFused(passes, fused);
    break;
  }
  case Level::Scheduled: {
    ScheduledOptions scheduled;
    scheduled.triple = state.getTarget().triple;
    scheduled.cpu = state.getTarget().cpu;
    scheduled.features = state.getTarget().features;
    scheduled.sveBits = state.getTarget().sveBits;
    scheduled.machine = options.machineFile;
    scheduled.library = options.useBlas ? "blas" : "none";
    scheduled.packing = options.packing;
    scheduled.threads = options.sharing;
    scheduled.columnBlock = options.columnBlock;
    scheduled.parallel = options.parallel;
    buildToScheduled(passes, scheduled);
    break;
  }
  case Level::Tiled:
    buildToTiled(passes);
    break;
  case Level::Vector: {
    VectorOptions vector;
    vector.exchanges = state.getTarget().sveBits != 0;
    buildToVector(passes, vector);
    break;
  }
  case Level::Memref:
    buildToMemref(passes);
    break;
  case Level::Loops:
  case Level::Affine:
  case Level::Parallel:
    buildToLoops(passes, level);
    break;
  case Level::LLVMDialect: {
    LLVMOptions lowering;
    lowering.packed = options.packed;
    lowering.views = options.views || !options.packed;
    lowering.helpers = getHelpers(state).str();
    lowering.checks = options.checks;
    lowering.executable = state.wanted == EmissionKind::Exe;
    lowering.debug = options.debug;
    lowering.parallel = options.parallel;
    if (options.distribution.makesFunctions)
      lowering.mpi = options.distribution.mpi;
    lowering.halfConversions = state.getTarget().halfConversions;
    lowering.maskRegisters = state.getTarget().maskedOps;
    lowering.halfArithmetic = state.getTarget().halfArithmetic;
    lowering.sveBits = state.getTarget().sveBits;
    setMachineAttrs(*state.module, state.getTarget());
    buildToLLVM(passes, lowering);
    break;
  }
  }
}

/// Puts what was measured for the CPU on the module.
static void setSchedules(CompileState &state) {
  SmallVector<NamedAttribute> schedules;
  Builder b(state.context.get());
  for (const TunedEntry &entry : state.options.tuned)
    if (entry.cpu == state.getTarget().cpu)
      schedules.push_back(b.getNamedAttr(
          entry.op, parseAttribute(entry.schedule, state.context.get())));
  if (!schedules.empty())
    (*state.module)
        ->setAttr(EinDialect::kSchedulesAttr, b.getDictionaryAttr(schedules));
}

/// Takes it off, and warns of what no op has taken.
static void endSchedules(CompileState &state) {
  if (!(*state.module)->removeAttr(EinDialect::kSchedulesAttr))
    return;
  // Which keys were met, and whether an op has taken what was written for it.
  llvm::StringMap<bool> met;
  for (const Finding &finding : state.result.findings) {
    if (finding.name != "Tuned")
      continue;
    std::map<std::string, std::string> facts(finding.facts.begin(),
                                             finding.facts.end());
    met[facts["key"]] |= facts["fits"] == "true";
  }
  for (const TunedEntry &entry : state.options.tuned) {
    if (entry.cpu != state.getTarget().cpu || state.options.tunedFile.empty() ||
        met.lookup(entry.op))
      continue;
    state.diags.report(
        DiagId::TunedUnused, {},
        {state.options.tunedFile,
         met.count(entry.op)
             ? "`" + entry.op + "` cannot run by `" + entry.schedule + "`"
             : "there is no op `" + entry.op + "`"});
  }
}

/// Keeps code of the module as it is, if that is asked for.
static void keepState(CompileState &state, Level level, StringRef pass) {
  ModuleState kept = {getName(level).str(), pass.str(), {}, ""};
  if (auto object = compilePlainly(*state.module, state.getTarget()))
    kept.object = std::move(*object);
  else
    kept.error = llvm::toString(object.takeError());
  state.result.states.push_back(std::move(kept));
}

/// The script's parser has no bounds of its own. From here on places in it are
/// known.
static LogicalResult checkScript(CompileState &state) {
  const std::string &name = state.options.transformFile;
  llvm::ErrorOr<std::string> text = readSourceFile(name);
  if (!text && text.getError() == std::errc::file_too_large)
    return state.diags.report(DiagId::FileTooLarge, {}, {name});
  if (text && findTooDeep(*text))
    return state.diags.report(DiagId::ScriptTooDeep, {},
                              {name, std::to_string(kMaxModuleNesting)});
  if (text && !state.file.find(name))
    state.file.add(name, *text);
  return success(); // or its parser says what is wrong with it
}

/// Statements become kernels. What cannot be cut is the program's fault.
static LogicalResult makeKernels(CompileState &state, TimingScope &timing) {
  const DistributionOptions &options = state.options.distribution;
  PassManager passes(state.module.get()->getName());
  watch(passes, state.options, timing);
  SmallVector<double> network;
  if (!options.networkFile.empty())
    network = {options.network.flops, options.network.bytes,
               options.network.latency, options.network.slack};
  buildForRanks(passes, options.ranks,
                static_cast<int64_t>(options.maxMemoryBytes), network);
  state.refusal = DiagId::CannotDistribute;
  ExitStatus before = std::exchange(state.statusOfFailure, kWrongInput);
  if (failed(passes.run(*state.module)))
    return failure();
  state.refusal.reset();
  state.statusOfFailure = before;
  return success();
}

LogicalResult stages::lowerToLevel(CompileState &state, TimingScope &timing) {
  KeptStates kept = state.options.keptStates;
  if (std::exchange(state.isAtEntry, false)) {
    if (kept != KeptStates::None)
      keepState(state, state.level, "");
    return success();
  }
  Level next = getNext(state.level, getForm(state));
  if (next == Level::Fused && !state.options.transformFile.empty() &&
      failed(checkScript(state)))
    return failure();
  state.announce(("compiling to " + getName(next)).str());
  PassManager passes(state.module.get()->getName());
  // Verifying after each pass takes as long as the passes. ein-opt does it.
  passes.enableVerifier(kept == KeptStates::Passes);
  watch(passes, state.options, timing);
  if (kept == KeptStates::Passes)
    visitStates(passes, [&](ModuleOp, StringRef pass) {
      if (!pass.empty())
        keepState(state, next, pass);
    });
  addPipeline(passes, next, state);
  state.level = next;
  if (next == Level::Scheduled)
    setSchedules(state);
  if (failed(passes.run(*state.module)))
    return failure();
  if (next == Level::Scheduled)
    endSchedules(state);
  if (next == Level::Contract && state.options.distribution.makesFunctions &&
      failed(makeKernels(state, timing)))
    return failure();
  if (failed(verify(*state.module)))
    return failure();
  // What is in the llvm dialect is the code itself.
  if (kept == KeptStates::Levels && next != Level::LLVMDialect)
    keepState(state, next, "");
  return success();
}

void stages::printModule(CompileState &state, raw_ostream &os) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  state.module->print(stream,
                      OpPrintingFlags().enableDebugInfo(state.options.debug));
  os << writeDocumentForms(text).getText();
}

} // namespace ein
