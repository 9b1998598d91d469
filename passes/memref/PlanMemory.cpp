//===- PlanMemory.cpp - One allocation for all temporaries --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each allocation can fail, and code that has half of its buffers would have to
// give them back before it says so. So all temporaries of a function become
// parts of one buffer, whose size is computed from the function's arguments
// before anything else happens: there is one call that can fail, and nothing to
// undo when it does.
//
// Two temporaries may have one place, if the one is used no more when the other
// is used first: a place is as large as the largest that it has. That is
// colouring an interval graph from left to right (linear scan; Poletto and
// Sarkar, "Linear scan register allocation", section 4), with a choice of the
// place that fits best where sizes are known.
//
// Sizes may be anything that the caller likes, as long as his own arrays exist:
// the product of two vectors of 2^33 elements has 2^66. So what is asked for
// stops growing where there is no such memory on any machine. The call fails
// then, as it does for less.
//
// What only one branch of an `scf.if` uses is a part only if that branch will
// be taken, where that can be told from the arguments; and if no part is
// needed, nothing is allocated. A small product, which packs nothing, then does
// not pay for the panels of a large one.
//
//===----------------------------------------------------------------------===//

#include "abi/CacheLine.h"
#include "ir/IndexNames.h"
#include "ir/WrittenForm.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/memref/Passes.h"
#include "passes/memref/PrintSizes.h"

namespace ein {
#define GEN_PASS_DEF_PLANMEMORY
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Parts of the buffer start at cache lines.
static constexpr int64_t kAlignment = kCacheLineBytes;

/// As many bytes nobody has. Two of them, and what an allocation adds, are
/// still a number of 63 bits.
static constexpr int64_t kMostBytes = int64_t(1) << 56;

/// The product of two numbers without a sign, or kMostBytes if it is more.
static Value multiply(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  Type wide = b.getI64Type();
  auto product = arith::MulUIExtendedOp::create(
      b, arith::IndexCastOp::create(b, wide, lhs),
      arith::IndexCastOp::create(b, wide, rhs));
  Value most = arith::ConstantIntOp::create(b, kMostBytes, 64);
  Value isLarge =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, product.getHigh(),
                            arith::ConstantIntOp::create(b, 0, 64));
  Value result = arith::MinUIOp::create(
      b, arith::SelectOp::create(b, isLarge, most, product.getLow()), most);
  return arith::IndexCastOp::create(b, b.getIndexType(), result);
}

/// The sum of two numbers that are kMostBytes at most, or that if it is more.
static OpFoldResult add(ImplicitLocOpBuilder &b, OpFoldResult lhs,
                        OpFoldResult rhs) {
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  if (isConstantIntValue(lhs, 0))
    return rhs;
  if (getConstantIntValue(lhs) && getConstantIntValue(rhs))
    return affine::makeComposedFoldedAffineApply(b, b.getLoc(), d0 + d1,
                                                 {lhs, rhs});
  return affine::makeComposedFoldedAffineMin(
      b, b.getLoc(),
      AffineMap::get(2, 0, {d0 + d1, b.getAffineConstantExpr(kMostBytes)},
                     b.getContext()),
      {lhs, rhs});
}

/// The bytes of a buffer, up to the next multiple of the alignment.
static OpFoldResult getBytes(ImplicitLocOpBuilder &b, memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  int64_t fixed = getElementBytes(type);
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      fixed *= extent;
  if (alloc.getDynamicSizes().empty())
    return b.getIndexAttr(llvm::alignTo(fixed, kAlignment));
  Value bytes = arith::ConstantIndexOp::create(b, fixed);
  for (Value extent : alloc.getDynamicSizes())
    bytes = multiply(b, extent, bytes);
  AffineExpr d0 = b.getAffineDimExpr(0);
  return affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), d0.ceilDiv(kAlignment) * kAlignment,
      {OpFoldResult(bytes)});
}

namespace {
/// The allocations of one block.
struct Group {
  SmallVector<memref::AllocOp> allocs;
  /// Whether the block will run, known before anything happens; null: always,
  /// or who knows.
  Value condition;
};
} // namespace

/// Whether the buffer is allocated in a branch, and given back there. What a
/// branch gives to others, and what is in loops, has its own way.
static bool isOfBranch(memref::AllocOp alloc) {
  Operation *parent = alloc->getParentOp();
  while (isa<scf::IfOp>(parent))
    parent = parent->getParentOp();
  return isa<func::FuncOp>(parent) &&
         llvm::any_of(alloc->getUsers(), [&](Operation *user) {
           return isa<memref::DeallocOp>(user) &&
                  user->getBlock() == alloc->getBlock();
         });
}

/// Has what the sizes of the allocations are computed from come before `first`,
/// and what decides whether they happen. Those of branches for which that is
/// not possible are left out.
static FailureOr<SmallVector<Group>>
collectGroups(RewriterBase &rewriter, func::FuncOp function, Operation *first) {
  Block *entry = &function.getBody().front();
  llvm::MapVector<Block *, SmallVector<memref::AllocOp>> blocks;
  WalkResult result = function.walk([&](memref::AllocOp alloc) {
    Block *block = alloc->getBlock();
    if (block != entry && !isOfBranch(alloc))
      return WalkResult::advance();
    if (succeeded(
            moveValueDefinitions(rewriter, alloc.getDynamicSizes(), first))) {
      blocks[block].push_back(alloc);
    } else if (block == entry) {
      alloc.emitOpError("has a size that depends on what the function "
                        "computes");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();

  ImplicitLocOpBuilder b(function.getLoc(), rewriter);
  b.setInsertionPoint(first);
  SmallVector<Group> groups;
  for (auto &[block, allocs] : blocks) {
    Group group = {allocs, {}};
    for (Block *inner = block; inner != entry;) {
      auto branch = cast<scf::IfOp>(inner->getParentOp());
      Value condition = branch.getCondition();
      if (succeeded(moveValueDefinitions(rewriter, condition, first))) {
        if (inner->getParent() == &branch.getElseRegion())
          condition = arith::XOrIOp::create(
              b, condition, arith::ConstantIntOp::create(b, 1, 1));
        group.condition =
            group.condition
                ? arith::AndIOp::create(b, group.condition, condition)
                : condition;
      }
      inner = branch->getBlock();
    }
    groups.push_back(group);
  }
  return groups;
}

namespace {
/// Part of the buffer, which temporaries have one after the other.
struct Place {
  SmallVector<memref::AllocOp> allocs;
  OpFoldResult bytes;
  /// How its size is printed.
  std::string text;
  /// The number of the last op that uses what is there.
  unsigned lastUse;
};

/// The first and the last op of a block that use a buffer.
struct Lifetime {
  memref::AllocOp alloc;
  unsigned firstUse, lastUse;
};
} // namespace

/// All ops that use the buffer, under whatever name.
static void visitUsers(memref::AllocOp alloc,
                       llvm::function_ref<void(Operation *)> visit) {
  SmallVector<Value> names = {alloc};
  llvm::DenseSet<Value> known = {alloc};
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (isa<BaseMemRefType>(value.getType()) && known.insert(value).second)
        names.push_back(value);
  };
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (isa<memref::DeallocOp>(user))
        continue;
      add(user->getResults());
      for (Region &region : user->getRegions())
        for (Block &block : region)
          add(block.getArguments());
      if (user->hasTrait<OpTrait::IsTerminator>()) {
        add(user->getParentOp()->getResults());
        for (Region &region : user->getParentOp()->getRegions())
          for (Block &block : region)
            add(block.getArguments());
      }
      visit(user);
    }
}

/// Of the ops of `block`, by their numbers, those between which the buffer is
/// in use.
static Lifetime
getLifetime(memref::AllocOp alloc,
            const llvm::DenseMap<Operation *, unsigned> &numbers) {
  Lifetime lifetime = {alloc, std::numeric_limits<unsigned>::max(), 0};
  visitUsers(alloc, [&](Operation *user) {
    Operation *inBlock = alloc->getBlock()->findAncestorOpInBlock(*user);
    unsigned number = numbers.lookup(inBlock);
    lifetime.firstUse = std::min(lifetime.firstUse, number);
    lifetime.lastUse = std::max(lifetime.lastUse, number);
  });
  return lifetime;
}

static bool haveEqualBytes(memref::AllocOp a, memref::AllocOp b) {
  return a.getType().getShape() == b.getType().getShape() &&
         getElementBytes(a.getType()) == getElementBytes(b.getType()) &&
         a.getDynamicSizes() == b.getDynamicSizes();
}

/// How badly a place of some bytes fits a buffer: first what neither has to
/// grow nor wastes anything.
static int64_t getMisfit(OpFoldResult place, OpFoldResult wanted) {
  std::optional<int64_t> has = getConstantIntValue(place),
                         needs = getConstantIntValue(wanted);
  constexpr int64_t kDynamic = std::numeric_limits<int64_t>::max();
  return has && needs ? std::abs(*has - *needs) : kDynamic;
}

/// The temporaries of one block, those that are never in use together in one
/// place.
static SmallVector<Place> findPlaces(ImplicitLocOpBuilder &b,
                                     ArrayRef<memref::AllocOp> allocs,
                                     SizePrinter &printer) {
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (Operation &op : *allocs.front()->getBlock())
    numbers[&op] = numbers.size();
  SmallVector<Lifetime> lifetimes;
  for (memref::AllocOp alloc : allocs)
    lifetimes.push_back(getLifetime(alloc, numbers));
  llvm::stable_sort(lifetimes, [](const Lifetime &a, const Lifetime &b) {
    return a.firstUse < b.firstUse;
  });

  SmallVector<Place> places;
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  for (const Lifetime &lifetime : lifetimes) {
    OpFoldResult bytes = getBytes(b, lifetime.alloc);
    std::string text = printer.printBytes(lifetime.alloc);
    Place *best = nullptr;
    int64_t leastMisfit = 0;
    for (Place &place : places) {
      if (place.lastUse >= lifetime.firstUse)
        continue;
      int64_t misfit = haveEqualBytes(place.allocs.front(), lifetime.alloc)
                           ? -1
                           : getMisfit(place.bytes, bytes);
      if (!best || misfit < leastMisfit) {
        best = &place;
        leastMisfit = misfit;
      }
    }
    if (!best) {
      places.push_back({{lifetime.alloc}, bytes, text, lifetime.lastUse});
      continue;
    }
    if (leastMisfit >= 0) {
      std::optional<int64_t> has = getConstantIntValue(best->bytes),
                             needs = getConstantIntValue(bytes);
      if (!has || !needs) {
        best->text = "max(" + best->text + ", " + text + ")";
        best->bytes = affine::makeComposedFoldedAffineMax(
            b, b.getLoc(), AffineMap::get(2, 0, {d0, d1}, b.getContext()),
            {best->bytes, bytes});
      } else if (*has < *needs) {
        best->text = text;
        best->bytes = bytes;
      }
    }
    best->allocs.push_back(lifetime.alloc);
    best->lastUse = lifetime.lastUse;
  }
  return places;
}

/// A buffer of so many bytes; allocated only if `isNeeded`, if that is given.
static Value createArena(ImplicitLocOpBuilder &b, Value bytes, Value isNeeded) {
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
  auto create = [&](OpBuilder &builder, Location loc) -> Value {
    return memref::AllocOp::create(builder, loc, type, bytes,
                                   builder.getI64IntegerAttr(kAlignment));
  };
  if (!isNeeded)
    return create(b, b.getLoc());
  auto branch = scf::IfOp::create(
      b, isNeeded,
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, create(inner, loc));
      },
      [&](OpBuilder &inner, Location loc) {
        Value none = ub::PoisonOp::create(inner, loc, type);
        scf::YieldOp::create(inner, loc, none);
      });
  return branch.getResult(0);
}

static remark::detail::InFlightRemark report(Location loc, StringRef name) {
  return remark::analysis(loc,
                          remark::RemarkOpts::name(name).category("memory"));
}

namespace {
/// What a function does one after the other, and when it uses which temporary:
/// facts for who draws it.
class Steps {
public:
  explicit Steps(func::FuncOp function)
      : isWanted(function.getContext()->getRemarkEngine()) {
    if (isWanted)
      collect(function.getBody().front());
  }

  /// Says of a temporary what it takes, in which place, from when to when.
  void report(memref::AllocOp alloc, SizePrinter &printer, unsigned place,
              bool isFirst) const;

private:
  /// Branches are looked into, and loops that have steps.
  void collect(Block &block);

  bool isWanted;
  llvm::DenseMap<Operation *, unsigned> numbers;
};
} // namespace

using Fact = remark::detail::Remark::Arg;

/// Whether a loop does several things one after the other, in it or in the only
/// loop in it.
static bool hasSteps(scf::ForOp loop) {
  auto isNest = [](Operation &op) { return op.getNumRegions() != 0; };
  auto nests = llvm::make_filter_range(loop.getBody()->getOperations(), isNest);
  if (llvm::hasSingleElement(nests))
    if (auto inner = dyn_cast<scf::ForOp>(*nests.begin()))
      return hasSteps(inner);
  return llvm::range_size(nests) > 1;
}

void Steps::collect(Block &block) {
  for (Operation &op : block) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (isa<scf::IfOp>(op) || (loop && hasSteps(loop))) {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          collect(inner);
      continue;
    }
    if (op.getNumRegions() == 0 && !isa<CallOpInterface, memref::CopyOp>(op))
      continue;
    unsigned number = numbers.size();
    if (number == CompileBudget::kReportedSteps)
      return;
    numbers[&op] = number;
    ein::report(op.getLoc(), "Step")
        << Fact("step", number) << Fact("op", op.getName().getStringRef());
  }
}

void Steps::report(memref::AllocOp alloc, SizePrinter &printer, unsigned place,
                   bool isFirst) const {
  if (!isWanted)
    return;
  unsigned first = std::numeric_limits<unsigned>::max(), last = 0;
  visitUsers(alloc, [&](Operation *user) {
    for (; user; user = user->getParentOp())
      if (auto found = numbers.find(user); found != numbers.end()) {
        first = std::min(first, found->second);
        last = std::max(last, found->second);
        return;
      }
  });
  std::string bytes = printer.printBytes(alloc);
  auto remark = ein::report(alloc.getLoc(), "Temporary");
  remark << ("a temporary of " + bytes + " bytes" +
             (isFirst ? "" : ", in the place of one before it"))
         << Fact("name", getTensorName(alloc.getLoc()))
         << Fact("formula", bytes) << Fact("place", place);
  if (std::optional<int64_t> count = printer.evaluateBytes(alloc))
    remark << Fact("bytes", *count);
  if (first <= last)
    remark << Fact("first", first) << Fact("last", last);
}

/// The function as people know it.
static std::string describe(func::FuncOp function) {
  StringRef name = function.getName();
  return name.consume_front(kWrittenPrefix)
             ? (name + ", where its arrays overlap,").str()
             : name.str();
}

static LogicalResult planMemory(RewriterBase &rewriter, func::FuncOp function) {
  Block &entry = function.getBody().front();
  // What the sizes are computed from comes first, and before anything is
  // written: without memory, nothing has happened.
  auto found = llvm::find_if(
      entry, [](Operation &op) { return !isMemoryEffectFree(&op); });
  Operation *first = found == entry.end() ? entry.getTerminator() : &*found;
  FailureOr<SmallVector<Group>> groups =
      collectGroups(rewriter, function, first);
  if (failed(groups))
    return failure();
  if (groups->empty()) {
    if (!function.getName().starts_with(kWrittenPrefix))
      report(function.getLoc(), "Memory")
          << (function.getName() + " allocates nothing").str();
    return success();
  }

  ImplicitLocOpBuilder b(function.getLoc(), rewriter);
  b.setInsertionPoint(first);
  OpFoldResult end = b.getIndexAttr(0);
  SmallVector<std::pair<memref::AllocOp, OpFoldResult>> offsets;
  SizePrinter printer(function);
  std::string total;
  auto toValue = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), value);
  };
  Steps steps(function);
  unsigned numPlaces = 0;
  bool isAlways = llvm::any_of(
      *groups, [](const Group &group) { return !group.condition; });
  Value isNeeded;
  for (const Group &group : *groups) {
    OpFoldResult begin = end;
    for (const Place &place : findPlaces(b, group.allocs, printer)) {
      for (memref::AllocOp alloc : place.allocs) {
        steps.report(alloc, printer, numPlaces, alloc == place.allocs.front());
        offsets.push_back({alloc, end});
      }
      ++numPlaces;
      total += (total.empty() ? "" : " + ") + place.text;
      end = add(b, end, place.bytes);
    }
    if (!group.condition)
      continue;
    // The only group's bytes are asked for only if they are needed.
    if (groups->size() > 1)
      end = arith::SelectOp::create(b, group.condition, toValue(end),
                                    toValue(begin))
                .getResult();
    isNeeded = isNeeded ? arith::OrIOp::create(b, isNeeded, group.condition)
                        : group.condition;
  }
  if (isAlways)
    isNeeded = {};

  report(function.getLoc(), "Memory")
      << (describe(function) + " allocates " +
          (groups->back().condition ? "at most once: " : "once: ") + total +
          " bytes, each temporary up to the next multiple of " +
          std::to_string(kAlignment));
  Value arena = createArena(b, toValue(end), isNeeded);
  for (auto [alloc, offset] : offsets) {
    b.setInsertionPoint(alloc);
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      if (isa<memref::DeallocOp>(user))
        rewriter.eraseOp(user);
    Value view = memref::ViewOp::create(
        b, alloc.getType(), arena, toValue(offset), alloc.getDynamicSizes());
    rewriter.replaceOp(alloc, view);
  }
  b.setInsertionPoint(entry.getTerminator());
  if (isNeeded)
    scf::IfOp::create(b, isNeeded, [&](OpBuilder &inner, Location loc) {
      memref::DeallocOp::create(inner, loc, arena);
      scf::YieldOp::create(inner, loc);
    });
  else
    memref::DeallocOp::create(b, arena);
  return success();
}

namespace {
struct PlanMemoryPass : impl::PlanMemoryBase<PlanMemoryPass> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    IRRewriter rewriter(&getContext());
    if (failed(planMemory(rewriter, getOperation())))
      signalPassFailure();
  }
};
} // namespace

} // namespace ein
