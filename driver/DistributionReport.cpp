//===- DistributionReport.cpp - Which rank has and does what --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/ChainBound.h"
#include "driver/Distribution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

using distribute::BlockLayout;
using distribute::LowerBound;
using distribute::Move;
using distribute::MoveKind;
using distribute::ProgramStatement;
using distribute::StatementPlan;

namespace {

class Printer {
public:
  Printer(const DistributedDef &planned, const DistributionOptions &options)
      : planned(planned), options(options), ranks(countRanks(options).ranks) {}

  std::string printStatement(unsigned number) const;
  std::string printSlices(const DistributedSlices &sliced) const;
  std::string printAll() const;

private:
  void printRow(raw_ostream &os, StringRef title, const Twine &text) const {
    os << "\n" << right_justify(title, 16) << ":  " << text;
  }
  std::string printGrid(unsigned number) const;
  std::string printPart(unsigned number) const;
  std::string printHome(unsigned array) const;
  std::string printMove(const Move &move) const;
  std::string printBytes(int64_t bytes, std::optional<double> bound) const;
  /// None where it is not known.
  std::optional<double> getBound(unsigned number) const;
  std::string printTime(double compute, double move, double together) const;

  const DistributedDef &planned;
  const DistributionOptions &options;
  int64_t ranks;
};

} // namespace

static StringRef getName(MoveKind kind) {
  switch (kind) {
  case MoveKind::AllGather:
    return "all-gather";
  case MoveKind::ReduceScatter:
    return "reduce-scatter";
  case MoveKind::Redistribute:
    return "redistribute";
  case MoveKind::Reduce:
    return "reduce";
  }
  llvm_unreachable("all kinds are there");
}

std::string Printer::printGrid(unsigned number) const {
  const BlockLayout &iteration = planned.plan.statements[number].iteration;
  const DistributedStep &step = planned.steps[number];
  std::string text;
  for (auto [loop, name] : enumerate(step.loops))
    if (int64_t parts = iteration.countParts(loop); parts > 1)
      text += formatv("{0}={1} ", name, parts);
  if (text.empty())
    text = "one part ";
  return formatv("{0}{1}on {2} of {3} ranks", text,
                 iteration.tiles ? "in uneven parts " : "",
                 distribute::countRanks(iteration.grid), ranks);
}

std::string Printer::printPart(unsigned number) const {
  const StatementPlan &plan = planned.plan.statements[number];
  const DistributedStep &step = planned.steps[number];
  std::string text;
  for (auto [loop, name] : enumerate(step.loops)) {
    // Of a step, the loops that it has.
    int64_t extent = plan.iteration.extents[loop];
    if (step.step.empty() || extent != 1)
      text += formatv("{0}{1}={2}", text.empty() ? "" : " ", name,
                      plan.iteration.getLargest(loop));
  }
  if (plan.steps.count > 1)
    text += formatv(", in {0} steps along {1}", plan.steps.count,
                    step.loops[plan.steps.dim]);
  return text.empty() ? "a point" : text;
}

/// The largest block at home: `A 128x32`.
std::string Printer::printHome(unsigned array) const {
  const BlockLayout &layout = planned.plan.homes[array];
  std::string text = planned.arrays[array];
  for (unsigned dim = 0; dim != layout.extents.size(); ++dim)
    text += formatv("{0}{1}", dim == 0 ? " " : "x", layout.getLargest(dim));
  return text;
}

std::string Printer::printMove(const Move &move) const {
  std::string times =
      move.times > 1 ? formatv(" in {0} steps", move.times).str() : "";
  return formatv("{0} {1} with {2} ranks{3}: {4} bytes a rank",
                 getName(move.kind), planned.arrays[move.array], move.partners,
                 times, move.bytesPerRank);
}

std::optional<double> Printer::getBound(unsigned number) const {
  const ProgramStatement &statement = planned.program.statements[number];
  if (!isContraction(statement))
    return std::nullopt;
  LowerBound bound = getLowerBound(makeContraction(planned.program, statement),
                                   ranks, options.maxMemoryBytes);
  return bound.getBytes();
}

std::string Printer::printBytes(int64_t bytes,
                                std::optional<double> bound) const {
  if (!bound)
    return formatv("{0} a rank; no lower bound is known", bytes);
  if (*bound < 1)
    return formatv("{0} a rank; the lower bound is 0", bytes);
  return formatv("{0} a rank, {1:f2} times the lower bound of {2:f0}", bytes,
                 double(bytes) / *bound, *bound);
}

std::string Printer::printTime(double compute, double move,
                               double together) const {
  std::string text;
  raw_string_ostream(text) << format(
      "%.3g s of computing and %.3g s of moving, together %.3g s", compute,
      move, together);
  return text;
}

std::string Printer::printStatement(unsigned number) const {
  const StatementPlan &plan = planned.plan.statements[number];
  const ProgramStatement &statement = planned.program.statements[number];
  std::string text;
  raw_string_ostream os(text);
  if (!planned.steps[number].step.empty())
    printRow(os, "step", planned.steps[number].step);
  printRow(os, "grid", printGrid(number));
  if (plan.followed)
    printRow(os, "as", planned.arrays[*plan.followed] + " lies");
  printRow(os, "largest part", printPart(number));
  SmallVector<unsigned> arrays;
  for (const distribute::ArrayUse &use : statement.reads)
    if (!is_contained(arrays, use.array))
      arrays.push_back(use.array);
  if (!is_contained(arrays, statement.write.array))
    arrays.push_back(statement.write.array);
  printRow(
      os, "at home",
      join(map_range(arrays, [&](unsigned array) { return printHome(array); }),
           ", "));
  printRow(os, "memory", formatv("{0} bytes a rank", plan.memoryBytes).str());
  for (auto [i, move] : enumerate(plan.moves))
    printRow(os, i == 0 ? "moves" : "and", printMove(move));
  printRow(os, "bytes", printBytes(plan.bytesMoved, getBound(number)));
  printRow(os, "time",
           printTime(plan.computeSeconds, plan.moveSeconds, plan.seconds));
  return text;
}

std::string Printer::printSlices(const DistributedSlices &sliced) const {
  const distribute::SlicedPlan &plan = sliced.plan;
  std::string text;
  raw_string_ostream os(text);
  printRow(
      os, "slices",
      formatv("{0}, of {1}", sliced.program.numSlices, sliced.parts).str());
  printRow(os, "groups",
           formatv("{0} of {1} ranks, {2} slices each, on {3} of {4} ranks",
                   plan.groups, plan.ranksPerGroup, plan.rounds,
                   plan.groups * plan.ranksPerGroup, ranks)
               .str());
  for (auto [step, own] : zip_equal(sliced.steps, plan.slice.statements))
    printRow(os, "step",
             formatv("{0} on {1} ranks, {2} bytes a rank and slice", step,
                     distribute::countRanks(own.iteration.grid), own.bytesMoved)
                 .str());
  printRow(os, "memory", formatv("{0} bytes a rank", plan.memoryBytes).str());
  printRow(os, "moves",
           formatv("inputs {0}, steps {1}, the sum {2} bytes a rank",
                   plan.inputBytes, plan.stepBytes, plan.sumBytes)
               .str());
  printRow(os, "bytes", printBytes(plan.getBytesMoved(), std::nullopt));
  printRow(os, "time",
           printTime(plan.computeSeconds, plan.moveSeconds, plan.seconds));
  return text;
}

std::string Printer::printAll() const {
  std::string text;
  raw_string_ostream os(text);
  std::optional<double> bound = 0;
  double compute = 0, move = 0;
  // What the sum of the statements' bounds does not know of.
  bool isOfContractions =
      all_of(planned.program.statements, distribute::isContraction);
  for (auto [i, plan] : enumerate(planned.plan.statements)) {
    std::optional<double> own = getBound(i);
    bound = bound && own ? std::optional(*bound + *own) : std::nullopt;
    compute += plan.computeSeconds;
    move += plan.moveSeconds;
  }
  if (bound && isOfContractions)
    bound = std::max(*bound, distribute::getLowerBound(planned.program, ranks));
  int64_t memory = planned.plan.memoryBytes, bytes = planned.plan.bytesMoved;
  double together = planned.plan.seconds;
  for (const DistributedSlices &sliced : planned.slices) {
    const distribute::SlicedPlan &own = sliced.plan;
    bound = std::nullopt;
    memory = std::max(memory, own.memoryBytes);
    bytes += own.getBytesMoved();
    compute += own.computeSeconds;
    move += own.moveSeconds;
    together += own.seconds;
  }
  printRow(os, "in all", formatv("{0} ranks", ranks).str());
  printRow(os, "memory", formatv("{0} bytes a rank", memory).str());
  printRow(os, "bytes", printBytes(bytes, bound));
  printRow(os, "time", printTime(compute, move, together));
  return text;
}

LogicalResult reportDistribution(const Program &program,
                                 const CompileOptions &options,
                                 DiagnosticEngine &diags) {
  LogicalResult result = success();
  for (const Def &def : program.defs) {
    if (!def.isPublic)
      continue;
    FailureOr<DistributedDef> planned = planDef(def, options, diags);
    if (failed(planned)) {
      result = failure();
      continue;
    }
    Printer printer(*planned, options.distribution);
    for (auto [i, step] : enumerate(planned->steps))
      diags.report(DiagId::Report, step.statement->range,
                   {"distribution", printer.printStatement(i)});
    for (const DistributedSlices &sliced : planned->slices)
      diags.report(DiagId::Report, sliced.statement->range,
                   {"distribution", printer.printSlices(sliced)});
    diags.report(DiagId::Report, def.range,
                 {"distribution", printer.printAll()});
  }
  return result;
}

} // namespace ein
