//===- EmitMLIR.cpp - From the checked program to MLIR --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A comprehension is nearly a linalg op already; what differs is how tensors
// are accessed. linalg's maps know dims and constants but no symbols, and are
// only tiled well when all coefficients are positive and there is no offset.
// So an access is made to fit in one of three ways:
//
//  * `A(i, 2*j + k)`  is an operand with that map;
//  * `A(i + 1, 2*j, N)` is an operand with the map of `A'(i, j)`, on a slice of
//  A
//    that starts at [1, 0, N] and has the strides [1, 2, 1];
//  * `A(N - 1 - i)`   is a `tensor.extract` in the body, from indices.
//
// linalg finds the extents of its loops in its operands. An index that never
// stands alone in any access (the window of a pooling) brings an operand of its
// own, an empty tensor of the right extent, as upstream's pooling ops do.
//
// Types: an einsum multiplies and adds in one type, in which signs make no
// difference, so operands of another type are converted to it first, by ops of
// their own, which conjugate complex ones as well. An accumulator of another
// type than its target is a temporary, converted when all is done.
//
// A statement that writes a slice of its target is emitted as one that writes
// all of a smaller tensor, `tensor.extract_slice` of the target's value so far,
// which `tensor.insert_slice` then puts back.
//
// A statement that reshapes is `tensor.expand_shape` or
// `tensor.collapse_shape`. What is written as parts of dims, only to be merged
// into a result, is written to that result's destination, expanded.
//
// A scatter or a recurrence is loops: see EmitInOrder.cpp.
//
// A division by zero, or a subscript outside of its tensor, must not go by
// unnoticed: before a statement that divides integers or gathers, an op of its
// own looks at all divisors and subscripts and leaves the code of the first
// that is wrong in one more destination, which the C function returns. The
// statement is computed even so, and divides by one or reads nothing where it
// must.
//
//===----------------------------------------------------------------------===//

#include "ir/EmitMLIR.h"
#include "abi/Codes.h"
#include "ir/DefEmitter.h"
#include "ir/EinDialect.h"
#include "ir/EmitNamed.h"
#include "ir/EmitScalar.h"
#include "ir/IndexNames.h"
#include "ir/LeadingDims.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace ein {

Location getLoc(MLIRContext *context, const Sources &sources,
                SourceRange range) {
  const SourceFile &file = sources.find(range.begin);
  auto [line, column] = file.getLineColumn(range.begin);
  return FileLineColLoc::get(context, file.getName(), line, column);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

OpFoldResult DefEmitter::emitSize(const Affine &affine) {
  AffineExpr expr = toAffineExpr(def, affine, symbolPositions, b.getContext());
  AffineMap map = AffineMap::get(0, symbolValues.size(), expr);
  return affine::makeComposedFoldedAffineApply(b, b.getLoc(), map,
                                               getAsOpFoldResult(symbolValues));
}

Value DefEmitter::emitMinimum(ArrayRef<Affine> affines) {
  SmallVector<AffineExpr> exprs =
      llvm::map_to_vector(affines, [&](const Affine &affine) {
        return toAffineExpr(def, affine, symbolPositions, b.getContext());
      });
  AffineMap map = AffineMap::get(0, symbolValues.size(), exprs, b.getContext());
  return affine::AffineMinOp::create(b, map, symbolValues);
}

SmallVector<OpFoldResult> DefEmitter::emitSizes(ArrayRef<Affine> affines) {
  return llvm::map_to_vector(
      affines, [&](const Affine &affine) { return emitSize(affine); });
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void DefEmitter::run() {
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  unsigned next = 0;
  for (TensorId id : def.params)
    values[id.value] = entry->getArgument(next++);
  for (TensorId id : def.results) {
    Value argument = entry->getArgument(next++);
    destinations[id.value] = argument;
    if (def[id].role == TensorRole::InOut)
      values[id.value] = argument;
  }
  if (def.hasDataChecks())
    status = entry->getArgument(next++);
  for (unsigned e = entry->getNumArguments(); next < e; ++next)
    symbolValues.push_back(entry->getArgument(next));
  for (const Symbol &symbol : def.symbols)
    if (!symbol.minimum.empty())
      symbolValues.push_back(emitMinimum(symbol.minimum));
  for (const Symbol &symbol : def.symbols)
    if (symbol.scalar.isValid())
      symbolValues.push_back(emitScalarAsIndex(symbol.scalar));

  findMerged();
  for (size_t i = 0, e = def.statements.size(); i != e;) {
    ArrayRef<Statement> rest = ArrayRef(def.statements).drop_front(i);
    const std::optional<NamedOp> &named = rest.front().namedOp;
    if (named && emitAggregate(*named, rest.take_front(named->numStatements))) {
      i += named->numStatements;
      continue;
    }
    emitStatement(rest.front());
    ++i;
  }

  SmallVector<Value> results;
  for (TensorId id : def.results)
    results.push_back(values[id.value]);
  if (status)
    results.push_back(status);
  b.setLoc(function.getLoc());
  func::ReturnOp::create(b, results);
}

/// The entry has checked what it is used for.
Value DefEmitter::emitScalarAsIndex(TensorId id) {
  Value scalar = values[id.value];
  if (getKind(def[id].type) == TypeKind::Unsigned)
    return arith::IndexCastUIOp::create(b, b.getIndexType(), scalar);
  return arith::IndexCastOp::create(b, b.getIndexType(), scalar);
}

bool isEmpty(const Statement &statement) {
  return llvm::any_of(statement.indices, [](const Index &index) {
    return index.extent.isConstant() && index.extent.getConstant() == 0;
  });
}

bool isOutside(const Affine &offset, const Affine &extent, const Affine &dim) {
  if (!offset.isConstant() || !dim.isConstant())
    return false;
  int64_t size = extent.isConstant() ? extent.getConstant() : 0;
  return offset.getConstant() < 0 ||
         offset.getConstant() >= dim.getConstant() ||
         offset.getConstant() + size > dim.getConstant();
}

static bool accumulates(const Statement &statement) {
  return statement.update != UpdateKind::Assign;
}

void DefEmitter::emitStatement(const Statement &statement) {
  SmallVector<std::string> names;
  for (const Index &index : statement.indices)
    names.push_back(index.name);
  b.setLoc(getLoc(statement.range, statement.target, names));
  const Tensor &target = def[statement.target];
  if (const Expr *reshape = def.getReshape(statement)) {
    values[statement.target.value] = emitReshape(statement, *reshape);
    return;
  }
  if (statement.isInOrder()) {
    values[statement.target.value] = emitInOrder(statement);
    return;
  }
  if (statement.slice.empty()) {
    Place place = {values[statement.target.value],
                   llvm::to_vector(target.dims)};
    values[statement.target.value] = emitUpdate(statement, place);
    return;
  }
  Place place;
  SmallVector<OpFoldResult> offsets, strides;
  // A sum over nothing is written.
  bool isNothing = false;
  for (auto [index, part, dim] :
       llvm::zip_equal(statement.targetIndices, statement.slice, target.dims)) {
    const Affine &extent = statement.indices[index.value].extent;
    isNothing |= extent == Affine(0);
    offsets.push_back(emitSize(part.offset));
    strides.push_back(b.getIndexAttr(part.step));
    place.dims.push_back(extent);
    Affine span = (extent - Affine(1)) * part.step + Affine(1);
    isNothing |= isOutside(part.offset, span, dim);
  }
  Value whole = emitWhole(statement);
  values[statement.target.value] = whole;
  if (isNothing)
    return;
  SmallVector<OpFoldResult> sizes = emitSizes(place.dims);
  place.soFar =
      tensor::ExtractSliceOp::create(b, whole, offsets, sizes, strides);
  Value result = emitUpdate(statement, place);
  values[statement.target.value] =
      tensor::InsertSliceOp::create(b, result, whole, offsets, sizes, strides);
}

/// The contents of `place` after the statement.
Value DefEmitter::emitUpdate(const Statement &statement, const Place &place) {
  const Tensor &target = def[statement.target];
  std::optional<Product> product = def.getProduct(statement, keepsOrder);
  bool asEinsum = product.has_value();
  Value result;
  if (isEmpty(statement)) {
    result = emitInit(statement, place, asEinsum);
  } else {
    emitDataChecks(statement);
    result = emitNamed(statement, place);
    if (!result) {
      Value init = emitInit(statement, place, asEinsum);
      result = statement.isDiagonal() ? emitDiagonal(statement, init)
               : asEinsum             ? emitProduct(statement, *product, init)
                                      : emitGeneric(statement, init);
    }
  }
  if (!accumulates(statement) || statement.computeType == target.type)
    return result;
  Value destination =
      statement.slice.empty() ? getDestination(statement.target) : place.soFar;
  return convertTensor(result, statement.computeType, target.type, destination);
}

/// Where the tensor's value may be put.
Value DefEmitter::getDestination(TensorId id) {
  if (Value destination = destinations.lookup(id.value))
    return destination;
  if (const Statement *merge = merged.lookup(id.value)) {
    Value &place = mergedPlaces[id.value];
    if (!place)
      place = emitSplit(destinations.lookup(merge->target.value), def[id].dims,
                        def.getReshape(*merge)->spans);
    return place;
  }
  return createTensor(def[id].dims, def[id].type);
}

/// The target as it is before the statement; zeros if nothing wrote it.
Value DefEmitter::emitWhole(const Statement &statement) {
  if (Value value = values[statement.target.value])
    return value;
  Value zero = emitIdentity(b, UpdateKind::Add, def[statement.target].type);
  return linalg::FillOp::create(b, zero, getDestination(statement.target))
      .getResult(0);
}

/// What the statement starts from, in the accumulator's type: the target's
/// value so far, or the identity; for an assignment the destination as it is,
/// unless it keeps elements or is emitted as a sum.
Value DefEmitter::emitInit(const Statement &statement, const Place &place,
                           bool isEinsum) {
  const Tensor &target = def[statement.target];
  ElementType type = statement.computeType;
  bool converts = accumulates(statement) && type != target.type;
  if (accumulates(statement) && !statement.fromIdentity)
    return converts ? convertTensor(place.soFar, target.type, type,
                                    createTensor(place.dims, type))
                    : place.soFar;
  if (!accumulates(statement) && statement.condition.isValid())
    return place.soFar ? place.soFar : emitWhole(statement);
  Value destination = converts ? createTensor(place.dims, type)
                      : statement.slice.empty()
                          ? getDestination(statement.target)
                          : place.soFar;
  if (!accumulates(statement) && !isEinsum)
    return destination;
  Value identity = emitIdentity(b, statement.update, type);
  return linalg::FillOp::create(b, identity, destination).getResult(0);
}

/// `source`, converted element by element into `destination`, or its complex
/// conjugate.
Value DefEmitter::convertTensor(Value source, ElementType from, ElementType to,
                                Value destination, bool conjugate) {
  auto type = cast<RankedTensorType>(source.getType());
  AffineMap map = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    ImplicitLocOpBuilder body(loc, builder);
    Value value = emitLoaded(body, arguments[0], from);
    value = emitConversion(body, value, from, to);
    if (conjugate)
      value = emitUnary(body, UnaryFn::Conj, value, to);
    linalg::YieldOp::create(body, emitStored(body, value, to));
  };
  return linalg::GenericOp::create(b, TypeRange(destination.getType()), source,
                                   destination, ArrayRef<AffineMap>{map, map},
                                   iterators, build)
      .getResult(0);
}

/// One scalar for all elements; null, if it has to be read from a tensor.
Value DefEmitter::emitFill(const Statement &statement, Value init) {
  BodyInputs inputs =
      emitInputs(statement, statement.value, statement.targetIndices.size());
  if (!inputs.inputs.empty())
    return {};
  emitLeaves(b, inputs, {});
  ElementType type = statement.computeType, stored = def[statement.target].type;
  Value value = emitExpr(b, statement.value, type, inputs);
  value = emitStored(b, emitConversion(b, value, type, stored), stored);
  return linalg::FillOp::create(b, value, init).getResult(0);
}

Value DefEmitter::emitGeneric(const Statement &statement, Value init) {
  unsigned numLoops = statement.indices.size();
  unsigned numOutputDims = statement.targetIndices.size();
  SmallVector<ExprId> roots = {statement.value};
  if (statement.condition.isValid())
    roots.push_back(statement.condition);
  BodyInputs inputs = emitInputs(statement, roots, numOutputDims);
  SmallVector<AffineMap> maps = inputs.maps;
  maps.push_back(getLeadingDims(numLoops, numOutputDims, b.getContext()));
  auto iterators = llvm::map_to_vector(statement.indices, [](const Index &i) {
    return i.isReduction ? utils::IteratorType::reduction
                         : utils::IteratorType::parallel;
  });
  ElementType type = statement.computeType;
  auto buildBody = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    ImplicitLocOpBuilder body(loc, builder);
    emitLeaves(body, inputs, arguments);
    Value condition;
    if (statement.condition.isValid())
      condition =
          emitExpr(body, statement.condition, ElementType::Bool, inputs);
    numGuards += statement.condition.isValid();
    Value value = emitExpr(body, statement.value, type, inputs);
    numGuards -= statement.condition.isValid();
    emitYield(body, statement, value, condition, arguments.back());
  };
  return linalg::GenericOp::create(b, TypeRange(init.getType()), inputs.inputs,
                                   init, maps, iterators, buildBody)
      .getResult(0);
}

/// Ends a body with the element that the statement makes of `value`, and of the
/// one `soFar` if it accumulates. Where `isPoint` is there and false, there is
/// no value.
void DefEmitter::emitYield(ImplicitLocOpBuilder &body,
                           const Statement &statement, Value value,
                           Value isPoint, Value soFar) {
  ElementType type = statement.computeType, stored = type;
  Value otherwise;
  if (std::optional<BinaryFn> fn = getFunction(statement.update)) {
    otherwise = emitLoaded(body, soFar, type);
    value = emitBinary(body, *fn, otherwise, value, type);
  } else {
    stored = def[statement.target].type;
    value = emitConversion(body, value, type, stored);
    if (isPoint)
      otherwise = emitLoaded(body,
                             statement.isDiagonal()
                                 ? emitIdentity(body, UpdateKind::Add, stored)
                                 : soFar,
                             stored);
  }
  if (isPoint)
    value = arith::SelectOp::create(body, isPoint, value, otherwise);
  linalg::YieldOp::create(body, emitStored(body, value, stored));
}

/// A loop per dim of the target, of which those on the diagonal are points.
Value DefEmitter::emitDiagonal(const Statement &statement, Value init) {
  ArrayRef<IndexId> targetIndices = statement.targetIndices;
  unsigned rank = targetIndices.size();
  auto getLoop = [&](IndexId id) -> unsigned {
    return llvm::find(targetIndices, id) - targetIndices.begin();
  };
  Operand operand = emitOperand(statement, def[statement.value]);
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  if (isa<RankedTensorType>(operand.tensor.getType())) {
    SmallVector<AffineExpr> loops;
    for (unsigned i = 0, e = statement.indices.size(); i < e; ++i)
      loops.push_back(b.getAffineDimExpr(getLoop(IndexId(i))));
    inputs.push_back(operand.tensor);
    maps.push_back(operand.map.replaceDimsAndSymbols(loops, {}, rank, 0));
  }
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<std::string> names;
  for (IndexId id : targetIndices)
    names.push_back(statement.indices[id.value].name);
  b.setLoc(getLoc(statement.range, statement.target, names));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto buildBody = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    ImplicitLocOpBuilder body(loc, builder);
    Value isPoint;
    for (unsigned d = 0; d < rank; ++d) {
      unsigned first = getLoop(targetIndices[d]);
      if (first == d)
        continue;
      Value index = linalg::IndexOp::create(body, first);
      Value again = linalg::IndexOp::create(body, d);
      Value isEqual =
          arith::CmpIOp::create(body, arith::CmpIPredicate::eq, index, again);
      isPoint =
          isPoint ? arith::AndIOp::create(body, isPoint, isEqual) : isEqual;
    }
    const Expr &access = def[statement.value];
    Value value = emitLoaded(
        body, inputs.empty() ? operand.tensor : arguments[0], access.type);
    value = emitConversion(body, value, access.type, statement.computeType);
    emitYield(body, statement, value, isPoint, arguments.back());
  };
  return linalg::GenericOp::create(b, TypeRange(init.getType()), inputs, init,
                                   maps, iterators, buildBody)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static Type getTensorType(OpBuilder &b, const Tensor &tensor) {
  Type elementType = getStorageType(b, tensor.type);
  if (tensor.isScalarInput())
    return elementType;
  return RankedTensorType::get(getShape(tensor.dims), elementType);
}

static void emitDef(const Def &def, ModuleOp module, const Sources &sources,
                    bool checksGathers, bool keepsOrder) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> arguments, results;
  for (TensorId id : def.params)
    arguments.push_back(getTensorType(b, def[id]));
  for (TensorId id : def.results)
    results.push_back(getTensorType(b, def[id]));
  Signature signature = makeSignature(def, b.getContext());
  if (signature.hasStatus)
    results.push_back(RankedTensorType::get({}, b.getI32Type()));
  llvm::append_range(arguments, results);
  arguments.append(signature.symbols.size(), b.getIndexType());

  Location loc = getLoc(b.getContext(), sources, def.range);
  auto function = func::FuncOp::create(b, loc, def.name,
                                       b.getFunctionType(arguments, results));
  function->setAttr(EinDialect::kSignatureAttr,
                    signature.toAttr(b.getContext()));
  for (unsigned i = 0, e = results.size(); i < e; ++i)
    function.setArgAttr(def.params.size() + i,
                        bufferization::BufferizationDialect::kWritableAttrName,
                        b.getBoolAttr(true));
  DefEmitter(def, function, sources, checksGathers, keepsOrder).run();
}

OwningOpRef<ModuleOp> emitMLIR(const Program &program, MLIRContext *context,
                               const Sources &sources, bool checksGathers,
                               bool keepsOrder) {
  context->loadDialect<EinDialect, affine::AffineDialect, arith::ArithDialect,
                       bufferization::BufferizationDialect,
                       complex::ComplexDialect, func::FuncDialect,
                       linalg::LinalgDialect, math::MathDialect,
                       scf::SCFDialect, tensor::TensorDialect>();
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(FileLineColLoc::get(context, sources.getName(), 1, 1));
  for (const Def &def : program.defs)
    emitDef(def, *module, sources, checksGathers, keepsOrder);
  return module;
}

} // namespace ein
