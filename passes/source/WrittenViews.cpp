//===- WrittenViews.cpp - Views of arrays that may overlap ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays that overlap are views of one array more often than not, so the form
// for them takes any strides. An argument that goes where strides are not
// known of, as into a call, stays contiguous.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/Aggregates.h"
#include "passes/source/MemrefRoots.h"
#include "passes/source/WrittenForm.h"

using namespace mlir;

namespace ein {

/// The type with strides and an offset that are found when the code runs.
static MemRefType withAnyLayout(MemRefType type) {
  if (type.getRank() == 0)
    return type;
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides),
      type.getMemorySpace());
}

static bool isView(Operation *op) {
  return isa<memref::SubViewOp, memref::CastOp, memref::AssumeAlignmentOp,
             memref::ExpandShapeOp, memref::CollapseShapeOp,
             memref::TransposeOp>(op) &&
         isa<MemRefType>(op->getOperand(0).getType()) &&
         isa<MemRefType>(op->getResult(0).getType());
}

/// Whether all that is done to `memref` can be done whatever its strides are.
static bool takesAnyStrides(Value memref) {
  return llvm::all_of(memref.getUsers(), [](Operation *user) {
    if (isView(user))
      return takesAnyStrides(user->getResult(0));
    return isa<memref::LoadOp, memref::StoreOp, memref::DimOp,
               bufferization::ToTensorOp,
               bufferization::MaterializeInDestinationOp>(user) ||
           isStructuredOnMemrefs(user);
  });
}

/// What the result of a view has for a type, now that its source has another.
static FailureOr<MemRefType> inferType(Operation *op) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  auto source = cast<MemRefType>(op->getOperand(0).getType());
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return memref::SubViewOp::inferRankReducedResultType(
        type.getShape(), source, view.getMixedOffsets(), view.getMixedSizes(),
        view.getMixedStrides());
  if (isa<memref::CastOp>(op))
    return MemRefType::get(type.getShape(), type.getElementType(),
                           source.getLayout(), type.getMemorySpace());
  if (isa<memref::AssumeAlignmentOp>(op))
    return source;
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    return memref::ExpandShapeOp::computeExpandedType(
        source, type.getShape(), expand.getReassociationIndices());
  // No stride of these is relied on: splitJoinedDims.
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op))
    return memref::CollapseShapeOp::computeCollapsedType(
        source, collapse.getReassociationIndices());
  auto layout = cast<StridedLayoutAttr>(source.getLayout());
  SmallVector<int64_t> strides;
  for (AffineExpr dim :
       cast<memref::TransposeOp>(op).getPermutation().getResults())
    strides.push_back(
        layout.getStrides()[cast<AffineDimExpr>(dim).getPosition()]);
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), layout.getOffset(), strides),
      type.getMemorySpace());
}

static void setTypes(Value memref, MemRefType type) {
  if (memref.getType() == type)
    return;
  memref.setType(type);
  for (Operation *user : memref.getUsers())
    if (isView(user))
      if (FailureOr<MemRefType> inferred = inferType(user); succeeded(inferred))
        setTypes(user->getResult(0), *inferred);
}

SmallVector<int64_t> allowAnyStrides(func::FuncOp function) {
  SmallVector<int64_t> contiguous;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    if (takesAnyStrides(argument))
      setTypes(argument, withAnyLayout(type));
    else
      contiguous.push_back(argument.getArgNumber());
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(),
                                     function.getResultTypes()));
  return contiguous;
}

namespace {
/// An element of a memref.
struct Place {
  Value memref;
  SmallVector<Value> indices;
};

/// Finds the element of what a view is of.
class PlaceFinder {
public:
  PlaceFinder(RewriterBase &rewriter, Location loc) : b(loc, rewriter) {}

  Place findSource(Operation *view, ArrayRef<Value> indices);
  Value getSize(Value memref, int64_t dim);

private:
  Value toValue(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), value);
  }
  Value add(Value lhs, Value rhs) {
    return b.createOrFold<arith::AddIOp>(lhs, rhs);
  }
  Value multiply(Value lhs, Value rhs) {
    return b.createOrFold<arith::MulIOp>(lhs, rhs);
  }

  ImplicitLocOpBuilder b;
};
} // namespace

/// The dims of a joined one are asked one by one.
Value PlaceFinder::getSize(Value memref, int64_t dim) {
  auto collapse = memref.getDefiningOp<memref::CollapseShapeOp>();
  if (!collapse)
    return b.createOrFold<memref::DimOp>(memref, dim);
  Value product;
  for (int64_t part : collapse.getReassociationIndices()[dim]) {
    Value size = getSize(collapse.getSrc(), part);
    product = product ? multiply(product, size) : size;
  }
  return product;
}

Place PlaceFinder::findSource(Operation *op, ArrayRef<Value> indices) {
  Place place = {op->getOperand(0), {}};
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    llvm::SmallBitVector dropped = view.getDroppedDims();
    unsigned next = 0;
    for (auto [dim, offset] : llvm::enumerate(view.getMixedOffsets())) {
      Value index = toValue(offset);
      if (!dropped.test(dim))
        index = add(index, multiply(indices[next++],
                                    toValue(view.getMixedStrides()[dim])));
      place.indices.push_back(index);
    }
  } else if (auto transpose = dyn_cast<memref::TransposeOp>(op)) {
    place.indices.resize(indices.size());
    for (auto [index, dim] :
         llvm::zip_equal(indices, transpose.getPermutation().getResults()))
      place.indices[cast<AffineDimExpr>(dim).getPosition()] = index;
  } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
    SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      Value index = indices[group.front()];
      for (int64_t dim : ArrayRef(group).drop_front())
        index = add(multiply(index, toValue(sizes[dim])), indices[dim]);
      place.indices.push_back(index);
    }
  } else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
    for (auto [index, group] :
         llvm::zip_equal(indices, collapse.getReassociationIndices())) {
      SmallVector<Value> parts;
      Value rest = index;
      for (int64_t dim : llvm::reverse(ArrayRef(group).drop_front())) {
        Value size = getSize(collapse.getSrc(), dim);
        parts.push_back(arith::RemUIOp::create(b, rest, size));
        rest = arith::DivUIOp::create(b, rest, size);
      }
      parts.push_back(rest);
      llvm::append_range(place.indices, llvm::reverse(parts));
    }
  } else {
    // Casts and what is said of the alignment.
    place.indices = llvm::to_vector(indices);
  }
  return place;
}

/// Whether dims are joined in what `memref` is a view of.
static bool isOfJoined(Value memref) {
  Operation *op = memref.getDefiningOp();
  return op && isView(op) &&
         (isa<memref::CollapseShapeOp>(op) || isOfJoined(op->getOperand(0)));
}

void splitJoinedDims(RewriterBase &rewriter, func::FuncOp function) {
  SmallVector<Operation *> ops, views;
  function.walk([&](Operation *op) {
    if (isView(op) && isOfJoined(op->getResult(0)))
      views.push_back(op);
    else if (isa<memref::LoadOp, memref::StoreOp, memref::DimOp>(op))
      ops.push_back(op);
  });
  auto find = [&](Operation *op, Value memref, ValueRange indices) {
    PlaceFinder finder(rewriter, op->getLoc());
    Place place = {memref, llvm::to_vector(indices)};
    while (isOfJoined(place.memref))
      place = finder.findSource(place.memref.getDefiningOp(), place.indices);
    return place;
  };
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      if (!isOfJoined(load.getMemref()))
        continue;
      Place place = find(op, load.getMemref(), load.getIndices());
      rewriter.replaceOpWithNewOp<memref::LoadOp>(op, place.memref,
                                                  place.indices);
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      if (!isOfJoined(store.getMemref()))
        continue;
      Place place = find(op, store.getMemref(), store.getIndices());
      rewriter.replaceOpWithNewOp<memref::StoreOp>(op, store.getValue(),
                                                   place.memref, place.indices);
    } else if (auto dim = cast<memref::DimOp>(op);
               dim.getSource().getDefiningOp<memref::CollapseShapeOp>() &&
               dim.getConstantIndex()) {
      rewriter.replaceOp(
          op, PlaceFinder(rewriter, op->getLoc())
                  .getSize(dim.getSource(), *dim.getConstantIndex()));
    }
  }
  for (Operation *view : llvm::reverse(views))
    if (view->use_empty())
      rewriter.eraseOp(view);
}

} // namespace ein
