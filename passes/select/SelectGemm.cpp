//===- SelectGemm.cpp - Products of matrices in register tiles ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
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
//===----------------------------------------------------------------------===//

#include "passes/select/SelectGemm.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/SizeBounds.h"
#include "passes/select/SelectGroups.h"
#include "passes/select/SelectInPlace.h"
#include "target/Unroll.h"
#include <limits>

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

std::optional<Strategy> selectPackedGemm(linalg::LinalgOp op,
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

} // namespace ein
