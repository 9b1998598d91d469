//===- MachineKernels.cpp - Code that a machine is measured by ------------===//
//===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/MachineKernels.h"
#include "target/Target.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace ein {

unsigned getNumChains(const TargetInfo &target) {
  return target.vectorRegisters >= 32 ? 24 : 12;
}

Expected<LoadedCode> loadKernels(StringRef text, const TargetInfo &target,
                                 StringRef what, bool usesThreads) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseAssemblyString(text, diagnostic, context);
  if (!module)
    return createStringError(what + ": " + diagnostic.getMessage() + " in `" +
                             diagnostic.getLineContents() + "`");
  auto machine = createTargetMachine(target, /*optLevel=*/2);
  if (!machine)
    return machine.takeError();
  setTarget(*module, **machine, target);
  optimize(*module, **machine, /*optLevel=*/2);
  auto object = emitObject(*module, **machine);
  if (!object)
    return object.takeError();
  return LoadedCode::load(std::move(*object), usesThreads);
}

} // namespace ein
