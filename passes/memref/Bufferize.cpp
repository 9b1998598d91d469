//===- Bufferize.cpp - Tensors to buffers -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's analysis decides what is in place; this file chooses its options.
// Two of them matter to the artefact.
//
// Arguments have any strides but the last, which is one. Vectors lie along the
// last dim, so that one must be known or every read of a vector falls apart
// into scalars; the others cost nothing when they stay dynamic. One kernel thus
// serves contiguous arrays, padded rows, blocks of columns, rows in any order
// or repeated; what else a view may be, its entry copies (EmitViews.cpp).
//
// An input of which several dims become one has the plain layout: with dynamic
// strides it would have to be copied. It is one of `ein.contiguous` then, which
// view entries copy if it has gaps.
//
// Copies are structured ops, because `memref.copy` of a strided buffer becomes
// a call that an object linked into someone's program cannot resolve.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/memref/ArgumentTypes.h"
#include "passes/memref/Passes.h"

namespace ein {
#define GEN_PASS_DEF_BUFFERIZE
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static bufferization::OneShotBufferizationOptions getOptions() {
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionArgTypeConverterFn =
      [](bufferization::TensorLikeType type, Attribute memorySpace,
         func::FuncOp, const bufferization::BufferizationOptions &) {
        return cast<bufferization::BufferLikeType>(
            getArgumentType(cast<ShapedType>(type), memorySpace));
      };
  options.inferFunctionResultLayout = false;
  options.bufferAlignment = 64;
  options.memCpyFn = [](OpBuilder &b, Location loc, Value from, Value to) {
    linalg::makeMemRefCopyOp(b, loc, from, to);
    return success();
  };
  return options;
}

/// Has the inputs that are collapsed, and what `ein.contiguous` names already,
/// be contiguous in all dims.
static LogicalResult relyOnContiguous(func::FuncOp function) {
  FailureOr<Signature> signature = Signature::fromOp(function);
  if (failed(signature))
    return failure();
  auto isJoined = [](Operation *user) {
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
    return collapse &&
           llvm::any_of(collapse.getReassociationIndices(),
                        [](const auto &dims) { return dims.size() > 1; });
  };
  SmallVector<int64_t> positions;
  if (auto known = function->getAttrOfType<DenseI64ArrayAttr>(
          EinDialect::kContiguousAttr))
    positions = llvm::to_vector(known.asArrayRef());
  bool isChanged = false;
  for (auto [i, argument] : llvm::enumerate(signature->arguments)) {
    if (i >= function.getNumArguments())
      continue;
    Value value = function.getArgument(i);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    bool isNamed = llvm::is_contained(positions, static_cast<int64_t>(i));
    bool isInput = !argument.isWritten();
    if (!type ||
        !(isNamed || (isInput && llvm::any_of(value.getUsers(), isJoined))))
      continue;
    function.setArgAttr(
        i, bufferization::BufferizationDialect::kBufferLayoutAttrName,
        AffineMapAttr::get(AffineMap::getMultiDimIdentityMap(
            type.getRank(), function.getContext())));
    if (!isNamed)
      positions.push_back(i);
    isChanged = true;
  }
  if (isChanged)
    function->setAttr(EinDialect::kContiguousAttr,
                      DenseI64ArrayAttr::get(function.getContext(), positions));
  return success();
}

/// Whether `value` is an empty tensor, in some shape, or one that is filled.
static bool isBlank(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return isBlank(op->getOperand(0));
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op))
    return isBlank(fill.getOutputs()[0]);
  return isa_and_nonnull<tensor::EmptyOp>(op);
}

/// Makes a blank tensor once more.
static Value cloneBlank(OpBuilder &b, Value blank) {
  Operation *op = blank.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isBlank(operand) && !mapping.contains(operand))
      mapping.map(operand, cloneBlank(b, operand));
  return b.clone(*op, mapping)->getResult(0);
}

/// Whether what is done to `operand` can be written in its place.
static bool isDestination(OpOperand &operand) {
  if (auto op = dyn_cast<DestinationStyleOpInterface>(operand.getOwner()))
    return op.isDpsInit(&operand);
  return isa<LoopLikeOpInterface>(operand.getOwner());
}

/// The slice of a tensor that ops have written over to make `value`.
static tensor::ExtractSliceOp findSlice(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return slice;
    auto result = cast<OpResult>(value);
    OpOperand *written = nullptr;
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
      written = destination.getTiedOpOperand(result);
    else if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      written = loop.getTiedLoopInit(result);
    if (!written)
      return nullptr;
    value = written->get();
  }
  return nullptr;
}

/// Gives each user a blank tensor of its own. Clean-ups have made one of those
/// that are equal, and then the analysis compares all that is read of any of
/// the buffers that come of it with all that is written to any: of 500
/// statements, for a minute. And one that is filled would be copied. A slice
/// goes back to the tensor that it is of, or it would be copied, too.
static void separateBlanks(ModuleOp module) {
  // In the order of the program, which uses do not have.
  llvm::DenseSet<Value> used;
  SmallVector<OpOperand *> others;
  SmallVector<std::pair<tensor::InsertSliceOp, tensor::ExtractSliceOp>> returns;
  module.walk([&](Operation *op) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      if (tensor::ExtractSliceOp slice = findSlice(insert.getSource());
          slice && slice.getSource() == insert.getDest() &&
          isBlank(insert.getDest())) {
        returns.push_back({insert, slice});
        return;
      }
    for (OpOperand &operand : op->getOpOperands())
      if (isBlank(operand.get()) &&
          (operand.get().getDefiningOp<tensor::EmptyOp>() ||
           isDestination(operand)) &&
          !used.insert(operand.get()).second)
        others.push_back(&operand);
  });
  OpBuilder b(module.getContext());
  for (OpOperand *use : others) {
    Operation *op = use->get().getDefiningOp();
    if (isa<tensor::EmptyOp>(op))
      b.setInsertionPointAfter(op);
    else
      b.setInsertionPoint(use->getOwner());
    use->set(cloneBlank(b, use->get()));
  }
  for (auto [insert, slice] : returns)
    insert.getDestMutable().set(slice.getSource());
}

/// Has slices say where they are by values of which nothing else is known. The
/// analysis asks of each pair of slices whether they are the same part of a
/// tensor; they are if they have the same values for it, which is how tiles are
/// made. Upstream would rather prove it from how these values are computed,
/// which took a minute for a contraction of four tensors of dynamic sizes.
static void hideSizes(ModuleOp module) {
  OpBuilder b(module.getContext());
  llvm::DenseMap<Value, Value> hidden;
  module.walk([&](Operation *op) {
    if (!isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (!value.getType().isIndex())
        continue;
      Value &cast = hidden[value];
      if (!cast) {
        b.setInsertionPointAfterValue(value);
        cast = UnrealizedConversionCastOp::create(b, value.getLoc(),
                                                  value.getType(), value)
                   .getResult(0);
      }
      operand.set(cast);
    }
  });
}

static void showSizes(ModuleOp module) {
  module.walk([](UnrealizedConversionCastOp cast) {
    if (cast.getNumOperands() != 1 || cast.getNumResults() != 1 ||
        !cast.getOperand(0).getType().isIndex() ||
        !cast.getResult(0).getType().isIndex())
      return;
    cast.getResult(0).replaceAllUsesWith(cast.getOperand(0));
    cast.erase();
  });
}

namespace {
/// Where a size of a buffer comes from: another buffer's axis, or a value of
/// type `index`, or, of static sizes, a number.
struct SizeOrigin {
  Value value;
  int64_t number = 0;

  bool operator==(const SizeOrigin &other) const {
    return value == other.value && number == other.number;
  }
};
} // namespace

static SizeOrigin traceSize(Value buffer, int64_t axis);

/// What a loop starts from, if it carries one buffer through, past any number
/// of loops inside it, one after the other. Null if not.
static Value getCarried(scf::ForOp loop, unsigned number) {
  BlockArgument carried = loop.getRegionIterArg(number);
  Value yielded = loop.getYieldedValues()[number];
  while (yielded && yielded != carried) {
    if (auto same = yielded.getDefiningOp<memref::CastOp>())
      yielded = same.getSource();
    else if (auto inner = yielded.getDefiningOp<scf::ForOp>())
      yielded = getCarried(inner, cast<OpResult>(yielded).getResultNumber());
    else
      return nullptr;
  }
  return yielded ? loop.getInitArgs()[number] : Value();
}

/// The origin of what is one step nearer to it. None if there is no such step.
static std::optional<SizeOrigin> traceStep(Value buffer, int64_t axis) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.isDynamicDim(axis))
    return SizeOrigin{{}, type.getDimSize(axis)};
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    Value start =
        loop ? getCarried(loop, argument.getArgNumber() - 1) : Value();
    return start ? std::optional(traceSize(start, axis)) : std::nullopt;
  }
  Operation *op = buffer.getDefiningOp();
  unsigned number = cast<OpResult>(buffer).getResultNumber();
  if (auto cast = dyn_cast<memref::CastOp>(op))
    if (isa<MemRefType>(cast.getSource().getType()))
      return traceSize(cast.getSource(), axis);
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    Value size = alloc.getDynamicSizes()[type.getDynamicDimIndex(axis)];
    auto dim = size.getDefiningOp<memref::DimOp>();
    std::optional<int64_t> known =
        dim ? dim.getConstantIndex() : std::optional<int64_t>();
    if (known && isa<MemRefType>(dim.getSource().getType()))
      return traceSize(dim.getSource(), *known);
    return SizeOrigin{size};
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    if (Value start = getCarried(loop, number))
      return traceSize(start, axis);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    SizeOrigin origin = traceSize(branch.thenYield().getOperand(number), axis);
    if (origin == traceSize(branch.elseYield().getOperand(number), axis))
      return origin;
  }
  return std::nullopt;
}

static SizeOrigin traceSize(Value buffer, int64_t axis) {
  return traceStep(buffer, axis).value_or(SizeOrigin{buffer, axis});
}

/// Asks sizes of the buffers that they come from. Both sides of a branch may
/// have allocated for themselves, where an op writes over what it reads; what
/// is allocated by such a result's size would have to wait for the branch.
static void foldSizes(func::FuncOp function) {
  DominanceInfo dominance(function);
  function.walk([&](memref::DimOp op) {
    std::optional<int64_t> axis = op.getConstantIndex();
    if (!axis || !isa<MemRefType>(op.getSource().getType()))
      return;
    SizeOrigin origin = traceSize(op.getSource(), *axis);
    if (origin == SizeOrigin{op.getSource(), *axis} ||
        (origin.value && !dominance.properlyDominates(origin.value, op)))
      return;
    OpBuilder b(op);
    Value size = origin.value;
    if (!size)
      size = arith::ConstantIndexOp::create(b, op.getLoc(), origin.number);
    else if (!size.getType().isIndex())
      size = memref::DimOp::create(b, op.getLoc(), size, origin.number);
    op.replaceAllUsesWith(size);
    op.erase();
  });
}

/// The sizes of the dims that upstream takes `view` to keep.
static SmallVector<int64_t> getKeptShape(memref::SubViewOp view) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(view.getStaticSizes()))
    if (!dropped.test(i))
      shape.push_back(size);
  return shape;
}

/// Has a view drop dims of size one so that all agree which they are. Upstream
/// tells them from those that it keeps by their strides alone, and of dynamic
/// strides one is like another. The dims of `[1, n, 1, 1]` that make `[1, n]`
/// can then be the second and the third: sizes of the view fold to nothing,
/// and its last stride is the wrong one. Such a view drops all dims of size one
/// here, and is then given those that it has.
static LogicalResult separateUnits(memref::SubViewOp view) {
  MemRefType type = view.getType();
  if (getKeptShape(view) == type.getShape())
    return success();
  SmallVector<OpFoldResult> others; // the sizes that are not one
  for (OpFoldResult size : view.getMixedSizes())
    if (!isConstantIntValue(size, 1))
      others.push_back(size);
  OpBuilder b(view);
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> sizes;
  SmallVector<ReassociationIndices> groups(1);
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    bool isUnit = size == 1;
    // What comes before the first of the others goes with it.
    if (!isUnit && !shape.empty())
      groups.emplace_back();
    groups.back().push_back(i);
    sizes.push_back(isUnit ? b.getIndexAttr(1) : others[shape.size()]);
    if (!isUnit)
      shape.push_back(size);
  }
  MemRefType squeezed = memref::SubViewOp::inferRankReducedResultType(
      shape, view.getSourceType(), view.getMixedOffsets(), view.getMixedSizes(),
      view.getMixedStrides());
  auto expanded = memref::ExpandShapeOp::computeExpandedType(
      squeezed, type.getShape(), groups);
  if (failed(expanded) || !memref::CastOp::areCastCompatible(*expanded, type))
    return view.emitError("drops dims that its strides do not tell apart");
  Location loc = view.getLoc();
  Value result = memref::SubViewOp::create(
      b, loc, squeezed, view.getSource(), view.getMixedOffsets(),
      view.getMixedSizes(), view.getMixedStrides());
  result =
      memref::ExpandShapeOp::create(b, loc, *expanded, result, groups, sizes);
  if (*expanded != type)
    result = memref::CastOp::create(b, loc, type, result);
  view.replaceAllUsesWith(result);
  view.erase();
  return success();
}

static LogicalResult separateUnits(ModuleOp module) {
  SmallVector<memref::SubViewOp> views;
  module.walk([&](memref::SubViewOp view) { views.push_back(view); });
  return success(llvm::all_of(views, [](memref::SubViewOp view) {
    return succeeded(separateUnits(view));
  }));
}

namespace {
/// A result that is elsewhere than where it has to go.
struct Copy {
  Value from, to;
  Value destination; // the argument that `to` is
  /// What `from` may be a part of, or the same as.
  BufferViewFlowAnalysis::ValueSetT roots;
};
} // namespace

/// Copies results to their destinations. One may be in the destination of
/// another, and has to leave before; two may be in each other's.
static void createCopies(OpBuilder &b, Location loc, SmallVector<Copy> copies) {
  while (!copies.empty()) {
    auto isInTheWay = [&](const Copy &copy, const Copy &other) {
      return &copy != &other && other.roots.contains(copy.destination);
    };
    auto *next = llvm::find_if(copies, [&](const Copy &copy) {
      return llvm::none_of(
          copies, [&](const Copy &other) { return isInTheWay(copy, other); });
    });
    if (next == copies.end()) {
      next = copies.begin();
      for (Copy &other : copies) {
        if (!isInTheWay(*next, other))
          continue;
        auto type = cast<MemRefType>(other.from.getType());
        SmallVector<Value> sizes;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          if (type.isDynamicDim(dim))
            sizes.push_back(memref::DimOp::create(b, loc, other.from, dim));
        Value moved = memref::AllocOp::create(
            b, loc, MemRefType::get(type.getShape(), type.getElementType()),
            sizes);
        linalg::makeMemRefCopyOp(b, loc, other.from, moved);
        other.from = moved;
        other.roots.clear();
      }
    }
    linalg::makeMemRefCopyOp(b, loc, next->from, next->to);
    copies.erase(next);
  }
}

namespace {
struct BufferizePass : impl::BufferizeBase<BufferizePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    IRRewriter rewriter(&getContext());
    bufferization::OneShotBufferizationOptions options = getOptions();
    bufferization::BufferizationState state;
    auto functions = llvm::make_filter_range(
        module.getOps<func::FuncOp>(), [](func::FuncOp function) {
          return function->hasAttr(EinDialect::kSignatureAttr) &&
                 !function.isExternal();
        });
    // Arguments that are memrefs already have no result that goes to them.
    llvm::DenseMap<Operation *, SmallVector<unsigned>> destinations;
    for (func::FuncOp function : functions) {
      FailureOr<SmallVector<unsigned>> found = getDestinations(function);
      if (failed(found))
        return signalPassFailure();
      destinations[function] = *found;
    }
    for (func::FuncOp function : functions)
      if (failed(relyOnContiguous(function)))
        return signalPassFailure();
    llvm::DenseMap<Operation *, Expansions> expansions;
    for (func::FuncOp function : functions)
      expansions[function] = returnUncollapsed(function);
    separateBlanks(module);
    hideSizes(module);
    if (failed(bufferization::eliminateEmptyTensors(rewriter, module)) ||
        failed(
            bufferization::runOneShotModuleBufferize(module, options, state)))
      return signalPassFailure();
    showSizes(module);
    if (failed(separateUnits(module)))
      return signalPassFailure();
    bufferization::removeBufferizationAttributesInModule(module);
    for (func::FuncOp function : functions)
      storeResults(function, destinations.lookup(function),
                   expansions.lookup(function));
    for (func::FuncOp function : functions)
      foldSizes(function);
  }

private:
  /// The positions of the arguments that results go to.
  static FailureOr<SmallVector<unsigned>>
  getDestinations(func::FuncOp function) {
    FailureOr<Signature> signature = Signature::fromOp(function);
    if (failed(signature))
      return failure();
    SmallVector<unsigned> positions = signature->getDestinations(function);
    if (positions.size() != function.getNumResults())
      return function.emitError("returns ")
             << function.getNumResults() << " results, and its `"
             << EinDialect::kSignatureAttr << "` has " << positions.size()
             << " outputs";
    return positions;
  }

  /// Per result, which of its dims are one of the destination's, if it has
  /// more.
  using Expansions = SmallVector<SmallVector<ReassociationIndices>>;

  /// What is written to a destination that has been expanded would have to be
  /// collapsed again to be returned, and strides that are not known cannot be.
  /// So it is returned as it is.
  static Expansions returnUncollapsed(func::FuncOp function) {
    auto terminator =
        cast<func::ReturnOp>(function.getBody().back().getTerminator());
    Expansions expansions(terminator.getNumOperands());
    for (auto [result, expansion] :
         llvm::zip_equal(terminator->getOpOperands(), expansions)) {
      Value value = result.get();
      while (auto cast = value.getDefiningOp<tensor::CastOp>())
        value = cast.getSource();
      auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
      if (!collapse)
        continue;
      expansion = collapse.getReassociationIndices();
      value = result.get();
      Value source = collapse.getSrc();
      result.set(source);
      // What nothing reads would be made even so.
      while (value != source && value.use_empty()) {
        Operation *op = value.getDefiningOp();
        value = op->getOperand(0);
        op->erase();
      }
    }
    function.setType(FunctionType::get(function.getContext(),
                                       function.getFunctionType().getInputs(),
                                       terminator.getOperandTypes()));
    return expansions;
  }

  /// `destination` with the dims that `buffer` has.
  static Value expandLike(OpBuilder &b, Location loc, Value buffer,
                          Value destination,
                          ArrayRef<ReassociationIndices> expansion) {
    auto type = cast<MemRefType>(destination.getType());
    ArrayRef<int64_t> wanted = cast<MemRefType>(buffer.getType()).getShape();
    SmallVector<int64_t> shape;
    for (const ReassociationIndices &dims : expansion) {
      int64_t &size = shape.emplace_back(1);
      for (int64_t dim : dims)
        size =
            size == ShapedType::kDynamic || wanted[dim] == ShapedType::kDynamic
                ? ShapedType::kDynamic
                : size * wanted[dim];
    }
    auto known = MemRefType::get(shape, type.getElementType(), type.getLayout(),
                                 type.getMemorySpace());
    if (known != type)
      destination = memref::CastOp::create(b, loc, known, destination);
    return memref::ExpandShapeOp::create(b, loc, wanted, destination, expansion,
                                         memref::getMixedSizes(b, loc, buffer));
  }

  /// Copies results that are not in their places, and returns nothing.
  static void storeResults(func::FuncOp function,
                           ArrayRef<unsigned> destinations,
                           const Expansions &expansions) {
    auto terminator =
        cast<func::ReturnOp>(function.getBody().back().getTerminator());
    OpBuilder b(terminator);
    SmallVector<Copy> copies;
    BufferViewFlowAnalysis views(function);
    for (auto [result, position, expansion] :
         llvm::zip_equal(terminator.getOperands(), destinations, expansions)) {
      Value destination = function.getArgument(position);
      Value buffer = getBuffer(result);
      auto expanded = buffer.getDefiningOp<memref::ExpandShapeOp>();
      if (expanded && expanded.getReassociationIndices() == expansion)
        buffer = getBuffer(expanded.getSrc());
      if (buffer != destination && !expansion.empty())
        destination =
            expandLike(b, terminator.getLoc(), result, destination, expansion);
      if (buffer != destination) {
        copies.push_back({result, destination, function.getArgument(position),
                          views.resolveReverse(result)});
      }
    }
    createCopies(b, terminator.getLoc(), std::move(copies));
    terminator->setOperands({});
    function.setType(FunctionType::get(
        function.getContext(), function.getFunctionType().getInputs(), {}));
  }

  /// What a `while` starts from that carries one buffer to `result`. Null if it
  /// carries another one.
  static Value getCarried(scf::WhileOp loop, OpResult result) {
    unsigned number = result.getResultNumber();
    auto before = dyn_cast<BlockArgument>(
        getBuffer(loop.getConditionOp().getArgs()[number]));
    if (!before || before.getOwner() != loop.getBeforeBody())
      return Value();
    Value yielded = loop.getYieldOp().getOperand(before.getArgNumber());
    bool isSame = getBuffer(yielded) == loop.getAfterArguments()[number];
    return isSame ? loop.getInits()[before.getArgNumber()] : Value();
  }

  /// The buffer that `value` is, seen through casts, through loops that carry
  /// it unchanged, through branches that have it on both sides, and where it is
  /// collapsed and expanded again.
  static Value getBuffer(Value value) {
    while (true) {
      if (auto cast = value.getDefiningOp<memref::CastOp>()) {
        value = cast.getSource();
        continue;
      }
      if (auto expand = value.getDefiningOp<memref::ExpandShapeOp>()) {
        auto collapse =
            getBuffer(expand.getSrc()).getDefiningOp<memref::CollapseShapeOp>();
        if (!collapse ||
            collapse.getReassociation() != expand.getReassociation())
          return value;
        value = collapse.getSrc();
        continue;
      }
      if (auto branch = value.getDefiningOp<scf::IfOp>()) {
        unsigned number = cast<OpResult>(value).getResultNumber();
        Value taken = getBuffer(branch.thenYield().getOperand(number));
        if (taken != getBuffer(branch.elseYield().getOperand(number)))
          return value;
        value = taken;
        continue;
      }
      if (auto loop = value.getDefiningOp<scf::WhileOp>()) {
        Value start = getCarried(loop, cast<OpResult>(value));
        if (!start)
          return value;
        value = start;
        continue;
      }
      auto loop = value.getDefiningOp<LoopLikeOpInterface>();
      if (!loop || !loop.getTiedLoopInit(cast<OpResult>(value)))
        return value;
      OpResult result = cast<OpResult>(value);
      Value yielded =
          loop.getTiedLoopYieldedValue(loop.getTiedLoopRegionIterArg(result))
              ->get();
      if (getBuffer(yielded) != loop.getTiedLoopRegionIterArg(result))
        return value;
      value = loop.getTiedLoopInit(result)->get();
    }
  }
};
} // namespace

} // namespace ein
