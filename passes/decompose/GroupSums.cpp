//===- GroupSums.cpp - Sums over windows of copies ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats that are extended to be multiplied are so in a copy, once for all
// windows.
//
// Vectors of a convolution lie along the result's last dim, the filters of an
// image whose channels are last. Where an input has that dim but not last, it
// is copied:
//
//   K[f, r, s, c]  ->  K'[r, s, c, f]
//
// Processors multiply groups of neighbours and add up the products, so channels
// have to lie side by side in both inputs. The one along which vectors lie is
// copied:
//
//   K[r, s, c, f]  ->  K'[r, s, c / 4, f, c % 4]
//
// so that a vector of groups, of filters that follow each other, is contiguous.
// A group of the other one is four neighbours where it is, if channels are last
// there; if not it is copied in such an order. What is left is a sum of one
// more dim, the last one, which is in the group:
//
//   O(n, h, w, f) += I(n, h + r, w + s, 4 c + g) * K'(r, s, c, f, g)
//
// Where a group has fewer numbers than fill a sum's width, copies of both
// inputs extend them to as many bits as do. Channels that are not known to be
// whole groups end with zeros in copies of both, which add nothing to a sum.
//
//===----------------------------------------------------------------------===//

#include "passes/decompose/GroupSums.h"
#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ein {

/// The only axis of an input that depends on `dim`, if there is one.
static std::optional<unsigned> findAxis(linalg::LinalgOp op, unsigned input,
                                        int64_t dim) {
  std::optional<unsigned> found;
  AffineMap map = op.getIndexingMapsArray()[input];
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    if (found)
      return std::nullopt;
    found = axis;
  }
  return found;
}

/// The same where the axis is `dim` alone.
static std::optional<unsigned> findOwnAxis(linalg::LinalgOp op, unsigned input,
                                           int64_t dim) {
  std::optional<unsigned> axis = findAxis(op, input, dim);
  if (axis &&
      !isa<AffineDimExpr>(op.getIndexingMapsArray()[input].getResult(*axis)))
    return std::nullopt;
  return axis;
}

/// Whether numbers are extended for a group to be as wide as a sum.
static bool isExtended(linalg::LinalgOp op, const Schedule &schedule) {
  Type number = getElementTypeOrSelf(op.getDpsInputs()[0].getType()),
       sum = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  return number.getIntOrFloatBitWidth() * schedule.kPack <
         sum.getIntOrFloatBitWidth();
}

/// Whether the channels are known to be whole groups.
static bool isWhole(linalg::LinalgOp op, const Schedule &schedule) {
  int64_t size = op.getStaticLoopRanges()[schedule.k];
  return !ShapedType::isDynamic(size) && size % schedule.kPack == 0;
}

/// Groups of `schedule.k`, of the input of that number.
static LogicalResult checkGroups(linalg::LinalgOp op, const Schedule &schedule,
                                 unsigned input) {
  ArrayRef<int64_t> order = schedule.order[input];
  std::optional<unsigned> axis = findOwnAxis(op, input, schedule.k);
  if (!axis || (!order.empty() && order.front() != schedule.k))
    return failure();
  switch (order.size()) {
  case 0:
    return success(*axis + 1 ==
                       op.getIndexingMapsArray()[input].getNumResults() &&
                   !isExtended(op, schedule) && isWhole(op, schedule));
  case 1:
    return success();
  case 2: {
    std::optional<unsigned> vectors = findAxis(op, input, order.back());
    return success(vectors && vectors != axis);
  }
  default:
    return failure();
  }
}

LogicalResult checkCopiedSum(linalg::LinalgOp op, const Schedule &schedule) {
  bool isGrouped = schedule.kPack > 1;
  if (!isa<linalg::GenericOp>(op.getOperation()) || op.getNumDpsInits() != 1 ||
      op.getNumDpsInputs() > 2 || op.hasIndexSemantics() ||
      (isGrouped && op.getNumDpsInputs() != 2))
    return op.emitOpError("is no sum of products of two inputs, which groups "
                          "are for");
  for (unsigned input = 0; input < op.getNumDpsInputs(); ++input) {
    if (isGrouped) {
      if (failed(checkGroups(op, schedule, input)))
        return op.emitOpError(
                   "has a schedule that does not say how groups of d")
               << schedule.k << " lie side by side in operand #" << input;
      continue;
    }
    ArrayRef<int64_t> order = schedule.order[input];
    if (order.size() > 1 ||
        (order.size() == 1 && !findAxis(op, input, order.front())))
      return op.emitOpError("has a schedule that does not say which axis of "
                            "operand #")
             << input << " is last in a copy";
  }
  return success();
}

namespace {
class SumOfCopies {
public:
  SumOfCopies(OpBuilder &builder, linalg::LinalgOp op, const Schedule &schedule)
      : b(op.getLoc(), builder), op(op), group(schedule.kPack),
        channels(schedule.k), schedule(schedule) {
    if (group > 1 && isExtended(op, schedule))
      extended =
          b.getIntegerType(getElementTypeOrSelf(op.getDpsInits()[0].getType())
                               .getIntOrFloatBitWidth() /
                           group);
    isPadded = group > 1 && !isWhole(op, schedule);
  }

  CopiedSum create();

private:
  Value createCopy(unsigned input, Value source, ArrayRef<OpFoldResult> sizes,
                   AffineMap map, Type element, OpFoldResult padded = {});
  void createBody();
  Value createLast(unsigned input, unsigned axis);
  Value createGroups(unsigned input, unsigned axis, unsigned vectors);
  OpFoldResult getWholeGroups(OpFoldResult size) {
    return affine::makeComposedFoldedAffineApply(
        b, b.getLoc(), b.getAffineDimExpr(0).ceilDiv(group) * group, {size});
  }
  Type getElement(unsigned input);
  Location getCopyLoc(unsigned input) {
    return withTensorName(op.getLoc(),
                          "copy of " + getTensorName(op->getOperand(input)));
  }

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  int64_t group, channels;
  const Schedule &schedule;
  /// What inputs are multiplied as; null if that is what they are.
  Type extended;
  bool isPadded;
  CopiedSum result;
};
} // namespace

/// What extends an input in the body.
static Operation *getExtension(linalg::LinalgOp op, unsigned input) {
  BlockArgument number =
      op.getMatchingBlockArgument(op.getDpsInputOperand(input));
  return number.use_empty() ? nullptr : *number.user_begin();
}

/// What the sum reads of an input. A copy of floats that the body extends has
/// them as they are multiplied.
Type SumOfCopies::getElement(unsigned input) {
  if (extended)
    return extended;
  Operation *extension = getExtension(op, input);
  if (group == 1 && !schedule.order[input].empty() &&
      isa_and_present<arith::ExtFOp>(extension) &&
      extension->getOperand(0).hasOneUse())
    return extension->getResult(0).getType();
  return getElementTypeOrSelf(op->getOperand(input).getType());
}

/// A copy of `sizes`, whose numbers are where `map` says; with `padded`, the
/// last dim of the copy is so long, and ends with zeros.
Value SumOfCopies::createCopy(unsigned input, Value source,
                              ArrayRef<OpFoldResult> sizes, AffineMap map,
                              Type element, OpFoldResult padded) {
  unsigned rank = sizes.size();
  SmallVector<OpFoldResult> all(sizes);
  if (padded)
    all.back() = padded;
  Value memory = tensor::EmptyOp::create(b, getCopyLoc(input), all, element);
  Value place = memory;
  SmallVector<OpFoldResult> zeros(rank, b.getIndexAttr(0)),
      ones(rank, b.getIndexAttr(1));
  if (padded) {
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
    auto fill = linalg::FillOp::create(b, getCopyLoc(input), zero, memory);
    result.copies.push_back(fill);
    memory = fill.getResult(0);
    place = tensor::ExtractSliceOp::create(b, memory, zeros, sizes, ones);
  }
  AffineMap maps[] = {map, b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  bool isWider = getElementTypeOrSelf(source.getType()) != element;
  bool isUnsigned = isa_and_present<arith::ExtUIOp>(getExtension(op, input));
  auto copy = linalg::GenericOp::create(
      b, place.getType(), source, place, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        Value number = arguments.front();
        if (isWider && isa<FloatType>(element))
          number = arith::ExtFOp::create(inner, loc, element, number);
        else if (isWider && isUnsigned)
          number = arith::ExtUIOp::create(inner, loc, element, number);
        else if (isWider)
          number = arith::ExtSIOp::create(inner, loc, element, number);
        linalg::YieldOp::create(inner, loc, number);
      });
  result.copies.push_back(copy);
  if (!padded)
    return copy.getResult(0);
  return tensor::InsertSliceOp::create(b, copy.getResult(0), memory, zeros,
                                       sizes, ones);
}

/// An input with `axis` behind the others.
Value SumOfCopies::createLast(unsigned input, unsigned axis) {
  Value source = op->getOperand(input);
  SmallVector<OpFoldResult> from = tensor::getMixedSizes(b, b.getLoc(), source);
  SmallVector<int64_t> permutation;
  for (unsigned each = 0; each < from.size(); ++each)
    if (each != axis)
      permutation.push_back(each);
  permutation.push_back(axis);
  SmallVector<OpFoldResult> sizes;
  for (int64_t each : permutation)
    sizes.push_back(from[each]);
  AffineMap map = inversePermutation(
      AffineMap::getPermutationMap(permutation, b.getContext()));
  return createCopy(input, source, sizes, map, getElement(input),
                    isPadded ? getWholeGroups(sizes.back()) : OpFoldResult());
}

/// An input with groups of `axis` behind the one of vectors, which is behind
/// the others.
Value SumOfCopies::createGroups(unsigned input, unsigned axis,
                                unsigned vectors) {
  Value source = op->getOperand(input);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), source);
  unsigned rank = sizes.size();
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult groups = affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), d0.ceilDiv(group), {sizes[axis]});
  SmallVector<AffineExpr> places(rank);
  SmallVector<OpFoldResult> shape;
  if (isPadded) {
    // Whole groups first, whose channels are last, and then groups of these.
    source = createLast(input, axis);
    sizes.push_back(getWholeGroups(sizes[axis]));
    sizes.erase(sizes.begin() + axis);
    vectors -= vectors > axis ? 1 : 0;
    axis = rank - 1;
  }
  for (unsigned each = 0; each < rank; ++each)
    if (each != axis && each != vectors) {
      places[each] = b.getAffineDimExpr(shape.size());
      shape.push_back(sizes[each]);
    }
  places[axis] = b.getAffineDimExpr(shape.size()) * group;
  shape.push_back(groups);
  places[vectors] = b.getAffineDimExpr(shape.size());
  shape.push_back(sizes[vectors]);
  places[axis] = places[axis] + b.getAffineDimExpr(shape.size());
  shape.push_back(b.getIndexAttr(group));
  return createCopy(input, source, shape,
                    AffineMap::get(shape.size(), 0, places, b.getContext()),
                    getElement(input));
}

/// The body of `op`, of numbers that may be extended already.
void SumOfCopies::createBody() {
  Region &region = result.sum.getRegion();
  IRMapping mapping;
  op->getRegion(0).cloneInto(&region, mapping);
  OpBuilder::InsertionGuard guard(b);
  for (unsigned input = 0; input < op.getNumDpsInputs(); ++input) {
    BlockArgument number = region.front().getArgument(input);
    Type element = getElement(input);
    if (number.getType() == element)
      continue;
    number.setType(element);
    for (Operation *user : llvm::make_early_inc_range(number.getUsers())) {
      b.setInsertionPoint(user);
      Type type = user->getResult(0).getType();
      Value wide = number;
      if (type != element)
        wide = arith::ExtSIOp::create(b, type, number);
      user->replaceAllUsesWith(ValueRange(wide));
      user->erase();
    }
  }
}

CopiedSum SumOfCopies::create() {
  unsigned numLoops = op.getNumLoops(), numDims = numLoops + (group > 1);
  AffineExpr inGroup = b.getAffineDimExpr(numLoops), ofGroups;
  SmallVector<AffineExpr> dims;
  for (unsigned dim = 0; dim < numLoops; ++dim)
    dims.push_back(b.getAffineDimExpr(dim));
  if (group > 1) {
    ofGroups = dims[channels];
    dims[channels] = ofGroups * group + inGroup;
  }
  SmallVector<AffineMap> maps;
  for (AffineMap map : op.getIndexingMapsArray())
    maps.push_back(map.replaceDimsAndSymbols(dims, {}, numDims, 0));
  SmallVector<Value> inputs;
  for (unsigned input = 0; input < op.getNumDpsInputs(); ++input) {
    ArrayRef<int64_t> order = schedule.order[input];
    if (order.empty()) {
      inputs.push_back(op->getOperand(input));
      continue;
    }
    SmallVector<AffineExpr> exprs(maps[input].getResults());
    unsigned axis = *findAxis(op, input, order.front());
    AffineExpr own = exprs[axis];
    if (order.size() == 1) {
      inputs.push_back(createLast(input, axis));
      exprs.erase(exprs.begin() + axis);
      exprs.push_back(own);
    } else {
      unsigned vectors = *findAxis(op, input, order.back());
      inputs.push_back(createGroups(input, axis, vectors));
      AffineExpr along = exprs[vectors];
      exprs.erase(exprs.begin() + std::max(axis, vectors));
      exprs.erase(exprs.begin() + std::min(axis, vectors));
      exprs.append({ofGroups, along, inGroup});
    }
    maps[input] = AffineMap::get(numDims, 0, exprs, b.getContext());
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<std::string> names = getIndexNames(op.getLoc(), numLoops);
  if (group > 1) {
    iterators.push_back(utils::IteratorType::reduction);
    names.push_back("group");
  }
  Value init = op.getDpsInits()[0];
  b.setLoc(withIndexNames(op.getLoc(), names));
  result.sum = linalg::GenericOp::create(b, init.getType(), inputs, init, maps,
                                         iterators);
  createBody();
  return std::move(result);
}

CopiedSum createCopiedSum(OpBuilder &builder, linalg::LinalgOp op,
                          const Schedule &schedule) {
  return SumOfCopies(builder, op, schedule).create();
}

} // namespace ein
