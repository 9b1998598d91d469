//===- Reports.cpp - What was decided, and why ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Reports.h"
#include "driver/Path.h"
#include "ir/IndexNames.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace ein {

static SourceRange getPlace(const Sources &sources, FileLineColLoc position,
                            const RewrittenText *rewritten) {
  const SourceFile *file = sources.find(position.getFilename().getValue());
  if (!file || position.getLine() == 0 ||
      position.getLine() > file->getNumLines())
    return {};
  uint32_t lineStart = file->getLineStart(position.getLine());
  unsigned column = std::max(1u, position.getColumn());
  if (rewritten && file == &sources.getMain())
    column = rewritten->getColumn(lineStart - file->getBase(), column);
  uint32_t begin = lineStart + column - 1;
  return {begin, begin + 1};
}

SourceRange getRange(const Sources &sources, Location loc,
                     const RewrittenText *rewritten) {
  auto position = loc->findInstanceOf<FileLineColLoc>();
  return position ? getPlace(sources, position, rewritten) : SourceRange();
}

namespace {
/// Turns remarks into diagnostics.
class ReportStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  ReportStreamer(const Sources &file, DiagnosticEngine &diags,
                 std::vector<Finding> &findings,
                 const TargetInfo *const *variant,
                 const RewrittenText *rewritten)
      : file(file), diags(diags), findings(findings), variant(variant),
        rewritten(rewritten) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    Finding finding;
    finding.category = remark.getCategoryName().str();
    finding.name = remark.getRemarkName().str();
    finding.range = getRange(file, remark.getLocation(), rewritten);
    for (FileLineColLoc place : getPlaces(remark.getLocation()))
      finding.ranges.push_back(getPlace(file, place, rewritten));
    // What has no key of its own is the sentence.
    for (const remark::detail::Remark::Arg &argument : remark.getArgs())
      if (argument.key == "Remark")
        finding.text += argument.val;
      else
        finding.facts.push_back({argument.key, argument.val});
    std::string category = finding.category;
    if (*variant)
      category += " for " + (*variant)->cpu;
    if (!finding.text.empty())
      diags.report(DiagId::Report, finding.range, {category, finding.text});
    findings.push_back(std::move(finding));
  }

private:
  const Sources &file;
  DiagnosticEngine &diags;
  std::vector<Finding> &findings;
  const TargetInfo *const *variant;
  const RewrittenText *rewritten;
};
} // namespace

void reportRemarks(MLIRContext &context, const Sources &file,
                   const CompileOptions &options, DiagnosticEngine &diags,
                   std::vector<Finding> &findings,
                   const TargetInfo *const *variant,
                   const RewrittenText *rewritten) {
  std::vector<std::string> reports = options.reports;
  if (!options.tuned.empty())
    reports.push_back("tuned"); // which entries fit is asked for afterwards
  if (reports.empty())
    return;
  remark::RemarkCategories categories;
  // `all` only adds to the others.
  categories.passed = "^(" + llvm::join(reports, "|") + ")$";
  categories.missed = categories.analysis = categories.passed;
  // Fails for regular expressions that are none, and this is one.
  (void)remark::enableOptimizationRemarks(
      context,
      std::make_unique<ReportStreamer>(file, diags, findings, variant,
                                       rewritten),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}

void reportPaths(const Program &program, const ContractionOrderOptions &order,
                 const PathQualities &qualities, DiagnosticEngine &diags) {
  for (const Def &def : program.defs)
    for (const Statement &statement : def.statements)
      if (std::optional<std::string> table =
              printPath(def, statement, order, qualities))
        diags.report(DiagId::Report, statement.range, {"path", "\n" + *table});
}

} // namespace ein
