//===- Builtins.cpp - The functions and reducers of the language ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Builtins.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

static std::optional<UnaryFn> findExactUnaryFn(StringRef name) {
  return StringSwitch<std::optional<UnaryFn>>(name)
#define EIN_UNARY(ENUM, SPELLING, ULPS) .Case(SPELLING, UnaryFn::ENUM)
#define EIN_UNARY_ALIAS(ENUM, SPELLING) .Case(SPELLING, UnaryFn::ENUM)
#include "frontend/program/Functions.def"
      .Default(std::nullopt);
}

static std::optional<BinaryFn> findExactBinaryFn(StringRef name) {
  return StringSwitch<std::optional<BinaryFn>>(name)
#define EIN_BINARY(ENUM, SPELLING, ULPS) .Case(SPELLING, BinaryFn::ENUM)
#define EIN_BINARY_ALIAS(ENUM, SPELLING) .Case(SPELLING, BinaryFn::ENUM)
#include "frontend/program/Functions.def"
      .Default(std::nullopt);
}

/// C's names for float, `expf` and `fmaxf`, are those of the same functions:
/// the type is the operands'.
std::optional<UnaryFn> findUnaryFn(StringRef name) {
  std::optional<UnaryFn> function = findExactUnaryFn(name);
  return function || !name.consume_back("f") ? function
                                             : findExactUnaryFn(name);
}

std::optional<BinaryFn> findBinaryFn(StringRef name) {
  std::optional<BinaryFn> function = findExactBinaryFn(name);
  return function || !name.consume_back("f") ? function
                                             : findExactBinaryFn(name);
}

std::optional<BinaryFn> findUnsignedFn(StringRef name) {
  return StringSwitch<std::optional<BinaryFn>>(name)
#define EIN_UNSIGNED(ENUM, SPELLING) .Case(SPELLING, BinaryFn::ENUM)
#include "frontend/program/Functions.def"
      .Default(std::nullopt);
}

static const DerivedFn *findExactDerivedFn(StringRef name) {
  static constexpr DerivedFn functions[] = {
#define EIN_DERIVED(SPELLING, PARAMETERS, BODY) {SPELLING, PARAMETERS, BODY},
#include "frontend/program/Functions.def"
  };
  const auto *found = llvm::find_if(
      functions, [&](const DerivedFn &fn) { return fn.name == name; });
  return found == std::end(functions) ? nullptr : found;
}

const DerivedFn *findDerivedFn(StringRef name) {
  const DerivedFn *function = findExactDerivedFn(name);
  return function || !name.consume_back("f") ? function
                                             : findExactDerivedFn(name);
}

std::optional<bool> findTargetCast(StringRef name) {
  return StringSwitch<std::optional<bool>>(name)
#define EIN_TO_TARGET(SPELLING, IS_UNSIGNED) .Case(SPELLING, IS_UNSIGNED)
#include "frontend/program/Functions.def"
      .Default(std::nullopt);
}

StringRef getConstantBody(StringRef name) {
  return StringSwitch<StringRef>(name)
#define EIN_CONSTANT(SPELLING, BODY) .Case(SPELLING, BODY)
#include "frontend/program/Functions.def"
      .Default("");
}

bool isFunction(StringRef name) {
  return findUnaryFn(name) || findBinaryFn(name) || findUnsignedFn(name) ||
         findDerivedFn(name) || findTargetCast(name) || name == "rng" ||
         readsTensors(name);
}

bool readsTensors(StringRef name) {
  return name == "dim" || name == "pad" || name == "clamp";
}

const Reducer *findReducer(StringRef name) {
  static constexpr Reducer reducers[] = {
#define EIN_REDUCER(SPELLING, UPDATE, KIND)                                    \
  {SPELLING, UpdateKind::UPDATE, Reducer::KIND},
#include "frontend/program/Functions.def"
  };
  const auto *found = llvm::find_if(
      reducers, [&](const Reducer &reducer) { return reducer.name == name; });
  return found == std::end(reducers) ? nullptr : found;
}

bool isCumulative(StringRef name) {
  return StringSwitch<bool>(name)
#define EIN_CUMULATIVE(SPELLING, OPERATOR, START) .Case(SPELLING, true)
#include "frontend/program/Functions.def"
      .Default(false);
}

/// In ods-gen's notation, `<…>` need not list every index that is reduced.
bool isOdsReducer(StringRef name) {
  const Reducer *reducer = findReducer(name);
  return reducer && reducer->kind == Reducer::Ods;
}

} // namespace ein
