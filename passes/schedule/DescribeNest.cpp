//===- DescribeNest.cpp - A strategy as loops -----------------------------===//
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
  NestPrinter(linalg::LinalgOp op, const Strategy &strategy)
      : op(op), strategy(strategy), maps(op.getIndexingMapsArray()),
        names(getIndexNames(op.getLoc(), op.getNumLoops())),
        iterators(op.getIteratorTypesArray()),
        extents(op.getStaticLoopRanges()), stream(text) {
    // Where the source has no names, those of the literature.
    for (unsigned i = 0, e = op.getNumDpsInputs(); i < e; ++i) {
      std::string name = getTensorName(op.getDpsInputs()[i]);
      inputs.push_back(!name.empty() ? name
                       : e == 2      ? (i == unsigned(strategy.lhs) ? "A" : "B")
                                     : "input " + std::to_string(i + 1));
    }
    result = getTensorName(op.getLoc()).str();
    if (result.empty())
      result = "C";
    order = strategy.getLoopOrder(names.size());
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
    return dim < int64_t(strategy.tile.size()) && strategy.tile[dim] != 0;
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
  /// The loops over blocks, or single points, that the strategy asks for.
  void openTiled(StringRef what = "");
  /// Those over whatever has not been looped over.
  void openRest(ArrayRef<int64_t> but = {});
  /// An input as the op reads it, `A(m, k)`; its name alone where it is read at
  /// more than dims.
  std::string access(unsigned number) const;

  linalg::LinalgOp op;
  const Strategy &strategy;
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
  if (dim == strategy.parallelDim &&
      !(strategy.kind == Strategy::PackedGemm && dim == strategy.n))
    stream << ", in threads";
  if (!what.empty())
    stream << "  # " << what;
  ++depth;
}

void NestPrinter::openTiled(StringRef what) {
  for (int64_t dim : order)
    if (isTiled(dim))
      open(dim, strategy.tile[dim], strategy.tile[dim] > 1 ? what : "");
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
  unsigned lhs = strategy.lhs, rhs = 1 - lhs;
  if (strategy.inPlaceBytes)
    line() << "# operands of at most " << strategy.inPlaceBytes
           << " bytes: the loops over tiles alone, nothing packed";
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
      if (strategy.pack[number] && findPlace(number) == place)
        line() << "pack " << access(number) << " in panels of " << width << " "
               << what;
    };
    print(rhs, strategy.nr, "columns");
    print(lhs, strategy.mr, "rows");
  };
  printPacks(-1);
  int64_t place = 0;
  for (int64_t dim : order) {
    if (!isTiled(dim))
      continue;
    open(dim, strategy.tile[dim], strategy.tile[dim] > 1 ? "block" : "");
    printPacks(place++);
  }
  auto openTiles = [&](int64_t dim, int64_t step, StringRef what) {
    line() << "for " << names[dim];
    if (isTiled(dim))
      stream << " of the block";
    else if (!ShapedType::isDynamic(extents[dim]))
      stream << " in 0.." << extents[dim];
    stream << " by " << step;
    if (dim == strategy.n && strategy.parallelDim == dim)
      stream << ", in threads";
    stream << "  # " << what;
    ++depth;
  };
  if (strategy.rowsFirst) {
    openTiles(strategy.m, strategy.mr, "rows of a register tile");
    openTiles(strategy.n, strategy.nr, "columns of a register tile");
  } else {
    openTiles(strategy.n, strategy.nr, "columns of a register tile");
    openTiles(strategy.m, strategy.mr, "rows of a register tile");
  }
  if (strategy.symmetric)
    line() << "skip what lies above the diagonal: it is copied from below";
  line() << result << ", " << strategy.mr << " by " << strategy.nr
         << ", in registers";
  line() << "for " << names[strategy.k];
  if (isTiled(strategy.k))
    stream << " of the block";
  else if (!ShapedType::isDynamic(extents[strategy.k]))
    stream << " in 0.." << extents[strategy.k];
  int64_t step = strategy.kPack;
  if (step > 1)
    stream << " by " << step;
  if (strategy.unroll > 1)
    stream << ", " << strategy.unroll << " steps unrolled";
  ++depth;
  line() << result << "[" << strategy.mr << " x " << strategy.nr
         << "] += " << inputs[lhs] << "[" << strategy.mr << " x " << step
         << "] * " << inputs[rhs] << "[" << step << " x " << strategy.nr << "]";
}

void NestPrinter::printWindow() {
  auto isInRegisters = [&](int64_t dim) {
    return !isSummed(dim) && isTiled(dim) && strategy.tile[dim] > 1;
  };
  for (int64_t dim : order)
    if (!isSummed(dim) || isTiled(dim))
      open(dim, isTiled(dim) ? strategy.tile[dim] : 1,
           isInRegisters(dim) ? "in registers" : "");
  for (int64_t dim : order)
    if (isSummed(dim) && !isTiled(dim))
      open(dim, 1, "sum");
  line() << "the tile += a vector of `" << names[strategy.vectorDim]
         << "` of each operand";
}

void NestPrinter::printReduction() {
  openTiled("block");
  openRest({strategy.vectorDim});
  int64_t step = strategy.lanes * std::max<int64_t>(1, strategy.unroll);
  line() << "for " << names[strategy.vectorDim]
         << (isTiled(strategy.vectorDim) ? " of the block" : "") << " by "
         << step << "  # " << std::max<int64_t>(1, strategy.unroll)
         << " vectors of " << strategy.lanes;
  ++depth;
  line() << (isSummed(strategy.vectorDim)
                 ? "accumulate, and combine the vectors at the end"
                 : "accumulate into vectors of the result");
}

void NestPrinter::printKind() {
  switch (strategy.kind) {
  case Strategy::Loops:
    openRest();
    line() << "one element at a time";
    return;
  case Strategy::Vectorize:
    openTiled("vector");
    openRest();
    line() << "one vector at a time";
    if (strategy.streamBytes)
      stream << ", stored past the caches from " << strategy.streamBytes
             << " bytes on";
    return;
  case Strategy::PackedGemm:
    return printPackedGemm();
  case Strategy::Dot: {
    for (int64_t dim : order) {
      if (dim == strategy.k) {
        if (isTiled(dim))
          open(dim, strategy.tile[dim], "block");
        continue;
      }
      open(dim, dim == strategy.m   ? strategy.mr
                : dim == strategy.n ? strategy.nr
                                    : 1);
    }
    line() << "for " << names[strategy.k]
           << (isTiled(strategy.k) ? " of the block" : "") << " by "
           << strategy.unroll * strategy.lanes;
    ++depth;
    line() << strategy.mr << " by " << strategy.nr << " vectors of sums";
    return;
  }
  case Strategy::LibraryCall:
    for (int64_t dim : order)
      if (dim != strategy.m && dim != strategy.n && dim != strategy.k)
        open(dim, 1);
    line() << "call the library";
    return;
  case Strategy::Epilogue:
    line() << "in the register tiles of the op whose result it updates";
    return;
  case Strategy::SplitSum:
    line() << "for " << strategy.parts << " parts of `" << names[strategy.k]
           << "`, in threads";
    ++depth;
    line() << "sum the part; the sums are combined afterwards";
    return;
  case Strategy::Gett:
    for (unsigned input = 0; input < 2; ++input)
      if (!strategy.order[input].empty() && strategy.whole[input])
        line() << "copy all of " << inputs[input] << " in another order";
    openTiled("block");
    for (unsigned input = 0; input < 2; ++input)
      if (!strategy.order[input].empty() && !strategy.whole[input])
        line() << "copy the block of " << inputs[input] << " in another order";
    line() << "contract the block: an op of its own, with fewer dims";
    return;
  case Strategy::Transpose:
    openTiled("block");
    line() << "transpose " << strategy.lanes << " by " << strategy.lanes
           << " elements in registers";
    return;
  case Strategy::Window:
    return printWindow();
  case Strategy::Reduce:
    return printReduction();
  case Strategy::Rows:
    openTiled("rows");
    line() << "with the other ops of loop " << strategy.group << " over rows:";
    openRest();
    line() << "in vectors";
    return;
  }
}

std::string describeBriefly(linalg::LinalgOp op, const Strategy &strategy) {
  SmallVector<std::string> names = getIndexNames(op.getLoc(), op.getNumLoops());
  std::string text;
  llvm::raw_string_ostream os(text);
  auto along = [&](int64_t dim) {
    os << " along `" << (dim >= 0 ? names[dim] : "?") << "`";
  };
  switch (strategy.kind) {
  case Strategy::Loops:
    return "one element at a time";
  case Strategy::Vectorize:
    if (strategy.vectorDim < 0)
      return "vectors";
    os << "vectors of "
       << (strategy.tile[strategy.vectorDim] != 0
               ? strategy.tile[strategy.vectorDim]
               : op.getStaticLoopRanges()[strategy.vectorDim]);
    along(strategy.vectorDim);
    return text;
  case Strategy::PackedGemm:
    os << "tiles of " << strategy.mr << " by " << strategy.nr;
    if (strategy.pack[0] || strategy.pack[1]) {
      os << ", packed: ";
      for (unsigned input : {0u, 1u})
        if (strategy.pack[input])
          os << (input == 1 && strategy.pack[0] ? ", " : "")
             << getTensorName(op.getDpsInputs()[input]);
    }
    return text;
  case Strategy::Dot:
    os << std::max<int64_t>(strategy.mr, 1) << " by "
       << std::max<int64_t>(strategy.nr, 1) << " sums of "
       << strategy.unroll * strategy.lanes;
    along(strategy.k);
    return text;
  case Strategy::LibraryCall:
    return "a library's function";
  case Strategy::Epilogue:
    return "in registers, before the tile is stored";
  case Strategy::SplitSum:
    return "in parts";
  case Strategy::Gett:
    return "in blocks";
  case Strategy::Transpose:
    if (strategy.lanes > 1)
      os << "squares of " << strategy.lanes << " in registers";
    else
      os << "one element at a time";
    return text;
  case Strategy::Window:
    os << "register tiles, vectors of " << strategy.lanes;
    along(strategy.vectorDim);
    return text;
  case Strategy::Reduce:
    os << std::max<int64_t>(strategy.unroll, 1) << " vectors of "
       << strategy.lanes;
    along(strategy.vectorDim);
    return text;
  case Strategy::Rows:
    return "by rows";
  }
  llvm_unreachable("unknown strategy");
}

std::string describeNest(linalg::LinalgOp op, const Strategy &strategy) {
  return NestPrinter(op, strategy).print();
}

} // namespace ein
