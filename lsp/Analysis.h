//===- Analysis.h - All that is known of a text -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each text of a document is analysed once, when it changes: tokens, tree,
// names, and as much of the program as is right. Requests only read that.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_ANALYSIS_H
#define EIN_LSP_ANALYSIS_H

#include "frontend/check/Sema.h"
#include "frontend/names/Names.h"
#include "frontend/prelude/Library.h"
#include "llvm/ADT/StringMap.h"

namespace ein::lsp {

class Analysis {
public:
  /// `name` is a path, or what a buffer without a file is called.
  Analysis(std::string name, std::string text, SourceForm form,
           CheckOptions options);

  const SourceFile &getFile() const { return sources.getMain(); }
  const Sources &getSources() const { return sources; }
  const TokenBuffer &getTokens() const { return tokens; }
  const ast::Module &getModule() const { return module; }
  const NameTable &getNames() const { return names; }
  const Program &getProgram() const { return program; }
  llvm::ArrayRef<Diagnostic> getDiagnostics() const {
    return llvm::ArrayRef(diags.getDiagnostics()).take_front(numDiagnostics);
  }
  bool isOpDSL() const { return form == SourceForm::OpDSL; }

  /// The checked form of a def of the module; null if there is none.
  const Def *getDef(size_t def) const;
  /// The statements of the program that one of the text became.
  llvm::SmallVector<const Statement *>
  getStatements(const Def &def, const ast::Statement &statement) const;
  /// The tensor of that name of a def of the module, if its shape is known;
  /// else null.
  const Tensor *getTensor(size_t def, llvm::StringRef name) const {
    return tensors[def].lookup(name);
  }

  /// A def of an imported file, or a named op; null if there is none.
  const Library::Entry *findExternal(llvm::StringRef name) const;
  /// Its tree.
  const ast::Def &parseExternal(llvm::StringRef name) const;
  std::vector<llvm::StringRef> getExternalNames() const;
  /// The token at `offset`, or that ends there; null if none does.
  const Token *findToken(uint32_t offset) const;

private:
  void collectTensors();

  SourceForm form;
  CheckOptions options;
  Sources sources;
  DiagnosticEngine diags;
  /// Of the library's defs, when they are looked at later.
  DiagnosticEngine ignored;
  mutable Library library;
  TokenBuffer tokens;
  ast::Module module;
  Program program;
  NameTable names;
  size_t numDiagnostics = 0;
  /// By the module's defs: the tensors whose shapes are known.
  std::vector<llvm::StringMap<const Tensor *>> tensors;
};

/// Whether the type of a tensor is written, and not inferred.
bool hasWrittenType(const ast::Def &def, llvm::StringRef tensor);
/// What a `where` of the statement says of an index; null if it does not.
const ast::Clause *findRange(const ast::Statement &statement,
                             llvm::StringRef index);
/// `f32(M, 2*K)`.
std::string printType(const Def &def, const Tensor &tensor);
/// `M + 1`.
std::string printSize(const Def &def, const Affine &size);
/// The signature of a def as it is written, on one line.
std::string printSignature(const Sources &sources, const ast::Def &def);

} // namespace ein::lsp

#endif // EIN_LSP_ANALYSIS_H
