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
// occur once, sorted by code point, after the ellipsis.
//
// Beyond numpy, any letter is a label, the output may have a label twice, and
//
//  * labels may be words, between blanks: `batch h w, h w out -> batch out`;
//  * ellipses may have names: `..a m, ..b m -> ..a ..b`;
//  * parentheses round terms say what is multiplied first: `(ab,bc),cd->ad`;
//  * parentheses round labels make one dim of them: `(h w) c -> h w c`.
//
// A comma between a pair of parentheses tells the last two apart. What an
// ellipsis stands for, and whether letters or words were meant, depends on the
// operands' ranks: see EinsumCall.h.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PARSE_EINSUMSTRING_H
#define EIN_FRONTEND_PARSE_EINSUMSTRING_H

#include "frontend/ast/AST.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ein {

/// How the labels of a string are told apart.
enum class EinsumNotation : uint8_t {
  Letters, // numpy's: every letter is one
  Words,   // blanks between them
};

/// One dim of a term. `isEllipsis` stands for any number of dims: `...`, or
/// `..name`, which stands for the same ones in each term.
struct EinsumLabel {
  std::string name;
  SourceRange range;
  bool isEllipsis = false;
  /// The labels that share this dim, slowest first; it has no name then.
  std::vector<EinsumLabel> members = {};

  bool isGroup() const { return !members.empty(); }
};

struct EinsumTerm {
  std::vector<EinsumLabel> labels;
  SourceRange range;

  /// Where the first ellipsis is, if there is one.
  std::optional<size_t> getEllipsis() const;
  /// How many dims are labelled one by one.
  size_t getNumLabels() const;
};

struct EinsumString {
  std::vector<EinsumTerm> operands;
  /// Also if the string leaves it to be inferred.
  EinsumTerm output;
  bool isOutputExplicit = false;
  /// How its labels were told apart.
  EinsumNotation notation = EinsumNotation::Letters;
  /// Made of lists of numbers.
  bool isInterleaved = false;
  /// What is multiplied first, as in Statement::groups.
  std::vector<std::vector<unsigned>> groups;
};

/// `offset` is where `text` begins in the file.
llvm::FailureOr<EinsumString>
parseEinsumString(llvm::StringRef text, uint32_t offset,
                  DiagnosticEngine &diags,
                  EinsumNotation notation = EinsumNotation::Letters);

/// Fails, with an error, if the output has a label that no operand has.
llvm::LogicalResult checkEinsumOutput(const EinsumString &einsum,
                                      DiagnosticEngine &diags);

/// Gives `einsum` the output that numpy infers; its labels are sorted by
/// `isLess`.
void inferEinsumOutput(
    EinsumString &einsum,
    llvm::function_ref<bool(llvm::StringRef, llvm::StringRef)> isLess);

/// Whether what was typed on the command line is meant as an einsum string:
/// statements have an assignment, defs have braces, strings have neither.
bool isBareEinsumString(llvm::StringRef text);

/// A file that is nothing but an einsum string, as the statement
/// `C = einsum("…", A, B)` in a def whose signature is to be inferred.
ast::Module makeEinsumModule(const SourceFile &file, DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_FRONTEND_PARSE_EINSUMSTRING_H
