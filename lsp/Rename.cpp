//===- Rename.cpp - Another name for what a name stands for ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A new name is refused if any name would stand for something else with it.
// Which names do is not argued, but seen: the names of each text are collected
// with the change made, and must be those that there were, one for one.
//
//===----------------------------------------------------------------------===//

#include "frontend/source/Unicode.h"
#include "lsp/Navigation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein::lsp {

Error refuse(const Twine &message) {
  return make_error<llvm::lsp::LSPError>(message.str(),
                                         llvm::lsp::ErrorCode::RequestFailed);
}

/// What cannot be renamed, as an error.
static Error checkRenamable(const Document &document, const Symbol &symbol,
                            const NamedEntity &entity) {
  StringRef name = entity.name;
  if (entity.kind == NameKind::Function || entity.kind == NameKind::Type)
    return refuse("`" + name + "` is the language's");
  if (symbol.isOfPrelude)
    return refuse("`" + name + "` is a named op of einc's");
  if (!symbol.analysis || !symbol.entity)
    return refuse("nothing says what `" + name + "` is");
  if (document.analysis->isOpDSL() || symbol.analysis->isOpDSL())
    return refuse("names in OpDSL's YAML are not renamed");
  if (name.starts_with(".."))
    return refuse("`" + name + "` stands for any number of labels");
  return Error::success();
}

static Expected<const NameUse *> findRenamable(Workspace &workspace,
                                               const Document &document,
                                               Position position,
                                               Symbol &symbol) {
  const Analysis &analysis = *document.analysis;
  const NameUse *use =
      analysis.getNames().find(getOffset(analysis.getFile(), position));
  if (!use)
    return refuse("there is no name here");
  symbol = resolveSymbol(workspace, document, use->entity);
  if (Error error = checkRenamable(document, symbol,
                                   analysis.getNames().entities[use->entity]))
    return error;
  return use;
}

Expected<Range> prepareRename(Workspace &workspace, const Document &document,
                              Position position) {
  Symbol symbol;
  Expected<const NameUse *> use =
      findRenamable(workspace, document, position, symbol);
  if (!use)
    return use.takeError();
  return getRange(document.analysis->getFile(), (*use)->range);
}

//===----------------------------------------------------------------------===//
// The new name
//===----------------------------------------------------------------------===//

static bool isName(StringRef text) {
  auto isWord = [](char c) { return isAlnum(c) || c == '_'; };
  return !text.empty() && !isDigit(text.front()) && llvm::all_of(text, isWord);
}

/// A letter, or a word of letters of any alphabet.
static bool isLabel(StringRef text, bool isLetterAlone) {
  bool isFirst = true;
  for (; !text.empty(); isFirst = false) {
    Character character = decodeCharacter(text);
    bool isRest = !isFirst && isDigit(text.front());
    if (!isRest && text.front() != '_' &&
        !(character.isValid && isLetter(character.codePoint)))
      return false;
    if (isLetterAlone && (!isFirst || text.front() == '_'))
      return false;
    text = text.drop_front(character.length);
  }
  return !isFirst;
}

static Error checkForm(const NamedEntity &entity, StringRef name) {
  if (entity.kind != NameKind::Label)
    return isName(name) ? Error::success()
                        : refuse("`" + name +
                                 "` is no name, which is made of ASCII "
                                 "letters, digits and `_`");
  if (isLabel(name, entity.isLetter))
    return Error::success();
  return refuse("`" + name + "` is no label" +
                (entity.isLetter ? ", which is a letter here" : ""));
}

//===----------------------------------------------------------------------===//
// Whether names stay what they are
//===----------------------------------------------------------------------===//

static std::string apply(const SourceFile &file, ArrayRef<TextEdit> edits) {
  std::string text = file.getText().str();
  // They are in the order of the text, on a line each.
  for (const TextEdit &edit : llvm::reverse(edits)) {
    uint32_t begin = getOffset(file, edit.range.start) - file.getBase();
    uint32_t end = getOffset(file, edit.range.end) - file.getBase();
    text.replace(begin, end - begin, edit.newText);
  }
  return text;
}

/// Whether the same names are there, and stand for the same.
static bool areAlike(const NameTable &before, const NameTable &after) {
  if (before.uses.size() != after.uses.size())
    return false;
  std::map<size_t, size_t> forward, backward;
  for (auto [old, now] : llvm::zip_equal(before.uses, after.uses)) {
    size_t to = forward.try_emplace(old.entity, now.entity).first->second;
    size_t from = backward.try_emplace(now.entity, old.entity).first->second;
    if (to != now.entity || from != old.entity ||
        before.entities[old.entity].kind != after.entities[now.entity].kind)
      return false;
  }
  return true;
}

static bool keepsMeaning(const Analysis &analysis, ArrayRef<TextEdit> edits,
                         const Symbol &symbol, StringRef name) {
  Sources sources("", apply(analysis.getFile(), edits));
  DiagnosticEngine ignored;
  TokenBuffer tokens = lexSource(sources.getMain(), SourceForm::File, ignored);
  ast::Module module = parseSource(tokens, SourceForm::File, ignored);
  const NamedEntity &entity =
      symbol.analysis->getNames().entities[*symbol.entity];
  bool isCallee = entity.kind == NameKind::Def && &analysis != symbol.analysis;
  NameTable names = collectNames(module, tokens, [&](StringRef callee) {
    if (isCallee && callee == name)
      return true;
    return analysis.findExternal(callee) &&
           !(isCallee && callee == entity.name);
  });
  return areAlike(analysis.getNames(), names);
}

/// What has the name already, if it is known.
static Error refuseClash(const NameTable &names, const NamedEntity &entity,
                         StringRef name) {
  static constexpr StringLiteral nouns[] = {
      "a def",     "a def",           "a generic", "an attribute", "a size",
      "a tensor",  "a tensor",        "a tensor",  "an index",     "a label",
      "a `where`", "of the language", "a type",    "an argument"};
  for (const NamedEntity &other : names.entities) {
    bool isNear = other.def == entity.def || !isDeclared(other.kind) ||
                  other.kind == NameKind::Def;
    if (entity.kind == NameKind::Label)
      isNear = other.kind == NameKind::Label &&
               other.scope.begin == entity.scope.begin;
    if (other.name == name && isNear)
      return refuse("`" + name + "` is " +
                    nouns[static_cast<size_t>(other.kind)] + " already");
  }
  return refuse("with the name `" + name +
                "` the program would mean something else");
}

/// Without `->` the result's labels are in the order of the alphabet.
static bool keepsOrder(const Analysis &analysis, const NamedEntity &label,
                       StringRef name) {
  if (analysis.getFile().getText(label.scope).contains("->"))
    return true;
  // The new name stands on the same side of every other.
  return llvm::all_of(
      analysis.getNames().entities, [&](const NamedEntity &other) {
        return other.kind != NameKind::Label || other.def != label.def ||
               other.scope.begin != label.scope.begin ||
               other.name == label.name ||
               (other.name < label.name) == (StringRef(other.name) < name);
      });
}

Expected<Edits> rename(Workspace &workspace, const Document &document,
                       const RenameParams &params) {
  Symbol symbol;
  Expected<const NameUse *> use =
      findRenamable(workspace, document, params.position, symbol);
  if (!use)
    return use.takeError();
  const NameTable &names = symbol.analysis->getNames();
  const NamedEntity &entity = names.entities[*symbol.entity];
  if (Error error = checkForm(entity, params.newName))
    return error;
  Edits edits;
  if (params.newName == entity.name)
    return edits;
  if (entity.kind == NameKind::Label &&
      !keepsOrder(*symbol.analysis, entity, params.newName))
    return refuse("without `->`, the result's dims are in the order of their "
                  "labels, which `" +
                  params.newName + "` would change");
  // Another def of that name, wherever it is from.
  if (entity.kind == NameKind::Def)
    if (const Library::Entry *other =
            symbol.analysis->findExternal(params.newName);
        other && !other->isPrelude)
      return refuse("`" + params.newName + "` is a def already");
  if (entity.kind == NameKind::Def &&
      llvm::any_of(names.entities, [&](const NamedEntity &other) {
        return other.kind == NameKind::Def && other.name == params.newName;
      }))
    return refuse("`" + params.newName + "` is a def already");
  for (const Reference &reference : findReferences(workspace, symbol))
    edits[reference.location.uri].push_back(
        {reference.location.range, params.newName});
  for (const auto &[uri, list] : edits) {
    const Document *other = workspace.find(uri);
    const Analysis *analysis = other ? other->analysis.get() : symbol.analysis;
    if (!keepsMeaning(*analysis, list, symbol, params.newName))
      return refuseClash(analysis->getNames(), entity, params.newName);
  }
  return edits;
}

} // namespace ein::lsp
