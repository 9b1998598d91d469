//===- Navigation.h - What a name stands for in all files -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_NAVIGATION_H
#define EIN_LSP_NAVIGATION_H

#include "lsp/Features.h"

namespace ein::lsp {

/// Where an entity is declared, among the sources of the document that names
/// it; nothing of what the language has.
std::optional<SourceRange> findDeclaration(const Analysis &analysis,
                                           const NamedEntity &entity);
/// What an argument with a name is of what is called; null if it is a size.
const ast::Name *findArgument(const ast::Def &callee, llvm::StringRef name);
/// The `import` at `offset`, if there is one.
const ast::Import *findImport(const Analysis &analysis, uint32_t offset);

/// What a name stands for, whichever document it is asked from.
struct Symbol {
  std::string name;
  /// The file that declares it; its analysis, what it is called there, and
  /// which of its entities it is. None of these of the prelude's.
  std::string file;
  std::string uri;
  const Analysis *analysis = nullptr;
  std::optional<size_t> entity;
  /// Of what the document itself does not declare.
  std::optional<Location> declaration;
  bool isOfPrelude = false;
};
Symbol resolveSymbol(Workspace &workspace, const Document &document,
                     size_t entity);
std::vector<Reference> findReferences(Workspace &workspace,
                                      const Symbol &symbol);

} // namespace ein::lsp

#endif // EIN_LSP_NAVIGATION_H
