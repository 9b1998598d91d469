//===- VectorizeRest.cpp - The last, incomplete vector --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: behind the last complete vector of a row up to fifteen elements are
// left. Of functions that are thirty instructions each, scalar code for them
// costs as much as fifteen vectors; of a short row it is most of the time.
//
// Choice: one vector more, read and written under a mask; of plain arithmetic
// only where masks cost nothing (`masked`). Upstream vectorises tiles of
// dynamic size by `vector.mask` round each access, which bufferization and the
// hoisting of accumulators would have to look through. Here accesses may leave
// their memory instead, as those of register tiles at an edge do, and
// `ein-lower-contractions` makes masks of that.
//
// A complete vector of complex numbers is read and written by hand, too: it is
// one of their parts, which upstream has no vectorization for.
//
// Consequence: the elements that are not there are zeros, and go through the
// body. Floats do not mind; a division of integers would trap, so bodies with
// one stay scalar.
//
//===----------------------------------------------------------------------===//

#include "passes/vector/VectorizeRest.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/VectorBody.h"

using namespace mlir;

namespace ein {

/// Whether there are all elements of the vector.
static bool isComplete(linalg::GenericOp op, const Schedule &schedule) {
  return op.getStaticLoopRanges()[schedule.vectorDim] ==
         schedule.tile[schedule.vectorDim];
}

bool isRestVector(linalg::GenericOp op, const Schedule &schedule) {
  // Where the schedule says nothing of them, masks of narrow elements are
  // branches.
  constexpr unsigned kNarrowest = 32;
  bool canBeMasked = schedule.masked ||
                     (hasFormulas(op) && getNarrowestBits(op) >= kNarrowest);
  if (schedule.kind != Schedule::Vectorize || op.getNumDpsInits() != 1 ||
      schedule.tile[schedule.vectorDim] < 2 ||
      !(canBeMasked || isComplete(op, schedule)))
    return false;
  for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (int64_t(dim) != schedule.vectorDim && size != 1)
      return false;
  return canBeVectors(op);
}

namespace {
class RestVectorizer {
public:
  RestVectorizer(RewriterBase &rewriter, linalg::GenericOp op,
                 const Schedule &schedule)
      : b(op.getLoc(), rewriter), op(op), dim(schedule.vectorDim),
        lanes(schedule.tile[dim]), isWhole(isComplete(op, schedule)) {}

  Value create();

private:
  Value read(OpOperand *operand);

  ImplicitLocOpBuilder b;
  linalg::GenericOp op;
  int64_t dim, lanes;
  bool isWhole;
};
} // namespace

/// An operand's elements along the dim; all the same if it does not have it.
Value RestVectorizer::read(OpOperand *operand) {
  Value source = operand->get();
  auto type = dyn_cast<RankedTensorType>(source.getType());
  if (!type)
    return createSplat(b, source, lanes);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> position(type.getRank(), zero);
  if (!op.getMatchingIndexingMap(operand).isFunctionOfDim(dim))
    return createSplat(b, tensor::ExtractOp::create(b, source, position),
                       lanes);
  Type element = type.getElementType(), part = getPartType(element);
  Value padding = arith::ConstantOp::create(b, b.getZeroAttr(part));
  return vector::TransferReadOp::create(
      b, getVectorType(element, lanes),
      ReinterpretOp::get(b, b.getLoc(), source, part), position, padding,
      AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext()),
      ArrayRef<bool>{isWhole});
}

Value RestVectorizer::create() {
  IRMapping vectors;
  for (OpOperand &operand : op->getOpOperands())
    if (op.payloadUsesValueFromOperand(&operand))
      vectors.map(op.getMatchingBlockArgument(&operand), read(&operand));
  Value result = createVectorBody(b, op, vectors, lanes);
  Value init = op.getDpsInits()[0];
  auto type = cast<RankedTensorType>(init.getType());
  int64_t rank = type.getRank();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  init = ReinterpretOp::get(b, b.getLoc(), init,
                            getPartType(type.getElementType()));
  Value written = vector::TransferWriteOp::create(
                      b, result, init, SmallVector<Value>(rank, zero),
                      AffineMap::getMinorIdentityMap(rank, 1, b.getContext()),
                      ArrayRef<bool>{isWhole})
                      .getResult();
  return ReinterpretOp::get(b, b.getLoc(), written, type.getElementType());
}

void vectorizeRest(RewriterBase &rewriter, linalg::GenericOp op,
                   const Schedule &schedule) {
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, RestVectorizer(rewriter, op, schedule).create());
}

} // namespace ein
