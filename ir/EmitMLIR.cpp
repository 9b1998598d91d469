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
// A division by zero, or a subscript outside of its tensor, must not go by
// unnoticed: before a statement that divides integers or gathers, an op of its
// own looks at all divisors and subscripts and leaves the code of the first
// that is wrong in one more destination, which the C function returns. The
// statement is computed even so, and divides by one or reads nothing where it
// must.
//
//===----------------------------------------------------------------------===//

#include "ir/EmitMLIR.h"
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
#include "runtime/Codes.h"

using namespace mlir;

namespace ein {

static Location getLoc(MLIRContext *context, const Sources &sources,
                       SourceRange range) {
  const SourceFile &file = sources.find(range.begin);
  auto [line, column] = file.getLineColumn(range.begin);
  return FileLineColLoc::get(context, file.getName(), line, column);
}

namespace {

/// One access of a statement, in the form that a structured op can take.
struct Operand {
  Value tensor;  // sliced if need be; a scalar for a rank-0 input
  AffineMap map; // over the statement's indices
};

/// Where a statement writes: its target, or a slice of that.
struct Place {
  /// Null stands for the tensor that the result is to be put in, whatever is
  /// there.
  Value soFar;
  SmallVector<Affine> dims;
};

/// The right side as the body of a structured op sees it.
struct BodyInputs {
  SmallVector<ExprId> accesses;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps; // one per input
  /// Accesses by the number of the input that they are.
  llvm::SmallDenseMap<int32_t, unsigned> argumentOf;
  /// Accesses by their stored value, as far as it is known outside the body.
  llvm::SmallDenseMap<int32_t, Value> leaves;
};

class DefEmitter {
public:
  DefEmitter(const Def &def, func::FuncOp function, const Sources &sources,
             bool checksGathers)
      : def(def), function(function), checksGathers(checksGathers),
        b(function.getLoc(), function.getContext()), sources(sources),
        symbolPositions(getSymbolPositions(def)), values(def.tensors.size()) {}

  void run();

private:
  // Sizes.
  OpFoldResult emitSize(const Affine &affine);
  SmallVector<OpFoldResult> emitSizes(ArrayRef<Affine> affines);
  Value createTensor(ArrayRef<Affine> dims, ElementType type) {
    return tensor::EmptyOp::create(b, emitSizes(dims), getStorageType(b, type));
  }

  // Statements.
  void emitStatement(const Statement &statement);
  Value emitUpdate(const Statement &statement, const Place &place);
  Value emitInit(const Statement &statement, const Place &place, bool isEinsum);
  Value emitWhole(const Statement &statement);
  bool isEinsum(const Statement &statement, ArrayRef<ProductFactor> factors);
  Value emitEinsum(const Statement &statement, ArrayRef<ProductFactor> factors,
                   Value init);
  Value emitGeneric(const Statement &statement, Value init);
  Value emitNamed(const Statement &statement, const Place &place);
  Value emitFill(const Statement &statement, Value init);
  Value emitDiagonal(const Statement &statement, Value init);
  void emitYield(ImplicitLocOpBuilder &body, const Statement &statement,
                 Value value, Value isPoint, Value soFar);
  void dropConstantDims(Operand &operand);
  void emitDataChecks(const Statement &statement);
  Value convertTensor(Value source, ElementType from, ElementType to,
                      Value destination, bool conjugate = false);
  Value getDestination(TensorId id);
  Value castTo(Value tensor, ArrayRef<int64_t> shape);
  Value emitSplit(Value source, ArrayRef<Affine> dims,
                  ArrayRef<unsigned> spans);
  Value emitMerge(Value source, ArrayRef<Affine> dims,
                  ArrayRef<unsigned> spans);
  Value emitReshape(const Statement &statement, const Expr &reshape);
  void findMerged();

  // Accesses.
  bool fitsOperand(const Expr &access);
  Operand emitOperand(const Statement &statement, const Expr &access);
  Value emitAffine(OpBuilder &body, Location loc, const Affine &value);
  Value emitExtract(OpBuilder &body, Location loc, const Expr &access);
  SmallVector<Value> emitPlaces(ImplicitLocOpBuilder &body, const Expr &gather,
                                const BodyInputs &inputs, Value &isInside);
  Value emitGather(ImplicitLocOpBuilder &body, const Expr &gather,
                   const BodyInputs &inputs);
  Value emitIsWrong(ImplicitLocOpBuilder &body, ExprId id,
                    const BodyInputs &inputs);

  // Bodies.
  void collectAccesses(ExprId id, SmallVectorImpl<ExprId> &accesses);
  BodyInputs emitInputs(const Statement &statement, ArrayRef<ExprId> roots,
                        unsigned numOutputDims);
  void emitLeaves(ImplicitLocOpBuilder &body, BodyInputs &inputs,
                  ValueRange arguments);
  Value emitExpr(ImplicitLocOpBuilder &body, ExprId id,
                 const BodyInputs &inputs);
  /// The same, converted.
  Value emitExpr(ImplicitLocOpBuilder &body, ExprId id, ElementType type,
                 const BodyInputs &inputs) {
    Value value = emitExpr(body, id, inputs);
    return emitConversion(body, value, def[id].type, type);
  }

  Location getLoc(SourceRange range) {
    return ein::getLoc(b.getContext(), sources, range);
  }

  const Def &def;
  func::FuncOp function;
  ImplicitLocOpBuilder b;
  bool checksGathers;
  /// In what may be evaluated without being meant; no gather may read outside.
  unsigned numGuards = 0;
  const Sources &sources;
  SmallVector<unsigned> symbolPositions;
  /// The unbound symbols' values: the function's trailing arguments.
  SmallVector<Value> symbolValues;
  /// Per tensor, its value after the statements so far; null before the first.
  SmallVector<Value> values;
  /// Per result, the argument that is its destination.
  llvm::SmallDenseMap<int32_t, Value> destinations;
  /// Temporaries that are merged into a result as soon as they are written: by
  /// what, and where they may be put.
  llvm::SmallDenseMap<int32_t, const Statement *> merged;
  llvm::SmallDenseMap<int32_t, Value> mergedPlaces;
  /// The code so far, a tensor of rank 0, if the def has any to return.
  Value status;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

OpFoldResult DefEmitter::emitSize(const Affine &affine) {
  AffineExpr expr = toAffineExpr(def, affine, symbolPositions, b.getContext());
  AffineMap map = AffineMap::get(0, symbolValues.size(), expr);
  return affine::makeComposedFoldedAffineApply(b, b.getLoc(), map,
                                               getAsOpFoldResult(symbolValues));
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

  findMerged();
  for (const Statement &statement : def.statements)
    emitStatement(statement);

  SmallVector<Value> results;
  for (TensorId id : def.results)
    results.push_back(values[id.value]);
  if (status)
    results.push_back(status);
  b.setLoc(function.getLoc());
  func::ReturnOp::create(b, results);
}

/// Whether the statement is known to have no points. Its slices may start
/// outside of their tensors then, which the slice op does not allow.
static bool isEmpty(const Statement &statement) {
  return llvm::any_of(statement.indices, [](const Index &index) {
    return index.extent.isConstant() && index.extent.getConstant() == 0;
  });
}

/// Whether a slice certainly leaves its dim. Accesses do not, so its elements
/// are never read: some range is empty. `tensor.extract_slice` is refused then.
static bool isOutside(const Affine &offset, const Affine &extent,
                      const Affine &dim) {
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
  b.setLoc(withIndexNames(getLoc(statement.range), names));
  const Tensor &target = def[statement.target];
  if (const Expr *reshape = def.getReshape(statement)) {
    values[statement.target.value] = emitReshape(statement, *reshape);
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
  bool isNothing = isEmpty(statement);
  for (auto [index, part, dim] :
       llvm::zip_equal(statement.targetIndices, statement.slice, target.dims)) {
    const Affine &extent = statement.indices[index.value].extent;
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
  std::optional<std::vector<ProductFactor>> factors =
      def.getProductFactors(statement);
  bool asEinsum = factors && isEinsum(statement, *factors);
  Value result;
  if (isEmpty(statement)) {
    result = emitInit(statement, place, asEinsum);
  } else {
    emitDataChecks(statement);
    result = emitNamed(statement, place);
    if (!result) {
      Value init = emitInit(statement, place, asEinsum);
      result = statement.isDiagonal() ? emitDiagonal(statement, init)
               : asEinsum             ? emitEinsum(statement, *factors, init)
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

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// Dims as a type has them.
static SmallVector<int64_t> getShape(ArrayRef<Affine> dims) {
  return llvm::map_to_vector(dims, [](const Affine &dim) {
    return dim.isConstant() ? dim.getConstant() : ShapedType::kDynamic;
  });
}

void DefEmitter::findMerged() {
  for (size_t i = 1; i < def.statements.size(); ++i) {
    const Statement &statement = def.statements[i];
    const Expr *reshape = def.getReshape(statement);
    if (!reshape || !destinations.count(statement.target.value) ||
        def.statements[i - 1].target != reshape->tensor ||
        def[reshape->tensor].role != TensorRole::Temporary ||
        def[reshape->tensor].dims.size() == reshape->spans.size())
      continue;
    merged.try_emplace(reshape->tensor.value, &statement);
  }
}

Value DefEmitter::castTo(Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  return tensor::CastOp::create(b, type.clone(shape), tensor);
}

static SmallVector<ReassociationIndices>
getReassociation(ArrayRef<unsigned> spans) {
  SmallVector<ReassociationIndices> reassociation;
  int64_t next = 0;
  for (unsigned span : spans) {
    ReassociationIndices &dims = reassociation.emplace_back();
    for (unsigned i = 0; i != span; ++i)
      dims.push_back(next++);
  }
  return reassociation;
}

/// What the parts make together: a number if all of them are.
static SmallVector<int64_t> mergeShape(ArrayRef<int64_t> shape,
                                       ArrayRef<unsigned> spans) {
  SmallVector<int64_t> result;
  for (unsigned span : spans) {
    int64_t &size = result.emplace_back(1);
    for (int64_t part : shape.take_front(span))
      size = size == ShapedType::kDynamic || part == ShapedType::kDynamic
                 ? ShapedType::kDynamic
                 : size * part;
    shape = shape.drop_front(span);
  }
  return result;
}

/// `dims` are the result's, more than the source has.
Value DefEmitter::emitSplit(Value source, ArrayRef<Affine> dims,
                            ArrayRef<unsigned> spans) {
  SmallVector<int64_t> shape = getShape(dims);
  source = castTo(source, mergeShape(shape, spans));
  auto type = cast<RankedTensorType>(source.getType()).clone(shape);
  return tensor::ExpandShapeOp::create(b, type, source, getReassociation(spans),
                                       emitSizes(dims));
}

/// `dims` are the result's, fewer than the source has.
Value DefEmitter::emitMerge(Value source, ArrayRef<Affine> dims,
                            ArrayRef<unsigned> spans) {
  auto type = cast<RankedTensorType>(source.getType());
  Value result = tensor::CollapseShapeOp::create(
      b, type.clone(mergeShape(type.getShape(), spans)), source,
      getReassociation(spans));
  return castTo(result, getShape(dims));
}

Value DefEmitter::emitReshape(const Statement &statement, const Expr &reshape) {
  Value source = values[reshape.tensor.value];
  ArrayRef<Affine> dims = def[statement.target].dims;
  ArrayRef<Affine> sourceDims = def[reshape.tensor].dims;
  Value destination = destinations.lookup(statement.target.value);
  if (dims.size() > sourceDims.size()) {
    Value split = emitSplit(source, dims, reshape.spans);
    return destination
               ? linalg::CopyOp::create(b, split, destination).getResult(0)
               : split;
  }
  // What is not in the result's destination already is copied there.
  const Statement *merge = merged.lookup(reshape.tensor.value);
  if (destination && merge != &statement) {
    Value place = emitSplit(destination, sourceDims, reshape.spans);
    source = linalg::CopyOp::create(b, source, place).getResult(0);
  }
  return emitMerge(source, dims, reshape.spans);
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

/// An f32 among f64 is converted where it is multiplied.
static bool widensInPlace(ElementType from, ElementType to) {
  return from == to || (from == ElementType::F32 && to == ElementType::F64);
}

/// Whether the statement multiplies accesses at lone indices or none, up to
/// offsets and strides, in a type that `ein.einsum` has. Without a sum there is
/// nothing to win by it if anything has to be converted.
bool DefEmitter::isEinsum(const Statement &statement,
                          ArrayRef<ProductFactor> factors) {
  ElementType type = statement.computeType;
  if (type == ElementType::Bool || type == ElementType::F16 ||
      type == ElementType::BF16)
    return false;
  bool converts = llvm::any_of(factors, [&](ProductFactor factor) {
    return factor.isConjugated || !widensInPlace(def[factor.access].type, type);
  });
  if (!accumulates(statement) &&
      (converts || def[statement.target].type != type))
    return false;
  auto isLoneIndex = [](const Affine &subscript) {
    ArrayRef<Affine::IndexTerm> terms = subscript.getIndexTerms();
    return terms.empty() || (terms.size() == 1 && terms[0].coefficient > 0);
  };
  return llvm::all_of(factors, [&](ProductFactor factor) {
    return llvm::all_of(def[factor.access].subscripts, isLoneIndex);
  });
}

Value DefEmitter::emitEinsum(const Statement &statement,
                             ArrayRef<ProductFactor> factors, Value init) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (ProductFactor factor : factors) {
    const Expr &access = def[factor.access];
    Operand operand = emitOperand(statement, access);
    dropConstantDims(operand);
    if (!isa<RankedTensorType>(operand.tensor.getType()))
      operand.tensor = tensor::FromElementsOp::create(
          b, RankedTensorType::get({}, operand.tensor.getType()),
          operand.tensor);
    ElementType from = access.type, to = statement.computeType;
    bool conjugates = factor.isConjugated && isComplex(from);
    if (conjugates || !widensInPlace(from, to)) {
      Value converted = tensor::EmptyOp::create(
          b, tensor::getMixedSizes(b, b.getLoc(), operand.tensor),
          getStorageType(b, to));
      operand.tensor =
          convertTensor(operand.tensor, from, to, converted, conjugates);
    }
    inputs.push_back(operand.tensor);
    maps.push_back(operand.map);
  }
  maps.push_back(getLeadingDims(statement.indices.size(),
                                statement.targetIndices.size(),
                                b.getContext()));
  SmallVector<Attribute> path;
  for (const std::vector<unsigned> &group : statement.groups)
    path.push_back(b.getDenseI64ArrayAttr(
        SmallVector<int64_t>(group.begin(), group.end())));
  return EinsumOp::create(b, init.getType(), inputs, init,
                          b.getAffineMapArrayAttr(maps),
                          path.empty() ? ArrayAttr() : b.getArrayAttr(path));
}

/// Takes dims out that are subscripted with no index; there is one element of
/// each in the slice.
void DefEmitter::dropConstantDims(Operand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.tensor.getType());
  auto isKept = [](AffineExpr expr) { return isa<AffineDimExpr>(expr); };
  if (!type || llvm::all_of(operand.map.getResults(), isKept))
    return;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), operand.tensor);
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  for (auto [dim, expr] : llvm::enumerate(operand.map.getResults())) {
    if (isKept(expr)) {
      exprs.push_back(expr);
      shape.push_back(type.getDimSize(dim));
    } else {
      sizes[dim] = b.getIndexAttr(1);
    }
  }
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  operand.tensor = tensor::ExtractSliceOp::create(
      b, RankedTensorType::get(shape, type.getElementType()), operand.tensor,
      offsets, sizes, strides);
  operand.map =
      AffineMap::get(operand.map.getNumDims(), 0, exprs, b.getContext());
}

/// Null, if the statement is no named op of linalg's.
Value DefEmitter::emitNamed(const Statement &statement, const Place &place) {
  const std::optional<NamedOp> &named = statement.namedOp;
  if (!named || named->numStatements != 1 || statement.isDiagonal())
    return {};
  if (named->name == "fill")
    return emitFill(statement, emitInit(statement, place, /*isEinsum=*/false));
  SmallVector<Value> inputs;
  for (const NamedOp::Input &input : named->inputs) {
    if (!input.tensor.isValid())
      return {};
    inputs.push_back(values[input.tensor.value]);
  }
  Operation *before =
      b.getInsertionBlock()->empty() ? nullptr : &b.getInsertionBlock()->back();
  Value init = emitInit(statement, place, /*isEinsum=*/false);
  auto generic =
      emitGeneric(statement, init).getDefiningOp<linalg::GenericOp>();
  if (named->isPooling())
    inputs.push_back(generic.getInputs().back());
  if (Operation *op = replaceByNamedOp(*named, generic, inputs))
    return op->getResult(0);
  // What is no named op may still be an einsum, which is made in its place.
  while (!b.getInsertionBlock()->empty() &&
         &b.getInsertionBlock()->back() != before)
    b.getInsertionBlock()->back().erase();
  return {};
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
  b.setLoc(withIndexNames(getLoc(statement.range), names));
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

/// Whether a division is one by zero, or a gather leaves its tensor.
Value DefEmitter::emitIsWrong(ImplicitLocOpBuilder &body, ExprId id,
                              const BodyInputs &inputs) {
  const Expr &expr = def[id];
  if (expr.kind == ExprKind::Gather) {
    Value isInside;
    emitPlaces(body, expr, inputs, isInside);
    return emitUnary(body, UnaryFn::Not, isInside, ElementType::Bool);
  }
  Value divisor = emitExpr(body, expr.rhs, inputs);
  Value zero =
      arith::ConstantOp::create(body, body.getZeroAttr(divisor.getType()));
  return arith::CmpIOp::create(body, arith::CmpIPredicate::eq, divisor, zero);
}

/// Has `status` hold the code of what is wrong first, if anything is.
void DefEmitter::emitDataChecks(const Statement &statement) {
  std::vector<Def::DataCheck> checks = def.getDataChecks(statement);
  llvm::erase_if(checks, [&](const Def::DataCheck &check) {
    return !checksGathers && def.isCheckedGather(check.id);
  });
  if (checks.empty())
    return;
  SmallVector<ExprId> roots;
  for (const Def::DataCheck &check : checks) {
    roots.push_back(check.id);
    for (auto [guard, value] : check.guards)
      roots.push_back(guard);
  }
  unsigned numLoops = statement.indices.size();
  BodyInputs inputs = emitInputs(statement, roots, /*numOutputDims=*/0);
  SmallVector<AffineMap> maps = inputs.maps;
  maps.push_back(AffineMap::get(numLoops, 0, b.getContext()));
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::reduction);
  auto buildBody = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    ImplicitLocOpBuilder body(loc, builder);
    emitLeaves(body, inputs, arguments);
    auto getCode = [&](runtime::Code code) -> Value {
      return arith::ConstantOp::create(
          body, body.getI32IntegerAttr(static_cast<int32_t>(code)));
    };
    ++numGuards;
    Value ok = getCode(runtime::Code::Ok);
    Value code = arguments.back();
    for (const auto &[id, guards] : checks) {
      Value isWrong = emitIsWrong(body, id, inputs);
      for (auto [guard, value] : guards) {
        Value holds = emitExpr(body, guard, ElementType::Bool, inputs);
        if (!value)
          holds = emitUnary(body, UnaryFn::Not, holds, ElementType::Bool);
        isWrong = arith::AndIOp::create(body, isWrong, holds);
      }
      Value isFirst =
          arith::CmpIOp::create(body, arith::CmpIPredicate::eq, code, ok);
      isWrong = arith::AndIOp::create(body, isWrong, isFirst);
      Value found =
          getCode(def[id].kind == ExprKind::Gather ? runtime::Code::OutOfRange
                                                   : runtime::Code::Domain);
      code = arith::SelectOp::create(body, isWrong, found, code);
    }
    --numGuards;
    linalg::YieldOp::create(body, code);
  };
  status =
      linalg::GenericOp::create(b, TypeRange(status.getType()), inputs.inputs,
                                status, maps, iterators, buildBody)
          .getResult(0);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Whether the access can be an operand: all coefficients positive.
bool DefEmitter::fitsOperand(const Expr &access) {
  return llvm::all_of(access.subscripts, [](const Affine &subscript) {
    return llvm::all_of(
        subscript.getIndexTerms(),
        [](const Affine::IndexTerm &term) { return term.coefficient > 0; });
  });
}

Operand DefEmitter::emitOperand(const Statement &statement,
                                const Expr &access) {
  MLIRContext *context = b.getContext();
  unsigned numLoops = statement.indices.size();
  const Tensor &tensor = def[access.tensor];
  Value value = values[access.tensor.value];

  SmallVector<AffineExpr> exprs;
  SmallVector<Affine> offsets, extents;
  SmallVector<OpFoldResult> strides;
  SmallVector<Affine> shape; // of the slice, which lacks the constant dims
  bool isWhole = true, isNothing = false;
  for (auto [subscript, dim] :
       llvm::zip_equal(access.subscripts, tensor.dims)) {
    AffineExpr expr = getAffineConstantExpr(0, context);
    Affine offset = subscript.withoutIndices();
    Affine extent(1); // of the slice: one past the largest value of `expr`
    for (const Affine::IndexTerm &term : subscript.getIndexTerms()) {
      expr = expr + getAffineDimExpr(term.id.value, context) * term.coefficient;
      extent = extent + (statement.indices[term.id.value].extent - Affine(1)) *
                            term.coefficient;
    }
    isNothing |= isOutside(offset, extent, dim);
    // The stride of a lone index is the slice's: an operand that is read at
    // lone indices can be contracted.
    int64_t stride = 1;
    if (subscript.getIndexTerms().size() == 1) {
      const Affine::IndexTerm &term = subscript.getIndexTerms()[0];
      const Index &index = statement.indices[term.id.value];
      stride = term.coefficient;
      expr = getAffineDimExpr(term.id.value, context);
      extent = index.extent;
      // A lone index has the dim's extent, unless a `where` gives it another.
      isWhole &= !index.isGiven || extent == dim;
    }
    bool isFixed = subscript.getIndexTerms().empty();
    isWhole &= offset == Affine(0) && stride == 1 && !isFixed;
    offsets.push_back(offset);
    extents.push_back(extent);
    strides.push_back(b.getIndexAttr(stride));
    if (isFixed)
      continue;
    exprs.push_back(expr);
    shape.push_back(extent);
  }
  if (isNothing && !isWhole) {
    value = createTensor(shape, tensor.type);
  } else if (!isWhole) {
    auto type =
        RankedTensorType::get(getShape(shape), getStorageType(b, tensor.type));
    value = tensor::ExtractSliceOp::create(b, type, value, emitSizes(offsets),
                                           emitSizes(extents), strides);
  }
  return {value, AffineMap::get(numLoops, 0, exprs, context)};
}

/// The element, read in the body of a generic from the values of its indices.
/// The value of something linear in indices and sizes, inside a body.
Value DefEmitter::emitAffine(OpBuilder &body, Location loc,
                             const Affine &value) {
  MLIRContext *context = body.getContext();
  AffineExpr expr = toAffineExpr(def, value, symbolPositions, context);
  SmallVector<OpFoldResult> operands;
  for (const Affine::IndexTerm &term : value.getIndexTerms()) {
    expr = expr + getAffineDimExpr(operands.size(), context) * term.coefficient;
    operands.push_back(
        linalg::IndexOp::create(body, loc, term.id.value).getResult());
  }
  AffineMap map = AffineMap::get(operands.size(), symbolValues.size(), expr);
  llvm::append_range(operands, getAsOpFoldResult(symbolValues));
  return getValueOrCreateConstantIndexOp(
      body, loc,
      affine::makeComposedFoldedAffineApply(body, loc, map, operands));
}

Value DefEmitter::emitExtract(OpBuilder &body, Location loc,
                              const Expr &access) {
  SmallVector<Value> subscripts;
  for (const Affine &subscript : access.subscripts)
    subscripts.push_back(emitAffine(body, loc, subscript));
  return tensor::ExtractOp::create(body, loc, values[access.tensor.value],
                                   subscripts);
}

/// A gather's subscripts, brought inside of the tensor where it has elements,
/// and whether all of them were.
SmallVector<Value> DefEmitter::emitPlaces(ImplicitLocOpBuilder &body,
                                          const Expr &gather,
                                          const BodyInputs &inputs,
                                          Value &isInside) {
  const Tensor &tensor = def[gather.tensor];
  isInside = arith::ConstantOp::create(body, body.getBoolAttr(true));
  SmallVector<Value> places;
  for (auto [id, dim] : llvm::zip_equal(gather.places, tensor.dims)) {
    const Expr &place = def[id];
    bool isKnown =
        place.kind == ExprKind::Position && gather.outside == Outside::Checked;
    if (isKnown) {
      places.push_back(
          emitAffine(body, body.getLoc(), place.subscripts.front()));
      continue;
    }
    ElementType type =
        place.type == ElementType::U64 ? place.type : ElementType::Index;
    Value value = emitExpr(body, id, type, inputs);
    Value extent = arith::IndexCastOp::create(
        body, body.getI64Type(), emitAffine(body, body.getLoc(), dim));
    // What is negative is large without a sign.
    if (!checksGathers && numGuards == 0 &&
        gather.outside == Outside::Checked) {
      places.push_back(
          arith::IndexCastOp::create(body, body.getIndexType(), value));
      continue;
    }
    Value isBelow =
        arith::CmpIOp::create(body, arith::CmpIPredicate::ult, value, extent);
    Value zero = emitInteger(body, type, 0);
    if (gather.outside == Outside::Clamped) {
      Value last =
          arith::SubIOp::create(body, extent, emitInteger(body, type, 1));
      value = emitBinary(body, BinaryFn::Min, value, last, type);
      value = emitBinary(body, BinaryFn::Max, value, zero, type);
    } else {
      value = arith::SelectOp::create(body, isBelow, value, zero);
      isInside = arith::AndIOp::create(body, isInside, isBelow);
    }
    places.push_back(
        arith::IndexCastOp::create(body, body.getIndexType(), value));
  }
  return places;
}

/// The element, or another value where there is none.
Value DefEmitter::emitGather(ImplicitLocOpBuilder &body, const Expr &gather,
                             const BodyInputs &inputs) {
  body.setLoc(getLoc(gather.range));
  const Tensor &tensor = def[gather.tensor];
  Value isInside;
  SmallVector<Value> places = emitPlaces(body, gather, inputs, isInside);
  Value otherwise;
  if (gather.outside == Outside::Padded)
    otherwise = emitExpr(body, gather.lhs, gather.type, inputs);
  Value source = values[gather.tensor.value];
  auto emitElement = [&](OpBuilder &builder, Location loc) {
    ImplicitLocOpBuilder inner(loc, builder);
    return emitLoaded(inner, tensor::ExtractOp::create(inner, source, places),
                      gather.type);
  };
  bool hasElements = llvm::all_of(tensor.dims, [](const Affine &dim) {
    return dim.isConstant() && dim.getConstant() > 0;
  });
  bool isUnchecked =
      !checksGathers && numGuards == 0 && gather.outside == Outside::Checked;
  if (gather.outside == Outside::Clamped || isUnchecked)
    return emitElement(body, body.getLoc());
  if (hasElements) {
    Value element = emitElement(body, body.getLoc());
    return otherwise
               ? arith::SelectOp::create(body, isInside, element, otherwise)
                     .getResult()
               : element;
  }
  if (!otherwise)
    otherwise = emitLoaded(
        body, emitIdentity(body, UpdateKind::Add, gather.type), gather.type);
  auto yieldElement = [&](OpBuilder &builder, Location loc) {
    scf::YieldOp::create(builder, loc, emitElement(builder, loc));
  };
  auto yieldOther = [&](OpBuilder &builder, Location loc) {
    scf::YieldOp::create(builder, loc, otherwise);
  };
  return scf::IfOp::create(body, isInside, yieldElement, yieldOther)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void DefEmitter::collectAccesses(ExprId id, SmallVectorImpl<ExprId> &accesses) {
  const Expr &expr = def[id];
  if (expr.kind == ExprKind::Access)
    accesses.push_back(id);
  for (ExprId operand : expr.getOperands())
    collectAccesses(operand, accesses);
}

/// The operands of an op over all of the statement's indices that evaluates
/// `roots`, and whose output has the first `numOutputDims` of them: accesses
/// that fit, then what the loops' extents need.
BodyInputs DefEmitter::emitInputs(const Statement &statement,
                                  ArrayRef<ExprId> roots,
                                  unsigned numOutputDims) {
  unsigned numLoops = statement.indices.size();
  BodyInputs result;
  for (ExprId root : roots)
    collectAccesses(root, result.accesses);
  llvm::SmallBitVector hasExtent(numLoops);
  hasExtent.set(0, numOutputDims);
  for (ExprId id : result.accesses) {
    const Expr &access = def[id];
    if (!fitsOperand(access))
      continue;
    Operand operand = emitOperand(statement, access);
    if (!isa<RankedTensorType>(operand.tensor.getType())) {
      result.leaves[id.value] = operand.tensor;
      continue;
    }
    for (AffineExpr expr : operand.map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        hasExtent.set(dim.getPosition());
    result.argumentOf[id.value] = result.inputs.size();
    result.inputs.push_back(operand.tensor);
    result.maps.push_back(operand.map);
  }
  if (statement.namedOp && statement.namedOp->isPooling()) {
    // Upstream's window is one operand, too.
    std::vector<Affine> window;
    SmallVector<AffineExpr> exprs;
    for (unsigned d = 0; d < numLoops; ++d) {
      if (hasExtent.test(d))
        continue;
      window.push_back(statement.indices[d].extent);
      exprs.push_back(getAffineDimExpr(d, b.getContext()));
    }
    result.inputs.push_back(createTensor(window, statement.computeType));
    result.maps.push_back(AffineMap::get(numLoops, 0, exprs, b.getContext()));
    return result;
  }
  for (unsigned d = 0; d < numLoops; ++d) {
    if (hasExtent.test(d))
      continue;
    result.inputs.push_back(
        createTensor(statement.indices[d].extent, statement.computeType));
    result.maps.push_back(AffineMap::get(
        numLoops, 0, getAffineDimExpr(d, b.getContext()), b.getContext()));
  }
  return result;
}

void DefEmitter::emitLeaves(ImplicitLocOpBuilder &body, BodyInputs &inputs,
                            ValueRange arguments) {
  for (ExprId id : inputs.accesses) {
    if (auto it = inputs.argumentOf.find(id.value);
        it != inputs.argumentOf.end())
      inputs.leaves[id.value] = arguments[it->second];
    else if (!inputs.leaves.count(id.value))
      inputs.leaves[id.value] = emitExtract(body, body.getLoc(), def[id]);
  }
}

Value DefEmitter::emitExpr(ImplicitLocOpBuilder &body, ExprId id,
                           const BodyInputs &inputs) {
  const Expr &expr = def[id];
  Location loc = getLoc(expr.range);
  switch (expr.kind) {
  case ExprKind::Literal:
    return emitLiteral(body, expr);
  case ExprKind::Access:
    return emitLoaded(body, inputs.leaves.lookup(id.value), expr.type);
  case ExprKind::Gather:
    return emitGather(body, expr, inputs);
  case ExprKind::Position:
    body.setLoc(loc);
    return arith::IndexCastOp::create(
        body, body.getI64Type(),
        emitAffine(body, loc, expr.subscripts.front()));
  case ExprKind::Select: {
    Value condition = emitExpr(body, expr.condition, ElementType::Bool, inputs);
    ++numGuards;
    Value lhs = emitExpr(body, expr.lhs, expr.type, inputs);
    Value rhs = emitExpr(body, expr.rhs, expr.type, inputs);
    --numGuards;
    body.setLoc(loc);
    return arith::SelectOp::create(body, condition, lhs, rhs);
  }
  case ExprKind::Cast: {
    Value operand = emitExpr(body, expr.lhs, inputs);
    body.setLoc(loc);
    auto [from, to] = getConversion(expr, def[expr.lhs].type);
    return emitConversion(body, operand, from, to);
  }
  case ExprKind::Unary: {
    ElementType type = def.getOperandType(expr);
    Value operand = emitExpr(body, expr.lhs, type, inputs);
    body.setLoc(loc);
    return emitUnary(body, expr.unary, operand, type);
  }
  case ExprKind::Binary: {
    ElementType type = def.getOperandType(expr);
    Value lhs = emitExpr(body, expr.lhs, type, inputs);
    numGuards += isLogical(expr.binary);
    Value rhs = emitExpr(body, expr.rhs, type, inputs);
    numGuards -= isLogical(expr.binary);
    body.setLoc(loc);
    return emitBinary(body, expr.binary, lhs, rhs, type);
  }
  }
  llvm_unreachable("unknown expression");
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
                    bool checksGathers) {
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
  function->setAttr(kSignatureAttr, signature.toAttr(b.getContext()));
  for (unsigned i = 0, e = results.size(); i < e; ++i)
    function.setArgAttr(def.params.size() + i,
                        bufferization::BufferizationDialect::kWritableAttrName,
                        b.getBoolAttr(true));
  DefEmitter(def, function, sources, checksGathers).run();
}

OwningOpRef<ModuleOp> emitMLIR(const Program &program, MLIRContext *context,
                               const Sources &sources, bool checksGathers) {
  context->loadDialect<EinDialect, affine::AffineDialect, arith::ArithDialect,
                       bufferization::BufferizationDialect,
                       complex::ComplexDialect, func::FuncDialect,
                       linalg::LinalgDialect, math::MathDialect,
                       scf::SCFDialect, tensor::TensorDialect>();
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(FileLineColLoc::get(context, sources.getName(), 1, 1));
  for (const Def &def : program.defs)
    emitDef(def, *module, sources, checksGathers);
  return module;
}

} // namespace ein
