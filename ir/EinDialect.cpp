//===- EinDialect.cpp - The ein dialect and its ops -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

#include "ir/EinDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ir/EinOps.cpp.inc"

namespace ein {

void EinDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "ir/EinOps.cpp.inc"
      >();
}

SmallVector<unsigned> EinsumOp::getDims(unsigned operand) {
  SmallVector<unsigned> dims;
  for (AffineExpr result : getMap(operand).getResults())
    dims.push_back(cast<AffineDimExpr>(result).getPosition());
  return dims;
}

SmallVector<int64_t> EinsumOp::getStaticLoopSizes() {
  SmallVector<int64_t> sizes(getNumLoops(), ShapedType::kDynamic);
  for (auto [position, operand] : llvm::enumerate(getOperands())) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(operand.getType()).getShape();
    for (auto [dim, extent] : llvm::zip_equal(getDims(position), shape))
      if (!ShapedType::isDynamic(extent))
        sizes[dim] = extent;
  }
  return sizes;
}

bool widensTo(Type from, Type to) {
  if (from == to)
    return true;
  return isa<FloatType>(from) && isa<FloatType>(to) &&
         cast<FloatType>(from).getWidth() < cast<FloatType>(to).getWidth();
}

LogicalResult verifyGroups(Operation *op, ArrayAttr groups,
                           unsigned numInputs) {
  if (!groups)
    return success();
  llvm::SmallBitVector used(numInputs);
  for (auto [number, attribute] : llvm::enumerate(groups)) {
    ArrayRef<int64_t> group = cast<DenseI64ArrayAttr>(attribute).asArrayRef();
    if (group.size() < 2)
      return op->emitOpError("has group #") << number << " of fewer than two";
    for (int64_t member : group) {
      if (member < 0 || static_cast<uint64_t>(member) >= used.size() ||
          used.test(member))
        return op->emitOpError("has in group #")
               << number << " the member " << member
               << ", which is in another group already or is none";
      used.set(member);
    }
    used.push_back(false);
  }
  return success();
}

/// Products are of two that have nothing in common, and not of all inputs.
static LogicalResult verifyShared(EinsumOp op) {
  ArrayAttr shared = op.getSharedAttr();
  if (!shared)
    return success();
  unsigned numInputs = op.getInputs().size();
  SmallVector<llvm::SmallBitVector> sets;
  for (unsigned i = 0; i != numInputs; ++i) {
    sets.emplace_back(numInputs);
    sets.back().set(i);
  }
  for (auto [number, attribute] : llvm::enumerate(shared)) {
    ArrayRef<int64_t> pair = cast<DenseI64ArrayAttr>(attribute).asArrayRef();
    auto isMember = [&](int64_t member) {
      return member >= 0 && static_cast<uint64_t>(member) < sets.size();
    };
    if (pair.size() != 2 || !llvm::all_of(pair, isMember) ||
        sets[pair[0]].anyCommon(sets[pair[1]]))
      return op.emitOpError("has shared product #")
             << number << ", which is not one of two";
    sets.push_back(sets[pair[0]]);
    sets.back() |= sets[pair[1]];
    if (sets.back().all() ||
        llvm::is_contained(ArrayRef(sets).drop_back(), sets.back()))
      return op.emitOpError("has shared product #")
             << number << " of all inputs, or of those of another one";
  }
  return success();
}

LogicalResult EinsumOp::verify() {
  if (getInputs().empty())
    return emitOpError("has no inputs");
  if (getIndexingMaps().size() != getNumOperands())
    return emitOpError("has ")
           << getIndexingMaps().size() << " indexing maps for "
           << getNumOperands() << " operands";
  if (getInit().getType() != getResult().getType())
    return emitOpError("has an init of type ")
           << getInit().getType() << " and a result of type "
           << getResult().getType();

  unsigned numLoops = getNumLoops();
  Type elementType = getElementTypeOrSelf(getResult().getType());
  SmallVector<int64_t> sizes(numLoops, ShapedType::kDynamic);
  llvm::SmallBitVector seen(numLoops);
  for (auto [position, operand] : llvm::enumerate(getOperands())) {
    AffineMap map = getMap(position);
    auto type = cast<RankedTensorType>(operand.getType());
    if (map.getNumDims() != numLoops || map.getNumSymbols() != 0)
      return emitOpError("has indexing map #")
             << position << " over other dims than the first one";
    if (map.getNumResults() != type.getRank())
      return emitOpError("has indexing map #")
             << position << " with " << map.getNumResults()
             << " results for an operand of rank " << type.getRank();
    if (!widensTo(type.getElementType(), elementType))
      return emitOpError("cannot convert operand #")
             << position << " from " << type.getElementType() << " to "
             << elementType << " without loss";
    for (auto [expr, extent] :
         llvm::zip_equal(map.getResults(), type.getShape())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        return emitOpError("has indexing map #")
               << position << " with a result that is not a dim";
      seen.set(dim.getPosition());
      int64_t &size = sizes[dim.getPosition()];
      if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(size) &&
          extent != size)
        return emitOpError("gives dim d")
               << dim.getPosition() << " the extents " << size << " and "
               << extent;
      if (!ShapedType::isDynamic(extent))
        size = extent;
    }
  }
  if (!seen.all())
    return emitOpError("has a dim that no indexing map uses");

  llvm::SmallBitVector written(numLoops);
  for (unsigned dim : getDims(getInputs().size())) {
    if (written.test(dim))
      return emitOpError("repeats dim d") << dim << " in its output map";
    written.set(dim);
  }
  if (failed(verifyShared(*this)))
    return failure();
  return verifyGroups(*this, getPathAttr(), getInputs().size());
}

} // namespace ein
