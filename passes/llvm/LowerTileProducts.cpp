//===- LowerTileProducts.cpp - Tiles to a matrix unit ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a matrix unit has registers of its own, two-dimensional ones, which
// are loaded from memory and stored to it, and nothing else. Everything before
// the loop over k and after it works on vectors. LLVM has a type for a tile
// that may live in such registers only, and configures the unit by itself.
//
// Choice: what the loop over k carries becomes tiles. Where they start from
// something, and where they end, they go by way of a piece of the stack, which
// is as large as the sums. Factors are read from panels, which packing has made
// what the unit loads: rows of A with 64 bytes of k side by side, and groups of
// k of B's columns. So no factor is ever a vector.
//
// MLIR's `amx` dialect checks shapes and makes intrinsics. No other conversion
// knows its type, which loops carry, so it ends here: MLIR's patterns for it
// are applied to these ops, and to the loops that carry them.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/AMX/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"
#include "passes/llvm/Passes.h"
#include "passes/llvm/TileSums.h"
#include "passes/schedule/MachineAttrs.h"

namespace ein {
#define GEN_PASS_DEF_LOWERTILEPRODUCTS
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// The registers that the sums of a tile are, and memory of their size.
class Sums {
public:
  Sums(RewriterBase &rewriter, TileProductsOp op,
       const TileRegisters &registers)
      : b(op.getLoc(), rewriter), type(op.getStart().getType()),
        registers(registers),
        buffer(createSumsBuffer(b, op, registers.rowBytes)) {}

  int64_t getNumRows() const {
    return llvm::divideCeil(type.getDimSize(0), registers.rows);
  }
  int64_t getNumColumns() const { return type.getDimSize(1) / getWidth(); }
  /// The elements of a register's row.
  int64_t getWidth() const {
    return registers.rowBytes * 8 / type.getElementTypeBitWidth();
  }
  /// The rows of a register, of which the last one may have fewer.
  int64_t getHeight(int64_t row) const {
    return std::min(registers.rows, type.getDimSize(0) - row * registers.rows);
  }
  SmallVector<Value> load(Value vector);
  Value store(ValueRange tiles);
  /// The sums after `op`.
  FailureOr<SmallVector<Value>> multiply(TileProductsOp op, ValueRange tiles);

  ImplicitLocOpBuilder b;

private:
  SmallVector<Value> getPosition(int64_t row, int64_t column);

  VectorType type;
  TileRegisters registers;
  Value buffer;
};

} // namespace

Value createSumsBuffer(ImplicitLocOpBuilder &b, TileProductsOp op,
                       int64_t alignment) {
  OpBuilder::InsertionGuard guard(b);
  Operation *scope = op->getParentOp();
  while (!isa<func::FuncOp, scf::ParallelOp>(scope))
    scope = scope->getParentOp();
  b.setInsertionPointToStart(&scope->getRegion(0).front());
  VectorType type = op.getStart().getType();
  return memref::AllocaOp::create(
      b, MemRefType::get(type.getShape(), type.getElementType()),
      b.getI64IntegerAttr(alignment));
}

bool startsFromZero(Value start) {
  SplatElementsAttr splat;
  return matchPattern(start, m_Constant(&splat)) &&
         splat.getSplatValue<Attribute>() ==
             Builder(start.getContext()).getZeroAttr(splat.getElementType());
}

void writeSums(ImplicitLocOpBuilder &b, Value sums, Value buffer) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  vector::TransferWriteOp::create(b, sums, buffer, ValueRange{zero, zero},
                                  ArrayRef<bool>{true, true});
}

Value readSums(ImplicitLocOpBuilder &b, VectorType type, Value buffer) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value padding =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(b, type, buffer, ValueRange{zero, zero},
                                        padding, b.getMultiDimIdentityMap(2),
                                        ArrayRef<bool>{true, true});
}

SmallVector<Value> Sums::getPosition(int64_t row, int64_t column) {
  return {arith::ConstantIndexOp::create(b, row * registers.rows),
          arith::ConstantIndexOp::create(b, column * getWidth())};
}

SmallVector<Value> Sums::load(Value vector) {
  bool isZero = startsFromZero(vector);
  if (!isZero)
    writeSums(b, vector, buffer);
  SmallVector<Value> tiles;
  for (int64_t row = 0; row < getNumRows(); ++row)
    for (int64_t column = 0; column < getNumColumns(); ++column) {
      auto tileType = amx::TileType::get({getHeight(row), getWidth()},
                                         type.getElementType());
      tiles.push_back(isZero
                          ? amx::TileZeroOp::create(b, tileType).getResult()
                          : amx::TileLoadOp::create(b, tileType, buffer,
                                                    getPosition(row, column)));
    }
  return tiles;
}

Value Sums::store(ValueRange tiles) {
  for (auto [number, tile] : llvm::enumerate(tiles))
    amx::TileStoreOp::create(
        b, buffer,
        getPosition(number / getNumColumns(), number % getNumColumns()), tile);
  return readSums(b, type, buffer);
}

vector::TransferReadOp findPanel(Value factor) {
  auto read = factor.getDefiningOp<vector::TransferReadOp>();
  auto memory =
      read ? dyn_cast<MemRefType>(read.getBase().getType()) : MemRefType();
  if (!memory || memory.getRank() != 4 || read.getMask() ||
      !read.getPermutationMap().isMinorIdentity() || read.hasOutOfBoundsDim() ||
      memory.getShape().drop_front() !=
          cast<VectorType>(factor.getType()).getShape())
    return {};
  return read;
}

/// The panel that a factor is a step of, with rows of whole groups, and where
/// the step is.
static std::optional<std::pair<Value, SmallVector<Value>>>
getPanel(ImplicitLocOpBuilder &b, Value factor) {
  vector::TransferReadOp read = findPanel(factor);
  SmallVector<ReassociationIndices> dims = {{0}, {1}, {2, 3}};
  if (!read || !memref::CollapseShapeOp::isGuaranteedCollapsible(
                   cast<MemRefType>(read.getBase().getType()), dims))
    return std::nullopt;
  Value panel = memref::CollapseShapeOp::create(b, read.getBase(), dims);
  SmallVector<Value> position(read.getIndices().take_front(3));
  return std::pair(panel, position);
}

FailureOr<SmallVector<Value>> Sums::multiply(TileProductsOp op,
                                             ValueRange tiles) {
  b.setInsertionPoint(op);
  Type element = op.getLhs().getType().getElementType();
  int64_t width = type.getDimSize(1),
          depth = op.getLhs().getType().getDimSize(1),
          group = op.getLhs().getType().getDimSize(2);
  int64_t rows = getNumRows(), columns = getNumColumns();
  if (width % getWidth() != 0 || depth != registers.rows ||
      rows * columns + std::min(rows, columns) + 1 > registers.count)
    return op.emitOpError("is no product of ")
           << registers.count << " registers of " << registers.rows
           << " rows of " << registers.rowBytes << " bytes";
  auto lhs = getPanel(b, op.getLhs()), rhs = getPanel(b, op.getRhs());
  if (!lhs || !rhs)
    return op.emitOpError("has a factor that is not read from a panel");
  auto loadTile = [&](std::pair<Value, SmallVector<Value>> panel, int64_t row,
                      int64_t height, int64_t column) -> Value {
    auto tileType = amx::TileType::get(
        {height, registers.rowBytes * 8 / element.getIntOrFloatBitWidth()},
        element);
    auto move = [&](Value &position, int64_t by) {
      if (by != 0)
        position = arith::AddIOp::create(b, position,
                                         arith::ConstantIndexOp::create(b, by));
    };
    move(panel.second[1], row);
    move(panel.second[2], column);
    return amx::TileLoadOp::create(b, tileType, panel.first, panel.second);
  };
  // Those of the side with fewer registers stay while the other's pass by.
  SmallVector<Value> lefts(rows), rights(columns), result(tiles);
  auto loadLeft = [&](int64_t row) {
    lefts[row] = loadTile(*lhs, row * registers.rows, getHeight(row), 0);
  };
  auto loadRight = [&](int64_t column) {
    rights[column] =
        loadTile(*rhs, 0, registers.rows, column * getWidth() * group);
  };
  auto multiply = [&](int64_t row, int64_t column) {
    Value &sum = result[row * columns + column];
    if (isa<FloatType>(element))
      sum = amx::TileMulFOp::create(b, sum.getType(), lefts[row],
                                    rights[column], sum);
    else
      sum = amx::TileMulIOp::create(b, sum.getType(), lefts[row],
                                    rights[column], sum, op.getLhsUnsigned(),
                                    op.getRhsUnsigned());
  };
  bool keepsLeft = rows <= columns;
  for (int64_t kept = 0; kept < std::min(rows, columns); ++kept)
    keepsLeft ? loadLeft(kept) : loadRight(kept);
  for (int64_t passing = 0; passing < std::max(rows, columns); ++passing) {
    keepsLeft ? loadRight(passing) : loadLeft(passing);
    for (int64_t kept = 0; kept < std::min(rows, columns); ++kept)
      keepsLeft ? multiply(kept, passing) : multiply(passing, kept);
  }
  return result;
}

std::optional<unsigned> getCarried(TileProductsOp op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  auto start = dyn_cast<BlockArgument>(op.getStart());
  if (!loop || !start || start.getOwner() != loop.getBody() ||
      start.getArgNumber() == 0 || !start.hasOneUse() ||
      !op.getResult().hasOneUse())
    return std::nullopt;
  unsigned number = start.getArgNumber() - 1;
  if (loop.getYieldedValues()[number] != op.getResult())
    return std::nullopt;
  return number;
}

static LogicalResult lower(RewriterBase &rewriter, TileProductsOp op,
                           const TileRegisters &registers) {
  Sums sums(rewriter, op, registers);
  std::optional<unsigned> carried = getCarried(op);
  if (!carried) {
    sums.b.setInsertionPoint(op);
    SmallVector<Value> tiles = sums.load(op.getStart());
    FailureOr<SmallVector<Value>> results = sums.multiply(op, tiles);
    if (failed(results))
      return failure();
    rewriter.replaceOp(op, sums.store(*results));
    return success();
  }
  auto loop = cast<scf::ForOp>(op->getParentOp());
  sums.b.setInsertionPoint(loop);
  SmallVector<Value> tiles = sums.load(loop.getInitArgs()[*carried]);
  bool isGood = true;
  unsigned numCarried = loop.getNumResults();
  FailureOr<LoopLikeOpInterface> longer = loop.replaceWithAdditionalYields(
      rewriter, tiles, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location,
          ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
        FailureOr<SmallVector<Value>> results =
            sums.multiply(op, SmallVector<Value>(arguments));
        isGood = succeeded(results);
        return isGood ? *results : SmallVector<Value>(arguments);
      });
  if (failed(longer) || !isGood)
    return failure();
  auto replaced = cast<scf::ForOp>(longer->getOperation());
  sums.b.setInsertionPointAfter(replaced);
  Value vector = sums.store(replaced.getResults().drop_front(numCarried));
  rewriter.replaceAllUsesWith(replaced.getResult(*carried), vector);
  // Left is a vector that each step hands on, and nobody reads.
  rewriter.replaceOp(op, op.getStart());
  return success();
}

/// Tiles as LLVM has them, in ops and in the loops that carry them.
static LogicalResult convertTiles(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  LLVMTypeConverter converter(context);
  TypeConverter onlyTiles;
  onlyTiles.addConversion([](Type type) { return type; });
  onlyTiles.addConversion([](amx::TileType type) -> Type {
    return LLVM::LLVMX86AMXType::get(type.getContext());
  });
  RewritePatternSet patterns(context);
  LLVMConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  populateAMXLegalizeForLLVMExportPatterns(converter, patterns);
  configureAMXLegalizeForExportTarget(target);
  scf::populateSCFStructuralTypeConversionsAndLegality(onlyTiles, patterns,
                                                       target);
  return applyPartialConversion(function, target, std::move(patterns));
}

namespace {
struct LowerTileProductsPass
    : impl::LowerTileProductsBase<LowerTileProductsPass> {
  void runOnOperation() override {
    TileRegisters registers = getInstructions(getOperation()).tiles;
    IRRewriter rewriter(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<TileProductsOp> ops;
      function.walk([&](TileProductsOp op) { ops.push_back(op); });
      for (TileProductsOp op : ops)
        if (failed(lowerOne(rewriter, op, registers)))
          return signalPassFailure();
      if (!ops.empty() && !registers.isOuter && failed(convertTiles(function)))
        return signalPassFailure();
    }
  }

private:
  LogicalResult lowerOne(RewriterBase &rewriter, TileProductsOp op,
                         const TileRegisters &registers) {
    if (registers.count == 0)
      return op.emitOpError("needs a matrix unit, and the module's "
                            "`ein.instructions` have no `tiles` or "
                            "`outer_tiles`");
    return registers.isOuter ? lowerOuterProducts(rewriter, op, registers)
                             : lower(rewriter, op, registers);
  }
};
} // namespace

} // namespace ein
