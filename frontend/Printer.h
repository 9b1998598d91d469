//===- Printer.h - Tokens, trees and programs as text -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `--emit tokens`, `ast` and `program` print. The forms are for reading
// and for golden tests; nothing reads them back.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PRINTER_H
#define EIN_FRONTEND_PRINTER_H

#include "frontend/AST.h"
#include "frontend/Program.h"

namespace ein {

/// One token per line: its place, its kind, its text.
void printTokens(llvm::raw_ostream &os, const TokenBuffer &buffer);

/// One node per line, children indented.
void printAST(llvm::raw_ostream &os, const ast::Module &module);

/// Sizes, tensors, then each statement with its ranges, then the checks.
void printProgram(llvm::raw_ostream &os, const Program &program);

/// `C(m, n) +=! A(m, k) * B(k, n)`.
void printStatement(llvm::raw_ostream &os, const Def &def,
                    const Statement &statement);

} // namespace ein

#endif // EIN_FRONTEND_PRINTER_H
