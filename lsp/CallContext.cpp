//===- CallContext.cpp - The call that a place is in ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/CallContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein::lsp {

std::optional<CallContext> findCall(const Analysis &analysis, uint32_t offset) {
  const TokenBuffer &buffer = analysis.getTokens();
  ArrayRef<Token> tokens = buffer.tokens;
  const Token *end = llvm::partition_point(tokens, [&](const Token &token) {
    return token.range.end <= offset && token.kind != TokenKind::EndOfFile;
  });
  // A call is no longer than this.
  constexpr size_t maxTokens = 4096;
  CallContext context;
  unsigned depth = 0;
  size_t position = end - tokens.begin();
  for (size_t i = position; i != 0 && position - i != maxTokens; --i) {
    const Token &token = tokens[i - 1];
    switch (token.kind) {
    case TokenKind::RParen:
    case TokenKind::RSquare:
      ++depth;
      break;
    case TokenKind::LSquare:
      depth -= depth != 0;
      break;
    case TokenKind::LParen:
      if (depth != 0) {
        --depth;
        break;
      }
      if (i < 2 || tokens[i - 2].kind != TokenKind::Identifier)
        return std::nullopt;
      context.name = buffer.getText(tokens[i - 2]).str();
      return context;
    case TokenKind::Comma:
      context.argument += depth == 0;
      break;
    case TokenKind::Assign:
      // `name =` of the argument that the place is in.
      if (depth == 0 && context.argument == 0 && i >= 2 &&
          context.argumentName.empty() &&
          tokens[i - 2].kind == TokenKind::Identifier)
        context.argumentName = buffer.getText(tokens[i - 2]).str();
      break;
    case TokenKind::LBrace:
    case TokenKind::RBrace:
      return std::nullopt;
    default:
      break;
    }
  }
  return std::nullopt;
}

const ast::Def *findCallee(const Analysis &analysis, StringRef name) {
  for (const ast::Def &def : analysis.getModule().defs)
    if (def.name.text == name && !def.isImplicit)
      return &def;
  return analysis.findExternal(name) ? &analysis.parseExternal(name) : nullptr;
}

} // namespace ein::lsp
