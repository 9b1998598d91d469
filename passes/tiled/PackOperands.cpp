//===- PackOperands.cpp - Pack operands and make register tiles ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inner kernel of a contraction wants its operands contiguous, aligned with
// its own register tile, and complete at the edges. So blocks of A and B are
// copied ("packed", "promoted") to panels: A to panels of MR rows, each stored
// column by column; B to panels of NR columns, each stored row by row; both
// padded with zeros. A block is reused NC/NR or MC/MR times, which pays for the
// copy (Goto and van de Geijn, 2008, §4).
//
// What the panels hold, and how it comes there, is in PackPanels.cpp.
//
// An operand that is small, or read in this order anyway, gains nothing from
// the copy: the schedule leaves it where it is, and the tiles are of slices of
// it, padded to MR or NR.
//
// C's tile is padded to MR×NR when it is read, and only the part that exists is
// put back. Where C starts from a fill, the first block of k does so in
// registers, and C is written without having been read.
//
// The panels' buffers are `tensor.empty` of static size before the outermost
// loop, of which each block uses a slice; bufferisation makes one allocation of
// each.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "passes/analysis/Einsums.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/KnownDivisors.h"
#include "passes/analysis/Raising.h"
#include "passes/decompose/BlockExtent.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/tiled/PackPanels.h"
#include "passes/tiled/Passes.h"
#include "passes/tiled/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_PACKOPERANDS
#include "passes/tiled/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// A contraction whose dims other than m, n and k have extent 1.
class Packer {
public:
  Packer(RewriterBase &rewriter, linalg::LinalgOp op, ContractionKind kind,
         Schedule schedule)
      : b(op.getLoc(), rewriter), op(op), schedule(std::move(schedule)),
        types(getPanelTypes(op, kind, this->schedule)),
        epilogue(getEpilogue(op)) {}

  void run(RewriterBase &rewriter);
  /// Whether `map` indexes an earlier axis by `first` than by `second`.
  static bool isBefore(AffineMap map, int64_t first, int64_t second);

private:
  /// A slice of `tensor` with only the axes of two dims, in their order.
  Value dropUnitAxes(Value tensor, AffineMap map, int64_t first,
                     int64_t second);
  /// The outermost loop round the op, or the op.
  Operation *getOutermost() {
    Operation *outermost = op;
    while (auto loop = outermost->getParentOfType<LoopLikeOpInterface>())
      outermost = loop;
    return outermost;
  }

  /// What the register tiles read of an input, `width` of its rows (or columns)
  /// at a time: panels, or the matrix itself, whose `axis` these are.
  struct Operand {
    Value value;
    bool isPacked;
    unsigned axis;
    int64_t width;
    bool isLhs;
  };
  Operand createOperand(unsigned input, int64_t blocked, int64_t width,
                        Value &buffer);
  AffineMap getTileMap(const Operand &operand, AffineExpr blocked);
  Value padGroups(Value rows, OpFoldResult length, int64_t width);
  Value getTile(const Operand &operand, Value offset, OpFoldResult length,
                int64_t width);

  /// What C is before the sum, if that is one number: the number, and whether
  /// this block is the first of k; all blocks are if that is null.
  struct Start {
    Value number;
    Value isFirst;
  };
  /// Takes the start from `c`, which is then what is written.
  std::optional<Start> takeStart(Value &c);
  /// Where the block of C begins, if only what is on the diagonal and below it
  /// is wanted.
  struct Corner {
    OpFoldResult row, column;
  };
  std::optional<Corner> getCorner(Value c);
  /// What all tiles are made of.
  struct Tiling {
    Operand lhs, rhs;
    std::optional<Start> start;
    std::optional<Corner> corner;
  };
  using PieceFn =
      llvm::function_ref<Value(Value c, Value start, OpFoldResult length)>;
  Value createTile(const Tiling &tiling, Value c, Value row, Value column,
                   OpFoldResult height, OpFoldResult width, int64_t mr,
                   int64_t nr);
  /// Columns of C (or rows), and the width of their tiles, which they may be
  /// known to be a multiple of.
  struct Columns {
    OpFoldResult begin, end;
    int64_t nr;
    bool areComplete;
  };
  Columns getRowsBelow(const Tiling &tiling, Columns rows, Value column);
  Columns getColumnsBefore(const Tiling &tiling, Columns columns, Value row,
                           int64_t mr);
  Value createLoop(const Columns &pieces, Value c, PieceFn body);
  /// Tiles of mr rows for some columns of C.
  Value createTiles(const Tiling &tiling, Value c, const Columns &columns,
                    int64_t mr);
  Value createTilesByRows(const Tiling &tiling, Value c,
                          ArrayRef<Columns> parts, int64_t mr);
  Value createAllTiles(const Tiling &tiling, Value c);
  /// If threads share the register tiles, they share the packing as well.
  void markParallel(Operation *op, int64_t minPoints) {
    if (schedule.parallelDim == schedule.n)
      op->setAttr(EinDialect::kParallelAttr, b.getI64IntegerAttr(minPoints));
  }

  /// The schedule of the contraction of two panels: one step of k at a time, or
  /// one group.
  Schedule getTileSchedule(int64_t mr, int64_t nr) {
    Schedule inner;
    inner.kind = Schedule::PackedGemm;
    inner.tile = {0, 0, 1};
    inner.tile.resize(getNumTileLoops(), 0);
    inner.m = 0, inner.n = 1, inner.k = 2;
    inner.mr = mr, inner.nr = nr;
    inner.unroll = schedule.unroll;
    inner.prefetch = schedule.prefetch;
    if (mr != schedule.rowRemainder)
      inner.prefetchDistance = schedule.prefetchDistance;
    inner.kPack = schedule.kPack;
    inner.dot = schedule.dot;
    inner.dotBits = schedule.dotBits;
    inner.dotScalable = schedule.dotScalable;
    inner.dotRows = schedule.dotRows;
    inner.dotSwapped = schedule.dotSwapped;
    inner.dotOffset = schedule.dotOffset;
    return inner;
  }

  bool hasGroups() const { return schedule.kPack > 1; }
  /// m, n, k, the groups of a step, and what is in a group.
  unsigned getNumTileLoops() const {
    return schedule.hasTiles() ? 5 : hasGroups() ? 4 : 3;
  }

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr, operands);
  }
  /// The largest extent that a block has along `loop`: static, because the
  /// schedule tiles what is not.
  int64_t getBlockExtent(int64_t loop) {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    int64_t tile = schedule.tile[loop];
    if (tile == 0)
      return ranges[loop];
    return ShapedType::isDynamic(ranges[loop]) ? tile
                                               : std::min(tile, ranges[loop]);
  }

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  Schedule schedule;
  PanelTypes types;
  linalg::GenericOp epilogue;
};

} // namespace

bool Packer::isBefore(AffineMap map, int64_t first, int64_t second) {
  for (AffineExpr expr : map.getResults()) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (dim == first || dim == second)
      return dim == first;
  }
  return true;
}

Value Packer::dropUnitAxes(Value tensor, AffineMap map, int64_t first,
                           int64_t second) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (dim == first || dim == second)
      shape.push_back(extent);
  }
  if (shape.size() == type.getShape().size())
    return tensor;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), tensor);
  SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      b, RankedTensorType::get(shape, type.getElementType()), tensor, zeros,
      sizes, ones);
}

/// Input number `input` for the register tiles; packed, if the schedule says
/// so, to a buffer that may not be equal to `buffer`.
Packer::Operand Packer::createOperand(unsigned input, int64_t blocked,
                                      int64_t width, Value &buffer) {
  AffineMap map = op.getIndexingMapsArray()[input];
  Value matrix =
      dropUnitAxes(op.getDpsInputs()[input], map, blocked, schedule.k);
  unsigned axis = isBefore(map, blocked, schedule.k) ? 0 : 1;
  bool isLhs = int64_t(input) == schedule.lhs;
  if (!schedule.pack[input])
    return {matrix, /*isPacked=*/false, axis, width, isLhs};
  Panels panels(b, getOutermost(), schedule, getBlockExtent(blocked),
                getBlockExtent(schedule.k), width);
  Location loc = b.getLoc();
  b.setLoc(withTensorName(loc, "panels of " +
                                   getTensorName(op.getDpsInputs()[input])));
  Value packed = panels.pack(matrix, axis, types.elements[input],
                             types.casts[input], types.isOffset && isLhs,
                             schedule.hasTiles() && !isLhs, buffer);
  b.setLoc(loc);
  return {packed, /*isPacked=*/true, axis, width, isLhs};
}

AffineMap Packer::getTileMap(const Operand &operand, AffineExpr blocked) {
  AffineExpr k = b.getAffineDimExpr(2);
  SmallVector<AffineExpr> axes = {k, blocked};
  if (!operand.isPacked && operand.axis == 0)
    axes = {blocked, k};
  AffineExpr group = b.getAffineDimExpr(3), element = b.getAffineDimExpr(4);
  if (schedule.hasTiles())
    axes = blocked == b.getAffineDimExpr(0)
               ? SmallVector<AffineExpr>{k, blocked, group, element}
               : SmallVector<AffineExpr>{k, group, blocked, element};
  else if (hasGroups())
    axes.push_back(group);
  return AffineMap::get(getNumTileLoops(), 0, axes, b.getContext());
}

/// Rows of A, `length` of them, padded to `width` rows of whole groups.
Value Packer::padGroups(Value rows, OpFoldResult length, int64_t width) {
  auto type = cast<RankedTensorType>(rows.getType());
  AffineExpr d0 = b.getAffineDimExpr(0);
  int64_t group = schedule.kPack;
  OpFoldResult depth = tensor::getMixedSize(b, b.getLoc(), rows, 1);
  SmallVector<OpFoldResult> zeros(2, b.getIndexAttr(0));
  SmallVector<OpFoldResult> high = {
      apply(width - d0, {length}),
      apply(d0.ceilDiv(group) * group - d0, {depth})};
  SmallVector<int64_t> shape = {width, ShapedType::kDynamic};
  if (!type.isDynamicDim(1))
    shape[1] = llvm::alignTo(type.getDimSize(1), group);
  Value zero = createZero(b, b.getLoc(), type.getElementType());
  return tensor::PadOp::create(b, type.clone(shape), rows, zeros, high, zero);
}

/// The rows or columns from `offset` on, of which there are `length`, padded to
/// `width`, and for all of k.
Value Packer::getTile(const Operand &operand, Value offset, OpFoldResult length,
                      int64_t width) {
  if (operand.isPacked) {
    Value panel =
        Panels::getPanel(b, operand.value, offset, operand.width, width);
    auto type = cast<RankedTensorType>(panel.getType());
    if (!schedule.hasTiles() || type.getRank() != 3)
      return panel;
    int64_t group =
        schedule.getGroup(type.getElementType().getIntOrFloatBitWidth());
    SmallVector<int64_t> shape(type.getShape().drop_back());
    shape.append({schedule.kPack / group, group});
    SmallVector<ReassociationIndices> dims = {{0}, {1}, {2, 3}};
    if (!operand.isLhs) {
      shape = {shape[0], 1, shape[1], group};
      dims = {{0}, {1, 2}, {3}};
    }
    return tensor::ExpandShapeOp::create(b, type.clone(shape), panel, dims);
  }
  unsigned depthAxis = 1 - operand.axis;
  SmallVector<OpFoldResult> offsets(2, b.getIndexAttr(0)),
      zeros(2, b.getIndexAttr(0)), ones(2, b.getIndexAttr(1)), sizes(2);
  offsets[operand.axis] = offset;
  sizes[operand.axis] = length;
  sizes[depthAxis] =
      tensor::getMixedSize(b, b.getLoc(), operand.value, depthAxis);
  Value slice =
      tensor::ExtractSliceOp::create(b, operand.value, offsets, sizes, ones);
  if (hasGroups()) {
    if (!isKnownMultiple(sizes[depthAxis], schedule.kPack))
      return Panels::splitRows(b, padGroups(slice, length, width),
                               schedule.kPack);
    slice = Panels::splitRows(b, slice, schedule.kPack);
    zeros.push_back(b.getIndexAttr(0));
  }
  auto type = cast<RankedTensorType>(slice.getType());
  SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
  if (shape[operand.axis] == width)
    return slice;
  shape[operand.axis] = width;
  SmallVector<OpFoldResult> high = zeros;
  high[operand.axis] = apply(width - b.getAffineDimExpr(0), {length});
  Value zero = createZero(b, b.getLoc(), type.getElementType());
  return tensor::PadOp::create(b, type.clone(shape), slice, zeros, high, zero);
}

std::optional<Packer::Start> Packer::takeStart(Value &c) {
  Start start;
  Value tensor = c;
  auto select = tensor.getDefiningOp<arith::SelectOp>();
  if (select) {
    tensor = select.getTrueValue();
    start.isFirst = select.getCondition();
  }
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  if (!fill || !c.hasOneUse())
    return std::nullopt;
  start.number = fill.getInputs()[0];
  c = select ? select.getFalseValue() : fill.getOutputs()[0];
  return start;
}

/// The tile of C at `row` and `column`, of which there are `height` rows and
/// `width` columns.
Value Packer::createTile(const Tiling &tiling, Value c, Value row, Value column,
                         OpFoldResult height, OpFoldResult width, int64_t mr,
                         int64_t nr) {
  Location loc = b.getLoc();
  MLIRContext *context = b.getContext();
  AffineExpr m, n;
  bindDims(context, m, n);
  AffineMap maps[] = {getTileMap(tiling.lhs, m), getTileMap(tiling.rhs, n),
                      AffineMap::get(getNumTileLoops(), 0, {m, n}, context)};
  Type elementType = getElementTypeOrSelf(c.getType());
  auto tileType = RankedTensorType::get({mr, nr}, elementType);
  SmallVector<OpFoldResult> offsets = {row, column}, sizes = {height, width};
  SmallVector<OpFoldResult> ones(2, b.getIndexAttr(1));
  SmallVector<OpFoldResult> zeros(2, b.getIndexAttr(0));

  Value tile = tensor::ExtractSliceOp::create(b, c, offsets, sizes, ones);
  Value zero = createZero(b, loc, elementType);
  AffineExpr d0 = b.getAffineDimExpr(0);
  SmallVector<OpFoldResult> high = {apply(mr - d0, {height}),
                                    apply(nr - d0, {width})};
  Value padded = tensor::PadOp::create(b, tileType, tile, zeros, high, zero);
  if (const std::optional<Start> &start = tiling.start) {
    Value fill = linalg::FillOp::create(b, start->number, padded).getResult(0);
    padded = start->isFirst
                 ? arith::SelectOp::create(b, start->isFirst, fill, padded)
                 : fill;
  }
  // What is in place is as it was, and moved when it is read.
  TileProduct product = types.product;
  if (types.isOffset && !tiling.lhs.isPacked) {
    product.offset = 0;
    product.kind.cast = types.casts[schedule.lhs];
  }
  linalg::LinalgOp contract =
      createTileProduct(b, loc, product,
                        ValueRange{getTile(tiling.lhs, row, height, mr),
                                   getTile(tiling.rhs, column, width, nr)},
                        padded, maps);
  contract->setAttr(EinDialect::kScheduleAttr,
                    getTileSchedule(mr, nr).toAttr(context));
  Value result = contract->getResult(0);
  if (epilogue)
    result = createTileEpilogue(b, epilogue, op, schedule.m, schedule.n, result,
                                offsets, sizes);
  Value part = tensor::ExtractSliceOp::create(b, result, zeros, sizes, ones);
  return tensor::InsertSliceOp::create(b, part, c, offsets, sizes, ones);
}

/// A loop that gives `body` the start and the length of each piece, the last of
/// which may be shorter, and carries C.
Value Packer::createLoop(const Columns &pieces, Value c, PieceFn body) {
  Location loc = b.getLoc();
  auto getLength = [&](Value start) -> OpFoldResult {
    std::optional<int64_t> first = getConstantIntValue(pieces.begin),
                           last = getConstantIntValue(pieces.end);
    if (pieces.areComplete ||
        (first && last && (*last - *first) % pieces.nr == 0) ||
        (isKnownMultiple(pieces.begin, pieces.nr) &&
         isKnownMultiple(pieces.end, pieces.nr)))
      return b.getIndexAttr(pieces.nr);
    return getBlockLength(b, pieces.nr, start, pieces.end);
  };
  auto toValue = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  };
  Value step = arith::ConstantIndexOp::create(b, pieces.nr);
  auto loop = scf::ForOp::create(
      b, toValue(pieces.begin), toValue(pieces.end), step, ValueRange{c},
      [&](OpBuilder &inner, Location, Value start, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inner.getInsertionBlock());
        Value result = body(carried[0], start, getLength(start));
        scf::YieldOp::create(b, result);
      });
  markParallel(loop, schedule.minPoints);
  return loop.getResult(0);
}

std::optional<Packer::Corner> Packer::getCorner(Value c) {
  if (schedule.symmetric == 0)
    return std::nullopt;
  Corner corner = {b.getIndexAttr(0), b.getIndexAttr(0)};
  if (schedule.tile[schedule.m] == 0 && schedule.tile[schedule.n] == 0)
    return corner;
  // A dim that is tiled begins where the slice of C does.
  auto slice = c.getDefiningOp<tensor::ExtractSliceOp>();
  AffineMap map = op.getIndexingMapsArray()[2];
  if (!slice || slice.getSourceType().getRank() != map.getNumResults())
    return std::nullopt;
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (schedule.tile[dim] != 0 && dim == schedule.m)
      corner.row = offsets[axis];
    if (schedule.tile[dim] != 0 && dim == schedule.n)
      corner.column = offsets[axis];
  }
  return corner;
}

/// Of the rows, those from the square on which the diagonal crosses the tiles
/// from `column` on.
Packer::Columns Packer::getRowsBelow(const Tiling &tiling, Columns rows,
                                     Value column) {
  if (!tiling.corner)
    return rows;
  int64_t size = schedule.symmetric;
  AffineExpr d0, d1, d2;
  bindDims(b.getContext(), d0, d1, d2);
  AffineExpr square = (d0 + d1).floorDiv(size) * size;
  AffineExpr first = (square - d2).floorDiv(rows.nr) * rows.nr;
  AffineMap map =
      AffineMap::get(3, 0, {b.getAffineConstantExpr(0), first}, b.getContext());
  rows.begin = affine::makeComposedFoldedAffineMax(
      b, b.getLoc(), map,
      {OpFoldResult(column), tiling.corner->column, tiling.corner->row});
  return rows;
}

/// Of the columns, those up to the square on which the diagonal crosses `mr`
/// rows; all of the last tile, if there is one.
Packer::Columns Packer::getColumnsBefore(const Tiling &tiling, Columns columns,
                                         Value row, int64_t mr) {
  if (!tiling.corner)
    return columns;
  int64_t size = schedule.symmetric, nr = columns.nr;
  AffineExpr dims[5];
  bindDimsList(b.getContext(), MutableArrayRef<AffineExpr>(dims));
  AffineExpr last = dims[0] + dims[1] + (mr - 1);
  AffineExpr end = last.floorDiv(size) * size + size - dims[2];
  AffineExpr whole = (end - dims[3]).ceilDiv(nr) * nr + dims[3];
  AffineMap map = AffineMap::get(5, 0, {dims[4], whole}, b.getContext());
  columns.end = affine::makeComposedFoldedAffineMin(
      b, b.getLoc(), map,
      {OpFoldResult(row), tiling.corner->row, tiling.corner->column,
       columns.begin, columns.end});
  return columns;
}

/// The loops over register tiles. Usually the one over B's panels is outside,
/// so that one of them stays in L1 while A's panels pass by from L2.
Value Packer::createTiles(const Tiling &tiling, Value c, const Columns &columns,
                          int64_t mr) {
  OpFoldResult end = tensor::getMixedSize(b, b.getLoc(), c, 0);
  SmallVector<Columns> parts = {
      {b.getIndexAttr(0), end, mr, /*areComplete=*/false}};
  // Threads share one loop.
  std::optional<int64_t> size = getConstantIntValue(end);
  if (schedule.rowRemainder != 0 && mr == schedule.mr && size && *size > mr &&
      *size % mr == schedule.rowRemainder &&
      schedule.parallelDim != schedule.n) {
    OpFoldResult whole = b.getIndexAttr(*size - schedule.rowRemainder);
    parts = {{b.getIndexAttr(0), whole, mr, /*areComplete=*/true},
             {whole, end, schedule.rowRemainder, /*areComplete=*/true}};
  }
  return createLoop(columns, c, [&](Value c, Value column, OpFoldResult width) {
    for (const Columns &rows : parts)
      c = createLoop(getRowsBelow(tiling, rows, column), c,
                     [&](Value c, Value row, OpFoldResult height) {
                       return createTile(tiling, c, row, column, height, width,
                                         rows.nr, columns.nr);
                     });
    return c;
  });
}

/// The same with the rows outside: C is then written along its rows. Little is
/// computed in each of these tiles, and rows that may not be there would show:
/// the last ones have a tile of their own, unless the schedule says that they
/// would not (`clampRows`).
Value Packer::createTilesByRows(const Tiling &tiling, Value c,
                                ArrayRef<Columns> parts, int64_t mr) {
  OpFoldResult end = tensor::getMixedSize(b, b.getLoc(), c, 0);
  auto createRows = [&](const Columns &rows) {
    c = createLoop(rows, c, [&](Value c, Value row, OpFoldResult height) {
      for (const Columns &columns : parts)
        c = createLoop(getColumnsBefore(tiling, columns, row, rows.nr), c,
                       [&](Value c, Value column, OpFoldResult width) {
                         return createTile(tiling, c, row, column, height,
                                           width, rows.nr, columns.nr);
                       });
      return c;
    });
  };
  OpFoldResult whole = apply(b.getAffineDimExpr(0).floorDiv(mr) * mr, {end});
  std::optional<int64_t> size = getConstantIntValue(end);
  // Threads share one loop.
  if (whole == end || (size && *size < mr) || (!size && schedule.clampRows) ||
      schedule.parallelDim == schedule.n) {
    createRows({b.getIndexAttr(0), end, mr, /*areComplete=*/false});
    return c;
  }
  createRows({b.getIndexAttr(0), whole, mr, /*areComplete=*/true});
  createRows({whole, end, size ? *size % mr : mr, /*areComplete=*/false});
  return c;
}

/// All columns; those that the schedule has another tile for apart.
Value Packer::createAllTiles(const Tiling &tiling, Value c) {
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult columns = tensor::getMixedSize(b, b.getLoc(), c, 1);
  int64_t nr = schedule.nr;
  OpFoldResult end = apply(b.getAffineDimExpr(0).floorDiv(nr) * nr, {columns});
  SmallVector<std::pair<Columns, int64_t>> parts;
  if (schedule.colRemainderNr == 0 || end == columns ||
      isKnownMultiple(columns, nr)) {
    parts = {{{zero, columns, nr, /*areComplete=*/false}, schedule.mr}};
  } else {
    if (!isZeroInteger(end))
      parts.push_back({{zero, end, nr, /*areComplete=*/true}, schedule.mr});
    parts.push_back(
        {{end, columns, schedule.colRemainderNr, /*areComplete=*/false},
         schedule.colRemainderMr});
  }
  if (!schedule.rowsFirst) {
    for (auto [part, mr] : parts)
      c = createTiles(tiling, c, part, mr);
    return c;
  }
  // Columns whose tiles are of one height are beside each other.
  if (llvm::all_equal(llvm::make_second_range(parts)))
    return createTilesByRows(tiling, c,
                             llvm::to_vector(llvm::make_first_range(parts)),
                             parts.front().second);
  for (auto [part, mr] : parts)
    c = createTilesByRows(tiling, c, part, mr);
  return c;
}

void Packer::run(RewriterBase &rewriter) {
  // The tiles' loops read what the epilogue does.
  Operation *last = epilogue ? epilogue.getOperation() : op.getOperation();
  b.setInsertionPoint(last);
  int64_t m = schedule.m, n = schedule.n;
  unsigned lhs = schedule.lhs;
  Value init = op.getDpsInits()[0];
  std::optional<Start> start = takeStart(init);
  Value c = dropUnitAxes(init, op.getIndexingMapsArray()[2], m, n);

  Value buffer;
  Operand left = createOperand(lhs, m, schedule.mr, buffer);
  Operand right = createOperand(1 - lhs, n, schedule.nr, buffer);
  Value result = createAllTiles({left, right, start, getCorner(init)}, c);
  b.setInsertionPoint(last);
  if (c != init) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), init);
    SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
    result = tensor::InsertSliceOp::create(b, result, init, zeros, sizes, ones);
  }
  rewriter.replaceOp(last, result);
  if (epilogue)
    rewriter.eraseOp(op);
}

/// The same of groups that an instruction multiplies as they are.
static LogicalResult checkDotOperands(linalg::LinalgOp op, ContractionKind kind,
                                      const Schedule &schedule) {
  Type wide = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  for (auto [input, isPacked] :
       llvm::zip_equal(op.getDpsInputs(), schedule.pack)) {
    Type type = getElementTypeOrSelf(input.getType());
    bool isNarrow = (type.isInteger(8) && wide.isInteger(32)) ||
                    ((type.isBF16() || type.isF16()) && wide.isF32() &&
                     !schedule.dotOffset);
    // What is broadcast may be where it is.
    bool isLhs = input == op.getDpsInputs()[schedule.lhs];
    bool isInPlace = isLhs && schedule.dotRows == 1;
    if (!kind.isSum() || !(isPacked || isInPlace) || !isNarrow)
      return op.emitOpError("has an operand of ")
             << type << ", which its schedule's instruction does not multiply";
  }
  return success();
}

/// Whether panels as the schedule wants them can hold the operands, which are
/// extended to that. `kind` is the op's.
static LogicalResult checkOperands(linalg::LinalgOp op, ContractionKind kind,
                                   const Schedule &schedule) {
  Type wide = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  bool hasGroups = schedule.kPack > 1;
  if (isa<ComplexType>(wide) && !hasGroups &&
      llvm::all_of(op.getDpsInputs(), [&](Value input) {
        return getElementTypeOrSelf(input) == wide;
      }))
    return success();
  if (!wide.isIntOrFloat())
    return op.emitOpError("is not of numbers that panels hold");
  if (!schedule.dot.empty())
    return checkDotOperands(op, kind, schedule);
  unsigned bits = wide.getIntOrFloatBitWidth() / schedule.kPack;
  if (hasGroups && !(kind.isSum() && wide.isInteger() && bits % 8 == 0))
    return op.emitOpError("is not a sum of integers, which groups of k are "
                          "for");
  for (auto [number, input] : llvm::enumerate(op.getDpsInputs())) {
    // A group is of signed numbers.
    bool isSigned = kind.getCast(number) == linalg::TypeFn::cast_signed;
    unsigned widest = hasGroups && isSigned ? bits : bits - 1;
    bool isPacked = schedule.pack[number];
    Type type = getElementTypeOrSelf(input.getType());
    if (type == wide && !hasGroups)
      continue;
    if (!isPacked)
      return op.emitOpError("has an operand of ")
             << type << ", which only panels extend, and its schedule does not "
             << "pack it";
    if (isa<FloatType>(type) != isa<FloatType>(wide) ||
        type.getIntOrFloatBitWidth() > widest)
      return op.emitOpError("has an operand of ")
             << type << ", which its schedule's panels do not hold";
  }
  return success();
}

LogicalResult packOperands(RewriterBase &rewriter, linalg::LinalgOp op) {
  FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
  if (failed(schedule))
    return failure();
  std::optional<ContractionKind> kind = getContractionKind(op);
  if (!kind)
    return op.emitOpError("is not a contraction, which its schedule is for");
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (int64_t dim = 0, e = ranges.size(); dim < e; ++dim) {
    bool isBlocked =
        dim == schedule->m || dim == schedule->n || dim == schedule->k;
    if (!isBlocked && ranges[dim] != 1)
      return op.emitOpError("has dim d")
             << dim << " of extent other than 1, and its schedule is not to "
             << "block it; run `ein-tile-contractions` first";
    bool isPacked =
        (dim == schedule->m && schedule->pack[schedule->lhs]) ||
        (dim == schedule->n && schedule->pack[1 - schedule->lhs]) ||
        (dim == schedule->k && (schedule->pack[0] || schedule->pack[1]));
    if (isPacked && ShapedType::isDynamic(ranges[dim]) &&
        schedule->tile[dim] == 0)
      return op.emitOpError("has the dynamic dim d")
             << dim << ", and its schedule does not tile it";
  }
  if (failed(checkOperands(op, *kind, *schedule)))
    return failure();
  AffineMap output = op.getIndexingMapsArray()[2];
  if (!Packer::isBefore(output, schedule->m, schedule->n))
    return op.emitOpError("has dim n before dim m in its output");
  Packer(rewriter, op, *kind, *schedule).run(rewriter);
  return success();
}

namespace {
struct PackOperandsPass : impl::PackOperandsBase<PackOperandsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto op : collectWithSchedule<linalg::LinalgOp>(getOperation(),
                                                         Schedule::PackedGemm))
      if (failed(packOperands(rewriter, op)))
        return signalPassFailure();
    // B's panels do not change with the block of A: out of that loop with them.
    getOperation().walk(
        [](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
  }
};
} // namespace

} // namespace ein
