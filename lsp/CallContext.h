//===- CallContext.h - The call that a place is in --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While a call is typed it does not parse, so it is found among the tokens.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_CALLCONTEXT_H
#define EIN_LSP_CALLCONTEXT_H

#include "lsp/Analysis.h"

namespace ein::lsp {

struct CallContext {
  /// What is called, or accessed.
  std::string name;
  /// How many commas are before the place.
  unsigned argument = 0;
  /// The name of the argument, if it has one: `strides` in `f(A, strides=`.
  std::string argumentName;
};

/// The innermost parentheses round `offset` that a name is before.
std::optional<CallContext> findCall(const Analysis &analysis, uint32_t offset);

/// The tree of what can be called so: a def of the file or another's; null if
/// there is none.
const ast::Def *findCallee(const Analysis &analysis, llvm::StringRef name);

} // namespace ein::lsp

#endif // EIN_LSP_CALLCONTEXT_H
