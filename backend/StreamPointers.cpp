//===- StreamPointers.cpp - One pointer for rows read side by side --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the micro-kernel of few columns multiplies each vector of B by
// elements of A that the instruction broadcasts from memory,
//
//   vfmadd231ps 2048(%rcx,%r10,4){1to16}, %zmm8, %zmm1
//
// of which Intel's cores make two operations because of the index register:
// with three registers and an address of two there is no room for one. LLVM's
// loop strength reduction saves the register that a pointer needs, and has no
// option for this.
//
// Choice: such loads of a loop that lie a known distance apart get one pointer,
// which the loop advances. What it is after a step is hidden from strength
// reduction by `llvm.launder.invariant.group`, which means nothing here, is no
// instruction, and is removed after it.
//
// Consequence: one addition more for each step of the loop, and one operation
// less for each multiply-add.
//
//===----------------------------------------------------------------------===//

#include "backend/StreamPointers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ein {
namespace {

/// Loads that lie a constant number of bytes from where the first one's pointer
/// is, which all steps of the loop advance by `step` bytes.
struct Stream {
  const SCEVAddRecExpr *pointer;
  int64_t step;
  SmallVector<std::pair<LoadInst *, int64_t>> loads;
};

/// Whether all that is done with the element is one operation of a vector of
/// it.
bool isBroadcastOnce(LoadInst &load) {
  using namespace PatternMatch;
  if (load.getType()->isVectorTy() || !load.isSimple() || !load.hasOneUse())
    return false;
  auto *insert = dyn_cast<InsertElementInst>(load.user_back());
  if (!insert || !insert->hasOneUse() ||
      !match(insert, m_InsertElt(m_Value(), m_Specific(&load), m_ZeroInt())))
    return false;
  auto *splat = dyn_cast<ShuffleVectorInst>(insert->user_back());
  // Of several registers, it is an instruction of its own.
  constexpr unsigned kWidest = 512;
  return splat && splat->hasOneUse() && splat->isZeroEltSplat() &&
         splat->getType()->getPrimitiveSizeInBits() <= kWidest;
}

SmallVector<Stream> findStreams(const Loop &loop, ScalarEvolution &evolution) {
  SmallVector<Stream> streams;
  auto add = [&](LoadInst &load) {
    auto *pointer =
        dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(load.getPointerOperand()));
    if (!pointer || pointer->getLoop() != &loop || !pointer->isAffine())
      return;
    auto *step = dyn_cast<SCEVConstant>(pointer->getStepRecurrence(evolution));
    if (!step)
      return;
    for (Stream &stream : streams) {
      std::optional<APInt> distance =
          evolution.computeConstantDifference(pointer, stream.pointer);
      // Which is an immediate of the instruction.
      if (!distance || !distance->isSignedIntN(31))
        continue;
      stream.loads.push_back({&load, distance->getSExtValue()});
      return;
    }
    streams.push_back({pointer, step->getAPInt().getSExtValue(), {{&load, 0}}});
  };
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        if (isBroadcastOnce(*load))
          add(*load);
  return streams;
}

/// Has the loads of a stream be relative to a pointer of its own.
void createPointer(const Loop &loop, const Stream &stream, Value *start) {
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  IRBuilder<> b(header, header->begin());
  PHINode *pointer = b.CreatePHI(start->getType(), 2, "stream");
  b.SetInsertPoint(latch->getTerminator());
  Value *next = b.CreatePtrAdd(b.CreateLaunderInvariantGroup(pointer),
                               b.getInt64(stream.step));
  pointer->addIncoming(start, loop.getLoopPreheader());
  pointer->addIncoming(next, latch);
  for (auto [load, distance] : stream.loads) {
    b.SetInsertPoint(load);
    Value *old = load->getPointerOperand();
    load->setOperand(LoadInst::getPointerOperandIndex(),
                     b.CreatePtrAdd(pointer, b.getInt64(distance)));
    RecursivelyDeleteTriviallyDeadInstructions(old);
  }
}

} // namespace

void createStreamPointers(Module &module, FunctionAnalysisManager &analyses) {
  // Fewer are not worth the addition.
  constexpr size_t kLeastLoads = 4;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *loop :
         analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
      BasicBlock *preheader = loop->getLoopPreheader();
      if (!loop->isInnermost() || !preheader || !loop->getLoopLatch())
        continue;
      SmallVector<Stream> streams = findStreams(*loop, evolution);
      llvm::erase_if(streams, [&](const Stream &stream) {
        return stream.loads.size() < kLeastLoads;
      });
      SCEVExpander expander(evolution, "stream");
      SmallVector<Value *> starts;
      for (const Stream &stream : streams)
        starts.push_back(expander.expandCodeFor(
            stream.pointer->getStart(),
            stream.loads.front().first->getPointerOperandType(),
            preheader->getTerminator()));
      for (auto [stream, start] : llvm::zip_equal(streams, starts))
        createPointer(*loop, stream, start);
      evolution.forgetLoop(loop);
    }
    analyses.invalidate(function, PreservedAnalyses::none());
  }
}

} // namespace ein
