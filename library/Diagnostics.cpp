//===- Diagnostics.cpp - Diagnostics as structs of C ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "library/Library.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {
namespace {

class RecordMaker {
public:
  RecordMaker(const Sources &sources, BumpPtrAllocator &memory)
      : sources(sources), memory(memory), saver(memory) {}

  einc_diagnostic make(const Diagnostic &diagnostic);

private:
  einc_place makePlace(SourceRange range);
  ArrayRef<einc_fixit> makeFixIts(ArrayRef<FixIt> fixIts);
  const char *save(StringRef text) { return saver.save(text).data(); }

  const Sources &sources;
  BumpPtrAllocator &memory;
  StringSaver saver;
};

} // namespace

/// The same places as DiagnosticsJson.cpp prints.
einc_place RecordMaker::makePlace(SourceRange range) {
  const SourceFile &file = sources.find(range.begin);
  einc_place place = {save(file.getName()), 0, 0, 0, 0};
  if (range.begin == 0 && range.end == 0)
    return place;
  auto [line, column] = file.getLineColumn(range.begin);
  auto [endLine, endColumn] = file.getLineColumn(range.end);
  place.line = line;
  place.column = column;
  place.end_line = endLine;
  place.end_column = endColumn;
  return place;
}

ArrayRef<einc_fixit> RecordMaker::makeFixIts(ArrayRef<FixIt> fixIts) {
  auto *records = memory.Allocate<einc_fixit>(fixIts.size());
  for (auto [record, fixIt] :
       zip(MutableArrayRef(records, fixIts.size()), fixIts))
    record = {makePlace(fixIt.range), save(fixIt.replacement)};
  return {records, fixIts.size()};
}

einc_diagnostic RecordMaker::make(const Diagnostic &diagnostic) {
  einc_diagnostic record = {};
  record.severity = static_cast<einc_severity>(diagnostic.severity);
  record.id = save(getName(diagnostic.id));
  record.message = save(diagnostic.message);
  if (!isOfTool(diagnostic.id))
    record.place = makePlace(diagnostic.range);
  ArrayRef<einc_fixit> fixIts = makeFixIts(diagnostic.fixIts);
  record.fixits = fixIts.data();
  record.num_fixits = fixIts.size();
  auto *notes = memory.Allocate<einc_diagnostic>(diagnostic.notes.size());
  record.notes = notes;
  record.num_notes = diagnostic.notes.size();
  for (const DiagnosticNote &note : diagnostic.notes) {
    fixIts = makeFixIts(note.fixIts);
    *notes++ = {EINC_SEVERITY_NOTE,
                save(getName(note.id)),
                save(note.message),
                makePlace(note.range),
                fixIts.data(),
                fixIts.size(),
                nullptr,
                0};
  }
  return record;
}

std::unique_ptr<einc_diagnostics>
makeRecords(const Sources &file, ArrayRef<Diagnostic> diagnostics) {
  if (diagnostics.empty())
    return nullptr;
  auto result = std::make_unique<einc_diagnostics>();
  RecordMaker maker(file, result->memory);
  for (const Diagnostic *diagnostic : sortByPlace(diagnostics))
    result->records.push_back(maker.make(*diagnostic));
  raw_string_ostream text(result->text), json(result->json);
  printDiagnostics(text, file, diagnostics);
  printDiagnosticsAsJson(json, file, diagnostics);
  return result;
}

} // namespace ein

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

static_assert(static_cast<int>(ein::Severity::Error) == EINC_SEVERITY_ERROR &&
              static_cast<int>(ein::Severity::Warning) ==
                  EINC_SEVERITY_WARNING &&
              static_cast<int>(ein::Severity::Remark) == EINC_SEVERITY_REMARK);

size_t einc_diagnostics_count(const einc_diagnostics *diagnostics) {
  return diagnostics ? diagnostics->records.size() : 0;
}

const einc_diagnostic *einc_diagnostics_get(const einc_diagnostics *diagnostics,
                                            size_t index) {
  return index < einc_diagnostics_count(diagnostics)
             ? &diagnostics->records[index]
             : nullptr;
}

const char *einc_diagnostics_text(const einc_diagnostics *diagnostics) {
  return diagnostics ? diagnostics->text.c_str() : "";
}

const char *einc_diagnostics_json(const einc_diagnostics *diagnostics) {
  return diagnostics ? diagnostics->json.c_str() : "";
}

void einc_diagnostics_free(einc_diagnostics *diagnostics) {
  delete diagnostics;
}
