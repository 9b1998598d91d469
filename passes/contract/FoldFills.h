//===- FoldFills.h - Read a number, not a tensor filled with it -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_CONTRACT_FOLDFILLS_H
#define EIN_PASSES_CONTRACT_FOLDFILLS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace ein {

/// Patterns by which a tensor that is filled with one number is not read.
void addFoldFillPatterns(mlir::RewritePatternSet &patterns);

} // namespace ein

#endif // EIN_PASSES_CONTRACT_FOLDFILLS_H
