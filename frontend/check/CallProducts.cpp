//===- CallProducts.cpp - Calls of defs: sizes that are products ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a callee's `q: f32(G*R, T)` the product is an unknown like `G` and `R`.
// Two of the three say what the third is: a product of the caller's sizes, or
// what is left of one of them.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Call.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace llvm;

namespace ein {

FailureOr<Affine> CallChecker::multiplyUnknowns(const Affine &lhs,
                                                const Affine &rhs,
                                                const ast::Expr &expr) {
  size_t first = firstUnknown;
  SizeProduct product;
  for (const Affine &factor : {lhs, rhs}) {
    std::optional<SymbolId> symbol = factor.getSingleSymbol();
    auto known = llvm::find_if(unknownProducts, [&](const auto &other) {
      return symbol &&
             static_cast<size_t>(symbol->value) == first + other.position;
    });
    if (known == unknownProducts.end())
      product.multiply(factor);
    else
      product.multiply(known->product);
  }
  if (product.hasOverflowed)
    return diags.report(DiagId::ArithmeticOverflow, expr.range);
  int64_t multiple = std::exchange(product.constant, 1);
  for (const UnknownProduct &other : unknownProducts)
    if (other.product.equals(product))
      return Affine(SymbolId(first + other.position)) * multiple;
  std::string name;
  for (const Affine &factor : product.factors) {
    std::string part = describeUnknown(factor);
    bool isSum = StringRef(part).contains(' ');
    name += (name.empty() ? "" : "*") + (isSum ? "(" + part + ")" : part);
  }
  unknownProducts.push_back({unknowns.size(), product});
  unknowns.push_back({name, expr.range});
  values.emplace_back();
  return Affine(SymbolId(first + unknowns.size() - 1)) * multiple;
}

/// With what is known by now, and with the caller's own products apart.
SizeProduct CallChecker::substitute(const SizeProduct &product) const {
  SizeProduct result;
  result.constant = product.constant;
  for (const Affine &factor : product.factors)
    result.multiply(builder.products.expand(substitute(factor)));
  return result;
}

/// Whether anything was found.
FailureOr<bool> CallChecker::solveProducts() {
  size_t first = firstUnknown;
  auto isUnknown = [&](const Affine::SymbolTerm &term) {
    return static_cast<size_t>(term.id.value) >= first;
  };
  bool progress = false;
  for (const UnknownProduct &unknown : unknownProducts) {
    const ast::Name &name = unknowns[unknown.position];
    std::optional<Affine> &whole = values[unknown.position];
    SizeProduct known = substitute(unknown.product);
    SmallVector<Affine> open;
    llvm::erase_if(known.factors, [&](const Affine &factor) {
      if (llvm::none_of(factor.getSymbolTerms(), isUnknown))
        return false;
      open.push_back(factor);
      return true;
    });
    if (open.empty() && !whole) {
      whole = scope.getProductSize(known, name.text, call.nameRange);
      progress = true;
    }
    if (open.size() != 1 || !whole)
      continue;
    // `R + 1` is what is left of `G*(R + 1)`.
    SmallVector<Affine::SymbolTerm> terms;
    llvm::copy_if(open.front().getSymbolTerms(), std::back_inserter(terms),
                  isUnknown);
    if (terms.size() != 1 || terms.front().coefficient < 1 ||
        isComputed(terms.front().id))
      continue;
    auto reportExtent = [&] {
      return diags
          .report(DiagId::CallDim, call.nameRange,
                  {"size `" + name.text + "`", describe(builder.def, *whole),
                   call.text, "a multiple of " + describe(builder.def, known)})
          .note(DiagId::DeclaredHere, name.range, {name.text});
    };
    bool isZero = known.factors.empty() && known.constant == 0;
    if (isZero || known.hasOverflowed)
      continue;
    SizeProduct all = builder.products.expand(*whole);
    std::optional<SizeProduct> quotient = all.divide(known);
    if (!quotient && whole->isConstant() && known.factors.empty())
      return reportExtent();
    size_t position = static_cast<size_t>(terms.front().id.value) - first;
    Affine rest =
        open.front() - Affine(terms.front().id) * terms.front().coefficient;
    Affine size =
        quotient ? scope.getProductSize(*quotient, unknowns[position].text,
                                        call.nameRange)
        : known.factors.empty()
            ? scope.checks.divide(*whole, known.constant, call.nameRange)
            : scope.addDerivedSize(scope.calledName + "_" +
                                       unknowns[position].text,
                                   call.nameRange);
    Affine value = scope.checks.divide(size - rest, terms.front().coefficient,
                                       call.nameRange);
    if (isNegative(value))
      return diags.report(
          DiagId::CallSizeNegative, call.nameRange,
          {unknowns[position].text, call.text, describe(builder.def, value)});
    scope.checks.addExtent(
        value, "size `" + unknowns[position].text + "` of `" + call.text + "`",
        call.nameRange);
    values[position] = value;
    progress = true;
  }
  return progress;
}

/// All sizes are known: the products are what they say, or it is checked when
/// the code runs.
LogicalResult CallChecker::checkProducts() {
  LogicalResult result = success();
  for (const UnknownProduct &unknown : unknownProducts) {
    const ast::Name &name = unknowns[unknown.position];
    const Affine &whole = *values[unknown.position];
    SizeProduct product = substitute(unknown.product);
    if (product.hasOverflowed)
      return diags.report(DiagId::ArithmeticOverflow, call.nameRange);
    if (builder.products.expand(whole).equals(product))
      continue;
    std::optional<Affine> linear = product.getLinear();
    if (linear && (*linear - whole).isConstant())
      result =
          diags
              .report(DiagId::CallDim, call.nameRange,
                      {"size `" + name.text + "`", describe(builder.def, whole),
                       call.text, describe(builder.def, product)})
              .note(DiagId::DeclaredHere, name.range, {name.text});
    else
      scope.requireProduct(whole, product,
                           "size `" + name.text + "` of `" + call.text +
                               "`: " + describe(builder.def, whole) + " and " +
                               describe(builder.def, product),
                           call.nameRange);
  }
  return result;
}

} // namespace ein
