//===- LowerDotProducts.cpp - Groups of k to instructions -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: processors multiply several neighbours in k and add up the products
// by one instruction. LLVM has no operation for that. It knows some as patterns
// (extend, multiply, add neighbours: vpmaddwd, and vpdpwssd with an addition),
// and sees most patterns of four bytes too late or not at all.
//
// Choice: the intrinsic that the strategy has named. A group of A is as wide as
// a lane, so it is broadcast as one number, which is read with the instruction.
// B's groups are one load of the row: by groups it would be as many loads.
// Where there is no intrinsic, the pattern, which is what it says on any
// machine.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/llvm/Passes.h"

namespace ein {
#define GEN_PASS_DEF_LOWERDOTPRODUCTS
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// A register tile's sums and the groups that are multiplied into them.
class DotProducts {
public:
  explicit DotProducts(DotProductsOp op)
      : b(op.getLoc(), op), op(op), group(op.getLhs().getType().getDimSize(1)),
        rows(op.getLhs().getType().getDimSize(0)),
        columns(op.getRhs().getType().getDimSize(0)),
        sum(op.getStart().getType().getElementType()) {}

  Value create() {
    if (op.hasBlocks())
      return createBlocks();
    return op.getIntrinsic() ? createRows() : createPattern();
  }

private:
  VectorType getVector(Type element, int64_t lanes) {
    return VectorType::get({lanes}, element);
  }
  Type getElement() { return op.getRhs().getType().getElementType(); }
  Value flatten(Value groups);
  Value slice(Value vector, int64_t begin, int64_t lanes);
  Value broadcastGroup(int64_t row, int64_t lanes);
  Value call(Value lhs, Value rhs, Value sums);
  Value extend(Value vector, bool isUnsigned);
  Value addNeighbours(Value products);
  Value createRows();
  Value createPattern();
  Value createBlocks();

  ImplicitLocOpBuilder b;
  DotProductsOp op;
  int64_t group, rows, columns;
  Type sum;
};

} // namespace

/// Groups as one vector, and as one load if they come from memory.
Value DotProducts::flatten(Value groups) {
  auto vectorType = cast<VectorType>(groups.getType());
  VectorType flatType =
      getVector(vectorType.getElementType(), vectorType.getNumElements());
  auto read = groups.getDefiningOp<vector::TransferReadOp>();
  auto memory =
      read ? dyn_cast<MemRefType>(read.getBase().getType()) : MemRefType();
  SmallVector<ReassociationIndices> dims = {{0}, {1, 2}};
  if (!memory || memory.getRank() != 3 || read.getMask() ||
      !read.getPermutationMap().isMinorIdentity() || read.hasOutOfBoundsDim() ||
      memory.getShape().drop_front() != vectorType.getShape() ||
      !memref::CollapseShapeOp::isGuaranteedCollapsible(memory, dims))
    return vector::ShapeCastOp::create(b, flatType, groups);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(read);
  Value flat = memref::CollapseShapeOp::create(b, read.getBase(), dims);
  SmallVector<Value> position(read.getIndices().drop_back());
  return vector::TransferReadOp::create(
      b, flatType, flat, position, read.getPadding(), ArrayRef<bool>{true});
}

Value DotProducts::slice(Value vector, int64_t begin, int64_t lanes) {
  if (lanes == cast<VectorType>(vector.getType()).getNumElements())
    return vector;
  return vector::ExtractStridedSliceOp::create(
      b, vector, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{lanes},
      ArrayRef<int64_t>{1});
}

/// A group of A in each lane.
Value DotProducts::broadcastGroup(int64_t row, int64_t lanes) {
  Type number =
      b.getIntegerType(group * op.getLhs().getType().getElementTypeBitWidth());
  Value groupOfRow = vector::ExtractOp::create(b, op.getLhs(), row);
  Value all = vector::BroadcastOp::create(
      b, getVector(number, lanes),
      vector::BitCastOp::create(b, getVector(number, 1), groupOfRow));
  return vector::BitCastOp::create(
      b, getVector(op.getLhs().getType().getElementType(), lanes * group), all);
}

Value DotProducts::call(Value lhs, Value rhs, Value sums) {
  if (op.getSwapped())
    std::swap(lhs, rhs);
  return LLVM::CallIntrinsicOp::create(b, sums.getType(), op.getIntrinsicAttr(),
                                       ValueRange{sums, lhs, rhs})
      ->getResult(0);
}

/// The intrinsic's registers are as wide as its name says, or NEON's.
static int64_t getRegisterBits(StringRef intrinsic) {
  constexpr int64_t kNeon = 128;
  int64_t bits = kNeon;
  StringRef last = intrinsic.rsplit('.').second;
  return last.getAsInteger(10, bits) ? kNeon : bits;
}

Value DotProducts::createRows() {
  Value rhs = flatten(op.getRhs());
  int64_t lanes =
      getRegisterBits(*op.getIntrinsic()) / sum.getIntOrFloatBitWidth();
  lanes = std::min(lanes, columns);
  Value result = op.getStart();
  for (int64_t row = 0; row < rows; ++row) {
    Value lhs = broadcastGroup(row, lanes);
    Value sums = vector::ExtractOp::create(b, op.getStart(), row);
    Value joined = sums;
    for (int64_t column = 0; column < columns; column += lanes) {
      Value part = call(lhs, slice(rhs, column * group, lanes * group),
                        slice(sums, column, lanes));
      joined = lanes == columns
                   ? part
                   : vector::InsertStridedSliceOp::create(
                         b, part, joined, ArrayRef<int64_t>{column},
                         ArrayRef<int64_t>{1});
    }
    result = vector::InsertOp::create(b, joined, result, row);
  }
  return result;
}

Value DotProducts::extend(Value vector, bool isUnsigned) {
  Type wide = cast<VectorType>(vector.getType()).clone(sum);
  if (isa<FloatType>(sum))
    return arith::ExtFOp::create(b, wide, vector);
  if (isUnsigned)
    return arith::ExtUIOp::create(b, wide, vector);
  return arith::ExtSIOp::create(b, wide, vector);
}

/// One number for each group.
Value DotProducts::addNeighbours(Value products) {
  for (int64_t width = group; width > 1; width /= 2) {
    auto split = vector::DeinterleaveOp::create(b, products);
    products = isa<FloatType>(sum)
                   ? arith::AddFOp::create(b, split.getRes1(), split.getRes2())
                         .getResult()
                   : arith::AddIOp::create(b, split.getRes1(), split.getRes2());
  }
  return products;
}

Value DotProducts::createPattern() {
  bool isFloat = isa<FloatType>(sum);
  Value rhs = extend(flatten(op.getRhs()), op.getRhsUnsigned());
  Value result = op.getStart();
  for (int64_t row = 0; row < rows; ++row) {
    Value lhs = extend(broadcastGroup(row, columns), op.getLhsUnsigned());
    Value products = isFloat ? arith::MulFOp::create(b, lhs, rhs).getResult()
                             : arith::MulIOp::create(b, lhs, rhs);
    Value added = addNeighbours(products);
    Value old = vector::ExtractOp::create(b, op.getStart(), row);
    Value all = isFloat ? arith::AddFOp::create(b, old, added).getResult()
                        : arith::AddIOp::create(b, old, added);
    result = vector::InsertOp::create(b, all, result, row);
  }
  return result;
}

Value DotProducts::createBlocks() {
  Value lhs = flatten(op.getLhs()), rhs = flatten(op.getRhs());
  Value result = op.getStart();
  int64_t length = 2 * group;
  for (int64_t row = 0; row < rows / 2; ++row)
    for (int64_t column = 0; column < columns / 2; ++column) {
      SmallVector<int64_t> place = {row, column};
      Value old = vector::ExtractOp::create(b, op.getStart(), place);
      Value block = call(slice(lhs, row * length, length),
                         slice(rhs, column * length, length), old);
      result = vector::InsertOp::create(b, block, result, place);
    }
  return result;
}

namespace {
/// What `op` is as products of groups of signed integers, if it is a
/// `vector.contract` of them, [1, m, group] by [1, n, group] into [m, n], which
/// who writes MLIR may have.
static DotProductsOp fromContraction(vector::ContractionOp op) {
  AffineExpr m, n, k, group;
  bindDims(op.getContext(), m, n, k, group);
  AffineMap maps[] = {AffineMap::get(4, 0, {k, m, group}, op.getContext()),
                      AffineMap::get(4, 0, {k, n, group}, op.getContext()),
                      AffineMap::get(4, 0, {m, n}, op.getContext())};
  auto sum = dyn_cast<VectorType>(op.getAccType());
  auto isOfGroups = [&](VectorType type) {
    return type.getElementType().isInteger() && type.getDimSize(0) == 1 &&
           llvm::isPowerOf2_64(type.getDimSize(2)) &&
           type.getElementTypeBitWidth() < sum.getElementTypeBitWidth();
  };
  if (!sum || !sum.getElementType().isInteger() ||
      op.getKind() != vector::CombiningKind::ADD ||
      !llvm::equal(op.getIndexingMapsArray(), maps) ||
      !isOfGroups(op.getLhsType()) || !isOfGroups(op.getRhsType()) ||
      op.getLhsType().getElementType() != op.getRhsType().getElementType())
    return {};
  ImplicitLocOpBuilder b(op.getLoc(), op);
  return DotProductsOp::create(b, sum,
                               vector::ExtractOp::create(b, op.getLhs(), 0),
                               vector::ExtractOp::create(b, op.getRhs(), 0),
                               op.getAcc(), /*lhsUnsigned=*/false,
                               /*rhsUnsigned=*/false,
                               /*intrinsic=*/StringAttr(), /*swapped=*/false);
}

struct LowerDotProductsPass : impl::LowerDotProductsBase<LowerDotProductsPass> {
  void runOnOperation() override {
    SmallVector<vector::ContractionOp> contractions;
    getOperation().walk(
        [&](vector::ContractionOp op) { contractions.push_back(op); });
    for (vector::ContractionOp op : contractions)
      if (DotProductsOp products = fromContraction(op)) {
        op.replaceAllUsesWith(products.getResult());
        op.erase();
      }
    SmallVector<DotProductsOp> ops;
    getOperation().walk([&](DotProductsOp op) { ops.push_back(op); });
    for (DotProductsOp op : ops) {
      op.replaceAllUsesWith(DotProducts(op).create());
      op.erase();
    }
  }
};
} // namespace

} // namespace ein
