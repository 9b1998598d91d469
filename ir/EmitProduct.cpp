//===- EmitProduct.cpp - Products that have an order ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of which an order is chosen is one op, `ein.einsum`, or
// `ein.product` with sums of indices as subscripts and with conditions. Its
// factors are operands: what is not an access that can be one is computed
// before, for its own indices. So is a condition.
//
//===----------------------------------------------------------------------===//

#include "ir/DefEmitter.h"
#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "ir/LeadingDims.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace ein {

/// Takes dims out that are subscripted with no index; there is one element of
/// each in the slice.
void DefEmitter::dropConstantDims(Operand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.tensor.getType());
  auto isKept = [](AffineExpr expr) { return !isa<AffineConstantExpr>(expr); };
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

/// Cuts dims that are subscripted with sums to the values that these have, none
/// if there are no points: such a dim may become a loop of its own.
void DefEmitter::trimSums(const Statement &statement, Operand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.tensor.getType());
  auto isSum = [](AffineExpr expr) { return !isa<AffineDimExpr>(expr); };
  if (!type || llvm::none_of(operand.map.getResults(), isSum))
    return;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), operand.tensor);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, expr] : llvm::enumerate(operand.map.getResults())) {
    if (!isSum(expr))
      continue;
    Affine span(1);
    SmallVector<Affine> extents;
    SmallVector<DimTerm, 2> terms = *getDimTerms(expr);
    for (DimTerm term : terms) {
      extents.push_back(statement.indices[term.dim].extent);
      span = span + (extents.back() - Affine(1)) * term.coefficient;
    }
    Value size = getValueOrCreateConstantIndexOp(b, b.getLoc(), emitSize(span));
    Value zero = arith::ConstantIndexOp::create(b, 0);
    for (const Affine &extent : extents) {
      if (extent.isConstant()) // and not zero: there are points
        continue;
      Value value =
          getValueOrCreateConstantIndexOp(b, b.getLoc(), emitSize(extent));
      Value isNone =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value, zero);
      size = arith::SelectOp::create(b, isNone, zero, size);
    }
    sizes[dim] = getAsOpFoldResult(size);
    shape[dim] = span.isConstant() ? span.getConstant() : ShapedType::kDynamic;
  }
  auto part = RankedTensorType::get(shape, type.getElementType());
  if (part == type && type.hasStaticShape())
    return;
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  operand.tensor = tensor::ExtractSliceOp::create(b, part, operand.tensor,
                                                  offsets, sizes, strides);
}

/// The expression's values in `type`, by the indices that it depends on.
Operand DefEmitter::emitComputed(const Statement &statement, ExprId id,
                                 ElementType type) {
  unsigned numIndices = statement.indices.size();
  SmallVector<unsigned> dims(def.getIndices(statement, id).set_bits());
  SmallVector<Affine> extents;
  SmallVector<std::string> names;
  SmallVector<AffineExpr> own, loops(numIndices, b.getAffineConstantExpr(0));
  loopNumbers.assign(numIndices, 0);
  for (auto [loop, dim] : llvm::enumerate(dims)) {
    extents.push_back(statement.indices[dim].extent);
    names.push_back(statement.indices[dim].name);
    own.push_back(b.getAffineDimExpr(dim));
    loops[dim] = b.getAffineDimExpr(loop);
    loopNumbers[dim] = loop;
  }
  AffineMap map = AffineMap::get(numIndices, 0, own, b.getContext());
  // Points that a condition leaves out are computed as well.
  llvm::SaveAndRestore guards(numGuards,
                              numGuards + statement.condition.isValid());
  BodyInputs inputs =
      emitInputs(statement, id, llvm::SmallBitVector(numIndices, /*t=*/true));
  Location statementLoc = b.getLoc();
  b.setLoc(withIndexNames(getLoc(def[id].range), names));
  Value init = createTensor(extents, type);
  SmallVector<AffineMap> maps;
  for (AffineMap input : inputs.maps)
    maps.push_back(input.replaceDimsAndSymbols(loops, {}, dims.size(), 0));
  maps.push_back(b.getMultiDimIdentityMap(dims.size()));
  SmallVector<utils::IteratorType> iterators(dims.size(),
                                             utils::IteratorType::parallel);
  auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    ImplicitLocOpBuilder body(loc, builder);
    emitLeaves(body, inputs, arguments);
    Value value = emitExpr(body, id, type, inputs);
    linalg::YieldOp::create(body, emitStored(body, value, type));
  };
  Value result =
      linalg::GenericOp::create(b, TypeRange(init.getType()), inputs.inputs,
                                init, maps, iterators, build)
          .getResult(0);
  loopNumbers.clear();
  b.setLoc(statementLoc);
  return {result, map};
}

Operand DefEmitter::emitFactor(const Statement &statement,
                               const ProductFactor &factor) {
  const Expr &expr = def[factor.access];
  ElementType from = expr.type, to = statement.computeType;
  Operand operand;
  if (def.isForwardAccess(factor.access)) {
    operand = emitOperand(statement, expr);
    dropConstantDims(operand);
    trimSums(statement, operand);
  } else {
    operand = emitComputed(statement, factor.access, to);
    from = to;
  }
  if (!isa<RankedTensorType>(operand.tensor.getType()))
    operand.tensor = tensor::FromElementsOp::create(
        b, RankedTensorType::get({}, operand.tensor.getType()), operand.tensor);
  bool conjugates = factor.isConjugated && isComplex(from);
  if (conjugates || !widensInPlace(from, to)) {
    Value converted = tensor::EmptyOp::create(
        b, tensor::getMixedSizes(b, b.getLoc(), operand.tensor),
        getStorageType(b, to));
    operand.tensor =
        convertTensor(operand.tensor, from, to, converted, conjugates);
  }
  return operand;
}

Value DefEmitter::emitProduct(const Statement &statement,
                              const Product &product, Value init) {
  SmallVector<Value> inputs, conditions;
  SmallVector<AffineMap> maps;
  for (const ProductFactor &factor : product.factors) {
    Operand operand = emitFactor(statement, factor);
    inputs.push_back(operand.tensor);
    maps.push_back(operand.map);
  }
  for (ExprId condition : product.conditions) {
    Operand operand = emitComputed(statement, condition, ElementType::Bool);
    conditions.push_back(operand.tensor);
    maps.push_back(operand.map);
  }
  maps.push_back(getLeadingDims(statement.indices.size(),
                                statement.targetIndices.size(),
                                b.getContext()));
  SmallVector<Attribute> groups;
  for (const std::vector<unsigned> &group :
       statement.order.empty() ? statement.groups : statement.order)
    groups.push_back(b.getDenseI64ArrayAttr(
        SmallVector<int64_t>(group.begin(), group.end())));
  ArrayAttr path = groups.empty() ? ArrayAttr() : b.getArrayAttr(groups);
  SmallVector<Attribute> pairs;
  for (auto [lhs, rhs] : statement.shared)
    pairs.push_back(b.getDenseI64ArrayAttr({lhs, rhs}));
  ArrayAttr shared = pairs.empty() ? ArrayAttr() : b.getArrayAttr(pairs);
  if (product.isEinsum)
    return EinsumOp::create(b, init.getType(), inputs, init,
                            b.getAffineMapArrayAttr(maps), path, shared);
  SmallVector<Value> dynamicExtents;
  SmallVector<int64_t> staticExtents;
  SmallVector<Affine> extents;
  for (const Index &index : statement.indices)
    extents.push_back(index.extent);
  dispatchIndexOpFoldResults(emitSizes(extents), dynamicExtents, staticExtents);
  return ProductOp::create(b, init.getType(), inputs, conditions, init,
                           dynamicExtents, b.getAffineMapArrayAttr(maps),
                           b.getDenseI64ArrayAttr(staticExtents), path);
}

} // namespace ein
