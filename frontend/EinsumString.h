//===- EinsumString.h - The strings of einsum -------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mk,kn->mn`: one term per operand, a label per dim, and what the output
// keeps. numpy decides what is read how: spaces mean nothing except inside
// `->` and `...`, a tab is no space, an implicit output has the labels that
// occur once, sorted by code point, after the ellipsis. Beyond numpy, any
// letter is a label. What an ellipsis stands for depends on the operands'
// ranks and is the checker's to say.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_EINSUMSTRING_H
#define EIN_FRONTEND_EINSUMSTRING_H

#include "frontend/AST.h"

namespace ein {

/// One label per dim; `isEllipsis` stands for any number of dims.
struct EinsumLabel {
  std::string name;
  SourceRange range;
  bool isEllipsis = false;
};

struct EinsumTerm {
  std::vector<EinsumLabel> labels;
  SourceRange range;

  /// Where the ellipsis is, if there is one.
  std::optional<size_t> getEllipsis() const;
};

struct EinsumString {
  std::vector<EinsumTerm> operands;
  /// Also if the string leaves it to be inferred.
  EinsumTerm output;
  bool isOutputExplicit = false;
};

/// `offset` is where `text` begins in the file.
llvm::FailureOr<EinsumString> parseEinsumString(llvm::StringRef text,
                                                uint32_t offset,
                                                DiagnosticEngine &diags);

/// Whether what was typed on the command line is meant as an einsum string:
/// statements have an assignment, defs have braces, strings have neither.
bool isBareEinsumString(llvm::StringRef text);

/// A file that is nothing but an einsum string, as the statement
/// `C = einsum("…", A, B)` in a def whose signature is to be inferred.
ast::Module makeEinsumModule(const SourceFile &file, DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_FRONTEND_EINSUMSTRING_H
