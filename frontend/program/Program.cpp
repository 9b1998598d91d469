//===- Program.cpp - The checked program ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/program/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein {

StringRef getSpelling(UnaryFn fn) {
  switch (fn) {
#define EIN_UNARY(ENUM, SPELLING, ULPS)                                        \
  case UnaryFn::ENUM:                                                          \
    return SPELLING;
#include "frontend/program/Functions.def"
  }
  llvm_unreachable("a function that is not in Functions.def");
}

StringRef getSpelling(BinaryFn fn) {
  switch (fn) {
#define EIN_BINARY(ENUM, SPELLING, ULPS)                                       \
  case BinaryFn::ENUM:                                                         \
    return SPELLING;
#include "frontend/program/Functions.def"
  }
  llvm_unreachable("a function that is not in Functions.def");
}

StringRef getSpelling(UpdateKind kind) {
  switch (kind) {
  case UpdateKind::Assign:
    return "=";
  case UpdateKind::Add:
    return "+=";
  case UpdateKind::Mul:
    return "*=";
  case UpdateKind::Max:
    return "max=";
  case UpdateKind::Min:
    return "min=";
  case UpdateKind::And:
    return "&=";
  case UpdateKind::Or:
    return "|=";
  case UpdateKind::Xor:
    return "^=";
  }
  llvm_unreachable("a kind of update that is none");
}

static int64_t evaluateLeast(ArrayRef<Affine> exprs, ArrayRef<int64_t> values) {
  int64_t least = INT64_MAX;
  for (const Affine &expr : exprs)
    least = std::min(least, expr.evaluate(values));
  return least;
}

std::vector<int64_t>
Def::getSymbolValues(function_ref<int64_t(const Symbol &)> getDynamic) const {
  std::vector<int64_t> values;
  for (const Symbol &symbol : symbols) {
    if (symbol.quotient)
      values.push_back(
          divideFloorSigned(symbol.quotient->numerator.evaluate(values),
                            symbol.quotient->divisor));
    else if (!symbol.minimum.empty())
      values.push_back(evaluateLeast(symbol.minimum, values));
    else if (symbol.scalar.isValid())
      values.push_back(0);
    else
      values.push_back(symbol.bound ? *symbol.bound : getDynamic(symbol));
  }
  return values;
}

bool Def::dependsOnScalar(SymbolId id) const {
  const Symbol &symbol = (*this)[id];
  return symbol.scalar.isValid() ||
         (symbol.quotient &&
          llvm::any_of(symbol.quotient->numerator.getSymbolTerms(),
                       [&](const Affine::SymbolTerm &term) {
                         return dependsOnScalar(term.id);
                       }));
}

std::optional<BinaryFn> getFunction(UpdateKind kind) {
  switch (kind) {
  case UpdateKind::Assign:
    return std::nullopt;
  case UpdateKind::Add:
    return BinaryFn::Add;
  case UpdateKind::Mul:
    return BinaryFn::Mul;
  case UpdateKind::Max:
    return BinaryFn::Max;
  case UpdateKind::Min:
    return BinaryFn::Min;
  case UpdateKind::And:
    return BinaryFn::BitAnd;
  case UpdateKind::Or:
    return BinaryFn::BitOr;
  case UpdateKind::Xor:
    return BinaryFn::BitXor;
  }
  llvm_unreachable("a kind of update that is none");
}

std::vector<unsigned>
getOutermostMembers(const std::vector<std::vector<unsigned>> &groups,
                    size_t numFactors) {
  std::vector<bool> isInGroup(numFactors + groups.size(), false);
  std::vector<unsigned> firstFactors;
  for (size_t i = 0; i != numFactors; ++i)
    firstFactors.push_back(i);
  for (const std::vector<unsigned> &group : groups) {
    for (unsigned member : group)
      isInGroup[member] = true;
    firstFactors.push_back(firstFactors[group.front()]);
  }
  std::vector<unsigned> members;
  for (size_t i = 0, e = isInGroup.size(); i != e; ++i)
    if (!isInGroup[i])
      members.push_back(i);
  llvm::sort(members, [&](unsigned a, unsigned b) {
    return firstFactors[a] < firstFactors[b];
  });
  return members;
}

bool Statement::isDiagonal() const {
  for (size_t i = 0, e = targetIndices.size(); i != e; ++i)
    if (llvm::is_contained(ArrayRef(targetIndices).take_front(i),
                           targetIndices[i]))
      return true;
  return false;
}

/// Appends the factors of a `*`-tree of accesses; false if there is anything
/// else in it.
static bool collectFactors(const Def &def, ExprId id,
                           std::vector<ProductFactor> &factors) {
  const Expr &expr = def[id];
  if (expr.kind == ExprKind::Access) {
    factors.push_back({id});
    return true;
  }
  if (expr.kind == ExprKind::Unary && expr.unary == UnaryFn::Conj) {
    size_t first = factors.size();
    if (!collectFactors(def, expr.lhs, factors))
      return false;
    for (ProductFactor &factor : llvm::drop_begin(factors, first))
      factor.isConjugated ^= true;
    return true;
  }
  if (expr.kind == ExprKind::Cast) {
    const Expr &operand = def[expr.lhs];
    Conversion conversion = getConversion(expr, operand.type);
    if (operand.kind != ExprKind::Access || conversion.from != operand.type ||
        !fits(operand.type, expr.type))
      return false;
    factors.push_back({expr.lhs});
    return true;
  }
  return expr.kind == ExprKind::Binary && expr.binary == BinaryFn::Mul &&
         collectFactors(def, expr.lhs, factors) &&
         collectFactors(def, expr.rhs, factors);
}

std::optional<std::vector<ProductFactor>>
Def::getProductFactors(const Statement &statement) const {
  if ((statement.update != UpdateKind::Add &&
       statement.update != UpdateKind::Assign) ||
      statement.condition.isValid() || statement.isDiagonal() ||
      statement.isInOrder())
    return std::nullopt;
  std::vector<ProductFactor> factors;
  if (!collectFactors(*this, statement.value, factors))
    return std::nullopt;
  return factors;
}

//===----------------------------------------------------------------------===//
// Products that have an order
//===----------------------------------------------------------------------===//

bool Def::isForwardAccess(ExprId id) const {
  const Expr &expr = (*this)[id];
  return expr.kind == ExprKind::Access &&
         llvm::all_of(expr.subscripts, [](const Affine &subscript) {
           return llvm::all_of(subscript.getIndexTerms(),
                               [](auto term) { return term.coefficient > 0; });
         });
}

llvm::SmallBitVector Def::getIndices(const Statement &statement,
                                     ExprId id) const {
  llvm::SmallBitVector indices(statement.indices.size());
  const Expr &expr = (*this)[id];
  for (const Affine &subscript : expr.subscripts)
    for (Affine::IndexTerm term : subscript.getIndexTerms())
      indices.set(term.id.value);
  for (ExprId operand : expr.getOperands())
    indices |= getIndices(statement, operand);
  return indices;
}

/// Whether every subscript is an index alone, or none, up to a factor and an
/// offset.
static bool hasLoneIndices(const Def &def, ExprId access) {
  return def.isForwardAccess(access) &&
         llvm::all_of(def[access].subscripts, [](const Affine &subscript) {
           return subscript.getIndexTerms().size() <= 1;
         });
}

/// Whether the statement multiplies in a type that `ein.einsum` has. Without a
/// sum there is nothing to win by it if anything has to be converted.
static bool isEinsum(const Def &def, const Statement &statement,
                     llvm::ArrayRef<ProductFactor> factors) {
  ElementType type = statement.computeType;
  bool converts = llvm::any_of(factors, [&](ProductFactor factor) {
    return factor.isConjugated || !widensInPlace(def[factor.access].type, type);
  });
  if (statement.update == UpdateKind::Assign &&
      (converts || def[statement.target].type != type))
    return false;
  return llvm::all_of(factors, [&](ProductFactor factor) {
    return hasLoneIndices(def, factor.access);
  });
}

/// Appends the factors of a `*`-tree in `type`, whatever they are.
static void collectAnyFactors(const Def &def, ExprId id, ElementType type,
                              std::vector<ProductFactor> &factors) {
  const Expr &expr = def[id];
  if (expr.kind == ExprKind::Binary && expr.binary == BinaryFn::Mul &&
      expr.type == type) {
    collectAnyFactors(def, expr.lhs, type, factors);
    collectAnyFactors(def, expr.rhs, type, factors);
    return;
  }
  size_t before = factors.size();
  if (expr.kind != ExprKind::Binary && collectFactors(def, id, factors))
    return;
  factors.resize(before);
  factors.push_back({id});
}

static void collectConditions(const Def &def, ExprId id,
                              std::vector<ExprId> &conditions) {
  const Expr &expr = def[id];
  if (expr.kind != ExprKind::Binary || expr.binary != BinaryFn::And) {
    conditions.push_back(id);
    return;
  }
  collectConditions(def, expr.lhs, conditions);
  collectConditions(def, expr.rhs, conditions);
}

/// Whether some factors can be multiplied in fewer points than there are: two
/// lack an index, or have some only as the same sum, or a factor lacks an index
/// that is summed.
static bool hasParts(const Def &def, const Statement &statement,
                     llvm::ArrayRef<ProductFactor> factors) {
  using Sum = llvm::SmallVector<Affine::IndexTerm, 2>;
  struct Labels {
    llvm::SmallBitVector indices, lone;
    std::vector<Sum> sums;
  };
  std::vector<Labels> labels;
  for (ProductFactor factor : factors) {
    Labels &own = labels.emplace_back();
    own.indices = def.getIndices(statement, factor.access);
    own.lone = own.indices;
    if (!def.isForwardAccess(factor.access))
      continue;
    own.lone.reset();
    for (const Affine &subscript : def[factor.access].subscripts) {
      llvm::ArrayRef<Affine::IndexTerm> terms = subscript.getIndexTerms();
      if (terms.size() == 1)
        own.lone.set(terms[0].id.value);
      else if (terms.size() > 1)
        own.sums.emplace_back(terms.begin(), terms.end());
    }
  }
  auto isSmaller = [&](const Labels &a, const Labels &b) {
    if (a.indices.none() || b.indices.none())
      return false;
    llvm::SmallBitVector indices = a.indices;
    indices |= b.indices;
    if (!indices.all())
      return true;
    std::vector<Sum> sums = a.sums;
    sums.insert(sums.end(), b.sums.begin(), b.sums.end());
    return llvm::any_of(sums, [&](const Sum &sum) {
      auto has = [&](const Sum &other, IndexId id) {
        return llvm::any_of(other, [&](auto term) { return term.id == id; });
      };
      return llvm::none_of(sum, [&](Affine::IndexTerm term) {
        return a.lone.test(term.id.value) || b.lone.test(term.id.value) ||
               llvm::any_of(sums, [&](const Sum &other) {
                 return other != sum && has(other, term.id);
               });
      });
    });
  };
  for (size_t i = 0; i != labels.size(); ++i) {
    for (auto [number, index] : llvm::enumerate(statement.indices))
      if (index.isReduction && labels[i].indices.any() &&
          !labels[i].indices.test(number))
        return true;
    for (size_t j = 0; j != i; ++j)
      if (isSmaller(labels[i], labels[j]))
        return true;
  }
  return false;
}

std::optional<Product> Def::getProduct(const Statement &statement,
                                       bool keepsOrder) const {
  ElementType type = statement.computeType;
  if (type == ElementType::Bool || type == ElementType::F16 ||
      type == ElementType::BF16 ||
      (keepsOrder && (isFloat(type) || isComplex(type))))
    return std::nullopt;
  if (std::optional<std::vector<ProductFactor>> factors =
          getProductFactors(statement);
      factors && isEinsum(*this, statement, *factors))
    return Product{*factors, {}};
  if (statement.update != UpdateKind::Add || statement.isDiagonal() ||
      statement.isInOrder() ||
      llvm::none_of(statement.indices,
                    [](const Index &index) { return index.isReduction; }))
    return std::nullopt;

  Product product;
  collectAnyFactors(*this, statement.value, type, product.factors);
  if (statement.condition.isValid())
    collectConditions(*this, statement.condition, product.conditions);
  llvm::SmallBitVector covered(statement.indices.size());
  unsigned numWithIndices = 0;
  product.isEinsum = product.conditions.empty();
  for (ProductFactor factor : product.factors) {
    llvm::SmallBitVector indices = getIndices(statement, factor.access);
    numWithIndices += indices.any();
    covered |= indices;
    // What is computed at every point is not to be a tensor of them all.
    if (!isForwardAccess(factor.access) && indices.all())
      return std::nullopt;
    product.isEinsum &=
        !isForwardAccess(factor.access) || hasLoneIndices(*this, factor.access);
  }
  if (numWithIndices < 3 || !covered.all() ||
      !hasParts(*this, statement, product.factors))
    return std::nullopt;
  return product;
}

bool Def::convertsType(const Expr &expr) const {
  if (expr.kind == ExprKind::Cast)
    return true;
  if (expr.kind == ExprKind::Binary)
    return expr.binary == BinaryFn::Complex || isComparison(expr.binary) ||
           isLogical(expr.binary);
  return expr.kind == ExprKind::Unary &&
         (expr.unary == UnaryFn::Not || expr.unary == UnaryFn::Re ||
          expr.unary == UnaryFn::Im ||
          (expr.unary == UnaryFn::Abs && isComplex((*this)[expr.lhs].type)));
}

ElementType Def::getOperandType(const Expr &expr) const {
  if (!convertsType(expr))
    return expr.type;
  if (expr.kind == ExprKind::Binary && isComparison(expr.binary))
    return expr.compareType;
  if (expr.type == ElementType::Bool)
    return ElementType::Bool;
  return expr.kind == ExprKind::Unary ? getComplexType(expr.type)
                                      : getPartType(expr.type);
}

Conversion getConversion(const Expr &cast, ElementType operand) {
  if (!cast.isUnsigned)
    return {operand, cast.type};
  if (isFloat(operand) || isComplex(operand))
    return {operand, getUnsigned(cast.type)};
  return {getUnsigned(operand), cast.type};
}

SmallVector<ExprId, 3> Expr::getOperands() const {
  SmallVector<ExprId, 3> operands = {condition};
  llvm::append_range(operands, places);
  operands.append({lhs, rhs});
  llvm::erase_if(operands, [](ExprId id) { return !id.isValid(); });
  return operands;
}

bool isComparison(BinaryFn fn) {
  return fn >= BinaryFn::Equal && fn <= BinaryFn::GreaterEqual;
}

BinaryFn resolve(BinaryFn fn, ElementType type) {
  switch (fn) {
  case BinaryFn::MaxNum:
    return isFloat(type) ? fn : BinaryFn::Max;
  case BinaryFn::MinNum:
    return isFloat(type) ? fn : BinaryFn::Min;
  default:
    return fn;
  }
}

bool isDivision(BinaryFn fn, ElementType type) {
  return isInteger(type) && (fn == BinaryFn::Div || fn == BinaryFn::Rem);
}

bool isLogical(BinaryFn fn) {
  return fn == BinaryFn::And || fn == BinaryFn::Or;
}

/// `guards` is what decides whether `id` is evaluated.
static void collectDataChecks(const Def &def, ExprId id,
                              std::vector<std::pair<ExprId, bool>> &guards,
                              std::vector<Def::DataCheck> &checks) {
  const Expr &expr = def[id];
  bool isSelect = expr.kind == ExprKind::Select;
  bool isLogicalFn = expr.kind == ExprKind::Binary && isLogical(expr.binary);
  for (ExprId operand : expr.getOperands()) {
    size_t numGuards = guards.size();
    if (isSelect && operand != expr.condition)
      guards.push_back({expr.condition, operand == expr.lhs});
    if (isLogicalFn && operand == expr.rhs)
      guards.push_back({expr.lhs, expr.binary == BinaryFn::And});
    collectDataChecks(def, operand, guards, checks);
    guards.resize(numGuards);
  }
  if (def.isCheckedDivision(id) || def.isCheckedGather(id))
    checks.push_back({id, guards});
}

std::vector<Def::DataCheck>
Def::getDataChecks(const Statement &statement) const {
  std::vector<std::pair<ExprId, bool>> guards;
  std::vector<DataCheck> checks;
  if (statement.condition.isValid()) {
    collectDataChecks(*this, statement.condition, guards, checks);
    guards.push_back({statement.condition, true});
  }
  collectDataChecks(*this, statement.value, guards, checks);
  if (statement.isInOrder())
    collectDataChecks(*this, statement.written, guards, checks);
  return checks;
}

Affine Statement::getTargetSubscript(size_t dim) const {
  Affine index(targetIndices[dim]);
  return slice.empty() ? index : slice[dim].offset + index * slice[dim].step;
}

bool Def::isCheckedDivision(ExprId id) const {
  const Expr &expr = (*this)[id];
  if (expr.kind != ExprKind::Binary || !isDivision(expr.binary, expr.type) ||
      expr.isByNonZero)
    return false;
  const Expr &divisor = (*this)[expr.rhs];
  return divisor.kind != ExprKind::Literal || divisor.integer == 0;
}

bool Def::isCheckedGather(ExprId id) const {
  const Expr &expr = (*this)[id];
  return expr.kind == ExprKind::Gather && expr.outside == Outside::Checked &&
         !llvm::all_of(expr.places,
                       [&](ExprId place) { return isInside(place); });
}

bool Def::hasDataChecks() const {
  for (size_t i = 0; i != exprs.size(); ++i)
    if (isCheckedDivision(ExprId(i)) || isCheckedGather(ExprId(i)))
      return true;
  return false;
}

const Def *Program::find(StringRef name) const {
  if (name.empty())
    return defs.empty() ? nullptr : &defs.back();
  for (const Def &def : defs)
    if (def.name == name)
      return &def;
  return nullptr;
}

} // namespace ein
