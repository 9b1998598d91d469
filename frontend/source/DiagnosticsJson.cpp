//===- DiagnosticsJson.cpp - What the compiler says, to programs ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One object to a line, so that a reader can take each as it comes. Places
// count as in text, columns in bytes; what has no place has none of their keys.
//
//===----------------------------------------------------------------------===//

#include "frontend/source/Diagnostics.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace ein {

/// `end` is exclusive.
static void printPlace(json::OStream &json, const Sources &sources,
                       SourceRange range) {
  const SourceFile &file = sources.find(range.begin);
  json.attribute("file", json::fixUTF8(file.getName()));
  if (range.begin == 0 && range.end == 0)
    return;
  auto [line, column] = file.getLineColumn(range.begin);
  auto [endLine, endColumn] = file.getLineColumn(range.end);
  json.attribute("line", line);
  json.attribute("column", column);
  json.attributeObject("end", [&, endLine = endLine, endColumn = endColumn] {
    json.attribute("line", endLine);
    json.attribute("column", endColumn);
  });
}

static void printFixIts(json::OStream &json, const Sources &sources,
                        ArrayRef<FixIt> fixIts) {
  json.attributeArray("fixits", [&] {
    for (const FixIt &fixIt : fixIts)
      json.object([&] {
        printPlace(json, sources, fixIt.range);
        json.attribute("replacement", json::fixUTF8(fixIt.replacement));
      });
  });
}

void printDiagnosticsAsJson(raw_ostream &os, const Sources &file,
                            ArrayRef<Diagnostic> diagnostics) {
  for (const Diagnostic *diagnostic : sortByPlace(diagnostics)) {
    json::OStream json(os);
    json.object([&] {
      if (!isOfTool(diagnostic->id))
        printPlace(json, file, diagnostic->range);
      json.attribute("severity", getSpelling(diagnostic->severity));
      json.attribute("id", getName(diagnostic->id));
      json.attribute("message", json::fixUTF8(diagnostic->message));
      json.attributeArray("notes", [&] {
        for (const DiagnosticNote &note : diagnostic->notes)
          json.object([&] {
            printPlace(json, file, note.range);
            json.attribute("id", getName(note.id));
            json.attribute("message", json::fixUTF8(note.message));
            printFixIts(json, file, note.fixIts);
          });
      });
      printFixIts(json, file, diagnostic->fixIts);
    });
    os << '\n';
  }
}

} // namespace ein
