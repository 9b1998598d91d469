//===- Completion.cpp - What may be typed next ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While something is typed it does not parse, so what is offered goes by the
// tokens before the place, and by the names that the rest of the def has. What
// is nearest comes first: arguments of the call, names of the def, other defs,
// the language, the named ops.
//
//===----------------------------------------------------------------------===//

#include "lsp/Builtins.h"
#include "lsp/CallContext.h"
#include "lsp/Features.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ein::lsp {
namespace {

using llvm::lsp::CompletionItem;
using llvm::lsp::CompletionItemKind;

class Completer {
public:
  Completer(const Document &document, Position position)
      : document(document), analysis(*document.analysis),
        offset(getOffset(analysis.getFile(), position)) {}

  void run();
  std::vector<CompletionItem> items;

private:
  CompletionItem *add(StringRef name, CompletionItemKind kind, char order,
                      StringRef detail = "", StringRef documentation = "");
  const Token *findPrevious() const;
  bool isInComment() const;
  void completeImport(StringRef typed);
  void completeLabels();
  void completeArguments(const ast::Def &callee);
  void completeNames(size_t def);
  void completeCallables();
  void completeLanguage();
  void completeTypes();

  const Document &document;
  const Analysis &analysis;
  uint32_t offset;
  StringRef prefix;
  StringSet<> seen;
};

/// Items that do not begin alike are left to the client's guessing: a client
/// filters by what has been typed, and may match more than beginnings.
CompletionItem *Completer::add(StringRef name, CompletionItemKind kind,
                               char order, StringRef detail,
                               StringRef documentation) {
  if (name.empty() ||
      (!prefix.empty() && toLower(name[0]) != toLower(prefix[0])) ||
      !seen.insert(name).second)
    return nullptr;
  CompletionItem item(fix(name), kind, std::string(1, order) + fix(name));
  item.detail = fix(detail);
  if (!documentation.empty())
    item.documentation = {llvm::lsp::MarkupKind::Markdown, fix(documentation)};
  items.push_back(std::move(item));
  return &items.back();
}

/// The token before the word that is typed; null if there is none.
const Token *Completer::findPrevious() const {
  ArrayRef<Token> tokens = analysis.getTokens().tokens;
  uint32_t begin = offset - static_cast<uint32_t>(prefix.size());
  const Token *next = llvm::partition_point(tokens, [&](const Token &token) {
    return token.range.end <= begin && token.kind != TokenKind::EndOfFile;
  });
  return next == tokens.begin() ? nullptr : next - 1;
}

bool Completer::isInComment() const {
  return llvm::any_of(analysis.getTokens().comments,
                      [&](const SourceRange &comment) {
                        return comment.begin < offset && offset <= comment.end;
                      });
}

void Completer::run() {
  StringRef before =
      analysis.getFile().getText({analysis.getFile().getBase(), offset});
  prefix = before.take_back(
      before.size() -
      (before.find_last_not_of(
           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") +
       1));
  if (analysis.isOpDSL() || isInComment() ||
      (!prefix.empty() && isDigit(prefix[0])))
    return;
  const Token *token = analysis.findToken(offset);
  // Also one that is not closed yet.
  StringRef line = before.substr(before.rfind('\n') + 1);
  bool isOpen = line.count('"') % 2 == 1;
  if (isOpen || (token && token->kind == TokenKind::String &&
                 token->range.begin < offset && offset < token->range.end)) {
    if (line.trim().starts_with("import"))
      return completeImport(line.substr(line.find('"') + 1));
    return completeLabels();
  }
  const Token *previous = findPrevious();
  if (previous && previous->kind == TokenKind::Dot)
    return; // a number follows
  std::optional<size_t> def = findDef(analysis.getModule(), offset);
  if (std::optional<CallContext> call = findCall(analysis, offset)) {
    bool isHidden =
        def && analysis.getNames().findInDef(*def, call->name) != nullptr;
    const ast::Def *callee =
        isHidden ? nullptr : findCallee(analysis, call->name);
    if (callee && call->argumentName.empty())
      completeArguments(*callee);
  }
  if (def)
    completeNames(*def);
  bool isType = previous && previous->kind == TokenKind::Colon;
  completeTypes();
  if (isType)
    return;
  completeCallables();
  completeLanguage();
}

/// Files beside the document that can be imported.
void Completer::completeImport(StringRef typed) {
  if (document.path.empty())
    return;
  SmallString<128> directory = sys::path::parent_path(document.path);
  StringRef parent = sys::path::parent_path(typed);
  sys::path::append(directory, parent);
  prefix = typed.drop_front(typed.rfind('/') + 1);
  constexpr size_t maxFiles = 1000;
  std::error_code error;
  for (sys::fs::directory_iterator file(directory, error), end;
       !error && file != end && items.size() < maxFiles;
       file.increment(error)) {
    StringRef name = sys::path::filename(file->path());
    if (file->path() == document.path || name.starts_with("."))
      continue;
    bool isDirectory = file->type() == sys::fs::file_type::directory_file;
    if (isDirectory)
      add(name, CompletionItemKind::Folder, '1');
    else if (name.ends_with(".ein") || isOpDSLFile(name))
      add(name, CompletionItemKind::File, '0');
  }
}

/// The labels that the einsum has already; of no other string.
void Completer::completeLabels() {
  prefix = "";
  for (const NamedEntity &entity : analysis.getNames().entities)
    if (entity.kind == NameKind::Label && entity.scope.begin <= offset &&
        offset <= entity.scope.end)
      add(entity.name, CompletionItemKind::Variable, '0', "label");
}

void Completer::completeArguments(const ast::Def &callee) {
  auto addNamed = [&](const ast::Name &name, SourceRange range) {
    StringRef text = analysis.getSources().find(range.begin).getText(range);
    if (CompletionItem *item =
            add(name.text, CompletionItemKind::Property, '0', text,
                "argument of `" + callee.name.text + "`"))
      item->insertText = item->label + "=";
  };
  for (const ast::Attribute &attribute : callee.attributes)
    addNamed(attribute.name, attribute.range);
  for (const ast::Generic &generic : callee.generics)
    addNamed(generic.name, generic.name.range);
  // A name of the def may be called as an argument is.
  seen.clear();
}

void Completer::completeNames(size_t number) {
  const Def *def = analysis.getDef(number);
  for (const NamedEntity &entity : analysis.getNames().entities) {
    if (entity.def != number)
      continue;
    bool isHere = entity.scope.begin <= offset && offset <= entity.scope.end;
    if (isTensor(entity.kind)) {
      const Tensor *tensor =
          def ? analysis.getTensor(entity.def, entity.name) : nullptr;
      add(entity.name, CompletionItemKind::Variable, '1',
          tensor ? printType(*def, *tensor) : "tensor");
    } else if (entity.kind == NameKind::Attribute) {
      add(entity.name, CompletionItemKind::Property, '1', "attribute");
    } else if (entity.kind == NameKind::Generic) {
      add(entity.name, CompletionItemKind::TypeParameter, '1', "element type");
    } else if (entity.kind == NameKind::Size) {
      add(entity.name, CompletionItemKind::Constant, '1', "size");
    } else if (entity.kind == NameKind::Index) {
      // Statements of a def most often share the names of their indices.
      add(entity.name, CompletionItemKind::Variable, isHere ? '1' : '2',
          "index");
    } else if (entity.kind == NameKind::Value && isHere) {
      add(entity.name, CompletionItemKind::Variable, '1', "value");
    }
  }
}

void Completer::completeTypes() {
  for (StringRef type : {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY) SPELLING,
#include "abi/ElementTypes.def"
       })
    add(type, CompletionItemKind::Struct, '5', "element type",
        describeType(type));
}

void Completer::completeCallables() {
  for (const ast::Def &def : analysis.getModule().defs)
    if (!def.isImplicit)
      add(def.name.text, CompletionItemKind::Function, '3',
          printSignature(analysis.getSources(), def), def.docstring);
  for (StringRef name : analysis.getExternalNames()) {
    bool isPrelude = analysis.findExternal(name)->isPrelude;
    if (!prefix.empty() && toLower(name[0]) != toLower(prefix[0]))
      continue; // nothing of it need be read
    const ast::Def &def = analysis.parseExternal(name);
    std::string signature = printSignature(analysis.getSources(), def);
    // A function of elements comes first, and says so.
    if (const BuiltinDoc *doc = findBuiltinDoc(name); isPrelude && doc)
      continue;
    add(name, CompletionItemKind::Function, isPrelude ? '6' : '3', signature,
        isPrelude ? "The named op `linalg." + name.str() + "`.\n\n```ein\n" +
                        signature + "\n```"
                  : def.docstring);
  }
}

void Completer::completeLanguage() {
  for (const BuiltinDoc &doc : getBuiltinDocs()) {
    CompletionItemKind kind =
        doc.kind == BuiltinDoc::Word       ? CompletionItemKind::Keyword
        : doc.kind == BuiltinDoc::Constant ? CompletionItemKind::Constant
                                           : CompletionItemKind::Function;
    add(doc.name, kind, '4', doc.form, describeBuiltin(doc.name));
  }
}

} // namespace

llvm::lsp::CompletionList complete(const Document &document,
                                   Position position) {
  Completer completer(document, position);
  completer.run();
  llvm::lsp::CompletionList list;
  list.items = std::move(completer.items);
  return list;
}

} // namespace ein::lsp
