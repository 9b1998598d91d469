//===- AskForTiles.cpp - The system's leave to use tiles ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linux saves the tiles of AMX, 8 KiB, for processes that have asked for it,
// by arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)
// (Documentation/arch/x86/xstate.rst). In others the first instruction on
// tiles is a signal. Nobody but this code knows that it uses them, so entries
// ask. It is one system call, which needs no library; that all threads have
// leave then, for good, is a byte. Threads that come first at once all ask,
// which is harmless. A machine without tiles, and a system that does not know
// them, refuse.
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/entry/AskForTiles.h"
#include "abi/Codes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace ein {

static constexpr StringLiteral kAsk = "__ein_ask_for_tiles",
                               kGranted = "__ein_tiles_granted";

bool usesTiles(LLVM::LLVMFuncOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  SmallVector<LLVM::LLVMFuncOp> functions = {kernel};
  llvm::SmallPtrSet<Operation *, 8> seen = {kernel};
  for (size_t next = 0; next < functions.size(); ++next) {
    bool isFound = functions[next]
                       ->walk([&](Operation *op) {
                         if (llvm::any_of(op->getResultTypes(), [](Type type) {
                               return isa<LLVM::LLVMX86AMXType>(type);
                             }))
                           return WalkResult::interrupt();
                         auto call = dyn_cast<LLVM::CallOp>(op);
                         if (!call || !call.getCallee())
                           return WalkResult::advance();
                         auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(
                             *call.getCallee());
                         if (callee && seen.insert(callee).second)
                           functions.push_back(callee);
                         return WalkResult::advance();
                       })
                       .wasInterrupted();
    if (isFound)
      return true;
  }
  return false;
}

LLVM::LLVMFuncOp getOrCreateTileRequest(ModuleOp module) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kAsk))
    return function;
  // <asm/unistd_64.h>, <asm/prctl.h>, and the SDM, vol. 1, ch. 13.
  constexpr int64_t kArchPrctl = 158, kRequest = 0x1023, kTileData = 18;
  ImplicitLocOpBuilder b(module.getLoc(), module.getContext());
  b.setInsertionPointToStart(module.getBody());
  auto granted = LLVM::GlobalOp::create(b, b.getI8Type(), /*isConstant=*/false,
                                        LLVM::Linkage::Internal, kGranted,
                                        b.getI8IntegerAttr(0));
  auto function = LLVM::LLVMFuncOp::create(
      b, kAsk, LLVM::LLVMFunctionType::get(b.getI32Type(), {}),
      LLVM::Linkage::Internal);
  auto constant = [&](Type type, int64_t value) -> Value {
    return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  };
  auto returnCode = [&](runtime::Code code) {
    LLVM::ReturnOp::create(
        b, constant(b.getI32Type(), static_cast<int64_t>(code)));
  };
  Block *entry = function.addEntryBlock(b);
  Block *ask = b.createBlock(&function.getBody(), function.getBody().end());
  Block *remember =
      b.createBlock(&function.getBody(), function.getBody().end());
  Block *good = b.createBlock(&function.getBody(), function.getBody().end());
  Block *bad = b.createBlock(&function.getBody(), function.getBody().end());

  b.setInsertionPointToStart(entry);
  Value flag = LLVM::AddressOfOp::create(b, granted);
  Value known = LLVM::LoadOp::create(
      b, b.getI8Type(), flag, /*alignment=*/1, /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
  Value isKnown = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, known,
                                       constant(b.getI8Type(), 0));
  LLVM::CondBrOp::create(b, isKnown, good, ask);

  b.setInsertionPointToStart(ask);
  SmallVector<Value> operands;
  for (int64_t value : {kArchPrctl, kRequest, kTileData})
    operands.push_back(constant(b.getI64Type(), value));
  auto call = LLVM::InlineAsmOp::create(
      b, b.getI64Type(), operands, "syscall",
      "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},"
      "~{flags}",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      /*operand_attrs=*/ArrayAttr());
  Value isGranted = LLVM::ICmpOp::create(
      b, LLVM::ICmpPredicate::eq, call.getRes(), constant(b.getI64Type(), 0));
  LLVM::CondBrOp::create(b, isGranted, remember, bad);

  b.setInsertionPointToStart(remember);
  LLVM::StoreOp::create(b, constant(b.getI8Type(), 1), flag, /*alignment=*/1,
                        /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false,
                        LLVM::AtomicOrdering::monotonic);
  LLVM::BrOp::create(b, good);

  b.setInsertionPointToStart(good);
  returnCode(runtime::Code::Ok);
  b.setInsertionPointToStart(bad);
  returnCode(runtime::Code::NoTiles);
  return function;
}

} // namespace ein
