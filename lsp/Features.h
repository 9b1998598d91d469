//===- Features.h - What the server answers ---------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function, and a file, per request. Each takes any position of any text.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_FEATURES_H
#define EIN_LSP_FEATURES_H

#include "lsp/Workspace.h"

namespace ein::lsp {

/// What a statement becomes and what it costs, in Markdown; its def's other
/// statements are there as well.
using DescribeStatement =
    std::function<std::string(const Def &def, const Statement &statement)>;

std::vector<LspDiagnostic> getDiagnostics(Workspace &workspace,
                                          const Document &document);
std::vector<LspCodeAction> getCodeActions(Workspace &workspace,
                                          const Document &document,
                                          const RangeParams &params);

std::optional<llvm::lsp::Hover> getHover(const Document &document,
                                         Position position,
                                         const DescribeStatement &describe);

struct Reference {
  Location location;
  bool isWrite;
  bool isDeclaration;
};
std::vector<Location> findDefinitions(Workspace &workspace,
                                      const Document &document,
                                      Position position);
/// In all documents that are open, and in the file that declares it.
std::vector<Reference> findReferences(Workspace &workspace,
                                      const Document &document,
                                      Position position);
/// In the document alone.
std::vector<Reference> findHighlights(const Document &document,
                                      Position position);

/// What would be renamed there; an error says why nothing can be.
llvm::Expected<Range> prepareRename(Workspace &workspace,
                                    const Document &document,
                                    Position position);
llvm::Expected<Edits> rename(Workspace &workspace, const Document &document,
                             const RenameParams &params);

llvm::lsp::CompletionList complete(const Document &document, Position position);
std::optional<llvm::lsp::SignatureHelp>
getSignatureHelp(const Document &document, Position position);

std::vector<llvm::lsp::InlayHint> getInlayHints(const Document &document,
                                                Range range);
std::vector<llvm::lsp::DocumentSymbol> getSymbols(const Document &document);
/// The edits that `einc fmt` would make; an error says why there are none.
llvm::Expected<std::vector<TextEdit>> format(const Document &document);

/// An error that the client shows to its user.
llvm::Error refuse(const llvm::Twine &message);

} // namespace ein::lsp

#endif // EIN_LSP_FEATURES_H
