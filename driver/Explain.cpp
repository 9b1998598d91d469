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
// contraction, what it was raised to or why not; the nests that statements
// became, with what these take and which schedules are next (Schedule.h); per
// def the memory that it allocates. All of it is what the passes report of
// themselves while the program is compiled (Reports.h); nothing is computed a
// second way.
//
//===----------------------------------------------------------------------===//

#include "backend/OutputFile.h"
#include "driver/CheckedRun.h"
#include "driver/Commands.h"
#include "driver/Explanation.h"
#include "driver/Path.h"
#include "driver/Progress.h"
#include "driver/Reports.h"
#include "driver/html/Measure.h"
#include "driver/html/Page.h"
#include "driver/html/StageTexts.h"
#include "frontend/print/Printer.h"
#include "passes/select/DescribePrice.h"
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
            const ContractionOrderOptions &order)
      : file(file), order(order) {
    for (const Diagnostic &diagnostic : diagnostics)
      if (diagnostic.severity == Severity::Remark)
        remarks.push_back(&diagnostic);
  }

  DefExplanation explain(const Def &def);
  /// The remarks that begin inside `range`; each is said once.
  SmallVector<StringRef> takeRemarks(SourceRange range);

private:
  StatementExplanation explain(const Def &def, const Statement &statement,
                               ArrayRef<int64_t> sizes, double operations);

  const Sources &file;
  const ContractionOrderOptions &order;
  SmallVector<const Diagnostic *> remarks;
};

} // namespace

SmallVector<StringRef> Explainer::takeRemarks(SourceRange range) {
  auto belongs = [&](const Diagnostic *remark) {
    return range.begin <= remark->range.begin &&
           remark->range.begin < range.end;
  };
  SmallVector<StringRef> taken;
  for (const Diagnostic *remark : remarks)
    if (belongs(remark))
      taken.push_back(remark->message);
  erase_if(remarks, belongs);
  return taken;
}

StatementExplanation Explainer::explain(const Def &def,
                                        const Statement &statement,
                                        ArrayRef<int64_t> sizes,
                                        double operations) {
  StatementExplanation explanation;
  explanation.statement = &statement;
  explanation.line = file.find(statement.range.begin)
                         .getLineColumn(statement.range.begin)
                         .line;
  raw_string_ostream text(explanation.text);
  printStatement(text, def, statement);
  explanation.operations = operations;
  std::vector<bool> isSeen(def.tensors.size());
  auto add = [&](TensorId id) {
    if (isSeen[id.value])
      return;
    isSeen[id.value] = true;
    explanation.bytes +=
        countElements(def[id].dims, sizes) * getBitWidth(def[id].type) / 8;
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
  explanation.remarks = takeRemarks(statement.range);
  return explanation;
}

DefExplanation Explainer::explain(const Def &def) {
  std::vector<int64_t> sizes = assumeSizes(def);
  DefExplanation explanation;
  explanation.def = &def;
  explanation.name = def.name;
  for (auto [symbol, size] : zip_equal(def.symbols, sizes)) {
    if (!symbol.isSize())
      continue;
    explanation.sizes.push_back({symbol.name, size});
    explanation.areSizesAssumed |= !symbol.bound;
  }
  std::vector<double> counts = countFlopsByStatement(def, sizes, order);
  for (auto [statement, operations] : zip_equal(def.statements, counts))
    explanation.statements.push_back(
        explain(def, statement, sizes, operations));
  auto add = [&](TensorId id) {
    explanation.bytes +=
        countElements(def[id].dims, sizes) * getBitWidth(def[id].type) / 8;
  };
  for (TensorId id : def.params)
    add(id);
  for (TensorId id : def.results)
    add(id);
  explanation.operations = std::accumulate(counts.begin(), counts.end(), 0.0);
  explanation.remarks = takeRemarks(def.range);
  return explanation;
}

//===----------------------------------------------------------------------===//
// As text
//===----------------------------------------------------------------------===//

/// Those that no section has.
static void printRemarks(raw_ostream &os, ArrayRef<StringRef> remarks,
                         ArrayRef<StringRef> categories, StringRef indent) {
  for (StringRef rest : remarks) {
    bool isWanted = any_of(categories, [&](StringRef category) {
      return rest.starts_with(("[" + category).str());
    });
    // Tables come in several lines.
    while (isWanted && !rest.empty()) {
      auto [line, next] = rest.split('\n');
      os << indent << line << "\n";
      rest = next;
    }
  }
}

/// Categories whose remarks are tables of one statement.
static constexpr StringRef kTables[] = {"path", "distribution"};

static bool hasTables(const StatementExplanation &statement) {
  return any_of(statement.remarks, [](StringRef remark) {
    return any_of(kTables, [&](StringRef category) {
      return remark.starts_with(("[" + category).str());
    });
  });
}

static void print(raw_ostream &os, const DefExplanation &def) {
  os << "def " << def.name << "\n";
  if (!def.sizes.empty()) {
    os << "  sizes:";
    for (const auto &[name, size] : def.sizes)
      os << " " << name << "=" << size;
    os << (def.areSizesAssumed
               ? "; those that --bind does not give are assumed\n"
               : "\n");
  }
  for (const ScheduleSection &section : def.sections) {
    os << "\n";
    bool isFused = section.statements.size() > 1, isDrawn = false;
    double operations = 0;
    for (unsigned number : section.statements) {
      const StatementExplanation &statement = def.statements[number];
      operations += statement.operations;
      bool isHere = isFused && section.isDrawn(number, def);
      isDrawn |= isHere;
      if (!isHere || hasTables(statement))
        os << "  line " << statement.line << ": " << statement.text << "\n";
      if (isFused)
        printRemarks(os, statement.remarks, kTables, "    ");
    }
    if (isDrawn)
      os << "  lines " << def.statements[section.statements.front()].line
         << " to " << def.statements[section.statements.back()].line << ", "
         << section.statements.size() << " statements: ";
    else
      os << "    ";
    printCount(os, operations);
    os << " operations";
    if (!isFused) {
      const StatementExplanation &only =
          def.statements[section.statements.front()];
      os << " on ";
      printCount(os, only.bytes);
      os << " bytes\n";
      printRemarks(os, only.remarks, kTables, "    ");
      printRemarks(os, only.remarks, {"raise"}, "    ");
    } else {
      os << "\n";
    }
    printSection(os, section, &def, 4);
    for (unsigned number : section.statements)
      printRemarks(os, def.statements[number].remarks, {"candidates"}, "    ");
  }
  os << "\n  in all: ";
  printCount(os, def.operations);
  os << " operations; arguments of ";
  printCount(os, def.bytes);
  os << " bytes";
  if (def.bytes > 0)
    os << format(", %.3g operations a byte", def.operations / def.bytes);
  double cycles = 0;
  for (const ScheduleSection &section : def.sections)
    for (const ScheduleGroup &group : section.groups)
      cycles += group.getCycles();
  if (cycles > 0) {
    os << "; ";
    printCount(os, cycles);
    os << " cycles of one thread";
  }
  os << "\n";
  printRemarks(os, def.remarks, {""}, "  ");
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// Compiles as far as `last`, to hear what the passes say.
static Compilation compileToExplain(const Options &options, Sources &file,
                                    EmissionKind last, StageObserver *observer,
                                    DiagnosticEngine &diags) {
  CompileOptions compileOptions = options.compile;
  compileOptions.packed = compileOptions.keepsPrivate = true;
  compileOptions.observer = observer;
  compileOptions.debug = observer;
  // Other ways are many, and reported to who asks for them.
  bool listsWays = is_contained(compileOptions.reports, "candidates");
  compileOptions.reports.clear();
#define EIN_REPORT(NAME, TEXT) compileOptions.reports.push_back(NAME);
#include "driver/Reports.def"
  if (!listsWays)
    erase(compileOptions.reports, "candidates");
  compileOptions.reports.push_back("schedule");
  Compilation result = compile(file, last, compileOptions, diags);
  if (result.status != kDone || options.entry.empty() ||
      result.program.find(options.entry))
    return result;
  diags = DiagnosticEngine(); // without the remarks
  diags.report(DiagId::UnknownDef, {},
               describeUnknownDef(options.entry, getNames(result.program)));
  result.status = kWrongInput;
  return result;
}

/// From the def's name to the end of its last statement: not of one that was
/// written in another def, which it calls.
SourceRange getExtent(const Def &def, const Program &program) {
  uint32_t next = std::numeric_limits<uint32_t>::max();
  for (const Def &other : program.defs)
    if (other.range.begin > def.range.begin)
      next = std::min(next, other.range.begin);
  SourceRange range = def.range;
  for (const Statement &statement : def.statements)
    if (range.begin <= statement.range.begin && statement.range.begin < next)
      range.end = std::max(range.end, statement.range.end);
  return range;
}

/// What there is to say of `result`, which has to outlive it, as have the
/// remarks in `diags`.
static Explanation explain(const Options &options, const Sources &file,
                           Compilation &result, const DiagnosticEngine &diags) {
  Explanation explanation;
  Explainer explainer(file, diags.getDiagnostics(), options.compile.order);
  for (const Def &def : result.program.defs)
    if (options.entry.empty() || options.entry == def.name) {
      explanation.defs.push_back(explainer.explain(def));
      explanation.defs.back().range = getExtent(def, result.program);
    }
  if (result.program.defs.empty())
    explanation.remarks =
        explainer.takeRemarks({0, std::numeric_limits<uint32_t>::max()});
  explanation.findings = std::move(result.findings);
  for (DefExplanation &def : explanation.defs)
    def.sections = makeSections(&def, explanation.findings);
  if (result.program.defs.empty())
    explanation.sections = makeSections(/*def=*/nullptr, explanation.findings);
  if (options.measures)
    explanation.measurements = measure(options, file, explanation.defs);
  return explanation;
}

ExitStatus explain(const Options &options, Sources &file, bool asJson,
                   DiagnosticEngine &diags, raw_ostream &os) {
  // From here on nothing more is decided.
  EmissionKind last = options.compile.optLevel == 0 ? EmissionKind::Loops
                                                    : EmissionKind::Memref;
  Compilation result =
      compileToExplain(options, file, last, /*observer=*/nullptr, diags);
  if (result.status != kDone)
    return result.status;
  Explanation explanation = explain(options, file, result, diags);
  if (asJson) {
    printJson(os, explanation, options, file, [](json::OStream &) {});
    return kDone;
  }
  for (const DefExplanation &def : explanation.defs) {
    if (&def != &explanation.defs.front())
      os << "\n";
    print(os, def);
  }
  printRemarks(os, explanation.remarks,
               {"path", "distribution", "raise", "memory", "candidates"}, "");
  for (const ScheduleSection &section : explanation.sections)
    printSection(os, section, /*def=*/nullptr, 0);
  return kDone;
}

/// Writes the page of `--html`, or nothing.
static ExitStatus explainAsPage(const Options &options, Sources &file,
                                DiagnosticEngine &diags) {
  StageTexts stages;
  Compilation result =
      compileToExplain(options, file, EmissionKind::Asm, &stages, diags);
  if (result.status != kDone)
    return result.status;
  Explanation explanation = explain(options, file, result, diags);
  std::string data;
  raw_string_ostream os(data);
  printJson(os, explanation, options, file, [&](json::OStream &json) {
    json.attributeBegin("stages");
    stages.print(json);
    json.attributeEnd();
  });
  std::string page = makePage(file.getName(), data);
  if (Error error = writeFile(options.html, {page.data(), page.size()})) {
    diags = DiagnosticEngine();
    diags.report(DiagId::CannotWrite, {}, {toString(std::move(error))});
    return kWrongInput;
  }
  return kDone;
}

ExitStatus runExplain(const Options &options) {
  std::optional<Sources> file = readSource(options);
  if (!file)
    return kWrongInput;
  DiagnosticEngine diags(options.compile.check.warnings);
  std::string text;
  raw_string_ostream stream(text);
  ExitStatus status = [&] {
    Options watched = options;
    Progress progress(watched.compile);
    return options.html.empty()
               ? explain(watched, *file, options.json, diags, stream)
               : explainAsPage(watched, *file, diags);
  }();
  outs() << text;
  if (status != kDone)
    printAll(options, *file, diags, status);
  else if (options.json)
    outs() << "\n";
  return status;
}

} // namespace ein
