//===- Parallelize.cpp - Parallel loops, and what each thread owns --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On tensors a loop that was given to threads is an `scf.for` with a mark: its
// iterations do not need each other's values. Which memory they share is known
// after bufferisation only, and there is where a race could come in: a buffer
// that was hoisted out of the loop is written by every iteration. So each write
// in the loop is followed to its buffer. One that is to another place in every
// iteration is what the mark is about. One that is not goes to scratch: as
// values, what an iteration leaves there is seen by none of the others and by
// nobody after the loop, or the mark would be wrong. Scratch of static size
// becomes a buffer on the stack in each iteration, with views of its own; with
// any other the loop stays as it is.
//
// Two marked loops, one in the other, become one parallel loop of two dims:
// threads then share a few columns of many rows as evenly as a few rows of many
// columns.
//
//===----------------------------------------------------------------------===//

#include "abi/StackBytes.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/memref/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_PARALLELIZE
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// What a loop writes.
class Writes {
public:
  explicit Writes(scf::ForOp loop) : loop(loop) {}

  /// Fails if something is written that is neither another place in each
  /// iteration nor scratch.
  LogicalResult analyze();
  ArrayRef<memref::AllocOp> getScratch() const { return scratch.getArrayRef(); }

private:
  /// Whether the value differs between iterations, as far as it can be told.
  enum class Answer { No, Yes, Unknown };
  Answer varies(Value value);
  Answer anyVaries(ValueRange values);
  LogicalResult addWrite(Operation *op, Value memref);

  scf::ForOp loop;
  llvm::DenseMap<Value, Answer> known;
  llvm::SetVector<memref::AllocOp> scratch;
};

} // namespace

Writes::Answer Writes::varies(Value value) {
  if (value == loop.getInductionVar())
    return Answer::Yes;
  if (loop.isDefinedOutsideOfLoop(value))
    return Answer::No;
  auto [entry, isNew] = known.try_emplace(value, Answer::Unknown);
  if (!isNew)
    return entry->second;
  Answer answer = Answer::Unknown;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // An inner loop's variable varies with where it begins: with its end alone
    // it has values that are the same. What a loop carries could be anything.
    auto inner = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (inner && inner.getInductionVar() == value)
      answer = varies(inner.getLowerBound());
  } else {
    Operation *source = value.getDefiningOp();
    bool isOfIndices = llvm::all_of(source->getOperandTypes(), [](Type type) {
      return type.isIntOrIndex();
    });
    if (isOfIndices && source->getNumRegions() == 0)
      answer = anyVaries(source->getOperands());
  }
  known[value] = answer;
  return answer;
}

Writes::Answer Writes::anyVaries(ValueRange values) {
  Answer answer = Answer::No;
  for (Value value : values) {
    if (!value.getType().isIntOrIndex())
      continue;
    Answer ofValue = varies(value);
    if (ofValue == Answer::Yes)
      return Answer::Yes;
    if (ofValue == Answer::Unknown)
      answer = Answer::Unknown;
  }
  return answer;
}

/// Where in its buffer a view begins or an op writes. How much that is says
/// nothing: parts of different sizes may begin at one place.
static ValueRange getPosition(Operation *op) {
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return view.getOffsets();
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(op))
    return view.getOffsets();
  if (isa<memref::ViewOp>(op)) // the source, the shift, sizes
    return op->getOperands().slice(1, 1);
  if (isa<ViewLikeOpInterface>(op))
    return {};
  return op->getOperands();
}

LogicalResult Writes::addWrite(Operation *op, Value memref) {
  // Where the op writes, and where in its buffer that is.
  bool isClear = true;
  for (Operation *step = op; step;
       step = memref.getDefiningOp<ViewLikeOpInterface>()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(step))
      memref = view.getViewSource();
    Answer answer = anyVaries(getPosition(step));
    if (answer == Answer::Yes)
      return success();
    isClear &= answer == Answer::No;
  }
  auto alloc = memref.getDefiningOp<memref::AllocOp>();
  if (!isClear || !alloc || !alloc.getType().hasStaticShape())
    return failure();
  scratch.insert(alloc);
  return success();
}

LogicalResult Writes::analyze() {
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    // A structured op has effects of its own and a region as well.
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface && op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    if (!interface)
      return WalkResult::interrupt();
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (MemoryEffects::EffectInstance &effect : effects) {
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        continue;
      Value memref = effect.getValue();
      if (!memref || !isa<MemoryEffects::Write>(effect.getEffect()) ||
          failed(addWrite(op, memref)))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// What buffers of static size take.
static int64_t getBytes(ArrayRef<memref::AllocOp> allocs) {
  int64_t bytes = 0;
  for (memref::AllocOp alloc : allocs)
    bytes +=
        alloc.getType().getNumElements() * getElementBytes(alloc.getType());
  return bytes;
}

/// The marked loop that is all there is in `loop` but for address arithmetic.
static scf::ForOp getInnerLoop(scf::ForOp loop) {
  scf::ForOp inner;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto candidate = dyn_cast<scf::ForOp>(op);
    if (!candidate && isMemoryEffectFree(&op))
      continue;
    if (!candidate || inner || !candidate->hasAttr(EinDialect::kParallelAttr))
      return nullptr;
    inner = candidate;
  }
  auto isOutside = [&](Value value) {
    return loop.isDefinedOutsideOfLoop(value);
  };
  if (!inner || inner.getNumResults() != 0 ||
      !llvm::all_of(inner->getOperands(), isOutside))
    return nullptr;
  return inner;
}

/// In the loop's body, `local` for `buffer`, and views of the one for views of
/// the other: those are often made outside, where they do not change.
static void replaceInside(RewriterBase &rewriter, scf::ParallelOp loop,
                          Value buffer, Value local) {
  for (Operation *user : llvm::to_vector(buffer.getUsers())) {
    auto view = dyn_cast<ViewLikeOpInterface>(user);
    if (!view || view.getViewSource() != buffer || loop->isProperAncestor(user))
      continue;
    IRMapping mapping;
    mapping.map(buffer, local);
    Operation *copy = rewriter.clone(*user, mapping);
    replaceInside(rewriter, loop, user->getResult(0), copy->getResult(0));
  }
  rewriter.replaceUsesWithIf(buffer, local, [&](OpOperand &use) {
    return loop->isProperAncestor(use.getOwner());
  });
}

/// Replaces `loop` and `inner`, if that is not null; their bodies are moved.
static void makeParallel(RewriterBase &rewriter, scf::ForOp loop,
                         scf::ForOp inner, ArrayRef<memref::AllocOp> scratch) {
  SmallVector<scf::ForOp> loops = {loop};
  if (inner)
    loops.push_back(inner);
  SmallVector<Value> lower, upper, step, ivs;
  for (scf::ForOp each : loops) {
    lower.push_back(each.getLowerBound());
    upper.push_back(each.getUpperBound());
    step.push_back(each.getStep());
  }
  rewriter.setInsertionPoint(loop);
  auto parallel =
      scf::ParallelOp::create(rewriter, loop.getLoc(), lower, upper, step);
  parallel->setAttr(EinDialect::kParallelAttr,
                    loop->getAttr(EinDialect::kParallelAttr));
  Block *body = parallel.getBody();
  if (inner) {
    rewriter.eraseOp(inner.getBody()->getTerminator());
    rewriter.inlineBlockBefore(inner.getBody(), inner,
                               {parallel.getInductionVars()[1]});
    rewriter.eraseOp(inner);
  }
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), body->getTerminator(),
                             {parallel.getInductionVars()[0]});
  rewriter.eraseOp(loop);
  rewriter.setInsertionPointToStart(body);
  for (memref::AllocOp alloc : scratch) {
    auto local = memref::AllocaOp::create(
        rewriter, alloc.getLoc(), alloc.getType(), alloc.getAlignmentAttr());
    replaceInside(rewriter, parallel, alloc, local);
  }
}

static bool canBeParallel(scf::ForOp loop) {
  Writes writes(loop);
  return succeeded(writes.analyze()) &&
         getBytes(writes.getScratch()) <= kMostStackBytes;
}

namespace {
struct ParallelizePass : impl::ParallelizeBase<ParallelizePass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    if (failed(makeLoops(rewriter)))
      return signalPassFailure();
    // From the outermost inwards: threads are shared out once.
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (!loop->hasAttr(EinDialect::kParallelAttr) ||
          loop.getNumResults() != 0)
        return WalkResult::advance();
      if (!canBeParallel(loop)) {
        ++numDeclined;
        return WalkResult::advance();
      }
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForOp loop : loops) {
      Writes writes(loop);
      (void)writes.analyze();
      // The inner loop's iterations may share what the outer's do not.
      scf::ForOp inner = getInnerLoop(loop);
      if (inner && !canBeParallel(inner))
        inner = nullptr;
      llvm::SetVector<memref::AllocOp> scratch(writes.getScratch().begin(),
                                               writes.getScratch().end());
      if (inner) {
        Writes innerWrites(inner);
        (void)innerWrites.analyze();
        scratch.insert(innerWrites.getScratch().begin(),
                       innerWrites.getScratch().end());
      }
      makeParallel(rewriter, loop, inner, scratch.getArrayRef());
      ++numParallel;
    }
  }

private:
  /// The loops of structured ops that are loops anyway.
  LogicalResult makeLoops(RewriterBase &rewriter) {
    for (auto op : collectWithSchedule<linalg::LinalgOp>(getOperation(),
                                                         Schedule::Loops)) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule))
        return failure();
      if (schedule->parallelDim < 0)
        continue;
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::LinalgLoops> loops =
          linalg::linalgOpToLoops(rewriter, op);
      if (failed(loops))
        return op.emitOpError("cannot be made loops");
      (*loops)[schedule->parallelDim]->setAttr(
          EinDialect::kParallelAttr,
          rewriter.getI64IntegerAttr(schedule->minPoints));
      rewriter.eraseOp(op);
    }
    return success();
  }
};
} // namespace

} // namespace ein
