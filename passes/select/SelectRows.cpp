//===- SelectRows.cpp - Ops that become one loop over rows ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A softmax is four ops, each a pass over a matrix. Of one row at a time they
// are four passes over what is in L1, and the matrix is read and written once.
// So from a reduction on, all ops are collected that read or write what it
// reads or writes, with the same rows: elementwise ones, other reductions. Rows
// stay whole, and lie along memory; else each op is better off alone.
//
// Sums of one matrix along its columns, and what is computed of its rows on the
// way, are the same with the rows as what is summed: a block of rows is read
// once for all of them, and the sums go on in the next block.
//
// Attention is a product of matrices, softmax, and another product. With rows
// of the first product one at a time, there would be nothing to reuse; so these
// ops get blocks of rows: as many as keep what is between the products in a
// near cache, and as fill register tiles. Dims that both factors have (heads)
// are loops. The factor of the first product that all blocks read is copied
// before them to where the register tiles read it along memory. In a block
// softmax is then fused by rows, as above: the ops in the loop have no schedule
// yet.
//
// Two layers are the same without the softmax. What is between them is a matrix
// of all rows and hidden columns; of a block of rows it stays in a near cache.
// But each block reads both layers' weights again. So it pays where these are
// near and the matrix would not be.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectRows.h"
#include "abi/AssumedSizes.h"
#include "ir/EinDialect.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/FusionGroups.h"
#include "passes/analysis/MaskedColumns.h"
#include "passes/analysis/OnlineSoftmax.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/SizeBounds.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/select/Candidates.h"
#include "passes/select/PriceGroup.h"
#include "passes/select/SelectSchedule.h"
#include "passes/select/SelectThreads.h"
#include "target/Threads.h"
#include <set>

using namespace mlir;

namespace ein {
namespace {

using Dims = SmallVector<int64_t>;

/// The matrix product whose factor the rows are of; and the one that computes
/// what they are.
struct Products {
  linalg::LinalgOp second;
  unsigned input = 0;
  linalg::LinalgOp first;
};

class RowSelector {
public:
  RowSelector(func::FuncOp function, const TargetInfo &target, bool parallel,
              int64_t block)
      : function(function), target(target), parallel(parallel),
        forcedBlock(block) {}

  void run();
  SmallVector<linalg::LinalgOp> takeChosen() { return std::move(chosen); }

private:
  bool isFree(linalg::LinalgOp op) {
    return !op->hasAttr(EinDialect::kScheduleAttr);
  }
  void addToLoop(Operation *op, int64_t number) {
    members[number].push_back(op);
    loops[op] = number;
  }
  bool isMember(linalg::LinalgOp op, ArrayRef<int64_t> dims);
  void collect(linalg::LinalgOp seed, Dims dims, Products *products);
  llvm::SmallSetVector<Operation *, 16> getLater();
  void dropInterrupted();
  void dropSumsBefore(linalg::LinalgOp seed);
  void dropMisaligned();
  bool sharesRows();
  bool paysInOneLoop();
  bool selectRow(linalg::LinalgOp seed);
  bool selectSums(linalg::LinalgOp seed);
  int64_t getSumRows();
  bool selectBlock(linalg::LinalgOp seed, unsigned input);
  int64_t getLayerRows(const Products &products, ArrayRef<int64_t> dims);
  int64_t getColumnStep(int64_t columns);
  size_t selectShared(const Products &products, ArrayRef<int64_t> dims,
                      int64_t rowBytes, int64_t columnBytes,
                      int64_t &blockRows);
  GroupBlocks getBlocks(int64_t columns);
  void write(ArrayRef<int64_t> tiles, Products *products,
             int64_t columnStep = 0, int64_t columnBlock = 0,
             size_t sharedRow = 0);

  func::FuncOp function;
  const TargetInfo &target;
  bool parallel;
  int64_t forcedBlock;
  FusionGroup group;
  int64_t numGroups = 0;
  SmallVector<linalg::LinalgOp> chosen;
  /// The ops of each loop that is chosen, and the number of an op's loop.
  llvm::DenseMap<int64_t, SmallVector<Operation *>> members;
  llvm::DenseMap<Operation *, int64_t> loops;
};

} // namespace

static bool isProduct(linalg::LinalgOp op) {
  if (!getContractionKind(op))
    return false;
  SmallVector<DimRole> roles = getRoles(op);
  return llvm::is_contained(roles, DimRole::M) &&
         llvm::is_contained(roles, DimRole::N);
}

/// Whether `op` will be computed in the register tiles of what it updates.
static bool isLikelyEpilogue(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  auto sum = op.getDpsInits()[0].getDefiningOp<linalg::LinalgOp>();
  return generic && sum && isProduct(sum) && sum->hasOneUse() &&
         hasVectorBody(generic);
}

/// What an operand has beside rows.
static Dims getColumns(AffineMap map, ArrayRef<int64_t> dims) {
  Dims columns;
  for (int64_t dim = 0, e = map.getNumDims(); dim < e; ++dim)
    if (map.isFunctionOfDim(dim) && !llvm::is_contained(dims, dim))
      columns.push_back(dim);
  return columns;
}

/// Whether the op may be one of those of a row: it has rows, which lie along
/// memory, and is no product that would lose what it reuses.
bool RowSelector::isMember(linalg::LinalgOp op, ArrayRef<int64_t> dims) {
  if (!isFree(op) || failed(matchRows(op, dims)) || isProduct(op) ||
      isLikelyEpilogue(op))
    return false;
  for (Type type : op->getOperandTypes()) {
    Type element = getElementTypeOrSelf(type);
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
      return false;
  }
  for (AffineMap map : op.getIndexingMapsArray()) {
    if (getColumns(map, dims).empty())
      continue;
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!last || llvm::is_contained(dims, int64_t(last.getPosition())))
      return false;
  }
  return true;
}

/// The dims of an op that reads or writes axes of a value along which rows lie.
static std::optional<Dims> getDimsAt(AffineMap map, ArrayRef<int64_t> axes) {
  Dims dims;
  for (int64_t axis : axes) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(axis));
    if (!dim || llvm::is_contained(dims, int64_t(dim.getPosition())))
      return std::nullopt;
    dims.push_back(dim.getPosition());
  }
  return dims;
}

/// The group of all that `seed` is connected with. With `products`, `seed` is
/// the second of them; the first one ends the way.
void RowSelector::collect(linalg::LinalgOp seed, Dims seedDims,
                          Products *products) {
  llvm::MapVector<Operation *, Dims> found;
  found.insert({seed, seedDims});
  auto add = [&](Operation *candidate, AffineMap map, ArrayRef<int64_t> axes,
                 bool isAbove) {
    auto op = dyn_cast_or_null<linalg::LinalgOp>(candidate);
    if (!op || isa<linalg::FillOp>(candidate) || found.contains(op) ||
        op->getBlock() != seed->getBlock())
      return;
    std::optional<Dims> dims = getDimsAt(map, axes);
    if (!dims)
      return;
    // Of others the loop would carry it, and threads could not share them.
    if (combinesRows(op, *dims) && !combinesRows(seed, seedDims))
      return;
    bool isFirst = products && isAbove && !products->first && isProduct(op) &&
                   isFree(op) && op->isBeforeInBlock(seed) &&
                   succeeded(matchRows(op, *dims));
    if (isFirst)
      products->first = op;
    if (isFirst || isMember(op, *dims) ||
        (products && isFree(op) && !isProduct(op) && isLikelyEpilogue(op) &&
         succeeded(matchRows(op, *dims))))
      found.insert({op, *dims});
  };
  for (size_t next = 0; next < found.size(); ++next) {
    auto [operation, dims] = *(found.begin() + next);
    auto op = cast<linalg::LinalgOp>(operation);
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<Dims> axes =
          getRowAxes(op.getMatchingIndexingMap(&operand), dims);
      if (!axes || llvm::is_contained(*axes, -1) ||
          (products && operation == products->first))
        continue;
      if (products && op == products->second &&
          operand.getOperandNumber() != products->input)
        continue;
      if (auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
          producer && producer.getNumDpsInits() == 1)
        add(producer, getInitMap(producer), *axes, /*isAbove=*/true);
      // What is added up is read by others as well.
      if (op.isDpsInput(&operand))
        for (OpOperand &use : operand.get().getUses())
          if (auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
              user && user.getNumDpsInits() == 1 && user.isDpsInput(&use))
            add(user, user.getMatchingIndexingMap(&use), *axes,
                /*isAbove=*/false);
    }
    if (combinesRows(op, dims))
      continue;
    Dims axes = *getRowAxes(getInitMap(op), dims);
    for (OpOperand &use : op->getResult(0).getUses())
      if (auto user = dyn_cast<linalg::LinalgOp>(use.getOwner()))
        add(user, user.getMatchingIndexingMap(&use), axes, /*isAbove=*/false);
  }
  // In the order of the block, which is long and the group short.
  auto members = found.takeVector();
  llvm::sort(members, [](const auto &lhs, const auto &rhs) {
    return lhs.first->isBeforeInBlock(rhs.first);
  });
  group.clear();
  for (auto &member : members)
    group.insert(std::move(member));
}

/// Leaves out ops that read other rows of what another one computes, or the sum
/// of all.
void RowSelector::dropMisaligned() {
  group.remove_if([&](auto &entry) {
    auto op = cast<linalg::LinalgOp>(entry.first);
    if (readsInBody(op, group))
      return true;
    return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
      auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
      auto it = producer ? group.find(producer) : group.end();
      return it != group.end() &&
             (combinesRows(producer, it->second) ||
              getRowAxes(op.getMatchingIndexingMap(&operand), entry.second) !=
                  getRowAxes(getInitMap(producer), it->second));
    });
  });
}

/// Leaves out what has to be known before `seed` begins.
void RowSelector::dropSumsBefore(linalg::LinalgOp seed) {
  SetVector<Operation *> before;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  if (succeeded(getBackwardSlice(seed.getOperation(), &before, options)))
    group.remove_if([&](auto &entry) {
      return before.contains(entry.first) &&
             combinesRows(cast<linalg::LinalgOp>(entry.first), entry.second);
    });
}

/// What needs the group, in no order. Another group is one loop as well: what
/// needs one of its ops comes behind all. What is behind the last op matters
/// only as part of such a loop.
llvm::SmallSetVector<Operation *, 16> RowSelector::getLater() {
  llvm::SmallSetVector<Operation *, 16> later;
  Operation *last = group.back().first;
  auto addUsers = [&](Operation *op) {
    for (Operation *user : op->getUsers()) {
      Operation *above = last->getBlock()->findAncestorOpInBlock(*user);
      if (above && !group.contains(above) &&
          (above->isBeforeInBlock(last) || loops.contains(above)))
        later.insert(above);
    }
  };
  for (auto &entry : group)
    addUsers(entry.first);
  for (size_t next = 0; next < later.size(); ++next) {
    Operation *op = later[next];
    addUsers(op);
    if (auto it = loops.find(op); it != loops.end())
      later.insert_range(members[it->second]);
  }
  return later;
}

/// Leaves out ops that need something which needs the group.
void RowSelector::dropInterrupted() {
  while (!group.empty()) {
    llvm::SmallSetVector<Operation *, 16> later = getLater();
    Block *block = group.front().first->getBlock();
    auto *it = llvm::find_if(group, [&](auto &entry) {
      WalkResult result = entry.first->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (Operation *source = operand.getDefiningOp())
            if (Operation *above = block->findAncestorOpInBlock(*source);
                above && later.contains(above))
              return WalkResult::interrupt();
        return WalkResult::advance();
      });
      return result.wasInterrupted();
    });
    if (it == group.end())
      return;
    group.erase(it);
  }
}

/// Whether two of the ops read the same rows, or one what another one computes.
bool RowSelector::sharesRows() {
  llvm::DenseMap<Value, unsigned> readers;
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    std::set<void *> seen;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      auto axes = getRowAxes(map, dims);
      if (!op.payloadUsesValueFromOperand(&operand) ||
          llvm::is_contained(*axes, -1) || getColumns(map, dims).empty() ||
          !seen.insert(operand.get().getAsOpaquePointer()).second)
        continue;
      Operation *source = operand.get().getDefiningOp();
      if ((source && group.contains(source)) || ++readers[operand.get()] > 1)
        return true;
    }
  }
  return false;
}

/// Whether one loop takes no longer than a loop each, and a row is no less than
/// two vectors; what is dynamic is taken to. What a thread has of a row has to
/// fit its stack.
bool RowSelector::paysInOneLoop() {
  int64_t bytes = 0;
  bool isDynamic = false, isLong = false;
  std::set<void *> seen;
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    Dims sizes = getLargestRanges(op);
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      Dims columns = getColumns(map, dims);
      if (!isa<RankedTensorType>(operand.get().getType()) || columns.empty())
        continue;
      int64_t elements = 1;
      for (int64_t dim : columns) {
        // A slice would not say which of its unit dims it has dropped.
        if (sizes[dim] == 1)
          return false;
        if (ShapedType::isDynamic(sizes[dim]))
          isDynamic = true;
        else if (llvm::MulOverflow(elements, sizes[dim], elements))
          return false;
      }
      Type element = getElementTypeOrSelf(operand.get().getType());
      int64_t lanes = target.getLanes(element.getIntOrFloatBitWidth());
      isLong |=
          elements >= 2 * lanes || llvm::any_of(columns, [&](int64_t dim) {
            return ShapedType::isDynamic(sizes[dim]);
          });
      if (seen.insert(operand.get().getAsOpaquePointer()).second)
        bytes += elements * getScalarBytes(element);
    }
  }
  if (!isLong || (parallel && (isDynamic || bytes > target.privateBytes)))
    return false;
  GroupPricer pricer(group, target);
  return pricer.price({}).cycles <= pricer.priceApart().cycles;
}

/// Sets the schedules of the group; `tiles` has a number per dim of the rows.
void RowSelector::write(ArrayRef<int64_t> tiles, Products *products,
                        int64_t columnStep, int64_t columnBlock,
                        size_t sharedRow) {
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    Schedule schedule;
    schedule.kind = Schedule::Rows;
    schedule.group = numGroups;
    schedule.columns = columnStep;
    schedule.grain = columnBlock;
    schedule.tile.assign(op.getNumLoops(), 0);
    for (auto [dim, tile] : llvm::zip_equal(dims, tiles)) {
      schedule.tile[dim] = tile;
      schedule.interchange.push_back(dim);
    }
    for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
      if (!llvm::is_contained(dims, dim))
        schedule.interchange.push_back(dim);
    // The factor that has no rows of the block, contiguous along the sums.
    if (products && op == products->first)
      for (unsigned input = 0; input < 2; ++input) {
        AffineMap map = op.getIndexingMapsArray()[input];
        int64_t last = getLastDim(map);
        if (map.isFunctionOfDim(dims.back()) || last < 0 ||
            getInitMap(op).isFunctionOfDim(last))
          continue;
        schedule.order[input].push_back(last);
        for (AffineExpr expr : map.getResults().drop_back()) {
          int64_t dim = cast<AffineDimExpr>(expr).getPosition();
          if (!llvm::is_contained(dims, dim))
            schedule.order[input].push_back(dim);
        }
      }
    if (parallel && op.getNumLoops() != 0) {
      SmallVector<int64_t> sizes = op.getStaticLoopRanges();
      schedule.parallelDim = dims[sharedRow];
      schedule.minPoints =
          ShapedType::isDynamicShape(sizes)
              ? getPointsForThreads(op, target, selectSchedule(op, target, {}))
              : 0;
    }
    op->setAttr(EinDialect::kScheduleAttr, schedule.toAttr(op->getContext()));
    chosen.push_back(op);
    addToLoop(op, numGroups);
  }
  ++numGroups;
}

bool RowSelector::selectRow(linalg::LinalgOp seed) {
  Dims dims;
  for (AffineExpr expr : getInitMap(seed).getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      dims.push_back(dim.getPosition());
  if (dims.empty() || !isMember(seed, dims))
    return false;
  collect(seed, dims, nullptr);
  dropMisaligned();
  dropInterrupted();
  if (group.size() < 2 || !sharesRows() || !paysInOneLoop() ||
      failed(matchGroup(group)))
    return false;
  write(Dims(dims.size(), 1), nullptr);
  return true;
}

/// How many rows at a time take the least; 0 if the ops are better off one
/// after the other.
int64_t RowSelector::getSumRows() {
  GroupPricer pricer(group, target);
  double least = pricer.priceApart().cycles / kAbout;
  int64_t best = 0;
  auto op = cast<linalg::LinalgOp>(group.front().first);
  int64_t size = op.getStaticLoopRanges()[group.front().second.front()];
  int64_t most = ShapedType::isDynamic(size) ? kAssumedSize : size;
  for (int64_t rows = 1; rows <= most / 2; rows *= 2)
    if (double cycles = pricer.price({rows}).cycles; cycles < least) {
      least = cycles;
      best = rows;
    }
  return best;
}

/// Sums of the same rows, and what is computed of these, in one loop over
/// blocks: sums go on from block to block.
bool RowSelector::selectSums(linalg::LinalgOp seed) {
  // Threads share each op alone. What is in a loop may be such a block.
  if (parallel || !isa<func::FuncOp>(seed->getParentOp()))
    return false;
  SmallVector<unsigned> sums;
  seed.getReductionDims(sums);
  Dims dims = {sums.front()};
  if (!isMember(seed, dims))
    return false;
  collect(seed, dims, nullptr);
  dropSumsBefore(seed);
  dropMisaligned();
  dropInterrupted();
  if (group.size() < 2 || !sharesRows() || failed(matchGroup(group)))
    return false;
  int64_t rows = getSumRows();
  if (rows == 0)
    return false;
  write({rows}, nullptr);
  return true;
}

/// How many rows are a block, and how many columns are done at a time. All have
/// to be known first, unless what is added up along them can be made up for. Of
/// those that take about the least, whole rows and few of them: less is
/// allocated, and of masked columns less is computed for nothing.
GroupBlocks RowSelector::getBlocks(int64_t columns) {
  SmallVector<GroupBlocks> listed;
  auto list = [&](int64_t width) {
    for (int64_t rows : Listed::kRows)
      listed.push_back({rows, width});
  };
  bool isOnline = OnlineSoftmax::find(group).has_value(),
       isDynamic = ShapedType::isDynamic(columns);
  if (!isOnline || (forcedBlock == 0 && !isDynamic))
    list(0);
  if (isOnline && forcedBlock != 0)
    list(forcedBlock);
  for (int64_t width : Listed::kColumns)
    if (isOnline && forcedBlock == 0 && (isDynamic || width < columns))
      list(width);
  GroupPricer pricer(group, target);
  SmallVector<double> cycles;
  for (const GroupBlocks &blocks : listed)
    cycles.push_back(pricer.price(blocks).cycles);
  double most = *llvm::min_element(cycles) * kAbout;
  return listed[llvm::find_if(cycles, [&](double c) { return c <= most; }) -
                cycles.begin()];
}

/// Which loop threads share, of which each has memory of its own: that over
/// heads, where a head's copy fits beside a block and there are as many of them
/// as blocks; else that over blocks. No more rows to a block than fit, 0 if
/// hardly any do. `rowBytes` is what a block has of a row, `columnBytes` a row
/// of the copy.
size_t RowSelector::selectShared(const Products &products,
                                 ArrayRef<int64_t> dims, int64_t rowBytes,
                                 int64_t columnBytes, int64_t &blockRows) {
  linalg::LinalgOp first = products.first;
  SmallVector<int64_t> sizes = first.getStaticLoopRanges();
  // What has columns and what a block's result has, each once.
  int64_t most = 2 * target.privateBytes;
  auto getRows = [&](int64_t bytes) {
    int64_t fitting = 0;
    for (int64_t rows : Listed::kRows)
      if (rows <= blockRows && rows * rowBytes <= bytes)
        fitting = rows;
    return fitting;
  };
  int64_t copy = ShapedType::isDynamic(columnBytes) ? most : columnBytes;
  for (OpOperand *input : first.getDpsInputOperands()) {
    AffineMap map = first.getMatchingIndexingMap(input);
    if (map.isFunctionOfDim(dims.back()))
      continue;
    for (int64_t dim : getColumns(map, dims))
      if (!getInitMap(first).isFunctionOfDim(dim))
        copy = ShapedType::isDynamic(sizes[dim])
                   ? most
                   : std::min(most, copy * sizes[dim]);
  }
  // More rounds are shared more evenly.
  int64_t heads = sizes[dims.front()], all = sizes[dims.back()];
  int64_t numBlocks = llvm::divideCeil(
      ShapedType::isDynamic(all) ? kAssumedSize : all, blockRows);
  bool areHeads =
      dims.size() > 1 && (ShapedType::isDynamic(heads) ||
                          heads >= std::min(numBlocks, kUsualThreads));
  if (int64_t rows = getRows(most - copy); areHeads && rows == blockRows)
    return 0;
  blockRows = getRows(most);
  return dims.size() - 1;
}

/// To a multiple of what columns are computed, where a mask leaves nothing of
/// those behind: whole register tiles. None if there is hardly more than one.
int64_t RowSelector::getColumnStep(int64_t columns) {
  std::optional<MaskedColumns> masked = MaskedColumns::find(group);
  if (!masked)
    return 0;
  Type element = getElementTypeOrSelf(masked->getProduct().getDpsInits()[0]);
  int64_t step =
      getMicroKernel(target, element.getIntOrFloatBitWidth()).getNr();
  bool isShort = !ShapedType::isDynamic(columns) && columns <= step;
  return isShort ? 0 : step;
}

/// How many rows of two layers are a block; 0 if the layers are better off one
/// after the other.
int64_t RowSelector::getLayerRows(const Products &products,
                                  ArrayRef<int64_t> dims) {
  // Each thread would have a matrix of its own.
  linalg::LinalgOp second = products.second, first = products.first;
  if (parallel || dims.size() != 1)
    return 0;
  for (linalg::LinalgOp op : {first, second})
    if (ShapedType::isDynamicShape(op.getStaticLoopRanges()))
      return 0;
  int64_t rows = second.getStaticLoopRanges()[dims.front()];
  GroupPricer pricer(group, target);
  double least = pricer.priceApart().cycles / kAbout;
  int64_t best = 0;
  for (int64_t size : Listed::kRows)
    if (double cycles = 2 * size <= rows ? pricer.price({size}).cycles : least;
        cycles < least) {
      least = cycles;
      best = size;
    }
  return best;
}

bool RowSelector::selectBlock(linalg::LinalgOp seed, unsigned input) {
  // What is in a loop may be such a block.
  if (!isa<func::FuncOp>(seed->getParentOp()))
    return false;
  Products products = {seed, input, {}};
  AffineMap map = seed.getIndexingMapsArray()[input];
  AffineMap other = seed.getIndexingMapsArray()[1 - input];
  AffineMap output = getInitMap(seed);
  Dims dims, blocked;
  int64_t columns = -1;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return false;
    int64_t position = dim.getPosition();
    if (!output.isFunctionOfDim(position))
      columns = position;
    else
      (other.isFunctionOfDim(position) ? dims : blocked).push_back(position);
  }
  if (columns < 0 || blocked.size() != 1 || getLastDim(map) != columns)
    return false;
  dims.push_back(blocked.front());
  collect(seed, dims, &products);
  dropMisaligned();
  dropInterrupted();
  // Where nothing is reduced between the products, they may as well be apart.
  bool hasReduction = llvm::any_of(group, [&](auto &entry) {
    auto op = cast<linalg::LinalgOp>(entry.first);
    return op.getNumReductionLoops() != 0 && op != products.second &&
           op != products.first;
  });
  // Products whose sums have an order are generics, and loops anyway.
  if (!isa<linalg::ContractOp>(seed.getOperation()) || !products.first ||
      !isa<linalg::ContractOp>(products.first.getOperation()) ||
      !group.contains(products.first) || !group.contains(seed) ||
      failed(matchGroup(group)))
    return false;
  int64_t layerRows = hasReduction ? 0 : getLayerRows(products, dims);
  if (!hasReduction && layerRows == 0)
    return false;
  // What is blocked is a dim of one factor of the first product as well.
  Dims &firstDims = group.find(products.first)->second;
  unsigned owners = 0;
  SmallVector<AffineMap> firstMaps = products.first.getIndexingMapsArray();
  for (AffineMap factor : ArrayRef(firstMaps).take_front(2))
    owners += factor.isFunctionOfDim(firstDims.back());
  if (owners != 1)
    return false;
  SmallVector<int64_t> sizes = seed.getStaticLoopRanges();
  int64_t bytes =
      getScalarBytes(getElementTypeOrSelf(seed->getOperand(input).getType()));
  GroupBlocks blocks = {layerRows};
  if (hasReduction)
    blocks = getBlocks(sizes[columns]);
  int64_t atOnce = blocks.columns != 0 ? blocks.columns : sizes[columns];
  Dims tiles(dims.size(), 1);
  tiles.back() = blocks.rows;
  size_t sharedRow = 0;
  if (parallel) {
    if (ShapedType::isDynamic(atOnce))
      return false;
    int64_t columnBytes = ShapedType::isDynamic(sizes[columns])
                              ? ShapedType::kDynamic
                              : sizes[columns] * bytes;
    sharedRow = selectShared(products, firstDims, atOnce * bytes, columnBytes,
                             tiles.back());
    if (tiles.back() == 0)
      return false;
  }
  write(tiles, &products, getColumnStep(sizes[columns]), blocks.columns,
        sharedRow);
  return true;
}

void RowSelector::run() {
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) {
    if (hasSchedule(op, Schedule::Rows)) {
      int64_t number =
          op->getAttrOfType<ScheduleAttr>(EinDialect::kScheduleAttr)
              .getValue()
              .group;
      numGroups = std::max(numGroups, number + 1);
      addToLoop(op, number);
    }
    // On memrefs there are no results to follow from op to op.
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() != 0 &&
        op.getNumDpsInits() == 1)
      ops.push_back(op);
  });
  for (linalg::LinalgOp op : ops)
    for (unsigned input = 0; input < 2; ++input)
      if (isFree(op) && isProduct(op))
        selectBlock(op, input);
  for (linalg::LinalgOp op : ops)
    if (isFree(op))
      selectRow(op);
  for (linalg::LinalgOp op : ops)
    if (isFree(op))
      selectSums(op);
}

SmallVector<linalg::LinalgOp> selectRows(func::FuncOp function,
                                         const TargetInfo &target,
                                         bool parallel, int64_t block) {
  RowSelector selector(function, target, parallel, block);
  selector.run();
  return selector.takeChosen();
}

} // namespace ein
