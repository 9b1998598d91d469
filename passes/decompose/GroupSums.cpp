//===- GroupSums.cpp - Sums over windows as sums of groups ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processors multiply groups of neighbours and add up the products, so channels
// have to lie side by side in both inputs of a convolution. The input along
// which vectors lie is copied:
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
// inputs extend them to as many bits as do.
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

/// The axis of an input that is `dim` alone, if no other one depends on it.
static std::optional<unsigned> findAxis(linalg::LinalgOp op, unsigned input,
                                        int64_t dim) {
  AffineMap map = op.getIndexingMapsArray()[input];
  int64_t count = llvm::count_if(map.getResults(), [&](AffineExpr expr) {
    return expr.isFunctionOfDim(dim);
  });
  if (count != 1)
    return std::nullopt;
  return map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
}

/// Whether numbers are extended for a group to be as wide as a sum.
static bool isExtended(linalg::LinalgOp op, const Schedule &schedule) {
  Type number = getElementTypeOrSelf(op.getDpsInputs()[0].getType()),
       sum = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  return number.getIntOrFloatBitWidth() * schedule.kPack <
         sum.getIntOrFloatBitWidth();
}

LogicalResult checkGroupedSum(linalg::LinalgOp op, const Schedule &schedule) {
  int64_t size = op.getStaticLoopRanges()[schedule.k];
  if (!isa<linalg::GenericOp>(op.getOperation()) || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.hasIndexSemantics())
    return op.emitOpError("is no sum of products of two inputs, which groups "
                          "are for");
  if (ShapedType::isDynamic(size) || size % schedule.kPack != 0)
    return op.emitOpError("has no whole groups of ")
           << schedule.kPack << " along d" << schedule.k;
  for (unsigned input : {0u, 1u}) {
    AffineMap map = op.getIndexingMapsArray()[input];
    ArrayRef<int64_t> order = schedule.order[input];
    std::optional<unsigned> axis = findAxis(op, input, schedule.k);
    bool isLast = axis == map.getNumResults() - 1;
    bool isRight = order.empty()       ? isLast && !isExtended(op, schedule)
                   : order.size() == 1 ? order.front() == schedule.k
                                       : order.size() == 2 && !isLast &&
                                             order.front() == schedule.k;
    if (!axis || !isRight)
      return op.emitOpError("has a schedule that does not say how groups of d")
             << schedule.k << " lie side by side in operand #" << input;
  }
  return success();
}

namespace {
class Grouping {
public:
  Grouping(OpBuilder &builder, linalg::LinalgOp op, const Schedule &schedule)
      : b(op.getLoc(), builder), op(op), group(schedule.kPack),
        channels(schedule.k), schedule(schedule) {
    if (isExtended(op, schedule))
      extended =
          b.getIntegerType(getElementTypeOrSelf(op.getDpsInits()[0].getType())
                               .getIntOrFloatBitWidth() /
                           group);
  }

  GroupedCopies create();

private:
  Value createCopy(unsigned input, ArrayRef<OpFoldResult> sizes, AffineMap map);
  void createBody();
  Value createLast(unsigned input, unsigned axis);
  Value createGroups(unsigned input, unsigned axis);
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
  GroupedCopies result;
};
} // namespace

/// What extends an input in the body.
static Operation *getExtension(linalg::LinalgOp op, unsigned input) {
  BlockArgument number =
      op.getMatchingBlockArgument(op.getDpsInputOperand(input));
  return number.use_empty() ? nullptr : *number.user_begin();
}

/// A copy of `sizes`, whose numbers are where `map` says.
Value Grouping::createCopy(unsigned input, ArrayRef<OpFoldResult> sizes,
                           AffineMap map) {
  Value source = op->getOperand(input);
  Type element = extended ? extended : getElementTypeOrSelf(source.getType());
  Value empty = tensor::EmptyOp::create(b, getCopyLoc(input), sizes, element);
  AffineMap maps[] = {map, b.getMultiDimIdentityMap(sizes.size())};
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  bool isUnsigned = isa_and_present<arith::ExtUIOp>(getExtension(op, input));
  auto copy = linalg::GenericOp::create(
      b, empty.getType(), source, empty, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        Value number = arguments.front();
        if (extended && isUnsigned)
          number = arith::ExtUIOp::create(inner, loc, extended, number);
        else if (extended)
          number = arith::ExtSIOp::create(inner, loc, extended, number);
        linalg::YieldOp::create(inner, loc, number);
      });
  result.copies.push_back(copy);
  return copy.getResult(0);
}

/// An input with `axis` behind the others.
Value Grouping::createLast(unsigned input, unsigned axis) {
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
  return createCopy(input, sizes,
                    inversePermutation(AffineMap::getPermutationMap(
                        permutation, b.getContext())));
}

/// An input with groups of `axis` behind its last one.
Value Grouping::createGroups(unsigned input, unsigned axis) {
  Value source = op->getOperand(input);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), source);
  unsigned rank = sizes.size();
  // Others, groups, the last one, and what is in a group.
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult groups = affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), d0.floorDiv(group), {sizes[axis]});
  SmallVector<OpFoldResult> shape;
  SmallVector<AffineExpr> places(rank);
  for (unsigned each = 0; each + 1 < rank; ++each)
    if (each != axis) {
      places[each] = b.getAffineDimExpr(shape.size());
      shape.push_back(sizes[each]);
    }
  places[axis] = b.getAffineDimExpr(shape.size()) * group;
  shape.push_back(groups);
  places[rank - 1] = b.getAffineDimExpr(shape.size());
  shape.push_back(sizes[rank - 1]);
  places[axis] = places[axis] + b.getAffineDimExpr(shape.size());
  shape.push_back(b.getIndexAttr(group));
  return createCopy(input, shape,
                    AffineMap::get(shape.size(), 0, places, b.getContext()));
}

/// The body of `op`, of numbers that may be extended already.
void Grouping::createBody() {
  Region &region = result.sum.getRegion();
  IRMapping mapping;
  op->getRegion(0).cloneInto(&region, mapping);
  if (!extended)
    return;
  OpBuilder::InsertionGuard guard(b);
  for (unsigned input : {0u, 1u}) {
    BlockArgument number = region.front().getArgument(input);
    number.setType(extended);
    for (Operation *user : llvm::make_early_inc_range(number.getUsers())) {
      b.setInsertionPoint(user);
      Value wide =
          arith::ExtSIOp::create(b, user->getResult(0).getType(), number);
      user->replaceAllUsesWith(ValueRange(wide));
      user->erase();
    }
  }
}

GroupedCopies Grouping::create() {
  unsigned numLoops = op.getNumLoops();
  AffineExpr inGroup = b.getAffineDimExpr(numLoops);
  SmallVector<AffineExpr> dims;
  for (unsigned dim = 0; dim < numLoops; ++dim)
    dims.push_back(b.getAffineDimExpr(dim));
  AffineExpr ofGroups = dims[channels];
  dims[channels] = ofGroups * group + inGroup;
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  for (unsigned input : {0u, 1u}) {
    AffineMap map = op.getIndexingMapsArray()[input].replaceDimsAndSymbols(
        dims, {}, numLoops + 1, 0);
    SmallVector<AffineExpr> exprs(map.getResults());
    unsigned axis = *findAxis(op, input, channels);
    size_t numLast = schedule.order[input].size();
    if (numLast == 0) {
      inputs.push_back(op->getOperand(input));
      maps.push_back(map);
      continue;
    }
    AffineExpr own = exprs[axis];
    exprs.erase(exprs.begin() + axis);
    if (numLast == 1) {
      inputs.push_back(createLast(input, axis));
      exprs.push_back(own);
    } else {
      inputs.push_back(createGroups(input, axis));
      exprs.insert(exprs.end() - 1, ofGroups);
      exprs.push_back(inGroup);
    }
    maps.push_back(AffineMap::get(numLoops + 1, 0, exprs, b.getContext()));
  }
  maps.push_back(op.getIndexingMapsArray()[2].replaceDimsAndSymbols(
      dims, {}, numLoops + 1, 0));
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.push_back(utils::IteratorType::reduction);
  SmallVector<std::string> names = getIndexNames(op.getLoc(), numLoops);
  names.push_back("group");
  Value init = op.getDpsInits()[0];
  b.setLoc(withIndexNames(op.getLoc(), names));
  result.sum = linalg::GenericOp::create(b, init.getType(), inputs, init, maps,
                                         iterators);
  createBody();
  return std::move(result);
}

GroupedCopies createGroupedSum(OpBuilder &builder, linalg::LinalgOp op,
                               const Schedule &schedule) {
  return Grouping(builder, op, schedule).create();
}

} // namespace ein
