//===- Program.cpp - The checked program ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace ein {

StringRef getSpelling(ElementType type) {
  switch (type) {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, BITS, NPY)                     \
  case ElementType::ENUM:                                                      \
    return SPELLING;
#include "frontend/ElementTypes.def"
  }
  llvm_unreachable("an element type that is not in ElementTypes.def");
}

StringRef getCType(ElementType type) {
  switch (type) {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, BITS, NPY)                     \
  case ElementType::ENUM:                                                      \
    return CTYPE;
#include "frontend/ElementTypes.def"
  }
  llvm_unreachable("an element type that is not in ElementTypes.def");
}

unsigned getBitWidth(ElementType type) {
  switch (type) {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, BITS, NPY)                     \
  case ElementType::ENUM:                                                      \
    return BITS;
#include "frontend/ElementTypes.def"
  }
  llvm_unreachable("an element type that is not in ElementTypes.def");
}

std::optional<ElementType> parseElementType(StringRef text) {
  return StringSwitch<std::optional<ElementType>>(text)
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, BITS, NPY)                     \
  .Case(SPELLING, ElementType::ENUM)
#define EIN_ELEMENT_ALIAS(ALIAS, ENUM) .Case(ALIAS, ElementType::ENUM)
#include "frontend/ElementTypes.def"
      .Default(std::nullopt);
}

StringRef getSpelling(UnaryFn fn) {
  switch (fn) {
#define EIN_UNARY(ENUM, SPELLING, ULPS)                                        \
  case UnaryFn::ENUM:                                                          \
    return SPELLING;
#include "frontend/Functions.def"
  }
  llvm_unreachable("a function that is not in Functions.def");
}

StringRef getSpelling(BinaryFn fn) {
  switch (fn) {
#define EIN_BINARY(ENUM, SPELLING, ULPS)                                       \
  case BinaryFn::ENUM:                                                         \
    return SPELLING;
#include "frontend/Functions.def"
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
  }
  llvm_unreachable("a kind of update that is none");
}

/// Appends the factors of a `*`-tree of accesses; false if there is anything
/// else in it.
static bool collectFactors(const Def &def, ExprId id,
                           std::vector<ExprId> &factors) {
  const Expr &expr = def[id];
  if (expr.kind == ExprKind::Access) {
    factors.push_back(id);
    return true;
  }
  return expr.kind == ExprKind::Binary && expr.binary == BinaryFn::Mul &&
         collectFactors(def, expr.lhs, factors) &&
         collectFactors(def, expr.rhs, factors);
}

std::optional<std::vector<ExprId>>
Def::getProductFactors(const Statement &statement) const {
  if (statement.update != UpdateKind::Add &&
      statement.update != UpdateKind::Assign)
    return std::nullopt;
  std::vector<ExprId> factors;
  if (!collectFactors(*this, statement.value, factors))
    return std::nullopt;
  return factors;
}

std::string Def::getNameBesideSizes(const Statement &statement,
                                    IndexId id) const {
  const Index &index = statement.indices[id.value];
  auto isSize = [&](const std::string &name) {
    return llvm::any_of(symbols, [&](const Symbol &symbol) {
      return symbol.name == name && !symbol.bound;
    });
  };
  if (index.isLabel || !isSize(index.name))
    return index.name;
  auto isTaken = [&](const std::string &name) {
    auto hasName = [&](const auto &other) { return other.name == name; };
    return llvm::any_of(symbols, hasName) || llvm::any_of(tensors, hasName) ||
           llvm::any_of(statement.indices, hasName);
  };
  std::string name = index.name + "_";
  while (isTaken(name))
    name += "_";
  return name;
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
