//===- Protocol.h - What LLVM's structs of the protocol lack ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's library has no rename and no formatting, its diagnostics have no
// codes, and its documents are files. The structs here are what the server
// takes of requests, and what it answers where LLVM has nothing that fits.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_PROTOCOL_H
#define EIN_LSP_PROTOCOL_H

#include "lsp/Positions.h"

// Names are the protocol's.
namespace ein::lsp {

using llvm::lsp::TextEdit;

/// The name of a document, as the client writes it.
struct DocumentParams {
  std::string uri;
};
struct PositionParams : DocumentParams {
  Position position;
};
struct ReferenceParams : PositionParams {
  bool includeDeclaration = false;
};
struct RenameParams : PositionParams {
  std::string newName;
};
struct RangeParams : DocumentParams {
  Range range;
  /// Of a code action: the kinds that are asked for, or all.
  std::vector<std::string> only;
};
struct OpenParams : DocumentParams {
  std::string text, languageId;
  int64_t version = 0;
};
/// A part of the text, or all of it, is replaced.
struct TextChange {
  std::optional<Range> range;
  std::string text;
};
struct ChangeParams : DocumentParams {
  int64_t version = 0;
  std::vector<TextChange> changes;
};
struct CommandParams {
  std::string command;
  std::vector<llvm::json::Value> arguments;
};

#define EIN_LSP_FROM_JSON(TYPE)                                                \
  bool fromJSON(const llvm::json::Value &value, TYPE &result,                  \
                llvm::json::Path path);
EIN_LSP_FROM_JSON(DocumentParams)
EIN_LSP_FROM_JSON(PositionParams)
EIN_LSP_FROM_JSON(ReferenceParams)
EIN_LSP_FROM_JSON(RenameParams)
EIN_LSP_FROM_JSON(RangeParams)
EIN_LSP_FROM_JSON(OpenParams)
EIN_LSP_FROM_JSON(TextChange)
EIN_LSP_FROM_JSON(ChangeParams)
EIN_LSP_FROM_JSON(CommandParams)
#undef EIN_LSP_FROM_JSON

struct Location {
  std::string uri;
  Range range;

  friend bool operator==(const Location &lhs, const Location &rhs) {
    return lhs.uri == rhs.uri && lhs.range == rhs.range;
  }
};
llvm::json::Value toJSON(const Location &location);

struct RelatedInformation {
  Location location;
  std::string message;
};

struct LspDiagnostic {
  Range range;
  llvm::lsp::DiagnosticSeverity severity;
  std::string code, message;
  std::vector<RelatedInformation> related;
  /// That what it is about does nothing.
  bool isUnnecessary = false;
};
llvm::json::Value toJSON(const LspDiagnostic &diagnostic);

/// Changes of documents, by their names.
using Edits = std::map<std::string, std::vector<TextEdit>>;
llvm::json::Value toWorkspaceEdit(const Edits &edits);

struct LspCodeAction {
  std::string title;
  LspDiagnostic diagnostic;
  bool isPreferred = false;
  Edits edits;
};
llvm::json::Value toJSON(const LspCodeAction &action);

/// Text of ours may hold bytes of a file that are no UTF-8.
inline std::string fix(llvm::StringRef text) {
  return llvm::json::fixUTF8(text);
}

} // namespace ein::lsp

#endif // EIN_LSP_PROTOCOL_H
