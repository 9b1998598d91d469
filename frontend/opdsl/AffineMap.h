//===- AffineMap.h - affine_map<…> as expressions ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end does without MLIR, so the maps of OpDSL, which are MLIR's text,
// are read here: into the expressions that subscripts and dims are in the
// language, with their places in the YAML file.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_OPDSL_AFFINEMAP_H
#define EIN_FRONTEND_OPDSL_AFFINEMAP_H

#include "frontend/ast/AST.h"
#include "frontend/source/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace ein::opdsl {

/// `affine_map<(dims)[symbols] -> (results)>`.
struct AffineMap {
  std::vector<ast::Name> dims;
  std::vector<ast::Name> symbols;
  /// Over names of dims and symbols.
  std::vector<ast::ExprPtr> results;
  SourceRange range;
};

/// Reads the map whose text is `range` of the file; it may go over lines.
llvm::FailureOr<AffineMap> parseAffineMap(const SourceFile &file,
                                          SourceRange range,
                                          DiagnosticEngine &diags);

/// The expression with what `replace` makes of its names.
ast::ExprPtr
substitute(const ast::Expr &expr,
           llvm::function_ref<ast::ExprPtr(const ast::Expr &)> replace);

/// An expression multiplied out: products of sorted names, and how often each
/// is there.
using Polynomial = std::map<std::vector<std::string>, int64_t>;

/// Nothing, if there are too many products or a number overflows.
std::optional<Polynomial> multiplyOut(const ast::Expr &expr);

} // namespace ein::opdsl

#endif // EIN_FRONTEND_OPDSL_AFFINEMAP_H
