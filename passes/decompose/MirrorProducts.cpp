//===- MirrorProducts.cpp - The other half of symmetric products ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Squares on the diagonal are computed whole, so a copy is of a square below
// it, to one above it, and never of part of one. It goes through a buffer: both
// are parts of one tensor, of which bufferisation cannot tell that they are
// apart.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/Symmetry.h"
#include "passes/decompose/BlockExtent.h"
#include "passes/decompose/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_MIRRORPRODUCTS
#include "passes/decompose/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

class Mirror {
public:
  Mirror(linalg::LinalgOp op, const Schedule &schedule)
      : b(op.getLoc(), op), op(op), size(schedule.symmetric) {
    AffineMap map = op.getIndexingMapsArray()[2];
    auto getAxis = [&](int64_t dim) {
      return *map.getResultPosition(getAffineDimExpr(dim, b.getContext()));
    };
    rowAxis = getAxis(schedule.m);
    columnAxis = getAxis(schedule.n);
  }

  void run() {
    Value product = op->getResult(0);
    SmallVector<OpOperand *> uses = llvm::map_to_vector(
        product.getUses(), [](OpOperand &use) { return &use; });
    type = cast<RankedTensorType>(product.getType());
    b.setInsertionPoint(op);
    b.setLoc(withTensorName(op.getLoc(),
                            "square of " + getTensorName(op.getLoc()).str()));
    buffer = tensor::EmptyOp::create(b, {size, size}, type.getElementType());
    b.setLoc(op.getLoc());
    b.setInsertionPointAfter(op);
    sizes = tensor::getMixedSizes(b, b.getLoc(), op.getDpsInits()[0]);
    offsets.resize(type.getRank());
    Value mirrored = createLoops(product, 0);
    for (OpOperand *use : uses)
      use->set(mirrored);
  }

private:
  /// A loop that carries C.
  Value createLoop(Value end, int64_t step, Value c,
                   llvm::function_ref<Value(Value, Value)> body) {
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value by = arith::ConstantIndexOp::create(b, step);
    auto loop = scf::ForOp::create(
        b, zero, end, by, ValueRange{c},
        [&](OpBuilder &inner, Location, Value at, ValueRange carried) {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToEnd(inner.getInsertionBlock());
          Value result = body(at, carried[0]);
          scf::YieldOp::create(b, result);
        });
    return loop.getResult(0);
  }

  /// The loops over dims beside rows and columns, from this axis on, and in
  /// them those over squares.
  Value createLoops(Value c, unsigned axis) {
    if (axis == type.getRank())
      return createSquares(c);
    if (axis == rowAxis || axis == columnAxis)
      return createLoops(c, axis + 1);
    Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[axis]);
    return createLoop(end, 1, c, [&](Value at, Value carried) {
      offsets[axis] = at;
      return createLoops(carried, axis + 1);
    });
  }

  Value createSquares(Value c) {
    Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[rowAxis]);
    return createLoop(end, size, c, [&](Value row, Value carried) {
      OpFoldResult height = getBlockLength(b, size, row, end);
      return createLoop(row, size, carried, [&](Value column, Value carried) {
        return createCopy(carried, row, column, height);
      });
    });
  }

  Value createCopy(Value c, Value row, Value column, OpFoldResult height) {
    Location loc = b.getLoc();
    OpFoldResult square = b.getIndexAttr(size), zero = b.getIndexAttr(0),
                 one = b.getIndexAttr(1);
    int64_t dynamic =
        getConstantIntValue(height).value_or(ShapedType::kDynamic);
    Type element = type.getElementType();
    auto place = [&](OpFoldResult atRow, OpFoldResult atColumn) {
      SmallVector<OpFoldResult> result = offsets;
      result[rowAxis] = atRow;
      result[columnAxis] = atColumn;
      return result;
    };
    auto shape = [&](OpFoldResult rows, OpFoldResult columns) {
      SmallVector<OpFoldResult> result(type.getRank(), one);
      result[rowAxis] = rows;
      result[columnAxis] = columns;
      return result;
    };
    // Rows come before columns in C, as in every packed_gemm.
    SmallVector<OpFoldResult> ones(type.getRank(), one);
    Value below = tensor::ExtractSliceOp::create(
        b, RankedTensorType::get({dynamic, size}, element), c,
        place(row, column), shape(height, square), ones);
    Value part = tensor::ExtractSliceOp::create(
        b, RankedTensorType::get({size, dynamic}, element), buffer,
        ArrayRef<OpFoldResult>{zero, zero},
        ArrayRef<OpFoldResult>{square, height},
        ArrayRef<OpFoldResult>{one, one});
    Value transposed = linalg::TransposeOp::create(b, loc, below, part,
                                                   ArrayRef<int64_t>{1, 0})
                           ->getResult(0);
    return tensor::InsertSliceOp::create(b, transposed, c, place(column, row),
                                         shape(square, height), ones);
  }

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  int64_t size;
  unsigned rowAxis, columnAxis;
  RankedTensorType type;
  Value buffer;
  SmallVector<OpFoldResult> sizes;
  /// Where the loops are that are not over squares.
  SmallVector<OpFoldResult> offsets;
};

struct MirrorProductsPass : impl::MirrorProductsBase<MirrorProductsPass> {
  void runOnOperation() override {
    for (auto op : collectWithSchedule<linalg::LinalgOp>(
             getOperation(), Schedule::PackedGemm)) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule))
        return signalPassFailure();
      if (schedule->symmetric == 0)
        continue;
      if (!isSymmetric(op, schedule->m, schedule->n)) {
        op.emitOpError("is not symmetric in the dims m and n of its schedule, "
                       "or starts from something else than a fill");
        return signalPassFailure();
      }
      Mirror(op, *schedule).run();
    }
  }
};

} // namespace
} // namespace ein
