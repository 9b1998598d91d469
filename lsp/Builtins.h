//===- Builtins.h - What the language's own words mean ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_BUILTINS_H
#define EIN_LSP_BUILTINS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace ein::lsp {

/// A function, a reducer, a constant or a word of the language.
struct BuiltinDoc {
  enum Kind : uint8_t { Function, Reducer, Constant, Word };
  Kind kind;
  llvm::StringLiteral name;
  /// `pow(x, y)`, or how the word is used.
  llvm::StringLiteral form;
  llvm::StringLiteral text;
};

llvm::ArrayRef<BuiltinDoc> getBuiltinDocs();
/// By any of the names that a function has; null if there is none.
const BuiltinDoc *findBuiltinDoc(llvm::StringRef name);
/// The form, what it means, and what it is made of, in Markdown; empty if
/// `name` is nothing of the language.
std::string describeBuiltin(llvm::StringRef name);
/// The same of an element type.
std::string describeType(llvm::StringRef name);

} // namespace ein::lsp

#endif // EIN_LSP_BUILTINS_H
