//===- Explain.cpp - What becomes of a program, and why -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page on what the compiler makes of a program, for someone who wonders why
// it is as fast as it is: per statement the operations and bytes, the order of
// contraction, what it was raised to or why not, and how it runs; per def the
// memory that it allocates. All of it is what the passes report of themselves
// while the program is compiled (Reports.h); nothing is computed a second way.
//
//===----------------------------------------------------------------------===//

#include "driver/CheckedRun.h"
#include "driver/Commands.h"
#include "driver/Path.h"
#include "driver/Reports.h"
#include "frontend/print/Printer.h"
#include "passes/select/Cost.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <numeric>

using namespace llvm;

namespace ein {
namespace {

class Explainer {
public:
  Explainer(const Sources &file, ArrayRef<Diagnostic> diagnostics,
            const ContractionOrderOptions &order, raw_ostream &os)
      : file(file), order(order), os(os) {
    for (const Diagnostic &diagnostic : diagnostics)
      if (diagnostic.severity == Severity::Remark)
        remarks.push_back(&diagnostic);
  }

  void explain(const Def &def);
  /// What has no statement: of a program that is MLIR, all there is to say.
  void explainRest() {
    printRemarks({0, std::numeric_limits<uint32_t>::max()}, "");
  }

private:
  void explainStatement(const Def &def, const Statement &statement,
                        ArrayRef<int64_t> sizes, double flops);
  /// The remarks that begin inside `range`; each is said once.
  void printRemarks(SourceRange range, StringRef indent);

  const Sources &file;
  const ContractionOrderOptions &order;
  raw_ostream &os;
  SmallVector<const Diagnostic *> remarks;
};

} // namespace

void Explainer::printRemarks(SourceRange range, StringRef indent) {
  auto belongs = [&](const Diagnostic *remark) {
    return range.begin <= remark->range.begin &&
           remark->range.begin < range.end;
  };
  for (const Diagnostic *remark : remarks) {
    if (!belongs(remark))
      continue;
    // Tables come in several lines.
    StringRef rest(remark->message);
    while (!rest.empty()) {
      auto [line, next] = rest.split('\n');
      os << indent << line << "\n";
      rest = next;
    }
  }
  erase_if(remarks, belongs);
}

void Explainer::explainStatement(const Def &def, const Statement &statement,
                                 ArrayRef<int64_t> sizes, double flops) {
  auto position =
      file.find(statement.range.begin).getLineColumn(statement.range.begin);
  os << "\n  line " << position.line << ": ";
  printStatement(os, def, statement);
  os << "\n    ";
  printCount(os, flops);
  os << " operations on ";
  std::vector<bool> isSeen(def.tensors.size());
  double bytes = 0;
  auto add = [&](TensorId id) {
    if (isSeen[id.value])
      return;
    isSeen[id.value] = true;
    bytes += countElements(def[id].dims, sizes) * getBitWidth(def[id].type) / 8;
  };
  add(statement.target);
  std::vector<ExprId> work = {statement.value};
  if (statement.condition.isValid())
    work.push_back(statement.condition);
  while (!work.empty()) {
    const Expr &expr = def[work.back()];
    work.pop_back();
    if (expr.kind == ExprKind::Access || expr.kind == ExprKind::Gather)
      add(expr.tensor);
    llvm::append_range(work, expr.getOperands());
  }
  printCount(os, bytes);
  os << " bytes\n";
  printRemarks(statement.range, "    ");
}

void Explainer::explain(const Def &def) {
  std::vector<int64_t> sizes = assumeSizes(def);
  os << "def " << def.name << "\n";
  if (!def.symbols.empty()) {
    os << "  sizes:";
    bool isAssumed = false;
    for (auto [symbol, size] : zip_equal(def.symbols, sizes)) {
      if (symbol.quotient || symbol.scalar.isValid())
        continue;
      os << " " << symbol.name << "=" << size;
      isAssumed |= !symbol.bound;
    }
    os << (isAssumed ? "; those that --bind does not give are assumed\n"
                     : "\n");
  }
  std::vector<double> counts = countFlopsByStatement(def, sizes, order);
  for (auto [statement, flops] : zip_equal(def.statements, counts))
    explainStatement(def, statement, sizes, flops);

  double bytes = 0;
  for (TensorId id : def.params)
    bytes += countElements(def[id].dims, sizes) * getBitWidth(def[id].type) / 8;
  for (TensorId id : def.results)
    bytes += countElements(def[id].dims, sizes) * getBitWidth(def[id].type) / 8;
  double flops = std::accumulate(counts.begin(), counts.end(), 0.0);
  os << "\n  in all: ";
  printCount(os, flops);
  os << " operations; arguments of ";
  printCount(os, bytes);
  os << " bytes";
  if (bytes > 0)
    os << format(", %.3g operations a byte", flops / bytes);
  os << "\n";
  printRemarks(def.range, "  ");
}

ExitStatus runExplain(const Options &options) {
  std::optional<Sources> file = readSource(options);
  if (!file)
    return kWrongInput;
  DiagnosticEngine diags(options.compile.check.warnings);
  CompileOptions compileOptions = options.compile;
  compileOptions.packed = compileOptions.keepsPrivate = true;
  compileOptions.reports.clear();
#define EIN_REPORT(NAME, TEXT) compileOptions.reports.push_back(NAME);
#include "driver/Reports.def"
  // From here on nothing more is decided.
  EmissionKind last = options.compile.optLevel == 0 ? EmissionKind::Loops
                                                    : EmissionKind::Memref;
  Compilation result = compile(*file, last, compileOptions, diags);
  if (result.status != kDone) {
    printAll(options, *file, diags, result.status);
    return result.status;
  }
  const Def *entry = nullptr;
  if (!options.entry.empty()) {
    entry = result.program.find(options.entry);
    if (!entry)
      return reportUnknownDef(options, options.entry, getNames(result.program));
  }
  Explainer explainer(*file, diags.getDiagnostics(), options.compile.order,
                      outs());
  bool isFirst = true;
  for (const Def &def : result.program.defs) {
    if (entry && entry != &def)
      continue;
    if (!isFirst)
      outs() << "\n";
    isFirst = false;
    explainer.explain(def);
  }
  if (result.program.defs.empty())
    explainer.explainRest();
  return kDone;
}

} // namespace ein
