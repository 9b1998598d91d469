//===- Navigation.cpp - Definitions, references, highlights ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Navigation.h"
#include "lsp/Uri.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ein::lsp {

//===----------------------------------------------------------------------===//
// What other files declare
//===----------------------------------------------------------------------===//

const ast::Name *findArgument(const ast::Def &callee, StringRef name) {
  auto is = [&](const ast::Name &candidate) { return candidate.text == name; };
  for (const ast::Attribute &attribute : callee.attributes)
    if (is(attribute.name))
      return &attribute.name;
  for (const ast::Generic &generic : callee.generics)
    if (is(generic.name))
      return &generic.name;
  for (const ast::Param &param : callee.params)
    if (is(param.name))
      return &param.name;
  return nullptr;
}

/// The first place in the signature where a size is named.
static std::optional<SourceRange> findSize(const ast::Def &callee,
                                           StringRef name) {
  std::function<std::optional<SourceRange>(const ast::Expr &)> look =
      [&](const ast::Expr &dim) -> std::optional<SourceRange> {
    if (dim.kind == ast::Expr::Kind::Name && dim.text == name)
      return dim.nameRange;
    for (const ast::ExprPtr &operand : dim.operands)
      if (std::optional<SourceRange> found = look(*operand))
        return found;
    return std::nullopt;
  };
  for (const std::vector<ast::Param> *params :
       {&callee.params, &callee.results})
    for (const ast::Param &param : *params)
      if (param.type)
        for (const ast::ExprPtr &dim : param.type->dims)
          if (std::optional<SourceRange> found = look(*dim))
            return found;
  return std::nullopt;
}

std::optional<SourceRange> findDeclaration(const Analysis &analysis,
                                           const NamedEntity &entity) {
  if (isDeclared(entity.kind))
    return entity.declaration;
  bool isArgument = entity.kind == NameKind::Argument;
  if (!isArgument && entity.kind != NameKind::Callee)
    return std::nullopt;
  const std::string &callee = isArgument ? entity.callee : entity.name;
  const Library::Entry *entry = analysis.findExternal(callee);
  if (!entry)
    return std::nullopt;
  if (!isArgument)
    return entry->name.range;
  const ast::Def &def = analysis.parseExternal(callee);
  if (const ast::Name *argument = findArgument(def, entity.name))
    return argument->range;
  return findSize(def, entity.name);
}

const ast::Import *findImport(const Analysis &analysis, uint32_t offset) {
  for (const ast::Import &import : analysis.getModule().imports)
    if (import.range.begin <= offset && offset <= import.range.end)
      return &import;
  return nullptr;
}

/// The file that an `import` reads, among the sources.
static const SourceFile *findImported(const Analysis &analysis,
                                      const ast::Import &import) {
  for (const auto &file : ArrayRef(analysis.getSources().getFiles()))
    if (file.get() != &analysis.getFile() &&
        (file->getName() == import.path ||
         file->getName().ends_with(("/" + import.path))))
      return file.get();
  // `../a/b.ein`: by the last part.
  for (const auto &file : ArrayRef(analysis.getSources().getFiles()))
    if (file.get() != &analysis.getFile() &&
        sys::path::filename(file->getName()) ==
            sys::path::filename(import.path))
      return file.get();
  return nullptr;
}

std::vector<Location> findDefinitions(Workspace &workspace,
                                      const Document &document,
                                      Position position) {
  const Analysis &analysis = *document.analysis;
  uint32_t offset = getOffset(analysis.getFile(), position);
  std::optional<SourceRange> range;
  if (const ast::Import *import = findImport(analysis, offset)) {
    if (const SourceFile *file = findImported(analysis, *import))
      range = {file->getBase(), file->getBase()};
  } else if (const NameUse *use = analysis.getNames().find(offset)) {
    range =
        findDeclaration(analysis, analysis.getNames().entities[use->entity]);
  }
  std::optional<Location> place =
      range ? workspace.locate(document, *range) : std::nullopt;
  return place ? std::vector<Location>{std::move(*place)}
               : std::vector<Location>();
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// As a path, or what a buffer without a file is called.
static std::string getFileName(const Analysis &analysis, SourceRange place) {
  StringRef name = analysis.getSources().find(place.begin).getName();
  return sys::path::is_absolute(name) ? getRealPath(name) : name.str();
}

Symbol resolveSymbol(Workspace &workspace, const Document &document,
                     size_t entity) {
  const Analysis &analysis = *document.analysis;
  const NamedEntity &named = analysis.getNames().entities[entity];
  Symbol symbol;
  symbol.name = named.name;
  if (isDeclared(named.kind) || !findDeclaration(analysis, named)) {
    symbol.file = getFileName(analysis, {0, 0});
    symbol.analysis = &analysis;
    symbol.uri = document.uri;
    symbol.entity = entity;
    return symbol;
  }
  SourceRange range = *findDeclaration(analysis, named);
  const SourceFile &file = analysis.getSources().find(range.begin);
  symbol.file = getFileName(analysis, range);
  symbol.declaration = workspace.locate(document, range);
  symbol.isOfPrelude = file.getName().starts_with("<einc>/");
  if (symbol.isOfPrelude)
    return symbol;
  symbol.analysis = workspace.analyzeFile(symbol.file);
  symbol.uri = workspace.getUri(file);
  // The document's view of the file is the one that is open, or on the disk.
  if (!symbol.analysis)
    return symbol;
  const NameUse *use =
      symbol.analysis->getNames().find(range.begin - file.getBase());
  if (use)
    symbol.entity = use->entity;
  return symbol;
}

/// Whether `entity`, in another file than the symbol's, is the symbol.
static bool isSymbol(const Analysis &analysis, const NamedEntity &entity,
                     const Symbol &symbol) {
  if (entity.name != symbol.name ||
      (entity.kind != NameKind::Callee && entity.kind != NameKind::Argument))
    return false;
  std::optional<SourceRange> place = findDeclaration(analysis, entity);
  if (!place || getFileName(analysis, *place) != symbol.file)
    return false;
  if (!symbol.entity)
    return entity.kind == NameKind::Callee;
  const NamedEntity &declared =
      symbol.analysis->getNames().entities[*symbol.entity];
  const SourceFile &file = analysis.getSources().find(place->begin);
  return declared.declaration.begin == place->begin - file.getBase();
}

static void addUses(const Analysis &analysis, const std::string &uri,
                    size_t entity, std::vector<Reference> &references) {
  const NamedEntity &named = analysis.getNames().entities[entity];
  for (const NameUse &use : analysis.getNames().uses)
    if (use.entity == entity)
      references.push_back({{uri, getRange(analysis.getFile(), use.range)},
                            use.isWrite,
                            isDeclared(named.kind) &&
                                use.range.begin == named.declaration.begin});
}

std::vector<Reference> findReferences(Workspace &workspace,
                                      const Symbol &symbol) {
  std::vector<Reference> references;
  if (symbol.analysis && symbol.entity)
    addUses(*symbol.analysis, symbol.uri, *symbol.entity, references);
  else if (symbol.declaration)
    references.push_back({*symbol.declaration, true, true});
  for (const Document *document : workspace.getDocuments()) {
    const Analysis &analysis = *document->analysis;
    if (&analysis == symbol.analysis)
      continue;
    for (auto [i, entity] : llvm::enumerate(analysis.getNames().entities))
      if (isSymbol(analysis, entity, symbol))
        addUses(analysis, document->uri, i, references);
  }
  return references;
}

std::vector<Reference> findReferences(Workspace &workspace,
                                      const Document &document,
                                      Position position) {
  const Analysis &analysis = *document.analysis;
  const NameUse *use =
      analysis.getNames().find(getOffset(analysis.getFile(), position));
  if (!use)
    return {};
  return findReferences(workspace,
                        resolveSymbol(workspace, document, use->entity));
}

std::vector<Reference> findHighlights(const Document &document,
                                      Position position) {
  const Analysis &analysis = *document.analysis;
  std::vector<Reference> references;
  if (const NameUse *use =
          analysis.getNames().find(getOffset(analysis.getFile(), position)))
    addUses(analysis, document.uri, use->entity, references);
  return references;
}

} // namespace ein::lsp
