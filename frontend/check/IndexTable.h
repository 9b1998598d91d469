//===- IndexTable.h - The indices of a statement by their names -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: names where an index may stand. Comes out: the index that each is,
// new if the name has not been there before. The indices themselves become
// those of the statement; the table has what only the check asks of them.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_INDEXTABLE_H
#define EIN_FRONTEND_CHECK_INDEXTABLE_H

#include "frontend/ast/AST.h"
#include "frontend/program/Program.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>

namespace ein {

/// What a `where` says of an index: it is begin + step * an index that runs
/// from 0 to `extent`.
struct GivenRange {
  Affine begin, end, extent;
  int64_t step = 1;
  SourceRange range;
};
using GivenRanges = llvm::StringMap<GivenRange>;

struct IndexTable {
  /// Until they are the statement's.
  std::vector<Index> all;
  llvm::StringMap<IndexId> byName;
  /// How often each is written.
  llvm::StringMap<unsigned> numUses;
  GivenRanges given;
  /// What stands in subscripts on the right, and may be an index.
  llvm::StringSet<> subscriptNames;
  /// What stands in those that are computed.
  llvm::StringSet<> computed;
  /// Indices of reductions inside, and those that the statement's own names.
  std::set<IndexId> scoped, listed;
  /// Names that both a `where` and a reduction have.
  llvm::StringSet<> reducedRanges;

  /// Whether the name is known to be an index.
  bool has(llvm::StringRef name) const {
    return byName.count(name) || given.count(name);
  }
  /// Whether a reduction names it.
  bool isReduced(IndexId id) const {
    return scoped.count(id) || listed.count(id);
  }
  /// What the index of that name stands for.
  Affine add(const ast::Expr &name, bool isReduction);
  /// The value of an index where it is named: a `where` may have it start
  /// elsewhere than at 0.
  Affine getPosition(IndexId id, llvm::StringRef name) const;
};

} // namespace ein

#endif // EIN_FRONTEND_CHECK_INDEXTABLE_H
