//===- SignatureInference.h - What loose statements imply -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: the statements of a def that has no signature. Comes out: its
// parameters and results. Looking at what the statements read is in
// Signature.cpp, making parameters of it in SignatureParams.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_SIGNATUREINFERENCE_H
#define EIN_FRONTEND_CHECK_SIGNATUREINFERENCE_H

#include "frontend/check/Signature.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace ein {

class SignatureInference {
public:
  SignatureInference(ast::Def &def, const CheckOptions &options,
                     Callees &callees, DiagnosticEngine &diags)
      : def(def), options(options), callees(callees), diags(diags) {}

  void run();

private:
  /// How a dim is subscripted where the tensor is first read.
  struct Dim {
    /// Of the index that stands alone there, if one does. Of a whole tensor,
    /// one with the statement's number after a dot: the same for all of the
    /// statement's.
    std::string index;
    bool isLabel = false;
    SourceRange range;
  };
  struct Parameter {
    ast::Name name;
    std::vector<Dim> dims;
  };

  void collectIndexNames(const ast::Expr &expr, bool isSubscript);
  bool refuseInput(const ast::Expr &access);
  bool refuseReducer(const ast::Expr &call);
  void visitValue(const ast::Expr &expr);
  void visitEinsum(const ast::Expr &call);
  bool callsDef(const ast::Expr &expr);
  void visitCall(const ast::Expr &call, bool isAlone);
  void visitOpen(const ast::Expr &operand);
  size_t countDims(const ast::Expr &expr);
  size_t visitWhole(const ast::Expr &expr);
  void visitStatement(const ast::Statement &statement);
  const DataType *findData(llvm::StringRef parameter) const;
  std::optional<size_t> findRank(llvm::StringRef tensor) const;
  void assignShapes(const ast::Statement &statement);
  void assignShapes(const ast::Expr &expr, size_t &next);
  void assignShape(llvm::StringRef parameter, size_t &next);
  bool isElementwise(const ast::Expr &expr);
  void assignTypes();
  void addRead(ast::Name name, std::vector<Dim> dims);
  void addResults();
  std::string nameSize(const Dim &dim, llvm::StringRef tensor, size_t position);
  std::string makeFresh(std::string name);
  ast::Param makeParam(const Parameter &parameter);

  ast::Def &def;
  const CheckOptions &options;
  Callees &callees;
  DiagnosticEngine &diags;
  llvm::StringSet<> targets;
  llvm::StringSet<> indexNames;
  /// How often each is written.
  llvm::StringMap<unsigned> indexUses;
  /// Of the targets of the statements before the one at hand.
  llvm::StringMap<size_t> targetRanks;
  /// Of the statement at hand, if it is without subscripts.
  std::optional<size_t> outputRank;
  /// Its number, and the rank of what it has of whole tensors.
  size_t number = 0, wholeRank = 0;
  llvm::StringMap<const DataType *> data; // by parameter
  llvm::StringMap<ElementType> types;     // likewise
  std::vector<Parameter> parameters;
  llvm::StringMap<size_t> positions;  // in `parameters`
  llvm::StringMap<std::string> sizes; // by index
  llvm::StringSet<> taken;
};

} // namespace ein

#endif // EIN_FRONTEND_CHECK_SIGNATUREINFERENCE_H
