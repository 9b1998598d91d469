//===- VectorizeRest.h - The last, incomplete vector ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_VECTORIZEREST_H
#define EIN_PASSES_VECTOR_VECTORIZEREST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {

/// Whether what is left of a dim behind the last complete vector is to be one
/// vector more, with elements that are not there. Else it is scalar code.
bool isRestVector(mlir::linalg::GenericOp op, const Schedule &schedule);

/// Makes that vector of a tile of dynamic size.
void vectorizeRest(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
                   const Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_VECTOR_VECTORIZEREST_H
