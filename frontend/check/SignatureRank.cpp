//===- SignatureRank.cpp - Elementwise ops of a rank ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpDSL's `add` is written on scalars and means tensors of any rank, as long as
// all have the same. With a rank it is an ordinary def: each of its tensors has
// the dims `s0`, `s1`, …, and is accessed at `d0`, `d1`, …. Where it is called,
// its dims are `...`, and the call has the rank.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Signature.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {
namespace {

class RankExpander {
public:
  /// Without a rank there is an ellipsis in place of the dims.
  RankExpander(ast::Def &def, std::optional<unsigned> rank)
      : def(def), rank(rank) {}

  void expand() {
    for (std::vector<ast::Param> *params : {&def.params, &def.results})
      for (ast::Param &param : *params)
        if (hasAnyRank(param.name.text))
          param.type->dims = makeNames("s", param.name.range);
    for (ast::Statement &statement : def.statements) {
      statement.subscripts = makeNames("d", statement.target.range);
      if (statement.type)
        statement.type->dims = makeNames("s", statement.target.range);
      access(statement.value);
    }
  }

private:
  bool hasAnyRank(const std::string &name) const {
    return llvm::is_contained(def.anyRank, name);
  }

  /// Names that no parameter has.
  std::vector<ast::ExprPtr> makeNames(const std::string &letter,
                                      SourceRange range) const {
    std::vector<ast::ExprPtr> names;
    if (!rank)
      names.push_back(ast::makeName("...", range));
    for (unsigned i = 0; i != rank.value_or(0); ++i) {
      std::string name = letter + std::to_string(i);
      while (isTaken(name))
        name += "_";
      names.push_back(ast::makeName(name, range));
    }
    return names;
  }

  bool isTaken(const std::string &name) const {
    auto hasName = [&](const auto &other) { return other.name.text == name; };
    return llvm::any_of(def.params, hasName) ||
           llvm::any_of(def.results, hasName) ||
           llvm::any_of(def.attributes, hasName) ||
           llvm::any_of(def.generics, hasName);
  }

  void access(ast::ExprPtr &expr) const {
    if (expr->kind == ast::Expr::Kind::Name && hasAnyRank(expr->text)) {
      expr = ast::makeCall({expr->text, expr->range}, expr->range,
                           makeNames("d", expr->range));
      return;
    }
    for (ast::ExprPtr &operand : expr->operands)
      access(operand);
  }

  ast::Def &def;
  std::optional<unsigned> rank;
};

} // namespace

void openRank(ast::Def &def) {
  if (def.anyRank.empty() || def.hasErrors)
    return;
  RankExpander(def, std::nullopt).expand();
  def.anyRank.clear();
}

void expandRank(ast::Def &def, const CheckOptions &options,
                DiagnosticEngine &diags) {
  if (def.anyRank.empty() || def.hasErrors)
    return;
  constexpr int64_t maxRank = 16;
  auto bound = options.bindings.find("rank");
  int64_t rank = bound == options.bindings.end() ? 0 : bound->second;
  if (rank < 0 || rank > maxRank || options.constants.count("rank"))
    diags.report(
        DiagId::BadRank, def.name.range,
        {bound == options.bindings.end() ? "no integer" : std::to_string(rank),
         std::to_string(maxRank)});
  else if (rank != 0)
    RankExpander(def, rank).expand();
}

} // namespace ein
