//===- RotateBuffers.cpp - Loops whose buffers change places --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stencil that is applied again and again reads one array and writes another,
// and in the next round the other way about:
//
//   scf.for … iter_args(%x = %a, %y = %b) { …  scf.yield %y, %x }
//
// Which array `%x` is depends on the round, so that no memory can be told. But
// after two rounds, or as many as the permutation of the memrefs has in its
// order, each is where it began. So the loop takes that many rounds at a time,
// in each of which the arrays are known, and what is left over follows in
// branches. If the memrefs that the loop returns are used, what follows the
// loop moves into these branches too.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/analysis/CompileBudget.h"
#include "passes/source/Passes.h"

namespace ein {
#define GEN_PASS_DEF_ROTATEBUFFERS
#include "passes/source/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static bool isMemref(Value value) { return isa<MemRefType>(value.getType()); }

/// After how many rounds each memref that `loop` carries is where it began, if
/// they only change places; none if they do something else, or nothing.
static std::optional<unsigned> getOrder(scf::ForOp loop) {
  SmallVector<unsigned> from(loop.getNumRegionIterArgs());
  unsigned numMemrefs = 0;
  llvm::SmallDenseSet<unsigned> seen;
  for (auto [i, yielded] : llvm::enumerate(loop.getYieldedValues())) {
    from[i] = i;
    if (!isMemref(yielded))
      continue;
    ++numMemrefs;
    auto argument = dyn_cast<BlockArgument>(yielded);
    if (!argument || argument.getOwner() != loop.getBody())
      return std::nullopt;
    from[i] = argument.getArgNumber() - loop.getNumInductionVars();
    if (!seen.insert(from[i]).second)
      return std::nullopt;
  }
  SmallVector<unsigned> current = from;
  unsigned order = 1;
  for (; !llvm::equal(current, llvm::seq<unsigned>(0, current.size()));
       ++order) {
    // Cycles of several lengths would be many rounds.
    if (order == numMemrefs)
      return std::nullopt;
    for (unsigned &position : current)
      position = from[position];
  }
  return order > 1 ? std::optional(order) : std::nullopt;
}

namespace {
class Rotator {
public:
  Rotator(scf::ForOp loop, unsigned order)
      : loop(loop), order(order), b(loop.getLoc(), loop) {}

  /// Whether what follows the loop can follow in branches.
  bool isPossible();
  void run();

private:
  /// A round at `position`; what is carried into it becomes what it hands on.
  void cloneRound(Value position, SmallVectorImpl<Value> &carried);
  SmallVector<Value> cloneRest(ArrayRef<Value> carried);
  SmallVector<Value> finish(unsigned round, SmallVector<Value> carried);
  Value constant(int64_t value) {
    return arith::ConstantOp::create(
        b, b.getIntegerAttr(loop.getInductionVar().getType(), value));
  }

  scf::ForOp loop;
  unsigned order;
  ImplicitLocOpBuilder b;
  /// What follows the loop in its block and uses memrefs of it, and all behind.
  SmallVector<Operation *> rest;
  /// What is used behind the branches, of the loop's results or the rest's.
  SmallVector<Value> needed;
  /// How many rounds are left over, and where the first of them is.
  Value left, first;
};
} // namespace

bool Rotator::isPossible() {
  Operation *terminator = loop->getBlock()->getTerminator();
  bool isUsed = false;
  for (Value result : loop.getResults()) {
    if (!isMemref(result))
      continue;
    isUsed |= !result.use_empty();
    if (llvm::is_contained(terminator->getOperands(), result))
      return false; // which array this is, is not known there
  }
  if (isUsed)
    for (Operation *op = loop->getNextNode(); op != terminator;
         op = op->getNextNode())
      rest.push_back(op);
  auto isOfRest = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op == loop || llvm::is_contained(rest, op);
  };
  if (!isUsed) {
    llvm::copy_if(loop.getResults(), std::back_inserter(needed),
                  [](Value result) { return !isMemref(result); });
    return true;
  }
  for (Value value : terminator->getOperands())
    if (isOfRest(value) && !llvm::is_contained(needed, value))
      needed.push_back(value);
  return llvm::none_of(needed, isMemref);
}

void Rotator::cloneRound(Value position, SmallVectorImpl<Value> &carried) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), position);
  mapping.map(loop.getRegionIterArgs(), carried);
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, mapping);
  carried.clear();
  for (Value value : loop.getYieldedValues())
    carried.push_back(mapping.lookupOrDefault(value));
}

SmallVector<Value> Rotator::cloneRest(ArrayRef<Value> carried) {
  IRMapping mapping;
  mapping.map(loop.getResults(), carried);
  for (Operation *op : rest)
    b.clone(*op, mapping);
  return llvm::map_to_vector(
      needed, [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// What is needed, if the rounds from `round` on are still to be done.
SmallVector<Value> Rotator::finish(unsigned round, SmallVector<Value> carried) {
  if (round + 1 == order)
    return cloneRest(carried);
  Value isMore = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, left,
                                       constant(round));
  auto branch = scf::IfOp::create(b, TypeRange(ValueRange(needed)), isMore,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  auto yield = [&](Block *block, ArrayRef<Value> values) {
    if (values.empty())
      return; // the builder has made the terminator
    b.setInsertionPointToEnd(block);
    scf::YieldOp::create(b, values);
  };
  auto enter = [&](Block *block) {
    if (block->empty())
      b.setInsertionPointToEnd(block);
    else
      b.setInsertionPoint(block->getTerminator());
  };
  enter(branch.elseBlock());
  yield(branch.elseBlock(), cloneRest(carried));
  enter(branch.thenBlock());
  Value position = arith::AddIOp::create(
      b, first, arith::MulIOp::create(b, constant(round), loop.getStep()));
  cloneRound(position, carried);
  yield(branch.thenBlock(), finish(round + 1, carried));
  return llvm::to_vector_of<Value>(branch.getResults());
}

void Rotator::run() {
  Value lower = loop.getLowerBound(), step = loop.getStep();
  Value length = arith::SubIOp::create(b, loop.getUpperBound(), lower);
  Value rounds = arith::MaxSIOp::create(
      b, arith::CeilDivSIOp::create(b, length, step), constant(0));
  left = arith::RemUIOp::create(b, rounds, constant(order));
  Value whole = arith::SubIOp::create(b, rounds, left);
  first =
      arith::AddIOp::create(b, lower, arith::MulIOp::create(b, whole, step));
  Value stride = arith::MulIOp::create(b, step, constant(order));

  // Values are carried; memrefs are the same in each of the larger rounds.
  SmallVector<Value> carried(loop.getInitArgs());
  SmallVector<Value> inits;
  llvm::copy_if(carried, std::back_inserter(inits),
                [](Value value) { return !isMemref(value); });
  auto withValues = [&](ValueRange values) {
    SmallVector<Value> all = carried;
    unsigned next = 0;
    for (Value &value : all)
      if (!isMemref(value))
        value = values[next++];
    return all;
  };
  auto larger = scf::ForOp::create(
      b, lower, first, stride, inits,
      [&](OpBuilder &inner, Location loc, Value position, ValueRange values) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inner.getInsertionBlock());
        SmallVector<Value> inside = withValues(values);
        for (unsigned round = 0; round < order; ++round) {
          Value place = position;
          if (round != 0)
            place = arith::AddIOp::create(
                b, position, arith::MulIOp::create(b, constant(round), step));
          cloneRound(place, inside);
        }
        llvm::erase_if(inside, isMemref);
        scf::YieldOp::create(b, inside);
      });
  larger->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  SmallVector<Value> results = finish(0, withValues(larger.getResults()));
  for (auto [value, result] : llvm::zip_equal(needed, results))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return use.getOwner()->getBlock() != loop->getBlock() ||
             !llvm::is_contained(rest, use.getOwner());
    });
  for (Operation *op : llvm::reverse(rest))
    op->erase();
  loop->erase();
}

/// A loop that is to take several rounds at a time, from the inside out.
static bool rotateOne(func::FuncOp function) {
  WalkResult result = function.walk([](scf::ForOp loop) {
    std::optional<unsigned> order =
        loop.getUnsignedCmp() ? std::nullopt : getOrder(loop);
    if (!order)
      return WalkResult::advance();
    Rotator rotator(loop, *order);
    if (!rotator.isPossible())
      return WalkResult::advance();
    rotator.run();
    return WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

namespace {
struct RotateBuffersPass : impl::RotateBuffersBase<RotateBuffersPass> {
  void runOnOperation() override {
    auto countOps = [&] {
      size_t count = 0;
      getOperation().walk([&](Operation *) { ++count; });
      return count;
    };
    // What follows a loop may be another, of which there are several then, so
    // that a row of loops would grow exponentially. The rest stays in memory.
    size_t limit = CompileBudget::kMostGrowth * countOps();
    while (rotateOne(getOperation()) && countOps() < limit)
      ;
  }
};
} // namespace

} // namespace ein
