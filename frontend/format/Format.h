//===- Format.h - Programs in the house's layout ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_FORMAT_FORMAT_H
#define EIN_FRONTEND_FORMAT_FORMAT_H

#include "frontend/lex/Lexer.h"

namespace ein {

/// The same tokens and comments with other blanks and line breaks. What does
/// not lex, or has brackets that do not match, is reported.
llvm::FailureOr<std::string> formatSource(const SourceFile &file,
                                          DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_FRONTEND_FORMAT_FORMAT_H
