//===- TunedSchedules.cpp - What was measured, and what can be -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/select/TunedSchedules.h"
#include "ir/EinDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "passes/schedule/DescribeSchedule.h"
#include "passes/select/Candidates.h"
#include "passes/select/DescribePrice.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ein {

using Fact = remark::detail::Remark::Arg;

/// A remark of the category, if somebody listens.
static auto createRemark(linalg::LinalgOp op, StringRef name,
                         StringRef category) {
  return remark::analysis(op.getLoc(),
                          remark::RemarkOpts::name(name).category(category));
}

/// For people: what the model predicts of the op's own way, and of the others
/// the first ones.
static std::string describe(linalg::LinalgOp op,
                            ArrayRef<Candidate> candidates) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Candidate &own = candidates.front();
  os << candidates.size() << (candidates.size() == 1 ? " way" : " ways");
  if (!own.cost)
    return text + ", not priced";
  auto printCycles = [&](const NestCost &cost) {
    printCount(os, cost.cycles);
    os << " cycles, bound by " << cost.bound;
  };
  os << "; predicted: ";
  printCycles(*own.cost);
  for (const Candidate &other :
       candidates.drop_front().take_front(Listed::kReported)) {
    if (!other.cost)
      break;
    os << "; ";
    printCycles(*other.cost);
    os << ": " << describeSchedule(op, other.schedule);
  }
  return text;
}

void reportCandidates(linalg::LinalgOp op, const TargetInfo &target,
                      const GivenChoices &given) {
  if (!op.getContext()->getRemarkEngine() ||
      isa<linalg::FillOp>(op.getOperation()))
    return;
  if (auto facts = createRemark(op, "Candidates", "tuning")) {
    facts << Fact("key", describeKey(op));
    for (const Candidate &candidate : collectCandidates(op, target, given)) {
      std::string text;
      llvm::raw_string_ostream(text)
          << candidate.schedule.toAttr(op.getContext());
      facts << Fact("schedule", text)
            << Fact("says", describeSchedule(op, candidate.schedule))
            << Fact("cycles",
                    candidate.cost
                        ? llvm::formatv("{0:f0}", candidate.cost->cycles).str()
                        : std::string());
    }
  }
  if (auto sentence = createRemark(op, "Candidates", "candidates"))
    sentence << describe(op, collectCandidates(op, target, given));
}

std::optional<Schedule> findTuned(linalg::LinalgOp op, const TargetInfo &target,
                                  const GivenChoices &given) {
  auto module = op->getParentOfType<ModuleOp>();
  auto schedules =
      module ? module->getAttrOfType<DictionaryAttr>(EinDialect::kSchedulesAttr)
             : DictionaryAttr();
  if (!schedules)
    return std::nullopt;
  std::string key = describeKey(op);
  Attribute wanted = schedules.get(key);
  if (!wanted)
    return std::nullopt;
  std::vector<Candidate> candidates = collectCandidates(op, target, given);
  auto found = llvm::find_if(candidates, [&](const Candidate &candidate) {
    return candidate.schedule.toAttr(op.getContext()) == wanted;
  });
  if (op.getContext()->getRemarkEngine())
    if (auto result = createRemark(op, "Tuned", "tuned"))
      result << Fact("key", key) << Fact("fits", found != candidates.end());
  if (found == candidates.end())
    return std::nullopt;
  return found->schedule;
}

} // namespace ein
