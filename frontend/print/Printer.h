//===- Printer.h - Tokens, trees and programs as text -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `--emit tokens`, `ast`, `program`, `ranges` and `ein` print. All but the
// last are for reading and for golden tests; nothing reads them back.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PRINT_PRINTER_H
#define EIN_FRONTEND_PRINT_PRINTER_H

#include "frontend/ast/AST.h"
#include "frontend/program/Program.h"

namespace ein {

/// One token per line: its place, its kind, its text.
void printTokens(llvm::raw_ostream &os, const TokenBuffer &buffer);

/// One node per line, children indented.
void printAST(llvm::raw_ostream &os, const ast::Module &module);

/// Sizes, tensors, then each statement with its ranges, then the checks.
void printProgram(llvm::raw_ostream &os, const Program &program);

/// For each statement the ranges of its indices and the access that gave each,
/// the bounds of its compound subscripts; then the checks.
void printRanges(llvm::raw_ostream &os, const Program &program);

/// `input`, `output`, `inout` or `temporary`.
llvm::StringRef getSpelling(TensorRole role);

/// How far an index goes, and why, as `0 <= k < K, reduced: …`.
void printIndex(llvm::raw_ostream &os, const Def &def,
                const Statement &statement, const Index &index);

/// A program in the language again: einsum strings as comprehensions, types and
/// shapes written out where they were, bound sizes as numbers. It compiles to
/// the same MLIR.
void printSource(llvm::raw_ostream &os, const Program &program);

/// `C(m, n) +=! A(m, k) * B(k, n)`.
void printStatement(llvm::raw_ostream &os, const Def &def,
                    const Statement &statement);

/// With as few parentheses as it needs; `printLeaf` prints literals and
/// accesses.
void printExpr(llvm::raw_ostream &os, const Def &def, ExprId id,
               llvm::function_ref<void(const Expr &)> printLeaf);

/// The shortest text that the language rounds to this value of `type`.
std::string printLiteral(double value, ElementType type);

/// A literal of a type that is not floating-point, as digits.
void printInteger(llvm::raw_ostream &os, const Expr &literal);

} // namespace ein

#endif // EIN_FRONTEND_PRINT_PRINTER_H
