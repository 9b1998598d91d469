//===- Strategy.cpp - How one op runs -------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/Strategy.h"
#include "ir/EinDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

static StringRef getName(Strategy::Kind kind) {
  switch (kind) {
  case Strategy::Loops:
    return "loops";
  case Strategy::Vectorize:
    return "vectorize";
  case Strategy::PackedGemm:
    return "packed_gemm";
  case Strategy::Dot:
    return "dot";
  case Strategy::LibraryCall:
    return "library_call";
  case Strategy::Epilogue:
    return "epilogue";
  case Strategy::SplitSum:
    return "split_sum";
  case Strategy::Gett:
    return "gett";
  case Strategy::Transpose:
    return "transpose";
  case Strategy::Window:
    return "window";
  case Strategy::Reduce:
    return "reduce";
  case Strategy::Rows:
    return "rows";
  }
  llvm_unreachable("unknown strategy");
}

SmallVector<int64_t> Strategy::getLoopOrder(unsigned numLoops) const {
  SmallVector<int64_t> order = interchange;
  for (int64_t dim = 0; dim < numLoops; ++dim)
    if (!llvm::is_contained(order, dim))
      order.push_back(dim);
  return order;
}

/// What `dot` and the members behind it say.
static DictionaryAttr toDotAttr(MLIRContext *context,
                                const Strategy &strategy) {
  Builder b(context);
  NamedAttrList attrs;
  attrs.set("by", b.getStringAttr(strategy.dot));
  attrs.set("bits", b.getI64IntegerAttr(strategy.dotBits));
  if (strategy.dotScalable)
    attrs.set("scalable", b.getUnitAttr());
  if (strategy.dotRows != 1)
    attrs.set("rows", b.getI64IntegerAttr(strategy.dotRows));
  if (strategy.dotSwapped)
    attrs.set("swapped", b.getUnitAttr());
  if (strategy.dotOffset)
    attrs.set("offset", b.getUnitAttr());
  return attrs.getDictionary(context);
}

int64_t Strategy::getGroup(unsigned elementBits) const {
  // A group fills an element of the accumulator.
  constexpr unsigned kSumBits = 32;
  return hasTiles() ? kSumBits / elementBits : kPack;
}

DictionaryAttr Strategy::toAttr(MLIRContext *context) const {
  Builder b(context);
  NamedAttrList attrs;
  attrs.set("kind", b.getStringAttr(getName(kind)));
  if (kind == Vectorize || kind == PackedGemm || kind == Gett || kind == Dot ||
      kind == Window || kind == Reduce || kind == Rows ||
      (kind == Transpose && !tile.empty())) {
    attrs.set("tile", b.getDenseI64ArrayAttr(tile));
    if (!interchange.empty())
      attrs.set("interchange", b.getDenseI64ArrayAttr(interchange));
  }
  if (parallelDim >= 0) {
    attrs.set("parallel", b.getI64IntegerAttr(parallelDim));
    attrs.set("min_points", b.getI64IntegerAttr(minPoints));
    if (parallelLoops != 1)
      attrs.set("parallel_loops", b.getI64IntegerAttr(parallelLoops));
  }
  if (kind == Vectorize || kind == Window || kind == Reduce)
    attrs.set("vector_dim", b.getI64IntegerAttr(vectorDim));
  if (streamBytes != 0)
    attrs.set("stream_bytes", b.getI64IntegerAttr(streamBytes));
  if (kind == Vectorize && unroll != 1)
    attrs.set("unroll", b.getI64IntegerAttr(unroll));
  if ((kind == Vectorize || kind == Reduce) && prefetch != 0)
    attrs.set("prefetch", b.getUnitAttr());
  if (kind == LibraryCall || kind == Dot) {
    attrs.set("lhs", b.getI64IntegerAttr(lhs));
    for (auto [key, dim] :
         {std::pair("m", m), std::pair("n", n), std::pair("k", k)})
      if (dim >= 0)
        attrs.set(key, b.getI64IntegerAttr(dim));
  }
  if (kind == Dot) {
    attrs.set("micro", b.getDenseI64ArrayAttr({mr, nr}));
    attrs.set("step", b.getDenseI64ArrayAttr({lanes, unroll}));
    if (prefetch != 0)
      attrs.set("prefetch", b.getI64IntegerAttr(prefetch));
  }
  if (kind == PackedGemm) {
    attrs.set("lhs", b.getI64IntegerAttr(lhs));
    attrs.set("m", b.getI64IntegerAttr(m));
    attrs.set("n", b.getI64IntegerAttr(n));
    attrs.set("k", b.getI64IntegerAttr(k));
    attrs.set("micro", b.getDenseI64ArrayAttr({mr, nr}));
    if (colRemainderNr != 0)
      attrs.set("col_remainder",
                b.getDenseI64ArrayAttr({colRemainderMr, colRemainderNr}));
    if (rowRemainder != 0)
      attrs.set("row_remainder", b.getI64IntegerAttr(rowRemainder));
    if (rowsFirst)
      attrs.set("rows_first", b.getUnitAttr());
    if (clampRows)
      attrs.set("clamp_rows", b.getUnitAttr());
    if (prefetch != 0)
      attrs.set("prefetch", b.getUnitAttr());
    if (prefetchDistance != 0)
      attrs.set("prefetch_distance", b.getI64IntegerAttr(prefetchDistance));
    if (unroll != 1)
      attrs.set("unroll", b.getI64IntegerAttr(unroll));
    if (kPack != 1)
      attrs.set("k_pack", b.getI64IntegerAttr(kPack));
    if (!dot.empty())
      attrs.set("dot", toDotAttr(context, *this));
    if (!pack[0] || !pack[1])
      attrs.set("pack", b.getDenseBoolArrayAttr({pack[0], pack[1]}));
    if (symmetric != 0)
      attrs.set("symmetric", b.getI64IntegerAttr(symmetric));
    if (inPlaceBytes != 0)
      attrs.set("in_place_bytes", b.getI64IntegerAttr(inPlaceBytes));
    if (smallVersionNr != 0)
      attrs.set("small_version",
                b.getDenseI64ArrayAttr({smallVersionMr, smallVersionNr}));
  }
  if (kind == SplitSum) {
    attrs.set("k", b.getI64IntegerAttr(k));
    attrs.set("parts", b.getI64IntegerAttr(parts));
    attrs.set("grain", b.getI64IntegerAttr(grain));
  }
  auto getLists = [&](ArrayRef<SmallVector<int64_t>> lists) {
    return b.getArrayAttr(
        llvm::map_to_vector(lists, [&](ArrayRef<int64_t> list) -> Attribute {
          return b.getDenseI64ArrayAttr(list);
        }));
  };
  if (kind == Gett) {
    if (!groups.empty())
      attrs.set("groups", getLists(groups));
    if (!order[0].empty() || !order[1].empty())
      attrs.set("order", getLists(order));
    if (whole[0] || whole[1])
      attrs.set("whole", b.getDenseBoolArrayAttr({whole[0], whole[1]}));
  }
  if (kind == Transpose || kind == Gett || kind == Window || kind == Reduce)
    attrs.set("lanes", b.getI64IntegerAttr(lanes));
  if (kind == Reduce && widening != 1)
    attrs.set("widening", b.getI64IntegerAttr(widening));
  if (kind == Rows) {
    attrs.set("group", b.getI64IntegerAttr(group));
    if (columns != 0)
      attrs.set("columns", b.getI64IntegerAttr(columns));
    if (grain != 0)
      attrs.set("block", b.getI64IntegerAttr(grain));
    if (!order[0].empty() || !order[1].empty())
      attrs.set("order", getLists(order));
  }
  if (kind == Window || kind == Reduce) {
    if (unrolledSums != 0)
      attrs.set("unrolled_sums", b.getI64IntegerAttr(unrolledSums));
    if (unroll != 1)
      attrs.set("unroll", b.getI64IntegerAttr(unroll));
    if (ieeeMinMax)
      attrs.set("ieee_min_max", b.getUnitAttr());
  }
  if (masked)
    attrs.set("masked", b.getUnitAttr());
  return attrs.getDictionary(context);
}

/// More steps of a loop than this are never made one.
static constexpr int64_t kMaxUnroll = 1024;
/// No instruction takes more of k.
static constexpr int64_t kMaxPack = 64;
/// No instruction multiplies more rows.
static constexpr int64_t kMaxRows = 16;
/// No machine has wider registers.
static constexpr int64_t kMaxBits = 1 << 13;

/// Reads dict[key] into `value`; false if it is absent or outside [low, high).
static bool getInt(DictionaryAttr dict, StringRef key, int64_t low,
                   int64_t high, int64_t &value) {
  auto attr = dict.getAs<IntegerAttr>(key);
  if (!attr || attr.getInt() < low || attr.getInt() >= high)
    return false;
  value = attr.getInt();
  return true;
}

static bool getTiles(DictionaryAttr dict, unsigned numLoops,
                     Strategy &strategy) {
  auto tile = dict.getAs<DenseI64ArrayAttr>("tile");
  if (!tile || tile.size() != numLoops ||
      llvm::any_of(tile.asArrayRef(), [](int64_t size) { return size < 0; }))
    return false;
  strategy.tile = llvm::to_vector(tile.asArrayRef());
  auto interchange = dict.getAs<DenseI64ArrayAttr>("interchange");
  if (!interchange)
    return true;
  SmallVector<int64_t> sorted = llvm::to_vector(interchange.asArrayRef());
  strategy.interchange = sorted;
  llvm::sort(sorted);
  return llvm::equal(sorted, llvm::seq<int64_t>(0, numLoops));
}

/// Both of the keys about threads, or neither.
static bool getParallel(DictionaryAttr dict, unsigned numLoops,
                        Strategy &strategy) {
  if (!dict.contains("parallel") && !dict.contains("min_points"))
    return true;
  return getInt(dict, "parallel", 0, numLoops, strategy.parallelDim) &&
         getInt(dict, "min_points", 0, std::numeric_limits<int64_t>::max(),
                strategy.minPoints) &&
         (!dict.contains("parallel_loops") ||
          getInt(dict, "parallel_loops", 1, 3, strategy.parallelLoops));
}

/// Two numbers of at least 1.
static bool getPair(DictionaryAttr dict, StringRef key, int64_t &first,
                    int64_t &second) {
  auto pair = dict.getAs<DenseI64ArrayAttr>(key);
  if (!pair || pair.size() != 2 || pair[0] < 1 || pair[1] < 1)
    return false;
  first = pair[0];
  second = pair[1];
  return true;
}

/// A tile for the columns that do not fill one of `nr`, if there is one.
static bool getEdge(DictionaryAttr dict, StringRef key, int64_t nr,
                    int64_t &colRemainderMr, int64_t &colRemainderNr) {
  return !dict.contains(key) ||
         (getPair(dict, key, colRemainderMr, colRemainderNr) &&
          colRemainderNr <= nr);
}

/// The instruction for groups of k, which tiles are blocks and registers of.
static bool getDot(DictionaryAttr dict, Strategy &strategy) {
  if (!dict.contains("dot"))
    return true;
  auto dot = dict.getAs<DictionaryAttr>("dot");
  auto by = dot ? dot.getAs<StringAttr>("by") : StringAttr();
  if (!by || !by.getValue().starts_with("llvm.") || strategy.kPack == 1)
    return false;
  strategy.dot = by.str();
  if (!getInt(dot, "bits", 1, kMaxBits + 1, strategy.dotBits) ||
      !llvm::isPowerOf2_64(strategy.dotBits))
    return false;
  strategy.dotScalable = dot.contains("scalable");
  if (dot.contains("rows") &&
      (!getInt(dot, "rows", 2, kMaxRows + 1, strategy.dotRows) ||
       (strategy.dotRows != 2 && strategy.dotRows != kMaxRows)))
    return false;
  strategy.dotSwapped = dot.contains("swapped");
  strategy.dotOffset = dot.contains("offset");
  // The last of the tiles may have fewer rows.
  return (strategy.hasTiles() || strategy.mr % strategy.dotRows == 0) &&
         strategy.nr % strategy.dotRows == 0;
}

static bool getPackedGemm(DictionaryAttr dict, unsigned numLoops,
                          Strategy &strategy) {
  if (!getPair(dict, "micro", strategy.mr, strategy.nr) ||
      !getEdge(dict, "col_remainder", strategy.nr, strategy.colRemainderMr,
               strategy.colRemainderNr))
    return false;
  if (dict.contains("row_remainder") &&
      !getInt(dict, "row_remainder", 1, strategy.mr, strategy.rowRemainder))
    return false;
  strategy.rowsFirst = dict.contains("rows_first");
  strategy.clampRows = dict.contains("clamp_rows");
  strategy.prefetch = dict.contains("prefetch");
  if (dict.contains("unroll") &&
      !getInt(dict, "unroll", 2, kMaxUnroll, strategy.unroll))
    return false;
  // Groups of one are not written.
  if (dict.contains("k_pack") &&
      (!getInt(dict, "k_pack", 2, kMaxPack + 1, strategy.kPack) ||
       !llvm::isPowerOf2_64(strategy.kPack)))
    return false;
  if (!getDot(dict, strategy))
    return false;
  // Nor is that both are packed.
  if (dict.contains("pack")) {
    auto pack = dict.getAs<DenseBoolArrayAttr>("pack");
    if (!pack || pack.size() != 2 || (pack[0] && pack[1]))
      return false;
    strategy.pack = {pack[0], pack[1]};
  }
  if (dict.contains("prefetch_distance") &&
      !getInt(dict, "prefetch_distance", 1, std::numeric_limits<int64_t>::max(),
              strategy.prefetchDistance))
    return false;
  if (dict.contains("symmetric") &&
      !getInt(dict, "symmetric", 1, std::numeric_limits<int64_t>::max(),
              strategy.symmetric))
    return false;
  if (dict.contains("in_place_bytes") &&
      !getInt(dict, "in_place_bytes", 1, std::numeric_limits<int64_t>::max(),
              strategy.inPlaceBytes))
    return false;
  if (!getEdge(dict, "small_version", strategy.nr, strategy.smallVersionMr,
               strategy.smallVersionNr) ||
      (strategy.smallVersionNr != 0 && strategy.inPlaceBytes == 0))
    return false;
  return getInt(dict, "lhs", 0, 2, strategy.lhs) &&
         getInt(dict, "m", 0, numLoops, strategy.m) &&
         getInt(dict, "n", 0, numLoops, strategy.n) &&
         getInt(dict, "k", 0, numLoops, strategy.k) &&
         strategy.m != strategy.n && strategy.m != strategy.k &&
         strategy.n != strategy.k;
}

/// Lists of different loops each.
static bool getLists(DictionaryAttr dict, StringRef key, unsigned numLoops,
                     SmallVector<SmallVector<int64_t>> &lists) {
  if (!dict.contains(key))
    return true;
  auto array = dict.getAs<ArrayAttr>(key);
  if (!array)
    return false;
  for (Attribute attr : array) {
    auto list = dyn_cast<DenseI64ArrayAttr>(attr);
    if (!list)
      return false;
    llvm::SmallDenseSet<int64_t> seen;
    for (int64_t dim : list.asArrayRef())
      if (dim < 0 || dim >= int64_t(numLoops) || !seen.insert(dim).second)
        return false;
    lists.push_back(llvm::to_vector(list.asArrayRef()));
  }
  return true;
}

static bool getLanes(DictionaryAttr dict, Strategy &strategy) {
  return getInt(dict, "lanes", 1, 1025, strategy.lanes) &&
         llvm::isPowerOf2_64(strategy.lanes);
}

/// For each of two inputs the order of its copy, or none for both.
static bool getOrder(DictionaryAttr dict, unsigned numLoops,
                     Strategy &strategy) {
  SmallVector<SmallVector<int64_t>> order;
  if (!getLists(dict, "order", numLoops, order) ||
      (!order.empty() && order.size() != 2))
    return false;
  for (auto [to, from] : llvm::zip(strategy.order, order))
    to = from;
  return true;
}

static bool getGett(DictionaryAttr dict, unsigned numLoops,
                    Strategy &strategy) {
  if (!getTiles(dict, numLoops, strategy) || !getLanes(dict, strategy) ||
      !getLists(dict, "groups", numLoops, strategy.groups) ||
      !getOrder(dict, numLoops, strategy))
    return false;
  if (dict.contains("whole")) {
    auto whole = dict.getAs<DenseBoolArrayAttr>("whole");
    if (!whole || whole.size() != 2)
      return false;
    strategy.whole = {whole[0], whole[1]};
  }
  // A loop is in one group at most, and only the first of a group is tiled.
  llvm::SmallDenseSet<int64_t> seen;
  for (ArrayRef<int64_t> group : strategy.groups) {
    if (group.size() < 2 || strategy.tile[group.front()] == 1)
      return false;
    for (int64_t dim : group)
      if (!seen.insert(dim).second ||
          (dim != group.front() && strategy.tile[dim] != 0))
        return false;
  }
  return true;
}

/// Columns are whole vectors, and loops are in an order.
static bool getWindow(DictionaryAttr dict, unsigned numLoops,
                      Strategy &strategy) {
  strategy.masked = dict.contains("masked");
  strategy.ieeeMinMax = dict.contains("ieee_min_max");
  return getTiles(dict, numLoops, strategy) && getLanes(dict, strategy) &&
         strategy.interchange.size() == numLoops &&
         getInt(dict, "vector_dim", 0, numLoops, strategy.vectorDim) &&
         strategy.tile[strategy.vectorDim] >= strategy.lanes &&
         strategy.tile[strategy.vectorDim] % strategy.lanes == 0 &&
         (!dict.contains("unrolled_sums") ||
          getInt(dict, "unrolled_sums", 1, numLoops, strategy.unrolledSums)) &&
         (!dict.contains("unroll") ||
          getInt(dict, "unroll", 2, kMaxUnroll, strategy.unroll));
}

/// Loops are in an order; accumulators are a few.
static bool getReduce(DictionaryAttr dict, unsigned numLoops,
                      Strategy &strategy) {
  constexpr int64_t kMostVectors = 64, kWidest = 8;
  strategy.masked = dict.contains("masked");
  strategy.ieeeMinMax = dict.contains("ieee_min_max");
  strategy.prefetch = dict.contains("prefetch");
  return getTiles(dict, numLoops, strategy) && getLanes(dict, strategy) &&
         strategy.interchange.size() == numLoops &&
         getInt(dict, "vector_dim", 0, numLoops, strategy.vectorDim) &&
         (!dict.contains("widening") ||
          (getInt(dict, "widening", 2, kWidest + 1, strategy.widening) &&
           strategy.lanes % strategy.widening == 0)) &&
         (!dict.contains("unroll") ||
          getInt(dict, "unroll", 2, kMostVectors, strategy.unroll));
}

/// Dims that are absent are not there to be blocked, or called with.
static bool getPresentDims(DictionaryAttr dict, unsigned numLoops,
                           Strategy &strategy) {
  auto getDim = [&](StringRef key, int64_t &dim) {
    return !dict.contains(key) || getInt(dict, key, 0, numLoops, dim);
  };
  if (!getInt(dict, "lhs", 0, 2, strategy.lhs) || !getDim("m", strategy.m) ||
      !getDim("n", strategy.n) || !getDim("k", strategy.k))
    return false;
  return (strategy.m < 0 || strategy.m != strategy.k) &&
         (strategy.n < 0 ||
          (strategy.n != strategy.m && strategy.n != strategy.k));
}

/// Columns without rows are rows.
static bool hasBlasDims(const Strategy &strategy) {
  return (strategy.n < 0 || strategy.m >= 0) &&
         (strategy.m < 0 || strategy.k >= 0);
}

/// Rows come with columns.
static bool getDot(DictionaryAttr dict, unsigned numLoops, Strategy &strategy) {
  constexpr int64_t kMost = 64;
  return (!dict.contains("prefetch") ||
          getInt(dict, "prefetch", 1, kMost, strategy.prefetch)) &&
         getPresentDims(dict, numLoops, strategy) && strategy.k >= 0 &&
         (strategy.m < 0 || strategy.n >= 0) &&
         getPair(dict, "micro", strategy.mr, strategy.nr) &&
         getPair(dict, "step", strategy.lanes, strategy.unroll) &&
         (strategy.m >= 0 || strategy.mr == 1) &&
         (strategy.n >= 0 || strategy.nr == 1);
}

static bool getStream(DictionaryAttr dict, Strategy &strategy) {
  return !dict.contains("stream_bytes") ||
         getInt(dict, "stream_bytes", 1, std::numeric_limits<int64_t>::max(),
                strategy.streamBytes);
}

FailureOr<Strategy> Strategy::fromOp(Operation *op, unsigned numLoops) {
  auto dict = op->getAttrOfType<DictionaryAttr>(EinDialect::kStrategyAttr);
  auto kind = dict ? dict.getAs<StringAttr>("kind") : StringAttr();
  if (!kind)
    return op->emitOpError("has no `") << EinDialect::kStrategyAttr << "`";

  Strategy strategy;
  bool isValid = false;
  if (kind == getName(Loops)) {
    isValid = true;
  } else if (kind == getName(Vectorize)) {
    strategy.kind = Vectorize;
    strategy.masked = dict.contains("masked");
    strategy.prefetch = dict.contains("prefetch");
    isValid = getTiles(dict, numLoops, strategy) &&
              getInt(dict, "vector_dim", 0, numLoops, strategy.vectorDim) &&
              getStream(dict, strategy) &&
              (!dict.contains("unroll") ||
               getInt(dict, "unroll", 2, kMaxUnroll, strategy.unroll));
  } else if (kind == getName(PackedGemm)) {
    strategy.kind = PackedGemm;
    isValid = getTiles(dict, numLoops, strategy) &&
              getPackedGemm(dict, numLoops, strategy);
  } else if (kind == getName(Dot)) {
    strategy.kind = Dot;
    isValid =
        getTiles(dict, numLoops, strategy) && getDot(dict, numLoops, strategy);
  } else if (kind == getName(LibraryCall)) {
    strategy.kind = LibraryCall;
    isValid = getPresentDims(dict, numLoops, strategy) && hasBlasDims(strategy);
  } else if (kind == getName(Epilogue)) {
    strategy.kind = Epilogue;
    isValid = true;
  } else if (kind == getName(SplitSum)) {
    constexpr int64_t kMost = int64_t(1) << 31;
    strategy.kind = SplitSum;
    isValid = getInt(dict, "k", 0, numLoops, strategy.k) &&
              getInt(dict, "parts", 1, kMost, strategy.parts) &&
              getInt(dict, "grain", 1, kMost, strategy.grain);
  } else if (kind == getName(Gett)) {
    strategy.kind = Gett;
    isValid = getGett(dict, numLoops, strategy);
  } else if (kind == getName(Transpose)) {
    strategy.kind = Transpose;
    // Without tiles it is one block.
    isValid = getLanes(dict, strategy) && getStream(dict, strategy) &&
              (!dict.contains("tile") || getTiles(dict, numLoops, strategy));
  } else if (kind == getName(Window)) {
    strategy.kind = Window;
    isValid = getWindow(dict, numLoops, strategy);
  } else if (kind == getName(Reduce)) {
    strategy.kind = Reduce;
    isValid = getReduce(dict, numLoops, strategy);
  } else if (kind == getName(Rows)) {
    strategy.kind = Rows;
    isValid =
        getTiles(dict, numLoops, strategy) &&
        strategy.interchange.size() == numLoops &&
        getOrder(dict, numLoops, strategy) &&
        getInt(dict, "group", 0, std::numeric_limits<int64_t>::max(),
               strategy.group) &&
        (!dict.contains("columns") ||
         getInt(dict, "columns", 1, int64_t(1) << 31, strategy.columns)) &&
        (!dict.contains("block") ||
         getInt(dict, "block", 1, int64_t(1) << 31, strategy.grain));
  }
  if (!isValid || !getParallel(dict, numLoops, strategy))
    return op->emitOpError("has a malformed `")
           << EinDialect::kStrategyAttr << "`";
  return strategy;
}

bool hasStrategy(Operation *op, Strategy::Kind kind) {
  auto dict = op->getAttrOfType<DictionaryAttr>(EinDialect::kStrategyAttr);
  auto name = dict ? dict.getAs<StringAttr>("kind") : StringAttr();
  return name && name == getName(kind);
}

} // namespace ein
