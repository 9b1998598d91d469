//===- OdsNotation.h - ods-gen's definitions as ours ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a def whose statements may be mlir-linalg-ods-gen's. Comes out: the
// same with three things said that ods-gen leaves to the op that it makes.
//
//  * A tensor that no statement reads is the shape of the window that
//    `std_addf<kh, kw>(…)` reduces over: `where exists K(kh, kw)`.
//  * `std_select<k>(std_cmpf_ogt(x, C(i)), x, C(i))` is the maximum of the
//    target and `x`.
//  * A size names an extent of the op's operands and does not relate two of
//    them: in `I: f32(W)` and `O: f32(W)`, of which `O(w)` reads `I(w + kw)`,
//    the op takes an `I` that is as large as that needs. So that dim becomes
//    `W + KW - 1`, and a warning says so.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PARSE_ODSNOTATION_H
#define EIN_FRONTEND_PARSE_ODSNOTATION_H

#include "frontend/ast/AST.h"
#include "frontend/source/Diagnostics.h"

namespace ein {

/// Fails, with an error, if a `std_select<…>` is neither maximum nor minimum.
llvm::LogicalResult rewriteOdsSelect(ast::Statement &statement,
                                     DiagnosticEngine &diags);

/// Of a def whose statements have been through rewriteOdsSelect.
void completeOdsDef(ast::Def &def, DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_FRONTEND_PARSE_ODSNOTATION_H
