//===- SelectStrategy.cpp - Decide how each op runs ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every question of profitability is answered here, from the roles of the dims
// and a description of the machine, and written on the op. No later pass looks
// at the machine, and none of them decides.
//
// A contraction with rows (a dim of one input and the output), columns (of the
// other input and the output) and a depth (reduced) is a matrix product inside
// loops over its other dims. Which of its dims are blocked:
//
//  * n is the output's last dim of the roles M and N. The input that has it is
//    the right-hand side, whichever was written first: C's tile is then read
//    and written along its contiguous dim, and never transposed.
//  * m is the largest dim of the other role, k the largest reduced one; a
//    dynamic dim counts as large.
//
// Contractions without rows or without columns (matrix times vector, dot) reuse
// nothing that packing could bring closer; they run as loops, and so does every
// op that is known to have no elements.
//
// What threads share is decided in SelectThreads.cpp.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectStrategy.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/SizeBounds.h"
#include "passes/analysis/VectorBody.h"
#include "passes/analysis/VectorForms.h"
#include "passes/schedule/DescribeNest.h"
#include "passes/schedule/DescribeStrategy.h"
#include "passes/schedule/Strategy.h"
#include "passes/select/Candidates.h"
#include "passes/select/Cost.h"
#include "passes/select/Passes.h"
#include "passes/select/ReportOrder.h"
#include "passes/select/SelectDots.h"
#include "passes/select/SelectGett.h"
#include "passes/select/SelectGroups.h"
#include "passes/select/SelectInPlace.h"
#include "passes/select/SelectReductions.h"
#include "passes/select/SelectRows.h"
#include "passes/select/SelectStreams.h"
#include "passes/select/SelectSymmetric.h"
#include "passes/select/SelectThreads.h"
#include "passes/select/SelectTranspose.h"
#include "passes/select/SelectWindows.h"
#include "target/Target.h"
#include "target/Unroll.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace ein {
#define GEN_PASS_DEF_SELECTSTRATEGY
#include "passes/select/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// The rows: the dim along which the left-hand side is contiguous, if that is
/// one of them and has enough; else the largest.
static int64_t getRows(linalg::LinalgOp op, int64_t lhs,
                       ArrayRef<DimRole> roles, ArrayRef<int64_t> sizes) {
  constexpr int64_t kEnough = 48;
  DimRole role = lhs == 0 ? DimRole::M : DimRole::N;
  int64_t largest = getLargest(roles, role, sizes);
  AffineMap map = op.getIndexingMapsArray()[lhs];
  int64_t last = getLastDim(map);
  if (largest < 0 || roles[last] != role)
    return largest;
  bool isEnough =
      ShapedType::isDynamic(sizes[last]) ||
      (sizes[last] > 1 &&
       (sizes[last] >= kEnough || (!ShapedType::isDynamic(sizes[largest]) &&
                                   sizes[last] >= sizes[largest] / 2)));
  return isEnough ? last : largest;
}

static std::optional<int64_t> getIfStatic(int64_t size) {
  return ShapedType::isDynamic(size) ? std::nullopt
                                     : std::optional<int64_t>(size);
}

/// Whether a slice of an operand along `blocked` dims, with extent 1 along all
/// others, does not show by its type which dims these are: `1 x 17 x 1` as `1 x
/// 17`. Of memrefs with dynamic strides upstream (22.1) then takes the wrong
/// ones.
static bool hidesUnitDim(AffineMap map, ArrayRef<int64_t> sizes,
                         ArrayRef<int64_t> blocked) {
  bool hasUnit = false, hasLater = false;
  for (AffineExpr expr : map.getResults()) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (!llvm::is_contained(blocked, dim)) {
      if (hasLater)
        return true;
    } else if (sizes[dim] == 1) {
      hasUnit = true;
    } else {
      hasLater |= hasUnit;
    }
  }
  return false;
}

/// Of the two inputs, which to pack. A panel is worth its copy if it is read
/// often enough, and the input is not in a near cache anyway; elements of
/// another type and rows of B that are not contiguous have to be packed.
static void selectPacking(linalg::LinalgOp op, const TargetInfo &target,
                          StringRef packing, Strategy &strategy) {
  // A copy costs about as much as this many passes of the register tiles.
  constexpr int64_t kPasses = 4, kPassesAcross = 16;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<int64_t> most = getLargestRanges(op);
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (strategy.kPack > 1)
    return;
  std::array<bool, 2> canBeInPlace = {true, true};
  auto needsPacking = [&](unsigned input, int64_t blocked, int64_t other,
                          int64_t tile) {
    AffineMap map = op.getIndexingMapsArray()[input];
    int64_t last = getLastDim(map);
    bool isReadable =
        last == blocked || (input == strategy.lhs && last == strategy.k);
    if (getElementTypeOrSelf(op.getDpsInputs()[input].getType()) != element ||
        !isReadable) {
      canBeInPlace[input] = false;
      return true;
    }
    if (packing == "first" || packing == "second")
      return (packing == "first") == (input == 0);
    if (packing != "auto" && packing != "rows")
      return packing == "always" || packing == "versions";
    if (!ShapedType::isDynamic(most[other]) && most[other] <= kPasses * tile)
      return false;
    if (input != strategy.lhs && isRhsStreamed(op, target, packing, strategy))
      return false;
    // Elements of A are broadcast one by one, from where they are as well as
    // from a panel, if neighbours in k lie side by side.
    if (input == strategy.lhs && last == strategy.k)
      return false;
    if (getMatrixBytes(op, {most[blocked], most[strategy.k]}) >
        target.l2Bytes / 2.0)
      return true;
    int64_t width = getScalarBytes(element);
    // Vectors that lie across cache lines are read as two, each time.
    bool isRow = input != strategy.lhs;
    bool isAligned = ShapedType::isDynamic(most[last]) ||
                     most[last] * width % (target.vectorBits / 8) == 0;
    return isRow && !isAligned &&
           (ShapedType::isDynamic(most[other]) ||
            most[other] > kPassesAcross * tile);
  };
  unsigned rhs = 1 - strategy.lhs;
  strategy.pack[strategy.lhs] =
      needsPacking(strategy.lhs, strategy.m, strategy.n, strategy.nr);
  strategy.pack[rhs] = needsPacking(rhs, strategy.n, strategy.m, strategy.mr);
  // Where that could not be told, the code tells.
  bool isDynamic =
      llvm::any_of(ArrayRef<int64_t>{sizes[strategy.m], sizes[strategy.n],
                                     sizes[strategy.k]},
                   ShapedType::isDynamic);
  bool canHaveVersions =
      packing == "auto" || packing == "rows" || packing == "versions";
  if (!canHaveVersions || !isDynamic || !canBeInPlace[0] || !canBeInPlace[1] ||
      (!strategy.pack[0] && !strategy.pack[1]))
    return;
  // For tests: either version has several register tiles then.
  constexpr int64_t kForced = 2048;
  strategy.inPlaceBytes = packing == "versions" ? kForced : target.l2Bytes / 2;
  if (!ShapedType::isDynamic(sizes[strategy.n]))
    return;
  // The last columns may be all that C has: one vector of them, and no more
  // rows than what keeps the multiply-adds busy. Their addresses then fit the
  // general registers.
  constexpr int64_t kSmallRows = 8;
  unsigned bits = getElementBits(op);
  int64_t rows = getIfStatic(sizes[strategy.m]).value_or(kSmallRows);
  MicroKernel small = getMicroKernels(target, bits, std::min(rows, kSmallRows),
                                      target.getLanes(bits), getNumSums(op))
                          .main;
  strategy.smallVersionMr = small.mr;
  strategy.smallVersionNr = small.getNr();
}

/// How many columns of B, `depth` long, fit half of L2; a multiple of `nr`.
static int64_t getNearColumns(const TargetInfo &target, unsigned bits,
                              int64_t nr, int64_t depth) {
  constexpr int64_t kLeastTiles = 4;
  int64_t columns = target.l2Bytes / 2 / (depth * (bits / 8));
  return std::max(columns / nr, kLeastTiles) * nr;
}

/// How the register tiles go over C, and the loop over k.
static void selectTileLoops(linalg::LinalgOp op, const TargetInfo &target,
                            StringRef packing, Strategy &strategy) {
  constexpr int64_t kShallow = 64, kDeep = 48, kStraight = 320, kAddresses = 8;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t m = sizes[strategy.m], n = sizes[strategy.n], k = sizes[strategy.k];
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  // C is written along its rows if B, which then passes by for each row of
  // tiles, is in a near cache, and little is computed for each element of C;
  // of many matrices all, as none of them is in a near cache when its turn
  // comes.
  ArrayRef<int64_t> result =
      cast<ShapedType>(op.getDpsInits()[0].getType()).getShape();
  bool isAlongRows = !ShapedType::isDynamic(k) && k <= kShallow &&
                     getMatrixBytes(op, {k, n}) <= target.l2Bytes / 4.0 &&
                     getMatrixBytes(op, result) > target.l2Bytes / 2.0;
  strategy.rowsFirst =
      strategy.kPack == 1 && (isAlongRows || packing == "rows");
  // A's panels are of one height, and so are rows of tiles.
  if (strategy.colRemainderNr &&
      (strategy.pack[strategy.lhs] || strategy.rowsFirst))
    strategy.colRemainderMr = strategy.mr;
  // What is short becomes one piece of code without a loop. Of integers LLVM
  // would reorder the sum, for which registers are too few; and where each row
  // of A needs an address of its own, because it may not be there, it does not
  // keep the steps apart.
  auto hasAddresses = [&](int64_t mr) {
    return mr <= kAddresses || (!ShapedType::isDynamic(m) && m % mr == 0);
  };
  int64_t vectors = llvm::divideCeil(
      strategy.nr, int64_t(target.getLanes(getElementBits(op))));
  // Along the rows of C, elements of A that have no loop to be in are kept, on
  // the stack, for all columns; and LLVM sees through a loop of two steps.
  int64_t most = getUnroll(target);
  int64_t steps = strategy.rowsFirst && k < 4 * most ? 2 : most;
  int64_t depth =
      ShapedType::isDynamic(k) ? k : llvm::divideCeil(k, strategy.kPack);
  bool isShort = !ShapedType::isDynamic(k) && depth > 1 &&
                 depth * strategy.mr * vectors * getNumSums(op) <= kStraight &&
                 !(strategy.rowsFirst && k > most);
  // An instruction for several steps is no sum to LLVM.
  bool keepsOrder =
      isa<FloatType, ComplexType>(element) || !strategy.dot.empty();
  if (keepsOrder && hasAddresses(strategy.mr) &&
      (strategy.colRemainderNr == 0 || hasAddresses(strategy.colRemainderMr)))
    strategy.unroll = isShort ? depth : steps;
  // Where C is not in L1, and there is time for it to come.
  strategy.prefetch = getMatrixBytes(op, {m, n}) > target.l1Bytes &&
                      (ShapedType::isDynamic(k) || k >= kDeep);
  strategy.prefetchDistance = getPrefetchDistance(op, target, strategy);
}

TileQuestion getTileQuestion(linalg::LinalgOp op, const Strategy &strategy) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return {getElementBits(op), getIfStatic(sizes[strategy.m]),
          getIfStatic(sizes[strategy.n]), getNumSums(op)};
}

static std::optional<Strategy> selectPackedGemm(linalg::LinalgOp op,
                                                const TargetInfo &target,
                                                const GivenChoices &given) {
  StringRef packing = given.packing;
  if (!isPackable(op))
    return std::nullopt;
  SmallVector<DimRole> roles = getRoles(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  AffineMap output = op.getIndexingMapsArray()[2];

  Strategy strategy;
  strategy.kind = Strategy::PackedGemm;
  for (AffineExpr expr : output.getResults()) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (roles[dim] == DimRole::M || roles[dim] == DimRole::N)
      strategy.n = dim;
  }
  if (strategy.n < 0)
    return std::nullopt;
  // The right-hand side is the input that has n.
  strategy.lhs = roles[strategy.n] == DimRole::N ? 0 : 1;
  strategy.m = getRows(op, strategy.lhs, roles, sizes);
  strategy.k = getLargest(roles, DimRole::K, sizes);
  if (strategy.m < 0 || strategy.k < 0)
    return std::nullopt;
  if (llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
        return hidesUnitDim(map, sizes, {strategy.m, strategy.n, strategy.k});
      }))
    return std::nullopt;

  unsigned bits = getElementBits(op);
  // Of a few tiles of rows the last one counts.
  bool hasLastRows = isRhsStreamed(op, target, packing, strategy);
  TileQuestion question = getTileQuestion(op, strategy);
  const DotProduct *product = selectGroups(op, target, strategy);
  bool isDot = product && !strategy.dot.empty();
  MicroKernels kernels;
  if (isDot)
    kernels =
        getMicroKernels(target, *product, question.rows, question.columns);
  else if (given.kernels)
    kernels = *given.kernels;
  else
    kernels = getMicroKernels(
        target, bits, question.rows, question.columns, question.sums,
        areRowsStreamed(op, target, packing, strategy), hasLastRows);
  MicroKernel kernel = kernels.main;
  strategy.mr = kernel.mr;
  strategy.nr = kernel.getNr();
  if (hasLastRows && sizes[strategy.m] > strategy.mr)
    strategy.rowRemainder = sizes[strategy.m] % strategy.mr;
  Blocking blocking = isDot
                          ? getBlocking(target, *product, kernel)
                          : getBlocking(target, bits / strategy.kPack, kernel);

  // A dim that fits in one block is not tiled; dims beside m, n and k are
  // loops. What is not packed needs no block for its panels.
  constexpr int64_t kWhole = std::numeric_limits<int64_t>::max();
  strategy.tile.assign(op.getNumLoops(), 1);
  auto block = [&](int64_t dim, int64_t size) {
    bool fits = !ShapedType::isDynamic(sizes[dim]) && sizes[dim] <= size;
    strategy.tile[dim] = fits || size == kWhole ? 0 : size;
  };
  selectPacking(op, target, packing, strategy);
  int64_t depth = getDepth(op, target, blocking, strategy);
  int64_t k = sizes[strategy.k];
  bool isBlockLarge =
      getMatrixBytes(op,
                     {getLargestRanges(op)[strategy.m],
                      ShapedType::isDynamic(k) ? depth : std::min(k, depth)}) >
      target.l2Bytes / 2.0;
  block(strategy.m,
        strategy.pack[strategy.lhs] || isBlockLarge ? blocking.mc : kWhole);
  // With all rows in one block, A stays where it is, and B's panels may have
  // the near cache. Of a dynamic number of rows there may be as few.
  int64_t nc = blocking.nc;
  if (strategy.tile[strategy.m] == 0 && !ShapedType::isDynamic(k))
    nc = std::min(nc, getNearColumns(target, bits, strategy.nr,
                                     std::min(k, blocking.kc)));
  else if (ShapedType::isDynamic(sizes[strategy.m]) &&
           !strategy.pack[strategy.lhs] && strategy.kPack == 1)
    nc = std::min(nc, getNearColumns(target, bits, strategy.nr, blocking.kc));
  block(strategy.n, strategy.pack[1 - strategy.lhs] ? nc : kWhole);
  block(strategy.k, depth);
  if (kernels.edge && strategy.tile[strategy.n] == 0) {
    strategy.colRemainderMr = kernels.edge->mr;
    strategy.colRemainderNr = kernels.edge->getNr();
  }
  selectTileLoops(op, target, packing, strategy);

  // Outside: dims that neither panel depends on the order of; then N, K, M, so
  // that B's panels are packed once per (N, K) and A's once per (N, K, M).
  auto append = [&](auto predicate) {
    for (int64_t dim = 0, e = roles.size(); dim < e; ++dim)
      if (predicate(dim))
        strategy.interchange.push_back(dim);
  };
  DimRole roleM = roles[strategy.m], roleN = roles[strategy.n];
  append([&](int64_t d) { return roles[d] == DimRole::Batch; });
  append([&](int64_t d) { return roles[d] == roleN && d != strategy.n; });
  append([&](int64_t d) { return d == strategy.n; });
  append([&](int64_t d) { return roles[d] == DimRole::K && d != strategy.k; });
  append([&](int64_t d) { return d == strategy.k; });
  append([&](int64_t d) { return roles[d] == roleM && d != strategy.m; });
  append([&](int64_t d) { return d == strategy.m; });
  return strategy;
}

/// The function of BLAS for a contraction of f32 or f64. Every matrix has to be
/// contiguous along one of the dims that the function has, which a contiguous
/// array is along its last.
static std::optional<Strategy> selectBlas(linalg::ContractOp op) {
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (!(element.isF32() || element.isF64()) ||
      llvm::any_of(op->getOperandTypes(), [&](Type type) {
        return getElementTypeOrSelf(type) != element;
      }))
    return std::nullopt;
  SmallVector<DimRole> roles = getRoles(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto hasRole = [&](int64_t dim, DimRole role) {
    return dim >= 0 && roles[dim] == role;
  };

  Strategy strategy;
  strategy.kind = Strategy::LibraryCall;
  strategy.k = getLargest(roles, DimRole::K, sizes);
  bool hasM = llvm::is_contained(roles, DimRole::M);
  bool hasN = llvm::is_contained(roles, DimRole::N);
  if (strategy.k < 0)
    return std::nullopt;
  if (!hasM && !hasN)
    return strategy;
  // As for packing, n is the output's last dim; with one kind of dim only, it
  // is called m, and the function is one of a matrix and a vector.
  if (hasM && hasN) {
    strategy.n = getLastDim(maps[2]);
    if (!hasRole(strategy.n, DimRole::M) && !hasRole(strategy.n, DimRole::N))
      return std::nullopt;
    strategy.lhs = roles[strategy.n] == DimRole::N ? 0 : 1;
  } else {
    strategy.lhs = hasM ? 0 : 1;
  }
  DimRole roleM = strategy.lhs == 0 ? DimRole::M : DimRole::N;
  // The last dims of the inputs decide for m and k.
  int64_t lhsLast = getLastDim(maps[strategy.lhs]),
          rhsLast = getLastDim(maps[1 - strategy.lhs]);
  strategy.m =
      hasRole(lhsLast, roleM) ? lhsLast : getLargest(roles, roleM, sizes);
  if (hasRole(lhsLast, DimRole::K))
    strategy.k = lhsLast;
  if (lhsLast != strategy.m && lhsLast != strategy.k)
    return std::nullopt;
  if (strategy.n >= 0 && rhsLast != strategy.n) {
    if (!hasRole(rhsLast, DimRole::K) ||
        (hasRole(lhsLast, DimRole::K) && rhsLast != lhsLast))
      return std::nullopt;
    strategy.k = rhsLast;
  }
  return strategy;
}

/// Of so many vectors, a row stays in registers.
static constexpr int64_t kShortRow = 8;

/// Elementwise ops whose every operand is contiguous along the output's last
/// dim, or does not have that dim.
static std::optional<Strategy> selectVectorize(linalg::GenericOp op,
                                               const TargetInfo &target,
                                               StringRef packing) {
  if (op.getNumLoops() == 0 || op.getNumReductionLoops() != 0 ||
      op.getNumDpsInits() != 1)
    return std::nullopt;
  // Where an element is, vectors have as numbers in a row.
  if (isOfComplex(op)) {
    if (!canBeVectors(op) ||
        !llvm::all_of(op->getOperands(), hasNeighboursTogether))
      return std::nullopt;
  } else {
    for (Operation &inner : op.getBody()->without_terminator())
      if (!isa<linalg::IndexOp>(inner) && !hasVectorForm(&inner))
        return std::nullopt;
  }
  AffineMap output = op.getIndexingMapsArray().back();
  if (!output.isPermutation())
    return std::nullopt;
  int64_t last = getLastDim(output);
  for (AffineMap map : op.getIndexingMapsArray()) {
    if (!isContiguousAlong(map, last))
      return std::nullopt;
  }
  int64_t lanes = target.getLanes(getPartBits(op));
  int64_t size = op.getStaticLoopRanges()[last];
  if (!ShapedType::isDynamic(size) && size < lanes) {
    // A function takes a few numbers as it takes a vector of them.
    if (size < 2 || !hasFormulas(op))
      return std::nullopt;
    lanes = size;
  } else if (hasFormulas(op)) {
    lanes *= getVectorsOfFormulas(size, lanes);
  }

  Strategy strategy;
  strategy.kind = Strategy::Vectorize;
  strategy.tile.assign(op.getNumLoops(), 1);
  strategy.tile[last] = lanes;
  strategy.vectorDim = last;
  strategy.masked = target.hasMasks(getNarrowestBits(op));
  strategy.streamBytes = getStreamBytes(op, target, packing);
  strategy.prefetch = readsNextRows(op, target);
  // A short row in a loop over rows: without a loop round its vectors LLVM sees
  // that they are read and written by others before and after, and keeps them.
  int64_t steps = ShapedType::isDynamic(size) ? 0 : size / lanes;
  if (op.getNumLoops() == 1 && op->getParentOfType<scf::ForOp>() && steps > 1 &&
      size <= kShortRow * target.getLanes(getPartBits(op)) &&
      strategy.streamBytes == 0)
    strategy.unroll = steps;
  for (AffineExpr expr : output.getResults())
    strategy.interchange.push_back(cast<AffineDimExpr>(expr).getPosition());
  return strategy;
}

/// A fill that whole registers hold: a register tile's, when canonicalisation
/// has pulled its padding through the fill of C.
static std::optional<Strategy> selectFill(linalg::FillOp op,
                                          const TargetInfo &target) {
  auto structured = cast<linalg::LinalgOp>(op.getOperation());
  SmallVector<int64_t> shape = structured.getStaticLoopRanges();
  int64_t lanes = target.getLanes(getElementBits(structured));
  // A reduction starts from the number.
  bool isStart = llvm::any_of(op->getUsers(), [](Operation *user) {
    auto generic = dyn_cast<linalg::GenericOp>(user);
    return generic && generic.getNumReductionLoops() != 0;
  });
  if (isStart || shape.empty() || ShapedType::isDynamicShape(shape) ||
      shape.back() % lanes != 0 ||
      ShapedType::getNumElements(shape) > lanes * target.vectorRegisters)
    return std::nullopt;
  Strategy strategy;
  strategy.kind = Strategy::Vectorize;
  strategy.tile.assign(shape.size(), 0);
  strategy.vectorDim = shape.size() - 1;
  return strategy;
}

/// What is elementwise, what is moved, and what is reduced, without tiles. Of
/// complex numbers that is all but the factors of contractions.
static Strategy selectVectors(linalg::LinalgOp op, const TargetInfo &target,
                              StringRef packing) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    if (std::optional<Strategy> strategy =
            selectVectorize(generic, target, packing))
      return *strategy;
  if (std::optional<Strategy> strategy = selectTranspose(op, target, packing))
    return *strategy;
  if (std::optional<Strategy> strategy = selectReduction(op, target))
    return *strategy;
  return Strategy();
}

Strategy selectStrategy(linalg::LinalgOp op, const TargetInfo &target,
                        const GivenChoices &given) {
  StringRef packing = given.packing;
  // Tiles and packs are made of tensors, and vectors of what takes bytes: those
  // of single bits are packed, arrays of them are not.
  auto hasVectors = [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    if (isa<ComplexType>(element))
      return isa<linalg::ContractOp>(op.getOperation()) ||
             (isa<linalg::GenericOp, linalg::TransposeOp>(op.getOperation()) &&
              hasVectorsOf(element));
    return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
  };
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if ((generic && generic.getLibraryCall()) || !op.hasPureTensorSemantics() ||
      !llvm::all_of(op->getOperandTypes(), hasVectors))
    return Strategy();
  // Nothing to compute, and nothing that upstream's tiling could divide.
  if (llvm::is_contained(op.getStaticLoopRanges(), 0))
    return Strategy();
  if (isOfComplex(op) && !isa<linalg::ContractOp>(op.getOperation()))
    return selectVectors(op, target, packing);
  if (auto fill = dyn_cast<linalg::FillOp>(op.getOperation()))
    if (std::optional<Strategy> strategy = selectFill(fill, target))
      return *strategy;
  if (auto contract = dyn_cast<linalg::ContractOp>(op.getOperation());
      contract && given.useBlas)
    if (std::optional<Strategy> strategy = selectBlas(contract))
      return *strategy;
  if (std::optional<Strategy> strategy = selectDot(op, target, packing))
    return *strategy;
  if ((packing == "auto" || packing == "always") &&
      !op->hasAttr(EinDialect::kPackedTensorsAttr))
    if (std::optional<Strategy> strategy =
            selectGett(op, target, /*isForced=*/packing == "always"))
      return *strategy;
  if (std::optional<Strategy> strategy = selectPackedGemm(op, target, given)) {
    strategy->symmetric = selectSymmetric(op, *strategy, packing);
    if (strategy->symmetric != 0)
      strategy->rowRemainder = 0;
    return *strategy;
  }
  if (std::optional<Strategy> strategy = selectWindow(op, target))
    return *strategy;
  if (generic && succeeded(matchEpilogue(generic))) {
    Strategy strategy;
    strategy.kind = Strategy::Epilogue;
    return strategy;
  }
  return selectVectors(op, target, packing);
}

static remark::RemarkOpts getRemark(StringRef name, StringRef category) {
  return remark::RemarkOpts::name(name).category(category);
}

/// Says what was decided: in a sentence, and as facts for who draws it.
static void reportStrategy(linalg::LinalgOp op, const Strategy &strategy,
                           const TargetInfo &target) {
  if (!op.getContext()->getRemarkEngine() ||
      isa<linalg::FillOp>(op.getOperation()))
    return;
  using Fact = remark::detail::Remark::Arg;
  auto result =
      remark::analysis(op.getLoc(), getRemark("Strategy", "strategy"));
  if (!result)
    return;
  result << describeStrategy(op, strategy)
         << Fact("op", op->getName().getStringRef())
         << Fact("nest", describeNest(op, strategy));
  // Its parts take all of it.
  if (strategy.kind == Strategy::SplitSum || strategy.kind == Strategy::Gett)
    return;
  bool isFused =
      strategy.kind == Strategy::Rows || strategy.kind == Strategy::Epilogue;
  OpCost cost = computeCost(op, strategy, target);
  auto print = [](double number) {
    return llvm::formatv("{0:f1}", number).str();
  };
  result << Fact("class", cost.opClass)
         << Fact("operations", print(cost.operations))
         << Fact("moved_bytes", print(cost.movedBytes))
         << Fact("panel_bytes", print(cost.panelBytes))
         << Fact("array_bytes", print(cost.arrayBytes))
         << Fact("element_bits", cost.elementBits)
         << Fact("level", cost.level.name)
         << Fact("computing_cycles", print(cost.computingCycles))
         << Fact("moving_cycles", print(cost.movingCycles))
         << Fact("assumed", cost.hasDynamicSizes) << Fact("fused", isFused);
}

/// Says what was decided, and what it costs; of a sum that is split, its parts
/// are to say that.
static void report(linalg::LinalgOp op, const Strategy &strategy,
                   const TargetInfo &target) {
  if (!op.getContext()->getRemarkEngine() ||
      isa<linalg::FillOp>(op.getOperation()))
    return;
  reportStrategy(op, strategy, target);
  if (strategy.kind != Strategy::SplitSum && strategy.kind != Strategy::Gett)
    remark::analysis(op.getLoc(), getRemark("Cost", "cost"))
        << computeCost(op, strategy, target).describe();
}

/// Lists the ways in which the op could run, as facts for a tuner.
static void reportCandidates(linalg::LinalgOp op, const TargetInfo &target,
                             const GivenChoices &given) {
  if (!op.getContext()->getRemarkEngine() ||
      isa<linalg::FillOp>(op.getOperation()))
    return;
  using Fact = remark::detail::Remark::Arg;
  auto result =
      remark::analysis(op.getLoc(), getRemark("Candidates", "candidates"));
  if (!result)
    return;
  result << Fact("key", describeKey(op));
  for (const Candidate &candidate : collectCandidates(op, target, given)) {
    std::string text;
    llvm::raw_string_ostream(text)
        << candidate.strategy.toAttr(op.getContext());
    result << Fact("strategy", text)
           << Fact("says", describeStrategy(op, candidate.strategy))
           << Fact("cycles",
                   candidate.cost
                       ? llvm::formatv("{0:f0}", candidate.cost->cycles).str()
                       : std::string());
  }
}

/// The strategy that was measured to be the fastest for ops such as this one.
/// Says whether that is one of its candidates; any other could be wrong.
static std::optional<Strategy> findTuned(linalg::LinalgOp op,
                                         const TargetInfo &target,
                                         const GivenChoices &given) {
  auto module = op->getParentOfType<ModuleOp>();
  auto schedules =
      module ? module->getAttrOfType<DictionaryAttr>(EinDialect::kSchedulesAttr)
             : DictionaryAttr();
  if (!schedules)
    return std::nullopt;
  std::string key = describeKey(op);
  Attribute wanted = schedules.get(key);
  if (!wanted)
    return std::nullopt;
  std::vector<Candidate> candidates = collectCandidates(op, target, given);
  auto found = llvm::find_if(candidates, [&](const Candidate &candidate) {
    return candidate.strategy.toAttr(op.getContext()) == wanted;
  });
  using Fact = remark::detail::Remark::Arg;
  if (op.getContext()->getRemarkEngine())
    if (auto result =
            remark::analysis(op.getLoc(), getRemark("Tuned", "tuned")))
      result << Fact("key", key) << Fact("fits", found != candidates.end());
  if (found == candidates.end())
    return std::nullopt;
  return found->strategy;
}

namespace {
struct SelectStrategyPass : impl::SelectStrategyBase<SelectStrategyPass> {
  using SelectStrategyBase::SelectStrategyBase;
  void runOnOperation() override {
    if (!known) {
      llvm::Expected<TargetInfo> found =
          triple.empty() && cpu.empty() && features.empty() && sveBits == 0
              ? getHostTarget()
              : getTarget(triple, cpu, features, sveBits);
      if (!found) {
        getOperation().emitError() << llvm::toString(found.takeError());
        return signalPassFailure();
      }
      if (!machine.empty()) {
        llvm::Expected<MachineModel> model = readMachineFile(machine);
        if (!model) {
          getOperation().emitError() << llvm::toString(model.takeError());
          return signalPassFailure();
        }
        useMachine(*found, *model);
      }
      known = std::move(*found);
    }
    TargetInfo target = *known;
    if (library != "none" && library != "blas") {
      getOperation().emitError("there is no library `") << library << "`";
      return signalPassFailure();
    }
    if (columnBlock < 0) {
      getOperation().emitError("a block of columns is not ")
          << int64_t(columnBlock);
      return signalPassFailure();
    }
    if (failed(checkChoice("packing", packing,
                           {"auto", "always", "never", "first", "second",
                            "rows", "versions", "dots"})) ||
        failed(checkChoice("threads", threads, {"auto", "always", "outside"})))
      return signalPassFailure();
    reportOrder(getOperation());
    // However little there is for threads to do.
    if (threads != "auto")
      target.parallelMultiplyAdds = target.parallelPoints = 1;
    if (vectorize)
      for (linalg::LinalgOp op :
           selectRows(getOperation(), target, parallel, columnBlock))
        reportStrategy(op, *Strategy::fromOp(op, op.getNumLoops()), target);
    WalkResult result = getOperation().walk([&](linalg::LinalgOp op) {
      if (op->hasAttr(EinDialect::kStrategyAttr))
        return WalkResult(Strategy::fromOp(op, op.getNumLoops()));
      Strategy strategy;
      if (vectorize) {
        GivenChoices given = {library == "blas", packing, std::nullopt};
        reportCandidates(op, target, given);
        std::optional<Strategy> tuned = findTuned(op, target, given);
        strategy = tuned ? *tuned : selectStrategy(op, target, given);
      }
      if (parallel)
        selectThreads(op, target, splits, threads == "outside", strategy);
      // Threads share all of C's tiles, or none.
      if (strategy.parallelDim >= 0)
        strategy.symmetric = 0;
      report(op, strategy, target);
      op->setAttr(EinDialect::kStrategyAttr, strategy.toAttr(&getContext()));
      op->removeAttr(EinDialect::kPackedTensorsAttr);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// The machine, which is looked up once for all functions: its instructions
  /// are tables of LLVM's.
  std::optional<TargetInfo> known;

  LogicalResult checkChoice(StringRef option, StringRef value,
                            ArrayRef<StringRef> choices) {
    if (llvm::is_contained(choices, value))
      return success();
    return getOperation().emitError()
           << option << " is `" << llvm::join(choices.drop_back(), "`, `")
           << "` or `" << choices.back() << "`, not `" << value << "`";
  }
};
} // namespace

} // namespace ein
