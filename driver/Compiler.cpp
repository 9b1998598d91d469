//===- Compiler.cpp - From source text to an artefact -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole story is `compile`, at the end. Each stage is a function from one
// thing to the next; after each, `Stages::reach` writes it down if it is dumped
// and says whether it is what was asked for.
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"
#include "backend/Backend.h"
#include "backend/OutputFile.h"
#include "driver/Path.h"
#include "driver/PathFile.h"
#include "driver/Registration.h"
#include "driver/Reports.h"
#include "frontend/Lexer.h"
#include "frontend/Printer.h"
#include "frontend/opdsl/Write.h"
#include "ir/EmitMLIR.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "passes/MachineMath.h"
#include "passes/Pipelines.h"
#include "target/ComplexArguments.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace ein {

StringRef getName(EmissionKind kind) {
  switch (kind) {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  case EmissionKind::ENUM:                                                     \
    return NAME;
#include "driver/EmissionKinds.def"
  }
  llvm_unreachable("a kind that is not in EmissionKinds.def");
}

StringRef getSuffix(EmissionKind kind) {
  switch (kind) {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  case EmissionKind::ENUM:                                                     \
    return SUFFIX;
#include "driver/EmissionKinds.def"
  }
  llvm_unreachable("a kind that is not in EmissionKinds.def");
}

bool isText(EmissionKind kind) {
  switch (kind) {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  case EmissionKind::ENUM:                                                     \
    return IS_TEXT;
#include "driver/EmissionKinds.def"
  }
  llvm_unreachable("a kind that is not in EmissionKinds.def");
}

std::optional<EmissionKind> parseEmissionKind(StringRef name) {
  return llvm::StringSwitch<std::optional<EmissionKind>>(name)
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  .Case(NAME, EmissionKind::ENUM)
#include "driver/EmissionKinds.def"
      .Default(std::nullopt);
}

std::optional<EmissionKind> getKindOfSuffix(StringRef suffix) {
  // StringSwitch takes the first match. Dumps alone are `.txt`.
  if (suffix.empty() || suffix == "txt")
    return std::nullopt;
  return llvm::StringSwitch<std::optional<EmissionKind>>(suffix)
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  .Case(SUFFIX, EmissionKind::ENUM)
#include "driver/EmissionKinds.def"
      .Default(std::nullopt);
}

namespace {

/// The stages on the way to the one that is wanted.
class Stages {
public:
  Stages(EmissionKind wanted, const CompileOptions &options,
         TimingScope &timing, Compilation &result)
      : timing(timing), wanted(wanted), dumpDir(options.dumpDir),
        result(result) {}

  /// What the stages' times are part of.
  TimingScope &timing;

  /// Called once for each stage, in order. True if compilation ends here:
  /// because this is what was wanted, or because it could not be dumped.
  bool reach(EmissionKind kind, llvm::function_ref<void(raw_ostream &)> print) {
    if (!dumpDir.empty() && !dump(kind, print)) {
      result.status = kWrongInput;
      return true;
    }
    if (kind != wanted)
      return false;
    llvm::raw_svector_ostream stream(result.output);
    print(stream);
    return true;
  }

private:
  bool dump(EmissionKind kind, llvm::function_ref<void(raw_ostream &)> print) {
    SmallString<128> path(dumpDir);
    llvm::sys::path::append(path, llvm::formatv("{0:02}-{1}.{2}", ++number,
                                                getName(kind), getSuffix(kind))
                                      .str());
    SmallVector<char, 0> text;
    llvm::raw_svector_ostream stream(text);
    print(stream);
    llvm::Error error = writeFile(path, text);
    if (!error)
      return true;
    llvm::errs() << "einc: error: " << llvm::toString(std::move(error)) << "\n";
    return false;
  }

  EmissionKind wanted;
  StringRef dumpDir;
  Compilation &result;
  unsigned number = 0;
};

/// Feeds MLIR's errors into our diagnostics, as messages `id`: by the time that
/// a program of ours has become MLIR, each of them is a bug of ours. Those
/// about another file, a schedule, are printed with its name.
class ErrorReporter {
public:
  ErrorReporter(MLIRContext *context, const Sources &file, DiagId id,
                DiagnosticEngine &diags)
      : handler(context, [&, id](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return success();
          std::string text = diagnostic.str();
          auto position =
              diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
          if (position && !file.find(position.getFilename().getValue()))
            text = llvm::formatv(
                "{0}:{1}:{2}: {3}", position.getFilename().getValue(),
                position.getLine(), position.getColumn(), text);
          diags.report(id, getRange(file, diagnostic.getLocation()), {text});
          return success();
        }) {}

private:
  ScopedDiagnosticHandler handler;
};

} // namespace

static void announce(const CompileOptions &options, StringRef stage) {
  if (options.onStage)
    options.onStage(stage);
}

/// What the llvm dialect cannot see any more: machine code, step by step.
static LogicalResult generateCode(ModuleOp module, EmissionKind kind,
                                  const CompileOptions &options, Stages &stages,
                                  Compilation &result) {
  auto fail = [](llvm::Error error) {
    llvm::errs() << "einc: error: " << llvm::toString(std::move(error)) << "\n";
    return failure();
  };
  unsigned level = options.llvmOptLevel.value_or(options.optLevel);
  auto machine =
      createTargetMachine(options.target, options.codegenLevel.value_or(level));
  if (!machine)
    return fail(machine.takeError());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      translate(module, context, **machine, options.target);
  if (!code)
    return failure();
  announce(options, "optimising");
  TimingScope optimization = stages.timing.nest("LLVM optimisation");
  optimize(*code, **machine, level);
  optimization.stop();
  if (stages.reach(EmissionKind::LLVMIR,
                   [&](raw_ostream &os) { code->print(os, nullptr); }))
    return success();

  if (stages.reach(EmissionKind::Bitcode, [&](raw_ostream &os) {
        llvm::WriteBitcodeToFile(*code, os);
      }))
    return success();

  announce(options, "generating code");
  TimingScope generation = stages.timing.nest("LLVM code generation");
  // Code generation changes the module: the assembly is made of a copy where
  // it is not the end.
  if (kind == EmissionKind::Asm || !options.dumpDir.empty()) {
    auto copy = llvm::CloneModule(*code);
    auto text = emitAssembly(*copy, **machine);
    if (!text)
      return fail(text.takeError());
    if (stages.reach(EmissionKind::Asm, [&](raw_ostream &os) {
          os.write(text->data(), text->size());
        }))
      return success();
  }
  result.usesThreads = usesThreads(*code);
  auto object = emitObject(*code, **machine);
  if (!object)
    return fail(object.takeError());
  result.output = std::move(*object);
  return success();
}

/// The form of loops that the program takes on its way: which level follows
/// `contract`.
static Level getForm(EmissionKind kind, const CompileOptions &options) {
  switch (kind) {
  case EmissionKind::Loops:
    return Level::Loops;
  case EmissionKind::Affine:
    return Level::Affine;
  case EmissionKind::Parallel:
    return Level::Parallel;
  case EmissionKind::Tiled:
  case EmissionKind::Vector:
  case EmissionKind::Memref:
    return Level::Tiled;
  default:
    if (options.optLevel != 0)
      return Level::Tiled;
    return options.parallel ? Level::Parallel : Level::Loops;
  }
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

/// Runs the pipeline from one level to the next, and says which that is.
static FailureOr<Level> advance(ModuleOp module, Level level, Level form,
                                EmissionKind kind,
                                const CompileOptions &options,
                                TimingScope &timing) {
  PassManager passes(module->getName());
  Level next = getNext(level, form);
  announce(options, ("compiling to " + getName(next)).str());
  // Passes are told apart by their addresses, which the next level's reuse.
  TimingScope scope = timing.nest(getName(next));
  watch(passes, options, scope);
  switch (next) {
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
    buildToLinalg(passes, linalg);
    break;
  }
  case Level::Contract:
    buildToContract(passes);
    break;
  case Level::Tiled: {
    TiledOptions tiled;
    tiled.triple = options.target.triple;
    tiled.cpu = options.target.cpu;
    tiled.features = options.target.features;
    tiled.library = options.useBlas ? "blas" : "none";
    tiled.packing = options.packing;
    tiled.schedule = options.transformFile;
    tiled.parallel = options.parallel;
    buildToTiled(passes, tiled);
    break;
  }
  case Level::Vector:
    buildToVector(passes);
    break;
  case Level::Memref:
    buildToMemref(passes);
    break;
  case Level::Loops:
  case Level::Affine:
  case Level::Parallel:
    buildToLoops(passes, next);
    break;
  case Level::LLVMDialect: {
    LLVMOptions lowering;
    lowering.packed = options.packed;
    lowering.views = options.views || !options.packed;
    lowering.checks = options.checks;
    lowering.executable = kind == EmissionKind::Exe;
    lowering.debug = options.debug;
    lowering.parallel = options.parallel;
    lowering.halfConversions = options.target.halfConversions;
    module->setAttr(kComplexConventionAttr,
                    StringAttr::get(module.getContext(),
                                    getName(options.target.complexConvention)));
    module->setAttr(
        kInstructionsAttr,
        toAttr(module.getContext(), getVectorInstructions(options.target)));
    buildToLLVM(passes, lowering);
    break;
  }
  }
  if (failed(passes.run(module)))
    return failure();
  return next;
}

static void printModule(raw_ostream &os, ModuleOp module,
                        const CompileOptions &options) {
  module.print(os, OpPrintingFlags().enableDebugInfo(options.debug));
}

/// Down the levels from `level`, and on to machine code.
static LogicalResult compileModule(ModuleOp module, Level level,
                                   EmissionKind kind,
                                   const CompileOptions &options,
                                   Stages &stages, Compilation &result) {
  Level form = getForm(kind, options);
  while (level != Level::LLVMDialect) {
    FailureOr<Level> next =
        advance(module, level, form, kind, options, stages.timing);
    if (failed(next))
      return failure();
    level = *next;
    if (stages.reach(*parseEmissionKind(getName(level)), [&](raw_ostream &os) {
          printModule(os, module, options);
        }))
      return success();
  }
  return generateCode(module, kind, options, stages, result);
}

/// That C has a way to pass the program's scalars by value.
static void checkComplexScalars(const Program &program,
                                const TargetInfo &target,
                                DiagnosticEngine &diags) {
  if (target.complexConvention != ComplexConvention::Unknown)
    return;
  for (const Def &def : program.defs)
    for (TensorId id : def.params)
      if (def[id].isScalarInput() && isComplex(def[id].type))
        diags.report(DiagId::ComplexByValue, def[id].range, {def[id].name});
}

static void compileTo(Sources &file, EmissionKind kind,
                      const CompileOptions &options, DiagnosticEngine &diags,
                      TimingScope &timing, Compilation &result) {
  Stages stages(kind, options, timing, result);
  auto fail = [&](ExitStatus status) { result.status = status; };

  // From text to a program that means something.
  // The parser lexes by itself, as a bare einsum string has no tokens; these
  // are only shown, and what is wrong with them is said once.
  TimingScope frontEnd = timing.nest("front end");
  if (options.form == SourceForm::OpDSL) {
    if (kind == EmissionKind::Tokens) {
      diags.report(DiagId::LevelIsPast, {}, {"tokens", "ast"});
      return fail(kWrongInput);
    }
  } else {
    DiagnosticEngine unseen;
    TokenBuffer tokens =
        lex(file.getMain(), kind == EmissionKind::Tokens ? diags : unseen);
    if (stages.reach(EmissionKind::Tokens,
                     [&](raw_ostream &os) { printTokens(os, tokens); }))
      return;
  }
  ast::Module tree = parseSource(file.getMain(), options.form, diags);
  if (stages.reach(EmissionKind::Ast,
                   [&](raw_ostream &os) { printAST(os, tree); }))
    return;
  FailureOr<Program> program =
      check(std::move(tree), options.check, file, diags);
  if (failed(program))
    return fail(kWrongInput);
  result.program = std::move(*program);
  if (stages.reach(EmissionKind::Program,
                   [&](raw_ostream &os) { printProgram(os, result.program); }))
    return;
  if (stages.reach(EmissionKind::Ranges,
                   [&](raw_ostream &os) { printRanges(os, result.program); }))
    return;
  if (stages.reach(EmissionKind::Ein,
                   [&](raw_ostream &os) { printSource(os, result.program); }))
    return;
  // Not every program has these forms, so that they are only made if wanted.
  if (kind == EmissionKind::Opdsl && stages.reach(kind, [&](raw_ostream &os) {
        opdsl::printModule(os, result.program, diags);
      }))
    return;
  if (kind == EmissionKind::Ods && stages.reach(kind, [&](raw_ostream &os) {
        opdsl::printOds(os, result.program, diags);
      }))
    return;
  if (!options.pathFile.empty() &&
      failed(readPathFile(options.pathFile, result.program, file, diags)))
    return fail(kWrongInput);
  // From here on no order is left to find that takes long.
  PathQualities qualities = fixLongPaths(result.program, options.order);
  if (failed(checkTemporaries(result.program, options.order, diags)))
    return fail(kWrongInput);
  if (stages.reach(EmissionKind::Path, [&](raw_ostream &os) {
        os << emitPath(result.program, options.order, qualities);
      }))
    return;
  if (llvm::is_contained(options.reports, "path"))
    reportPaths(result.program, options.order, qualities, diags);

  // From here on defs have the names that their C functions have, if any.
  for (Def &def : result.program.defs) {
    if (!options.packed)
      def.name = options.prefix + def.name;
    (void)checkName(def.name, def.range, /*isVisible=*/!options.packed, diags);
  }
  if (!options.packed) {
    SmallVector<std::pair<StringRef, SourceRange>> names;
    for (const Def &def : result.program.defs)
      names.push_back({def.name, def.range});
    (void)checkEntryNames(names, diags);
  }
  // C functions are made with the llvm dialect.
  if (!options.packed && kind >= EmissionKind::LLVMDialect &&
      kind != EmissionKind::Exe)
    checkComplexScalars(result.program, options.target, diags);
  if (diags.hasErrors())
    return fail(kWrongInput);
  if (stages.reach(EmissionKind::Header, [&](raw_ostream &os) {
        os << emitHeader(result.program, file.getName());
      }))
    return;

  if (stages.reach(EmissionKind::Hpp, [&](raw_ostream &os) {
        os << emitCppHeader(result.program, file.getName());
      }))
    return;

  // From the program to MLIR.
  frontEnd.stop();
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // A schedule may make anything of the program, so what fails then is no bug.
  bool isOurs = options.transformFile.empty();
  ErrorReporter reporter(&context, file,
                         isOurs ? DiagId::InternalError : DiagId::MLIRError,
                         diags);
  for (const Def &def : result.program.defs)
    result.entries.push_back(
        {makeSignature(def, &context).toRuntime(def.name), {}});
  reportRemarks(context, file, options.reports, diags);
  OwningOpRef<ModuleOp> module = emitMLIR(result.program, &context, file,
                                          options.checks, options.strictFP);
  if (stages.reach(EmissionKind::Mlir,
                   [&](raw_ostream &os) { printModule(os, *module, options); }))
    return;
  if (failed(
          compileModule(*module, Level::Mlir, kind, options, stages, result)))
    return fail(isOurs ? kInternalError : kWrongInput);
}

/// Whether einc wrote the module, at whatever level: its functions, or what has
/// become of them, are marked.
static bool isOwnModule(ModuleOp module) {
  return module->hasAttr(kLevelAttr) ||
         llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
           return function->hasAttr(kSignatureAttr);
         });
}

/// The level of a module that einc wrote and somebody may have changed.
static FailureOr<Level> checkOwnModule(ModuleOp module) {
  if (Attribute attr = module->getAttr(kLevelAttr)) {
    auto name = dyn_cast<StringAttr>(attr);
    if (!name || !parseLevel(name))
      return module.emitError("`") << kLevelAttr << "` is no level of einc";
  }
  Level level = getLevel(module);
  if (level == Level::LLVMDialect)
    return level;
  bool hasEntry = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(kSignatureAttr))
      continue;
    if (function.isExternal())
      return function.emitError("has a `")
             << kSignatureAttr << "` and is not defined";
    if (failed(checkSignature(function)))
      return failure();
    hasEntry = true;
  }
  if (!hasEntry)
    return module.emitError("the module is at level `")
           << getName(level) << "` and no function has `" << kSignatureAttr
           << "`";
  return level;
}

/// From a module that a user wrote to the first level.
static LogicalResult adoptModule(ModuleOp module, const CompileOptions &options,
                                 TimingScope &timing) {
  PassManager passes(module->getName());
  TimingScope scope = timing.nest("source");
  buildFromSource(passes);
  watch(passes, options, scope);
  return passes.run(module);
}

/// A file that is MLIR already: of the level that it says, or of a user's own
/// making. Whatever fails is said of the file; it may hold anything.
static void compileMLIR(const Sources &file, EmissionKind kind,
                        const CompileOptions &options, DiagnosticEngine &diags,
                        TimingScope &timing, Compilation &result) {
  result.status = kWrongInput;
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ErrorReporter reporter(&context, file, DiagId::MLIRError, diags);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(file.getText(), &context, file.getName());
  if (!module)
    return;
  if (!isOwnModule(*module) && failed(adoptModule(*module, options, timing)))
    return;
  FailureOr<Level> level = checkOwnModule(*module);
  if (failed(level))
    return;

  std::optional<Level> wanted = parseLevel(getName(kind));
  // Entry points are made on the way to the llvm dialect, and code that is
  // called by data needs others than an object.
  bool isEarlier =
      (kind < EmissionKind::Mlir && kind != EmissionKind::Header) ||
      (wanted && *wanted < *level) ||
      ((options.packed || kind == EmissionKind::Header) &&
       *level == Level::LLVMDialect);
  if (isEarlier) {
    diags.report(DiagId::LevelIsPast, {},
                 {getName(kind).str(), getName(*level).str()});
    return;
  }
  SmallVector<std::pair<StringRef, SourceRange>> names;
  for (auto function : module->getOps<func::FuncOp>()) {
    if (!function->hasAttr(kSignatureAttr))
      continue;
    if (!options.packed)
      function.setName(options.prefix + function.getName().str());
    (void)checkName(function.getName(), {}, /*isVisible=*/!options.packed,
                    diags);
    names.push_back({function.getName(), {}});
    FailureOr<Signature> signature = Signature::fromOp(function);
    if (failed(signature))
      return;
    result.entries.push_back({signature->toRuntime(function.getName()),
                              signature->describeChecks()});
  }
  if (!options.packed)
    (void)checkEntryNames(names, diags);
  if (diags.hasErrors())
    return;
  reportRemarks(context, file, options.reports, diags);
  Stages stages(kind, options, timing, result);
  result.status = kDone;
  if (stages.reach(EmissionKind::Header, [&](raw_ostream &os) {
        os << emitHeader(result.entries, file.getName());
      }))
    return;
  if (stages.reach(*parseEmissionKind(getName(*level)),
                   [&](raw_ostream &os) { printModule(os, *module, options); }))
    return;
  if (failed(compileModule(*module, *level, kind, options, stages, result)))
    result.status = kWrongInput;
}

const CompiledEntry *Compilation::find(StringRef name) const {
  if (name.empty())
    return entries.empty() ? nullptr : &entries.back();
  auto entry = llvm::find_if(entries, [&](const CompiledEntry &candidate) {
    return candidate.signature.name == name;
  });
  return entry == entries.end() ? nullptr : &*entry;
}

Compilation compile(Sources &file, EmissionKind kind,
                    const CompileOptions &options, DiagnosticEngine &diags) {
  Compilation result;
  if (!options.dumpDir.empty())
    if (std::error_code error =
            llvm::sys::fs::create_directories(options.dumpDir)) {
      llvm::errs() << "einc: error: cannot make the directory `"
                   << options.dumpDir << "`: " << error.message() << "\n";
      result.status = kWrongInput;
      return result;
    }
  DefaultTimingManager times;
  times.setEnabled(options.timePasses);
  times.setOutput(createOutputStrategy(DefaultTimingManager::OutputFormat::Text,
                                       llvm::errs()));
  TimingScope timing = times.getRootScope();
  if (options.form == SourceForm::MLIR)
    compileMLIR(file, kind, options, diags, timing, result);
  else
    compileTo(file, kind, options, diags, timing, result);
  if (result.status == kDone && diags.hasErrors())
    result.status = kWrongInput;
  return result;
}

} // namespace ein
