//===- Analysis.cpp - All that is known of a text -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein::lsp {

Analysis::Analysis(std::string name, std::string text, SourceForm form,
                   CheckOptions given)
    : form(form), options(std::move(given)),
      sources(std::move(name), std::move(text)), diags(options.warnings),
      library(sources, options.includeDirs, diags, options.openFiles) {
  const SourceFile &file = sources.getMain();
  tokens = lexSource(file, form, diags);
  // The checker takes the tree, and names are of the tree as it is written.
  module = parseSource(tokens, form, ignored);
  program =
      checkPartially(parseSource(tokens, form, diags), options, library, diags);
  numDiagnostics = diags.getDiagnostics().size();
  names = collectNames(module, tokens,
                       [&](StringRef name) { return findExternal(name); });
  collectTensors();
}

const Def *Analysis::getDef(size_t def) const {
  SourceRange range = module.defs[def].name.range;
  for (const Def &checked : program.defs)
    if (checked.name == module.defs[def].name.text &&
        checked.range.begin == range.begin)
      return &checked;
  return nullptr;
}

SmallVector<const Statement *>
Analysis::getStatements(const Def &def, const ast::Statement &written) const {
  SmallVector<const Statement *> found;
  for (const Statement &statement : def.statements)
    if (statement.range.begin == written.range.begin &&
        statement.range.end == written.range.end)
      found.push_back(&statement);
  return found;
}

void Analysis::collectTensors() {
  tensors.resize(module.defs.size());
  for (size_t i = 0, e = module.defs.size(); i != e; ++i) {
    const Def *def = getDef(i);
    if (!def)
      continue;
    std::vector<bool> isWritten(def->tensors.size());
    for (const Statement &statement : def->statements)
      isWritten[statement.target.value] = true;
    for (auto [tensor, isKnown] : llvm::zip_equal(def->tensors, isWritten))
      if (isKnown || !tensor.isInferred)
        tensors[i].try_emplace(tensor.name, &tensor);
  }
}

const Library::Entry *Analysis::findExternal(StringRef name) const {
  if (const Library::Entry *entry = library.find(name))
    return entry;
  library.addPrelude();
  return library.find(name);
}

const ast::Def &Analysis::parseExternal(StringRef name) const {
  return library.parse(name);
}

std::vector<StringRef> Analysis::getExternalNames() const {
  library.addPrelude();
  return library.getNames();
}

const Token *Analysis::findToken(uint32_t offset) const {
  ArrayRef<Token> all = tokens.tokens;
  const Token *next = llvm::partition_point(
      all, [&](const Token &token) { return token.range.end < offset; });
  if (next == all.end() || offset < next->range.begin)
    return nullptr;
  bool isSecond = next + 1 != all.end() && next->range.end == offset &&
                  next[1].range.begin == offset &&
                  next[1].kind != TokenKind::EndOfFile;
  return isSecond ? next + 1 : next;
}

bool hasWrittenType(const ast::Def &def, StringRef tensor) {
  for (const std::vector<ast::Param> *params : {&def.params, &def.results})
    for (const ast::Param &param : *params)
      if (param.name.text == tensor)
        return param.type.has_value();
  return llvm::any_of(def.statements, [&](const ast::Statement &statement) {
    return statement.target.text == tensor && statement.type;
  });
}

const ast::Clause *findRange(const ast::Statement &statement, StringRef index) {
  for (const ast::Clause &clause : statement.clauses)
    if (clause.kind == ast::Clause::Kind::Range && clause.name.text == index &&
        !clause.operands.empty())
      return &clause;
  return nullptr;
}

std::string printSize(const Def &def, const Affine &size) {
  return size.str([](IndexId) { return StringRef("?"); },
                  [&](SymbolId id) { return StringRef(def[id].name); });
}

std::string printType(const Def &def, const Tensor &tensor) {
  std::string text = getSpelling(tensor.type).str();
  if (tensor.generic.isValid() &&
      static_cast<size_t>(tensor.generic.value) < def.generics.size())
    text = def.generics[tensor.generic.value];
  if (tensor.dims.empty())
    return text;
  text += "(";
  for (const Affine &dim : tensor.dims)
    text += (&dim == tensor.dims.data() ? "" : ", ") + printSize(def, dim);
  return text + ")";
}

std::string printSignature(const Sources &sources, const ast::Def &def) {
  const SourceFile &file = sources.find(def.range.begin);
  StringRef text = file.getText(def.range);
  // Up to the body, or to the docstring before it.
  text = text.take_until([](char c) { return c == '{' || c == '"'; });
  SmallVector<StringRef> words;
  SplitString(text, words);
  return llvm::join(words, " ");
}

} // namespace ein::lsp
