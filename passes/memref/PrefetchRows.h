//===- PrefetchRows.h - Fetch the next row while computing ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `ein-stream-stores` does first.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_MEMREF_PREFETCHROWS_H
#define EIN_PASSES_MEMREF_PREFETCHROWS_H

#include "mlir/IR/Operation.h"

namespace ein {

/// Obeys the mark, and removes it.
void prefetchRows(mlir::Operation *root);

} // namespace ein

#endif // EIN_PASSES_MEMREF_PREFETCHROWS_H
