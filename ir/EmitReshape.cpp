//===- EmitReshape.cpp - A reshape as views
//--------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dims are split by `tensor.expand_shape` and merged by
// `tensor.collapse_shape`, which move nothing. What is written as parts of dims
// only to be merged into a result is written to that result's destination.
//
//===----------------------------------------------------------------------===//

#include "ir/DefEmitter.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace ein {

/// Dims as a type has them.
SmallVector<int64_t> getShape(ArrayRef<Affine> dims) {
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

} // namespace ein
