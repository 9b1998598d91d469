//===- Library.h - Defs of other files --------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program may call that is not its own: the defs of the files that it
// imports, and the prelude, which has linalg's named ops and comes with the
// compiler. A file is read once, however often it is imported, and only its
// tokens are looked at until one of its defs is called: a library of thousands
// costs what is used of it. A file of OpDSL has no tokens: it is read in whole.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PRELUDE_LIBRARY_H
#define EIN_FRONTEND_PRELUDE_LIBRARY_H

#include "frontend/parse/Parser.h"
#include "frontend/source/Diagnostics.h"
#include "frontend/source/ReadFile.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace ein {

class Library {
public:
  Library(Sources &sources, llvm::ArrayRef<std::string> includeDirs,
          DiagnosticEngine &diags, OpenFiles openFiles = {})
      : sources(sources), includeDirs(includeDirs), diags(diags),
        openFiles(std::move(openFiles)) {}

  /// Reads what `imports` name, and what that imports. Failures are reported.
  void import(llvm::ArrayRef<ast::Import> imports);
  /// The defs of a file that is among the sources, and what it imports.
  void addFile(const SourceFile &file) { addFile(file, /*isPrelude=*/false); }
  /// The named ops; the first call of something unknown does it.
  void addPrelude();

  struct Entry {
    /// Null if `def` has been read.
    const TokenBuffer *tokens;
    size_t position;
    ast::Name name;
    bool isPrelude;
    std::unique_ptr<ast::Def> def = nullptr;
  };
  /// Null if there is none.
  const Entry *find(llvm::StringRef name) const;
  /// Its tree, which may have errors.
  ast::Def &parse(llvm::StringRef name);
  /// As it is written.
  llvm::StringRef getText(llvm::StringRef name);
  std::vector<llvm::StringRef> getNames() const;

private:
  void importOne(const ast::Import &import);
  void addFile(const SourceFile &file, bool isPrelude);
  void addOpDSL(const SourceFile &file);
  void addEntry(Entry entry);

  Sources &sources;
  llvm::ArrayRef<std::string> includeDirs;
  DiagnosticEngine &diags;
  OpenFiles openFiles;
  std::vector<std::unique_ptr<TokenBuffer>> buffers;
  llvm::StringMap<Entry> entries;
  llvm::StringSet<> paths; // of what was imported
  bool hasPrelude = false;
};

/// Where a file is, past symbolic links; the path itself, if there is no such
/// file on the disk. A file is imported once, by this.
std::string getRealPath(llvm::StringRef path);

/// The files besides the main one that were read: not those of the prelude.
std::vector<const SourceFile *> listRead(const Sources &sources);
/// Wherever an import of the main file, or of one that it imports, is looked
/// for: where there is a file and where there is none.
std::vector<std::string>
listImportPaths(const Sources &sources,
                llvm::ArrayRef<std::string> includeDirs);

/// Why an op of linalg's is no function here; empty for other names.
llvm::StringRef explainUncallableOp(llvm::StringRef op);

/// A file of the prelude, as it is in the source tree.
struct PreludeFile {
  llvm::StringRef name;
  llvm::StringRef text;
};
llvm::ArrayRef<PreludeFile> getPreludeFiles();

} // namespace ein

#endif // EIN_FRONTEND_PRELUDE_LIBRARY_H
