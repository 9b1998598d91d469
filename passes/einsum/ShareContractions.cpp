//===- ShareContractions.cpp - Compute equal sums once --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two statements, or two orders of contraction, may need the same sum. Upstream
// finds ops that are equal letter by letter; here they are equal up to the
// names of indices, the order of factors, transpositions of what is read, and
// the order of the result's dims, and may write to different places. One is
// computed, the other one copies: elements where there were sums.
//
// Ops are looked at in their order, and each one's inputs are traced to what
// they are views of. A copy that was put in for an op is such a view, so what
// reads it is compared as if it read the shared result: one walk finds all
// there is.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/SameGeneric.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/CompileBudget.h"
#include "passes/analysis/Einsums.h"
#include "passes/analysis/StrictFP.h"
#include "passes/analysis/TensorViews.h"
#include "passes/einsum/Passes.h"
#include "passes/schedule/ScheduledOps.h"
#include "llvm/ADT/ScopeExit.h"
#include <algorithm>

namespace ein {
#define GEN_PASS_DEF_SHARECONTRACTIONS
#include "passes/einsum/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// An input, as the element of `source` where `map` says, over the op's loops.
struct Factor {
  Value source;
  AffineMap map;
};

/// A sum: an op with a reduction, on tensors, and its inputs traced to what
/// they are views of.
struct Sum {
  Operation *op;
  SmallVector<Factor> factors;
  AffineMap result;
  Value init;
  /// What the init is filled with, or null.
  Value number;
};

/// Replaces sums of one function by equal ones before them.
class Sharer {
public:
  explicit Sharer(func::FuncOp function)
      : rewriter(function.getContext()), dominance(function) {}

  /// Whether an earlier op has computed what `op` does, which it then replaces.
  bool visit(Operation *op);

private:
  bool replaceBy(Sum &earlier, const Sum &sum);
  bool takeDestination(Sum &earlier, const Sum &sum);
  Value emitCopy(Sum &earlier, const Sum &sum, ArrayRef<int64_t> permutation);
  Value emitAddition(const Sum &sum, linalg::GenericOp body, Value source,
                     ArrayRef<int64_t> permutation);

  IRRewriter rewriter;
  DominanceInfo dominance;
  llvm::DenseMap<size_t, SmallVector<Sum, 1>> seen;
};

} // namespace

static std::optional<Sum> describe(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  auto contract = dyn_cast<ContractOp>(op);
  if (op->hasAttr(EinDialect::kScheduleAttr) || op->getNumResults() != 1 ||
      (!contract && (!structured || !structured.hasPureTensorSemantics() ||
                     structured.getNumReductionLoops() == 0)))
    return std::nullopt;
  SmallVector<AffineMap> maps = contract ? contract.getIndexingMapsArray()
                                         : structured.getIndexingMapsArray();
  if (maps.size() != op->getNumOperands())
    return std::nullopt;
  Sum sum;
  sum.op = op;
  sum.result = maps.pop_back_val();
  sum.init = op->getOperands().back();
  if (auto fill = sum.init.getDefiningOp<linalg::FillOp>())
    sum.number = fill.value();
  for (auto [input, map] : llvm::zip(op->getOperands(), maps)) {
    Factor factor = {input, map};
    while (std::optional<TensorView> view = getTensorView(factor.source))
      factor = {view->source, view->map.compose(factor.map)};
    sum.factors.push_back(factor);
  }
  return sum;
}

/// Equal sums have equal keys.
static size_t getKey(const Sum &sum) {
  SmallVector<const void *> sources;
  for (const Factor &factor : sum.factors)
    sources.push_back(factor.source.getAsOpaquePointer());
  llvm::sort(sources);
  return llvm::hash_combine(
      llvm::hash_combine_range(sources.begin(), sources.end()),
      sum.result.getNumDims(), sum.result.getNumResults(),
      getElementTypeOrSelf(sum.init).getAsOpaquePointer());
}

/// Whether two scalars are one.
static bool isSameNumber(Value a, Value b) {
  if (a == b)
    return a != nullptr;
  Attribute first, second;
  return a && b && matchPattern(a, m_Constant(&first)) &&
         matchPattern(b, m_Constant(&second)) && first == second;
}

/// What the ops of a body are allowed, by kind of op.
static SmallVector<std::pair<StringRef, uint32_t>>
getFlags(linalg::GenericOp op) {
  SmallVector<std::pair<StringRef, uint32_t>> flags;
  for (Operation &inner : op.getBody()->without_terminator())
    if (auto attr = inner.getAttrOfType<arith::FastMathFlagsAttr>("fastmath"))
      flags.push_back({inner.getName().getStringRef(),
                       static_cast<uint32_t>(attr.getValue())});
  llvm::sort(flags);
  return flags;
}

/// The op that adds a product to the sum so far, if that is all that is done
/// with it.
static Operation *getAddition(linalg::GenericOp op) {
  Value result = op.getBody()->getTerminator()->getOperand(0);
  Operation *addition = result.getDefiningOp();
  BlockArgument soFar = op.getBody()->getArguments().back();
  return isa_and_nonnull<arith::AddFOp, arith::AddIOp, complex::AddOp>(
             addition) &&
                 soFar.hasOneUse() && *soFar.user_begin() == addition
             ? addition
             : nullptr;
}

/// Where the dims of `b` are in `a`, if the two multiply the same, but for what
/// they start from; `order[i]` is the factor of `a` that factor i of `b` is.
static std::optional<SmallVector<unsigned>>
findRenaming(const Sum &a, linalg::GenericOp bodyA, const Sum &b,
             linalg::GenericOp bodyB, ArrayRef<unsigned> order) {
  SmallVector<AffineMap> mapsA, mapsB;
  for (auto [position, factor] : llvm::enumerate(b.factors)) {
    const Factor &other = a.factors[order[position]];
    if (factor.source != other.source)
      return std::nullopt;
    mapsA.push_back(other.map);
    mapsB.push_back(factor.map);
  }
  std::optional<SmallVector<unsigned>> dims = getRenaming(mapsA, mapsB);
  if (!dims || !isSameBody(bodyA, bodyB, order, *dims))
    return std::nullopt;
  // Where floats are added as the loops come, these have to be in one order.
  if (keepsOrder(b.op)) {
    unsigned last = 0;
    for (auto [dim, iterator] :
         llvm::enumerate(bodyB.getIteratorTypesArray())) {
      if (iterator != utils::IteratorType::reduction)
        continue;
      if ((*dims)[dim] < last)
        return std::nullopt;
      last = (*dims)[dim];
    }
  }
  return dims;
}

/// Axis i of `b`'s result is which one of `a`'s.
static std::optional<SmallVector<int64_t>>
findPermutation(const Sum &a, const Sum &b, ArrayRef<unsigned> dims) {
  SmallVector<int64_t> permutation;
  for (AffineExpr expr : b.result.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    std::optional<unsigned> axis = a.result.getResultPosition(
        getAffineDimExpr(dims[dim.getPosition()], expr.getContext()));
    if (!axis || llvm::is_contained(permutation, *axis))
      return std::nullopt;
    permutation.push_back(*axis);
  }
  auto from = cast<RankedTensorType>(a.init.getType());
  auto to = cast<RankedTensorType>(b.init.getType());
  if (from.getRank() != to.getRank() ||
      from.getElementType() != to.getElementType())
    return std::nullopt;
  for (auto [axis, source] : llvm::enumerate(permutation))
    if (from.getDimSize(source) != to.getDimSize(axis))
      return std::nullopt;
  return permutation;
}

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}

/// Has the earlier one write to the output that the later one is for, if that
/// is as good as the new memory that it writes to.
bool Sharer::takeDestination(Sum &earlier, const Sum &sum) {
  auto from = earlier.init.getDefiningOp<linalg::FillOp>();
  auto to = sum.init.getDefiningOp<linalg::FillOp>();
  if (!from || !to || !from.output().getDefiningOp<tensor::EmptyOp>() ||
      !to->hasOneUse() || from.output().getType() != to.output().getType())
    return false;
  auto output = dyn_cast<BlockArgument>(to.output());
  if (!output || !output.hasOneUse() ||
      !isa<func::FuncOp>(output.getOwner()->getParentOp()))
    return false;
  rewriter.setInsertionPoint(earlier.op);
  auto fill =
      linalg::FillOp::create(rewriter, from.getLoc(), from.getInputs(), output);
  rewriter.modifyOpInPlace(earlier.op, [&]() {
    earlier.op->getOpOperands().back().set(fill.getResult(0));
  });
  earlier.init = fill.getResult(0);
  return true;
}

/// What `sum` is to be, as the result of another op has it.
Value Sharer::emitCopy(Sum &earlier, const Sum &sum,
                       ArrayRef<int64_t> permutation) {
  Value source = earlier.op->getResult(0);
  bool isSameInit = earlier.init == sum.init;
  Value destination = sum.init;
  if (auto fill = destination.getDefiningOp<linalg::FillOp>())
    destination = fill.output();
  Location loc = sum.op->getLoc();
  if (isIdentity(permutation) && (isSameInit || takeDestination(earlier, sum)))
    return source;
  if (!isIdentity(permutation))
    return linalg::TransposeOp::create(rewriter, loc, source, destination,
                                       permutation)
        ->getResult(0);
  if (destination.getDefiningOp<tensor::EmptyOp>())
    return source;
  return linalg::CopyOp::create(rewriter, loc, source, destination)
      .getResult(0);
}

/// What `sum` starts from, plus the result of another op, which starts from
/// zero.
Value Sharer::emitAddition(const Sum &sum, linalg::GenericOp body, Value source,
                           ArrayRef<int64_t> permutation) {
  unsigned rank = permutation.size();
  SmallVector<AffineExpr> axes(rank);
  for (auto [dim, axis] : llvm::enumerate(permutation))
    axes[axis] = rewriter.getAffineDimExpr(dim);
  SmallVector<AffineMap> maps = {
      AffineMap::get(rank, 0, axes, rewriter.getContext()),
      rewriter.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Operation *addition = getAddition(body);
  Value soFar = body.getBody()->getArguments().back();
  auto build = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    IRMapping mapping;
    for (Value operand : addition->getOperands())
      mapping.map(operand, arguments[operand == soFar]);
    Operation *added = b.clone(*addition, mapping);
    linalg::YieldOp::create(b, loc, added->getResults());
  };
  return linalg::GenericOp::create(rewriter, sum.op->getLoc(),
                                   sum.init.getType(), source, sum.init, maps,
                                   iterators, build)
      .getResult(0);
}

bool Sharer::replaceBy(Sum &earlier, const Sum &sum) {
  if (earlier.factors.size() != sum.factors.size() ||
      earlier.result.getNumDims() != sum.result.getNumDims() ||
      !dominance.properlyDominates(earlier.op, sum.op))
    return false;
  bool startsAlike =
      isSameNumber(earlier.number, sum.number) || earlier.init == sum.init;
  // Or adds to something else what the other one has summed up from nothing.
  bool adds = !startsAlike && earlier.number && isZero(earlier.number) &&
              !keepsOrder(sum.op);
  if (!startsAlike && !adds)
    return false;
  linalg::GenericOp bodyA = createGeneric(rewriter, earlier.op);
  linalg::GenericOp bodyB = bodyA ? createGeneric(rewriter, sum.op) : nullptr;
  auto eraseBodies = [&]() {
    for (linalg::GenericOp *body : {&bodyA, &bodyB})
      if (*body)
        rewriter.eraseOp(std::exchange(*body, nullptr));
  };
  llvm::scope_exit erase(eraseBodies);
  if (!bodyB || getFlags(bodyA) != getFlags(bodyB) ||
      (adds && !getAddition(bodyB)))
    return false;

  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, sum.factors.size()));
  do {
    std::optional<SmallVector<unsigned>> dims =
        findRenaming(earlier, bodyA, sum, bodyB, order);
    if (!dims)
      continue;
    std::optional<SmallVector<int64_t>> permutation =
        findPermutation(earlier, sum, *dims);
    // One tensor that both start from is read in one order of dims.
    if (!permutation ||
        (earlier.init == sum.init && !sum.number && !isIdentity(*permutation)))
      continue;
    rewriter.setInsertionPoint(sum.op);
    Value result;
    if (adds) {
      result = emitAddition(sum, bodyB, earlier.op->getResult(0), *permutation);
    } else {
      eraseBodies(); // They use what the op does.
      result = emitCopy(earlier, sum, *permutation);
    }
    rewriter.replaceOp(sum.op, result);
    return true;
  } while (order.size() <= CompileBudget::kPermutedFactors &&
           std::next_permutation(order.begin(), order.end()));
  return false;
}

bool Sharer::visit(Operation *op) {
  std::optional<Sum> sum = describe(op);
  if (!sum)
    return false;
  SmallVector<Sum, 1> &candidates = seen[getKey(*sum)];
  Location loc = op->getLoc();
  for (Sum &earlier : candidates) {
    if (!replaceBy(earlier, *sum))
      continue;
    std::string place = "another statement";
    if (auto from = earlier.op->getLoc()->findInstanceOf<FileLineColLoc>())
      place = "line " + std::to_string(from.getLine()) + ", column " +
              std::to_string(from.getColumn());
    remark::passed(loc, remark::RemarkOpts::name("Share").category("raise"))
        << "shared: what is summed is computed at " + place;
    return true;
  }
  candidates.push_back(*sum);
  return false;
}

namespace {
struct ShareContractionsPass
    : impl::ShareContractionsBase<ShareContractionsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<linalg::LinalgOp, ContractOp>(op))
        ops.push_back(op);
    });
    // What nobody reads is not to be kept by being equal to something.
    SmallVector<Operation *> read;
    for (Operation *op : llvm::reverse(ops)) {
      if (isOpTriviallyDead(op))
        op->erase();
      else
        read.push_back(op);
    }
    Sharer sharer(getOperation());
    for (Operation *op : llvm::reverse(read))
      numShared += sharer.visit(op);
  }
};
} // namespace

} // namespace ein
