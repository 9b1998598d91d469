//===- Sema.h - A tree to a checked program ---------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checker resolves names, extents and types, and turns every notation into
// the one form that Program has: einsum strings become products of accesses,
// statements outside a def get a signature, sizes bound on the command line
// become constants. What cannot be decided without the sizes becomes a
// SizeCheck.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_SEMA_H
#define EIN_FRONTEND_CHECK_SEMA_H

#include "frontend/ast/AST.h"
#include "frontend/parse/Parser.h"
#include "frontend/program/Program.h"
#include "frontend/source/ReadFile.h"
#include <map>

namespace ein {

class Library;

/// What is known of an array that a program will be run on.
struct DataType {
  std::vector<int64_t> shape;
  std::optional<ElementType> type = std::nullopt;
  /// What its file is called, without the suffix.
  std::string name = {};
};

struct CheckOptions {
  /// From `--bind`, by name: sizes, attributes and scalars that are integers.
  std::map<std::string, int64_t> bindings;
  /// The same, as it was written: element types of generics, other numbers.
  std::map<std::string, std::string> constants;
  /// Of what has no type written: parameters of statements outside a def.
  ElementType defaultType = ElementType::F32;
  /// Of `-I`: where imported files are looked for.
  std::vector<std::string> includeDirs;
  /// What an editor has open, if one asks.
  OpenFiles openFiles;
  /// Of `--broadcast=numpy`: in einsum, a dim of size 1 goes with any other.
  bool broadcastsSizeOne = false;
  /// Of `-W`.
  WarningOptions warnings;
  /// The data that is at hand, for the parameters of statements outside a def:
  /// by name, and in the order of those not named.
  std::map<std::string, DataType> namedData;
  std::vector<DataType> data;
};

/// Reads `M=64,alpha=0.5,T=f16`: integers, other numbers and element types.
/// What each of them is for is known when a program is checked. False, with an
/// error, if `text` is not of this form, or has two values for one name.
bool parseBindings(llvm::StringRef text, CheckOptions &options,
                   std::string &error);

/// Fails if anything in `module` was or is found wrong; a def that could not
/// be parsed does not keep the others from being checked. What is imported
/// becomes part of `sources`.
llvm::FailureOr<Program> check(ast::Module module, const CheckOptions &options,
                               Sources &sources, DiagnosticEngine &diags);

/// The same for an editor: what there is of the program, whatever is wrong.
/// Statements with mistakes are not there, nor are defs without a signature.
/// What follows from such a statement alone, as the shape of what it writes, is
/// not known. `library` is where other files' defs are looked for.
Program checkPartially(ast::Module module, const CheckOptions &options,
                       Library &library, DiagnosticEngine &diags);

/// The whole front end: text to checked program.
llvm::FailureOr<Program> parseProgram(Sources &file,
                                      const CheckOptions &options,
                                      DiagnosticEngine &diags,
                                      SourceForm form = SourceForm::File);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_SEMA_H
