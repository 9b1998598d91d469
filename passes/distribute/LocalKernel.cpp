//===- LocalKernel.cpp - A structured op as a function of its own ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op is cloned with operands that are arguments of the new function. What
// it takes from around it, numbers of the program's scalars and sizes, is
// computed again.
//
//===----------------------------------------------------------------------===//

#include "passes/distribute/LocalKernel.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace ein {

/// The values from around the op that it computes with: scalars that are
/// operands, and what its body names.
static llvm::SetVector<Value> getTaken(linalg::LinalgOp op) {
  llvm::SetVector<Value> taken;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (!isa<RankedTensorType>(operand->get().getType()))
      taken.insert(operand->get());
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    if (!isa<RankedTensorType>(value.getType()))
      taken.insert(value);
  return taken;
}

llvm::SetVector<Value> getBodyTensors(linalg::LinalgOp op) {
  llvm::SetVector<Value> used, tensors;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    if (isa<RankedTensorType>(value.getType()))
      tensors.insert(value);
  return tensors;
}

static bool collectScalars(Value value, func::FuncOp function,
                           const Signature &signature,
                           llvm::SetVector<unsigned> &scalars) {
  if (isa<ShapedType>(value.getType()))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != &function.front())
      return false;
    // What comes behind them are sizes.
    if (argument.getArgNumber() < signature.arguments.size())
      scalars.insert(argument.getArgNumber());
    return true;
  }
  Operation *defining = value.getDefiningOp();
  if (isa<tensor::DimOp>(defining))
    return true;
  return isPure(defining) && defining->getNumRegions() == 0 &&
         llvm::all_of(defining->getOperands(), [&](Value operand) {
           return collectScalars(operand, function, signature, scalars);
         });
}

bool collectScalars(linalg::LinalgOp op, func::FuncOp function,
                    const Signature &signature,
                    llvm::SetVector<unsigned> &scalars) {
  return llvm::all_of(getTaken(op), [&](Value value) {
    return collectScalars(value, function, signature, scalars);
  });
}

bool isShapeOnly(linalg::LinalgOp op, OpOperand &operand) {
  return op.isDpsInput(&operand) &&
         operand.get().getDefiningOp<tensor::EmptyOp>() &&
         !op.payloadUsesValueFromOperand(&operand);
}

/// The values from around loops over slices that are no tensors.
static llvm::SetVector<Value> getTaken(const SliceNest &nest) {
  scf::ForOp outermost = nest.loops.front();
  llvm::SetVector<Value> taken, all;
  getUsedValuesDefinedAbove(outermost.getRegion(), all);
  all.insert_range(outermost.getOperands());
  for (Value value : all) {
    auto empty = value.getDefiningOp<tensor::EmptyOp>();
    if (empty)
      taken.insert_range(empty.getDynamicSizes());
    else if (!isa<RankedTensorType>(value.getType()))
      taken.insert(value);
  }
  return taken;
}

LogicalResult collectScalars(const SliceNest &nest, func::FuncOp function,
                             const Signature &signature,
                             llvm::SetVector<unsigned> &scalars) {
  for (Value value : getTaken(nest))
    if (!collectScalars(value, function, signature, scalars))
      return nest.loops.front()->emitError(
          "`--distribute` cannot cut slices that depend on elements of arrays");
  return success();
}

namespace {

/// Builds one kernel.
class KernelBuilder {
public:
  KernelBuilder(Location loc, unsigned numLoops, func::FuncOp function,
                const Signature &signature, const Extents &extents)
      : loc(loc), numLoops(numLoops), function(function), signature(signature),
        extents(extents), b(loc.getContext()) {}

  void build(linalg::LinalgOp op, ArrayRef<unsigned> scalars,
             ArrayRef<KernelArgument> arguments, StringRef name);
  void build(const SliceNest &nest, ArrayRef<unsigned> scalars,
             ArrayRef<KernelArgument> arguments, StringRef name);
  void build(Value value, const WholeSlice &slice,
             ArrayRef<KernelArgument> arguments, StringRef name);

private:
  Signature makeSignature(ArrayRef<KernelArgument> arguments);
  void createFunction(ArrayRef<Type> read, ArrayRef<unsigned> scalars,
                      Type written, ArrayRef<KernelArgument> arguments,
                      StringRef name);
  Value computeAgain(Value value);
  Value createShape(linalg::LinalgOp op, OpOperand &operand);
  void moveIndices(Operation *cloned);
  static void setLoopTypes(scf::ForOp outermost);
  void cutLoops(scf::ForOp outermost, const SliceNest &nest);
  static void dropConstants(linalg::LinalgOp cloned);
  static RankedTensorType getDynamic(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return RankedTensorType::get(
        SmallVector<int64_t>(tensor.getRank(), ShapedType::kDynamic),
        tensor.getElementType());
  }
  /// A slice has as many elements as the part has, and so have labels that
  /// ranks share a slice by.
  static RankedTensorType getDynamic(Value value, const SlicedDims &dims,
                                     const SliceNest &nest) {
    auto tensor = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(tensor.getShape());
    for (auto [dim, loop] : llvm::enumerate(dims))
      if (loop || nest.isInner(value, dim))
        shape[dim] = ShapedType::kDynamic;
    return RankedTensorType::get(shape, tensor.getElementType());
  }
  static RankedTensorType getDynamic(Value value, const SliceNest &nest) {
    return getDynamic(value, SlicedDims(getRank(value), std::nullopt), nest);
  }
  static int64_t getRank(Value value) {
    return cast<RankedTensorType>(value.getType()).getRank();
  }
  /// The sizes of a tensor of the loops, where the inner label is a part.
  void cutSizes(SmallVectorImpl<OpFoldResult> &sizes, Value original,
                const SliceNest &nest);
  void cutOp(Operation *original, Operation *cloned, scf::ForOp outermost,
             const SliceNest &nest);
  /// An array without dims that is read is a scalar to a signature.
  static Type getReadType(RankedTensorType type) {
    return type.getRank() == 0 ? type.getElementType() : Type(type);
  }
  Value getRead(Type type, unsigned argument) {
    Value value = kernel.getArgument(argument);
    if (isa<RankedTensorType>(value.getType()))
      return value;
    return tensor::FromElementsOp::create(b, loc, type, value);
  }
  Value getSymbol(unsigned number) {
    return kernel.getArgument(kernel.getNumArguments() -
                              (2 * numLoops + signature.symbols.size()) +
                              number);
  }

  Location loc;
  unsigned numLoops;
  func::FuncOp function;
  const Signature &signature;
  const Extents &extents;
  OpBuilder b;
  func::FuncOp kernel;
  IRMapping mapping;
};

} // namespace

/// Its sizes are the loops' extents and where they begin, then the program's.
Signature KernelBuilder::makeSignature(ArrayRef<KernelArgument> arguments) {
  Signature result;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    bool isWritten = i + 1 == arguments.size();
    TensorRole role = !isWritten ? TensorRole::Input : TensorRole::InOut;
    result.arguments.push_back(
        {"a" + std::to_string(i), role, argument.type, argument.dims});
  }
  for (const char *letter : {"n", "o"})
    for (unsigned loop = 0; loop != numLoops; ++loop)
      result.symbols.push_back(letter + std::to_string(loop));
  for (unsigned i = 0; i != signature.symbols.size(); ++i)
    result.symbols.push_back("s" + std::to_string(i));
  return result;
}

void KernelBuilder::createFunction(ArrayRef<Type> read,
                                   ArrayRef<unsigned> scalars, Type written,
                                   ArrayRef<KernelArgument> arguments,
                                   StringRef name) {
  SmallVector<Type> types(read);
  for (unsigned scalar : scalars)
    types.push_back(function.getArgument(scalar).getType());
  types.push_back(written);
  types.append(2 * numLoops + signature.symbols.size(), b.getIndexType());
  b.setInsertionPointToEnd(function->getParentOfType<ModuleOp>().getBody());
  kernel =
      func::FuncOp::create(b, loc, name, b.getFunctionType(types, {written}));
  kernel->setAttr(EinDialect::kSignatureAttr,
                  makeSignature(arguments).toAttr(b.getContext()));
  if (Attribute strict = function->getAttr(EinDialect::kStrictFPAttr))
    kernel->setAttr(EinDialect::kStrictFPAttr, strict);
  kernel.setArgAttr(arguments.size() - 1,
                    bufferization::BufferizationDialect::kWritableAttrName,
                    b.getBoolAttr(true));
  b.setInsertionPointToStart(kernel.addEntryBlock());
  unsigned next = read.size();
  for (unsigned scalar : scalars)
    mapping.map(function.getArgument(scalar), kernel.getArgument(next++));
  for (unsigned i = 0; i != signature.symbols.size(); ++i)
    mapping.map(function.getArgument(function.getNumArguments() -
                                     signature.symbols.size() + i),
                getSymbol(2 * numLoops + i));
}

/// A scalar from around the op, in the kernel.
Value KernelBuilder::computeAgain(Value value) {
  if (mapping.contains(value))
    return mapping.lookup(value);
  Operation *defining = value.getDefiningOp();
  if (auto dim = dyn_cast<tensor::DimOp>(defining)) {
    AffineExpr extent = extents.get(dim.getSource(), *dim.getConstantIndex());
    SmallVector<Value> symbols;
    for (unsigned i = 0; i != signature.symbols.size(); ++i)
      symbols.push_back(getSymbol(2 * numLoops + i));
    Value result = affine::AffineApplyOp::create(
        b, dim.getLoc(), AffineMap::get(0, symbols.size(), extent), symbols);
    mapping.map(value, result);
    return result;
  }
  for (Value operand : defining->getOperands())
    (void)computeAgain(operand);
  b.clone(*defining, mapping);
  return mapping.lookup(value);
}

/// A tensor of the part's extents, of which nothing is read.
Value KernelBuilder::createShape(linalg::LinalgOp op, OpOperand &operand) {
  SmallVector<OpFoldResult> sizes;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
    sizes.push_back(getSymbol(cast<AffineDimExpr>(expr).getPosition()));
  return tensor::EmptyOp::create(b, loc, sizes,
                                 getElementTypeOrSelf(operand.get().getType()));
}

/// `linalg.index` counts from where the block begins.
void KernelBuilder::moveIndices(Operation *cloned) {
  SmallVector<linalg::IndexOp> indices;
  cloned->walk([&](linalg::IndexOp index) { indices.push_back(index); });
  for (linalg::IndexOp index : indices) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(index);
    Value start = getSymbol(numLoops + index.getDim());
    Value moved = arith::AddIOp::create(b, index.getLoc(), index, start);
    index.getResult().replaceAllUsesExcept(moved, moved.getDefiningOp());
  }
}

/// A block begins where the first subscript is.
void KernelBuilder::dropConstants(linalg::LinalgOp cloned) {
  auto generic = dyn_cast<linalg::GenericOp>(cloned.getOperation());
  if (!generic)
    return;
  SmallVector<AffineMap> maps;
  for (AffineMap map : generic.getIndexingMapsArray()) {
    SmallVector<AffineExpr> exprs;
    for (AffineExpr expr : map.getResults()) {
      SmallVector<AffineExpr> zeros(map.getNumDims(),
                                    getAffineConstantExpr(0, map.getContext()));
      exprs.push_back(simplifyAffineExpr(expr - expr.replaceDims(zeros),
                                         map.getNumDims(),
                                         /*numSymbols=*/0));
    }
    maps.push_back(
        AffineMap::get(map.getNumDims(), 0, exprs, map.getContext()));
  }
  generic.setIndexingMapsAttr(
      OpBuilder(generic.getContext()).getAffineMapArrayAttr(maps));
}

void KernelBuilder::build(linalg::LinalgOp op, ArrayRef<unsigned> scalars,
                          ArrayRef<KernelArgument> arguments, StringRef name) {
  SmallVector<Type> read;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (isa<RankedTensorType>(operand->get().getType()) &&
        !isShapeOnly(op, *operand))
      read.push_back(getReadType(getDynamic(operand->get().getType())));
  llvm::SetVector<Value> tensors = getBodyTensors(op);
  for (Value tensor : tensors)
    read.push_back(getReadType(getDynamic(tensor.getType())));
  createFunction(read, scalars, getDynamic(op->getResult(0).getType()),
                 arguments, name);
  for (Value value : getTaken(op))
    mapping.map(value, computeAgain(value));

  // An operand may be there twice, as its argument is.
  SmallVector<Value> operands;
  unsigned next = 0;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Type type = operand->get().getType();
    operands.push_back(isShapeOnly(op, *operand) ? createShape(op, *operand)
                       : isa<RankedTensorType>(type)
                           ? getRead(getDynamic(type), next++)
                           : mapping.lookup(operand->get()));
  }
  for (Value tensor : tensors)
    mapping.map(tensor, getRead(getDynamic(tensor.getType()), next++));
  operands.push_back(kernel.getArgument(arguments.size() - 1));
  Operation *cloned = b.clone(*op, mapping);
  cloned->setOperands(operands);
  cloned->getResult(0).setType(operands.back().getType());
  moveIndices(cloned);
  dropConstants(cast<linalg::LinalgOp>(cloned));
  func::ReturnOp::create(b, loc, cloned->getResult(0));
}

/// Loops hand on a tensor of the type with which they begin.
void KernelBuilder::setLoopTypes(scf::ForOp outermost) {
  Type type = outermost.getInitArgs()[0].getType();
  outermost->walk([&](scf::ForOp loop) {
    loop.getRegionIterArg(0).setType(type);
    loop.getResult(0).setType(type);
  });
}

void KernelBuilder::cutSizes(SmallVectorImpl<OpFoldResult> &sizes,
                             Value original, const SliceNest &nest) {
  for (int64_t dim = 0; dim != getRank(original); ++dim)
    if (nest.isInner(original, dim))
      sizes[dim] = getSymbol(nest.loops.size());
}

/// The op on a part of the inner label.
void KernelBuilder::cutOp(Operation *original, Operation *cloned,
                          scf::ForOp outermost, const SliceNest &nest) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(cloned);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(cloned)) {
    // Sizes are of the source's dims, of which some are dropped.
    auto from = cast<tensor::ExtractSliceOp>(original);
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    cutSizes(sizes, from.getSource(), nest);
    Value cut = tensor::ExtractSliceOp::create(
        b, slice.getLoc(), getDynamic(from.getResult(), nest),
        slice.getSource(), slice.getMixedOffsets(), sizes,
        slice.getMixedStrides());
    slice.replaceAllUsesWith(cut);
    slice.erase();
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(cloned)) {
    SmallVector<OpFoldResult> sizes = insert.getMixedSizes();
    cutSizes(sizes, cast<tensor::InsertSliceOp>(original).getDest(), nest);
    Value cut = tensor::InsertSliceOp::create(
        b, insert.getLoc(), insert.getSource(), insert.getDest(),
        insert.getMixedOffsets(), sizes, insert.getMixedStrides());
    insert.replaceAllUsesWith(cut);
    insert.erase();
  } else if (auto structured = dyn_cast<linalg::LinalgOp>(cloned)) {
    for (OpOperand &init : structured.getDpsInitsMutable()) {
      OpResult result = structured.getTiedOpResult(&init);
      Value before = original->getResult(result.getResultNumber());
      auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
      bool isCut = false;
      for (int64_t dim = 0; dim != getRank(before); ++dim)
        isCut |= nest.isInner(before, dim);
      if (empty && isCut) {
        b.setInsertionPoint(outermost);
        SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
        cutSizes(sizes, before, nest);
        init.set(tensor::EmptyOp::create(b, empty.getLoc(), sizes,
                                         empty.getType().getElementType()));
      }
      result.setType(init.get().getType());
    }
  }
}

/// The loops end with the part, and their tensor is as large as its slices.
void KernelBuilder::cutLoops(scf::ForOp outermost, const SliceNest &nest) {
  Type type = outermost.getInitArgs()[0].getType();
  scf::ForOp loop = outermost;
  for (auto [number, size] : llvm::enumerate(nest.sizes)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(outermost);
    Value slices = getSymbol(number);
    Value step = arith::ConstantIndexOp::create(b, loc, size);
    loop.setUpperBound(arith::MulIOp::create(b, loc, slices, step));
    loop.getRegionIterArg(0).setType(type);
    loop.getResult(0).setType(type);
    Operation *last =
        loop.getBody()->getTerminator()->getOperand(0).getDefiningOp();
    if (number + 1 == nest.sizes.size())
      last->getResult(0).setType(type);
    else
      loop = cast<scf::ForOp>(last);
  }
}

void KernelBuilder::build(const SliceNest &nest, ArrayRef<unsigned> scalars,
                          ArrayRef<KernelArgument> arguments, StringRef name) {
  scf::ForOp outermost = nest.loops.front();
  SmallVector<Type> read;
  for (const auto &[value, dims] : nest.inputs)
    read.push_back(getReadType(getDynamic(value, dims, nest)));
  createFunction(read, scalars, getDynamic(nest.init, nest.result, nest),
                 arguments, name);
  for (auto [number, input] : llvm::enumerate(nest.inputs))
    mapping.map(input.first,
                getRead(getDynamic(input.first, input.second, nest), number));
  mapping.map(nest.init, kernel.getArgument(arguments.size() - 1));
  for (Value value : getTaken(nest))
    mapping.map(value, computeAgain(value));
  llvm::SetVector<Value> all;
  getUsedValuesDefinedAbove(outermost.getRegion(), all);
  for (Value value : all)
    if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
      b.clone(*empty, mapping);
  auto cloned = cast<scf::ForOp>(b.clone(*outermost, mapping));
  if (nest.innerExtent) {
    SmallVector<Operation *> originals, clones;
    outermost->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { originals.push_back(op); });
    cloned->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { clones.push_back(op); });
    // What the loops hand on has its type before what is in them.
    setLoopTypes(cloned);
    for (auto [original, clone] : llvm::zip_equal(originals, clones))
      cutOp(original, clone, cloned, nest);
  }
  cutLoops(cloned, nest);
  func::ReturnOp::create(b, loc, cloned.getResult(0));
}

void KernelBuilder::build(Value value, const WholeSlice &slice,
                          ArrayRef<KernelArgument> arguments, StringRef name) {
  SmallVector<Type> read;
  for (Value input : slice.inputs)
    read.push_back(getReadType(cast<RankedTensorType>(input.getType())));
  createFunction(read, slice.scalars.getArrayRef(), value.getType(), arguments,
                 name);
  for (auto [number, input] : llvm::enumerate(slice.inputs))
    mapping.map(input, getRead(input.getType(), number));
  Value written = kernel.getArgument(arguments.size() - 1);
  // What is not in memory before begins with anything, and a code with none.
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || mapping.contains(argument))
      continue;
    bool isUsed = llvm::any_of(slice.ops, [&](Operation *op) {
      bool isThere = false;
      op->walk([&](Operation *inner) {
        isThere |= llvm::is_contained(inner->getOperands(), argument);
      });
      return isThere;
    });
    if (!isUsed)
      continue;
    SmallVector<OpFoldResult> sizes;
    unsigned number = argument.getArgNumber();
    SmallVector<Value> symbols;
    for (unsigned i = 0; i != signature.symbols.size(); ++i)
      symbols.push_back(getSymbol(2 * numLoops + i));
    for (int64_t dim = 0; dim != type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim)) {
        sizes.push_back(b.getIndexAttr(type.getDimSize(dim)));
        continue;
      }
      AffineMap map = AffineMap::get(
          0, symbols.size(), signature.arguments[number].dims.getResult(dim));
      sizes.push_back(
          affine::AffineApplyOp::create(b, loc, map, symbols).getResult());
    }
    Value begin = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
    if (number == signature.arguments.size()) { // the status
      Value zero = arith::ConstantOp::create(
          b, loc, b.getZeroAttr(type.getElementType()));
      begin = linalg::FillOp::create(b, loc, zero, begin).getResult(0);
    }
    mapping.map(argument, begin);
  }
  for (Operation *op : slice.ops)
    b.clone(*op, mapping);
  Value copy = linalg::CopyOp::create(b, loc, mapping.lookup(value), written)
                   .getResult(0);
  func::ReturnOp::create(b, loc, copy);
}

static bool collectWhole(Value value, func::FuncOp function,
                         const Signature &signature,
                         llvm::function_ref<bool(Value)> isArray,
                         WholeSlice &slice) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != &function.front())
      return true; // of a loop that is cloned
    unsigned number = argument.getArgNumber();
    if (number >= signature.arguments.size())
      return true; // the status, or a size
    if (!isa<RankedTensorType>(value.getType()))
      slice.scalars.insert(number);
    else if (signature.arguments[number].role != TensorRole::Output)
      slice.inputs.insert(value);
    return true;
  }
  if (isArray(value)) {
    slice.inputs.insert(value);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (op->getBlock() != &function.front() || slice.ops.contains(op))
    return true;
  if (!isMemoryEffectFree(op))
    return false;
  llvm::SetVector<Value> used;
  used.insert_range(op->getOperands());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value operand : used)
    if (!collectWhole(operand, function, signature, isArray, slice))
      return false;
  slice.ops.insert(op);
  return true;
}

std::optional<WholeSlice>
collectWhole(Value value, func::FuncOp function, const Signature &signature,
             llvm::function_ref<bool(Value)> isArray) {
  WholeSlice slice;
  if (!collectWhole(value, function, signature, isArray, slice))
    return std::nullopt;
  return slice;
}

void createWholeKernel(Value value, const WholeSlice &slice,
                       func::FuncOp function, const Signature &signature,
                       const Extents &extents,
                       ArrayRef<KernelArgument> arguments, StringRef name) {
  KernelBuilder(value.getLoc(), /*numLoops=*/0, function, signature, extents)
      .build(value, slice, arguments, name);
}

void createLocalKernel(linalg::LinalgOp op, func::FuncOp function,
                       const Signature &signature, const Extents &extents,
                       ArrayRef<unsigned> scalars,
                       ArrayRef<KernelArgument> arguments, StringRef name) {
  KernelBuilder(op.getLoc(), op.getNumLoops(), function, signature, extents)
      .build(op, scalars, arguments, name);
}

void createLocalKernel(const SliceNest &nest, func::FuncOp function,
                       const Signature &signature, const Extents &extents,
                       ArrayRef<unsigned> scalars,
                       ArrayRef<KernelArgument> arguments, StringRef name) {
  scf::ForOp outermost = nest.loops.front();
  KernelBuilder(outermost.getLoc(),
                nest.loops.size() + (nest.innerExtent ? 1 : 0), function,
                signature, extents)
      .build(nest, scalars, arguments, name);
}

} // namespace ein
