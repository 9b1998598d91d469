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
//    would be a loop, is copied to a buffer where they do. Whole, or block by
//    block inside the loops over its outer dims, so that what is copied is
//    still in cache when it is multiplied.
//
// The alternative was to have the panels of PackedGemm made of any number of
// dims, as TBLIS does. A copy to a plain matrix costs the same, as the product
// reads it in place; and every later stage sees a matrix product, whose choice
// of tiles, packing and threads it shares.
//
// Which dims are rows, columns and sums, what is copied, and in which blocks,
// is a matter of price (PriceGett.cpp): first every product that there is, with
// the copies that it needs, then of the best ones other copies, and of the best
// of these other blocks.
//
// Consequence: the result and operands that are read in place are relied on to
// have no gaps where their dims are joined (`ein.contiguous`; views with gaps
// are copied).
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectGett.h"
#include "abi/AssumedSizes.h"
#include "abi/CacheLine.h"
#include "ir/EinDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Contiguity.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Raising.h"
#include "passes/select/PriceSchedule.h"
#include "llvm/ADT/DenseSet.h"
#include <cmath>

using namespace mlir;

namespace ein {

namespace {

using Dims = SmallVector<int64_t>;

/// Whether `dims` follow each other, in this order, in `list`.
bool isRun(ArrayRef<int64_t> list, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return true;
  const int64_t *first = llvm::find(list, dims.front());
  return size_t(list.end() - first) >= dims.size() &&
         llvm::equal(dims, ArrayRef<int64_t>(first, dims.size()));
}

/// How an input comes to the product.
struct InputWay {
  enum Kind { InPlace, Whole, Blocks } kind = InPlace;
  /// Dims of a block beside those of the product.
  Dims beside;
  /// The copy is contiguous along the sums.
  bool isSumLast = false;
};

/// What is free to choose.
struct GettChoice {
  Dims rows, columns, sums;
  std::array<InputWay, 2> inputs;
  /// What a block may take.
  double mostBytes = 0;
};

class GettLister {
public:
  GettLister(linalg::LinalgOp op, const TargetInfo &target,
             const GivenChoices &given)
      : op(op), target(target), given(given),
        pricer(op, target, {}, given.assumed, /*isQuick=*/true),
        sizes(op.getStaticLoopRanges()), roles(getRoles(op)) {
    for (auto [list, all, map] :
         llvm::zip(lists, fullLists, op.getIndexingMapsArray()))
      for (AffineExpr expr : map.getResults()) {
        all.push_back(cast<AffineDimExpr>(expr).getPosition());
        if (sizes[all.back()] != 1)
          list.push_back(all.back());
      }
  }

  std::vector<Candidate> list();

private:
  struct Way {
    GettChoice choice;
    Candidate candidate;
  };

  bool isDynamic(ArrayRef<int64_t> dims) {
    return llvm::any_of(
        dims, [&](int64_t d) { return ShapedType::isDynamic(sizes[d]); });
  }
  double getProduct(ArrayRef<int64_t> dims) {
    double product = 1;
    for (int64_t dim : dims)
      product *=
          double(ShapedType::isDynamic(sizes[dim]) ? kAssumedSize : sizes[dim]);
    return product;
  }
  int64_t getBytes() { return getElementBits(op) / 8; }
  ArrayRef<int64_t> getOwn(const GettChoice &choice, unsigned input) {
    return input == lhs ? choice.rows : choice.columns;
  }
  bool isOfProduct(const GettChoice &choice, unsigned input, int64_t dim) {
    return llvm::is_contained(getOwn(choice, input), dim) ||
           llvm::is_contained(choice.sums, dim);
  }

  bool isCandidate();
  bool areOne(int64_t first, int64_t second);
  std::vector<Dims> listRuns(unsigned operand, DimRole role);
  std::vector<Dims> listColumns();
  std::vector<Dims> listSums();
  bool canBeInPlace(const GettChoice &choice, unsigned input);
  bool isNatural(const GettChoice &choice, unsigned input);
  /// A copy that L2 does not hold goes to memory and back.
  bool canBeWhole(unsigned input) {
    return isDynamic(lists[input]) ||
           double(getBytes()) * getProduct(lists[input]) <=
               double(target.l2Bytes);
  }
  std::vector<Dims> listBeside(const GettChoice &choice, unsigned input);
  std::vector<InputWay> listInputWays(const GettChoice &choice, unsigned input);
  Dims getOrder(const GettChoice &choice, unsigned input);
  double getBlockBytes(const Schedule &schedule, unsigned input);
  void tileLead(Schedule &schedule, unsigned input, int64_t lead, double budget,
                int64_t least);
  void selectLoops(const GettChoice &choice, Schedule &schedule);
  void fitBlock(const GettChoice &choice, unsigned input, Schedule &schedule);
  std::optional<Schedule> make(const GettChoice &choice);
  void add(const GettChoice &choice);
  void addProduct(const Dims &rows, const Dims &columns, const Dims &sums);
  Dims findMost(unsigned input, ArrayRef<Dims> all, const Dims &sums);
  void addOthers(const GettChoice &first, ArrayRef<Dims> allSums,
                 ArrayRef<Dims> allColumns, ArrayRef<Dims> allRows);
  void addVariants(llvm::function_ref<void(const GettChoice &choice)> change);
  void sort();

  linalg::LinalgOp op;
  const TargetInfo &target;
  const GivenChoices &given;
  OpPricer pricer;
  SmallVector<int64_t> sizes;
  SmallVector<DimRole> roles;
  /// Per operand, its dims in the order of its memory, but those of size 1.
  std::array<Dims, 3> lists;
  /// The same with those, which no dims are joined across.
  std::array<Dims, 3> fullLists;
  std::array<bool, 3> canJoin = {};
  unsigned lhs = 0, rhs = 1;
  DimRole rowRole = DimRole::M, columnRole = DimRole::N;
  std::vector<Way> ways;
  llvm::DenseSet<Attribute> seen; // one per way
};

} // namespace

/// A matrix product on numbers that have vectors, which nothing else is to
/// update in its tiles.
bool GettLister::isCandidate() {
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

/// Whether `second` follows `first` wherever one of them is, so that there is
/// no reason to have one of them in a product, and not the other.
bool GettLister::areOne(int64_t first, int64_t second) {
  if (sizes[first] == 1 || sizes[second] == 1)
    return false;
  for (unsigned operand = 0; operand < 3; ++operand) {
    ArrayRef<int64_t> list = fullLists[operand];
    bool hasOne =
        llvm::is_contained(list, first) || llvm::is_contained(list, second);
    if (hasOne && !(canJoin[operand] && isRun(list, {first, second})))
      return false;
  }
  return true;
}

/// Dims of a role that follow each other in an operand.
std::vector<Dims> GettLister::listRuns(unsigned operand, DimRole role) {
  ArrayRef<int64_t> list = fullLists[operand];
  std::vector<Dims> runs;
  for (size_t first = 0; first < list.size(); ++first) {
    if (first > 0 && areOne(list[first - 1], list[first]))
      continue;
    for (size_t last = first; last < list.size(); ++last) {
      int64_t dim = list[last];
      if (roles[dim] != role || sizes[dim] == 1 ||
          (last > first && !canJoin[operand]))
        break;
      if (last + 1 == list.size() || !areOne(dim, list[last + 1]))
        runs.push_back(Dims(list.slice(first, last + 1 - first)));
    }
  }
  return runs;
}

/// Of C's last dims, as many as one input has.
std::vector<Dims> GettLister::listColumns() {
  std::vector<Dims> runs = listRuns(2, columnRole);
  llvm::erase_if(
      runs, [&](const Dims &dims) { return dims.back() != lists[2].back(); });
  return runs;
}

/// Those that follow each other in an input, and all of them in the order that
/// an input has.
std::vector<Dims> GettLister::listSums() {
  std::vector<Dims> sums;
  for (unsigned input : {lhs, rhs}) {
    Dims all = llvm::filter_to_vector(
        lists[input], [&](int64_t dim) { return roles[dim] == DimRole::K; });
    std::vector<Dims> here = listRuns(input, DimRole::K);
    here.push_back(std::move(all));
    for (Dims &dims : here)
      if (!llvm::is_contained(sums, dims))
        sums.push_back(std::move(dims));
  }
  return sums;
}

/// Whether an input has rows or columns and sums together each.
bool GettLister::canBeInPlace(const GettChoice &choice, unsigned input) {
  ArrayRef<int64_t> own = getOwn(choice, input);
  bool isJoined = own.size() > 1 || choice.sums.size() > 1;
  return isRun(fullLists[input], own) && isRun(fullLists[input], choice.sums) &&
         (!isJoined || canJoin[input]);
}

/// Whether it is contiguous along one of these as well, as products want it.
bool GettLister::isNatural(const GettChoice &choice, unsigned input) {
  int64_t last = lists[input].back();
  return canBeInPlace(choice, input) &&
         (last == getOwn(choice, input).back() || last == choice.sums.back());
}

/// Of the dims that the product does not have the last ones, which blocks may
/// have beside: from those on that make a run of memory which the machine sees
/// coming.
std::vector<Dims> GettLister::listBeside(const GettChoice &choice,
                                         unsigned input) {
  double seen = kSeenLines * double(target.machine.lineBytes);
  double bytes = double(getBytes());
  Dims others;
  std::vector<Dims> beside;
  for (int64_t dim : llvm::reverse(lists[input])) {
    bool isOther = !isOfProduct(choice, input, dim);
    if (isOther && bytes >= seen)
      beside.push_back(others);
    if (isOther)
      others.insert(others.begin(), dim);
    bytes *= getProduct({dim});
  }
  beside.push_back(std::move(others));
  return beside;
}

/// In place and copied, whole or by blocks. Where the product has all of its
/// dims a copy is what a pack is.
std::vector<InputWay> GettLister::listInputWays(const GettChoice &choice,
                                                unsigned input) {
  std::vector<InputWay> inputWays;
  std::vector<Dims> beside = listBeside(choice, input);
  if (canBeInPlace(choice, input)) {
    inputWays.push_back(InputWay());
    if (beside.back().empty())
      return inputWays;
  }
  for (bool isSumLast : {false, true}) {
    if (isSumLast && input != lhs)
      continue;
    if (canBeWhole(input))
      inputWays.push_back({InputWay::Whole, {}, isSumLast});
    for (const Dims &dims : beside)
      inputWays.push_back({InputWay::Blocks, dims, isSumLast});
  }
  return inputWays;
}

/// The dims of an input in the order of its copy: loops, and then the
/// product's.
Dims GettLister::getOrder(const GettChoice &choice, unsigned input) {
  ArrayRef<int64_t> list = lists[input];
  Dims order = llvm::filter_to_vector(
      fullLists[input], [&](int64_t dim) { return sizes[dim] == 1; });
  auto append = [&](ArrayRef<int64_t> from) {
    for (int64_t dim : from)
      if (llvm::is_contained(list, dim) && !isOfProduct(choice, input, dim) &&
          !llvm::is_contained(order, dim))
        order.push_back(dim);
  };
  append(lists[2]);
  append(list);
  ArrayRef<int64_t> own = getOwn(choice, input), sums = choice.sums;
  bool isSumLast = choice.inputs[input].isSumLast;
  llvm::append_range(order, isSumLast ? own : sums);
  llvm::append_range(order, isSumLast ? sums : own);
  return order;
}

/// What an input takes of the block: all of its dims, of those with a tile as
/// much as that.
double GettLister::getBlockBytes(const Schedule &schedule, unsigned input) {
  double bytes = double(getBytes());
  for (int64_t dim : lists[input])
    bytes *= double(schedule.tile[dim] ? schedule.tile[dim] : sizes[dim]);
  return bytes;
}

/// Has the block of an input fit in `budget` by the tile of one dim, of which
/// the block keeps `least`, and whole cache lines.
void GettLister::tileLead(Schedule &schedule, unsigned input, int64_t lead,
                          double budget, int64_t least) {
  double bytes = getBlockBytes(schedule, input);
  if (bytes <= budget || schedule.tile[lead] != 0)
    return;
  int64_t line = getElementsPerLine(8 * getBytes()), extent = sizes[lead];
  int64_t step = lead == lists[input].back() || extent > 2 * line ? line : 1;
  int64_t size =
      std::max<int64_t>(int64_t(budget / (bytes / double(extent))), least);
  // A loop of step 1 would be none of the block's dims.
  size = std::max({size / step * step, step, int64_t(2)});
  if (size >= extent)
    return;
  // Blocks of about one size.
  int64_t even = getEvenBlock(extent, size, step);
  schedule.tile[lead] = std::max<int64_t>(std::min(even, size), 2);
}

/// Has the block of an input be as large as is wanted: by fewer rows or
/// columns. What is more than L2 has shorter runs of memory as well, but for
/// whole cache lines, and fewer sums, as C is read again for each block of
/// these.
void GettLister::fitBlock(const GettChoice &choice, unsigned input,
                          Schedule &schedule) {
  if (isDynamic(lists[input]))
    return;
  bool areBlocks = llvm::all_of(choice.inputs, [](const InputWay &way) {
    return way.kind == InputWay::Blocks;
  });
  double share = areBlocks ? 0.5 : 1, most = share * double(target.l2Bytes);
  int64_t last = lists[input].back();
  int64_t line = getElementsPerLine(8 * getBytes());
  auto cut = [&](ArrayRef<int64_t> dims, double bytes) {
    double rest = getProduct(dims.drop_front());
    tileLead(schedule, input, dims.front(), bytes,
             int64_t(std::ceil(double(line) / rest)));
  };
  cut(getOwn(choice, input), share * choice.mostBytes);
  for (int64_t dim : choice.inputs[input].beside) {
    if (schedule.tile[dim] != 0)
      continue;
    tileLead(schedule, input, dim, most, dim == last ? line : 1);
    if (dim != last && getBlockBytes(schedule, input) > most)
      schedule.tile[dim] = 1;
  }
  cut(choice.sums, most);
}

/// Outside, the loops that the larger block depends on; sums inside.
void GettLister::selectLoops(const GettChoice &choice, Schedule &schedule) {
  unsigned large = getProduct(lists[lhs]) > getProduct(lists[rhs]) ? lhs : rhs;
  auto isBeside = [&](int64_t dim) {
    return llvm::any_of(choice.inputs, [&](const InputWay &way) {
      return llvm::is_contained(way.beside, dim);
    });
  };
  for (unsigned input : {large, 1 - large})
    if (choice.inputs[input].kind == InputWay::Blocks)
      for (int64_t dim : lists[input])
        if (!isOfProduct(choice, input, dim) && !isBeside(dim))
          schedule.tile[dim] = 1;
  for (unsigned input : {large, 1 - large})
    if (choice.inputs[input].kind == InputWay::Blocks)
      fitBlock(choice, input, schedule);

  Dims &order = schedule.interchange;
  auto append = [&](ArrayRef<int64_t> dims, auto predicate) {
    for (int64_t dim : dims)
      if (!llvm::is_contained(order, dim) && predicate(dim))
        order.push_back(dim);
  };
  auto isTiled = [&](int64_t dim) { return schedule.tile[dim] != 0; };
  append(lists[2], [&](int64_t dim) {
    return isTiled(dim) && llvm::is_contained(lists[large], dim);
  });
  append(lists[2], isTiled);
  Dims all = llvm::to_vector(llvm::seq<int64_t>(0, op.getNumLoops()));
  append(all, isTiled);
  append(all, [](int64_t) { return true; });
}

/// None if it is to run on its own dims, where the operands are.
std::optional<Schedule> GettLister::make(const GettChoice &choice) {
  Schedule schedule;
  schedule.kind = Schedule::Gett;
  schedule.lanes = target.getLanes(8 * getBytes());
  for (int64_t size : sizes)
    schedule.tile.push_back(size == 1);
  selectLoops(choice, schedule);
  for (const Dims *dims : {&choice.rows, &choice.columns, &choice.sums})
    if (dims->size() > 1)
      schedule.groups.push_back(*dims);
  for (unsigned input = 0; input < 2; ++input) {
    InputWay::Kind kind = choice.inputs[input].kind;
    if (kind != InputWay::InPlace)
      schedule.order[input] = getOrder(choice, input);
    // A block of all of it is that.
    schedule.whole[input] =
        kind == InputWay::Whole ||
        (kind == InputWay::Blocks && llvm::all_of(lists[input], [&](int64_t d) {
           return schedule.tile[d] == 0;
         }));
  }
  if (schedule.groups.empty() && schedule.order[0].empty() &&
      schedule.order[1].empty())
    return std::nullopt;
  // Neighbours in memory are read together.
  for (unsigned input = 0; input < 2; ++input)
    if (!schedule.whole[input] && schedule.tile[lists[input].back()] == 1)
      return std::nullopt;
  return schedule;
}

void GettLister::add(const GettChoice &choice) {
  std::optional<Schedule> schedule = make(choice);
  if (!schedule || !seen.insert(schedule->toAttr(op.getContext())).second)
    return;
  if (std::optional<NestCost> cost = pricer.price(*schedule))
    ways.push_back({choice, {*schedule, cost}});
}

/// A product with the copies that it needs: whole ones, and blocks of whole
/// cache lines.
void GettLister::addProduct(const Dims &rows, const Dims &columns,
                            const Dims &sums) {
  GettChoice choice;
  choice.rows = rows, choice.columns = columns, choice.sums = sums;
  choice.mostBytes = double(target.getNearBytes());
  auto listFirst = [&](unsigned input) -> std::vector<InputWay> {
    if (isNatural(choice, input))
      return {InputWay()};
    bool isSumLast = input == lhs && lists[input].back() == sums.back();
    InputWay blocks = {InputWay::Blocks, listBeside(choice, input).front(),
                       isSumLast};
    if (!canBeWhole(input))
      return {blocks};
    return {{InputWay::Whole, {}, isSumLast}, blocks};
  };
  for (const InputWay &left : listFirst(0))
    for (const InputWay &right : listFirst(1)) {
      choice.inputs = {left, right};
      add(choice);
    }
}

/// The most rows or columns that need no copy, or the most that there are.
Dims GettLister::findMost(unsigned input, ArrayRef<Dims> all,
                          const Dims &sums) {
  GettChoice choice;
  choice.sums = sums;
  Dims &own = input == lhs ? choice.rows : choice.columns;
  auto getWorth = [&](const Dims &dims) {
    own = dims;
    return std::make_pair(isNatural(choice, input), getProduct(dims));
  };
  return *llvm::max_element(all, [&](const Dims &a, const Dims &b) {
    return getWorth(a) < getWorth(b);
  });
}

/// Products that differ from the best one by rows, columns or sums, as long as
/// one of them is better; from the first one, where that is the op as it is.
void GettLister::addOthers(const GettChoice &first, ArrayRef<Dims> allSums,
                           ArrayRef<Dims> allColumns, ArrayRef<Dims> allRows) {
  auto getBest = [&]() { return ways.empty() ? first : ways.front().choice; };
  size_t numKnown;
  do {
    numKnown = ways.size();
    GettChoice best = getBest();
    for (const Dims &sums : allSums)
      addProduct(best.rows, best.columns, sums);
    sort();
    best = getBest();
    for (const Dims &columns : allColumns)
      addProduct(best.rows, columns, best.sums);
    sort();
    best = getBest();
    for (const Dims &rows : allRows)
      addProduct(rows, best.columns, best.sums);
    sort();
  } while (numKnown != ways.size());
}

void GettLister::sort() {
  llvm::stable_sort(ways, [](const Way &a, const Way &b) {
    return a.candidate.cost->cycles < b.candidate.cost->cycles;
  });
}

/// Of the best by now, what `change` makes of each.
void GettLister::addVariants(
    llvm::function_ref<void(const GettChoice &choice)> change) {
  std::vector<GettChoice> best;
  for (const Way &way :
       ArrayRef<Way>(ways).take_front(std::min(Listed::kVaried, ways.size())))
    best.push_back(way.choice);
  for (const GettChoice &choice : best)
    change(choice);
  sort();
}

std::vector<Candidate> GettLister::list() {
  if (!isCandidate())
    return {};
  // Alternatives for other sizes are many.
  bool isAlternative = given.assumed.size() > 1;
  std::vector<Dims> allSums = listSums(), allColumns = listColumns(),
                    allRows = listRuns(2, rowRole);
  size_t numSums = llvm::count_if(
      lists[lhs], [&](int64_t dim) { return roles[dim] == DimRole::K; });
  GettChoice first;
  for (const Dims &sums : allSums) {
    if (sums.size() != numSums)
      continue;
    first.sums = sums;
    first.rows = findMost(lhs, allRows, sums);
    first.columns = findMost(rhs, allColumns, sums);
    addProduct(first.rows, first.columns, sums);
  }
  sort();
  bool isQuick = given.isQuick || isAlternative;
  if (!isQuick) {
    addOthers(first, allSums, allColumns, allRows);
    addVariants([&](const GettChoice &choice) {
      for (unsigned input : {0, 1})
        for (const InputWay &inputWay : listInputWays(choice, input)) {
          GettChoice other = choice;
          other.inputs[input] = inputWay;
          add(other);
        }
    });
    addVariants([&](const GettChoice &choice) {
      GettChoice other = choice;
      for (uint64_t bytes = target.l2Bytes; bytes > target.l1Bytes;
           bytes /= 2) {
        other.mostBytes = double(bytes);
        add(other);
      }
    });
  }
  // A version that copies would be one more for each size of the copies.
  if (isAlternative)
    llvm::erase_if(ways, [](const Way &way) {
      return llvm::any_of(way.choice.inputs, [](const InputWay &inputWay) {
        return inputWay.kind != InputWay::InPlace;
      });
    });
  // The best ones with all that is selected of their products.
  std::vector<Candidate> candidates;
  OpPricer exact(op, target, {}, given.assumed, given.isQuick);
  for (const Way &way :
       ArrayRef<Way>(ways).take_front(std::min(Listed::kVaried, ways.size()))) {
    candidates.push_back(way.candidate);
    if (!given.isQuick)
      candidates.back().cost = exact.price(way.candidate.schedule);
  }
  sortByPrice(candidates);
  // Of about equals the one that moves least.
  auto end = llvm::find_if(candidates, [&](const Candidate &candidate) {
    return candidate.cost->cycles > candidates.front().cost->cycles * kAbout;
  });
  auto getMoves = [](const Candidate &candidate) {
    auto [l2, l3, memory] = candidate.cost->movedBytes;
    return l2 + l3 + memory;
  };
  auto best = std::min_element(candidates.begin(), end,
                               [&](const Candidate &a, const Candidate &b) {
                                 return getMoves(a) < getMoves(b);
                               });
  if (best != candidates.end())
    std::rotate(candidates.begin(), best, best + 1);
  return candidates;
}

std::vector<Candidate> listGetts(linalg::LinalgOp op, const TargetInfo &target,
                                 const GivenChoices &given) {
  bool isOpen = given.packing == "auto" || given.packing == "always";
  if (!isOpen || !isPackable(op) || op->hasAttr(EinDialect::kPackedTensorsAttr))
    return {};
  return GettLister(op, target, given).list();
}

} // namespace ein
