//===- Pipeline.h - linalg -> contract --------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_CONTRACT_PIPELINE_H
#define EIN_PASSES_CONTRACT_PIPELINE_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

/// linalg -> contract: raised, transposes and broadcasts folded.
void buildToContract(mlir::OpPassManager &pm);

} // namespace ein

#endif // EIN_PASSES_CONTRACT_PIPELINE_H
