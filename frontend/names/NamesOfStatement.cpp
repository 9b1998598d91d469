//===- NamesOfStatement.cpp - Names in statements -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A name in a statement is, in this order, an index of a reduction round it,
// what a `where` gives, what the def has, an index, if it stands in a subscript
// somewhere in the statement, and what the language has. An index is the
// statement's, a label the einsum's.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Builtins.h"
#include "frontend/check/EinsumCall.h"
#include "frontend/names/NameCollector.h"
#include "frontend/parse/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

void NameCollector::collectStatement(const ast::Statement &source) {
  statement = &source;
  locals.clear();
  subscriptNames.clear();
  givenNames.clear();
  reducedNames.clear();
  reductions.clear();
  for (const ast::Clause &clause : source.clauses) {
    bool isRange = clause.kind == ast::Clause::Kind::Range;
    if (!isRange && clause.kind != ast::Clause::Kind::Let)
      continue;
    if (isRange)
      givenNames.insert(clause.name.text);
    auto [known, isNew] = locals.try_emplace(clause.name.text, 0);
    if (isNew)
      known->second = add(isRange ? NameKind::Index : NameKind::Value,
                          clause.name, source.range);
    use(clause.name, known->second, isNew);
  }
  if (const size_t *target = findOfDef(source.target.text))
    use(source.target, *target, /*isWrite=*/true);
  for (const ast::Name &name : source.moreTargets)
    if (const size_t *target = findOfDef(name.text))
      use(name, *target, /*isWrite=*/true);
  if (source.type) {
    useType(source.type->element);
    for (const ast::ExprPtr &dim : source.type->dims)
      walkDim(*dim);
    ranks.try_emplace(source.target.text, source.type->dims.size());
  }
  if (source.updateFunction)
    if (const size_t *attribute = findOfDef(source.updateFunction->text))
      use(*source.updateFunction, *attribute);
  if (source.accumulator)
    useType(*source.accumulator);
  StringSet<> reduced;
  if (source.subscripts)
    for (const ast::ExprPtr &subscript : *source.subscripts) {
      collectSubscript(*subscript, reduced);
      walkSubscript(*subscript);
    }
  if (!source.value)
    return;
  collectSubscripts(*source.value, reduced);
  for (const ast::Clause &clause : source.clauses)
    for (const ast::ExprPtr &operand : clause.operands)
      collectSubscripts(*operand, reduced);
  walk(*source.value);
  for (const ast::Clause &clause : source.clauses)
    collectClause(clause);
  if (source.subscripts)
    ranks.try_emplace(source.target.text, source.subscripts->size());
}

void NameCollector::collectClause(const ast::Clause &clause) {
  for (const ast::ExprPtr &operand : clause.operands)
    // `exists k`
    walk(*operand, clause.kind == ast::Clause::Kind::Exists);
}

//===----------------------------------------------------------------------===//
// Which names are indices
//===----------------------------------------------------------------------===//

/// Those in the subscripts of accesses in `expr` that no reduction has.
void NameCollector::collectSubscripts(const ast::Expr &expr,
                                      StringSet<> &reduced) {
  std::vector<std::string> added;
  for (const ast::ExprPtr &index : expr.indices)
    reducedNames.insert(index->text);
  for (const ast::ExprPtr &index : expr.indices)
    if (isCumulative(expr.text))
      subscriptNames.insert(index->text);
    else if (reduced.insert(index->text).second)
      added.push_back(index->text);
  bool isUnknown = source->isImplicit && !isFunction(expr.text) &&
                   !parseElementType(expr.text) && !defs.contains(expr.text) &&
                   !ast::isEinsum(expr);
  bool isAccess = expr.kind == ast::Expr::Kind::Call &&
                  (isTensorName(expr.text) || isUnknown);
  for (const ast::ExprPtr &operand : expr.operands)
    isAccess ? collectSubscript(*operand, reduced)
             : collectSubscripts(*operand, reduced);
  for (const std::string &name : added)
    reduced.erase(name);
}

void NameCollector::collectSubscript(const ast::Expr &expr,
                                     StringSet<> &reduced) {
  if (expr.kind == ast::Expr::Kind::Name && !reduced.contains(expr.text))
    subscriptNames.insert(expr.text);
  if (expr.kind == ast::Expr::Kind::Call ||
      expr.kind == ast::Expr::Kind::Reduce)
    return collectSubscripts(expr, reduced);
  for (const ast::ExprPtr &operand : expr.operands)
    collectSubscript(*operand, reduced);
}

size_t *NameCollector::findLocal(StringRef name) {
  for (Scope &scope : llvm::reverse(reductions))
    if (auto found = scope.find(name); found != scope.end())
      return &found->second;
  auto found = locals.find(name);
  return found == locals.end() ? nullptr : &found->second;
}

void NameCollector::useIndex(const ast::Name &name) {
  auto [known, isNew] = locals.try_emplace(name.text, 0);
  if (isNew)
    known->second = add(NameKind::Index, name, statement->range);
  use(name, known->second, isNew);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void NameCollector::walkSubscript(const ast::Expr &expr) {
  walk(expr, /*isSubscript=*/true);
}

void NameCollector::walk(const ast::Expr &expr, bool isSubscript) {
  switch (expr.kind) {
  case ast::Expr::Kind::Number:
  case ast::Expr::Kind::String:
    return;
  case ast::Expr::Kind::Name:
    return walkName(expr, isSubscript);
  case ast::Expr::Kind::Element:
    return useElement(expr);
  case ast::Expr::Kind::Call:
    return walkCall(expr);
  case ast::Expr::Kind::Reduce:
    return walkReduction(expr);
  case ast::Expr::Kind::Cast:
    useGlobal(NameKind::Function, {expr.text, expr.nameRange});
    useType(*expr.type);
    break;
  case ast::Expr::Kind::Unary:
  case ast::Expr::Kind::Binary:
  case ast::Expr::Kind::Conditional:
  case ast::Expr::Kind::List:
    break;
  }
  for (const ast::ExprPtr &operand : expr.operands)
    walk(*operand, isSubscript);
}

void NameCollector::walkName(const ast::Expr &expr, bool isSubscript) {
  ast::Name name = {expr.text, expr.range};
  if (StringRef(name.text).starts_with("..."))
    return walkDim(expr);
  // Parentheses are part of an expression's place.
  if (name.range.end - name.range.begin != name.text.size())
    name.range = expr.nameRange;
  if (size_t *local = findLocal(name.text))
    return use(name, *local);
  if (const size_t *known = findOfDef(name.text))
    return use(name, *known);
  if (isSubscript || subscriptNames.contains(name.text))
    return useIndex(name);
  if (!getConstantBody(name.text).empty() || isFunction(name.text))
    return useGlobal(NameKind::Function, name);
  if (parseElementType(name.text))
    return useGlobal(NameKind::Type, name);
  if (!source->isImplicit)
    return;
  // `J` is how far `j` goes; anything else is an input.
  auto isOf = [&](const auto &index) {
    return index.getKey().upper() == name.text;
  };
  bool isSize =
      llvm::any_of(subscriptNames, isOf) || llvm::any_of(reducedNames, isOf);
  declare(isSize ? NameKind::Size : NameKind::Param, name);
}

/// As the checker has it: functions are called element by element, and all of
/// the right side may be a call of a def.
bool NameCollector::callsDef(const ast::Expr &expr) const {
  if (!defs.contains(expr.text) && !isCallable(expr.text))
    return false;
  if (!isFunction(expr.text) && !parseElementType(expr.text))
    return true;
  if (statement->subscripts || statement->value.get() != &expr)
    return false;
  return !expr.named.empty() ||
         (!expr.operands.empty() &&
          llvm::all_of(expr.operands, [&](const ast::ExprPtr &operand) {
            return operand->kind == ast::Expr::Kind::Name &&
                   isTensorName(operand->text);
          }));
}

void NameCollector::walkCall(const ast::Expr &expr) {
  ast::Name name = {expr.text, expr.nameRange};
  bool isAccess = false;
  const size_t *known = findOfDef(name.text);
  if (known) {
    use(name, *known);
    isAccess = isTensor(table.entities[*known].kind);
  } else if (ast::isEinsum(expr)) {
    return walkEinsum(expr);
  } else if (callsDef(expr)) {
    if (auto own = defs.find(name.text); own != defs.end())
      use(name, own->second);
    else
      useGlobal(NameKind::Callee, name);
  } else if (isFunction(name.text)) {
    useGlobal(NameKind::Function, name);
  } else if (parseElementType(name.text)) {
    useGlobal(NameKind::Type, name);
  } else if (source->isImplicit) {
    use(name, declare(NameKind::Param, name));
    ranks.try_emplace(name.text, expr.operands.size());
    isAccess = true;
  }
  for (const ast::ExprPtr &operand : expr.operands)
    walk(*operand, isAccess);
  for (const ast::NamedArgument &argument : expr.named) {
    useArgument(name.text, argument.name);
    walk(*argument.value);
  }
}

/// Its indices are its own, but for those that a `where` gives a range, and
/// those of `cumsum` and its kin, which the target has as well.
void NameCollector::walkReduction(const ast::Expr &expr) {
  ast::Name name = {expr.text, expr.nameRange};
  if (const size_t *known = findOfDef(name.text))
    use(name, *known);
  else
    useGlobal(NameKind::Function, name);
  Scope scope;
  for (const ast::ExprPtr &index : expr.indices) {
    ast::Name indexName = {index->text, index->range};
    if (givenNames.contains(indexName.text) || isCumulative(expr.text)) {
      useIndex(indexName);
      continue;
    }
    auto [known, isNew] = scope.try_emplace(indexName.text, 0);
    if (isNew)
      known->second = add(NameKind::Index, indexName, expr.range);
    use(indexName, known->second, isNew);
  }
  reductions.push_back(std::move(scope));
  for (const ast::ExprPtr &operand : expr.operands)
    walk(*operand);
  reductions.pop_back();
}

//===----------------------------------------------------------------------===//
// einsum
//===----------------------------------------------------------------------===//

std::optional<size_t> NameCollector::getRank(const ast::Expr &operand) const {
  auto known = ranks.find(operand.text);
  if (operand.kind != ast::Expr::Kind::Name || known == ranks.end())
    return std::nullopt;
  return known->second;
}

void NameCollector::walkLabel(const EinsumLabel &label, bool isLetter,
                              Scope &labels, SourceRange scope) {
  for (const EinsumLabel &member : label.members)
    walkLabel(member, isLetter, labels, scope);
  ast::Name name = {label.name, label.range};
  if (label.isGroup() || name.text.empty() || name.text == "...")
    return;
  auto [known, isNew] = labels.try_emplace(name.text, 0);
  if (isNew) {
    known->second = add(NameKind::Label, name, scope);
    table.entities[known->second].isLetter = isLetter;
  }
  use(name, known->second, isNew);
}

void NameCollector::walkEinsum(const ast::Expr &expr) {
  useGlobal(NameKind::Function, {expr.text, expr.nameRange});
  if (expr.type)
    useType(*expr.type);
  for (const ast::ExprPtr &operand : expr.operands)
    if (operand->kind != ast::Expr::Kind::List)
      walk(*operand);
  if (expr.operands.empty())
    return;
  DiagnosticEngine ignored; // the checker says what is wrong
  FailureOr<EinsumCall> call = readEinsumCall(
      expr, [&](const ast::Expr &operand) { return getRank(operand); },
      ignored);
  if (failed(call) || call->einsum.isInterleaved)
    return;
  Scope labels;
  const EinsumString &einsum = call->einsum;
  bool areLetters = einsum.notation == EinsumNotation::Letters;
  auto walkTerm = [&](const EinsumTerm &term) {
    for (const EinsumLabel &label : term.labels)
      walkLabel(label, areLetters, labels, expr.range);
  };
  llvm::for_each(einsum.operands, walkTerm);
  if (einsum.isOutputExplicit)
    walkTerm(einsum.output);
  if (einsum.isOutputExplicit && statement->value.get() == &expr)
    ranks.try_emplace(statement->target.text, einsum.output.labels.size());
}

} // namespace ein
