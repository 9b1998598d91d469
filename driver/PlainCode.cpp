//===- PlainCode.cpp - What a module means, as code -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/PlainCode.h"
#include "backend/Backend.h"
#include "driver/Compiler.h"
#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "passes/pipelines/Pipelines.h"
#include "passes/schedule/MachineAttrs.h"
#include "runtime/Call.h"
#include "target/Target.h"
#include "target/VectorInstructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace ein {

void setMachineAttrs(ModuleOp module, const TargetInfo &target) {
  MLIRContext *context = module.getContext();
  module->setAttr(EinDialect::kComplexConventionAttr,
                  StringAttr::get(context, getName(target.complexConvention)));
  module->setAttr(EinDialect::kInstructionsAttr,
                  toAttr(context, getVectorInstructions(target)));
}

/// Whether the module has been given the entries that can be called here.
static bool hasPackedEntries(ModuleOp module) {
  return llvm::any_of(module.getOps<LLVM::LLVMFuncOp>(),
                      [](LLVM::LLVMFuncOp function) {
                        return function.getName().starts_with(kPackedPrefix);
                      });
}

llvm::Expected<SmallVector<char, 0>> compilePlainly(ModuleOp module,
                                                    const TargetInfo &target) {
  MLIRContext *context = module.getContext();
  std::string errors;
  ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors += (errors.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  auto fail = [&](StringRef doing) {
    return llvm::createStringError((doing + ": " + errors).str());
  };

  OwningOpRef<ModuleOp> copy = module.clone();
  if (!hasPackedEntries(*copy)) {
    setMachineAttrs(*copy, target);
    PassManager passes(context);
    buildPlain(passes);
    if (failed(passes.run(*copy)))
      return fail("it cannot be lowered");
  }
  auto machine = createTargetMachine(target, /*optLevel=*/0);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> code =
      translate(*copy, llvmContext, **machine, target);
  if (!code)
    return fail("it cannot be translated to LLVM IR");
  optimize(*code, **machine, /*optLevel=*/0);
  return emitObject(*code, **machine);
}

std::string ModuleState::describe() const {
  if (pass.empty())
    return "level `" + level + "`";
  return "pass `" + pass + "`, on the way to level `" + level + "`";
}

//===----------------------------------------------------------------------===//
// Between passes
//===----------------------------------------------------------------------===//

namespace {
class StateVisitor : public PassInstrumentation {
public:
  using Visit = std::function<void(ModuleOp, StringRef)>;
  explicit StateVisitor(Visit visit) : visit(std::move(visit)) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (!print)
      visitModule(op, "");
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    // What runs passes on functions is a pass without a name.
    if (!pass->getArgument().empty())
      visitModule(op, pass->getArgument());
  }

private:
  void visitModule(Operation *op, StringRef pass) {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module)
      module = op->getParentOfType<ModuleOp>();
    if (!module)
      return;
    OperationFingerPrint now(module);
    if (print && *print == now)
      return;
    print = now;
    visit(module, pass);
  }

  Visit visit;
  std::optional<OperationFingerPrint> print; // of what was visited last
};
} // namespace

void visitStates(PassManager &passes,
                 std::function<void(ModuleOp, StringRef)> visit) {
  passes.addInstrumentation(std::make_unique<StateVisitor>(std::move(visit)));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool runEntry(LoadedCode &code, StringRef name, runtime::Invocation &call,
              std::string &error) {
  llvm::Expected<void *> address = code.lookup((kPackedPrefix + name).str());
  if (!address) {
    error = llvm::toString(address.takeError());
    return false;
  }
  auto function = reinterpret_cast<runtime::PackedFunction>(*address);
  bool isDone = false;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext crashes;
  if (!crashes.RunSafely([&] { isDone = call.run(function, error); })) {
    error = "the code crashes";
    return false;
  }
  return isDone;
}

bool copyCall(const runtime::Invocation &call, runtime::Invocation &copy,
              std::string &error) {
  const runtime::Signature &signature = call.getSignature();
  copy = runtime::Invocation(signature);
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (!signature.arguments[i].isRead())
      continue;
    runtime::Array array;
    if (!array.copyFrom(call.getArray(i))) {
      error = "there is no memory for `" + signature.arguments[i].name + "`";
      return false;
    }
    if (!copy.setInput(signature.arguments[i].name, std::move(array), error))
      return false;
  }
  runtime::Bindings sizes;
  for (size_t i = 0; i < signature.symbols.size(); ++i)
    sizes.push_back({signature.symbols[i], call.getSizes()[i]});
  return copy.bind(sizes, error);
}

} // namespace ein
