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
// Choice: the intrinsic that the schedule has named. A group of A is as wide as
// a lane, so it is broadcast as one number, which is read with the instruction.
// B's groups are one load of the row: by groups it would be as many loads.
// Where there is no intrinsic, the pattern, which is what it says on any
// machine. Of partial sums both factors are registers.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
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
    if (op.isLaneByLane())
      return createLanes();
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
  Value getGroup(int64_t row);
  Value broadcastGroup(int64_t row, int64_t lanes);
  Value toScalable(Value vector);
  Value call(Value lhs, Value rhs, Value sums);
  Value extend(Value vector, bool isUnsigned);
  Value addNeighbours(Value products);
  Value addProducts(Value lhs, Value rhs, Value sums);
  Value addHalves(Value lhs, Value rhs, Value sums);
  Value createRows();
  Value createLanes();
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

/// A group of A; as it was read, if rows that lie apart were put together.
Value DotProducts::getGroup(int64_t row) {
  auto rowType = getVector(op.getLhs().getType().getElementType(), group);
  if (auto join = op.getLhs().getDefiningOp<vector::FromElementsOp>()) {
    ValueRange numbers = join.getElements().slice(row * group, group);
    auto split = numbers.front().getDefiningOp<vector::ToElementsOp>();
    if (split && split.getSource().getType() == rowType &&
        llvm::equal(split.getElements(), numbers))
      return split.getSource();
  }
  return vector::ExtractOp::create(b, op.getLhs(), row);
}

/// A group of A in each lane.
Value DotProducts::broadcastGroup(int64_t row, int64_t lanes) {
  Type number =
      b.getIntegerType(group * op.getLhs().getType().getElementTypeBitWidth());
  Value groupOfRow = getGroup(row);
  Value all = vector::BroadcastOp::create(
      b, getVector(number, lanes),
      vector::BitCastOp::create(b, getVector(number, 1), groupOfRow));
  return vector::BitCastOp::create(
      b, getVector(op.getLhs().getType().getElementType(), lanes * group), all);
}

/// A register as a vector of which LLVM knows so many bits, the least that it
/// may have.
Value DotProducts::toScalable(Value vector) {
  constexpr int64_t kLeastBits = 128;
  auto type = cast<VectorType>(vector.getType());
  int64_t lanes = kLeastBits / type.getElementTypeBitWidth();
  auto scalableType =
      VectorType::get({lanes}, type.getElementType(), ArrayRef<bool>{true});
  Value undefined = ub::PoisonOp::create(b, scalableType);
  return vector::ScalableInsertOp::create(b, vector, undefined, /*pos=*/0);
}

Value DotProducts::call(Value lhs, Value rhs, Value sums) {
  if (op.getSwapped())
    std::swap(lhs, rhs);
  SmallVector<Value> operands = {sums, lhs, rhs};
  if (op.getScalable())
    for (Value &operand : operands)
      operand = toScalable(operand);
  Value result = LLVM::CallIntrinsicOp::create(b, operands[0].getType(),
                                               op.getIntrinsicAttr(), operands)
                     ->getResult(0);
  if (!op.getScalable())
    return result;
  return vector::ScalableExtractOp::create(b, sums.getType(), result,
                                           /*pos=*/0);
}

Value DotProducts::createRows() {
  Value rhs = flatten(op.getRhs());
  int64_t lanes = *op.getBits() / sum.getIntOrFloatBitWidth();
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

/// Sums with products of extended groups, one for each lane.
Value DotProducts::addProducts(Value lhs, Value rhs, Value sums) {
  bool isFloat = isa<FloatType>(sum);
  Value products = isFloat ? arith::MulFOp::create(b, lhs, rhs).getResult()
                           : arith::MulIOp::create(b, lhs, rhs);
  Value added = addNeighbours(products);
  return isFloat ? arith::AddFOp::create(b, sums, added).getResult()
                 : arith::AddIOp::create(b, sums, added);
}

Value DotProducts::createPattern() {
  Value rhs = extend(flatten(op.getRhs()), op.getRhsUnsigned());
  Value result = op.getStart();
  for (int64_t row = 0; row < rows; ++row) {
    Value lhs = extend(broadcastGroup(row, columns), op.getLhsUnsigned());
    Value old = vector::ExtractOp::create(b, op.getStart(), row);
    result =
        vector::InsertOp::create(b, addProducts(lhs, rhs, old), result, row);
  }
  return result;
}

/// Pairs of bf16: each is the upper half of an f32's bits, so that a shift and
/// a mask extend it where it is.
Value DotProducts::addHalves(Value lhs, Value rhs, Value sums) {
  constexpr int64_t kHalf = 16;
  auto words = cast<VectorType>(sums.getType()).clone(b.getI32Type());
  auto getSplat = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               words, b.getI32IntegerAttr(static_cast<int32_t>(number))));
  };
  Value left = vector::BitCastOp::create(b, words, lhs),
        right = vector::BitCastOp::create(b, words, rhs);
  auto toFloats = [&](Value bits) {
    return arith::BitcastOp::create(b, sums.getType(), bits);
  };
  auto getEven = [&](Value pairs) {
    return toFloats(arith::ShLIOp::create(b, pairs, getSplat(kHalf)));
  };
  auto getOdd = [&](Value pairs) {
    return toFloats(arith::AndIOp::create(b, pairs, getSplat(-0x10000)));
  };
  auto add = [&](Value x, Value y, Value to) {
    constexpr auto kFlags = arith::FastMathFlags::contract;
    Value product = arith::MulFOp::create(b, x, y, kFlags);
    return arith::AddFOp::create(b, to, product, kFlags);
  };
  Value evenLeft = getEven(left);
  Value sum = add(evenLeft, getEven(right), sums);
  Value oddLeft = getOdd(left);
  return add(oddLeft, getOdd(right), sum);
}

Value DotProducts::createLanes() {
  Value lhs = flatten(op.getLhs()), rhs = flatten(op.getRhs());
  Value sums = op.getStart();
  if (!op.getIntrinsic()) {
    constexpr int64_t kPair = 2;
    if (op.getLhs().getType().getElementType().isBF16() && group == kPair)
      return addHalves(lhs, rhs, sums);
    return addProducts(extend(lhs, op.getLhsUnsigned()),
                       extend(rhs, op.getRhsUnsigned()), sums);
  }
  int64_t lanes = *op.getBits() / sum.getIntOrFloatBitWidth();
  lanes = std::min(lanes, columns);
  Value result = sums;
  for (int64_t column = 0; column < columns; column += lanes) {
    Value part = call(slice(lhs, column * group, lanes * group),
                      slice(rhs, column * group, lanes * group),
                      slice(sums, column, lanes));
    result = lanes == columns ? part
                              : vector::InsertStridedSliceOp::create(
                                    b, part, result, ArrayRef<int64_t>{column},
                                    ArrayRef<int64_t>{1});
  }
  return result;
}

Value DotProducts::createBlocks() {
  Value lhs = flatten(op.getLhs()), rhs = flatten(op.getRhs());
  Value result = op.getStart();
  // A register has blocks of neighbouring columns, each by the same rows.
  constexpr int64_t kBlockLanes = 4;
  int64_t length = 2 * group;
  int64_t blocks = *op.getBits() / (kBlockLanes * sum.getIntOrFloatBitWidth());
  blocks = std::min(blocks, columns / 2);
  auto registerType = getVector(sum, blocks * kBlockLanes);
  auto rowType = VectorType::get({columns / 2, kBlockLanes}, sum);
  auto partType = VectorType::get({blocks, kBlockLanes}, sum);
  SmallVector<int64_t> repeated;
  for (int64_t block = 0; block < blocks; ++block)
    llvm::append_range(repeated, llvm::seq(int64_t(0), length));
  for (int64_t row = 0; row < rows / 2; ++row) {
    Value pair = slice(lhs, row * length, length);
    if (blocks > 1)
      pair = vector::ShuffleOp::create(b, pair, pair, repeated);
    Value old = vector::ExtractOp::create(b, op.getStart(), row);
    Value joined = old;
    for (int64_t column = 0; column < columns / 2; column += blocks) {
      Value part = vector::ExtractStridedSliceOp::create(
          b, old, ArrayRef<int64_t>{column}, ArrayRef<int64_t>{blocks},
          ArrayRef<int64_t>{1});
      part = call(pair, slice(rhs, column * length, blocks * length),
                  vector::ShapeCastOp::create(b, registerType, part));
      part = vector::ShapeCastOp::create(b, partType, part);
      joined = partType == rowType
                   ? part
                   : vector::InsertStridedSliceOp::create(
                         b, part, joined, ArrayRef<int64_t>{column, 0},
                         ArrayRef<int64_t>{1, 1});
    }
    result = vector::InsertOp::create(b, joined, result, row);
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
                               /*intrinsic=*/StringAttr(),
                               /*bits=*/IntegerAttr(), /*scalable=*/false,
                               /*swapped=*/false);
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
