//===- Translate.cpp - The llvm dialect to LLVM IR ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/Backend.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "target/Target.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace ein {

/// Functions carry the CPU they are for, so that the artefact says so and a
/// linker that optimises again keeps it.
void setTarget(Module &module, TargetMachine &machine,
               const TargetInfo &target) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // On several CPUs LLVM prefers vectors shorter than the registers; tiles
    // are made for whole registers.
    function.addFnAttr("prefer-vector-width",
                       std::to_string(target.vectorBits));
    // As clang's -msve-vector-bits: vectors of this length are registers. They
    // have another one in streaming mode.
    if (unsigned scale = target.sveBits / kLeastSveBits;
        scale != 0 && !function.hasFnAttribute("aarch64_pstate_sm_enabled"))
      function.addFnAttr(
          Attribute::getWithVScaleRangeArgs(module.getContext(), scale, scale));
    function.addFnAttr(Attribute::NoUnwind);
    // What others call may be twenty instructions, with its checks. They are in
    // as few lines as can be then: a product of 2 by 2 took 7 cycles in place
    // of 6 where it began in the last 16 bytes of one.
    if (function.hasExternalLinkage() && target.machine.lineBytes != 0)
      function.setAlignment(Align(target.machine.lineBytes));
  }
}

std::unique_ptr<Module> translate(mlir::ModuleOp module, LLVMContext &context,
                                  TargetMachine &machine,
                                  const TargetInfo &target) {
  std::unique_ptr<Module> result =
      mlir::translateModuleToLLVMIR(module, context, "einc");
  if (result)
    setTarget(*result, machine, target);
  return result;
}

bool usesThreads(const Module &module) {
  return module.getFunction("__kmpc_fork_call") ||
         module.getFunction("__kmpc_fork_call_if");
}

} // namespace ein
