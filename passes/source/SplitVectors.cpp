//===- SplitVectors.cpp - Arrays of vectors are arrays of one more dim ----===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A user may write `memref<?xvector<4xf32>>`. Its vectors are the caller's
// layout and not the machine's, and all that is known of arrays, from
// signatures to tiles in registers, is known of arrays of numbers. So such an
// array gets the dims of its vectors, in the same memory; a structured op loops
// over them; and what else computes with vectors does so element by element.
// Later passes make vectors as long as the machine's of all of that.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/source/Passes.h"

namespace ein {
#define GEN_PASS_DEF_SPLITVECTORS
#include "passes/source/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static VectorType getVectorElement(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !isa<VectorType>(type)
             ? dyn_cast<VectorType>(shaped.getElementType())
             : VectorType();
}

/// An array of vectors with their dims as its own; any other type as it is.
static Type split(Type type) {
  VectorType vector = getVectorElement(type);
  if (!vector)
    return type;
  SmallVector<int64_t> shape(cast<ShapedType>(type).getShape());
  llvm::append_range(shape, vector.getShape());
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return RankedTensorType::get(shape, vector.getElementType());
  MemRefLayoutAttrInterface layout;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref.getLayout().isIdentity() &&
      succeeded(memref.getStridesAndOffset(strides, offset))) {
    // They were in vectors.
    auto scale = [&](int64_t &value) {
      if (!ShapedType::isDynamic(value))
        value *= vector.getNumElements();
    };
    llvm::for_each(strides, scale);
    scale(offset);
    llvm::append_range(strides, computeStrides(vector.getShape()));
    layout = StridedLayoutAttr::get(type.getContext(), offset, strides);
  }
  return MemRefType::get(shape, vector.getElementType(), layout,
                         memref.getMemorySpace());
}

/// The elements of a dense attribute.
static SmallVector<TypedAttr> getElements(Attribute value) {
  auto dense = cast<DenseElementsAttr>(value);
  return llvm::map_to_vector(dense.getValues<Attribute>(), [](Attribute each) {
    return cast<TypedAttr>(each);
  });
}

namespace {

class VectorSplitter {
public:
  explicit VectorSplitter(func::FuncOp function)
      : function(function), rewriter(function.getContext()) {}

  LogicalResult run();

private:
  using Elements = SmallVector<Value>;

  LogicalResult splitOp(Operation *op);
  LogicalResult splitStructured(linalg::GenericOp op);
  LogicalResult splitBody(linalg::GenericOp op, unsigned firstDim);
  LogicalResult splitValues(Operation *op);
  void splitSlice(Operation *op, Value slice);
  void splitReshape(Operation *op);
  void splitLoad(Operation *op, Value source, ValueRange indices);
  void splitStore(Operation *op, Value destination, Value value,
                  ValueRange indices);
  /// The one of `elements`, of a vector of `shape`, that loops over its dims,
  /// from `firstDim` on, are at.
  Value pick(Location loc, const Elements &elements, ArrayRef<int64_t> shape,
             unsigned firstDim);
  LogicalResult refuse(Operation *op) {
    return op->emitError("`") << op->getName()
                              << "` of vectors cannot be compiled; what is "
                                 "done to each element can";
  }

  func::FuncOp function;
  IRRewriter rewriter;
  /// What vectors outside of structured ops consist of, in row-major order.
  llvm::DenseMap<Value, Elements> elements;
  SmallVector<Operation *> dead;
};

} // namespace

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

/// Whether the vectors that `op` touches are of one shape, and each element of
/// its results is of the operands' elements at the same place.
static bool isElementwise(Operation *op) {
  return op->getNumRegions() == 0 && OpTrait::hasElementwiseMappableTraits(op);
}

Value VectorSplitter::pick(Location loc, const Elements &elements,
                           ArrayRef<int64_t> shape, unsigned firstDim) {
  if (llvm::all_equal(elements))
    return elements.front();
  Value position;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    Value index = linalg::IndexOp::create(rewriter, loc, firstDim + i);
    if (position)
      index = arith::AddIOp::create(
          rewriter, loc, index,
          arith::MulIOp::create(
              rewriter, loc, position,
              arith::ConstantIndexOp::create(rewriter, loc, extent)));
    position = index;
  }
  Value picked = elements.back();
  for (int64_t i = elements.size() - 2; i >= 0; --i) {
    Value isHere =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, position,
                              arith::ConstantIndexOp::create(rewriter, loc, i));
    picked =
        arith::SelectOp::create(rewriter, loc, isHere, elements[i], picked);
  }
  return picked;
}

/// The body computes one element of each vector, the one that the loops from
/// `firstDim` on are at.
LogicalResult VectorSplitter::splitBody(linalg::GenericOp op,
                                        unsigned firstDim) {
  SmallVector<Operation *> ops;
  op.getBody()->walk<WalkOrder::PreOrder>(
      [&](Operation *inner) { ops.push_back(inner); });
  for (BlockArgument argument : op.getBody()->getArguments())
    if (auto type = dyn_cast<VectorType>(argument.getType()))
      argument.setType(type.getElementType());
  for (Operation *inner : ops) {
    rewriter.setInsertionPoint(inner);
    // Vectors that are still left come from outside.
    for (OpOperand &operand : inner->getOpOperands()) {
      auto type = dyn_cast<VectorType>(operand.get().getType());
      if (!type)
        continue;
      auto known = elements.find(operand.get());
      if (known == elements.end())
        return refuse(inner);
      operand.set(
          pick(inner->getLoc(), known->second, type.getShape(), firstDim));
    }
    auto vector = inner->getNumResults() > 0
                      ? dyn_cast<VectorType>(inner->getResult(0).getType())
                      : VectorType();
    if (auto constant = dyn_cast<arith::ConstantOp>(inner);
        constant && vector) {
      Elements values;
      llvm::DenseMap<Attribute, Value> known;
      for (TypedAttr each : getElements(constant.getValue())) {
        Value &value = known[each];
        if (!value)
          value = arith::ConstantOp::create(rewriter, inner->getLoc(), each);
        values.push_back(value);
      }
      rewriter.replaceOp(
          inner, pick(inner->getLoc(), values, vector.getShape(), firstDim));
      continue;
    }
    if (auto broadcast = dyn_cast<vector::BroadcastOp>(inner)) {
      rewriter.replaceOp(inner, broadcast.getSource());
      continue;
    }
    if (vector && !isElementwise(inner) &&
        !isa<scf::IfOp, linalg::YieldOp>(inner))
      return refuse(inner);
    for (OpResult result : inner->getResults())
      if (auto type = dyn_cast<VectorType>(result.getType()))
        result.setType(type.getElementType());
  }
  return success();
}

LogicalResult VectorSplitter::splitStructured(linalg::GenericOp op) {
  // One shape of vectors in all of it.
  VectorType vector;
  auto see = [&](Type type) {
    auto seen = dyn_cast<VectorType>(type);
    if (!seen)
      return true;
    if (!vector)
      vector = seen;
    return vector.getShape() == seen.getShape();
  };
  bool isUniform = llvm::all_of(op.getBody()->getArgumentTypes(), see);
  WalkResult result = op.getBody()->walk([&](Operation *inner) {
    auto broadcast = dyn_cast<vector::BroadcastOp>(inner);
    bool isGood =
        llvm::all_of(inner->getResultTypes(), see) &&
        !(broadcast && isVector(broadcast.getSource())) &&
        // What makes one number of a vector is of all its elements.
        (llvm::none_of(inner->getOperands(), isVector) ||
         isElementwise(inner) || isa<linalg::YieldOp, scf::YieldOp>(inner));
    return isGood ? WalkResult::advance() : WalkResult(refuse(inner));
  });
  if (result.wasInterrupted())
    return failure();
  if (!vector)
    return success();
  bool writesVectors = llvm::all_of(
      op.getRegionOutputArgs(), [](Value value) { return isVector(value); });
  if (!isUniform || !writesVectors)
    return op.emitError("`linalg.generic` of vectors of several shapes, or of "
                        "vectors and numbers that it writes, cannot be "
                        "compiled");

  unsigned numLoops = op.getNumLoops(), numDims = vector.getRank();
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  unsigned numInputs = 0;
  rewriter.setInsertionPoint(op);
  llvm::BitVector dropped(op.getBody()->getNumArguments());
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (isVector(operand.get())) { // one for all iterations
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(op.getBody());
      auto known = elements.find(operand.get());
      if (known == elements.end())
        return refuse(op);
      argument.replaceAllUsesWith(
          pick(op.getLoc(), known->second, vector.getShape(), numLoops));
      dropped.set(argument.getArgNumber());
      continue;
    }
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<AffineExpr> results(map.getResults());
    if (isVector(argument))
      for (unsigned i = 0; i < numDims; ++i)
        results.push_back(rewriter.getAffineDimExpr(numLoops + i));
    maps.push_back(
        AffineMap::get(numLoops + numDims, 0, results, rewriter.getContext()));
    operands.push_back(operand.get());
    numInputs += op.isDpsInput(&operand);
  }
  op.getBody()->eraseArguments(dropped);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.append(numDims, utils::IteratorType::parallel);
  ValueRange all(operands);
  ValueRange outputs = all.drop_front(numInputs);
  SmallVector<Type> types;
  for (Value output : outputs)
    if (isa<TensorType>(output.getType()))
      types.push_back(output.getType());
  auto numbers = linalg::GenericOp::create(rewriter, op.getLoc(), types,
                                           all.take_front(numInputs), outputs,
                                           maps, iterators);
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    numbers->setAttr(attribute.getName(), attribute.getValue());
  numbers.getRegion().takeBody(op.getRegion());
  rewriter.replaceOp(op, numbers.getResults());
  return splitBody(numbers, numLoops);
}

/// Ops that make, take apart or change vectors, outside of structured ops.
LogicalResult VectorSplitter::splitValues(Operation *op) {
  Location loc = op->getLoc();
  auto given = [&](Value value) { return elements.lookup(value); };
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    for (TypedAttr each : getElements(constant.getValue()))
      elements[constant].push_back(
          arith::ConstantOp::create(rewriter, loc, each));
  } else if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    if (isVector(broadcast.getSource()))
      return refuse(op);
    elements[broadcast].assign(broadcast.getResultVectorType().getNumElements(),
                               broadcast.getSource());
  } else if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    VectorType type = extract.getSourceVectorType();
    if (isVector(extract.getResult()) || extract.hasDynamicPosition())
      return refuse(op);
    int64_t position =
        linearize(extract.getStaticPosition(), computeStrides(type.getShape()));
    rewriter.replaceAllUsesWith(extract.getResult(),
                                given(extract.getSource())[position]);
  } else if (auto insert = dyn_cast<vector::InsertOp>(op)) {
    VectorType type = insert.getDestVectorType();
    if (isVector(insert.getValueToStore()) || insert.hasDynamicPosition())
      return refuse(op);
    Elements values = given(insert.getDest());
    values[linearize(insert.getStaticPosition(),
                     computeStrides(type.getShape()))] =
        insert.getValueToStore();
    elements[insert] = values;
  } else if (auto reduction = dyn_cast<vector::ReductionOp>(op)) {
    Elements values = given(reduction.getVector());
    Value sum = reduction.getAcc();
    for (Value value : values)
      sum = sum ? vector::makeArithReduction(rewriter, loc, reduction.getKind(),
                                             value, sum)
                : value;
    rewriter.replaceAllUsesWith(reduction.getResult(), sum);
  } else if (isElementwise(op)) {
    auto type = dyn_cast<VectorType>(op->getResult(0).getType());
    if (!type || op->getNumResults() != 1)
      return refuse(op);
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      OperationState state(loc, op->getName());
      for (Value operand : op->getOperands())
        state.addOperands(isVector(operand) ? given(operand)[i] : operand);
      state.addAttributes(op->getAttrs());
      state.addTypes(type.getElementType());
      elements[op->getResult(0)].push_back(
          rewriter.create(state)->getResult(0));
    }
  } else {
    return refuse(op);
  }
  dead.push_back(op);
  return success();
}

/// The places of a vector's elements behind `indices`.
static SmallVector<SmallVector<Value>>
getPlaces(OpBuilder &b, Location loc, VectorType type, ValueRange indices) {
  SmallVector<SmallVector<Value>> places;
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    SmallVector<Value> place(indices);
    for (int64_t position : delinearize(i, strides))
      place.push_back(arith::ConstantIndexOp::create(b, loc, position));
    places.push_back(place);
  }
  return places;
}

void VectorSplitter::splitLoad(Operation *op, Value source,
                               ValueRange indices) {
  Value vector = op->getResult(0);
  auto type = cast<VectorType>(vector.getType());
  for (ArrayRef<Value> place :
       getPlaces(rewriter, op->getLoc(), type, indices)) {
    Value element =
        isa<MemRefType>(source.getType())
            ? memref::LoadOp::create(rewriter, op->getLoc(), source, place)
                  .getResult()
            : tensor::ExtractOp::create(rewriter, op->getLoc(), source, place)
                  .getResult();
    elements[vector].push_back(element);
  }
  dead.push_back(op);
}

void VectorSplitter::splitStore(Operation *op, Value destination, Value value,
                                ValueRange indices) {
  auto type = cast<VectorType>(value.getType());
  for (auto [place, element] :
       llvm::zip_equal(getPlaces(rewriter, op->getLoc(), type, indices),
                       elements.lookup(value))) {
    if (isa<MemRefType>(destination.getType()))
      memref::StoreOp::create(rewriter, op->getLoc(), element, destination,
                              place);
    else
      destination = tensor::InsertOp::create(rewriter, op->getLoc(), element,
                                             destination, place);
  }
  if (op->getNumResults() == 1)
    op->getResult(0).replaceAllUsesWith(destination);
  dead.push_back(op);
}

/// A slice has all of each of its vectors.
void VectorSplitter::splitSlice(Operation *op, Value slice) {
  auto view = cast<OffsetSizeAndStrideOpInterface>(op);
  VectorType vector = getVectorElement(slice.getType());
  SmallVector<OpFoldResult> offsets = view.getMixedOffsets(),
                            sizes = view.getMixedSizes(),
                            strides = view.getMixedStrides();
  // The vectors of a slice's operand are dims by now, those of its result not.
  if (!vector)
    return;
  for (int64_t extent : vector.getShape()) {
    offsets.push_back(rewriter.getIndexAttr(0));
    sizes.push_back(rewriter.getIndexAttr(extent));
    strides.push_back(rewriter.getIndexAttr(1));
  }
  Type type = split(slice.getType());
  Value result;
  if (auto subview = dyn_cast<memref::SubViewOp>(op))
    result = memref::SubViewOp::create(
        rewriter, op->getLoc(), cast<MemRefType>(type), subview.getSource(),
        offsets, sizes, strides);
  else if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    result = tensor::ExtractSliceOp::create(
        rewriter, op->getLoc(), cast<RankedTensorType>(type),
        extract.getSource(), offsets, sizes, strides);
  else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    result = tensor::InsertSliceOp::create(rewriter, op->getLoc(),
                                           insert.getSource(), insert.getDest(),
                                           offsets, sizes, strides);
  rewriter.replaceOp(op, result);
}

/// Dims of vectors are no part of others.
void VectorSplitter::splitReshape(Operation *op) {
  Value result = op->getResult(0);
  VectorType vector = getVectorElement(result.getType());
  Type type = split(result.getType());
  Value source = op->getOperand(0), reshaped;
  auto extend = [&](SmallVector<ReassociationIndices> groups) {
    int64_t next = groups.empty() ? 0 : groups.back().back() + 1;
    for (int64_t i = 0; i < vector.getRank(); ++i)
      groups.push_back({next + i});
    return groups;
  };
  auto extendShape = [&](SmallVector<OpFoldResult> shape) {
    for (int64_t extent : vector.getShape())
      shape.push_back(rewriter.getIndexAttr(extent));
    return shape;
  };
  Location loc = op->getLoc();
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op))
    reshaped = memref::CollapseShapeOp::create(
        rewriter, loc, type, source,
        extend(collapse.getReassociationIndices()));
  else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    reshaped = tensor::CollapseShapeOp::create(
        rewriter, loc, type, source,
        extend(collapse.getReassociationIndices()));
  else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    reshaped = memref::ExpandShapeOp::create(
        rewriter, loc, type, source, extend(expand.getReassociationIndices()),
        extendShape(expand.getMixedOutputShape()));
  else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    reshaped = tensor::ExpandShapeOp::create(
        rewriter, loc, type, source, extend(expand.getReassociationIndices()),
        extendShape(expand.getMixedOutputShape()));
  rewriter.replaceOp(op, reshaped);
}

LogicalResult VectorSplitter::splitOp(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return splitStructured(generic);
  if (auto load = dyn_cast<memref::LoadOp>(op); load && isVector(load))
    return splitLoad(op, load.getMemref(), load.getIndices()), success();
  if (auto load = dyn_cast<tensor::ExtractOp>(op); load && isVector(load))
    return splitLoad(op, load.getTensor(), load.getIndices()), success();
  if (auto store = dyn_cast<memref::StoreOp>(op);
      store && isVector(store.getValue()))
    return splitStore(op, store.getMemref(), store.getValue(),
                      store.getIndices()),
           success();
  if (auto store = dyn_cast<tensor::InsertOp>(op);
      store && isVector(store.getScalar()))
    return splitStore(op, store.getDest(), store.getScalar(),
                      store.getIndices()),
           success();
  if (llvm::any_of(op->getOperands(), isVector) ||
      llvm::any_of(op->getResults(), isVector))
    return splitValues(op);
  if (llvm::none_of(op->getResultTypes(), getVectorElement))
    return success();
  if (isa<memref::SubViewOp, tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
    return splitSlice(op, op->getResult(0)), success();
  if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp,
          tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return splitReshape(op), success();
  if (isa<memref::TransposeOp, memref::ReinterpretCastOp, memref::ViewOp,
          memref::GetGlobalOp, tensor::FromElementsOp, tensor::PadOp,
          tensor::SplatOp, tensor::GenerateOp, arith::ConstantOp>(op))
    return refuse(op);
  for (OpResult result : op->getResults())
    result.setType(split(result.getType()));
  return success();
}

LogicalResult VectorSplitter::run() {
  SmallVector<linalg::LinalgOp> named;
  bool hasVectors = false;
  function.walk([&](Operation *op) {
    auto isOfVectors = [](Type type) {
      return isa<VectorType>(type) || getVectorElement(type);
    };
    if (!llvm::any_of(op->getOperandTypes(), isOfVectors) &&
        !llvm::any_of(op->getResultTypes(), isOfVectors))
      return;
    hasVectors = true;
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (structured && !isa<linalg::GenericOp>(op))
      named.push_back(structured);
  });
  hasVectors |= llvm::any_of(function.getArgumentTypes(), getVectorElement);
  if (!hasVectors)
    return success();
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return refuse(op);
  }
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function)
      ops.push_back(op);
  });
  auto splitArguments = [](Operation *op) {
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        argument.setType(split(argument.getType()));
  };
  splitArguments(function);
  llvm::DenseSet<Operation *> inBodies;
  for (Operation *op : ops)
    if (!isa<linalg::GenericOp>(op) && op->getParentOfType<linalg::GenericOp>())
      inBodies.insert(op);
  for (Operation *op : ops) {
    if (inBodies.contains(op)) // with the op that it is part of
      continue;
    if (!isa<linalg::GenericOp>(op))
      splitArguments(op);
    if (failed(splitOp(op)))
      return failure();
  }
  for (Operation *op : llvm::reverse(dead))
    rewriter.eraseOp(op);
  function.setType(rewriter.getFunctionType(
      function.front().getArgumentTypes(),
      function.front().getTerminator()->getOperandTypes()));
  return success();
}

namespace {
struct SplitVectorsPass : impl::SplitVectorsBase<SplitVectorsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.isExternal() && failed(VectorSplitter(function).run()))
      signalPassFailure();
  }
};
} // namespace

} // namespace ein
