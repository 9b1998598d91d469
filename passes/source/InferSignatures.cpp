//===- InferSignatures.cpp - The C interface of someone else's functions --===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that einc emitted has `ein.signature`; one that a user wrote has
// types only, and types do not say which extents belong together. So every
// dynamic dim of an argument becomes a size of its own (`arg0_1`), and what the
// ops of the function make of these sizes is found by upstream's value bounds:
//
//  * the extents of each result, without which its memory, the caller's, has no
//    shape. A result whose extents are no linear function of the sizes is an
//    error here;
//  * what has to hold of the sizes, which becomes checks: operands that give
//    one loop different extents, windows and slices that leave their array.
//    Only ops that run whenever the function does are looked at: a check must
//    not refuse a call in which the op would not have run.
//
// Then the function takes the form that every later pass knows: inputs, what is
// written, and a destination per result, which the computation of the result is
// started from where that can be seen.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "passes/source/Bits.h"
#include "passes/source/Passes.h"
#include "llvm/Support/raw_ostream.h"

namespace ein {
#define GEN_PASS_DEF_INFERSIGNATURES
#include "passes/source/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Our name of MLIR's type.
static std::optional<ElementType> getElementType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isInteger(1))
    return ElementType::Bool;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    if (complex.getElementType().isF32())
      return ElementType::C64;
    if (complex.getElementType().isF64())
      return ElementType::C128;
    return std::nullopt;
  }
  std::string text;
  llvm::raw_string_ostream(text) << element;
  return parseElementType(text);
}

static bool isLinear(AffineExpr expr) {
  if (isa<AffineConstantExpr, AffineSymbolExpr>(expr))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  return binary &&
         (binary.getKind() == AffineExprKind::Add ||
          binary.getKind() == AffineExprKind::Mul) &&
         isLinear(binary.getLHS()) && isLinear(binary.getRHS());
}

/// Whether the type says more of its strides than that the last is one: code
/// may rely on it.
static bool isContiguous(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getRank() < 2)
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return memref.getLayout().isIdentity() ||
         failed(memref.getStridesAndOffset(strides, offset)) ||
         !llvm::all_of(ArrayRef(strides).drop_back(), ShapedType::isDynamic);
}

/// Whether memory that `value` refers to may be written through it.
static bool isWritten(Value value) {
  for (Operation *user : value.getUsers()) {
    if (isa<memref::DimOp>(user))
      continue;
    if (isa<ViewLikeOpInterface, memref::CastOp>(user)) {
      if (llvm::any_of(user->getResults(), isWritten))
        return true;
      continue;
    }
    // What hands the memory on, as a selection or a region does, may have it
    // written elsewhere.
    bool handsOn = user->hasTrait<OpTrait::IsTerminator>() ||
                   llvm::any_of(user->getResultTypes(), [](Type type) {
                     return isa<BaseMemRefType>(type);
                   });
    if (handsOn && !isa<func::ReturnOp>(user))
      return true;
    if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(user)) {
      if (toTensor.getWritable())
        return true;
      continue;
    }
    // What is not known to leave the memory alone writes to it.
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    if (!effects)
      return true;
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &effect : instances)
      if (!isa<MemoryEffects::Read>(effect.getEffect()) &&
          (!effect.getValue() || effect.getValue() == value))
        return true;
  }
  return false;
}

namespace {

/// Infers the signature of one function and gives the function its form.
class SignatureInference {
public:
  explicit SignatureInference(func::FuncOp function)
      : function(function), context(function.getContext()), b(context),
        numOriginal(function.getNumArguments()) {}

  LogicalResult run();

private:
  LogicalResult addArguments();
  LogicalResult addResults();
  void addChecks();
  void checkOp(Operation *op, ArrayRef<AffineMap> maps);
  void checkSlice(OffsetSizeAndStrideOpInterface op, Value source);
  void dropUnusedSizes();

  void takeScalar(BlockArgument argument, Value scalar);
  void transform();
  void returnTo(OpOperand &result, Value destination);

  AffineExpr constant(int64_t value) {
    return getAffineConstantExpr(value, context);
  }
  /// A dim of a shaped value or, without `dim`, an index, over the symbols;
  /// null if it is not a linear function of them.
  AffineExpr getExpr(Value value, std::optional<int64_t> dim);
  AffineExpr getExpr(OpFoldResult value);
  /// The symbol of an origin; of the tensor of a buffer what the buffer has.
  AffineExpr getSymbol(Value value, std::optional<int64_t> dim);
  AffineMap makeMap(ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(0, signature.symbols.size(), exprs, context);
  }
  void addCheck(SizeCheck::Kind kind, AffineExpr expr,
                ArrayRef<AffineExpr> unlessEmpty = {});
  /// All of lower..upper has to be within [0, extent).
  void addRange(AffineExpr lower, AffineExpr upper, AffineExpr extent,
                ArrayRef<AffineExpr> unlessEmpty);

  /// What becomes an argument of the function: one that it has, or the
  /// destination of a result.
  struct Slot {
    Argument argument;
    std::optional<unsigned> original;
    Type type;
  };

  func::FuncOp function;
  MLIRContext *context;
  OpBuilder b;
  unsigned numOriginal;
  SmallVector<Slot> slots;
  Signature signature;
  /// Where each size comes from: a dim of an argument, or an index argument.
  SmallVector<std::pair<Value, std::optional<int64_t>>> origins;
};

} // namespace

AffineExpr SignatureInference::getSymbol(Value value,
                                         std::optional<int64_t> dim) {
  // Upstream does not know that the tensor of a buffer has its extents.
  if (auto tensor = value.getDefiningOp<bufferization::ToTensorOp>())
    return getExpr(tensor.getBuffer(), dim);
  auto *origin = llvm::find(origins, std::pair(value, dim));
  if (origin == origins.end())
    return nullptr;
  return getAffineSymbolExpr(origin - origins.begin(), context);
}

AffineExpr SignatureInference::getExpr(Value value,
                                       std::optional<int64_t> dim) {
  if (dim) {
    auto type = cast<ShapedType>(value.getType());
    if (!type.isDynamicDim(*dim))
      return constant(type.getDimSize(*dim));
  }
  if (AffineExpr symbol = getSymbol(value, dim))
    return symbol;
  if (isa<BlockArgument>(value) &&
      value.getParentBlock()->getParentOp() == function.getOperation())
    return nullptr;
  AffineMap map;
  ValueDimList operands;
  auto isOrigin = [&](Value value, std::optional<int64_t> dim,
                      ValueBoundsConstraintSet &) {
    return getSymbol(value, dim) != nullptr;
  };
  ValueBoundsConstraintSet::Variable variable =
      dim ? ValueBoundsConstraintSet::Variable(value, *dim)
          : ValueBoundsConstraintSet::Variable(value);
  if (failed(ValueBoundsConstraintSet::computeBound(
          map, operands, presburger::BoundType::EQ, variable, isOrigin)))
    return nullptr;
  SmallVector<AffineExpr> exprs;
  for (auto [operand, operandDim] : operands) {
    exprs.push_back(getSymbol(operand, operandDim));
    if (!exprs.back())
      return nullptr;
  }
  AffineExpr expr = map.getResult(0).replaceDimsAndSymbols(
      ArrayRef(exprs).take_front(map.getNumDims()),
      ArrayRef(exprs).drop_front(map.getNumDims()));
  expr = simplifyAffineExpr(expr, 0, origins.size());
  return isLinear(expr) ? expr : nullptr;
}

AffineExpr SignatureInference::getExpr(OpFoldResult value) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return constant(*known);
  return getExpr(cast<Value>(value), std::nullopt);
}

LogicalResult SignatureInference::addArguments() {
  for (auto [i, value] : llvm::enumerate(function.getArguments())) {
    std::string name = "arg" + std::to_string(i);
    Type type = value.getType();
    std::optional<ElementType> element = getElementType(type);
    if (!element && !type.isIndex())
      return function.emitError("argument #")
             << i << " of `" << function.getName() << "` is of element type "
             << getElementTypeOrSelf(type) << ", which callers do not have";
    if (type.isIndex()) {
      signature.symbols.push_back(name);
      origins.push_back({value, std::nullopt});
    }
    if (!element)
      continue;
    Argument argument{name, TensorRole::Input, *element, AffineMap()};
    if (auto shaped = dyn_cast<ShapedType>(type))
      for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
        if (shaped.isDynamicDim(dim)) {
          signature.symbols.push_back(name + "_" + std::to_string(dim));
          origins.push_back({value, dim});
        }
    if (isa<MemRefType>(type) && isWritten(value))
      argument.role = TensorRole::InOut;
    slots.push_back({argument, static_cast<unsigned>(i), type});
  }
  // Now that the number of sizes is known.
  for (Slot &slot : slots) {
    SmallVector<AffineExpr> dims;
    if (auto shaped = dyn_cast<ShapedType>(slot.type))
      for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
        dims.push_back(getExpr(function.getArgument(*slot.original), dim));
    slot.argument.dims = makeMap(dims);
  }
  // Inputs first, as in every interface of ours.
  llvm::stable_sort(slots, [](const Slot &first, const Slot &second) {
    return !first.argument.isWritten() && second.argument.isWritten();
  });
  return success();
}

LogicalResult SignatureInference::addResults() {
  auto terminator = cast<func::ReturnOp>(function.front().getTerminator());
  for (auto [i, value] : llvm::enumerate(terminator.getOperands())) {
    Type type = value.getType();
    std::optional<ElementType> element = getElementType(type);
    if (!element)
      return terminator.emitError("result #")
             << i << " of `" << function.getName() << "` is of element type "
             << getElementTypeOrSelf(type) << ", which callers do not have";
    auto tensor = dyn_cast<RankedTensorType>(type);
    SmallVector<AffineExpr> dims;
    for (int64_t dim = 0, e = tensor ? tensor.getRank() : 0; dim < e; ++dim) {
      dims.push_back(getExpr(value, dim));
      if (!dims.back())
        return terminator.emitError("result #")
               << i << " of `" << function.getName() << "` has an extent, dim "
               << dim
               << ", that is not a linear function of the arguments' extents";
    }
    slots.push_back({{"res" + std::to_string(i), TensorRole::Output, *element,
                      makeMap(dims)},
                     std::nullopt,
                     tensor ? tensor : RankedTensorType::get({}, type)});
  }
  return success();
}

void SignatureInference::addCheck(SizeCheck::Kind kind, AffineExpr expr,
                                  ArrayRef<AffineExpr> unlessEmpty) {
  expr = simplifyAffineExpr(expr, 0, origins.size());
  // What holds of all sizes, as they are not negative.
  if (auto known = dyn_cast<AffineConstantExpr>(expr))
    if (kind == SizeCheck::Equal ? known.getValue() == 0
                                 : known.getValue() >= 0)
      return;
  if (kind == SizeCheck::InBounds && isa<AffineSymbolExpr>(expr))
    return;
  Check check{kind, makeMap({expr}), makeMap(unlessEmpty)};
  bool isKnown = llvm::any_of(signature.checks, [&](const Check &other) {
    return other.kind == kind && other.expr == check.expr &&
           other.unlessEmpty == check.unlessEmpty;
  });
  if (!isKnown)
    signature.checks.push_back(check);
}

void SignatureInference::addRange(AffineExpr lower, AffineExpr upper,
                                  AffineExpr extent,
                                  ArrayRef<AffineExpr> unlessEmpty) {
  addCheck(SizeCheck::InBounds, lower, unlessEmpty);
  addCheck(SizeCheck::InBounds, extent - 1 - upper, unlessEmpty);
}

/// Equal extents of each loop, and windows that stay within their array.
void SignatureInference::checkOp(Operation *op, ArrayRef<AffineMap> maps) {
  SmallVector<AffineExpr> extents(maps.empty() ? 0 : maps[0].getNumDims());
  for (auto [operand, map] : llvm::zip_equal(op->getOpOperands(), maps)) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    for (auto [i, position] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(position);
      AffineExpr extent = loop ? getExpr(operand.get(), i) : nullptr;
      if (!extent)
        continue;
      AffineExpr &known = extents[loop.getPosition()];
      if (!known)
        known = extent;
      addCheck(SizeCheck::Equal, extent - known);
    }
  }
  if (llvm::is_contained(extents, nullptr))
    return;
  for (auto [operand, map] : llvm::zip_equal(op->getOpOperands(), maps)) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    for (auto [i, position] : llvm::enumerate(map.getResults())) {
      AffineExpr extent = getExpr(operand.get(), i);
      if (isa<AffineDimExpr>(position) || !extent)
        continue;
      // A linear position is extreme where every loop is.
      SmallVector<AffineExpr> zeros(extents.size(), constant(0));
      AffineExpr lower = position.replaceDims(zeros), upper = lower;
      bool isKnown = isa<AffineConstantExpr>(lower);
      for (unsigned d = 0; d < extents.size() && isKnown; ++d) {
        if (!position.isFunctionOfDim(d))
          continue;
        SmallVector<AffineExpr> unit = zeros;
        unit[d] = constant(1);
        AffineExpr step =
            position.replaceDims(unit) - position.replaceDims(zeros);
        auto coefficient =
            dyn_cast<AffineConstantExpr>(simplifyAffineExpr(step, 0, 0));
        isKnown =
            coefficient && !isa<AffineBinaryOpExpr>(position.replaceDims(unit));
        if (!isKnown)
          break;
        AffineExpr reach = (extents[d] - 1) * coefficient.getValue();
        (coefficient.getValue() < 0 ? lower : upper) =
            (coefficient.getValue() < 0 ? lower : upper) + reach;
      }
      // Division and remainder are not linear, whatever two points say.
      position.walk([&](AffineExpr part) {
        isKnown &= part.getKind() != AffineExprKind::FloorDiv &&
                   part.getKind() != AffineExprKind::CeilDiv &&
                   part.getKind() != AffineExprKind::Mod;
      });
      if (isKnown)
        addRange(lower, upper, extent, extents);
    }
  }
}

/// A slice lies within its source.
void SignatureInference::checkSlice(OffsetSizeAndStrideOpInterface op,
                                    Value source) {
  SmallVector<AffineExpr> sizes;
  for (OpFoldResult size : op.getMixedSizes()) {
    sizes.push_back(getExpr(size));
    if (!sizes.back())
      return;
    addCheck(SizeCheck::NonNegativeExtent, sizes.back());
  }
  for (auto [i, offset, stride] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides())) {
    AffineExpr first = getExpr(offset), extent = getExpr(source, i);
    std::optional<int64_t> step = getConstantIntValue(stride);
    if (!first || !extent || !step)
      continue;
    AffineExpr reach = (sizes[i] - 1) * *step;
    addRange(*step < 0 ? first + reach : first,
             *step < 0 ? first : first + reach, extent, sizes);
  }
}

void SignatureInference::addChecks() {
  for (Operation &op : function.front()) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      checkOp(&op, structured.getIndexingMapsArray());
    } else if (auto contract = dyn_cast<ContractOp>(op)) {
      checkOp(&op, contract.getIndexingMapsArray());
    } else if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
      for (int64_t dim = 0, e = softmax.getInputOperandRank(); dim < e; ++dim) {
        AffineExpr read = getExpr(softmax.getInput(), dim);
        AffineExpr written = getExpr(softmax.getOutput(), dim);
        if (read && written)
          addCheck(SizeCheck::Equal, read - written);
      }
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      checkSlice(slice, slice.getSource());
    } else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
      checkSlice(slice, slice.getDest());
    } else if (auto view = dyn_cast<memref::SubViewOp>(op)) {
      checkSlice(view, view.getSource());
    } else if (isa<tensor::CastOp, memref::CastOp>(op)) {
      auto from = dyn_cast<ShapedType>(op.getOperand(0).getType());
      auto to = dyn_cast<ShapedType>(op.getResult(0).getType());
      for (int64_t dim = 0, e = to.getRank(); dim < e; ++dim)
        if (from.isDynamicDim(dim) && !to.isDynamicDim(dim))
          if (AffineExpr extent = getExpr(op.getOperand(0), dim))
            addCheck(SizeCheck::Equal, extent - to.getDimSize(dim));
    }
  }
}

/// An index argument that no extent depends on is a scalar like others, if
/// there are scalars of this type.
void SignatureInference::dropUnusedSizes() {
  auto isUsed = [&](unsigned symbol) {
    auto uses = [&](AffineMap map) { return map.isFunctionOfSymbol(symbol); };
    return llvm::any_of(slots,
                        [&](Slot &slot) { return uses(slot.argument.dims); }) ||
           llvm::any_of(signature.checks, [&](Check &check) {
             return uses(check.expr) || uses(check.unlessEmpty);
           });
  };
  SmallVector<AffineExpr> replacements;
  std::vector<std::string> symbols;
  SmallVector<std::pair<Value, std::optional<int64_t>>> kept;
  for (auto [i, origin] : llvm::enumerate(origins)) {
    bool isScalar =
        !origin.second && getElementType(origin.first.getType()) && !isUsed(i);
    replacements.push_back(
        isScalar ? constant(0) : getAffineSymbolExpr(symbols.size(), context));
    if (isScalar)
      continue;
    symbols.push_back(signature.symbols[i]);
    kept.push_back(origin);
  }
  // An index argument is a size or a scalar, and never both.
  llvm::erase_if(slots, [&](Slot &slot) {
    return slot.original &&
           llvm::is_contained(
               kept, std::pair<Value, std::optional<int64_t>>(
                         function.getArgument(*slot.original), std::nullopt));
  });
  auto renumber = [&](AffineMap &map) {
    map = map.replaceDimsAndSymbols({}, replacements, 0, symbols.size());
  };
  for (Slot &slot : slots)
    renumber(slot.argument.dims);
  for (Check &check : signature.checks) {
    renumber(check.expr);
    renumber(check.unlessEmpty);
  }
  signature.symbols = std::move(symbols);
  origins = std::move(kept);
}

/// Starts the computation of a result from its destination.
void SignatureInference::returnTo(OpOperand &result, Value destination) {
  OpOperand *use = &result;
  while (true) {
    Value value = use->get();
    if (value.getType() != destination.getType())
      return;
    if (isa<BlockArgument>(value)) {
      // An input that a result starts from: in its place already, it need not
      // be copied twice. A result that is an input is another pass's business.
      bool isInput = llvm::any_of(slots, [&](Slot &slot) {
        return slot.original && !slot.argument.isWritten();
      });
      if (use == &result || !isInput ||
          value.getParentBlock() != &function.front() || value == destination)
        return;
      b.setInsertionPointToStart(&function.front());
      use->set(linalg::CopyOp::create(b, function.getLoc(), value, destination)
                   .getResult(0));
      return;
    }
    Operation *op = value.getDefiningOp();
    if (isa<tensor::EmptyOp>(op)) {
      value.replaceAllUsesWith(destination);
      return;
    }
    if (auto style = dyn_cast<DestinationStyleOpInterface>(op)) {
      use = style.getTiedOpOperand(cast<OpResult>(value));
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      use = loop.getTiedLoopInit(cast<OpResult>(value));
      if (!use)
        return;
    } else {
      return;
    }
  }
}

/// A rank-0 input comes by value: puts it where its uses expect it.
void SignatureInference::takeScalar(BlockArgument argument, Value scalar) {
  b.setInsertionPointAfterValue(scalar);
  Location loc = function.getLoc();
  if (isa<RankedTensorType>(argument.getType())) {
    argument.replaceAllUsesWith(
        tensor::FromElementsOp::create(b, loc, argument.getType(), scalar));
    return;
  }
  auto place =
      memref::AllocaOp::create(b, loc, cast<MemRefType>(argument.getType()));
  memref::StoreOp::create(b, loc, scalar, place, ValueRange());
  argument.replaceAllUsesWith(place);
}

/// Gives the function the arguments of the signature.
void SignatureInference::transform() {
  Block &body = function.front();
  auto terminator = cast<func::ReturnOp>(body.getTerminator());
  function->removeAttr(function.getArgAttrsAttrName());
  function->removeAttr(function.getResAttrsAttrName());
  Location loc = function.getLoc();

  SmallVector<std::pair<BlockArgument, Value>> scalars;
  SmallVector<std::tuple<BlockArgument, BlockArgument, Type, bool>> bits;
  SmallVector<Value> destinations;
  for (Slot &slot : slots) {
    bool isScalar = slot.argument.isScalar();
    Type type = isScalar ? getElementTypeOrSelf(slot.type) : slot.type;
    BlockArgument value = body.addArgument(getStoredType(type), loc);
    signature.arguments.push_back(slot.argument);
    if (!slot.original) {
      destinations.push_back(value);
      continue;
    }
    BlockArgument original = body.getArgument(*slot.original);
    if (isBool(type))
      bits.push_back({original, value, type, slot.argument.isWritten()});
    else if (type != original.getType())
      scalars.push_back({original, value});
    else
      original.replaceAllUsesWith(value);
  }
  for (auto &[value, dim] : origins) {
    BlockArgument size = body.addArgument(b.getIndexType(), loc);
    if (!dim)
      value.replaceAllUsesWith(size);
  }
  for (auto [original, bytes, type, isWritten] : bits) {
    Value value = takeBits(b, function, bytes, type, isWritten);
    if (type != original.getType())
      scalars.push_back({original, value});
    else
      original.replaceAllUsesWith(value);
  }
  for (auto [original, scalar] : scalars)
    takeScalar(original, scalar);

  for (auto [i, destination] : llvm::enumerate(destinations)) {
    OpOperand &result = terminator->getOpOperand(i);
    b.setInsertionPoint(terminator);
    bool isScalar = !isa<RankedTensorType>(result.get().getType());
    if (isScalar && isBool(result.get().getType()))
      result.set(convertBits(b, loc, result.get(), /*toBits=*/false));
    if (isScalar)
      result.set(tensor::FromElementsOp::create(b, loc, destination.getType(),
                                                result.get()));
    if (isBool(result.get().getType()))
      result.set(convertBits(b, loc, result.get(), destination,
                             /*toBits=*/false));
    returnTo(result, destination);
  }
  body.eraseArguments(0, numOriginal);
  function.setType(
      b.getFunctionType(body.getArgumentTypes(), terminator.getOperandTypes()));
  for (auto [i, argument] : llvm::enumerate(signature.arguments))
    if (isa<TensorType>(body.getArgument(i).getType()))
      function.setArgAttr(
          i, bufferization::BufferizationDialect::kWritableAttrName,
          b.getBoolAttr(argument.isWritten()));
  function->setAttr(EinDialect::kSignatureAttr, signature.toAttr(context));
  SmallVector<int64_t> contiguous;
  for (auto [i, slot] : llvm::enumerate(slots))
    if (isContiguous(slot.type))
      contiguous.push_back(i);
  if (!contiguous.empty())
    function->setAttr(EinDialect::kContiguousAttr,
                      b.getDenseI64ArrayAttr(contiguous));
}

LogicalResult SignatureInference::run() {
  if (failed(addArguments()) || failed(addResults()))
    return failure();
  addChecks();
  dropUnusedSizes();
  transform();
  return success();
}

namespace {
struct InferSignaturesPass : impl::InferSignaturesBase<InferSignaturesPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal()) {
        // Called as the C function that it is.
        function->setAttr("llvm.emit_c_interface",
                          UnitAttr::get(&getContext()));
        continue;
      }
      function->removeAttr("llvm.emit_c_interface");
      if (failed(SignatureInference(function).run()))
        return signalPassFailure();
    }
  }
};
} // namespace

} // namespace ein
