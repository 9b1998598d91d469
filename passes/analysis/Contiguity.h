//===- Contiguity.h - Tensors without gaps in memory ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_CONTIGUITY_H
#define EIN_PASSES_ANALYSIS_CONTIGUITY_H

#include "mlir/IR/Value.h"

namespace ein {

/// Whether `value` has no gaps in memory, if the arguments have none that are
/// added to `arguments`.
bool isContiguous(mlir::Value value,
                  llvm::SmallVectorImpl<mlir::BlockArgument> &arguments);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_CONTIGUITY_H
