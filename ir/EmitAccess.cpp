//===- EmitAccess.cpp - What a statement reads
//-----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access is an operand with a map, an operand on a slice, or an element that
// the body extracts; EmitMLIR.cpp says when. A gather extracts where its
// subscripts say, and what checks them looks before the statement does.
//
//===----------------------------------------------------------------------===//

#include "abi/Codes.h"
#include "ir/DefEmitter.h"
#include "ir/LeadingDims.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace ein {

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
  Value value = getOperandValue(access.tensor);

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

bool DefEmitter::fitsPadded(const Expr &gather) {
  // With one index a subscript, the access is elementwise: the body chooses,
  // and no copy is made.
  if (gather.kind != ExprKind::Gather || gather.outside != Outside::Padded ||
      def[gather.lhs].kind != ExprKind::Literal ||
      gather.type == ElementType::Bool)
    return false;
  bool isWindow = false;
  for (ExprId id : gather.places) {
    const Expr &place = def[id];
    if (place.kind != ExprKind::Position)
      return false;
    auto terms = place.subscripts.front().getIndexTerms();
    if (llvm::any_of(terms, [](const Affine::IndexTerm &term) {
          return term.coefficient <= 0;
        }))
      return false;
    isWindow |= terms.size() > 1;
  }
  return isWindow;
}

/// The part of the tensor that the statement reads, from the least subscript to
/// the greatest, is put into a tensor of the other value.
Operand DefEmitter::emitPadded(const Statement &statement, const Expr &gather) {
  MLIRContext *context = b.getContext();
  Location loc = getLoc(gather.range);
  unsigned numLoops = statement.indices.size();
  const Tensor &tensor = def[gather.tensor];
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  AffineExpr zero = b.getAffineConstantExpr(0);
  auto getMin = [&](AffineExpr first, AffineExpr second,
                    ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(operands.size(), 0, {first, second}, context),
        operands);
  };
  auto getMax = [&](AffineExpr first, AffineExpr second,
                    ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineMax(
        b, loc, AffineMap::get(operands.size(), 0, {first, second}, context),
        operands);
  };

  SmallVector<AffineExpr> exprs;
  SmallVector<OpFoldResult> shape, from, to, sizes;
  SmallVector<OpFoldResult> ones(tensor.dims.size(), b.getIndexAttr(1));
  for (auto [id, dim] : llvm::zip_equal(gather.places, tensor.dims)) {
    const Affine &subscript = def[id].subscripts.front();
    AffineExpr expr = zero;
    Affine extent(1);
    for (const Affine::IndexTerm &term : subscript.getIndexTerms()) {
      expr = expr + getAffineDimExpr(term.id.value, context) * term.coefficient;
      extent = extent + (statement.indices[term.id.value].extent - Affine(1)) *
                            term.coefficient;
    }
    exprs.push_back(expr);
    // Without points it could be negative.
    OpFoldResult span = getMax(d0, zero, {emitSize(extent)});
    OpFoldResult offset = emitSize(subscript.withoutIndices());
    OpFoldResult end = emitSize(dim);
    OpFoldResult begin = getMin(d0, d1, {getMax(d0, zero, {offset}), end});
    OpFoldResult rest = getMin(
        d0, d1,
        {affine::makeComposedFoldedAffineApply(b, loc, d0 + d1, {offset, span}),
         end});
    shape.push_back(span);
    from.push_back(begin);
    sizes.push_back(getMax(d0 - d1, zero, {rest, begin}));
    to.push_back(
        getMin(d0, d1, {getMax(d0 - d1, zero, {begin, offset}), span}));
  }
  Value padding = emitExpr(b, gather.lhs, gather.type, BodyInputs());
  padding = emitStored(b, padding, tensor.type);
  Value result = tensor::EmptyOp::create(b, shape, padding.getType());
  result = linalg::FillOp::create(b, padding, result).getResult(0);
  bool isNothing = llvm::any_of(sizes, isZeroInteger);
  if (!isNothing) {
    Value part = tensor::ExtractSliceOp::create(
        b, getOperandValue(gather.tensor), from, sizes, ones);
    result = tensor::InsertSliceOp::create(b, part, result, to, sizes, ones);
  }
  return {result, AffineMap::get(numLoops, 0, exprs, context)};
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
    if (!loopValues.empty()) {
      operands.push_back(loopValues[term.id.value]);
      continue;
    }
    unsigned loop =
        loopNumbers.empty() ? term.id.value : loopNumbers[term.id.value];
    operands.push_back(linalg::IndexOp::create(body, loc, loop).getResult());
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
    bool isKnown = insidePlaces.contains(id.value) ||
                   (gather.outside == Outside::Checked &&
                    (def.isInside(id) || (!checksGathers && numGuards == 0)));
    if (isKnown && place.kind == ExprKind::Position) {
      places.push_back(
          emitAffine(body, body.getLoc(), place.subscripts.front()));
      continue;
    }
    ElementType type =
        place.type == ElementType::U64 ? place.type : ElementType::Index;
    Value value = emitExpr(body, id, type, inputs);
    if (isKnown) {
      places.push_back(
          arith::IndexCastOp::create(body, body.getIndexType(), value));
      continue;
    }
    Value extent = arith::IndexCastOp::create(
        body, body.getI64Type(), emitAffine(body, body.getLoc(), dim));
    // What is negative is large without a sign.
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
  bool isKnown = llvm::all_of(gather.places, [&](ExprId place) {
    return insidePlaces.contains(place.value);
  });
  if (gather.outside == Outside::Clamped || isUnchecked || isKnown)
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

} // namespace ein
