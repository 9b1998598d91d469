//===- ReportSchedule.cpp - What a function runs, as a nest ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: what an op runs like is decided in several rounds. A group of ops
// over rows is first a group, then a loop, and in it each op is decided anew.
// Who reads all of these decisions in turn does not see what becomes of a
// program.
//
// Choice: the IR is read once, when all is decided and no tile has been made
// yet: its loops are those over rows and blocks, and each op in them has the
// schedule of what is left. So nothing is described twice, and what an op takes
// is what it takes as often as the loops come to it, with operands where these
// have them.
//
//===----------------------------------------------------------------------===//

#include "passes/select/ReportSchedule.h"
#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "passes/analysis/OpClass.h"
#include "passes/schedule/DescribeNest.h"
#include "passes/schedule/DescribeSchedule.h"
#include "passes/select/Candidates.h"
#include "passes/select/DescribePrice.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;

namespace ein {
namespace {

using Fact = remark::detail::Remark::Arg;

std::string print(double number) {
  return llvm::formatv("{0:f1}", number).str();
}

class ScheduleReporter {
public:
  ScheduleReporter(FunctionOpInterface function, const TargetInfo &target,
                   const GivenChoices &given)
      : function(function), target(target), given(given) {}

  void run() {
    for (Block &block : function.getFunctionBody())
      report(block, 0);
  }

private:
  void report(Block &block, unsigned depth);
  void report(scf::ForOp loop, unsigned depth, bool isAgain);
  void report(linalg::LinalgOp op, unsigned depth);
  void reportAlternatives(remark::detail::InFlightRemark &remark,
                          linalg::LinalgOp op, const Schedule &schedule);
  remark::detail::InFlightRemark create(Location loc, StringRef name,
                                        unsigned depth) {
    auto remark = remark::analysis(
        loc, remark::RemarkOpts::name(name).category("schedule"));
    if (remark)
      remark << Fact("function", function.getName())
             << Fact("group", std::to_string(group))
             << Fact("depth", std::to_string(depth));
    return remark;
  }

  FunctionOpInterface function;
  const TargetInfo &target;
  const GivenChoices &given;
  unsigned group = 0, numGroups = 0;
  /// What each op that is no loop's is in.
  llvm::DenseMap<Operation *, unsigned> groups;
};

/// What a loop or branch does: ops by their places and names.
using Contents = std::vector<std::pair<Attribute, StringRef>>;

} // namespace

static bool isReported(Operation *op) {
  return isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp>(op) &&
         op->hasAttr(EinDialect::kScheduleAttr);
}

static Contents getContents(Region &region) {
  Contents contents;
  region.walk([&](Operation *op) {
    if (isReported(op))
      contents.emplace_back(op->getLoc(), op->getName().getStringRef());
  });
  return contents;
}

/// Whether the loop is one of a scatter or a recurrence, which has no ops.
static bool isInOrder(scf::ForOp loop) {
  return getContents(loop.getRegion()).empty() &&
         getIndexNames(loop.getLoc(), 1).front() != "d0";
}

void ScheduleReporter::report(Block &block, unsigned depth) {
  Contents before, lastLoop;
  StringAttr lastIndex;
  for (Operation &op : block) {
    // What updates a result in its tiles is part of that op's nest.
    if (depth == 0) {
      group = numGroups;
      if (hasSchedule(&op, Schedule::Epilogue))
        for (Value operand : op.getOperands())
          if (auto known = groups.find(operand.getDefiningOp());
              known != groups.end())
            group = known->second;
      groups[&op] = group;
    }
    if (isReported(&op)) {
      report(cast<linalg::LinalgOp>(op), depth);
      before.emplace_back(op.getLoc(), op.getName().getStringRef());
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      Contents contents = getContents(loop.getRegion());
      if (contents.empty() && !isInOrder(loop))
        continue;
      auto index = StringAttr::get(loop.getContext(),
                                   getIndexNames(loop.getLoc(), 1).front());
      report(loop, depth, contents == lastLoop && index == lastIndex);
      lastLoop = contents;
      lastIndex = index;
      llvm::append_range(before, contents);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      auto guard = branch->getAttrOfType<StringAttr>(EinDialect::kGuardAttr);
      bool isFirst = true;
      for (Region &region : branch->getRegions()) {
        Contents contents = getContents(region);
        if (!contents.empty()) {
          bool isAgain = !guard && llvm::all_of(contents, [&](auto &entry) {
            return llvm::is_contained(before, entry);
          });
          create(op.getLoc(), "Branch", depth)
              << Fact("branch", isFirst ? "then" : "else")
              << Fact("again", isAgain)
              << Fact("guard", guard ? guard.getValue() : "");
          if (!isAgain)
            report(region.front(), depth + 1);
        }
        isFirst = false;
      }
    } else {
      continue;
    }
    if (depth == 0 && group == numGroups)
      ++numGroups;
  }
}

void ScheduleReporter::report(scf::ForOp loop, unsigned depth, bool isAgain) {
  Surroundings::Loop nest = describeLoop(loop);
  create(loop.getLoc(), "Loop", depth)
      << Fact("index", getIndexNames(loop.getLoc(), 1).front())
      << Fact("extent", nest.isOpen ? "" : std::to_string(int64_t(nest.extent)))
      << Fact("exact", nest.isExact)
      << Fact("step", std::to_string(int64_t(nest.step)))
      << Fact("threads", loop->hasAttr(EinDialect::kParallelAttr))
      << Fact("again", isAgain);
  if (isAgain)
    return;
  bool isInnermost = true;
  loop.getRegion().walk([&](scf::ForOp) { isInnermost = false; });
  if (isInnermost && isInOrder(loop)) {
    create(loop.getLoc(), "Points", depth + 1);
    return;
  }
  report(*loop.getBody(), depth + 1);
}

/// Bytes of what the op reads and writes, each array once.
static double getArrayBytes(const PricedOp &op) {
  double bytes = 0;
  for (unsigned operand = 0; operand < op.getNumOperands(); ++operand) {
    double all = op.widths[operand];
    for (int64_t dim = 0, e = op.sizes.size(); dim < e; ++dim)
      if (op.getStride(operand, dim) != 0)
        all *= op.sizes[dim];
    bytes += all;
  }
  return bytes;
}

/// Whether operands were copied, or dims joined, for the op: it is what
/// `ein-pack-tensors` has left of a contraction.
static bool isOfBlocks(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(),
                      [](Value input) {
                        return input.getDefiningOp<linalg::TransposeOp>();
                      }) ||
         llvm::any_of(getIndexNames(op.getLoc(), op.getNumLoops()),
                      [](StringRef name) { return name.contains(' '); });
}

/// The best other schedules that the model lists, and of what they would take
/// more.
void ScheduleReporter::reportAlternatives(
    remark::detail::InFlightRemark &remark, linalg::LinalgOp op,
    const Schedule &schedule) {
  OpPricer pricer(op, target);
  std::optional<SchedulePrice> own = pricer.priceParts(schedule);
  if (!own)
    return;
  Schedule alone = schedule;
  alone.alternatives.clear();
  std::set<std::string> said = {describeSchedule(op, alone)};
  for (const Candidate &candidate : collectCandidates(op, target, given)) {
    // Blocks are not cut into blocks again.
    if (!candidate.cost ||
        (candidate.schedule.kind == Schedule::Gett && isOfBlocks(op)))
      continue;
    Schedule other = candidate.schedule;
    other.parallelDim = schedule.parallelDim;
    other.minPoints = schedule.minPoints;
    other.parallelLoops = schedule.parallelLoops;
    std::string text = describeSchedule(op, other);
    if (!said.insert(text).second)
      continue;
    std::optional<SchedulePrice> price = pricer.priceParts(other);
    PriceTerm loss = findLoss(*own, *price, target.machine);
    remark << Fact("other", text)
           << Fact("other_cycles", print(price->total.cycles))
           << Fact("other_ratio",
                   llvm::formatv("{0:f3}",
                                 price->total.cycles / own->total.cycles))
           << Fact("other_term", loss.name)
           << Fact("other_term_cycles", print(loss.cycles));
    if (said.size() > Listed::kReported)
      return;
  }
}

void ScheduleReporter::report(linalg::LinalgOp op, unsigned depth) {
  Schedule schedule = *Schedule::fromOp(op, op.getNumLoops());
  Surroundings surroundings = findSurroundings(op);
  PricedOp priced(op, surroundings);
  double points = 1;
  for (double size : priced.sizes)
    points *= size;
  for (const Surroundings::Loop &loop : surroundings.loops)
    points *= std::max(loop.extent / loop.step, 1.0);
  double operations = points * countPointOperations(op);
  std::string opClass = getOpClass(op, priced.sizes);
  std::optional<SchedulePrice> price =
      OpPricer(op, target, surroundings).priceParts(schedule);

  if (auto cost = remark::analysis(
          op.getLoc(), remark::RemarkOpts::name("Cost").category("cost"))) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << opClass << ", ";
    printCount(os, operations);
    os << " operations: "
       << (price ? describePrice(*price, target.machine)
                 : "not priced: a library's");
    if (priced.hasOpenSizes)
      os << "; dynamic sizes count as " << kAssumedSize;
    cost << text;
  }
  auto remark = create(op.getLoc(), "Op", depth);
  if (!remark)
    return;
  remark << Fact("op", op->getName().getStringRef())
         << Fact("result", getTensorName(op.getLoc()))
         << Fact("strategy", describeSchedule(op, schedule))
         << Fact("brief", describeBriefly(op, schedule));
  SmallVector<std::string> names = getIndexNames(op.getLoc(), op.getNumLoops());
  for (const Schedule::Alternative &alternative : schedule.alternatives)
    remark << Fact("alternative", describeGuard(alternative.guard, names))
           << Fact("alternative_brief",
                   describeBriefly(op, alternative.schedule));
  remark << Fact("nest", describeNest(op, schedule)) << Fact("class", opClass)
         << Fact("operations", print(operations))
         << Fact("element_bits", std::to_string(int(8 * priced.widths.back())))
         << Fact("array_bytes", print(getArrayBytes(priced)))
         << Fact("assumed", priced.hasOpenSizes)
         << Fact("fused", schedule.kind == Schedule::Epilogue);
  if (!price)
    return;
  const NestCost &total = price->total;
  remark << Fact("cycles", print(total.cycles))
         << Fact("bound", getBoundName(total));
  for (const PriceTerm &term : getTerms(*price, target.machine))
    remark << Fact(("cycles_" + term.name).str(), print(term.cycles));
  for (const LevelTraffic &level : getTraffic(total, target.machine))
    remark << Fact(("bytes_" + level.name).str(), print(level.bytes));
  remark << Fact("copied_bytes", print(price->copiedBytes));
  reportAlternatives(remark, op, schedule);
}

void reportSchedule(FunctionOpInterface function, const TargetInfo &target,
                    const GivenChoices &given) {
  if (function->getContext()->getRemarkEngine())
    ScheduleReporter(function, target, given).run();
}

} // namespace ein
