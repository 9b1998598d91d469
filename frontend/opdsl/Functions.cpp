//===- Functions.cpp - OpDSL's functions, by name -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/opdsl/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein::opdsl {
namespace {

struct Function {
  FunctionKind kind;
  StringLiteral name;
  StringLiteral spelling;
};

constexpr Function functions[] = {
#define EIN_OPDSL_FUNCTION(KIND, NAME, SPELLING)                               \
  {FunctionKind::KIND, NAME, SPELLING},
#include "frontend/opdsl/Functions.def"
};

} // namespace

StringRef getName(FunctionKind kind) {
  switch (kind) {
  case FunctionKind::Unary:
    return "unary";
  case FunctionKind::Binary:
    return "binary";
  case FunctionKind::Ternary:
    return "ternary";
  case FunctionKind::Type:
    return "type";
  }
  llvm_unreachable("a kind of function that is none");
}

std::optional<FunctionKind> parseFunctionKind(StringRef name) {
  return StringSwitch<std::optional<FunctionKind>>(name)
      .Case("unary", FunctionKind::Unary)
      .Case("binary", FunctionKind::Binary)
      .Case("ternary", FunctionKind::Ternary)
      .Case("type", FunctionKind::Type)
      .Default(std::nullopt);
}

unsigned getArity(FunctionKind kind) {
  switch (kind) {
  case FunctionKind::Unary:
  case FunctionKind::Type:
    return 1;
  case FunctionKind::Binary:
    return 2;
  case FunctionKind::Ternary:
    return 3;
  }
  llvm_unreachable("a kind of function that is none");
}

std::optional<StringRef> findSpelling(FunctionKind kind, StringRef name) {
  for (const Function &function : functions)
    if (function.kind == kind && function.name == name)
      return StringRef(function.spelling);
  return std::nullopt;
}

std::optional<StringRef> findName(FunctionKind kind, StringRef spelling) {
  for (const Function &function : functions)
    if (function.kind == kind && function.spelling == spelling)
      return StringRef(function.name);
  return std::nullopt;
}

SmallVector<StringRef> getNames(FunctionKind kind) {
  SmallVector<StringRef> names;
  for (const Function &function : functions)
    if (function.kind == kind)
      names.push_back(function.name);
  return names;
}

bool isFunctionName(StringRef name) {
  return llvm::any_of(functions, [&](const Function &function) {
    return function.name == name;
  });
}

std::optional<TokenKind> getUpdate(StringRef spelling) {
  return StringSwitch<std::optional<TokenKind>>(spelling)
      .Case("+", TokenKind::AddInit)
      .Case("*", TokenKind::MulInit)
      .Cases({"max", "max_unsigned"}, TokenKind::MaxInit)
      .Cases({"min", "min_unsigned"}, TokenKind::MinInit)
      .Default(std::nullopt);
}

bool isUnsignedUpdate(StringRef spelling) {
  return spelling.ends_with("_unsigned");
}

} // namespace ein::opdsl
