//===- Write.h - A program as OpDSL YAML, or as ODS and C++ -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both notations have an op per comprehension, one map per tensor, and one
// accumulator, which is the output. What a program has beyond that is an error
// at its place.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_OPDSL_WRITE_WRITE_H
#define EIN_FRONTEND_OPDSL_WRITE_WRITE_H

#include "frontend/program/Program.h"
#include "frontend/source/Diagnostics.h"

namespace ein::opdsl {

/// A document per statement, as mlir-linalg-ods-yaml-gen of LLVM 22 reads it.
void printModule(llvm::raw_ostream &os, const Program &program,
                 DiagnosticEngine &diags);

/// The ODS record and the three C++ functions of each def, as the Linalg
/// document has them; defs of one statement only.
void printOds(llvm::raw_ostream &os, const Program &program,
              DiagnosticEngine &diags);

/// A statement as a structured op: its arguments and their maps.
struct StructuredOp {
  struct Argument {
    TensorId tensor;
    /// Over the statement's indices.
    std::vector<Affine> map;
    /// A scalar that is passed by value.
    bool isScalar = false;
  };

  const Def &def;
  const Statement &statement;
  /// The target is last.
  std::vector<Argument> arguments;
  /// As they are called in maps.
  std::vector<std::string> indexNames, sizeNames;

  size_t find(TensorId tensor) const;
};

/// Nothing, with an error, if the statement is none; `notation` is named then.
/// `isAlone`: all parameters of the def are arguments.
std::optional<StructuredOp>
makeStructuredOp(const Def &def, const Statement &statement, bool isAlone,
                 llvm::StringRef notation, DiagnosticEngine &diags);

/// `BatchMatmulOp` of `batch_matmul`.
std::string getClassName(llvm::StringRef name);

} // namespace ein::opdsl

#endif // EIN_FRONTEND_OPDSL_WRITE_WRITE_H
