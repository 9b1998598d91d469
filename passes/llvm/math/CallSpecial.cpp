//===- CallSpecial.cpp - Special functions become calls -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An object may need libc and libm only, and libm has some of the functions of
// `ein.special` (`lgamma`, `j0`), others not (`erfinv`). Those are computed by
// functions of our own, of which each module gets the ones that it calls,
// internal.
//
// They are written in MLIR, in SpecialFunctions.mlir, as the helpers of views
// are: the conversions that follow lower them with the kernels. Where libm has
// the function, it is what that file's function calls, so that the pass need
// not know which is which.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "passes/llvm/math/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace ein {
#define GEN_PASS_DEF_CALLSPECIAL
#include "passes/llvm/math/Passes.h.inc"
} // namespace ein

using namespace mlir;

static constexpr char kFunctions[] =
#include "passes/llvm/math/SpecialFunctions.inc" // of the file of that name
    ;

namespace ein {
namespace {
class CallSpecialPass : public impl::CallSpecialBase<CallSpecialPass> {
  void runOnOperation() override;

  /// Makes calls of `ops`, and collects what they call.
  LogicalResult call(ArrayRef<SpecialOp> ops, SymbolTable &known,
                     SetVector<func::FuncOp> &callees);
  /// Gives the module those functions and what they call in turn.
  LogicalResult add(SymbolTable &known, SetVector<func::FuncOp> &callees);
};
} // namespace

LogicalResult CallSpecialPass::call(ArrayRef<SpecialOp> ops, SymbolTable &known,
                                    SetVector<func::FuncOp> &callees) {
  for (SpecialOp op : ops) {
    std::string name = ("__ein_special_" + op.getFunction()).str();
    auto callee = known.lookup<func::FuncOp>(name);
    if (!callee)
      return op.emitOpError("names no function that there is");
    if (callee.getNumArguments() != op->getNumOperands())
      return op.emitOpError("needs as many operands as the function has, ")
             << callee.getNumArguments();
    callees.insert(callee);
    OpBuilder builder(op);
    auto call =
        func::CallOp::create(builder, op.getLoc(), callee, op->getOperands());
    op.replaceAllUsesWith(call.getResult(0));
    op.erase();
  }
  return success();
}

LogicalResult CallSpecialPass::add(SymbolTable &known,
                                   SetVector<func::FuncOp> &callees) {
  ModuleOp module = getOperation();
  SymbolTable symbols(module);
  auto internal =
      LLVM::LinkageAttr::get(&getContext(), LLVM::linkage::Linkage::Internal);
  // The set grows while it is walked.
  for (size_t i = 0; i < callees.size(); ++i) {
    func::FuncOp callee = callees[i];
    if (symbols.lookup(callee.getSymName()))
      return module.emitError("has a function `") << callee.getSymName() << "`";
    callee.walk([&](func::CallOp call) {
      callees.insert(known.lookup<func::FuncOp>(call.getCallee()));
    });
    func::FuncOp copy = callee.clone();
    if (!copy.isDeclaration())
      copy->setAttr("llvm.linkage", internal);
    module.push_back(copy);
  }
  return success();
}

void CallSpecialPass::runOnOperation() {
  SmallVector<SpecialOp> ops;
  getOperation().walk([&](SpecialOp op) { ops.push_back(op); });
  if (ops.empty())
    return markAllAnalysesPreserved();
  OwningOpRef<ModuleOp> functions = parseSourceString<ModuleOp>(
      kFunctions, &getContext(), "special functions");
  if (!functions)
    return signalPassFailure();
  SymbolTable known(*functions);
  SetVector<func::FuncOp> callees;
  if (failed(call(ops, known, callees)) || failed(add(known, callees)))
    signalPassFailure();
}

} // namespace ein
