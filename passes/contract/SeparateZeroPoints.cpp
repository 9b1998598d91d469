//===- SeparateZeroPoints.cpp - Products of numbers less their zeros ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: quantised numbers are bytes, of which one stands for zero, and their
// products are (a - y) * (b - z). Differences of bytes are no bytes, so such a
// product of matrices is one of words at best, and here was no contraction.
//
// Choice: where y and z do not depend on what is summed,
//
//   sum (a - y) * (b - z) = sum a * b - z * sum a - y * sum b + K * y * z
//
// for K terms. Integers wrap, and so both sides are the same whatever happens
// on the way. Floats are not the same, and stay.
//
// Consequence: a contraction of the bytes themselves, for which machines have
// instructions; two sums of as many elements as the operands have; and an
// elementwise op that the contraction's tiles take along. Sums over windows are
// the same, with the sums of an image's windows: first of its channels, and
// then of the window's places. Where a factor has all dims of the result, as of
// a window for each channel, these are as many terms, and the op stays.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Einsums.h"
#include "passes/analysis/Raising.h"
#include "passes/contract/Passes.h"
#include "passes/contract/Transforms.h"
#include "llvm/ADT/SetVector.h"

namespace ein {
#define GEN_PASS_DEF_SEPARATEZEROPOINTS
#include "passes/contract/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

constexpr unsigned kWord = 16;

/// An input that is extended, and what is subtracted from (or added to) it.
struct Factor {
  OpOperand *input = nullptr;
  linalg::TypeFn cast = linalg::TypeFn::cast_signed;
  /// Null if there is none.
  Value zero;
  bool isAdded = false;
};

class ZeroPoints {
public:
  ZeroPoints(RewriterBase &rewriter, linalg::GenericOp op)
      : rewriter(rewriter), op(op), loc(op.getLoc()),
        maps(op.getIndexingMapsArray()), output(maps.back()),
        type(getElementTypeOrSelf(op.getDpsInits()[0].getType())) {}

  LogicalResult match();
  void rewrite();

private:
  LogicalResult matchInput(Value value, Factor &factor);
  LogicalResult matchWindows();
  LogicalResult matchFactor(Value value, Factor &factor);
  bool isConstantInSums(Value value, AffineMap of);
  AffineMap getMap(const Factor &factor) {
    return op.getMatchingIndexingMap(factor.input);
  }
  AffineMap renumber(AffineMap map);
  std::optional<std::pair<Value, unsigned>> findAxis(unsigned dim);
  Value createProduct(Value start);
  Value createSums(const Factor &factor, AffineMap &map);
  Value createWindows(Value sums, AffineMap from, const Factor &factor,
                      AffineMap &map);
  Value createCount();
  Value createZero(OpBuilder &b, const Factor &factor, IRMapping &mapping);

  RewriterBase &rewriter;
  linalg::GenericOp op;
  Location loc;
  SmallVector<AffineMap> maps;
  AffineMap output;
  Type type;
  std::array<Factor, 2> factors;
  bool hasWindows = false;
};

} // namespace

/// Whether `value` is the same for all that is summed, and along each dim that
/// the factor, of map `of`, does not have.
bool ZeroPoints::isConstantInSums(Value value, AffineMap of) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBody()) {
    if (argument.getArgNumber() >= op.getNumDpsInputs())
      return false;
    AffineMap map = maps[argument.getArgNumber()];
    for (unsigned dim = 0, e = map.getNumDims(); dim < e; ++dim)
      if (map.isFunctionOfDim(dim) &&
          (!output.isFunctionOfDim(dim) || !of.isFunctionOfDim(dim)))
        return false;
    return map.isProjectedPermutation();
  }
  Operation *inner = value.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBody())
    return true;
  return isPure(inner) && inner->getNumRegions() == 0 &&
         !isa<linalg::IndexOp>(inner) &&
         llvm::all_of(inner->getOperands(), [&](Value operand) {
           return isConstantInSums(operand, of);
         });
}

LogicalResult ZeroPoints::matchInput(Value value, Factor &factor) {
  Operation *extension = value.getDefiningOp();
  if (!isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(extension))
    return failure();
  auto argument = dyn_cast<BlockArgument>(extension->getOperand(0));
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return failure();
  unsigned bits = argument.getType().getIntOrFloatBitWidth();
  if (bits % 8 != 0 || bits > kWord)
    return failure();
  factor.cast = isa<arith::ExtSIOp>(extension) ? linalg::TypeFn::cast_signed
                                               : linalg::TypeFn::cast_unsigned;
  factor.input = &op->getOpOperand(argument.getArgNumber());
  return success();
}

LogicalResult ZeroPoints::matchFactor(Value value, Factor &factor) {
  Operation *moved = value.getDefiningOp();
  if (!isa_and_present<arith::SubIOp, arith::AddIOp>(moved))
    return matchInput(value, factor);
  factor.isAdded = isa<arith::AddIOp>(moved);
  // A sum may be written in either order.
  for (unsigned position : {0, 1}) {
    factor.zero = moved->getOperand(1 - position);
    if (succeeded(matchInput(moved->getOperand(position), factor)) &&
        isConstantInSums(factor.zero, getMap(factor)))
      return success();
    if (!factor.isAdded)
      break;
  }
  return failure();
}

/// The operand that has `dim` alone along an axis, and that axis.
std::optional<std::pair<Value, unsigned>> ZeroPoints::findAxis(unsigned dim) {
  AffineExpr expr = rewriter.getAffineDimExpr(dim);
  for (OpOperand *operand :
       {factors[0].input, factors[1].input, op.getDpsInitOperand(0)})
    if (std::optional<unsigned> axis =
            op.getMatchingIndexingMap(operand).getResultPosition(expr))
      return std::pair(operand->get(), *axis);
  return std::nullopt;
}

/// Whether windows of a dim lie apart by more than one, along an axis.
static bool hasSteps(AffineMap map) {
  bool isFound = false;
  for (AffineExpr expr : map.getResults())
    expr.walk([&](AffineExpr part) {
      isFound |= part.getKind() == AffineExprKind::Mul;
    });
  return isFound;
}

/// Windows whose extents the operands still say, of two factors that each have
/// all dims of the sums and lack one of the result: sums of one that has all
/// would be as many terms as the products. Open sums of windows with steps take
/// very long to compile, and stay.
LogicalResult ZeroPoints::matchWindows() {
  for (unsigned dim = 0; dim < output.getNumDims(); ++dim)
    if (!findAxis(dim))
      return failure();
  bool isOpen = ShapedType::isDynamicShape(op.getStaticLoopRanges());
  for (const Factor &factor : factors) {
    AffineMap map = getMap(factor);
    bool hasOutput = true;
    for (unsigned dim = 0; dim < output.getNumDims(); ++dim)
      if (output.isFunctionOfDim(dim))
        hasOutput &= map.isFunctionOfDim(dim);
      else if (!map.isFunctionOfDim(dim))
        return failure();
    if (hasOutput || (isOpen && hasSteps(map)))
      return failure();
  }
  return success();
}

LogicalResult ZeroPoints::match() {
  if (!op.hasPureTensorSemantics() || op.getLibraryCall() ||
      op.getNumDpsInits() != 1 || !type.isInteger() ||
      op.getNumReductionLoops() == 0)
    return rewriter.notifyMatchFailure(op, "it is no sum of integers");
  Block *body = op.getBody();
  Value accumulator = body->getArguments().back();
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddIOp>();
  if (!sum)
    return rewriter.notifyMatchFailure(op, "it does not add up");
  Value added = sum.getLhs() == accumulator ? sum.getRhs() : sum.getLhs();
  auto product = added.getDefiningOp<arith::MulIOp>();
  if (!product || !llvm::is_contained(sum->getOperands(), accumulator))
    return rewriter.notifyMatchFailure(op, "it does not add up products");
  if (failed(matchFactor(product.getLhs(), factors[0])) ||
      failed(matchFactor(product.getRhs(), factors[1])))
    return rewriter.notifyMatchFailure(
        op, "a factor is no narrow input less what is the same for all terms");
  if (!factors[0].zero && !factors[1].zero)
    return rewriter.notifyMatchFailure(op, "nothing is subtracted");
  AffineMap lhs = getMap(factors[0]), rhs = getMap(factors[1]);
  if (!output.isProjectedPermutation() || factors[0].input == factors[1].input)
    return rewriter.notifyMatchFailure(op, "it is no sum of two factors");
  hasWindows = !lhs.isProjectedPermutation() || !rhs.isProjectedPermutation();
  if (hasWindows ? failed(matchWindows())
                 : hasRepeatedDim({lhs, rhs, output}) ||
                       failed(matchLinalgContract({lhs, rhs, output})))
    return rewriter.notifyMatchFailure(op, "it is no contraction or window");
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if ((iterator == utils::IteratorType::parallel) !=
        output.isFunctionOfDim(dim))
      return rewriter.notifyMatchFailure(op, "it does not sum up all of a dim");
  return success();
}

/// The map over the dims of the output, in its order.
AffineMap ZeroPoints::renumber(AffineMap map) {
  SmallVector<AffineExpr> dims(output.getNumDims(),
                               rewriter.getAffineConstantExpr(0));
  for (auto [position, expr] : llvm::enumerate(output.getResults()))
    dims[cast<AffineDimExpr>(expr).getPosition()] =
        rewriter.getAffineDimExpr(position);
  return map.replaceDimsAndSymbols(dims, {}, output.getNumResults(), 0);
}

/// The sums of products of the inputs themselves.
Value ZeroPoints::createProduct(Value start) {
  SmallVector<Value> inputs = {factors[0].input->get(),
                               factors[1].input->get()};
  SmallVector<AffineMap> all = {getMap(factors[0]), getMap(factors[1]), output};
  ContractionKind kind = {vector::CombiningKind::ADD, factors[0].cast,
                          factors[1].cast};
  linalg::LinalgOp product;
  if (hasWindows)
    product = linalg::GenericOp::create(
        rewriter, loc, op->getResultTypes(), inputs, start, all,
        op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange arguments) {
          std::array<Value, 2> wide;
          for (unsigned number : {0u, 1u})
            wide[number] = convertScalarToDtype(
                b, loc, arguments[number], type,
                factors[number].cast == linalg::TypeFn::cast_unsigned);
          Value term = arith::MulIOp::create(b, loc, wide[0], wide[1]);
          Value sum = arith::AddIOp::create(b, loc, arguments[2], term);
          linalg::YieldOp::create(b, loc, sum);
        });
  else
    product = createContraction(rewriter, loc, kind, op->getResultTypes(),
                                inputs, start, all);
  copyDiscardableAttrs(op, product);
  return product->getResult(0);
}

/// The sums of a factor's input over what is summed; `map` is where they are,
/// over the dims of the output. Of windows first those along axes of which they
/// have all, and then those of the windows.
Value ZeroPoints::createSums(const Factor &factor, AffineMap &map) {
  Value input = factor.input->get();
  AffineMap from = getMap(factor);
  unsigned rank = from.getNumResults();
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> kept, keptAxes;
  SmallVector<OpFoldResult> sizes;
  SmallVector<unsigned> dims;
  bool isOfWindows = false;
  for (auto [axis, expr] : llvm::enumerate(from.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    bool isSummed = dim && !output.isFunctionOfDim(dim.getPosition()) &&
                    llvm::count_if(from.getResults(), [&](AffineExpr each) {
                      return each.isFunctionOfDim(dim.getPosition());
                    }) == 1;
    iterators.push_back(isSummed ? utils::IteratorType::reduction
                                 : utils::IteratorType::parallel);
    // Of a sum of dims the first one gives its name.
    unsigned named = 0;
    while (!expr.isFunctionOfDim(named))
      ++named;
    dims.push_back(named);
    if (isSummed)
      continue;
    isOfWindows |= !dim || !output.isFunctionOfDim(dim.getPosition());
    kept.push_back(expr);
    keptAxes.push_back(rewriter.getAffineDimExpr(axis));
    sizes.push_back(tensor::getMixedSize(rewriter, loc, input, axis));
  }
  AffineMap ofSums =
      AffineMap::get(from.getNumDims(), 0, kept, rewriter.getContext());
  if (isOfWindows && kept.size() == rank)
    return createWindows(input, ofSums, factor, map);
  Location sumLoc = withTensorName(selectIndexNames(loc, dims),
                                   getTensorName(loc).str() + ", a sum");
  Value start = fillWithZero(
      rewriter, sumLoc, tensor::EmptyOp::create(rewriter, sumLoc, sizes, type));
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  AffineMap to = AffineMap::get(rank, 0, keptAxes, rewriter.getContext());
  Value sums = linalg::GenericOp::create(
                   rewriter, sumLoc, start.getType(), input, start,
                   ArrayRef<AffineMap>{all, to}, iterators,
                   [&](OpBuilder &b, Location loc, ValueRange arguments) {
                     Value wide = convertScalarToDtype(
                         b, loc, arguments[0], type,
                         factor.cast == linalg::TypeFn::cast_unsigned);
                     Value sum =
                         arith::AddIOp::create(b, loc, arguments[1], wide);
                     linalg::YieldOp::create(b, loc, sum);
                   })
                   .getResult(0);
  if (isOfWindows)
    return createWindows(sums, ofSums, factor, map);
  map = renumber(ofSums);
  return sums;
}

/// The sums of windows of `sums`, which are at `from`. How long these are an
/// array without elements that anybody reads says.
Value ZeroPoints::createWindows(Value sums, AffineMap from,
                                const Factor &factor, AffineMap &map) {
  SmallVector<unsigned> dims;
  SmallVector<AffineExpr> renamed(from.getNumDims(),
                                  rewriter.getAffineConstantExpr(0));
  SmallVector<AffineExpr> kept, keptAxes, shape;
  SmallVector<OpFoldResult> sizes, extents;
  SmallVector<utils::IteratorType> iterators;
  for (unsigned dim = 0, e = from.getNumDims(); dim < e; ++dim) {
    if (!from.isFunctionOfDim(dim))
      continue;
    renamed[dim] = rewriter.getAffineDimExpr(dims.size());
    dims.push_back(dim);
    auto [operand, axis] = *findAxis(dim);
    OpFoldResult size = tensor::getMixedSize(rewriter, loc, operand, axis);
    bool isKept = output.isFunctionOfDim(dim);
    iterators.push_back(isKept ? utils::IteratorType::parallel
                               : utils::IteratorType::reduction);
    (isKept ? sizes : extents).push_back(size);
    (isKept ? keptAxes : shape).push_back(renamed[dim]);
    if (isKept)
      kept.push_back(rewriter.getAffineDimExpr(dim));
  }
  map = renumber(
      AffineMap::get(from.getNumDims(), 0, kept, rewriter.getContext()));
  Location sumLoc = withTensorName(selectIndexNames(loc, dims),
                                   getTensorName(loc).str() + ", a sum");
  Value window = tensor::EmptyOp::create(rewriter, sumLoc, extents, type);
  Value start = fillWithZero(
      rewriter, sumLoc, tensor::EmptyOp::create(rewriter, sumLoc, sizes, type));
  unsigned rank = dims.size();
  AffineMap all[] = {from.replaceDimsAndSymbols(renamed, {}, rank, 0),
                     AffineMap::get(rank, 0, shape, rewriter.getContext()),
                     AffineMap::get(rank, 0, keptAxes, rewriter.getContext())};
  return linalg::GenericOp::create(
             rewriter, sumLoc, start.getType(), ValueRange{sums, window}, start,
             all, iterators,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               Value wide = convertScalarToDtype(
                   b, loc, arguments[0], type,
                   factor.cast == linalg::TypeFn::cast_unsigned);
               Value sum = arith::AddIOp::create(b, loc, arguments[2], wide);
               linalg::YieldOp::create(b, loc, sum);
             })
      .getResult(0);
}

/// How many terms there are, as far as the type counts.
Value ZeroPoints::createCount() {
  Value count;
  for (unsigned dim = 0; dim < output.getNumDims(); ++dim) {
    if (output.isFunctionOfDim(dim))
      continue;
    auto [operand, axis] = *findAxis(dim);
    Value size = rewriter.createOrFold<tensor::DimOp>(loc, operand, axis);
    count =
        count ? rewriter.createOrFold<arith::MulIOp>(loc, count, size) : size;
  }
  return rewriter.createOrFold<arith::IndexCastOp>(loc, type, count);
}

/// What is subtracted from a factor.
Value ZeroPoints::createZero(OpBuilder &b, const Factor &factor,
                             IRMapping &mapping) {
  std::function<void(Value)> copy = [&](Value value) {
    Operation *inner = value.getDefiningOp();
    if (mapping.contains(value) || !inner || inner->getBlock() != op.getBody())
      return;
    for (Value operand : inner->getOperands())
      copy(operand);
    b.clone(*inner, mapping);
  };
  copy(factor.zero);
  Value zero = mapping.lookupOrDefault(factor.zero);
  if (!factor.isAdded)
    return zero;
  Value nothing = arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, 0));
  return arith::SubIOp::create(b, loc, nothing, zero);
}

void ZeroPoints::rewrite() {
  rewriter.setInsertionPoint(op);
  // Sums that start from a number are a temporary, which becomes the result's
  // memory where that is possible (`ein-update-in-place`); others are updated.
  Value start = op.getDpsInits()[0], destination;
  auto fill = start.getDefiningOp<linalg::FillOp>();
  if (fill) {
    destination = fill.getOutputs()[0];
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, start), type);
    start = linalg::FillOp::create(rewriter, loc, fill.getInputs(), empty)
                .getResult(0);
  }
  Value product = createProduct(start);

  // The product, and of each factor the sums that the other one's zero is
  // multiplied by.
  unsigned rank = output.getNumResults();
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> inputMaps;
  if (fill) {
    inputs.push_back(product);
    inputMaps.push_back(all);
  } else {
    destination = product;
  }
  std::array<std::optional<unsigned>, 2> sums;
  for (unsigned number : {0u, 1u}) {
    if (!factors[1 - number].zero)
      continue;
    AffineMap map;
    Value sum = createSums(factors[number], map);
    sums[number] = inputs.size();
    inputs.push_back(sum);
    inputMaps.push_back(map);
  }
  bool areBoth = factors[0].zero && factors[1].zero;
  Value count = areBoth ? createCount() : Value();
  // The zeros' own inputs.
  llvm::SetVector<unsigned> needed;
  std::function<void(Value)> collect = [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == op.getBody())
        needed.insert(argument.getArgNumber());
    } else if (value.getDefiningOp()->getBlock() == op.getBody()) {
      for (Value operand : value.getDefiningOp()->getOperands())
        collect(operand);
    }
  };
  for (const Factor &factor : factors)
    if (factor.zero)
      collect(factor.zero);
  unsigned numSums = inputs.size();
  for (unsigned number : needed) {
    inputs.push_back(op.getDpsInputs()[number]);
    inputMaps.push_back(renumber(maps[number]));
  }
  inputMaps.push_back(all);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  SmallVector<unsigned> dims;
  for (AffineExpr expr : output.getResults())
    dims.push_back(cast<AffineDimExpr>(expr).getPosition());
  auto corrected = linalg::GenericOp::create(
      rewriter, selectIndexNames(loc, dims), op->getResultTypes(), inputs,
      destination, inputMaps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        IRMapping mapping;
        for (auto [position, number] : llvm::enumerate(needed))
          mapping.map(op.getBody()->getArgument(number),
                      arguments[numSums + position]);
        std::array<Value, 2> zeros;
        for (unsigned number : {0u, 1u})
          if (factors[number].zero)
            zeros[number] = createZero(b, factors[number], mapping);
        Value result = fill ? arguments.front() : arguments.back();
        for (unsigned number : {0u, 1u}) {
          if (!sums[number])
            continue;
          Value part = arith::MulIOp::create(b, loc, arguments[*sums[number]],
                                             zeros[1 - number]);
          result = arith::SubIOp::create(b, loc, result, part);
        }
        if (count) {
          Value part = arith::MulIOp::create(b, loc, zeros[0], zeros[1]);
          part = arith::MulIOp::create(b, loc, part, count);
          result = arith::AddIOp::create(b, loc, result, part);
        }
        linalg::YieldOp::create(b, loc, result);
      });
  rewriter.replaceOp(op, corrected);
  if (fill && fill->use_empty())
    rewriter.eraseOp(fill);
}

LogicalResult separateZeroPoints(RewriterBase &rewriter, linalg::GenericOp op) {
  ZeroPoints zeros(rewriter, op);
  if (failed(zeros.match()))
    return failure();
  zeros.rewrite();
  return success();
}

/// Whether both factors of a named op are bytes or words.
static bool isOfWords(linalg::LinalgOp op) {
  return llvm::all_of(ArrayRef<unsigned>{0, 1}, [&](unsigned number) {
    Type type = getElementTypeOrSelf(op->getOperand(number).getType());
    return type.isInteger() && type.getIntOrFloatBitWidth() <= kWord;
  });
}

namespace {
struct SeparateZeroPointsPass
    : impl::SeparateZeroPointsBase<SeparateZeroPointsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> named;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isa<linalg::QuantizedMatmulOp, linalg::QuantizedBatchMatmulOp>(*op) &&
          op.hasPureTensorSemantics() && isOfWords(op))
        named.push_back(op);
    });
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(rewriter, op);
    }
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      (void)separateZeroPoints(rewriter, op);
  }
};
} // namespace

} // namespace ein
