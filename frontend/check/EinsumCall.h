//===- EinsumCall.h - A call of einsum, read with its operands --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// einsum is called with a string and operands, or with operands and lists of
// labels between them. Two things depend on the operands' ranks:
//
//  * whether a string's labels are letters or words. numpy's reading, letters,
//    wins whenever it fits; without ranks, whenever numpy takes the string.
//  * what an ellipsis stands for. Its last dims are the same label in every
//    term, and an operand that has fewer of them is the same along the others.
//
// Both the checker and the inference of signatures ask here, so that they read
// a call alike.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EINSUMCALL_H
#define EIN_FRONTEND_CHECK_EINSUMCALL_H

#include "frontend/parse/EinsumString.h"

namespace ein {

struct EinsumCall {
  EinsumString einsum;
  /// As many as the string has terms.
  std::vector<const ast::Expr *> operands;
};

/// The rank of an operand, as far as it is known yet.
using EinsumRankFn =
    llvm::function_ref<std::optional<size_t>(const ast::Expr &operand)>;

/// Reads the call's form, not whether the ranks fit the terms.
llvm::FailureOr<EinsumCall> readEinsumCall(const ast::Expr &call,
                                           EinsumRankFn getRank,
                                           DiagnosticEngine &diags);

/// How many dims the ellipsis of `term` holds for an operand of that rank, 0
/// without one; nothing if the term does not fit the rank.
std::optional<size_t> getEllipsisRank(const EinsumTerm &term, size_t rank);

/// Puts labels of their own into the place of all ellipses; `ranks` of the
/// operands fit.
llvm::LogicalResult expandEllipses(EinsumString &einsum,
                                   llvm::ArrayRef<size_t> ranks,
                                   DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EINSUMCALL_H
