//===- OpenRank.h - Defs for tensors of any rank ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `...` among the dims of a def stands for as many dims as a call has there
// beside the others, and among subscripts for an index for each of them;
// `...order` for the same in the order that an attribute lists, `...-some`
// without those that it lists. Such a def means nothing before it is called: a
// call makes one of a rank of it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_OPENRANK_H
#define EIN_FRONTEND_CHECK_OPENRANK_H

#include "frontend/ast/AST.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace ein {

inline bool isEllipsis(const ast::Expr &expr) {
  return expr.kind == ast::Expr::Kind::Name &&
         llvm::StringRef(expr.text).starts_with("...");
}
/// How many dims there are beside an ellipsis; nothing if there is none.
std::optional<size_t> countBesideEllipsis(const ast::Type &type);

/// What the attributes of a call list, by name.
using DimLists = llvm::StringMap<std::vector<int64_t>>;
/// How many of the dynamic dims the type lacks.
size_t countMissingDims(const ast::Type &type, const DimLists &lists);
bool hasOpenRank(const ast::Def &def);

/// The first list that names no dims of `rank`, or not all in an order.
std::optional<llvm::StringRef> findBadList(const ast::Def &def, size_t rank,
                                           const DimLists &lists);
/// The def, with `rank` dims for each ellipsis. The sizes are called as
/// getOpenSizeName says.
ast::Def expandRank(const ast::Def &def, size_t rank, const DimLists &lists);
std::string getOpenSizeName(size_t dim);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_OPENRANK_H
