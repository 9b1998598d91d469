//===- OpClass.h - What an op is, for people --------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_OPCLASS_H
#define EIN_PASSES_ANALYSIS_OPCLASS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <string>

namespace ein {

/// What an op with so many iterations of each loop is called: `matrix product
/// (square)`, `reduction`, … The words are in docs/reference/command-line.md.
std::string getOpClass(mlir::linalg::LinalgOp op,
                       llvm::ArrayRef<double> extents);

/// Operations of one point: a multiplication is one, of complex numbers six;
/// conversions, constants and indices are none.
double countPointOperations(mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_OPCLASS_H
