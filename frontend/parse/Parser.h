//===- Parser.h - Tokens to a tree ------------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recursive-descent parser that knows the language's form and nothing of its
// meaning: no name is looked up and no shape is compared. After a mistake it
// goes on at the next statement or def, and a def with a mistake in it is
// marked, so that the checker can still look at the others.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PARSE_PARSER_H
#define EIN_FRONTEND_PARSE_PARSER_H

#include "frontend/ast/AST.h"

namespace ein {

/// Where the text comes from decides what it may be.
enum class SourceForm : uint8_t {
  /// defs, or statements alone.
  File,
  /// Of `-e`: also a bare einsum string such as `mk,kn->mn`.
  CommandLine,
  /// OpDSL as YAML.
  OpDSL,
  /// MLIR of one of the levels; the front end does not see it.
  MLIR,
};

/// Whether a file is OpDSL, by its suffix.
bool isOpDSLFile(llvm::StringRef path);

/// C's, of all of C's binary operators, from 1; 0 is no operator.
unsigned getPrecedence(TokenKind kind);

/// Whether `name`, directly before `<`, starts a reduction.
bool takesAngleBrackets(llvm::StringRef name);
/// What to write for a function of others; nothing if it is none of theirs.
llvm::StringRef getForeignAdvice(llvm::StringRef name);

/// Whether `acc = f32` at `position` belongs to the expression before it. A
/// statement may also write something called `acc`, and then begins a line or
/// assigns no element type.
bool startsAccumulator(const TokenBuffer &buffer, size_t position);

ast::Module parse(const TokenBuffer &tokens, DiagnosticEngine &diags);

/// What a file holds that is imported, by a look at its tokens: its defs are
/// parsed when they are called.
struct ModuleIndex {
  struct Def {
    ast::Name name;
    size_t position; // of its first token
  };
  std::vector<Def> defs;
  std::vector<ast::Import> imports;
};
ModuleIndex indexModule(const TokenBuffer &tokens, DiagnosticEngine &diags);
/// The def that begins there.
ast::Def parseDef(const TokenBuffer &tokens, size_t position,
                  DiagnosticEngine &diags);

/// The tokens of a source of any form: none if it has none, as YAML. A bare
/// einsum string is read by its characters, so nothing is said of its tokens.
TokenBuffer lexSource(const SourceFile &file, SourceForm form,
                      DiagnosticEngine &diags);
/// The tree of the source that `tokens` are of.
ast::Module parseSource(const TokenBuffer &tokens, SourceForm form,
                        DiagnosticEngine &diags);
/// Both.
ast::Module parseSource(const SourceFile &file, SourceForm form,
                        DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_FRONTEND_PARSE_PARSER_H
