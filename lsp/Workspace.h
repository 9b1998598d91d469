//===- Workspace.h - The documents that an editor has open ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is open counts as the editor has it, also where another document imports
// it. What is not open is read from the disk when a request needs it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_WORKSPACE_H
#define EIN_LSP_WORKSPACE_H

#include "lsp/Analysis.h"
#include "lsp/Protocol.h"

namespace ein::lsp {

struct Document {
  std::string uri;
  /// Empty of a buffer without a file.
  std::string path;
  std::string text;
  int64_t version = 0;
  std::unique_ptr<Analysis> analysis;
};

class Workspace {
public:
  Workspace(std::vector<std::string> includeDirs, WarningOptions warnings)
      : includeDirs(std::move(includeDirs)), warnings(std::move(warnings)) {}

  /// All of them replace what is known; the documents whose diagnostics may be
  /// others now are returned, the one at hand first.
  std::vector<Document *> open(const OpenParams &params);
  std::vector<Document *> change(const ChangeParams &params);
  std::vector<Document *> close(const std::string &uri);

  /// Null if it is not open.
  const Document *find(const std::string &uri) const;
  std::vector<const Document *> getDocuments() const;
  /// Of a file, open or not; null if it cannot be read. What is not open lives
  /// until the next change.
  const Analysis *analyzeFile(const std::string &path);

  /// As the client calls the file; a file of the prelude is written to the
  /// cache first, so that any editor can show it. Empty if there is none.
  std::string getUri(const SourceFile &file);
  /// A place among the sources of a document.
  std::optional<Location> locate(const Document &document, SourceRange range);
  /// Whether it is one of the prelude's files in the cache.
  bool isOfPrelude(const Document &document) const;

private:
  void run(Document &document);
  std::vector<Document *> analyze(Document &document);
  std::unique_ptr<Analysis> analyze(const std::string &path, std::string text);
  std::optional<std::string> findOpenText(llvm::StringRef path) const;

  std::vector<std::string> includeDirs;
  WarningOptions warnings;
  std::map<std::string, Document> documents;               // by URI
  std::map<std::string, std::unique_ptr<Analysis>> closed; // by path
};

/// Of a file of the prelude, where it is written; empty if it cannot be.
std::string cachePreludeFile(llvm::StringRef name, llvm::StringRef text);
/// The directory of them; empty if there is none.
std::string getPreludeCache();

} // namespace ein::lsp

#endif // EIN_LSP_WORKSPACE_H
