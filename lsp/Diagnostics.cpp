//===- Diagnostics.cpp - Errors, warnings, and their fixes ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Notes become related places, fix-its code actions. A mistake in an imported
// file is shown where it is imported; the place itself is a related one.
//
//===----------------------------------------------------------------------===//

#include "lsp/Features.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ein::lsp {

static llvm::lsp::DiagnosticSeverity convert(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return llvm::lsp::DiagnosticSeverity::Error;
  case Severity::Warning:
    return llvm::lsp::DiagnosticSeverity::Warning;
  case Severity::Remark:
    return llvm::lsp::DiagnosticSeverity::Information;
  case Severity::Note:
    return llvm::lsp::DiagnosticSeverity::Hint;
  }
  llvm_unreachable("a severity that is none");
}

static bool isNowhere(SourceRange range) {
  return range.begin == 0 && range.end == 0;
}

/// The `import` by which the file came, if the document has it itself; else its
/// first one.
static SourceRange findImport(const Analysis &analysis,
                              const SourceFile &file) {
  const std::vector<ast::Import> &imports = analysis.getModule().imports;
  for (const ast::Import &import : imports)
    if (file.getName().ends_with(sys::path::filename(import.path)))
      return import.range;
  return imports.empty() ? SourceRange() : imports.front().range;
}

static LspDiagnostic convert(Workspace &workspace, const Document &document,
                             const Diagnostic &diagnostic) {
  const Analysis &analysis = *document.analysis;
  const Sources &sources = analysis.getSources();
  LspDiagnostic result;
  result.severity = convert(diagnostic.severity);
  result.code = diagnostic.severity == Severity::Warning
                    ? getWarningName(diagnostic.id)
                    : getName(diagnostic.id).str();
  result.message = fix(diagnostic.message);
  result.isUnnecessary = diagnostic.id == DiagId::ParameterUnread ||
                         diagnostic.id == DiagId::TemporaryUnread ||
                         diagnostic.id == DiagId::RangeUnused;
  auto relate = [&](SourceRange range, StringRef message) {
    if (isNowhere(range))
      result.message += "\n" + fix(message);
    else if (std::optional<Location> place = workspace.locate(document, range))
      result.related.push_back({std::move(*place), fix(message)});
  };
  SourceRange range = diagnostic.range;
  const SourceFile &file = sources.find(range.begin);
  if (&file != &sources.getMain()) {
    relate(range, diagnostic.message);
    result.message = "in `" + fix(sys::path::filename(file.getName())) +
                     "`: " + result.message;
    range = findImport(analysis, file);
  }
  result.range = getRange(sources.getMain(), range);
  for (const DiagnosticNote &note : diagnostic.notes)
    relate(note.range, note.message);
  return result;
}

std::vector<LspDiagnostic> getDiagnostics(Workspace &workspace,
                                          const Document &document) {
  std::vector<LspDiagnostic> result;
  // The prelude's files mean what they mean where they are called.
  if (workspace.isOfPrelude(document))
    return result;
  for (const Diagnostic *diagnostic :
       sortByPlace(document.analysis->getDiagnostics()))
    result.push_back(convert(workspace, document, *diagnostic));
  return result;
}

//===----------------------------------------------------------------------===//
// Fixes
//===----------------------------------------------------------------------===//

/// None if one of them is in a file that nobody can edit.
static std::optional<Edits> convert(Workspace &workspace,
                                    const Document &document,
                                    ArrayRef<FixIt> fixIts) {
  Edits edits;
  for (const FixIt &fixIt : fixIts) {
    const SourceFile &file =
        document.analysis->getSources().find(fixIt.range.begin);
    std::optional<Location> place = workspace.locate(document, fixIt.range);
    if (!place || file.getName().starts_with("<einc>/"))
      return std::nullopt;
    edits[place->uri].push_back({place->range, fix(fixIt.replacement)});
  }
  return edits;
}

static std::string getTitle(const Sources &sources, ArrayRef<FixIt> fixIts,
                            StringRef message) {
  constexpr size_t maxLength = 40;
  auto quote = [](StringRef text) { return "`" + fix(text.trim()) + "`"; };
  const FixIt &fixIt = fixIts.front();
  StringRef old = sources.find(fixIt.range.begin).getText(fixIt.range);
  StringRef replacement = fixIt.replacement;
  if (fixIts.size() != 1 || old.size() > maxLength ||
      replacement.size() > maxLength || old.contains('\n') ||
      replacement.contains('\n') ||
      (old.trim().empty() && replacement.trim().empty()))
    return "fix: " + fix(message);
  if (old.trim().empty())
    return "insert " + quote(replacement);
  if (replacement.trim().empty())
    return "remove " + quote(old);
  return "replace " + quote(old) + " by " + quote(replacement);
}

static bool wantsFixes(ArrayRef<std::string> only) {
  return only.empty() || llvm::any_of(only, [](StringRef kind) {
           return kind.empty() || kind == "quickfix" ||
                  kind.starts_with("quickfix.");
         });
}

std::vector<LspCodeAction> getCodeActions(Workspace &workspace,
                                          const Document &document,
                                          const RangeParams &params) {
  std::vector<LspCodeAction> actions;
  if (!wantsFixes(params.only) || workspace.isOfPrelude(document))
    return actions;
  const Sources &sources = document.analysis->getSources();
  for (const Diagnostic *diagnostic :
       sortByPlace(document.analysis->getDiagnostics())) {
    LspDiagnostic shown = convert(workspace, document, *diagnostic);
    // What touches the range, as a cursor does.
    if (shown.range.end < params.range.start ||
        params.range.end < shown.range.start)
      continue;
    auto add = [&](ArrayRef<FixIt> fixIts, StringRef message,
                   bool isPreferred) {
      if (fixIts.empty())
        return;
      if (std::optional<Edits> edits = convert(workspace, document, fixIts))
        actions.push_back({getTitle(sources, fixIts, message), shown,
                           isPreferred, std::move(*edits)});
    };
    add(diagnostic->fixIts, diagnostic->message, /*isPreferred=*/true);
    for (const DiagnosticNote &note : diagnostic->notes)
      add(note.fixIts, note.message, /*isPreferred=*/false);
  }
  return actions;
}

} // namespace ein::lsp
