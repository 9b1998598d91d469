//===- SelectGett.cpp - Which copies a contraction is worth -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a packed contraction blocks one dim each of m, n and k; its other
// dims are loops of step 1 round a product that gets smaller with each of them.
// In `efbad,cf->abcde` these are a, b and d, and d is the one along which the
// first operand is contiguous: every panel then takes one number of each cache
// line that it touches, and each line is fetched once for every d.
//
// Choice: two things that need no other kernel.
//
//  * Dims that follow each other in each operand that has them are one dim: d
//    and e of C, which is a product with 384 columns instead of 16 of 24 each.
//  * An operand whose dims do not lie so, or that is contiguous along a dim
//  that
//    would be a loop, is copied to a buffer where they do. Whole, if it is
//    small; else block by block inside the loops over its outer dims, so that
//    what is copied is still in cache when it is multiplied. A block has all of
//    the dims that the product has, and the one that is contiguous: so whole
//    cache lines are read, and written (`ein-vectorize-tiles`).
//
// The alternative was to have the panels of PackedGemm made of any number of
// dims, as TBLIS does. A copy to a plain matrix costs the same, as the product
// reads it in place; and every later stage sees a matrix product, whose choice
// of tiles, packing and threads it shares.
//
// Consequence: the result and operands that are read in place are relied on to
// have no gaps where their dims are joined (`ein.contiguous`; views with gaps
// are copied). A product that is large enough in the dims that it has is left
// alone.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectGett.h"
#include "abi/AssumedSizes.h"
#include "abi/CacheLine.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Contiguity.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Raising.h"
#include "target/Target.h"

using namespace mlir;

namespace ein {

namespace {

/// Columns and rows that a product should have, and that are as good as more.
constexpr int64_t kFewColumns = 64, kEnoughColumns = 256;
constexpr int64_t kFewRows = 12, kEnoughRows = 48;

/// Whether `dims` follow each other, in this order, in `list`.
bool isRun(ArrayRef<int64_t> list, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return true;
  const int64_t *first = llvm::find(list, dims.front());
  return size_t(list.end() - first) >= dims.size() &&
         llvm::equal(dims, ArrayRef<int64_t>(first, dims.size()));
}

using Dims = SmallVector<int64_t>;

class GettSelector {
public:
  GettSelector(linalg::LinalgOp op, const TargetInfo &target)
      : op(op), target(target), sizes(op.getStaticLoopRanges()),
        roles(getRoles(op)) {
    for (auto [list, map] : llvm::zip(lists, op.getIndexingMapsArray()))
      for (AffineExpr expr : map.getResults()) {
        int64_t dim = cast<AffineDimExpr>(expr).getPosition();
        if (sizes[dim] != 1)
          list.push_back(dim);
      }
    for (auto [list, map] : llvm::zip(fullLists, op.getIndexingMapsArray()))
      for (AffineExpr expr : map.getResults())
        list.push_back(cast<AffineDimExpr>(expr).getPosition());
  }

  std::optional<Schedule> select();

private:
  bool isDynamic(ArrayRef<int64_t> dims) {
    return llvm::any_of(
        dims, [&](int64_t d) { return ShapedType::isDynamic(sizes[d]); });
  }
  int64_t getSize(int64_t dim) {
    return ShapedType::isDynamic(sizes[dim]) ? kAssumedSize : sizes[dim];
  }
  double getProduct(ArrayRef<int64_t> dims) {
    double product = 1;
    for (int64_t dim : dims)
      product *= getSize(dim);
    return product;
  }
  int64_t getBytes() { return getElementBits(op) / 8; }
  /// What an input takes of the block: all of its dims, of those with a tile as
  /// much as that.
  double getBlockBytes(unsigned input) {
    double bytes = getBytes();
    for (int64_t dim : lists[input])
      bytes *= schedule.tile[dim] ? schedule.tile[dim] : getSize(dim);
    return bytes;
  }

  bool isCandidate();
  void selectSums();
  void selectColumns();
  void selectRows();
  void selectOneSum();
  bool isSmall(unsigned input) {
    double bytes = getBytes() * getProduct(lists[input]);
    return !isDynamic(lists[input]) && bytes <= getCacheBytes();
  }
  /// Whether a copy of an input would not show beside what is written.
  bool isCheap(unsigned input) {
    return isSmall(input) ||
           8 * getProduct(lists[input]) <= getProduct(lists[2]);
  }
  /// The share of the near cache that copies are to fit in.
  double getCacheBytes() { return target.l2Bytes * 0.75; }
  bool isNatural(unsigned input, ArrayRef<int64_t> own);
  Dims getLineDims(unsigned input);
  Dims getOrder(unsigned input, ArrayRef<int64_t> own);
  void selectBlocks(unsigned input, ArrayRef<int64_t> own, double budget);
  void tileLead(unsigned input, int64_t lead, double budget, int64_t least);

  linalg::LinalgOp op;
  const TargetInfo &target;
  SmallVector<int64_t> sizes;
  SmallVector<DimRole> roles;
  /// Per operand, its dims in the order of its memory, but those of size 1.
  std::array<Dims, 3> lists;
  /// The same with those, which no dims are joined across.
  std::array<Dims, 3> fullLists;
  std::array<bool, 3> canJoin = {};
  unsigned lhs = 0, rhs = 1;
  DimRole rowRole = DimRole::M, columnRole = DimRole::N;
  Dims rows, columns, sums;
  Schedule schedule;
};

} // namespace

/// A matrix product on numbers that have vectors, which nothing else is to
/// update in its tiles.
bool GettSelector::isCandidate() {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1)
    return false;
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  // Copies of complex numbers of two f32 are as those of f64.
  auto complexType = dyn_cast<ComplexType>(element);
  bool isMovable = complexType ? complexType.getElementType().isF32()
                               : element.getIntOrFloatBitWidth() >= 32;
  if (!isMovable || llvm::any_of(op.getDpsInputs(), [&](Value input) {
        return getElementTypeOrSelf(input.getType()) != element;
      }))
    return false;
  if (op->hasOneUse()) {
    OpOperand &use = *op->use_begin();
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (reader && reader.isDpsInit(&use) && !getContractionKind(reader))
      return false;
  }
  if (lists[2].empty())
    return false;
  columnRole = roles[lists[2].back()];
  if (columnRole != DimRole::M && columnRole != DimRole::N)
    return false;
  rowRole = columnRole == DimRole::N ? DimRole::M : DimRole::N;
  lhs = columnRole == DimRole::N ? 0 : 1;
  rhs = 1 - lhs;
  auto has = [&](DimRole role, unsigned operand) {
    return llvm::any_of(lists[operand],
                        [&](int64_t dim) { return roles[dim] == role; });
  };
  if (!has(rowRole, 2) || !has(DimRole::K, 0))
    return false;
  for (unsigned operand = 0; operand < 3; ++operand) {
    SmallVector<BlockArgument> arguments;
    canJoin[operand] = isContiguous(op->getOperand(operand), arguments);
  }
  return true;
}

/// Whether an input lies as a product wants it: `own` dims (rows or columns)
/// and sums each together, and contiguous along one of them, for long enough if
/// it comes from far.
bool GettSelector::isNatural(unsigned input, ArrayRef<int64_t> own) {
  ArrayRef<int64_t> list = lists[input];
  bool isJoined = own.size() > 1 || sums.size() > 1;
  if (!isRun(fullLists[input], own) || !isRun(fullLists[input], sums) ||
      (isJoined && !canJoin[input]) ||
      (list.back() != own.back() && list.back() != sums.back()))
    return false;
  if (input == lhs || isDynamic(list) || isSmall(input))
    return true;
  // A matrix that is one piece of memory is read as a whole, and the next one
  // of a batch follows it.
  size_t numLeft = own.size() + sums.size();
  return llvm::all_of(llvm::reverse(getLineDims(input)), [&](int64_t dim) {
    if (!llvm::is_contained(own, dim) && !llvm::is_contained(sums, dim))
      return numLeft == 0;
    --numLeft;
    return true;
  });
}

/// The last dims of an input, as many as make a run of memory that is read at
/// the speed of memory: the processor fetches ahead, but not across pages.
Dims GettSelector::getLineDims(unsigned input) {
  constexpr int64_t kRunBytes = 512;
  Dims dims;
  for (int64_t dim : llvm::reverse(lists[input])) {
    dims.insert(dims.begin(), dim);
    if (isDynamic(dims) || getProduct(dims) * getBytes() >= kRunBytes)
      break;
  }
  return dims;
}

/// The sums in an order in which they are together: that of the larger input
/// that has it.
void GettSelector::selectSums() {
  auto getSums = [&](unsigned input) {
    return llvm::filter_to_vector(
        lists[input], [&](int64_t d) { return roles[d] == DimRole::K; });
  };
  unsigned large = getProduct(lists[lhs]) > getProduct(lists[rhs]) ? lhs : rhs;
  for (unsigned input : {large, 1 - large}) {
    sums = getSums(input);
    if (isRun(fullLists[input], sums))
      return;
  }
  sums = getSums(large);
}

/// The last dims of C that one input has.
void GettSelector::selectColumns() {
  Dims all;
  for (int64_t dim : llvm::reverse(fullLists[2])) {
    bool isUnit = sizes[dim] == 1;
    if (isUnit && all.empty())
      continue;
    if (isUnit || roles[dim] != columnRole || (!all.empty() && !canJoin[2]))
      break;
    all.insert(all.begin(), dim);
  }
  // The shortest natural choice that has enough, else any that is not small.
  ArrayRef<int64_t> best;
  for (size_t length = 1; length <= all.size(); ++length) {
    ArrayRef<int64_t> last = ArrayRef(all).take_back(length);
    if (isNatural(rhs, last))
      best = last;
    if (!best.empty() && !isDynamic(best) && getProduct(best) >= kEnoughColumns)
      break;
  }
  double least = std::min<double>(kFewColumns, getProduct(all));
  if (!best.empty() && getProduct(best) >= least) {
    columns = llvm::to_vector(best);
    return;
  }
  size_t length = 1;
  while (length < all.size() &&
         (isDynamic(all) ||
          getProduct(ArrayRef(all).take_back(length)) < kEnoughColumns))
    ++length;
  columns = llvm::to_vector(ArrayRef(all).take_back(length));
}

/// Dims of the other input that follow each other in C. Of those that are
/// enough the last ones: nearest to the columns, so that a block of C is close
/// together.
void GettSelector::selectRows() {
  SmallVector<Dims> runs;
  bool isOpen = false;
  for (int64_t dim : fullLists[2]) {
    bool isRow = roles[dim] == rowRole && sizes[dim] != 1;
    if (isRow && !(isOpen && canJoin[2]))
      runs.emplace_back();
    if (isRow)
      runs.back().push_back(dim);
    isOpen = isRow;
  }
  auto getWorth = [&](ArrayRef<int64_t> dims) {
    return dims.empty() ? 0 : std::min<double>(getProduct(dims), kEnoughRows);
  };
  Dims best, largest;
  for (const Dims &run : runs) {
    if (getWorth(run) >= getWorth(largest))
      largest = run;
    for (size_t first = 0; first < run.size(); ++first)
      for (size_t length = 1; first + length <= run.size(); ++length) {
        // The fewer dims are joined the better.
        ArrayRef<int64_t> part = ArrayRef(run).slice(first, length);
        double worth = getWorth(part), known = getWorth(best);
        if (isNatural(lhs, part) &&
            (worth > known || (worth == known && part.size() <= best.size())))
          best = llvm::to_vector(part);
      }
  }
  // To copy a small input costs little, so rows may be chosen freely.
  double least = isCheap(lhs) ? getWorth(largest)
                              : std::min<double>(kFewRows, getWorth(largest));
  rows = getWorth(best) >= least ? best : largest;
  if (rows == best || isCheap(lhs))
    return;
  for (const Dims &run : runs)
    if (llvm::is_contained(run, lists[lhs].back()) &&
        getProduct(run) >= kFewRows)
      rows = run;
}

/// One of the sums, if nothing has to be copied then: the others are loops that
/// add to C, which a product deep enough pays for.
void GettSelector::selectOneSum() {
  constexpr int64_t kDeep = 24;
  Dims all = sums, allColumns = columns, allRows = rows;
  for (int64_t dim : all) {
    sums = {dim};
    selectColumns();
    selectRows();
    if (getSize(dim) >= kDeep && isNatural(lhs, rows) &&
        isNatural(rhs, columns) &&
        getProduct(columns) >=
            std::min<double>(kFewColumns / 2, getProduct(allColumns)) &&
        getProduct(rows) >= std::min<double>(kFewRows, getProduct(allRows)))
      return;
  }
  sums = all, columns = allColumns, rows = allRows;
}

/// The dims of an input in the order of its copy: loops, sums and `own`; but it
/// stays contiguous along a sum if it is so and its rows are read one by one.
Dims GettSelector::getOrder(unsigned input, ArrayRef<int64_t> own) {
  Dims order;
  AffineMap map = op.getIndexingMapsArray()[input];
  for (AffineExpr expr : map.getResults()) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (sizes[dim] == 1)
      order.push_back(dim);
  }
  for (int64_t dim : lists[2])
    if (llvm::is_contained(lists[input], dim) && !llvm::is_contained(own, dim))
      order.push_back(dim);
  bool isSumLast = input == lhs && lists[input].back() == sums.back();
  ArrayRef<int64_t> first = isSumLast ? own : ArrayRef(sums);
  ArrayRef<int64_t> last = isSumLast ? ArrayRef(sums) : own;
  llvm::append_range(order, first);
  llvm::append_range(order, last);
  return order;
}

/// Has the block of an input fit in `budget` by the tile of one dim, of which
/// the block keeps `least`, and whole cache lines.
void GettSelector::tileLead(unsigned input, int64_t lead, double budget,
                            int64_t least) {
  double bytes = getBlockBytes(input);
  if (bytes <= budget || schedule.tile[lead] != 0)
    return;
  int64_t line = getElementsPerLine(8 * getBytes());
  int64_t step =
      lead == lists[input].back() || getSize(lead) > 2 * line ? line : 1;
  int64_t size = std::max<int64_t>(budget / (bytes / getSize(lead)), least);
  // A loop of step 1 would be none of the block's dims.
  size = std::max({size / step * step, step, int64_t(2)});
  if (size >= getSize(lead))
    return;
  // Blocks of about one size.
  int64_t even = getEvenBlock(getSize(lead), size, step);
  schedule.tile[lead] = std::max<int64_t>(std::min(even, size), 2);
}

/// The loops round the copies of an input's blocks.
void GettSelector::selectBlocks(unsigned input, ArrayRef<int64_t> own,
                                double budget) {
  int64_t last = lists[input].back();
  Dims lines = llvm::filter_to_vector(getLineDims(input), [&](int64_t dim) {
    return !llvm::is_contained(own, dim) && !llvm::is_contained(sums, dim);
  });
  for (int64_t dim : lists[2])
    if (llvm::is_contained(lists[input], dim) &&
        !llvm::is_contained(lines, dim) && !llvm::is_contained(own, dim))
      schedule.tile[dim] = 1;
  if (isDynamic(lists[input]))
    return;
  // Shorter runs of memory, but for whole cache lines.
  for (int64_t dim : lines)
    if (dim != last && getBlockBytes(input) > budget) {
      tileLead(input, dim, budget, 1);
      if (getBlockBytes(input) > budget)
        schedule.tile[dim] = 1;
    }
  if (llvm::is_contained(lines, last))
    tileLead(input, last, budget, getElementsPerLine(8 * getBytes()));
  // Fewer columns or rows, then fewer sums.
  Dims &mine = input == lhs ? rows : columns;
  int64_t few = input == lhs ? kEnoughRows : kFewColumns;
  while (getBlockBytes(input) > budget && mine.size() > 1 &&
         mine.front() != last &&
         getProduct(ArrayRef(mine).drop_front()) >= few) {
    schedule.tile[mine.front()] = 1;
    mine.erase(mine.begin());
  }
  double rest = getProduct(ArrayRef(mine).drop_front());
  tileLead(input, mine.front(), budget, llvm::divideCeil(few, int64_t(rest)));
  rest = getProduct(ArrayRef(sums).drop_front());
  tileLead(input, sums.front(), budget,
           llvm::divideCeil(kEnoughColumns, int64_t(rest)));
}

std::optional<Schedule> GettSelector::select() {
  if (!isCandidate())
    return std::nullopt;
  selectSums();
  selectColumns();
  selectRows();
  if (sums.size() > 1 && !(isNatural(lhs, rows) && isNatural(rhs, columns)))
    selectOneSum();

  schedule.kind = Schedule::Gett;
  schedule.lanes = target.getLanes(8 * getBytes());
  schedule.tile.assign(sizes.size(), 0);
  for (auto [tile, size] : llvm::zip_equal(schedule.tile, sizes))
    if (size == 1)
      tile = 1;
  std::array<bool, 2> isCopied = {};
  isCopied[lhs] = !isNatural(lhs, rows);
  isCopied[rhs] = !isNatural(rhs, columns);
  // Small ones are copied whole. So is the smaller of two of dynamic size: it
  // is read in each iteration of the loops over the other one.
  double fits = getCacheBytes();
  for (unsigned input : {lhs, rhs})
    schedule.whole[input] = isCopied[input] && isSmall(input);
  bool areBlocks =
      isCopied[0] && isCopied[1] && !schedule.whole[0] && !schedule.whole[1];
  unsigned small = lists[lhs].size() <= lists[rhs].size() ? lhs : rhs;
  if (areBlocks && (isDynamic(lists[0]) || isDynamic(lists[1])))
    schedule.whole[small] = true, areBlocks = false;
  auto isBlock = [&](unsigned input) {
    return isCopied[input] && !schedule.whole[input];
  };
  unsigned large = getProduct(lists[lhs]) > getProduct(lists[rhs]) ? lhs : rhs;
  for (unsigned input : {large, 1 - large})
    if (isBlock(input))
      selectBlocks(input, input == lhs ? rows : columns,
                   areBlocks ? fits / 2 : fits);

  for (const Dims &dims : {rows, columns, sums})
    if (dims.size() > 1)
      schedule.groups.push_back(dims);
  if (schedule.groups.empty() && !isCopied[0] && !isCopied[1])
    return std::nullopt;
  schedule.order[lhs] = isCopied[lhs] ? getOrder(lhs, rows) : Dims();
  schedule.order[rhs] = isCopied[rhs] ? getOrder(rhs, columns) : Dims();

  // Outside, the loops that the larger block depends on; sums inside.
  Dims &order = schedule.interchange;
  auto append = [&](auto predicate) {
    for (int64_t dim = 0, e = sizes.size(); dim < e; ++dim)
      if (!llvm::is_contained(order, dim) && predicate(dim))
        order.push_back(dim);
  };
  for (int64_t dim : lists[2])
    if (schedule.tile[dim] && llvm::is_contained(lists[large], dim))
      order.push_back(dim);
  for (int64_t dim : lists[2])
    if (schedule.tile[dim] && !llvm::is_contained(order, dim))
      order.push_back(dim);
  append([&](int64_t dim) { return schedule.tile[dim] != 0; });
  append([](int64_t) { return true; });
  return schedule;
}

std::optional<Schedule> selectGett(linalg::LinalgOp op,
                                   const TargetInfo &target) {
  if (!isPackable(op))
    return std::nullopt;
  return GettSelector(op, target).select();
}

} // namespace ein
