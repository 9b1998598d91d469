//===- PassByTable.cpp - Arguments in memory ------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array of two dims is seven arguments, so a function of a thousand arrays
// has thousands, which are all there from its first instruction on. LLVM, which
// loads them from the stack at the beginning, takes more than four times as
// long for twice as many. Where the function loads from a table what it needs
// where it needs it, nothing lives longer than an instruction or two.
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/entry/PassByTable.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/analysis/CompileBudget.h"
#include "passes/llvm/entry/TableHelpers.h"

using namespace mlir;

namespace ein {

static bool fitsSlot(Type type) {
  return isa<LLVM::LLVMPointerType>(type) ||
         (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64);
}

static Value getSlot(ImplicitLocOpBuilder &b, Value table, size_t number) {
  return LLVM::GEPOp::create(b, table.getType(), b.getI64Type(), table,
                             ArrayRef<LLVM::GEPArg>{int32_t(number)});
}

/// Loads each argument where it is used.
static void loadArguments(LLVM::LLVMFuncOp function) {
  Block &entry = function.getBody().front();
  ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  unsigned count = entry.getNumArguments();
  Value table = entry.addArgument(pointer, function.getLoc());
  for (unsigned i = 0; i < count; ++i) {
    BlockArgument argument = entry.getArgument(i);
    for (OpOperand &use : llvm::make_early_inc_range(argument.getUses())) {
      b.setInsertionPoint(use.getOwner());
      use.set(
          LLVM::LoadOp::create(b, argument.getType(), getSlot(b, table, i)));
    }
  }
  entry.eraseArguments(0, count);
  LLVM::LLVMFunctionType type = function.getFunctionType();
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), {pointer}));
  function.removeArgAttrsAttr();
}

/// Stores the arguments of a call, and passes where they are.
static void storeArguments(LLVM::CallOp call, LLVM::LLVMFuncOp function) {
  ImplicitLocOpBuilder b(call.getLoc(), call);
  Value table = createTable(b, llvm::to_vector(call.getArgOperands()));
  auto own = LLVM::CallOp::create(b, function, ValueRange{table});
  call->replaceAllUsesWith(own);
  call.erase();
}

void cutBlocks(LLVM::LLVMFuncOp function) {
  OpBuilder b(function.getContext());
  SmallVector<Operation *> starts;
  for (Block &block : function.getBody()) {
    unsigned length = 0;
    for (Operation &op : block)
      if (++length > CompileBudget::kLongestBlock && !isa<LLVM::AllocaOp>(op)) {
        starts.push_back(&op);
        length = 1;
      }
  }
  // From the end: all that follows moves to a new block.
  for (Operation *op : llvm::reverse(starts)) {
    Block *block = op->getBlock(), *next = block->splitBlock(op);
    b.setInsertionPointToEnd(block);
    LLVM::BrOp::create(b, function.getLoc(), next);
  }
}

bool passByTable(LLVM::LLVMFuncOp function) {
  if (function.isExternal() || function.isVarArg() ||
      function.getNumArguments() <= CompileBudget::kFewArguments ||
      !llvm::all_of(function.getArgumentTypes(), fitsSlot))
    return false;
  auto uses = SymbolTable::getSymbolUses(function,
                                         function->getParentOfType<ModuleOp>());
  if (!uses)
    return false;
  SmallVector<LLVM::CallOp> calls;
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto call = dyn_cast<LLVM::CallOp>(use.getUser());
    if (!call || call.getVarCalleeType())
      return false;
    calls.push_back(call);
  }
  loadArguments(function);
  for (LLVM::CallOp call : calls)
    storeArguments(call, function);
  return true;
}

} // namespace ein
