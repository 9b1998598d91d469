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
// Which of the inputs are packed, the register tile, the order in which tiles
// go over C and how large the blocks are is what the model of the machine says
// takes least (PriceSchedule.h), of the ways that are listed here: first each
// packing with each tile, then of the best of these other blocks.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectGemm.h"
#include "abi/CacheLine.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/select/PriceSchedule.h"
#include "passes/select/SelectGroups.h"
#include "passes/select/SelectInPlace.h"
#include "passes/select/SelectSymmetric.h"
#include "target/SumRegisters.h"
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

namespace {

/// What is free to choose.
struct GemmChoice {
  MicroKernels kernels;
  std::array<bool, 2> pack = {true, true}; // per input
  bool rowsFirst = false;
  bool hasLastRows = false; // a tile of its own
  int64_t symmetric = 0;
};

class GemmLister {
public:
  GemmLister(linalg::LinalgOp op, const TargetInfo &target,
             const GivenChoices &given)
      : op(op), target(target), given(given) {}

  std::vector<Candidate> list();

private:
  bool findDims();
  bool hasGroupsInPlace(unsigned input);
  /// Of a dynamic dim what is assumed, if something is.
  int64_t getExtent(int64_t dim) {
    return ShapedType::isDynamic(sizes[dim]) && !given.assumed.empty()
               ? given.assumed.front()[dim]
               : sizes[dim];
  }
  bool mustPack(unsigned input);
  bool isShallow();
  bool areRowsFar(std::array<bool, 2> pack);
  SmallVector<std::array<bool, 2>> getPackings();
  std::vector<MicroKernels> getKernels();
  int64_t getStepOfK(const Schedule &schedule);
  void selectLastColumns(Schedule &schedule);
  Schedule make(const GemmChoice &choice);
  void addNear(const MicroKernels &kernels);
  void add(const Schedule &schedule);
  void addBlocks(const Schedule &way, int64_t dim, ArrayRef<int64_t> blocks);
  void addVariants(const Schedule &way);
  void addWays(const MicroKernels &kernels, std::array<bool, 2> pack,
               bool rowsFirst);
  void addAll();

  linalg::LinalgOp op;
  const TargetInfo &target;
  const GivenChoices &given;
  SmallVector<int64_t> sizes;
  SmallVector<DimRole> roles;
  unsigned bits = 0;
  /// The dims, and how elements of k are grouped.
  Schedule base;
  std::optional<DotProduct> product;
  Symmetric symmetric = Symmetric::Never;
  std::optional<OpPricer> pricer;
  std::vector<Candidate> candidates;
};

} // namespace

/// Whether the groups of A are where they are in memory, and are what the
/// instruction takes: an element of 32 bits to be broadcast.
bool GemmLister::hasGroupsInPlace(unsigned input) {
  return int64_t(input) == base.lhs && !base.dot.empty() && base.dotRows == 1 &&
         !base.dotScalable &&
         getLastDim(op.getIndexingMapsArray()[input]) == base.k;
}

/// Elements of another type, and rows that are not contiguous, have to be
/// packed.
bool GemmLister::mustPack(unsigned input) {
  if (base.kPack > 1)
    return !hasGroupsInPlace(input);
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  int64_t last = getLastDim(op.getIndexingMapsArray()[input]);
  int64_t blocked = int64_t(input) == base.lhs ? base.m : base.n;
  bool isReadable =
      last == blocked || (int64_t(input) == base.lhs && last == base.k);
  return !isReadable ||
         getElementTypeOrSelf(op.getDpsInputs()[input].getType()) != element;
}

/// Whether C may be written along its rows, B passing by for each row of tiles:
/// where little is computed for each element of it. The loop over columns is
/// the inner one then, and LLVM keeps what it can of A for all of it.
bool GemmLister::isShallow() {
  int64_t k = getExtent(base.k);
  bool hasGroups = base.kPack > 1;
  if (hasGroups && !hasGroupsInPlace(base.lhs))
    return false;
  return (given.packing == "rows" && !hasGroups) ||
         (!ShapedType::isDynamic(k) && k <= kShallowSum);
}

/// Whether A is read where it is, row beside row, and comes from memory or the
/// last cache.
bool GemmLister::areRowsFar(std::array<bool, 2> pack) {
  return !pack[base.lhs] &&
         getLastDim(op.getIndexingMapsArray()[base.lhs]) == base.k &&
         getMatrixBytes(op, {getExtent(base.m), getExtent(base.k)}) >
             double(target.getNearBytes());
}

/// Per input: what the user asks for, or each way that there is. Elements of A
/// are broadcast one by one, from where they are as well as from a panel, if
/// neighbours in k lie side by side.
SmallVector<std::array<bool, 2>> GemmLister::getPackings() {
  SmallVector<std::array<bool, 2>> packings;
  StringRef packing = given.packing;
  for (bool first : {false, true})
    for (bool second : {false, true}) {
      std::array<bool, 2> pack = {first, second};
      bool isWanted = true;
      for (unsigned input : {0, 1}) {
        bool isLhs = int64_t(input) == base.lhs;
        bool isAlong =
            isLhs && getLastDim(op.getIndexingMapsArray()[input]) == base.k;
        bool isForced = packing != "auto" && packing != "rows";
        bool wanted = packing == "always" || packing == "versions" ||
                      (packing == "first" && input == 0) ||
                      (packing == "second" && input == 1);
        if (mustPack(input))
          isWanted &= pack[input];
        else if (isForced)
          isWanted &= pack[input] == wanted;
        else if (isAlong && base.kPack == 1)
          isWanted &= !pack[input];
      }
      if (isWanted)
        packings.push_back(pack);
    }
  return packings;
}

/// Whether the rows are those of a block, as attention takes them, which it is
/// not known how many the last one has. There are several tiles of k steps each
/// time, beside which addresses for each row are nothing; and a whole block has
/// a tile of last rows as well.
static bool hasBlockOfRows(linalg::LinalgOp op, const Schedule &schedule) {
  Value init = op.getDpsInits()[0];
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  std::optional<unsigned> axis =
      map.getResultPosition(getAffineDimExpr(schedule.m, op.getContext()));
  return axis && cast<ShapedType>(init.getType()).isDynamicDim(*axis) &&
         succeeded(ValueBoundsConstraintSet::computeConstantBound(
             presburger::BoundType::UB, {init, int64_t(*axis)}));
}

/// Nothing packed, and no blocks: what is near passes by fast enough along the
/// rows of C, which may be much larger.
void GemmLister::addNear(const MicroKernels &kernels) {
  GemmChoice choice;
  choice.kernels = kernels;
  choice.pack = {false, false};
  Schedule schedule = make(choice);
  schedule.rowsFirst = true;
  schedule.clampRows = hasBlockOfRows(op, schedule);
  for (int64_t dim : {schedule.m, schedule.n, schedule.k})
    schedule.tile[dim] = 0;
  add(schedule);
  if (!ShapedType::isDynamic(sizes[schedule.n]))
    return;
  // The last columns may be all that C has: one vector of them, and no more
  // rows than what keeps the multiply-adds busy. Their addresses then fit the
  // general registers.
  int64_t rows = getIfStatic(sizes[schedule.m]).value_or(kAddressesAtOnce);
  MicroKernel small =
      getMicroKernels(target, bits, std::min(rows, kAddressesAtOnce),
                      target.getLanes(bits), getNumSums(op))
          .main;
  schedule.colRemainderMr = small.mr;
  schedule.colRemainderNr = small.getNr();
  add(schedule);
}

/// How many columns of B, `depth` long, fit half of L2; a multiple of `nr`.
static int64_t getNearColumns(const TargetInfo &target, unsigned bits,
                              int64_t nr, int64_t depth) {
  int64_t columns = target.getNearBytes() / (depth * (bits / 8));
  return std::max<int64_t>(columns / nr, 1) * nr;
}

/// How the register tiles go over C, and the loop over k.
static void selectTileLoops(linalg::LinalgOp op, const TargetInfo &target,
                            Schedule &schedule) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t m = sizes[schedule.m], n = sizes[schedule.n], k = sizes[schedule.k];
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  // A's panels are of one height, and so are rows of tiles.
  if (schedule.colRemainderNr &&
      (schedule.pack[schedule.lhs] || schedule.rowsFirst))
    schedule.colRemainderMr = schedule.mr;
  // What is short becomes one piece of code without a loop. Of integers LLVM
  // would reorder the sum, for which registers are too few; and where each row
  // of A needs an address of its own, because it may not be there, it does not
  // keep the steps apart.
  // An open number of rows in blocks takes one of the registers: in tiles of 8
  // by 32 LLVM then loads A's numbers of four steps first, and moves vectors.
  int64_t numAddresses = kAddressesAtOnce;
  if (ShapedType::isDynamic(m) && schedule.tile[schedule.m] != 0)
    --numAddresses;
  auto hasAddresses = [&](int64_t mr) {
    return mr <= numAddresses || (!ShapedType::isDynamic(m) && m % mr == 0);
  };
  int64_t vectors = llvm::divideCeil(
      schedule.nr, int64_t(target.getLanes(getElementBits(op))));
  // Along the rows of C, elements of A that have no loop to be in are kept, on
  // the stack, for all columns; and LLVM sees through a loop of two steps.
  int64_t most = getUnroll(target);
  int64_t depth =
      ShapedType::isDynamic(k) ? k : llvm::divideCeil(k, schedule.kPack);
  bool isLittle = schedule.rowsFirst && depth < 4 * most;
  int64_t steps = isLittle ? 2 : most;
  // Of few steps, or where each of A's elements is multiplied once, LLVM loads
  // what they multiply before it is needed: B's vectors of two steps, and A's
  // elements of one. Sums that have no registers beside these would go through
  // memory.
  int64_t sums = schedule.mr * vectors * getNumSums(op);
  if (schedule.rowsFirst && (isLittle || vectors == 1) &&
      !fitsRegisters(target, {sums, /*vectors=*/1, /*isTracked=*/false,
                              /*held=*/2 * vectors + schedule.mr}))
    steps = 1;
  bool isShort = !ShapedType::isDynamic(k) && depth > 1 &&
                 depth * sums <= kStraightMultiplyAdds &&
                 !(schedule.rowsFirst && k > most);
  // An instruction for several steps is no sum to LLVM.
  bool keepsOrder =
      isa<FloatType, ComplexType>(element) || !schedule.dot.empty();
  schedule.unroll = 1;
  if (keepsOrder && hasAddresses(schedule.mr) &&
      (schedule.colRemainderNr == 0 || hasAddresses(schedule.colRemainderMr)))
    schedule.unroll = isShort ? depth : steps;
  // A step of tiles is many vectors long, and has registers for no other.
  if (schedule.hasTiles()) {
    schedule.unroll = 1;
    return;
  }
  // Where C is not in L1, and there is time for it to come.
  double sumCycles = double(depth * schedule.mr * vectors * getNumSums(op)) /
                     double(target.machine.fmas);
  schedule.prefetch = getMatrixBytes(op, {m, n}) > target.l1Bytes &&
                      (ShapedType::isDynamic(k) ||
                       sumCycles >= double(target.machine.memory.latency));
  schedule.prefetchDistance = getPrefetchDistance(op, target, schedule);
}

bool GemmLister::findDims() {
  if (!isPackable(op))
    return false;
  sizes = op.getStaticLoopRanges();
  roles = getRoles(op);
  bits = getElementBits(op);
  AffineMap output = op.getIndexingMapsArray()[2];
  base.kind = Schedule::PackedGemm;
  for (AffineExpr expr : output.getResults()) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (roles[dim] == DimRole::M || roles[dim] == DimRole::N)
      base.n = dim;
  }
  if (base.n < 0)
    return false;
  // The right-hand side is the input that has n.
  base.lhs = roles[base.n] == DimRole::N ? 0 : 1;
  base.m = getRows(op, base.lhs, roles, sizes);
  base.k = getLargest(roles, DimRole::K, sizes);
  if (base.m < 0 || base.k < 0)
    return false;
  if (llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
        return hidesUnitDim(map, sizes, {base.m, base.n, base.k});
      }))
    return false;

  // Outside: dims that neither panel depends on the order of; then N, K, M, so
  // that B's panels are packed once per (N, K) and A's once per (N, K, M).
  auto append = [&](auto predicate) {
    for (int64_t dim = 0, e = roles.size(); dim < e; ++dim)
      if (predicate(dim))
        base.interchange.push_back(dim);
  };
  DimRole roleM = roles[base.m], roleN = roles[base.n];
  append([&](int64_t d) { return roles[d] == DimRole::Batch; });
  append([&](int64_t d) { return roles[d] == roleN && d != base.n; });
  append([&](int64_t d) { return d == base.n; });
  append([&](int64_t d) { return roles[d] == DimRole::K && d != base.k; });
  append([&](int64_t d) { return d == base.k; });
  append([&](int64_t d) { return roles[d] == roleM && d != base.m; });
  append([&](int64_t d) { return d == base.m; });
  return true;
}

std::vector<MicroKernels> GemmLister::getKernels() {
  std::optional<int64_t> rows = getIfStatic(sizes[base.m]),
                         columns = getIfStatic(sizes[base.n]);
  if (product && !base.dot.empty())
    return {getMicroKernels(target, *product, rows, columns)};
  unsigned sums = getNumSums(op);
  // The model knows nothing of groups yet.
  if (base.kPack > 1 || given.isQuick)
    return {getMicroKernels(target, bits, rows, columns, sums)};
  std::vector<MicroKernels> kernels =
      getAllMicroKernels(target, bits, rows, columns, sums);
  if (kernels.empty())
    kernels.push_back(getMicroKernels(target, bits, rows, columns, sums));
  return kernels;
}

/// What blocks of k are multiples of: a cache line of an operand that lies
/// along k, which is transposed at a time.
int64_t GemmLister::getStepOfK(const Schedule &schedule) {
  return std::max<int64_t>(getElementsPerLine(bits), schedule.kPack);
}

/// Without mask registers masks are vectors, and may be slow to write under:
/// only the last columns have them. A block that is cut off has such columns
/// as well, for all that anybody knows. With mask registers, loads of a B in
/// place are slower under masks if it is far away; small products of open sizes
/// are slower with a loop more.
void GemmLister::selectLastColumns(Schedule &schedule) {
  int64_t columns = sizes[schedule.n], block = schedule.tile[schedule.n];
  bool isDynamic = ShapedType::isDynamic(columns);
  bool isEven = !isDynamic && columns % schedule.nr == 0;
  if (isEven)
    schedule.colRemainderMr = schedule.colRemainderNr = 0;
  bool isCut = !isDynamic && block != 0 && columns % block != 0;
  bool isMaskCheap =
      target.maskedOps && (schedule.pack[1 - schedule.lhs] || isDynamic);
  if (schedule.colRemainderNr != 0 || isMaskCheap || (isEven && !isCut) ||
      (!isDynamic && columns <= schedule.nr))
    return;
  schedule.colRemainderMr = schedule.mr;
  schedule.colRemainderNr = schedule.nr;
}

Schedule GemmLister::make(const GemmChoice &choice) {
  Schedule schedule = base;
  bool isDot = product && !schedule.dot.empty();
  MicroKernel kernel = choice.kernels.main;
  schedule.mr = kernel.mr;
  schedule.nr = kernel.getNr();
  schedule.pack = choice.pack;
  // What is packed and lies along the sums is transposed by squares.
  for (auto [isPacked, map] :
       llvm::zip(schedule.pack, op.getIndexingMapsArray()))
    if (isPacked && getLastDim(map) == schedule.k)
      schedule.lanes = target.getLanes(bits);
  schedule.rowsFirst = choice.rowsFirst;
  if (choice.hasLastRows)
    schedule.rowRemainder = sizes[schedule.m] % schedule.mr;
  Blocking blocking =
      isDot ? getBlocking(target, *product, kernel, getIfStatic(sizes[base.k]))
            : getBlocking(target, bits / schedule.kPack, kernel);

  // A dim that fits in one block is not tiled; dims beside m, n and k are
  // loops. What is not packed needs no block for its panels.
  constexpr int64_t kWhole = std::numeric_limits<int64_t>::max();
  schedule.tile.assign(op.getNumLoops(), 1);
  auto block = [&](int64_t dim, int64_t size, int64_t step) {
    bool isDynamic = ShapedType::isDynamic(sizes[dim]);
    bool fits = !isDynamic && sizes[dim] <= size;
    if (fits || size == kWhole) {
      schedule.tile[dim] = 0;
      return;
    }
    size = std::max(size / step, int64_t(1)) * step;
    schedule.tile[dim] =
        isDynamic ? size : getEvenBlock(sizes[dim], size, step);
  };
  int64_t k = sizes[schedule.k];
  block(schedule.m, schedule.pack[schedule.lhs] ? blocking.mc : kWhole,
        schedule.mr);
  // With all rows in one block, A stays where it is, and B's panels may have
  // the near cache. Of a dynamic number of rows there may be as few.
  int64_t nc = blocking.nc;
  if (schedule.tile[schedule.m] == 0 && !ShapedType::isDynamic(k))
    nc = std::min(nc, getNearColumns(target, bits, schedule.nr,
                                     std::min(k, blocking.kc)));
  else if (ShapedType::isDynamic(sizes[schedule.m]) &&
           !schedule.pack[schedule.lhs])
    nc = std::min(nc, getNearColumns(target, bits, schedule.nr,
                                     blocking.kc / schedule.kPack));
  block(schedule.n, schedule.pack[1 - schedule.lhs] ? nc : kWhole, schedule.nr);
  block(schedule.k, blocking.kc, getStepOfK(schedule));
  if (choice.kernels.edge && schedule.tile[schedule.n] == 0) {
    schedule.colRemainderMr = choice.kernels.edge->mr;
    schedule.colRemainderNr = choice.kernels.edge->getNr();
  }
  selectLastColumns(schedule);
  selectTileLoops(op, target, schedule);
  schedule.symmetric = choice.symmetric;
  return schedule;
}

void GemmLister::add(const Schedule &schedule) {
  assert(schedule.tile[schedule.m] % schedule.mr == 0 &&
         schedule.tile[schedule.n] % schedule.nr == 0 &&
         schedule.tile[schedule.k] % schedule.kPack == 0 &&
         "blocks are whole tiles");
  candidates.push_back({schedule, pricer->price(schedule)});
}

/// The dim in other blocks; how far ahead B is fetched depends on them.
void GemmLister::addBlocks(const Schedule &way, int64_t dim,
                           ArrayRef<int64_t> blocks) {
  Schedule schedule = way;
  for (int64_t block : blocks) {
    schedule.tile[dim] = block;
    if (dim == way.n)
      selectLastColumns(schedule);
    if (dim == way.m) {
      selectTileLoops(op, target, schedule);
      schedule.prefetch = way.prefetch;
    }
    schedule.prefetchDistance = getPrefetchDistance(op, target, schedule);
    add(schedule);
  }
}

void GemmLister::addVariants(const Schedule &way) {
  auto addOthers = [&](int64_t dim, int64_t step) {
    addBlocks(way, dim, getOtherBlocks(sizes[dim], way.tile[dim], step));
  };
  Schedule other = way;
  other.prefetch = !way.prefetch;
  add(other);
  addOthers(way.k, getStepOfK(way));
  // A B that is read where it is may be so in short blocks.
  MicroKernel kernel = {unsigned(way.mr), 1, unsigned(way.nr)};
  Blocking most = getBlocking(target, bits, kernel);
  if (!way.pack[1 - way.lhs])
    addBlocks(way, way.k,
              getBlockLadder(sizes[way.k], getStepOfK(way), most.kc));
  // Rows that are not packed are cut where all of them are too many to stay.
  int64_t depth = way.tile[way.k] ? way.tile[way.k] : getExtent(way.k);
  if (way.tile[way.m] != 0) {
    addOthers(way.m, way.mr);
  } else if (getMatrixBytes(op, {getExtent(way.m), depth}) >
                 double(target.getNearBytes()) &&
             (ShapedType::isDynamic(sizes[way.m]) || sizes[way.m] > most.mc)) {
    addBlocks(way, way.m, most.mc);
  }
  if (way.pack[1 - way.lhs])
    addOthers(way.n, way.nr);
}

/// With each packing and tile.
void GemmLister::addWays(const MicroKernels &kernels, std::array<bool, 2> pack,
                         bool rowsFirst) {
  GemmChoice choice = {kernels, pack, rowsFirst};
  if (areRowsFar(pack)) {
    choice.kernels.main.mr = std::min(kernels.main.mr, target.rowStreams);
    if (kernels.edge)
      choice.kernels.edge->mr = std::min(kernels.edge->mr, target.rowStreams);
  }
  int64_t rows = sizes[base.m], mr = choice.kernels.main.mr;
  bool isOpen = llvm::any_of(
      ArrayRef<int64_t>{sizes[base.m], sizes[base.n], sizes[base.k]},
      ShapedType::isDynamic);
  if (isOpen && !pack[0] && !pack[1] && !rowsFirst && base.kPack == 1)
    addNear(choice.kernels);
  if (given.packing == "near")
    return;
  if (symmetric != Symmetric::Always)
    add(make(choice));
  // Of a few tiles of rows the last one counts.
  bool areInPlace = !pack[base.lhs] && (base.kPack > 1 || !pack[1 - base.lhs]);
  if (symmetric != Symmetric::Always && areInPlace && !rowsFirst &&
      getNumSums(op) == 1 && !ShapedType::isDynamic(rows) && rows > mr &&
      rows % mr != 0) {
    choice.hasLastRows = true;
    add(make(choice));
    choice.hasLastRows = false;
  }
  if (symmetric != Symmetric::Never)
    for (int64_t square : Listed::kSquares) {
      choice.symmetric = square;
      add(make(choice));
    }
}

/// Of the instruction that `base` has.
void GemmLister::addAll() {
  std::vector<MicroKernels> allKernels = getKernels();
  bool canGoAlongRows = isShallow();
  for (std::array<bool, 2> pack : getPackings())
    for (bool rowsFirst : {false, true}) {
      bool isForced = given.packing == "rows" && canGoAlongRows;
      if (rowsFirst ? !canGoAlongRows : isForced)
        continue;
      for (const MicroKernels &kernels : allKernels)
        addWays(kernels, pack, rowsFirst);
    }
  sortByPrice(candidates);
  bool isVaried = base.kPack == 1 && given.packing != "near" && !given.isQuick;
  size_t numVaried =
      isVaried ? std::min(Listed::kVaried, candidates.size()) : 0;
  for (size_t i = 0; i < numVaried; ++i)
    addVariants(Schedule(candidates[i].schedule));
}

std::vector<Candidate> GemmLister::list() {
  if (!findDims())
    return {};
  pricer.emplace(op, target, given.surroundings, given.assumed);
  symmetric = findSymmetric(op, base, given.packing);
  // Small ones are computed whole.
  if (symmetric == Symmetric::Either && !given.assumed.empty())
    symmetric = Symmetric::Never;
  // Outer products have a price as vectors have, or plain numbers. Of AMX's
  // tiles the model asks too much: for 1024^3 of bf16 it would take vectors
  // (docs/decisions/0045-tiles.md).
  std::vector<Candidate> all;
  Schedule dims = base;
  for (DotRegisters registers : {DotRegisters::Tiles, DotRegisters::Vectors}) {
    base = dims;
    product = selectGroups(op, target, registers, base);
    if (registers == DotRegisters::Tiles && !product)
      continue;
    addAll();
    all.insert(all.end(), candidates.begin(), candidates.end());
    candidates.clear();
    if (product && product->hasTiles() && !product->isOuter())
      break;
  }
  sortByPrice(all);
  return all;
}

std::vector<Candidate> listPackedGemms(linalg::LinalgOp op,
                                       const TargetInfo &target,
                                       const GivenChoices &given) {
  return GemmLister(op, target, given).list();
}

} // namespace ein
