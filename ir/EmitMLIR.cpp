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
//  * `A(i + 1, j + N)` is an operand with the map of `A(i, j)`, on a slice of A
//    that starts at [1, N];
//  * `A(N - 1 - i)`   is a `tensor.extract` in the body, from indices.
//
// linalg finds the extents of its loops in its operands. An index that never
// stands alone in any access (the window of a pooling) brings an operand of its
// own, an empty tensor of the right extent, as upstream's pooling ops do.
//
//===----------------------------------------------------------------------===//

#include "ir/EmitMLIR.h"
#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "ir/LeadingDims.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <limits>

using namespace mlir;

namespace ein {

static Type getElementType(Builder &b, ElementType type) {
  switch (type) {
  case ElementType::F32:
    return b.getF32Type();
  case ElementType::F64:
    return b.getF64Type();
  }
  llvm_unreachable("an element type without an MLIR type");
}

namespace {

/// One access of a statement, in the form that a structured op can take.
struct Operand {
  Value tensor;  // sliced if need be; a scalar for a rank-0 input
  AffineMap map; // over the statement's indices
};

class DefEmitter {
public:
  DefEmitter(const Def &def, func::FuncOp function, LocateFn locate,
             StringRef fileName)
      : def(def), function(function),
        b(function.getLoc(), function.getContext()), locate(locate),
        fileName(b.getStringAttr(fileName)),
        symbolPositions(getSymbolPositions(def)), values(def.tensors.size()) {}

  void run();

private:
  // Sizes.
  OpFoldResult emitSize(const Affine &affine);
  SmallVector<OpFoldResult> emitSizes(ArrayRef<Affine> affines);
  Type getElementType(ElementType type) { return ein::getElementType(b, type); }

  // Statements.
  void emitStatement(const Statement &statement);
  Value emitInit(const Statement &statement);
  bool isEinsum(const Statement &statement, ArrayRef<ExprId> factors);
  Value emitEinsum(const Statement &statement, ArrayRef<ExprId> factors,
                   Value init);
  Value emitGeneric(const Statement &statement, Value init);

  // Accesses.
  bool fitsOperand(const Expr &access);
  Operand emitOperand(const Statement &statement, const Expr &access);
  Value emitExtract(OpBuilder &body, Location loc, const Expr &access);

  // Bodies.
  void collectAccesses(ExprId id, SmallVectorImpl<ExprId> &accesses);
  Value emitExpr(ImplicitLocOpBuilder &body, const Statement &statement,
                 ExprId id, const llvm::SmallDenseMap<int32_t, Value> &leaves);
  Value emitBinary(ImplicitLocOpBuilder &body, BinaryFn fn, Value lhs,
                   Value rhs);
  Value widen(ImplicitLocOpBuilder &body, Value value, ElementType type);

  Location getLoc(SourceRange range) {
    auto [line, column] = locate(range.begin);
    return FileLineColLoc::get(fileName, line, column);
  }

  const Def &def;
  func::FuncOp function;
  ImplicitLocOpBuilder b;
  LocateFn locate;
  StringAttr fileName;
  SmallVector<unsigned> symbolPositions;
  /// The unbound symbols' values: the function's trailing arguments.
  SmallVector<Value> symbolValues;
  /// Per tensor, its value after the statements so far; null before the first.
  SmallVector<Value> values;
  /// Per result, the argument that is its destination.
  llvm::SmallDenseMap<int32_t, Value> destinations;
};

} // namespace

/// Sums may be reassociated and contracted to FMA; NaN, infinity and signed
/// zero stay what they are.
static constexpr arith::FastMathFlags kSumFlags =
    arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

OpFoldResult DefEmitter::emitSize(const Affine &affine) {
  AffineExpr expr = toAffineExpr(affine, symbolPositions, b.getContext());
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
  for (unsigned e = entry->getNumArguments(); next < e; ++next)
    symbolValues.push_back(entry->getArgument(next));

  for (const Statement &statement : def.statements)
    emitStatement(statement);

  SmallVector<Value> results;
  for (TensorId id : def.results)
    results.push_back(values[id.value]);
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

void DefEmitter::emitStatement(const Statement &statement) {
  SmallVector<std::string> names;
  for (const Index &index : statement.indices)
    names.push_back(index.name);
  b.setLoc(withIndexNames(getLoc(statement.range), names));
  Value init = emitInit(statement);
  if (isEmpty(statement)) {
    values[statement.target.value] = init;
    return;
  }
  std::optional<std::vector<ExprId>> factors = def.getProductFactors(statement);
  values[statement.target.value] = factors && isEinsum(statement, *factors)
                                       ? emitEinsum(statement, *factors, init)
                                       : emitGeneric(statement, init);
}

static TypedAttr getIdentity(OpBuilder &b, UpdateKind update, Type type) {
  double infinity = std::numeric_limits<double>::infinity();
  switch (update) {
  case UpdateKind::Assign:
  case UpdateKind::Add:
    return b.getFloatAttr(type, 0.0);
  case UpdateKind::Mul:
    return b.getFloatAttr(type, 1.0);
  case UpdateKind::Max:
    return b.getFloatAttr(type, -infinity);
  case UpdateKind::Min:
    return b.getFloatAttr(type, infinity);
  }
  llvm_unreachable("unknown update");
}

/// What the statement starts from: the target's value so far, or its
/// destination filled with the identity; for an assignment the destination as
/// it is, unless the statement is emitted as a sum.
Value DefEmitter::emitInit(const Statement &statement) {
  if (statement.update != UpdateKind::Assign && !statement.fromIdentity)
    return values[statement.target.value];

  const Tensor &target = def[statement.target];
  Type elementType = getElementType(target.type);
  Value destination = destinations.lookup(statement.target.value);
  if (!destination)
    destination =
        tensor::EmptyOp::create(b, emitSizes(target.dims), elementType);
  std::optional<std::vector<ExprId>> factors = def.getProductFactors(statement);
  if (statement.update == UpdateKind::Assign &&
      !(factors && isEinsum(statement, *factors)))
    return destination;
  Value identity = arith::ConstantOp::create(
      b, getIdentity(b, statement.update, elementType));
  return linalg::FillOp::create(b, identity, destination).getResult(0);
}

/// Whether every factor is an access at lone indices, up to constant offsets.
bool DefEmitter::isEinsum(const Statement &statement,
                          ArrayRef<ExprId> factors) {
  auto isLoneIndex = [](const Affine &subscript) {
    return subscript.getIndexTerms().size() == 1 &&
           subscript.getIndexTerms()[0].coefficient == 1;
  };
  return llvm::all_of(factors, [&](ExprId id) {
    return llvm::all_of(def[id].subscripts, isLoneIndex);
  });
}

Value DefEmitter::emitEinsum(const Statement &statement,
                             ArrayRef<ExprId> factors, Value init) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (ExprId id : factors) {
    Operand operand = emitOperand(statement, def[id]);
    if (!isa<RankedTensorType>(operand.tensor.getType()))
      operand.tensor = tensor::FromElementsOp::create(
          b, RankedTensorType::get({}, operand.tensor.getType()),
          operand.tensor);
    inputs.push_back(operand.tensor);
    maps.push_back(operand.map);
  }
  maps.push_back(getLeadingDims(statement.indices.size(),
                                statement.targetIndices.size(),
                                b.getContext()));
  return EinsumOp::create(b, init.getType(), inputs, init,
                          b.getAffineMapArrayAttr(maps));
}

Value DefEmitter::emitGeneric(const Statement &statement, Value init) {
  MLIRContext *context = b.getContext();
  unsigned numLoops = statement.indices.size();
  SmallVector<ExprId> accesses;
  collectAccesses(statement.value, accesses);

  // Operands: the accesses that fit, then what the loops' extents need.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::SmallDenseMap<int32_t, unsigned> argumentOf;
  llvm::SmallDenseMap<int32_t, Value> leaves;
  llvm::SmallBitVector hasExtent(numLoops);
  for (unsigned d = 0, e = statement.targetIndices.size(); d < e; ++d)
    hasExtent.set(d);
  for (ExprId id : accesses) {
    const Expr &access = def[id];
    if (!fitsOperand(access))
      continue;
    Operand operand = emitOperand(statement, access);
    if (!isa<RankedTensorType>(operand.tensor.getType())) {
      leaves[id.value] = operand.tensor;
      continue;
    }
    for (AffineExpr expr : operand.map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        hasExtent.set(dim.getPosition());
    argumentOf[id.value] = inputs.size();
    inputs.push_back(operand.tensor);
    maps.push_back(operand.map);
  }
  for (unsigned d = 0; d < numLoops; ++d) {
    if (hasExtent.test(d))
      continue;
    inputs.push_back(
        tensor::EmptyOp::create(b, emitSizes(statement.indices[d].extent),
                                getElementType(statement.computeType)));
    maps.push_back(AffineMap::get(numLoops, 0, getAffineDimExpr(d, context)));
  }
  maps.push_back(
      getLeadingDims(numLoops, statement.targetIndices.size(), context));

  auto iterators = llvm::map_to_vector(statement.indices, [](const Index &i) {
    return i.isReduction ? utils::IteratorType::reduction
                         : utils::IteratorType::parallel;
  });
  auto buildBody = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    ImplicitLocOpBuilder body(loc, builder);
    for (ExprId id : accesses) {
      if (auto it = argumentOf.find(id.value); it != argumentOf.end())
        leaves[id.value] = arguments[it->second];
      else if (!leaves.count(id.value))
        leaves[id.value] = emitExtract(body, loc, def[id]);
    }
    Value value = emitExpr(body, statement, statement.value, leaves);
    switch (statement.update) {
    case UpdateKind::Assign:
      break;
    case UpdateKind::Add:
      value = emitBinary(body, BinaryFn::Add, arguments.back(), value);
      break;
    case UpdateKind::Mul:
      value = emitBinary(body, BinaryFn::Mul, arguments.back(), value);
      break;
    case UpdateKind::Max:
      value = emitBinary(body, BinaryFn::Max, arguments.back(), value);
      break;
    case UpdateKind::Min:
      value = emitBinary(body, BinaryFn::Min, arguments.back(), value);
      break;
    }
    linalg::YieldOp::create(body, value);
  };
  return linalg::GenericOp::create(b, TypeRange(init.getType()), inputs, init,
                                   maps, iterators, buildBody)
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

Operand DefEmitter::emitOperand(const Statement &statement,
                                const Expr &access) {
  MLIRContext *context = b.getContext();
  unsigned numLoops = statement.indices.size();
  const Tensor &tensor = def[access.tensor];
  Value value = values[access.tensor.value];

  SmallVector<AffineExpr> exprs;
  SmallVector<Affine> offsets, extents;
  bool isWhole = true, isNothing = false;
  for (auto [subscript, dim] :
       llvm::zip_equal(access.subscripts, tensor.dims)) {
    AffineExpr expr = getAffineConstantExpr(0, context);
    Affine offset = subscript;
    Affine extent(1); // of the slice: one past the largest value of `expr`
    for (const Affine::IndexTerm &term : subscript.getIndexTerms()) {
      expr = expr + getAffineDimExpr(term.id.value, context) * term.coefficient;
      offset = offset - Affine(term.id) * term.coefficient;
      extent = extent + (statement.indices[term.id.value].extent - Affine(1)) *
                            term.coefficient;
    }
    isWhole &= offset == Affine(0);
    isNothing |= isOutside(offset, extent, dim);
    exprs.push_back(expr);
    offsets.push_back(offset);
    extents.push_back(extent);
  }
  if (isNothing && !isWhole) {
    value = tensor::EmptyOp::create(b, emitSizes(extents),
                                    getElementType(tensor.type));
  } else if (!isWhole) {
    SmallVector<OpFoldResult> strides(exprs.size(), b.getIndexAttr(1));
    value = tensor::ExtractSliceOp::create(b, value, emitSizes(offsets),
                                           emitSizes(extents), strides);
  }
  return {value, AffineMap::get(numLoops, 0, exprs, context)};
}

/// The element, read in the body of a generic from the values of its indices.
Value DefEmitter::emitExtract(OpBuilder &body, Location loc,
                              const Expr &access) {
  MLIRContext *context = body.getContext();
  SmallVector<Value> subscripts;
  for (const Affine &subscript : access.subscripts) {
    AffineExpr expr = toAffineExpr(subscript, symbolPositions, context);
    SmallVector<OpFoldResult> operands;
    for (const Affine::IndexTerm &term : subscript.getIndexTerms()) {
      expr =
          expr + getAffineDimExpr(operands.size(), context) * term.coefficient;
      operands.push_back(
          linalg::IndexOp::create(body, loc, term.id.value).getResult());
    }
    AffineMap map = AffineMap::get(operands.size(), symbolValues.size(), expr);
    llvm::append_range(operands, getAsOpFoldResult(symbolValues));
    subscripts.push_back(getValueOrCreateConstantIndexOp(
        body, loc,
        affine::makeComposedFoldedAffineApply(body, loc, map, operands)));
  }
  return tensor::ExtractOp::create(body, loc, values[access.tensor.value],
                                   subscripts);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void DefEmitter::collectAccesses(ExprId id, SmallVectorImpl<ExprId> &accesses) {
  const Expr &expr = def[id];
  if (expr.kind == ExprKind::Access)
    accesses.push_back(id);
  if (expr.lhs.isValid())
    collectAccesses(expr.lhs, accesses);
  if (expr.rhs.isValid())
    collectAccesses(expr.rhs, accesses);
}

Value DefEmitter::widen(ImplicitLocOpBuilder &body, Value value,
                        ElementType type) {
  Type wanted = getElementType(type);
  return value.getType() == wanted ? value
                                   : arith::ExtFOp::create(body, wanted, value);
}

Value DefEmitter::emitBinary(ImplicitLocOpBuilder &body, BinaryFn fn, Value lhs,
                             Value rhs) {
  switch (fn) {
  case BinaryFn::Add:
    return arith::AddFOp::create(body, lhs, rhs, kSumFlags);
  case BinaryFn::Sub:
    return arith::SubFOp::create(body, lhs, rhs,
                                 arith::FastMathFlags::contract);
  case BinaryFn::Mul:
    return arith::MulFOp::create(body, lhs, rhs,
                                 arith::FastMathFlags::contract);
  case BinaryFn::Div:
    return arith::DivFOp::create(body, lhs, rhs);
  case BinaryFn::Max:
    return arith::MaximumFOp::create(body, lhs, rhs);
  case BinaryFn::Min:
    return arith::MinimumFOp::create(body, lhs, rhs);
  }
  llvm_unreachable("a binary function without an op");
}

static Value emitUnary(ImplicitLocOpBuilder &body, UnaryFn fn, Value operand) {
  switch (fn) {
  case UnaryFn::Neg:
    return arith::NegFOp::create(body, operand);
  case UnaryFn::Exp:
    return math::ExpOp::create(body, operand);
  case UnaryFn::Log:
    return math::LogOp::create(body, operand);
  case UnaryFn::Sqrt:
    return math::SqrtOp::create(body, operand);
  case UnaryFn::Abs:
    return math::AbsFOp::create(body, operand);
  case UnaryFn::Tanh:
    return math::TanhOp::create(body, operand);
  }
  llvm_unreachable("a unary function without an op");
}

Value DefEmitter::emitExpr(ImplicitLocOpBuilder &body,
                           const Statement &statement, ExprId id,
                           const llvm::SmallDenseMap<int32_t, Value> &leaves) {
  const Expr &expr = def[id];
  Location loc = getLoc(expr.range);
  switch (expr.kind) {
  case ExprKind::Literal:
    return arith::ConstantOp::create(
        body,
        body.getFloatAttr(getElementType(statement.computeType), expr.literal));
  case ExprKind::Access:
    return widen(body, leaves.lookup(id.value), statement.computeType);
  case ExprKind::Unary: {
    Value operand = emitExpr(body, statement, expr.lhs, leaves);
    body.setLoc(loc);
    return emitUnary(body, expr.unary, operand);
  }
  case ExprKind::Binary: {
    Value lhs = emitExpr(body, statement, expr.lhs, leaves);
    Value rhs = emitExpr(body, statement, expr.rhs, leaves);
    body.setLoc(loc);
    return emitBinary(body, expr.binary, lhs, rhs);
  }
  }
  llvm_unreachable("unknown expression");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static Type getTensorType(OpBuilder &b, const Tensor &tensor) {
  Type elementType = getElementType(b, tensor.type);
  if (tensor.isScalarInput())
    return elementType;
  SmallVector<int64_t> shape;
  for (const Affine &dim : tensor.dims)
    shape.push_back(dim.isConstant() ? dim.getConstant()
                                     : ShapedType::kDynamic);
  return RankedTensorType::get(shape, elementType);
}

static void emitDef(const Def &def, ModuleOp module, StringRef fileName,
                    LocateFn locate) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> arguments, results;
  for (TensorId id : def.params)
    arguments.push_back(getTensorType(b, def[id]));
  for (TensorId id : def.results)
    results.push_back(getTensorType(b, def[id]));
  llvm::append_range(arguments, results);
  Signature signature = makeSignature(def, b.getContext());
  arguments.append(signature.symbols.size(), b.getIndexType());

  auto [line, column] = locate(def.range.begin);
  Location loc = FileLineColLoc::get(b.getContext(), fileName, line, column);
  auto function = func::FuncOp::create(b, loc, def.name,
                                       b.getFunctionType(arguments, results));
  function->setAttr(kSignatureAttr, signature.toAttr(b.getContext()));
  for (unsigned i = 0, e = def.results.size(); i < e; ++i)
    function.setArgAttr(def.params.size() + i,
                        bufferization::BufferizationDialect::kWritableAttrName,
                        b.getBoolAttr(true));
  DefEmitter(def, function, locate, fileName).run();
}

OwningOpRef<ModuleOp> emitMLIR(const Program &program, MLIRContext *context,
                               StringRef fileName, LocateFn locate) {
  context->loadDialect<EinDialect, affine::AffineDialect, arith::ArithDialect,
                       bufferization::BufferizationDialect, func::FuncDialect,
                       linalg::LinalgDialect, math::MathDialect,
                       tensor::TensorDialect>();
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(FileLineColLoc::get(context, fileName, 1, 1));
  for (const Def &def : program.defs)
    emitDef(def, *module, fileName, locate);
  return module;
}

} // namespace ein
