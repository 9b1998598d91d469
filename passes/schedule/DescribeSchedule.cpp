//===- DescribeSchedule.cpp - A schedule in a sentence --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/DescribeSchedule.h"
#include "ir/IndexNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace ein {

static std::string describeStream(const Schedule &schedule) {
  return schedule.streamBytes == 0
             ? std::string()
             : ", past the caches from " +
                   std::to_string(schedule.streamBytes) + " bytes on";
}

/// The loops over blocks, from the outermost inwards.
static std::string describeBlocks(const Schedule &schedule,
                                  ArrayRef<std::string> names) {
  std::string loops;
  for (int64_t dim : schedule.interchange)
    if (schedule.tile[dim])
      loops += " " + names[dim] + "=" + std::to_string(schedule.tile[dim]);
  return loops.empty() ? loops : ", blocks" + loops;
}

/// `gather, loops over b=1 a=16, (d e) as one, first operand copied whole as `f
/// d e``.
static std::string describeGett(const Schedule &schedule,
                                ArrayRef<std::string> names) {
  std::string text = "gett";
  auto list = [&](ArrayRef<int64_t> dims) {
    return llvm::join(
        llvm::map_range(dims, [&](int64_t d) { return names[d]; }), " ");
  };
  text += describeBlocks(schedule, names);
  for (ArrayRef<int64_t> group : schedule.groups)
    text += ", (" + list(group) + ") as one";
  for (unsigned input = 0; input < 2; ++input)
    if (!schedule.order[input].empty())
      text += std::string(", ") + (input == 0 ? "first" : "second") +
              " operand copied " +
              (schedule.whole[input] ? "before" : "by blocks") + " as `" +
              list(schedule.order[input]) + "`";
  return text;
}

/// `window, 7 of `w` by 32 of `f` in registers, `kh` outside`; of a batch that
/// lies along memory `batch, 5 of `n` by …`.
static std::string describeWindow(linalg::LinalgOp op, const Schedule &schedule,
                                  ArrayRef<std::string> names) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  std::string text = op.hasOnlyProjectedPermutations() ? "batch, " : "window, ",
              outside;
  for (int64_t dim : schedule.interchange) {
    bool isRow = iterators[dim] == utils::IteratorType::parallel &&
                 dim != schedule.vectorDim && schedule.tile[dim] > 1;
    if (isRow)
      text +=
          std::to_string(schedule.tile[dim]) + " of `" + names[dim] + "` by ";
    if (iterators[dim] == utils::IteratorType::reduction && schedule.tile[dim])
      outside += ", `" + names[dim] + "` outside";
  }
  return text + std::to_string(schedule.tile[schedule.vectorDim]) + " of `" +
         names[schedule.vectorDim] + "` in registers" + outside;
}

/// `rows, one of `m` at a time`.
static std::string describeRows(const Schedule &schedule,
                                ArrayRef<std::string> names) {
  std::string text = "rows";
  for (auto [dim, size] : llvm::enumerate(schedule.tile))
    if (size > 0)
      text += ", " + (size == 1 ? "one" : std::to_string(size)) + " of `" +
              names[dim] + "` at a time";
  if (schedule.columns > 0)
    text += ", without what is masked";
  if (schedule.grain > 0)
    text += ", by " + std::to_string(schedule.grain) + " columns";
  return text;
}

static std::string describeKind(linalg::LinalgOp op, const Schedule &schedule) {
  SmallVector<std::string> names = getIndexNames(op.getLoc(), op.getNumLoops());
  std::string text = op->getName().getStringRef().str() + ": ";
  switch (schedule.kind) {
  case Schedule::Loops:
    return text + "loops";
  case Schedule::Vectorize:
    if (schedule.vectorDim < 0)
      return text + "vectorize";
    return text + "vectorize, " +
           std::to_string(schedule.tile[schedule.vectorDim]) + " of `" +
           names[schedule.vectorDim] + "` at a time" + describeStream(schedule);
  case Schedule::PackedGemm:
    text += "packed_gemm, blocks";
    for (int64_t dim : {schedule.m, schedule.n, schedule.k})
      text += " " + names[dim] + "=" +
              (schedule.tile[dim] ? std::to_string(schedule.tile[dim])
                                  : std::string("all"));
    text += ", register tile " + std::to_string(schedule.mr) + "x" +
            std::to_string(schedule.nr);
    if (schedule.colRemainderNr)
      text += ", " + std::to_string(schedule.colRemainderMr) + "x" +
              std::to_string(schedule.colRemainderNr) + " at the edge";
    if (schedule.rowRemainder)
      text +=
          ", " + std::to_string(schedule.rowRemainder) + " rows in the last";
    if (!schedule.pack[0] && !schedule.pack[1])
      text += ", nothing packed";
    else if (!schedule.pack[0] || !schedule.pack[1])
      text += std::string(", only the ") +
              (schedule.pack[0] ? "first" : "second") + " operand packed";
    if (schedule.prefetchDistance)
      text += ", the next columns of B prefetched";
    if (schedule.symmetric)
      text += ", half of it, the other half copied";
    if (schedule.kPack > 1)
      text += ", " + std::to_string(schedule.kPack) + " products of `" +
              names[schedule.k] + "` at once";
    if (!schedule.dot.empty())
      text += " by `" + schedule.dot + "`";
    return text;
  case Schedule::Dot:
    text += "dot, register tile " + std::to_string(schedule.mr) + "x" +
            std::to_string(schedule.nr) + " of sums of " +
            std::to_string(schedule.unroll * schedule.lanes) + " along `" +
            names[schedule.k] + "`";
    if (schedule.tile[schedule.k])
      text += ", blocks of " + std::to_string(schedule.tile[schedule.k]);
    return text;
  case Schedule::LibraryCall:
    text += "library_call";
    for (int64_t dim : {schedule.m, schedule.n, schedule.k})
      if (dim >= 0)
        text += " " + names[dim];
    return text;
  case Schedule::Epilogue:
    return text + "epilogue, in the register tiles of what it updates";
  case Schedule::SplitSum:
    return text + "split_sum, at most " + std::to_string(schedule.parts) +
           " parts of `" + names[schedule.k] + "`, of at least " +
           std::to_string(schedule.grain);
  case Schedule::Gett:
    return text + describeGett(schedule, names);
  case Schedule::Transpose:
    return text + "transpose, squares of " + std::to_string(schedule.lanes) +
           " by " + std::to_string(schedule.lanes) + " in registers" +
           describeBlocks(schedule, names) + describeStream(schedule);
  case Schedule::Window:
    return text + describeWindow(op, schedule, names);
  case Schedule::Reduce:
    text += "reduce, " + std::to_string(schedule.unroll * schedule.lanes) +
            " of `" + names[schedule.vectorDim] + "` at a time";
    for (int64_t dim : schedule.interchange)
      if (schedule.tile[dim] > 1)
        text += ", blocks of " + std::to_string(schedule.tile[dim]) + " of `" +
                names[dim] + "`";
    return text;
  case Schedule::Rows:
    return text + describeRows(schedule, names);
  }
  llvm_unreachable("unknown schedule");
}

std::string describeSchedule(linalg::LinalgOp op, const Schedule &schedule) {
  std::string text = describeKind(op, schedule);
  SmallVector<std::string> names = getIndexNames(op.getLoc(), op.getNumLoops());
  for (const Schedule::Alternative &alternative : schedule.alternatives) {
    std::string other = describeKind(op, alternative.schedule);
    text += "; if " + describeGuard(alternative.guard, names) + ": " +
            other.substr(other.find(": ") + 2);
  }
  if (schedule.parallelDim < 0)
    return text;
  text += ", threads along `" + names[schedule.parallelDim] + "`";
  if (schedule.parallelLoops == 2)
    text += " and `" +
            names[llvm::find(schedule.interchange, schedule.parallelDim)[1]] +
            "`";
  return text;
}

} // namespace ein
