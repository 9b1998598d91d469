//===- SignatureSizes.cpp - Sizes in statements outside a def -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In `C(i) = sum<j>(A(i, j)) / J` nobody has declared a size, but the dim that
// `j` runs over is called `J`, and so `J` is that: `A.1`. A dim that no index
// runs over alone is called `A_1`, which messages say. A name that is anything
// else, an index, a tensor or the name of data, stays what it is.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Builtins.h"
#include "frontend/check/EinsumCall.h"
#include "frontend/check/Signature.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

namespace {

class SizeFinder {
public:
  SizeFinder(ast::Def &def, const CheckOptions &options)
      : def(def), options(options) {}

  void run();

private:
  /// Where an index stands alone in an input.
  struct Place {
    std::string tensor;
    unsigned dim = 0;
  };

  void collect(const ast::Expr &expr);
  void collectAlone(ArrayRef<ast::ExprPtr> operands);
  std::optional<Place> findPlace(StringRef size) const;
  void replace(ast::ExprPtr &expr) const;
  void forEachExpr(ast::Statement &statement,
                   function_ref<void(ast::ExprPtr &)> callback) const;

  ast::Def &def;
  const CheckOptions &options;
  StringSet<> targets;
  /// What is an index, a tensor, a function or a definition somewhere.
  StringSet<> others;
  StringMap<Place> places; // by the size's name
  StringSet<> inputs;
};

void SizeFinder::forEachExpr(
    ast::Statement &statement,
    function_ref<void(ast::ExprPtr &)> callback) const {
  if (statement.subscripts)
    for (ast::ExprPtr &subscript : *statement.subscripts)
      callback(subscript);
  callback(statement.value);
  for (ast::Clause &clause : statement.clauses)
    for (ast::ExprPtr &operand : clause.operands)
      callback(operand);
}

void SizeFinder::collectAlone(ArrayRef<ast::ExprPtr> operands) {
  for (const ast::ExprPtr &operand : operands)
    if (operand->kind == ast::Expr::Kind::Name)
      others.insert(operand->text);
}

void SizeFinder::collect(const ast::Expr &expr) {
  for (const ast::ExprPtr &index : expr.indices)
    others.insert(index->text);
  if (expr.kind == ast::Expr::Kind::Call) {
    bool isOfTarget = targets.contains(expr.text);
    bool isAccess =
        !ast::isEinsum(expr) && (isOfTarget || isLooseAccess(expr, options));
    others.insert(expr.text);
    // Indices, or the tensors that a def is called with.
    if (isAccess || !(isFunction(expr.text) || parseElementType(expr.text)))
      collectAlone(expr.operands);
    if (isAccess && !isOfTarget)
      inputs.insert(expr.text);
    if (isAccess)
      for (auto [dim, subscript] : llvm::enumerate(expr.operands))
        if (!isOfTarget && subscript->kind == ast::Expr::Kind::Name)
          places.try_emplace(StringRef(subscript->text).upper(),
                             Place{expr.text, static_cast<unsigned>(dim)});
  }
  for (const ast::ExprPtr &operand : expr.operands)
    collect(*operand);
}

std::optional<SizeFinder::Place> SizeFinder::findPlace(StringRef size) const {
  if (auto place = places.find(size); place != places.end())
    return place->second;
  auto [tensor, digits] = size.rsplit('_');
  unsigned dim;
  if (!inputs.contains(tensor) || digits.getAsInteger(10, dim))
    return std::nullopt;
  return Place{tensor.str(), dim};
}

void SizeFinder::replace(ast::ExprPtr &expr) const {
  if (expr->kind == ast::Expr::Kind::Name && !others.contains(expr->text))
    if (std::optional<Place> place = findPlace(expr->text))
      expr = ast::makeElement(place->tensor, place->dim, expr->range);
  for (ast::ExprPtr &operand : expr->operands)
    replace(operand);
}

void SizeFinder::run() {
  for (const ast::Statement &statement : def.statements) {
    targets.insert(statement.target.text);
    for (const ast::Name &target : statement.moreTargets)
      targets.insert(target.text);
  }
  for (ast::Statement &statement : def.statements) {
    if (statement.subscripts)
      collectAlone(*statement.subscripts);
    for (const ast::Clause &clause : statement.clauses)
      others.insert(clause.name.text);
    forEachExpr(statement, [&](ast::ExprPtr &expr) { collect(*expr); });
  }
  others.insert(targets.begin(), targets.end());
  for (const auto &[name, data] : options.namedData)
    others.insert(name);
  for (const DataType &data : options.data)
    others.insert(data.name);
  for (ast::Statement &statement : def.statements)
    forEachExpr(statement, [&](ast::ExprPtr &expr) { replace(expr); });
}

} // namespace

void nameImplicitSizes(ast::Def &def, const CheckOptions &options) {
  SizeFinder(def, options).run();
}

} // namespace ein
