//===- ReportLoops.h - Which type each loop has -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_CONTRACT_REPORTLOOPS_H
#define EIN_PASSES_CONTRACT_REPORTLOOPS_H

#include "mlir/IR/Operation.h"

namespace ein {

/// Says of each structured op, scatter and recurrence in `root` what its loops
/// are: parallel, reductions, sequential, permutable, partitions.
void reportLoops(mlir::Operation *root);

} // namespace ein

#endif // EIN_PASSES_CONTRACT_REPORTLOOPS_H
