//===- BuiltinsTest.cpp - Everything of the language is documented --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Builtins.h"
#include "frontend/check/Builtins.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <gtest/gtest.h>

using namespace ein;
using namespace ein::lsp;

namespace {

/// Functions of the language itself; ods-gen's casts and comparisons are
/// explained by what they are.
constexpr llvm::StringLiteral kFunctions[] = {
#define EIN_UNARY(ENUM, SPELLING, ULPS) SPELLING,
#define EIN_BINARY(ENUM, SPELLING, ULPS) SPELLING,
#define EIN_DERIVED(SPELLING, PARAMETERS, BODY) SPELLING,
#define EIN_CONSTANT(SPELLING, BODY) SPELLING,
#define EIN_REDUCER(SPELLING, UPDATE, KIND) SPELLING,
#define EIN_CUMULATIVE(SPELLING, OPERATOR, START) SPELLING,
#include "frontend/program/Functions.def"
};

constexpr llvm::StringLiteral kAllNames[] = {
#define EIN_UNARY_ALIAS(ENUM, SPELLING) SPELLING,
#define EIN_BINARY_ALIAS(ENUM, SPELLING) SPELLING,
#define EIN_UNSIGNED(ENUM, SPELLING) SPELLING,
#define EIN_DERIVED(SPELLING, PARAMETERS, BODY) SPELLING,
#define EIN_TO_TARGET(SPELLING, IS_UNSIGNED) SPELLING,
#define EIN_REDUCER(SPELLING, UPDATE, KIND) SPELLING,
#include "frontend/program/Functions.def"
};

TEST(Builtins, EachFunctionIsDocumented) {
  for (llvm::StringRef name : kFunctions) {
    // Operators have no names, and ods-gen's end in what they take.
    bool isOds = name.starts_with("std_") || llvm::isUpper(name.front());
    if (llvm::isAlpha(name.front()) && !isOds) {
      EXPECT_TRUE(findBuiltinDoc(name)) << name.str();
    }
  }
}

TEST(Builtins, AnyNameIsExplained) {
  for (llvm::StringRef name : kAllNames)
    EXPECT_FALSE(describeBuiltin(name).empty()) << name.str();
  EXPECT_EQ(describeBuiltin("nothing"), "");
  EXPECT_NE(describeBuiltin("expf").find("Another name of `exp`"),
            std::string::npos);
}

TEST(Builtins, NoneIsTwice) {
  llvm::StringSet<> seen;
  for (const BuiltinDoc &doc : getBuiltinDocs()) {
    EXPECT_TRUE(seen.insert(doc.name).second) << doc.name.str();
    bool isOfLanguage = doc.kind == BuiltinDoc::Word || doc.name == "einsum" ||
                        doc.name == "contract" ||
                        doc.name.starts_with("cast") || isFunction(doc.name) ||
                        findReducer(doc.name) || isCumulative(doc.name) ||
                        !getConstantBody(doc.name).empty();
    EXPECT_TRUE(isOfLanguage) << doc.name.str();
  }
}

} // namespace
