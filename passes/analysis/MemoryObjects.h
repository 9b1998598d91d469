//===- MemoryObjects.h - What a view is a part of ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of the arena that are in use at the same time are apart, and an output
// overlaps nothing by contract; so of two objects of which one is written, the
// other one is not.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_MEMORYOBJECTS_H
#define EIN_PASSES_ANALYSIS_MEMORYOBJECTS_H

#include "mlir/IR/Value.h"

namespace ein {

/// The object that a memref is a part of: an argument, an allocation, or a view
/// of the arena; null if that cannot be told.
mlir::Value getObject(mlir::Value memref);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_MEMORYOBJECTS_H
