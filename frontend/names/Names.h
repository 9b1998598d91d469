//===- Names.h - Where each name is declared and used -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: the tree of a file. Comes out: what its names stand for, and every
// place where each of them is written, inside einsum strings too. It is for
// editors: the checker finds the same, and keeps of it what a program needs,
// which is nothing of a statement that is wrong. Here, a mistake in one
// statement takes nothing from the others, and where the tree has nothing, as
// text could not be parsed, names count as what the rest of the def says.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_NAMES_NAMES_H
#define EIN_FRONTEND_NAMES_NAMES_H

#include "frontend/ast/AST.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ein {

enum class NameKind : uint8_t {
  Def,
  Callee, // a def of another file, or a named op
  Generic,
  Attribute,
  Size,
  Param,
  Result,
  Temporary,
  Index,    // of a statement, or of a reduction inside
  Label,    // of an einsum
  Value,    // `where v = …`
  Function, // of the language; reducers and constants too
  Type,     // of the language
  Argument, // `strides` in a call of a Callee
};

/// Whether it is a tensor, or a scalar.
constexpr bool isTensor(NameKind kind) {
  return kind >= NameKind::Param && kind <= NameKind::Temporary;
}
/// Whether all of a def sees it.
constexpr bool isOfDef(NameKind kind) {
  return kind >= NameKind::Generic && kind <= NameKind::Temporary;
}
/// Whether the file says what it is.
constexpr bool isDeclared(NameKind kind) {
  return kind != NameKind::Callee && kind < NameKind::Function;
}

/// What a name stands for.
struct NamedEntity {
  NameKind kind;
  std::string name;
  /// Where it is declared; an index, and what is declared nowhere, where it is
  /// first written.
  SourceRange declaration;
  /// What sees it: the def, the statement, the reduction, the einsum.
  SourceRange scope;
  /// Which of the module's defs it is of; of a Def, which it is.
  size_t def;
  /// Of an Argument, what is called.
  std::string callee = {};
  /// A Label that is one of numpy's, which are a letter each.
  bool isLetter = false;
};

struct NameUse {
  SourceRange range;
  size_t entity;
  /// A statement writes it there, or it is declared there.
  bool isWrite;
};

struct NameTable {
  std::vector<NamedEntity> entities;
  /// In the order of the text; none overlap.
  std::vector<NameUse> uses;

  /// The name at `offset`, or that ends there; null if none does.
  const NameUse *find(uint32_t offset) const;
  /// What all of a def sees, by name; null if there is none.
  const NamedEntity *findInDef(size_t def, llvm::StringRef name) const;
};

/// Of the file that `tokens` are of, and which `module` was parsed from.
/// `isCallable` says of a name whether it is a def of an imported file or a
/// named op.
NameTable collectNames(const ast::Module &module, const TokenBuffer &tokens,
                       llvm::function_ref<bool(llvm::StringRef)> isCallable);

/// Which of the module's defs `offset` is in.
std::optional<size_t> findDef(const ast::Module &module, uint32_t offset);
/// The statement at `offset`; null if there is none.
const ast::Statement *findStatement(const ast::Def &def, uint32_t offset);

} // namespace ein

#endif // EIN_FRONTEND_NAMES_NAMES_H
