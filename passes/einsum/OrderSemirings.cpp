//===- OrderSemirings.cpp - Orders of contraction without sums ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes the order of contraction free is that multiplication distributes
// over addition. Other pairs of operations have that, too: the shortest path of
// three steps, `D(i, l) min=! A(i, j) + B(j, k) + C(k, l)`, is found pair by
// pair like a product of three matrices.
//
//   reduced by      combined by
//   max, min        + of floats that may be reassociated: rounding is monotone,
//                   so that max(x + c, y + c) is max(x, y) + c to the bit; what
//                   is rounded otherwise is a sum of three terms
//   max, min        min, max of the same numbers; not maxnum and minnum, which
//                   disagree about NaN
//   |, ^            &
//   &               |
//
// Integers wrap, so `max` does not distribute over their sums, nor over
// products, of which a factor may be negative. Such an op stays as it is
// written, and a remark of the category `path` says so.
//
// Elements may be stored as another type than they are computed in, booleans in
// bytes say. The conversions are part of each step.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "order/ContractionOrder.h"
#include "passes/analysis/Decline.h"
#include "passes/analysis/Einsums.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Raising.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace ein {
namespace {

/// Ops of one operand beside constants, each of the one before.
using Conversion = SmallVector<Operation *>;

/// A generic that reduces what it combines of its inputs, each of them once.
struct Semiring {
  linalg::GenericOp op;
  Operation *reduction, *combination;
  /// From an element to what is computed with, by operand, and back.
  SmallVector<Conversion> loads;
  Conversion store;
};

/// A tensor and the loops of the op that its axes are.
struct Factor {
  Value tensor;
  SmallVector<unsigned> dims;
  const Conversion *load;
};

class Orderer {
public:
  Orderer(RewriterBase &rewriter, const Semiring &semiring)
      : b(rewriter), semiring(semiring), op(semiring.op), loc(op.getLoc()) {}

  /// The steps of the path, the last of which reduces into the op's init.
  Value emit(const ContractionPath &path, SmallVector<Factor> factors);
  /// `factor` reduced along the dims that are not kept.
  Factor reduce(const Factor &factor, const llvm::SmallBitVector &kept);

private:
  Value load(OpBuilder &body, const Conversion &conversion, Value value);
  Value emitStep(ArrayRef<Factor> factors, Value init, ArrayRef<unsigned> dims,
                 bool accumulates);
  Value createInit(ArrayRef<unsigned> dims, bool isFilled);
  OpFoldResult getExtent(unsigned dim);

  RewriterBase &b;
  const Semiring &semiring;
  linalg::GenericOp op;
  Location loc;
};

} // namespace

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

/// The conversions from one use of `from` to what they end in: a value that is
/// not converted any further, by an op of the kind that is given.
static std::optional<Value> followConversion(Value from, OperationName end,
                                             Conversion &conversion) {
  while (from.hasOneUse()) {
    Operation *user = *from.user_begin();
    if (user->getName() == end)
      return from;
    if (user->getNumResults() != 1 || user->getNumRegions() != 0 ||
        !isMemoryEffectFree(user) ||
        !isa<arith::CmpIOp, CastOpInterface>(user) ||
        llvm::count_if(user->getOperands(),
                       [](Value operand) { return !isConstant(operand); }) != 1)
      return std::nullopt;
    conversion.push_back(user);
    from = user->getResult(0);
  }
  return std::nullopt;
}

/// Whether a step's result can be stored and loaded again as it was: it is not
/// converted, or is a boolean in something wider.
static bool keepsValues(const Semiring &semiring) {
  const Conversion &load = semiring.loads.back(), &store = semiring.store;
  if (isa<FloatType>(semiring.reduction->getResult(0).getType()))
    return store.empty() && llvm::all_of(semiring.loads, [](const auto &ops) {
             return ops.empty();
           });
  if (store.empty() || load.empty())
    return store.empty() && load.empty();
  auto compare = dyn_cast<arith::CmpIOp>(load[0]);
  return store.size() == 1 && load.size() == 1 &&
         isa<arith::ExtUIOp>(store[0]) &&
         store[0]->getOperand(0).getType().isInteger(1) && compare &&
         compare.getPredicate() == arith::CmpIPredicate::ne &&
         matchPattern(compare.getRhs(), m_Zero());
}

/// Whether the op's body is a semiring's; of two operations that may not be
/// one.
static std::optional<Semiring> match(linalg::GenericOp op) {
  if (op.getNumDpsInputs() < 3 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics() ||
      op.getLibraryCall() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return std::nullopt;
  Semiring semiring = {op, nullptr, nullptr, {}, {}};
  Value result = op.getBody()->getTerminator()->getOperand(0);
  Operation *last = result.getDefiningOp();
  while (isa_and_nonnull<CastOpInterface>(last) &&
         last->getNumOperands() == 1) {
    semiring.store.insert(semiring.store.begin(), last);
    last = last->getOperand(0).getDefiningOp();
  }
  if (!last || last->getNumOperands() != 2 || last->getNumResults() != 1)
    return std::nullopt;
  if (!last->getResult(0).getType().isIntOrFloat())
    return std::nullopt;
  semiring.reduction = last;
  // One operand is what there is so far, the other one what is combined.
  ArrayRef<BlockArgument> arguments = op.getBody()->getArguments();
  Conversion soFar;
  std::optional<Value> loaded =
      followConversion(arguments.back(), last->getName(), soFar);
  if (!loaded || *loaded->user_begin() != last)
    return std::nullopt;
  Value value = last->getOperand(last->getOperand(0) == *loaded);
  semiring.combination = value.getDefiningOp();
  if (!semiring.combination || semiring.combination->getNumOperands() != 2 ||
      semiring.combination->getName() == last->getName())
    return std::nullopt;
  OperationName name = semiring.combination->getName();

  // Each input is a leaf of the tree of combinations, once.
  llvm::SmallPtrSet<void *, 8> leaves;
  for (BlockArgument argument : arguments.drop_back()) {
    Conversion conversion;
    std::optional<Value> leaf = followConversion(argument, name, conversion);
    if (!leaf || leaf->getType() != value.getType())
      return std::nullopt;
    leaves.insert(leaf->getAsOpaquePointer());
    semiring.loads.push_back(conversion);
  }
  semiring.loads.push_back(soFar);
  unsigned numLeaves = 0;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (leaves.contains(next.getAsOpaquePointer())) {
      ++numLeaves;
      continue;
    }
    Operation *inner = next.getDefiningOp();
    if (!inner || inner->getName() != name || !next.hasOneUse() ||
        inner->getAttrDictionary() != semiring.combination->getAttrDictionary())
      return std::nullopt;
    llvm::append_range(worklist, inner->getOperands());
  }
  return numLeaves == leaves.size() && keepsValues(semiring)
             ? std::optional(semiring)
             : std::nullopt;
}

/// Whether the reduction can be taken out of what is combined.
static LogicalResult matchDistributive(const Semiring &semiring,
                                       DeclineFn onDecline) {
  Operation *reduction = semiring.reduction, *by = semiring.combination;
  bool isExtremum = isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                        arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp,
                        arith::MaxUIOp, arith::MinUIOp>(reduction);
  bool isLattice =
      (isa<arith::MaximumFOp>(reduction) && isa<arith::MinimumFOp>(by)) ||
      (isa<arith::MinimumFOp>(reduction) && isa<arith::MaximumFOp>(by)) ||
      (isa<arith::MaxSIOp>(reduction) && isa<arith::MinSIOp>(by)) ||
      (isa<arith::MinSIOp>(reduction) && isa<arith::MaxSIOp>(by)) ||
      (isa<arith::MaxUIOp>(reduction) && isa<arith::MinUIOp>(by)) ||
      (isa<arith::MinUIOp>(reduction) && isa<arith::MaxUIOp>(by));
  bool isBitwise =
      (isa<arith::OrIOp, arith::XOrIOp>(reduction) && isa<arith::AndIOp>(by)) ||
      (isa<arith::AndIOp>(reduction) && isa<arith::OrIOp>(by));
  if (isLattice || isBitwise)
    return success();
  if (auto sum = dyn_cast<arith::AddFOp>(by); sum && isExtremum) {
    if (!arith::bitEnumContainsAll(sum.getFastmath(),
                                   arith::FastMathFlags::reassoc))
      return decline(onDecline, "each sum is rounded as it is written");
    return success();
  }
  StringRef kind = reduction->getName().stripDialect();
  if (isa<arith::AddIOp, arith::SubIOp>(by) && isExtremum)
    return decline(onDecline, "sums of integers wrap, so `" + kind +
                                  "` does not distribute over them");
  if (isa<arith::MulFOp, arith::MulIOp>(by) && isExtremum)
    return decline(onDecline, "a factor may be negative, so `" + kind +
                                  "` does not distribute over products");
  return decline(onDecline, "`" + kind + "` does not distribute over `" +
                                by->getName().stripDialect() + "`");
}

/// What the reduction starts from, as a number of `type`.
static TypedAttr getIdentity(OpBuilder &b, Operation *reduction, Type type) {
  if (auto real = dyn_cast<FloatType>(type)) {
    bool isMax = isa<arith::MaximumFOp, arith::MaxNumFOp>(reduction);
    return b.getFloatAttr(
        type, APFloat::getInf(real.getFloatSemantics(), /*Negative=*/isMax));
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  APInt value = APInt::getZero(bits); // of |, ^ and unsigned max
  if (isa<arith::MaxSIOp>(reduction))
    value = APInt::getSignedMinValue(bits);
  else if (isa<arith::MinSIOp>(reduction))
    value = APInt::getSignedMaxValue(bits);
  else if (isa<arith::MinUIOp, arith::AndIOp>(reduction))
    value = APInt::getAllOnes(bits);
  return b.getIntegerAttr(type, value);
}

/// The conversion of `value`, written once more.
Value Orderer::load(OpBuilder &body, const Conversion &conversion,
                    Value value) {
  for (Operation *inner : conversion) {
    IRMapping mapping;
    for (Value operand : inner->getOperands())
      mapping.map(operand,
                  isConstant(operand)
                      ? body.clone(*operand.getDefiningOp())->getResult(0)
                      : value);
    value = body.clone(*inner, mapping)->getResult(0);
  }
  return value;
}

OpFoldResult Orderer::getExtent(unsigned dim) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (std::optional<unsigned> axis =
            map.getResultPosition(getAffineDimExpr(dim, b.getContext())))
      return tensor::getMixedSize(b, loc, operand.get(), *axis);
  }
  llvm_unreachable("a loop that no operand has");
}

Value Orderer::createInit(ArrayRef<unsigned> dims, bool isFilled) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : dims)
    sizes.push_back(getExtent(dim));
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  Value init = tensor::EmptyOp::create(b, loc, sizes, element);
  if (!isFilled)
    return init;
  Operation *reduction = semiring.reduction;
  Value identity = arith::ConstantOp::create(
      b, loc, getIdentity(b, reduction, reduction->getResult(0).getType()));
  identity = load(b, semiring.store, identity);
  return linalg::FillOp::create(b, loc, identity, init).getResult(0);
}

/// Some factors combined, and what the result lacks reduced.
Value Orderer::emitStep(ArrayRef<Factor> factors, Value init,
                        ArrayRef<unsigned> dims, bool accumulates) {
  SmallVector<unsigned> loops = llvm::to_vector(dims);
  for (const Factor &factor : factors)
    for (unsigned dim : factor.dims)
      if (!llvm::is_contained(loops, dim))
        loops.push_back(dim);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  auto addMap = [&](ArrayRef<unsigned> axes) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : axes)
      exprs.push_back(
          b.getAffineDimExpr(llvm::find(loops, dim) - loops.begin()));
    maps.push_back(AffineMap::get(loops.size(), 0, exprs, b.getContext()));
  };
  for (const Factor &factor : factors) {
    inputs.push_back(factor.tensor);
    addMap(factor.dims);
  }
  addMap(dims);
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), dims.size(), utils::IteratorType::parallel);
  auto apply = [](OpBuilder &body, Operation *like, Value lhs, Value rhs) {
    IRMapping mapping;
    Operation *copy = body.clone(*like, mapping);
    copy->setOperand(0, lhs);
    copy->setOperand(1, rhs);
    return copy->getResult(0);
  };
  auto build = [&](OpBuilder &body, Location, ValueRange arguments) {
    Value value;
    for (auto [factor, argument] : llvm::zip(factors, arguments)) {
      Value loaded = load(body, *factor.load, argument);
      value = value ? apply(body, semiring.combination, value, loaded) : loaded;
    }
    if (accumulates)
      value = apply(body, semiring.reduction,
                    load(body, semiring.loads.back(), arguments.back()), value);
    linalg::YieldOp::create(body, loc, load(body, semiring.store, value));
  };
  return linalg::GenericOp::create(b, selectIndexNames(loc, loops),
                                   TypeRange(init.getType()), inputs, init,
                                   maps, iterators, build)
      .getResult(0);
}

Factor Orderer::reduce(const Factor &factor, const llvm::SmallBitVector &kept) {
  SmallVector<unsigned> dims;
  for (unsigned dim : factor.dims)
    if (kept.test(dim))
      dims.push_back(dim);
  if (dims.size() == factor.dims.size())
    return factor;
  Value init = createInit(dims, /*isFilled=*/true);
  return {emitStep(factor, init, dims, /*accumulates=*/true), dims,
          &semiring.loads.back()};
}

Value Orderer::emit(const ContractionPath &path, SmallVector<Factor> factors) {
  SmallVector<unsigned> output;
  for (AffineExpr expr : op.getIndexingMapsArray().back().getResults())
    output.push_back(cast<AffineDimExpr>(expr).getPosition());
  for (auto [number, step] : llvm::enumerate(path.steps)) {
    Factor pair[] = {factors[step.lhs], factors[step.rhs]};
    if (number + 1 == path.steps.size())
      return emitStep(pair, op.getDpsInits()[0], output, /*accumulates=*/true);
    SmallVector<unsigned> dims;
    bool reduces = false;
    for (const Factor &factor : pair)
      for (unsigned dim : factor.dims) {
        reduces |= !step.result.test(dim);
        if (step.result.test(dim) && !llvm::is_contained(dims, dim))
          dims.push_back(dim);
      }
    Value result = emitStep(pair, createInit(dims, reduces), dims, reduces);
    factors.push_back({result, dims, &semiring.loads.back()});
  }
  llvm_unreachable("a path of three factors has steps");
}

void orderSemiring(RewriterBase &rewriter, linalg::GenericOp op,
                   int64_t unknownSize,
                   const ContractionOrderOptions &options) {
  // What is not less than half as much is not worth a temporary.
  constexpr double kLeastGain = 2;
  std::optional<Semiring> semiring = match(op);
  if (!semiring)
    return;
  auto remarkOptions = remark::RemarkOpts::name("Order").category("path");
  auto onDecline = [&](StringRef reason) {
    remark::missed(op.getLoc(), remarkOptions)
        << ("the order is as written: " + reason).str();
  };
  if (failed(matchDistributive(*semiring, onDecline)))
    return;
  if (options.maxTempBytes != 0)
    return onDecline("temporaries are limited");

  ContractionNetwork network;
  double naive = 1;
  for (int64_t size : op.getStaticLoopRanges()) {
    network.labelSizes.push_back(ShapedType::isDynamic(size) ? unknownSize
                                                             : size);
    naive *= network.labelSizes.back();
  }
  SmallVector<Factor> factors;
  SmallVector<unsigned> numHolders(op.getNumLoops(), 0);
  for (auto [input, map, load] : llvm::zip(
           op.getDpsInputs(), op.getIndexingMapsArray(), semiring->loads)) {
    Factor factor = {input, {}, &load};
    for (AffineExpr expr : map.getResults())
      factor.dims.push_back(cast<AffineDimExpr>(expr).getPosition());
    for (unsigned dim : factor.dims)
      ++numHolders[dim];
    factors.push_back(factor);
  }
  network.output.resize(op.getNumLoops());
  for (AffineExpr expr : op.getIndexingMapsArray().back().getResults())
    network.output.set(cast<AffineDimExpr>(expr).getPosition());
  // What only one factor has is reduced in it, before the rest.
  llvm::SmallBitVector kept = network.output;
  for (auto [dim, count] : llvm::enumerate(numHolders))
    if (count > 1)
      kept.set(dim);
  for (const Factor &factor : factors) {
    llvm::SmallBitVector labels(op.getNumLoops());
    for (unsigned dim : factor.dims)
      if (kept.test(dim))
        labels.set(dim);
    network.operands.push_back(labels);
  }
  network.elementBytes =
      getElementBytes(cast<ShapedType>(op.getDpsInits()[0].getType()));
  ContractionPath path = findContractionOrder(network, options);
  naive *= factors.size();
  if (path.flops * kLeastGain > naive) {
    remark::missed(op.getLoc(), remarkOptions)
        << "the order is as written: no other one takes half as many "
           "operations";
    return;
  }

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Orderer orderer(rewriter, *semiring);
  for (Factor &factor : factors)
    factor = orderer.reduce(factor, kept);
  Value result = orderer.emit(path, factors);
  remark::passed(op.getLoc(), remarkOptions)
      << llvm::formatv("pair by pair, as `{0}` distributes over `{1}`: {2:e3} "
                       "operations instead of {3:e3}",
                       semiring->reduction->getName().stripDialect(),
                       semiring->combination->getName().stripDialect(),
                       path.flops, naive)
             .str();
  rewriter.replaceOp(op, result);
}

} // namespace ein
