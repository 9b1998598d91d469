//===- DescribeNest.cpp - A schedule as loops -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What runs is the IR; this is what it was made from, in the order in which the
// passes make loops of it. What they do at the ends of loops, where a tile is
// not full, is left out.
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/DescribeNest.h"
#include "ir/IndexNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ein {
namespace {

class NestPrinter {
public:
  NestPrinter(linalg::LinalgOp op, const Schedule &schedule)
      : op(op), schedule(schedule), maps(op.getIndexingMapsArray()),
        names(getIndexNames(op.getLoc(), op.getNumLoops())),
        iterators(op.getIteratorTypesArray()),
        extents(op.getStaticLoopRanges()), stream(text) {
    // Where the source has no names, those of the literature.
    for (unsigned i = 0, e = op.getNumDpsInputs(); i < e; ++i) {
      std::string name = getTensorName(op.getDpsInputs()[i]);
      inputs.push_back(!name.empty() ? name
                       : e == 2      ? (i == unsigned(schedule.lhs) ? "A" : "B")
                                     : "input " + std::to_string(i + 1));
    }
    result = getTensorName(op.getLoc()).str();
    if (result.empty())
      result = "C";
    order = schedule.getLoopOrder(names.size());
  }

  std::string print() {
    printKind();
    return text;
  }

private:
  void printKind();
  void printPackedGemm();
  void printWindow();
  void printReduction();

  bool isTiled(int64_t dim) const {
    return dim < int64_t(schedule.tile.size()) && schedule.tile[dim] != 0;
  }
  bool isSummed(int64_t dim) const {
    return iterators[dim] == utils::IteratorType::reduction;
  }
  /// A line at the present depth.
  llvm::raw_ostream &line() {
    if (!text.empty())
      stream << '\n';
    return stream.indent(2 * depth);
  }
  /// A loop over all of a dim; what follows is inside.
  void open(int64_t dim, int64_t step, StringRef what = "");
  /// The loops over blocks, or single points, that the schedule asks for.
  void openTiled(StringRef what = "");
  /// Those over whatever has not been looped over.
  void openRest(ArrayRef<int64_t> but = {});
  /// An input as the op reads it, `A(m, k)`; its name alone where it is read at
  /// more than dims.
  std::string access(unsigned number) const;

  linalg::LinalgOp op;
  const Schedule &schedule;
  SmallVector<AffineMap> maps;
  SmallVector<std::string> names, inputs;
  std::string result;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<int64_t> extents, order;
  std::string text;
  llvm::raw_string_ostream stream;
  unsigned depth = 0;
};

} // namespace

void NestPrinter::open(int64_t dim, int64_t step, StringRef what) {
  line() << "for " << names[dim];
  if (!ShapedType::isDynamic(extents[dim]))
    stream << " in 0.." << extents[dim];
  if (step > 1)
    stream << " by " << step;
  // Of a packed_gemm `n` stands for the register tiles.
  if (dim == schedule.parallelDim &&
      !(schedule.kind == Schedule::PackedGemm && dim == schedule.n))
    stream << ", in threads";
  if (!what.empty())
    stream << "  # " << what;
  ++depth;
}

void NestPrinter::openTiled(StringRef what) {
  for (int64_t dim : order)
    if (isTiled(dim))
      open(dim, schedule.tile[dim], schedule.tile[dim] > 1 ? what : "");
}

void NestPrinter::openRest(ArrayRef<int64_t> but) {
  for (int64_t dim : order)
    if (!isTiled(dim) && !llvm::is_contained(but, dim))
      open(dim, 1, isSummed(dim) ? "sum" : "");
}

std::string NestPrinter::access(unsigned number) const {
  std::string list;
  for (AffineExpr expr : maps[number].getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return inputs[number];
    list += (list.empty() ? "" : ", ") + names[dim.getPosition()];
  }
  return inputs[number] + "(" + list + ")";
}

void NestPrinter::printPackedGemm() {
  unsigned lhs = schedule.lhs, rhs = 1 - lhs;
  // A pack is lifted out of the loops that it does not depend on.
  auto findPlace = [&](unsigned number) {
    int64_t place = -1, count = 0;
    for (int64_t dim : order) {
      if (!isTiled(dim))
        continue;
      if (maps[number].isFunctionOfDim(dim))
        place = count;
      ++count;
    }
    return place;
  };
  auto printPacks = [&](int64_t place) {
    auto print = [&](unsigned number, int64_t width, StringRef what) {
      if (schedule.pack[number] && findPlace(number) == place)
        line() << "pack " << access(number) << " in panels of " << width << " "
               << what;
    };
    print(rhs, schedule.nr, "columns");
    print(lhs, schedule.mr, "rows");
  };
  printPacks(-1);
  int64_t place = 0;
  for (int64_t dim : order) {
    if (!isTiled(dim))
      continue;
    open(dim, schedule.tile[dim], schedule.tile[dim] > 1 ? "block" : "");
    printPacks(place++);
  }
  auto openTiles = [&](int64_t dim, int64_t step, StringRef what) {
    line() << "for " << names[dim];
    if (isTiled(dim))
      stream << " of the block";
    else if (!ShapedType::isDynamic(extents[dim]))
      stream << " in 0.." << extents[dim];
    stream << " by " << step;
    if (dim == schedule.n && schedule.parallelDim == dim)
      stream << ", in threads";
    stream << "  # " << what;
    ++depth;
  };
  if (schedule.rowsFirst) {
    openTiles(schedule.m, schedule.mr, "rows of a register tile");
    openTiles(schedule.n, schedule.nr, "columns of a register tile");
  } else {
    openTiles(schedule.n, schedule.nr, "columns of a register tile");
    openTiles(schedule.m, schedule.mr, "rows of a register tile");
  }
  if (schedule.symmetric)
    line() << "skip what lies above the diagonal: it is copied from below";
  line() << result << ", " << schedule.mr << " by " << schedule.nr
         << ", in registers";
  line() << "for " << names[schedule.k];
  if (isTiled(schedule.k))
    stream << " of the block";
  else if (!ShapedType::isDynamic(extents[schedule.k]))
    stream << " in 0.." << extents[schedule.k];
  int64_t step = schedule.kPack;
  if (step > 1)
    stream << " by " << step;
  if (schedule.unroll > 1)
    stream << ", " << schedule.unroll << " steps unrolled";
  ++depth;
  line() << result << "[" << schedule.mr << " x " << schedule.nr
         << "] += " << inputs[lhs] << "[" << schedule.mr << " x " << step
         << "] * " << inputs[rhs] << "[" << step << " x " << schedule.nr << "]";
}

void NestPrinter::printWindow() {
  auto isInRegisters = [&](int64_t dim) {
    return !isSummed(dim) && isTiled(dim) && schedule.tile[dim] > 1;
  };
  for (int64_t dim : order)
    if (!isSummed(dim) || isTiled(dim))
      open(dim, isTiled(dim) ? schedule.tile[dim] : 1,
           isInRegisters(dim) ? "in registers" : "");
  for (int64_t dim : order)
    if (isSummed(dim) && !isTiled(dim))
      open(dim, 1, "sum");
  line() << "the tile += a vector of `" << names[schedule.vectorDim]
         << "` of each operand";
}

void NestPrinter::printReduction() {
  openTiled("block");
  openRest({schedule.vectorDim});
  int64_t step = schedule.lanes * std::max<int64_t>(1, schedule.unroll);
  line() << "for " << names[schedule.vectorDim]
         << (isTiled(schedule.vectorDim) ? " of the block" : "") << " by "
         << step << "  # " << std::max<int64_t>(1, schedule.unroll)
         << " vectors of " << schedule.lanes;
  ++depth;
  line() << (isSummed(schedule.vectorDim)
                 ? "accumulate, and combine the vectors at the end"
                 : "accumulate into vectors of the result");
}

void NestPrinter::printKind() {
  for (const Schedule::Alternative &alternative : schedule.alternatives)
    line() << "# if " << describeGuard(alternative.guard, names) << ": "
           << describeBriefly(op, alternative.schedule);
  switch (schedule.kind) {
  case Schedule::Loops:
    openRest();
    line() << "one element at a time";
    return;
  case Schedule::Vectorize:
    openTiled("vector");
    openRest();
    line() << "one vector at a time";
    if (schedule.streamBytes)
      stream << ", stored past the caches from " << schedule.streamBytes
             << " bytes on";
    return;
  case Schedule::PackedGemm:
    return printPackedGemm();
  case Schedule::Dot: {
    for (int64_t dim : order) {
      if (dim == schedule.k) {
        if (isTiled(dim))
          open(dim, schedule.tile[dim], "block");
        continue;
      }
      open(dim, dim == schedule.m   ? schedule.mr
                : dim == schedule.n ? schedule.nr
                                    : 1);
    }
    line() << "for " << names[schedule.k]
           << (isTiled(schedule.k) ? " of the block" : "") << " by "
           << schedule.unroll * schedule.lanes;
    ++depth;
    line() << schedule.mr << " by " << schedule.nr << " vectors of sums";
    return;
  }
  case Schedule::LibraryCall:
    for (int64_t dim : order)
      if (dim != schedule.m && dim != schedule.n && dim != schedule.k)
        open(dim, 1);
    line() << "call the library";
    return;
  case Schedule::Epilogue:
    line() << "in the register tiles of the op whose result it updates";
    return;
  case Schedule::SplitSum:
    line() << "for " << schedule.parts << " parts of `" << names[schedule.k]
           << "`, in threads";
    ++depth;
    line() << "sum the part; the sums are combined afterwards";
    return;
  case Schedule::Gett:
    for (unsigned input = 0; input < 2; ++input)
      if (!schedule.order[input].empty() && schedule.whole[input])
        line() << "copy all of " << inputs[input] << " in another order";
    openTiled("block");
    for (unsigned input = 0; input < 2; ++input)
      if (!schedule.order[input].empty() && !schedule.whole[input])
        line() << "copy the block of " << inputs[input] << " in another order";
    line() << "contract the block: an op of its own, with fewer dims";
    return;
  case Schedule::Transpose:
    openTiled("block");
    line() << "transpose " << schedule.lanes << " by " << schedule.lanes
           << " elements in registers";
    return;
  case Schedule::Window:
    return printWindow();
  case Schedule::Reduce:
    return printReduction();
  case Schedule::Rows:
    openTiled("rows");
    line() << "with the other ops of loop " << schedule.group << " over rows:";
    openRest();
    line() << "in vectors";
    return;
  }
}

std::string describeBriefly(linalg::LinalgOp op, const Schedule &schedule) {
  SmallVector<std::string> names = getIndexNames(op.getLoc(), op.getNumLoops());
  std::string text;
  llvm::raw_string_ostream os(text);
  auto along = [&](int64_t dim) {
    os << " along `" << (dim >= 0 ? names[dim] : "?") << "`";
  };
  switch (schedule.kind) {
  case Schedule::Loops:
    return "one element at a time";
  case Schedule::Vectorize:
    if (schedule.vectorDim < 0)
      return "vectors";
    os << "vectors of "
       << (schedule.tile[schedule.vectorDim] != 0
               ? schedule.tile[schedule.vectorDim]
               : op.getStaticLoopRanges()[schedule.vectorDim]);
    along(schedule.vectorDim);
    return text;
  case Schedule::PackedGemm:
    os << "tiles of " << schedule.mr << " by " << schedule.nr;
    if (schedule.pack[0] || schedule.pack[1]) {
      os << ", packed: ";
      for (unsigned input : {0u, 1u})
        if (schedule.pack[input])
          os << (input == 1 && schedule.pack[0] ? ", " : "")
             << getTensorName(op.getDpsInputs()[input]);
    }
    return text;
  case Schedule::Dot:
    os << std::max<int64_t>(schedule.mr, 1) << " by "
       << std::max<int64_t>(schedule.nr, 1) << " sums of "
       << schedule.unroll * schedule.lanes;
    along(schedule.k);
    return text;
  case Schedule::LibraryCall:
    return "a library's function";
  case Schedule::Epilogue:
    return "in registers, before the tile is stored";
  case Schedule::SplitSum:
    return "in parts";
  case Schedule::Gett:
    return "in blocks";
  case Schedule::Transpose:
    if (schedule.lanes > 1)
      os << "squares of " << schedule.lanes << " in registers";
    else
      os << "one element at a time";
    return text;
  case Schedule::Window:
    os << "register tiles, vectors of " << schedule.lanes;
    along(schedule.vectorDim);
    return text;
  case Schedule::Reduce:
    os << std::max<int64_t>(schedule.unroll, 1) << " vectors of "
       << schedule.lanes;
    along(schedule.vectorDim);
    return text;
  case Schedule::Rows:
    return "by rows";
  }
  llvm_unreachable("unknown schedule");
}

std::string describeNest(linalg::LinalgOp op, const Schedule &schedule) {
  return NestPrinter(op, schedule).print();
}

} // namespace ein
