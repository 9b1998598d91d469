//===- Names.cpp - Where each name is declared and used -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/names/Names.h"
#include "frontend/check/Builtins.h"
#include "frontend/names/NameCollector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

const NameUse *NameTable::find(uint32_t offset) const {
  // The first that ends at `offset` or after it.
  const auto *first =
      llvm::partition_point(ArrayRef(uses), [&](const NameUse &use) {
        return use.range.end < offset;
      });
  if (first == ArrayRef(uses).end() || offset < first->range.begin)
    return nullptr;
  // Of two that touch, as labels do, the one that begins there.
  const NameUse *next = first + 1;
  bool isNext = next != ArrayRef(uses).end() && first->range.end == offset &&
                next->range.begin == offset;
  return isNext ? next : first;
}

const NamedEntity *NameTable::findInDef(size_t def, StringRef name) const {
  const auto *found =
      llvm::find_if(ArrayRef(entities), [&](const NamedEntity &entity) {
        return isOfDef(entity.kind) && entity.def == def && entity.name == name;
      });
  return found == ArrayRef(entities).end() ? nullptr : found;
}

std::optional<size_t> findDef(const ast::Module &module, uint32_t offset) {
  for (auto [i, def] : llvm::enumerate(module.defs))
    if (def.range.begin <= offset && offset <= def.range.end)
      return i;
  return std::nullopt;
}

const ast::Statement *findStatement(const ast::Def &def, uint32_t offset) {
  const ast::Statement *found = nullptr;
  for (const ast::Statement &statement : def.statements)
    if (statement.range.begin <= offset && offset <= statement.range.end)
      found = &statement;
  return found;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

size_t NameCollector::add(NameKind kind, const ast::Name &name,
                          SourceRange scope) {
  table.entities.push_back({kind, name.text, name.range, scope, def});
  return table.entities.size() - 1;
}

/// What the parser has made up, or YAML says otherwise, is not there.
void NameCollector::use(const ast::Name &name, size_t entity, bool isWrite) {
  const SourceFile &file = *tokens.file;
  if (!name.text.empty() && name.range.begin >= file.getBase() &&
      name.range.begin < name.range.end && name.range.end <= file.getEnd() &&
      file.getText(name.range) == name.text)
    table.uses.push_back({name.range, entity, isWrite});
}

void NameCollector::useGlobal(NameKind kind, const ast::Name &name) {
  auto [known, isNew] = globals.try_emplace(name.text, 0);
  if (isNew || table.entities[known->second].kind != kind)
    known->second = add(kind, {name.text, {}}, {});
  use(name, known->second);
}

void NameCollector::useArgument(const std::string &callee,
                                const ast::Name &name) {
  if (auto own = defs.find(callee); own != defs.end()) {
    pendingArguments.push_back({name, table.entities[own->second].def});
    return;
  }
  std::string key = callee + "." + name.text;
  auto [known, isNew] = globals.try_emplace(key, 0);
  if (isNew) {
    known->second = add(NameKind::Argument, {name.text, {}}, {});
    table.entities[known->second].callee = callee;
  }
  use(name, known->second);
}

/// Those of the file's own defs, which may come after the call.
void NameCollector::resolveArguments() {
  for (const PendingArgument &argument : pendingArguments) {
    const Scope &scope = scopes[argument.callee];
    if (auto found = scope.find(argument.name.text); found != scope.end())
      use(argument.name, found->second);
  }
}

/// The names in text that is in no tree.
void NameCollector::collectSkipped() {
  sortUses();
  size_t numUses = table.uses.size();
  size_t next = 0;
  for (auto [position, token] : llvm::enumerate(tokens.tokens)) {
    if (token.kind != TokenKind::Identifier)
      continue;
    while (next != numUses && table.uses[next].range.end <= token.range.begin)
      ++next;
    if (next != numUses && table.uses[next].range.begin < token.range.end)
      continue;
    std::optional<size_t> owner = findDef(module, token.range.begin);
    if (!owner || !module.defs[*owner].hasErrors)
      continue;
    ast::Name name = {tokens.getText(token).str(), token.range};
    if (auto found = scopes[*owner].find(name.text);
        found != scopes[*owner].end())
      use(name, found->second);
    else if (auto own = defs.find(name.text); own != defs.end())
      use(name, own->second);
    else if (isFunction(name.text) || findReducer(name.text))
      useGlobal(NameKind::Function, name);
    else if (parseElementType(name.text))
      useGlobal(NameKind::Type, name);
    else if (tokens.tokens[position + 1].kind == TokenKind::LParen &&
             isCallable(name.text))
      useGlobal(NameKind::Callee, name);
  }
}

void NameCollector::sortUses() {
  llvm::stable_sort(table.uses, [](const NameUse &lhs, const NameUse &rhs) {
    return lhs.range.begin < rhs.range.begin;
  });
  // A name that is walked twice, as where several updates share a right side.
  std::vector<NameUse> distinct;
  for (const NameUse &use : table.uses)
    if (distinct.empty() || distinct.back().range.end <= use.range.begin)
      distinct.push_back(use);
    else if (distinct.back().entity == use.entity)
      distinct.back().isWrite |= use.isWrite;
  table.uses = std::move(distinct);
}

NameTable NameCollector::collect() {
  SourceRange file = {tokens.file->getBase(), tokens.file->getEnd()};
  for (auto [i, source] : llvm::enumerate(module.defs)) {
    def = i;
    size_t entity = add(NameKind::Def, source.name, file);
    defs.try_emplace(source.name.text, entity);
    use(source.name, entity, /*isWrite=*/true);
  }
  for (auto [i, source] : llvm::enumerate(module.defs)) {
    def = i;
    scopes.emplace_back();
    collectDef(source);
  }
  resolveArguments();
  collectSkipped();
  sortUses();
  return std::move(table);
}

NameTable collectNames(const ast::Module &module, const TokenBuffer &tokens,
                       function_ref<bool(StringRef)> isCallable) {
  return NameCollector(module, tokens, isCallable).collect();
}

//===----------------------------------------------------------------------===//
// A def
//===----------------------------------------------------------------------===//

const size_t *NameCollector::findOfDef(StringRef name) const {
  auto found = scopes[def].find(name);
  return found == scopes[def].end() ? nullptr : &found->second;
}

bool NameCollector::isTensorName(StringRef name) const {
  const size_t *entity = findOfDef(name);
  return entity && isTensor(table.entities[*entity].kind);
}

/// The first of two that have one name counts.
size_t NameCollector::declare(NameKind kind, const ast::Name &name) {
  auto [known, isNew] = scopes[def].try_emplace(name.text, 0);
  if (isNew)
    known->second = add(kind, name, source->range);
  use(name, known->second, isNew);
  return known->second;
}

void NameCollector::useType(const ast::Name &name) {
  if (const size_t *generic = findOfDef(name.text))
    return use(name, *generic);
  if (parseElementType(name.text))
    useGlobal(NameKind::Type, name);
}

/// `A.0`, `strides.0`
void NameCollector::useElement(const ast::Expr &expr) {
  if (const size_t *known = findOfDef(expr.text))
    use({expr.text, expr.nameRange}, *known);
}

/// What else is named in a dim is a size.
void NameCollector::walkDim(const ast::Expr &dim) {
  StringRef name = dim.text;
  if (dim.kind == ast::Expr::Kind::Element)
    useElement(dim);
  if (dim.kind == ast::Expr::Kind::Name && !name.consume_front("...")) {
    if (const size_t *known = findOfDef(dim.text))
      use({dim.text, dim.range}, *known);
    else
      declare(NameKind::Size, {dim.text, dim.range});
    return;
  }
  // `...order` and `...-some`
  if (dim.kind == ast::Expr::Kind::Name) {
    name.consume_front("-");
    auto length = static_cast<uint32_t>(name.size());
    if (const size_t *known = findOfDef(name))
      use({name.str(), {dim.range.end - length, dim.range.end}}, *known);
  }
  for (const ast::ExprPtr &operand : dim.operands)
    walkDim(*operand);
}

void NameCollector::collectSignature(const ast::Def &source) {
  for (const ast::Generic &generic : source.generics) {
    declare(NameKind::Generic, generic.name);
    if (generic.defaultType)
      useType(*generic.defaultType);
  }
  for (const ast::Attribute &attribute : source.attributes) {
    declare(NameKind::Attribute, attribute.name);
    useType(attribute.element);
    if (attribute.function)
      useGlobal(NameKind::Function, *attribute.function);
  }
  // Dims may name scalars that come later.
  for (const ast::Param &param : source.params)
    declare(NameKind::Param, param.name);
  for (const ast::Param &result : source.results)
    declare(NameKind::Result, result.name);
  for (const std::vector<ast::Param> *params :
       {&source.params, &source.results})
    for (const ast::Param &param : *params) {
      if (!param.type)
        continue;
      useType(param.type->element);
      for (const ast::ExprPtr &dim : param.type->dims)
        walkDim(*dim);
      bool isOpen = llvm::any_of(param.type->dims, [](const ast::ExprPtr &dim) {
        return StringRef(dim->text).starts_with("...");
      });
      if (!isOpen)
        ranks[param.name.text] = param.type->dims.size();
    }
}

void NameCollector::collectDef(const ast::Def &source) {
  this->source = &source;
  ranks.clear();
  collectSignature(source);
  for (const ast::Statement &statement : source.statements) {
    bool isResult = source.isImplicit && !statement.let;
    NameKind kind = isResult ? NameKind::Result : NameKind::Temporary;
    auto addTarget = [&](const ast::Name &target) {
      if (!target.text.empty() && !findOfDef(target.text))
        declare(kind, target);
    };
    addTarget(statement.target);
    for (const ast::Name &target : statement.moreTargets)
      addTarget(target);
  }
  for (const ast::Statement &statement : source.statements)
    collectStatement(statement);
}

} // namespace ein
