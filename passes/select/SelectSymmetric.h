//===- SelectSymmetric.h - Products that are symmetric ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTSYMMETRIC_H
#define EIN_PASSES_SELECT_SELECTSYMMETRIC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {

/// Whether half of a product may, or has to, be copied from the other half.
enum class Symmetric { Never, Either, Always };

/// Of a product of `schedule`'s rows and columns. Tests ask for it (`packing`);
/// else the price says it.
Symmetric findSymmetric(mlir::linalg::LinalgOp op, const Schedule &schedule,
                        llvm::StringRef packing);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTSYMMETRIC_H
