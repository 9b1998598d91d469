//===- Expr.h - The right side of a statement -------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a comprehension and its checked left side. Comes out: the right side
// as nodes of the def, the indices that it adds to the table, and what later
// steps have to know of it: where tensors are accessed, which nodes have no
// type yet, and the reductions inside, which become statements of their own.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPR_H
#define EIN_FRONTEND_CHECK_EXPR_H

#include "frontend/check/Builtins.h"
#include "frontend/check/Target.h"
#include <map>

namespace ein {

/// A literal as written, until its type is known.
struct PendingLiteral {
  std::string digits;
  std::optional<ElementType> type; // of a suffix
  bool isNegated = false;          // by a `-` before it
};

/// What takes its type from what is round it.
struct PendingTypes {
  std::map<ExprId, PendingLiteral> literals;
  /// Indices and sizes as values, each with the same once more.
  std::map<ExprId, ExprId> twins;
  /// Casts to what is computed in round them.
  std::set<ExprId> openCasts;
};

/// A reduction inside the right side, which writes a temporary.
struct Reduction {
  std::string name;
  TensorId target;
  UpdateKind update = UpdateKind::Assign;
  ExprId value;
  ElementType type = ElementType::F32;
  SourceRange range;
  std::vector<IndexId> loops; // the temporary's, then those reduced over
  size_t numKept = 0;
  std::vector<IndexId> nonEmpty; // that must have a value
};

struct CheckedExpr {
  ExprId value;
  /// A bool, or not there.
  ExprId condition;
  std::vector<ExistsClause> exists;
  /// Indices that must have a value.
  std::vector<IndexId> nonEmpty;
  /// In the order of the text, the left side first if its shape is known.
  std::vector<AccessSite> sites;
  /// Of `pad` and `clamp`.
  std::vector<AccessSite> outsideSites;
  std::vector<Reduction> reductions; // inner ones first
  /// The reduction that is all of the right side, if one is.
  const Reducer *whole = nullptr;
  /// That one adds to what the target holds.
  bool continuesTarget = false;
  PendingTypes types;
  /// Of a scatter, per dim of the target: its subscript, if it is computed.
  std::vector<ExprId> targetPlaces;
  /// What a recurrence reads of its own.
  struct SelfAccess {
    ExprId id;
    /// No `pad` says what is there where nothing is: 0 is.
    bool isBare = false;
    SourceRange range;
  };
  std::vector<SelfAccess> selfReads;
  /// Positions that are the extent of an index.
  std::vector<std::pair<ExprId, IndexId>> extentPositions;
};

llvm::FailureOr<CheckedExpr>
checkExpression(const StatementContext &context,
                const ast::Statement &comprehension,
                const CheckedTarget &target, IndexTable &table);

/// The indices that a tree mentions, in the order of the table.
llvm::SmallVector<IndexId> collectIndices(const Def &def, ExprId root);
/// Whether it reads what one of them will write.
bool isReduction(const Def &def, llvm::ArrayRef<Reduction> reductions,
                 ExprId id);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPR_H
