//===- DescribeStrategy.cpp - A strategy in a sentence --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/DescribeStrategy.h"
#include "ir/IndexNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace ein {

static std::string describeStream(const Strategy &strategy) {
  return strategy.streamBytes == 0
             ? std::string()
             : ", past the caches from " +
                   std::to_string(strategy.streamBytes) + " bytes on";
}

/// The loops over blocks, from the outermost inwards.
static std::string describeBlocks(const Strategy &strategy,
                                  ArrayRef<std::string> names) {
  std::string loops;
  for (int64_t dim : strategy.interchange)
    if (strategy.tile[dim])
      loops += " " + names[dim] + "=" + std::to_string(strategy.tile[dim]);
  return loops.empty() ? loops : ", blocks" + loops;
}

/// `gather, loops over b=1 a=16, (d e) as one, first operand copied whole as `f
/// d e``.
static std::string describeGett(const Strategy &strategy,
                                ArrayRef<std::string> names) {
  std::string text = "gett";
  auto list = [&](ArrayRef<int64_t> dims) {
    return llvm::join(
        llvm::map_range(dims, [&](int64_t d) { return names[d]; }), " ");
  };
  text += describeBlocks(strategy, names);
  for (ArrayRef<int64_t> group : strategy.groups)
    text += ", (" + list(group) + ") as one";
  for (unsigned input = 0; input < 2; ++input)
    if (!strategy.order[input].empty())
      text += std::string(", ") + (input == 0 ? "first" : "second") +
              " operand copied " +
              (strategy.whole[input] ? "before" : "by blocks") + " as `" +
              list(strategy.order[input]) + "`";
  return text;
}

/// `window, 7 of `w` by 32 of `f` in registers, `kh` outside`.
static std::string describeWindow(const Strategy &strategy,
                                  ArrayRef<std::string> names,
                                  ArrayRef<utils::IteratorType> iterators) {
  std::string text = "window, ", outside;
  for (int64_t dim : strategy.interchange) {
    bool isRow = iterators[dim] == utils::IteratorType::parallel &&
                 dim != strategy.vectorDim && strategy.tile[dim] > 1;
    if (isRow)
      text +=
          std::to_string(strategy.tile[dim]) + " of `" + names[dim] + "` by ";
    if (iterators[dim] == utils::IteratorType::reduction && strategy.tile[dim])
      outside += ", `" + names[dim] + "` outside";
  }
  return text + std::to_string(strategy.tile[strategy.vectorDim]) + " of `" +
         names[strategy.vectorDim] + "` in registers" + outside;
}

/// `rows, one of `m` at a time`.
static std::string describeRows(const Strategy &strategy,
                                ArrayRef<std::string> names) {
  std::string text = "rows";
  for (auto [dim, size] : llvm::enumerate(strategy.tile))
    if (size > 0)
      text += ", " + (size == 1 ? "one" : std::to_string(size)) + " of `" +
              names[dim] + "` at a time";
  if (strategy.columns > 0)
    text += ", without what is masked";
  if (strategy.grain > 0)
    text += ", by " + std::to_string(strategy.grain) + " columns";
  return text;
}

static std::string describeKind(linalg::LinalgOp op, const Strategy &strategy) {
  SmallVector<std::string> names = getIndexNames(op.getLoc(), op.getNumLoops());
  std::string text = op->getName().getStringRef().str() + ": ";
  switch (strategy.kind) {
  case Strategy::Loops:
    return text + "loops";
  case Strategy::Vectorize:
    if (strategy.vectorDim < 0)
      return text + "vectorize";
    return text + "vectorize, " +
           std::to_string(strategy.tile[strategy.vectorDim]) + " of `" +
           names[strategy.vectorDim] + "` at a time" + describeStream(strategy);
  case Strategy::PackedGemm:
    text += "packed_gemm, blocks";
    for (int64_t dim : {strategy.m, strategy.n, strategy.k})
      text += " " + names[dim] + "=" +
              (strategy.tile[dim] ? std::to_string(strategy.tile[dim])
                                  : std::string("all"));
    text += ", register tile " + std::to_string(strategy.mr) + "x" +
            std::to_string(strategy.nr);
    if (strategy.colRemainderNr)
      text += ", " + std::to_string(strategy.colRemainderMr) + "x" +
              std::to_string(strategy.colRemainderNr) + " at the edge";
    if (strategy.rowRemainder)
      text +=
          ", " + std::to_string(strategy.rowRemainder) + " rows in the last";
    if (!strategy.pack[0] && !strategy.pack[1])
      text += ", nothing packed";
    else if (strategy.inPlaceBytes)
      text +=
          "; up to " + std::to_string(strategy.inPlaceBytes) +
          " bytes an operand: nothing packed" +
          (strategy.smallVersionNr
               ? ", " + std::to_string(strategy.smallVersionMr) + "x" +
                     std::to_string(strategy.smallVersionNr) + " at the edge"
               : "");
    else if (!strategy.pack[0] || !strategy.pack[1])
      text += std::string(", only the ") +
              (strategy.pack[0] ? "first" : "second") + " operand packed";
    if (strategy.prefetchDistance)
      text += ", the next columns of B prefetched";
    if (strategy.symmetric)
      text += ", half of it, the other half copied";
    if (strategy.kPack > 1)
      text += ", " + std::to_string(strategy.kPack) + " products of `" +
              names[strategy.k] + "` at once";
    if (!strategy.dot.empty())
      text += " by `" + strategy.dot + "`";
    return text;
  case Strategy::Dot:
    text += "dot, register tile " + std::to_string(strategy.mr) + "x" +
            std::to_string(strategy.nr) + " of sums of " +
            std::to_string(strategy.unroll * strategy.lanes) + " along `" +
            names[strategy.k] + "`";
    if (strategy.tile[strategy.k])
      text += ", blocks of " + std::to_string(strategy.tile[strategy.k]);
    return text;
  case Strategy::LibraryCall:
    text += "library_call";
    for (int64_t dim : {strategy.m, strategy.n, strategy.k})
      if (dim >= 0)
        text += " " + names[dim];
    return text;
  case Strategy::Epilogue:
    return text + "epilogue, in the register tiles of what it updates";
  case Strategy::SplitSum:
    return text + "split_sum, at most " + std::to_string(strategy.parts) +
           " parts of `" + names[strategy.k] + "`, of at least " +
           std::to_string(strategy.grain);
  case Strategy::Gett:
    return text + describeGett(strategy, names);
  case Strategy::Transpose:
    return text + "transpose, squares of " + std::to_string(strategy.lanes) +
           " by " + std::to_string(strategy.lanes) + " in registers" +
           describeBlocks(strategy, names) + describeStream(strategy);
  case Strategy::Window:
    return text + describeWindow(strategy, names, op.getIteratorTypesArray());
  case Strategy::Reduce:
    text += "reduce, " + std::to_string(strategy.unroll * strategy.lanes) +
            " of `" + names[strategy.vectorDim] + "` at a time";
    for (int64_t dim : strategy.interchange)
      if (strategy.tile[dim] > 1)
        text += ", blocks of " + std::to_string(strategy.tile[dim]) + " of `" +
                names[dim] + "`";
    return text;
  case Strategy::Rows:
    return text + describeRows(strategy, names);
  }
  llvm_unreachable("unknown strategy");
}

std::string describeStrategy(linalg::LinalgOp op, const Strategy &strategy) {
  std::string text = describeKind(op, strategy);
  if (strategy.parallelDim < 0)
    return text;
  SmallVector<std::string> names = getIndexNames(op.getLoc(), op.getNumLoops());
  text += ", threads along `" + names[strategy.parallelDim] + "`";
  if (strategy.parallelLoops == 2)
    text += " and `" +
            names[llvm::find(strategy.interchange, strategy.parallelDim)[1]] +
            "`";
  return text;
}

} // namespace ein
