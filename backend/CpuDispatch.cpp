//===- CpuDispatch.cpp - One object for several CPUs ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One number, zero until the first call, says whose code is taken:
//
//   mm:            switch (cpu) { case 0: goto mm.choose;
//                                 case 3: goto mm.x86-64-v4; ... }
//   mm.choose:     chooseCpu(); goto mm;
//   chooseCpu:     cpu = EINC_CPU's, or the last that the machine runs
//
// Threads that come first at once all find the same, and store it as one word;
// so there is no lock and no order to keep. The one that stores first says what
// is to be said. The linker's own way, an indirect
// function (`ifunc`), is not taken: its resolver runs before the environment
// can be read, static programs of musl and JITs have none, and neither have
// other systems. Functions that run when a library is loaded would come too
// late for those of the program that call it then.
//
//===----------------------------------------------------------------------===//

#include "backend/CpuDispatch.h"
#include "abi/Signature.h"
#include "backend/Backend.h"
#include "backend/Metadata.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Target/TargetMachine.h"
#include <map>

using namespace llvm;

namespace ein {

static constexpr StringLiteral kEntries = "__ein_entries";

std::string getVariantName(StringRef function, StringRef cpu) {
  return (function + "." + cpu).str();
}

//===----------------------------------------------------------------------===//
// A variant
//===----------------------------------------------------------------------===//

void nameVariant(Module &module, StringRef cpu, bool isOldest) {
  GlobalVariable *table = module.getGlobalVariable(kEntries);
  if (table && !isOldest) {
    table->eraseFromParent();
    table = nullptr;
  }
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasExternalLinkage())
      functions.push_back(&function);
  for (Function *function : functions) {
    std::string name = function->getName().str();
    function->setName(getVariantName(name, cpu));
    if (!table)
      continue;
    auto *chooser =
        Function::Create(function->getFunctionType(),
                         GlobalValue::ExternalLinkage, name, module);
    function->replaceUsesWithIf(
        chooser, [](Use &use) { return !isa<Instruction>(use.getUser()); });
    if (chooser->use_empty())
      chooser->eraseFromParent();
  }
}

/// Names of several variants do not meet, and say whose they are.
static void nameLocals(Module &module, StringRef cpu) {
  auto name = [&](GlobalValue &value) {
    if (value.hasLocalLinkage() && !value.hasPrivateLinkage() &&
        value.hasName())
      value.setName(getVariantName(value.getName(), cpu));
  };
  for (Function &function : module)
    name(function);
  for (GlobalVariable &global : module.globals())
    name(global);
}

Error addVariant(Module &dispatcher, std::unique_ptr<Module> variant,
                 StringRef cpu) {
  nameLocals(*variant, cpu);
  SmallVector<std::string> names;
  for (Function &function : *variant)
    if (!function.isDeclaration() && function.hasExternalLinkage())
      names.push_back(function.getName().str());
  // All have the same helpers beside them.
  if (!dispatcher.getModuleInlineAsm().empty())
    variant->setModuleInlineAsm("");
  if (Linker::linkModules(dispatcher, std::move(variant)))
    return createStringError("cannot join the code for several CPUs");
  for (const std::string &name : names)
    dispatcher.getFunction(name)->setLinkage(GlobalValue::InternalLinkage);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// What the machine has
//===----------------------------------------------------------------------===//

namespace {
/// Writes the functions of a dispatcher.
class DispatchBuilder {
public:
  DispatchBuilder(Module &module, ArrayRef<TestedCpu> cpus, StringRef source)
      : module(module), cpus(cpus), source(source), b(module.getContext()) {}

  void run(const Module &variant, bool executable);

private:
  Function *create(Type *result, ArrayRef<Type *> arguments, const Twine &name,
                   GlobalValue::LinkageTypes linkage);
  FunctionCallee declare(StringRef name, Type *result,
                         ArrayRef<Type *> arguments);
  BasicBlock *createBlock(const Twine &name, Function *function);
  Constant *makeText(const Twine &text);

  Value *readCpuid(uint32_t leaf, uint32_t subleaf, CpuidRegister reg);
  Value *readXcr0();
  Value *readSveLength();
  Value *read(const FeatureWord &word);
  void emitGetRunnable();
  void emitWrite(Value *text, Value *length);
  void emitChoose();
  void emitEntry(const Function &entry);
  void emitTable();

  Module &module;
  ArrayRef<TestedCpu> cpus;
  StringRef source;
  IRBuilder<> b;
  Function *getRunnable = nullptr;
  Function *chooseCpu = nullptr;
  GlobalVariable *chosen = nullptr;
  /// What `cpuid` has answered: {eax, ebx, ecx, edx}.
  std::map<std::pair<uint32_t, uint32_t>, Value *> answers;
};
} // namespace

Function *DispatchBuilder::create(Type *result, ArrayRef<Type *> arguments,
                                  const Twine &name,
                                  GlobalValue::LinkageTypes linkage) {
  auto *function = Function::Create(FunctionType::get(result, arguments, false),
                                    linkage, name, module);
  function->addFnAttr(Attribute::NoUnwind);
  return function;
}

FunctionCallee DispatchBuilder::declare(StringRef name, Type *result,
                                        ArrayRef<Type *> arguments) {
  return module.getOrInsertFunction(
      name, FunctionType::get(result, arguments, false));
}

BasicBlock *DispatchBuilder::createBlock(const Twine &name,
                                         Function *function) {
  return BasicBlock::Create(module.getContext(), name, function);
}

/// A string, and where it is.
Constant *DispatchBuilder::makeText(const Twine &text) {
  return b.CreateGlobalString(text.str(), "__ein_text", 0, &module);
}

/// A register after `cpuid`; zero if the machine has no such leaf, for which it
/// may answer with another one.
Value *DispatchBuilder::readCpuid(uint32_t leaf, uint32_t subleaf,
                                  CpuidRegister reg) {
  auto ask = [&](uint32_t asked, uint32_t sub) {
    auto [entry, isNew] = answers.try_emplace({asked, sub});
    if (isNew) {
      Type *word = b.getInt32Ty();
      auto *result = StructType::get(word, word, word, word);
      auto *type = FunctionType::get(result, {word, word}, false);
      InlineAsm *code =
          InlineAsm::get(type, "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}",
                         /*hasSideEffects=*/true);
      entry->second =
          b.CreateCall(type, code, {b.getInt32(asked), b.getInt32(sub)});
    }
    return entry->second;
  };
  uint32_t first = leaf & 0x80000000;
  Value *last = b.CreateExtractValue(ask(first, 0), 0);
  Value *exists = b.CreateICmpUGE(last, b.getInt32(leaf));
  if (subleaf != 0) {
    Value *lastSubleaf = b.CreateExtractValue(ask(leaf, 0), 0);
    exists =
        b.CreateAnd(exists, b.CreateICmpUGE(lastSubleaf, b.getInt32(subleaf)));
  }
  Value *value =
      b.CreateExtractValue(ask(leaf, subleaf), static_cast<unsigned>(reg));
  return b.CreateSelect(exists, value, b.getInt32(0));
}

/// Which registers the system saves; none if it has not said that it does.
Value *DispatchBuilder::readXcr0() {
  constexpr uint32_t osxsave = 1u << 27;
  Value *bit = b.CreateAnd(readCpuid(1, 0, CpuidRegister::ECX), osxsave);
  BasicBlock *before = b.GetInsertBlock();
  Function *function = before->getParent();
  BasicBlock *ask = createBlock("saved", function);
  BasicBlock *after = createBlock("known", function);
  b.CreateCondBr(b.CreateIsNotNull(bit), ask, after);
  b.SetInsertPoint(ask);
  Type *word = b.getInt32Ty();
  auto *type = FunctionType::get(StructType::get(word, word), {word}, false);
  InlineAsm *code = InlineAsm::get(type, "xgetbv", "={ax},={dx},{cx}",
                                   /*hasSideEffects=*/true);
  Value *low = b.CreateExtractValue(b.CreateCall(type, code, b.getInt32(0)), 0);
  b.CreateBr(after);
  b.SetInsertPoint(after);
  PHINode *result = b.CreatePHI(word, 2);
  result->addIncoming(b.getInt32(0), before);
  result->addIncoming(low, ask);
  return result;
}

/// A bit that says how long SVE's vectors are; none if there is no SVE.
Value *DispatchBuilder::readSveLength() {
  FeatureTest sve = getSveTest();
  Value *bit = b.CreateAnd(read(sve.word), sve.mask);
  BasicBlock *before = b.GetInsertBlock();
  Function *function = before->getParent();
  BasicBlock *ask = createBlock("length", function);
  BasicBlock *after = createBlock("measured", function);
  b.CreateCondBr(b.CreateIsNotNull(bit), ask, after);
  b.SetInsertPoint(ask);
  // rdvl x0, #1: bytes. The oldest CPU's assembler does not know it by name.
  InlineAsm *code = InlineAsm::get(FunctionType::get(b.getInt64Ty(), false),
                                   ".inst 0x04bf5020", "={x0}",
                                   /*hasSideEffects=*/true);
  Value *length = b.CreateLShr(b.CreateCall(code), 4);
  Value *measured = b.CreateShl(b.getInt64(1), length);
  b.CreateBr(after);
  b.SetInsertPoint(after);
  PHINode *result = b.CreatePHI(b.getInt64Ty(), 2);
  result->addIncoming(b.getInt64(0), before);
  result->addIncoming(measured, ask);
  return result;
}

Value *DispatchBuilder::read(const FeatureWord &word) {
  switch (word.source) {
  case FeatureSource::Cpuid:
    return b.CreateZExt(readCpuid(word.leaf, word.subleaf, word.reg),
                        b.getInt64Ty());
  case FeatureSource::Xcr0:
    return b.CreateZExt(readXcr0(), b.getInt64Ty());
  case FeatureSource::Hwcap: {
    constexpr uint64_t hwcap = 16, hwcap2 = 26; // of <elf.h>
    return b.CreateCall(declare("getauxval", b.getInt64Ty(), {b.getInt64Ty()}),
                        {b.getInt64(word.leaf == 1 ? hwcap : hwcap2)});
  }
  case FeatureSource::Sve:
    return readSveLength();
  }
  llvm_unreachable("a source of no kind");
}

/// `uint64_t __ein_get_runnable_cpus(void)`: a bit for each CPU.
void DispatchBuilder::emitGetRunnable() {
  getRunnable =
      create(b.getInt64Ty(), {}, kRunnableCpus, GlobalValue::InternalLinkage);
  getRunnable->addFnAttr(Attribute::Cold);
  getRunnable->addFnAttr(Attribute::NoInline);
  b.SetInsertPoint(createBlock("", getRunnable));
  std::map<FeatureWord, Value *> words;
  for (const TestedCpu &cpu : cpus)
    for (const FeatureTest &test : cpu.tests)
      words[test.word];
  for (auto &[word, value] : words)
    value = read(word);
  Value *runnable = b.getInt64(0);
  for (auto [index, cpu] : enumerate(cpus)) {
    Value *runs = b.getTrue();
    for (const FeatureTest &test : cpu.tests)
      runs = b.CreateAnd(
          runs, b.CreateICmpUGE(b.CreateAnd(words.at(test.word), test.mask),
                                b.getInt64(test.least)));
    runnable = b.CreateOr(
        runnable, b.CreateShl(b.CreateZExt(runs, b.getInt64Ty()), index));
  }
  b.CreateRet(runnable);
}

//===----------------------------------------------------------------------===//
// What is chosen
//===----------------------------------------------------------------------===//

/// To the standard error: a library has nobody else to tell.
void DispatchBuilder::emitWrite(Value *text, Value *length) {
  Type *size = length->getType();
  b.CreateCall(declare("write", size, {b.getInt32Ty(), b.getPtrTy(), size}),
               {b.getInt32(2), text, length});
}

/// `void __ein_choose_cpu(void)`: stores the number of a CPU, from one.
void DispatchBuilder::emitChoose() {
  chosen = new GlobalVariable(module, b.getInt32Ty(), /*isConstant=*/false,
                              GlobalValue::InternalLinkage, b.getInt32(0),
                              "__ein_cpu");
  chooseCpu = create(b.getVoidTy(), {}, "__ein_choose_cpu",
                     GlobalValue::InternalLinkage);
  chooseCpu->addFnAttr(Attribute::Cold);
  chooseCpu->addFnAttr(Attribute::NoInline);
  b.SetInsertPoint(createBlock("", chooseCpu));
  Value *runnable = b.CreateCall(getRunnable);
  auto runs = [&](size_t index) {
    return b.CreateIsNotNull(b.CreateAnd(runnable, uint64_t(1) << index));
  };
  std::vector<std::string> names;
  for (const TestedCpu &cpu : cpus)
    names.push_back(cpu.target.cpu);

  // The type of sizes.
  Type *size = module.getDataLayout().getIntPtrType(module.getContext());
  auto makeLine = [&](const Twine &text) -> std::pair<Value *, Value *> {
    std::string line = ("einc: " + text + "\n").str();
    return {makeText(line), ConstantInt::get(size, line.size())};
  };
  // The first CPU has nothing that another one lacks.
  BasicBlock *none = createBlock("none", chooseCpu);
  BasicBlock *some = createBlock("some", chooseCpu);
  b.CreateCondBr(runs(0), some, none);
  b.SetInsertPoint(none);
  auto [error, errorLength] =
      makeLine("error: this machine can run none of the code of " + source +
               ", which is for " + join(names, ", "));
  emitWrite(error, errorLength);
  b.CreateCall(declare("abort", b.getVoidTy(), {}));
  b.CreateUnreachable();

  b.SetInsertPoint(some);
  Value *best = b.getInt32(1);
  for (size_t index = 1; index < cpus.size(); ++index)
    best = b.CreateSelect(runs(index), b.getInt32(index + 1), best);

  BasicBlock *store = createBlock("store", chooseCpu);
  // What is chosen, and what is to be said of it.
  struct Result {
    Value *cpu;
    std::pair<Value *, Value *> line;
    BasicBlock *block;
  };
  SmallVector<Result> results;
  std::pair<Value *, Value *> noLine(ConstantPointerNull::get(b.getPtrTy()),
                                     ConstantInt::get(size, 0));
  auto finish = [&](Value *cpu, std::pair<Value *, Value *> line) {
    results.push_back({cpu, line, b.GetInsertBlock()});
    b.CreateBr(store);
  };
  Value *wanted = b.CreateCall(declare("getenv", b.getPtrTy(), {b.getPtrTy()}),
                               {makeText(runtime::kCpuVariable)});
  BasicBlock *isSet = createBlock("set", chooseCpu);
  BasicBlock *named = createBlock("named", chooseCpu);
  BasicBlock *automatic = createBlock("automatic", chooseCpu);
  b.CreateCondBr(b.CreateIsNull(wanted), automatic, isSet);
  b.SetInsertPoint(automatic);
  finish(best, noLine);
  b.SetInsertPoint(isSet);
  b.CreateCondBr(b.CreateIsNull(b.CreateLoad(b.getInt8Ty(), wanted)), automatic,
                 named);
  b.SetInsertPoint(named);
  for (auto [index, name] : enumerate(names)) {
    BasicBlock *found = createBlock("found", chooseCpu);
    BasicBlock *next = createBlock("next", chooseCpu);
    Value *order = b.CreateCall(
        declare("strcmp", b.getInt32Ty(), {b.getPtrTy(), b.getPtrTy()}),
        {wanted, makeText(name)});
    b.CreateCondBr(b.CreateIsNull(order), found, next);
    b.SetInsertPoint(found);
    BasicBlock *taken = createBlock("taken", chooseCpu);
    BasicBlock *refused = createBlock("refused", chooseCpu);
    b.CreateCondBr(runs(index), taken, refused);
    b.SetInsertPoint(taken);
    finish(b.getInt32(index + 1), noLine);
    b.SetInsertPoint(refused);
    finish(best, makeLine(Twine(runtime::kCpuVariable) + "=" + name +
                          " is ignored: this machine cannot run code for it"));
    b.SetInsertPoint(next);
  }
  finish(best, makeLine(Twine(runtime::kCpuVariable) + " is ignored: " +
                        source + " has code for " + join(names, ", ")));

  b.SetInsertPoint(store);
  PHINode *cpu = b.CreatePHI(b.getInt32Ty(), results.size());
  PHINode *text = b.CreatePHI(b.getPtrTy(), results.size());
  PHINode *length = b.CreatePHI(size, results.size());
  for (const Result &result : results) {
    cpu->addIncoming(result.cpu, result.block);
    text->addIncoming(result.line.first, result.block);
    length->addIncoming(result.line.second, result.block);
  }
  // Of threads that come at once, one says it.
  Value *before = b.CreateAtomicRMW(AtomicRMWInst::Xchg, chosen, cpu, Align(4),
                                    AtomicOrdering::Monotonic);
  BasicBlock *say = createBlock("say", chooseCpu);
  BasicBlock *done = createBlock("done", chooseCpu);
  b.CreateCondBr(b.CreateAnd(b.CreateIsNull(before), b.CreateIsNotNull(text)),
                 say, done);
  b.SetInsertPoint(say);
  emitWrite(text, length);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
}

/// Hands all arguments on, wherever they are.
static void emitJump(IRBuilder<> &b, Function *from, FunctionCallee to) {
  SmallVector<Value *> arguments;
  for (Argument &argument : from->args())
    arguments.push_back(&argument);
  CallInst *call = b.CreateCall(to, arguments);
  call->setTailCallKind(CallInst::TCK_MustTail);
  call->setAttributes(from->getAttributes().removeFnAttributes(b.getContext()));
  if (call->getType()->isVoidTy())
    b.CreateRetVoid();
  else
    b.CreateRet(call);
}

void DispatchBuilder::emitEntry(const Function &entry) {
  // Of what callers and callees have to agree on.
  AttributeList attributes =
      entry.getAttributes().removeFnAttributes(module.getContext());
  auto makeFunction = [&](const Twine &name,
                          GlobalValue::LinkageTypes linkage) {
    FunctionType *type = entry.getFunctionType();
    Function *function =
        create(type->getReturnType(), type->params(), name, linkage);
    function->setAttributes(attributes);
    function->addFnAttr(Attribute::NoUnwind);
    return function;
  };
  StringRef name = entry.getName();
  name.consume_back(getVariantName("", cpus.front().target.cpu));
  Function *function = makeFunction(name, GlobalValue::ExternalLinkage);
  Function *first =
      makeFunction(name + ".choose", GlobalValue::InternalLinkage);
  first->addFnAttr(Attribute::Cold);
  first->addFnAttr(Attribute::NoInline);
  b.SetInsertPoint(createBlock("", first));
  b.CreateCall(chooseCpu);
  emitJump(b, first, function);

  b.SetInsertPoint(createBlock("", function));
  LoadInst *number = b.CreateAlignedLoad(b.getInt32Ty(), chosen, Align(4));
  number->setAtomic(AtomicOrdering::Monotonic);
  BasicBlock *unknown = createBlock("unknown", function);
  SwitchInst *choice = b.CreateSwitch(number, unknown, cpus.size());
  b.SetInsertPoint(unknown);
  emitJump(b, function, first);
  for (auto [index, cpu] : enumerate(cpus)) {
    Function *variant = makeFunction(getVariantName(name, cpu.target.cpu),
                                     GlobalValue::ExternalLinkage);
    BasicBlock *block = createBlock(cpu.target.cpu, function);
    choice->addCase(b.getInt32(index + 1), block);
    b.SetInsertPoint(block);
    emitJump(b, function, variant);
  }
}

/// `__ein_cpus`, as abi/Signature.h has it.
void DispatchBuilder::emitTable() {
  SmallVector<Constant *> names;
  for (const TestedCpu &cpu : cpus)
    names.push_back(makeText(cpu.target.cpu));
  addCpuTable(module, names, getRunnable);
}

void DispatchBuilder::run(const Module &variant, bool executable) {
  emitGetRunnable();
  emitChoose();
  for (const Function &function : variant)
    if (!function.isDeclaration() && function.hasExternalLinkage())
      emitEntry(function);
  if (executable)
    emitTable();
}

std::unique_ptr<Module> createDispatcher(const Module &variant,
                                         ArrayRef<TestedCpu> cpus,
                                         StringRef source, bool executable,
                                         TargetMachine &machine) {
  auto module = std::make_unique<Module>("einc", variant.getContext());
  // Sizes of types are needed from here on.
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  DispatchBuilder(*module, cpus, source).run(variant, executable);
  setTarget(*module, machine, cpus.front().target);
  return module;
}

} // namespace ein
