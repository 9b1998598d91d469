//===- NameCollector.h - The walk that finds names --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_NAMES_NAMECOLLECTOR_H
#define EIN_FRONTEND_NAMES_NAMECOLLECTOR_H

#include "frontend/names/Names.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace ein {

class NameCollector {
public:
  NameCollector(const ast::Module &module, const TokenBuffer &tokens,
                llvm::function_ref<bool(llvm::StringRef)> isCallable)
      : module(module), tokens(tokens), isCallable(isCallable) {}

  NameTable collect();

private:
  using Scope = llvm::StringMap<size_t>;

  // The file.
  size_t add(NameKind kind, const ast::Name &name, SourceRange scope);
  void use(const ast::Name &name, size_t entity, bool isWrite = false);
  /// Of the language, or of another file: one entity per name.
  void useGlobal(NameKind kind, const ast::Name &name);
  void useArgument(const std::string &callee, const ast::Name &name);
  void resolveArguments();
  void collectSkipped();
  void sortUses();

  // A def.
  void collectDef(const ast::Def &source);
  void collectSignature(const ast::Def &source);
  size_t declare(NameKind kind, const ast::Name &name);
  void useType(const ast::Name &name);
  void walkDim(const ast::Expr &dim);
  const size_t *findOfDef(llvm::StringRef name) const;
  bool isTensorName(llvm::StringRef name) const;

  // A statement.
  void collectStatement(const ast::Statement &source);
  void collectClause(const ast::Clause &clause);
  void collectSubscripts(const ast::Expr &expr, llvm::StringSet<> &reduced);
  void collectSubscript(const ast::Expr &expr, llvm::StringSet<> &reduced);
  void walkSubscript(const ast::Expr &expr);
  void walk(const ast::Expr &expr, bool isSubscript = false);
  void walkName(const ast::Expr &expr, bool isSubscript);
  void walkCall(const ast::Expr &expr);
  void walkReduction(const ast::Expr &expr);
  void walkEinsum(const ast::Expr &expr);
  void walkLabel(const struct EinsumLabel &label, bool isLetter, Scope &labels,
                 SourceRange scope);
  void useElement(const ast::Expr &expr);
  bool callsDef(const ast::Expr &expr) const;
  size_t *findLocal(llvm::StringRef name);
  void useIndex(const ast::Name &name);
  std::optional<size_t> getRank(const ast::Expr &operand) const;

  const ast::Module &module;
  const TokenBuffer &tokens;
  llvm::function_ref<bool(llvm::StringRef)> isCallable;
  NameTable table;
  Scope defs, globals;
  /// What all of each def sees.
  std::vector<Scope> scopes;

  struct PendingArgument {
    ast::Name name;
    size_t callee;
  };
  std::vector<PendingArgument> pendingArguments;

  // Of the def at hand.
  size_t def = 0;
  const ast::Def *source = nullptr;
  /// As far as it is written.
  llvm::StringMap<size_t> ranks;

  // Of the statement at hand.
  const ast::Statement *statement = nullptr;
  Scope locals;
  /// What stands in subscripts, and so is an index if it is nothing else.
  llvm::StringSet<> subscriptNames;
  /// What a `where` gives a range, and what reductions name.
  llvm::StringSet<> givenNames, reducedNames;
  llvm::SmallVector<Scope> reductions;
};

} // namespace ein

#endif // EIN_FRONTEND_NAMES_NAMECOLLECTOR_H
