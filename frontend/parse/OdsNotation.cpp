//===- OdsNotation.cpp - ods-gen's definitions as ours --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/OdsNotation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace llvm;

namespace ein {

static bool isName(const ast::Expr &expr) {
  return expr.kind == ast::Expr::Kind::Name;
}

static bool isSelect(const ast::Expr &expr) {
  return expr.kind == ast::Expr::Kind::Reduce &&
         (expr.text == "std_select" || expr.text == "SelectOp");
}

/// `std_addf<…>` and its kin, or what a `std_select<…>` has become.
static bool isOdsReduction(const ast::Expr &expr) {
  return expr.kind == ast::Expr::Kind::Reduce && StringSwitch<bool>(expr.text)
#define EIN_REDUCER(SPELLING, UPDATE, KIND)                                    \
  .Case(SPELLING, StringRef(#KIND) == "Ods")
#include "frontend/program/Functions.def"
                                                     .Default(false);
}

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

/// Whether two trees are written alike, blanks and parentheses aside.
static bool isSame(const ast::Expr &a, const ast::Expr &b) {
  return a.kind == b.kind && a.text == b.text && a.op == b.op &&
         llvm::equal(a.operands, b.operands,
                     [](const ast::ExprPtr &x, const ast::ExprPtr &y) {
                       return isSame(*x, *y);
                     }) &&
         llvm::equal(a.indices, b.indices,
                     [](const ast::ExprPtr &x, const ast::ExprPtr &y) {
                       return isSame(*x, *y);
                     }) &&
         a.type.has_value() == b.type.has_value() &&
         (!a.type || a.type->text == b.type->text);
}

static bool isTarget(const ast::Statement &statement, const ast::Expr &expr) {
  if (expr.text != statement.target.text)
    return false;
  if (!statement.subscripts)
    return isName(expr);
  return expr.kind == ast::Expr::Kind::Call &&
         llvm::equal(expr.operands, *statement.subscripts,
                     [](const ast::ExprPtr &x, const ast::ExprPtr &y) {
                       return isSame(*x, *y);
                     });
}

namespace {

/// A comparison by `<` or `>`, equality or not.
struct Comparison {
  bool isGreater;
  bool isUnsigned = false;
  const ast::Expr *lhs, *rhs;
};

} // namespace

/// `x > y`, `std_cmpf_ogt(x, y)` or `CmpIOpSGT(x, y)`.
static std::optional<Comparison> readComparison(const ast::Expr &expr) {
  if (expr.operands.size() != 2)
    return std::nullopt;
  Comparison result = {};
  result.lhs = expr.operands[0].get();
  result.rhs = expr.operands[1].get();
  if (expr.kind == ast::Expr::Kind::Binary) {
    result.isGreater =
        expr.op == TokenKind::Greater || expr.op == TokenKind::GreaterEqual;
    bool isLess = expr.op == TokenKind::Less || expr.op == TokenKind::LessEqual;
    if (!result.isGreater && !isLess)
      return std::nullopt;
    return result;
  }
  StringRef name = expr.text;
  bool isFloat =
      name.consume_front("std_cmpf_") || name.consume_front("CmpFOp");
  if (expr.kind != ast::Expr::Kind::Call ||
      (!isFloat && !name.consume_front("std_cmpi_") &&
       !name.consume_front("CmpIOp")))
    return std::nullopt;
  std::string predicate = name.lower();
  StringRef rest = predicate;
  // Of floats, `u` counts NaN as greater and as less.
  bool isUnsigned = rest.consume_front("u");
  if (!isUnsigned && !rest.consume_front(isFloat ? "o" : "s"))
    return std::nullopt;
  result.isUnsigned = isUnsigned && !isFloat;
  result.isGreater = rest == "gt" || rest == "ge";
  if (!result.isGreater && rest != "lt" && rest != "le")
    return std::nullopt;
  return result;
}

static const ast::Expr *findSelect(const ast::Expr &expr) {
  if (isSelect(expr))
    return &expr;
  for (const ast::ExprPtr &operand : expr.operands)
    if (const ast::Expr *found = findSelect(*operand))
      return found;
  return nullptr;
}

LogicalResult rewriteOdsSelect(ast::Statement &statement,
                               DiagnosticEngine &diags) {
  const ast::Expr *select = findSelect(*statement.value);
  if (!select)
    return success();
  auto refuse = [&] {
    return diags.report(DiagId::SelectForm, select->nameRange, {select->text});
  };
  ast::Expr &value = *statement.value;
  if (select != &value || statement.op != TokenKind::Assign ||
      value.operands.size() != 3)
    return refuse();
  std::optional<Comparison> compared = readComparison(*value.operands[0]);
  const ast::Expr &chosen = *value.operands[1], &other = *value.operands[2];
  bool isStraight = compared && isSame(*compared->lhs, chosen) &&
                    isSame(*compared->rhs, other);
  bool isTurned = compared && isSame(*compared->lhs, other) &&
                  isSame(*compared->rhs, chosen);
  bool isFirst = isTarget(statement, chosen);
  if ((!isStraight && !isTurned) || isFirst == isTarget(statement, other))
    return refuse();
  // Which one is taken where they are equal makes no difference.
  bool isMax = compared->isGreater == isStraight;
  statement.isUnsigned = compared->isUnsigned;
  value.text = isMax ? "std_maxf" : "std_minf";
  value.operands.erase(value.operands.begin());
  return success();
}

//===----------------------------------------------------------------------===//
// Windows, and the dims that they are in
//===----------------------------------------------------------------------===//

static void collectNames(const ast::Expr &expr, StringSet<> &names) {
  if (!expr.text.empty())
    names.insert(expr.text);
  for (const ast::ExprPtr &operand : expr.operands)
    collectNames(*operand, names);
  for (const ast::NamedArgument &argument : expr.named)
    collectNames(*argument.value, names);
}

/// What the statements name before any window is added to them.
static StringSet<> collectNames(const ast::Def &def) {
  StringSet<> names;
  for (const ast::Statement &statement : def.statements) {
    collectNames(*statement.value, names);
    for (const ast::Clause &clause : statement.clauses)
      for (const ast::ExprPtr &operand : clause.operands)
        collectNames(*operand, names);
  }
  return names;
}

/// The tensor that is named nowhere and has as many dims as there are indices
/// in `<…>`; null if there is none, or more than one.
static const ast::Param *findWindow(const ast::Def &def,
                                    const StringSet<> &names, size_t rank) {
  const ast::Param *window = nullptr;
  for (const ast::Param &param : def.params) {
    if (names.contains(param.name.text) || !param.type ||
        param.type->dims.size() != rank)
      continue;
    if (window)
      return nullptr;
    window = &param;
  }
  return window;
}

static void addWindow(const ast::Def &def, const StringSet<> &names,
                      ast::Statement &statement) {
  const std::vector<ast::ExprPtr> &indices = statement.value->indices;
  const ast::Param *window = findWindow(def, names, indices.size());
  if (!window)
    return;
  std::vector<ast::ExprPtr> subscripts;
  for (const ast::ExprPtr &index : indices)
    subscripts.push_back(ast::clone(*index));
  ast::Clause clause = {ast::Clause::Kind::Exists, {}, {}};
  SourceRange range = statement.value->nameRange;
  clause.operands.push_back(
      ast::makeCall({window->name.text, range}, range, std::move(subscripts)));
  statement.clauses.push_back(std::move(clause));
}

namespace {

/// What the dims of parameters have to be for the accesses of one statement.
class DimFitter {
public:
  DimFitter(ast::Def &def, const ast::Statement &statement,
            DiagnosticEngine &diags)
      : def(def), statement(statement), diags(diags) {}

  void fit();

private:
  ast::Param *findParam(StringRef name) {
    auto found = llvm::find_if(def.params, [&](const ast::Param &param) {
      return param.name.text == name && param.type;
    });
    return found == def.params.end() ? nullptr : &*found;
  }
  void collectAccesses(const ast::Expr &expr);
  void collectExtents();
  ast::ExprPtr makeLargest(const ast::Expr &subscript) const;
  bool hasTargetSize(const ast::Expr &subscript, const ast::Expr &dim) const;
  void fitDim(ast::Param &param, size_t number, const ast::Expr &subscript);

  ast::Def &def;
  const ast::Statement &statement;
  DiagnosticEngine &diags;
  std::vector<std::pair<ast::Param *, const ast::Expr *>> accesses;
  /// Of indices that stand alone somewhere.
  StringMap<ast::ExprPtr> extents;
  /// Which of them the target has: the sizes of its dims.
  StringMap<std::string> targetSizes;
};

} // namespace

void DimFitter::collectAccesses(const ast::Expr &expr) {
  ast::Param *param =
      expr.kind == ast::Expr::Kind::Call ? findParam(expr.text) : nullptr;
  if (param && param->type->dims.size() == expr.operands.size())
    accesses.push_back({param, &expr});
  for (const ast::ExprPtr &operand : expr.operands)
    collectAccesses(*operand);
}

void DimFitter::collectExtents() {
  auto take = [&](const ast::Expr &subscript, const ast::Expr &dim) {
    if (isName(subscript) && !extents.count(subscript.text))
      extents[subscript.text] = ast::clone(dim);
  };
  auto result = llvm::find_if(def.results, [&](const ast::Param &each) {
    return each.name.text == statement.target.text;
  });
  if (result != def.results.end() && result->type && statement.subscripts &&
      result->type->dims.size() == statement.subscripts->size())
    for (auto [subscript, dim] :
         llvm::zip(*statement.subscripts, result->type->dims)) {
      take(*subscript, *dim);
      if (isName(*subscript) && isName(*dim))
        targetSizes.try_emplace(subscript->text, dim->text);
    }
  for (auto [param, access] : accesses)
    for (auto [subscript, dim] : llvm::zip(access->operands, param->type->dims))
      take(*subscript, *dim);
}

/// The subscript where each index is at its end; null if it is not a sum of
/// products that have an extent.
ast::ExprPtr DimFitter::makeLargest(const ast::Expr &subscript) const {
  if (isName(subscript)) {
    auto extent = extents.find(subscript.text);
    if (extent == extents.end()) // an attribute, if anything
      return ast::clone(subscript);
    return ast::makeBinary(TokenKind::Minus, subscript.range,
                           ast::clone(*extent->second),
                           ast::makeNumber(1, subscript.range));
  }
  bool isLinear =
      subscript.kind == ast::Expr::Kind::Binary &&
      (subscript.op == TokenKind::Plus || subscript.op == TokenKind::Star);
  if (!isLinear)
    return subscript.kind == ast::Expr::Kind::Number ||
                   subscript.kind == ast::Expr::Kind::Element
               ? ast::clone(subscript)
               : nullptr;
  ast::ExprPtr lhs = makeLargest(*subscript.operands[0]);
  ast::ExprPtr rhs = makeLargest(*subscript.operands[1]);
  if (!lhs || !rhs)
    return nullptr;
  return ast::makeBinary(subscript.op, subscript.nameRange, std::move(lhs),
                         std::move(rhs));
}

/// Whether an index of the target is in it whose dim has the same size.
bool DimFitter::hasTargetSize(const ast::Expr &subscript,
                              const ast::Expr &dim) const {
  if (isName(subscript))
    return targetSizes.lookup(subscript.text) == dim.text;
  return llvm::any_of(subscript.operands, [&](const ast::ExprPtr &operand) {
    return hasTargetSize(*operand, dim);
  });
}

void DimFitter::fitDim(ast::Param &param, size_t number,
                       const ast::Expr &subscript) {
  ast::ExprPtr &dim = param.type->dims[number];
  if (!isName(*dim) || isName(subscript) || !hasTargetSize(subscript, *dim))
    return;
  ast::ExprPtr largest = makeLargest(subscript);
  if (!largest)
    return;
  SourceRange range = dim->range;
  diags.report(DiagId::OdsDim, range,
               {std::to_string(number), param.name.text, statement.target.text,
                dim->text});
  dim = ast::makeBinary(TokenKind::Plus, range, std::move(largest),
                        ast::makeNumber(1, range));
  dim->range = range;
}

void DimFitter::fit() {
  collectAccesses(*statement.value);
  for (const ast::Clause &clause : statement.clauses)
    for (const ast::ExprPtr &operand : clause.operands)
      collectAccesses(*operand);
  collectExtents();
  for (auto [param, access] : accesses)
    for (auto [i, subscript] : llvm::enumerate(access->operands))
      fitDim(*param, i, *subscript);
}

void completeOdsDef(ast::Def &def, DiagnosticEngine &diags) {
  StringSet<> names = collectNames(def);
  for (ast::Statement &statement : def.statements) {
    if (!isOdsReduction(*statement.value))
      continue;
    addWindow(def, names, statement);
    DimFitter(def, statement, diags).fit();
  }
}

} // namespace ein
