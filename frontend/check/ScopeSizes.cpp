//===- ScopeSizes.cpp - Sizes and dims of a def ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/OpenRank.h"
#include "frontend/check/Scope.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein {

/// Over sizes that there are. A call finds out those of the callee later.
bool DefScope::isSize(const Affine &expr) const {
  return expr.getIndexTerms().empty() &&
         llvm::all_of(expr.getSymbolTerms(), [&](const auto &term) {
           return static_cast<size_t>(term.id.value) < def.symbols.size();
         });
}

/// Whether sizes may be multiplied in it, which makes a size of its own.
static bool hasProducts(StringRef what) {
  return what == "dim" || what == "bound";
}

/// Of `min(N, min(M, K))`, which is one minimum, N, M and K.
static void collectOperands(const DefScope &scope, const ast::Expr &minimum,
                            SmallVectorImpl<const ast::Expr *> &operands) {
  for (const ast::ExprPtr &operand : minimum.operands)
    if (scope.isMinimum(*operand))
      collectOperands(scope, *operand, operands);
    else
      operands.push_back(operand.get());
}

/// Linear arithmetic: + and -, unary -, and * by something constant; also / and
/// % by something constant, of sizes.
FailureOr<Affine> DefScope::lowerAffine(
    const ast::Expr &expr, StringRef what,
    function_ref<FailureOr<Affine>(const ast::Expr &)> resolve,
    const Arithmetic *unknown) {
  DiagId notLinear = hasProducts(what) ? DiagId::SizeForm : DiagId::NotLinear;
  auto checkOverflow = [&](const Affine &value) -> FailureOr<Affine> {
    if (value.hasOverflowed())
      return diags.report(DiagId::ArithmeticOverflow, expr.range);
    return value;
  };
  switch (expr.kind) {
  case ast::Expr::Kind::Number: {
    int64_t value;
    // It may say that it is of type index.
    StringRef digits = expr.text;
    digits.consume_back(getSpelling(ElementType::Index));
    if (!llvm::all_of(digits, isDigit))
      return diags.report(DiagId::NotAnInteger, expr.range, {what.str()});
    if (digits.getAsInteger(10, value))
      return diags.report(DiagId::IntegerTooLarge, expr.range, {expr.text});
    return Affine(value);
  }
  case ast::Expr::Kind::Name:
    if (isEllipsis(expr))
      return diags.report(DiagId::OpenRank, expr.range);
    if (auto constant = constants.find(expr.text);
        constant != constants.end() && !expr.isLabel)
      return getAffineConstant(constant->second, expr);
    return resolve(expr);
  case ast::Expr::Kind::Element:
    return resolveElement(expr);
  case ast::Expr::Kind::Call:
    if (expr.text == "dim" && !findTensor("dim"))
      return resolveDim(expr);
    if (isMinimum(expr)) {
      SmallVector<const ast::Expr *> operands;
      collectOperands(*this, expr, operands);
      SmallVector<Affine> values;
      for (const ast::Expr *operand : operands) {
        FailureOr<Affine> value = lowerAffine(*operand, what, resolve, unknown);
        if (failed(value))
          return failure();
        values.push_back(*value);
      }
      if (unknown)
        return unknown->minimize(values, expr);
      return minimizeSizes(values, what, expr);
    }
    [[fallthrough]];
  case ast::Expr::Kind::Cast:
    return diags.report(DiagId::NotSupported, expr.range,
                        {"a " + what.str() + " with a call in it is"});
  case ast::Expr::Kind::Conditional:
  case ast::Expr::Kind::Reduce:
    return diags.report(notLinear, expr.nameRange, {what.str()});
  case ast::Expr::Kind::String:
    return diags.report(DiagId::StringNotAllowed, expr.range);
  case ast::Expr::Kind::List:
    return diags.report(DiagId::NotSupported, expr.range, {"lists are"});
  case ast::Expr::Kind::Unary: {
    if (expr.op != TokenKind::Minus)
      return diags.report(notLinear, expr.nameRange, {what.str()});
    FailureOr<Affine> operand =
        lowerAffine(*expr.operands[0], what, resolve, unknown);
    if (failed(operand))
      return failure();
    return checkOverflow(*operand * -1);
  }
  case ast::Expr::Kind::Binary:
    break;
  }

  FailureOr<Affine> lhs =
      lowerAffine(*expr.operands[0], what, resolve, unknown);
  FailureOr<Affine> rhs =
      lowerAffine(*expr.operands[1], what, resolve, unknown);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (expr.op == TokenKind::Plus)
    return checkOverflow(*lhs + *rhs);
  if (expr.op == TokenKind::Minus)
    return checkOverflow(*lhs - *rhs);
  if (expr.op == TokenKind::Star && rhs->isConstant())
    return checkOverflow(*lhs * rhs->getConstant());
  if (expr.op == TokenKind::Star && lhs->isConstant())
    return checkOverflow(*rhs * lhs->getConstant());
  if (expr.op == TokenKind::Star && unknown)
    return unknown->multiply(*lhs, *rhs, expr);
  if (expr.op == TokenKind::Star && isSize(*lhs) && isSize(*rhs)) {
    if (hasProducts(what))
      return multiplySizes(*lhs, *rhs, expr);
    if (std::optional<Affine> known = findProduct(expr))
      return *known;
  }
  bool isRemainder = expr.op == TokenKind::Percent;
  if ((expr.op == TokenKind::Slash || isRemainder) && rhs->isConstant() &&
      rhs->getConstant() > 0 && (unknown || isSize(*lhs))) {
    int64_t divisor = rhs->getConstant();
    Affine quotient = unknown ? unknown->divide(*lhs, divisor, expr)
                              : divideSize(*lhs, divisor, expr.range);
    return checkOverflow(isRemainder ? *lhs - quotient * divisor : quotient);
  }
  DiagnosticBuilder builder =
      diags.report(notLinear, expr.nameRange, {what.str()});
  // A misspelt attribute is taken for a size or an index.
  SmallVector<StringRef> known;
  llvm::append_range(known, constants.keys());
  for (const ast::ExprPtr &operand : expr.operands)
    if (operand->kind == ast::Expr::Kind::Name && operand->text.size() > 2 &&
        !llvm::is_contained(known, operand->text))
      builder.didYouMean(operand->range, operand->text, known);
  return builder;
}

Affine DefScope::divideSize(const Affine &size, int64_t divisor,
                            SourceRange range) {
  Affine quotient = checks.divide(size, divisor, range);
  checks.addExtent(quotient,
                   "`" + describe(def, size, /*quote=*/false) +
                       "`, which is divided",
                   range);
  return quotient;
}

bool DefScope::isMinimum(const ast::Expr &expr) const {
  return expr.kind == ast::Expr::Kind::Call && expr.text == "min" &&
         expr.operands.size() > 1 && !findTensor(expr.text);
}

/// Elsewhere than in dims and bounds, `min` is computed for each element: it is
/// a size only if there is such a one.
FailureOr<Affine> DefScope::minimizeSizes(ArrayRef<Affine> values,
                                          StringRef what,
                                          const ast::Expr &expr) {
  if (!llvm::all_of(values, [&](const Affine &value) { return isSize(value); }))
    return diags.report(hasProducts(what) ? DiagId::SizeForm
                                          : DiagId::NotLinear,
                        expr.nameRange, {what.str()});
  if (!hasProducts(what)) {
    if (std::optional<Affine> known = checks.findMinimum(values))
      return *known;
    return diags.report(DiagId::NotSupported, expr.range,
                        {"a " + what.str() + " with a call in it is"});
  }
  return minimizeSizes(values, expr.range);
}

Affine DefScope::minimizeSizes(ArrayRef<Affine> values, SourceRange range) {
  Affine minimum = checks.minimize(values, range);
  checks.addExtent(minimum, describe(def, minimum), range);
  return minimum;
}

/// The value of what only names sizes that there are.
static std::optional<Affine> findSize(const DefScope &scope,
                                      const ast::Expr &expr) {
  int64_t number;
  switch (expr.kind) {
  case ast::Expr::Kind::Number:
    if (StringRef(expr.text).getAsInteger(10, number))
      return std::nullopt;
    return Affine(number);
  case ast::Expr::Kind::Name: {
    auto symbol = scope.symbols.find(expr.text);
    if (symbol == scope.symbols.end() || scope.isImplicit || expr.isLabel)
      return std::nullopt;
    return symbol->second;
  }
  case ast::Expr::Kind::Element:
    if (const Affine *extent =
            scope.findExtent(expr.text, expr.operands[0]->text))
      return *extent;
    return std::nullopt;
  case ast::Expr::Kind::Call:
    return scope.isMinimum(expr) ? scope.findMinimum(expr) : std::nullopt;
  case ast::Expr::Kind::Binary:
    break;
  default:
    return std::nullopt;
  }
  std::optional<Affine> lhs = findSize(scope, *expr.operands[0]),
                        rhs = findSize(scope, *expr.operands[1]);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (expr.op) {
  case TokenKind::Plus:
    return *lhs + *rhs;
  case TokenKind::Minus:
    return *lhs - *rhs;
  case TokenKind::Star:
    if (lhs->isConstant())
      return *rhs * lhs->getConstant();
    return rhs->isConstant() ? std::optional(*lhs * rhs->getConstant())
                             : scope.findProduct(expr);
  case TokenKind::Slash:
    if (rhs->isConstant() && rhs->getConstant() > 0)
      return scope.checks.findQuotient(*lhs, rhs->getConstant());
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<Affine> DefScope::findMinimum(const ast::Expr &expr) const {
  SmallVector<const ast::Expr *> operands;
  collectOperands(*this, expr, operands);
  SmallVector<Affine> values;
  for (const ast::Expr *operand : operands) {
    std::optional<Affine> value = findSize(*this, *operand);
    if (!value || value->hasOverflowed())
      return std::nullopt;
    values.push_back(*value);
  }
  std::optional<Affine> known = checks.findMinimum(values);
  std::optional<SymbolId> symbol =
      known ? known->getSingleSymbol() : std::nullopt;
  return symbol && !def[*symbol].minimum.empty() ? known : std::nullopt;
}

LogicalResult DefScope::checkByteSize(const Tensor &tensor) {
  int64_t size = getBitWidth(tensor.type) / 8;
  bool overflowed = false;
  for (const Affine &dim : tensor.dims) {
    if (dim == Affine(0))
      return success();
    if (dim.isConstant())
      overflowed |=
          static_cast<bool>(MulOverflow(size, dim.getConstant(), size));
  }
  if (overflowed)
    return diags.report(DiagId::TensorTooLarge, tensor.range, {tensor.name});
  return success();
}

LogicalResult DefScope::checkDims(const Tensor &tensor,
                                  ArrayRef<ast::ExprPtr> sources) {
  LogicalResult result = success();
  for (size_t i = 0, e = tensor.dims.size(); i != e; ++i) {
    const Affine &dim = tensor.dims[i];
    if (isNegative(dim))
      result =
          diags.report(DiagId::NegativeDim, sources[i]->range,
                       {std::to_string(i), tensor.name, describe(def, dim)});
    else
      checks.addExtent(dim,
                       "dim " + std::to_string(i) + " of `" + tensor.name + "`",
                       sources[i]->range);
  }
  if (failed(result))
    return failure();
  return checkByteSize(tensor);
}

static bool isPlainName(StringRef name) {
  return !name.empty() && !isDigit(name[0]) &&
         llvm::all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
}

/// A size that nothing in the signature is called after.
Affine DefScope::addDerivedSize(StringRef name, SourceRange range) {
  SymbolId id(def.symbols.size());
  Symbol symbol = {builder.makeUnique(isPlainName(name) ? name : "size"),
                   std::nullopt, range};
  auto binding = options.bindings.find(symbol.name);
  bool isBound = !isCalled() && binding != options.bindings.end();
  if (isBound && binding->second >= 0)
    symbol.bound = binding->second;
  def.symbols.push_back(std::move(symbol));
  std::optional<int64_t> bound = def[id].bound;
  return bound ? Affine(*bound) : Affine(id);
}

/// `size` is `product` when the code runs.
void DefScope::requireProduct(const Affine &size, const SizeProduct &product,
                              const std::string &what, SourceRange range) {
  // A remainder of sizes says nothing of how large they are.
  std::optional<Affine> linear = product.getLinear();
  bool isQuotient =
      linear && llvm::any_of(linear->getSymbolTerms(), [&](const auto &term) {
        return def[term.id].quotient.has_value();
      });
  if (isQuotient)
    checks.add({SizeCheck::Equal, size - *linear, {}, what, range});
  else
    checks.add(
        {SizeCheck::Product, size, {}, what, range, product.getFactors()});
}

std::string describe(const Def &def, const SizeProduct &product) {
  std::optional<Affine> linear = product.getLinear();
  return linear ? describe(def, *linear)
                : "`" + describeProduct(def, product.getFactors()) + "`";
}

Affine DefScope::getProductSize(const SizeProduct &product, StringRef name,
                                SourceRange range) {
  if (std::optional<Affine> linear = product.getLinear())
    return *linear;
  if (std::optional<SymbolId> known = builder.products.find(product))
    return Affine(*known);
  SizeProduct whole = product;
  whole.constant = 1;
  if (std::optional<SymbolId> known = builder.products.find(whole))
    return Affine(*known) * product.constant;
  Affine size = addDerivedSize(name, range);
  if (std::optional<SymbolId> symbol = size.getSingleSymbol())
    builder.products.define(*symbol, product);
  requireProduct(
      size, product,
      "size " + describe(def, size) + " is " + describe(def, product), range);
  return size;
}

/// `G_R` of `G*R`.
static std::string nameProduct(const Def &def, const SizeProduct &product) {
  std::string name;
  for (const Affine &factor : product.factors)
    for (const Affine::SymbolTerm &term : factor.getSymbolTerms())
      name += (name.empty() ? "" : "_") + def[term.id].name;
  return name;
}

FailureOr<Affine> DefScope::multiplySizes(const Affine &lhs, const Affine &rhs,
                                          const ast::Expr &expr) {
  SizeProduct product = builder.products.expand(lhs);
  product.multiply(builder.products.expand(rhs));
  if (product.hasOverflowed)
    return diags.report(DiagId::ArithmeticOverflow, expr.range);
  // What a number is multiplied with is no size of its own.
  SizeProduct whole = product;
  whole.constant = 1;
  Affine size = getProductSize(whole, nameProduct(def, whole), expr.range);
  if (std::optional<SymbolId> symbol = size.getSingleSymbol())
    def.symbols[symbol->value].product = whole.getFactors();
  Affine value = size * product.constant;
  if (value.hasOverflowed())
    return diags.report(DiagId::ArithmeticOverflow, expr.range);
  return value;
}

/// Names, numbers and `*`.
static bool collectFactors(const DefScope &scope, const ast::Expr &expr,
                           SizeProduct &product) {
  if (expr.kind == ast::Expr::Kind::Binary && expr.op == TokenKind::Star)
    return collectFactors(scope, *expr.operands[0], product) &&
           collectFactors(scope, *expr.operands[1], product);
  int64_t number;
  if (expr.kind == ast::Expr::Kind::Number &&
      !StringRef(expr.text).getAsInteger(10, number)) {
    product.multiply(Affine(number));
    return true;
  }
  auto symbol = scope.symbols.find(expr.text);
  if (expr.kind != ast::Expr::Kind::Name || symbol == scope.symbols.end() ||
      scope.isImplicit)
    return false;
  product.multiply(scope.builder.products.expand(symbol->second));
  return true;
}

std::optional<Affine> DefScope::findProduct(const ast::Expr &expr) const {
  SizeProduct product;
  if (!collectFactors(*this, expr, product) || product.hasOverflowed)
    return std::nullopt;
  if (std::optional<Affine> linear = product.getLinear())
    return linear;
  SizeProduct whole = product;
  whole.constant = 1;
  std::optional<SymbolId> known = builder.products.find(whole);
  if (!known)
    return std::nullopt;
  return Affine(*known) * product.constant;
}

} // namespace ein
