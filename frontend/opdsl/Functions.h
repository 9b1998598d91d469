//===- Functions.h - OpDSL's functions, by name -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpDSL names functions where the language has operators. Its names also are
// the values of function attributes, `attr(fun: unary_fn = exp)`, which is
// why the checker knows them.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_OPDSL_FUNCTIONS_H
#define EIN_FRONTEND_OPDSL_FUNCTIONS_H

#include "frontend/lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace ein::opdsl {

enum class FunctionKind : uint8_t { Unary, Binary, Ternary, Type };

/// `unary`.
llvm::StringRef getName(FunctionKind kind);
std::optional<FunctionKind> parseFunctionKind(llvm::StringRef name);
/// How many operands functions of a kind take.
unsigned getArity(FunctionKind kind);

/// How a function of the language updates, if it does, and whether it takes
/// signed integers for unsigned ones then.
std::optional<TokenKind> getUpdate(llvm::StringRef spelling);
bool isUnsignedUpdate(llvm::StringRef spelling);

/// The operator or function of the language that OpDSL calls `name`.
std::optional<llvm::StringRef> findSpelling(FunctionKind kind,
                                            llvm::StringRef name);
/// The other way round.
std::optional<llvm::StringRef> findName(FunctionKind kind,
                                        llvm::StringRef spelling);
/// All names of a kind.
llvm::SmallVector<llvm::StringRef> getNames(FunctionKind kind);
/// Whether `name` is a function of any kind.
bool isFunctionName(llvm::StringRef name);

} // namespace ein::opdsl

#endif // EIN_FRONTEND_OPDSL_FUNCTIONS_H
