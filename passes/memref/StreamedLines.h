//===- StreamedLines.h - Whole cache lines past the caches ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all need that write past the caches: where lines begin, when it pays,
// the stores, what other threads see of them, and what is fetched meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_MEMREF_STREAMEDLINES_H
#define EIN_PASSES_MEMREF_STREAMEDLINES_H

#include "mlir/IR/PatternMatch.h"

namespace ein {

/// How many elements lie before the first address in `memref`, from its first
/// element on, that is a multiple of `alignment` bytes, a power of two. Dims
/// but the last do not count.
mlir::Value createElementsToLine(mlir::OpBuilder &b, mlir::Location loc,
                                 mlir::Value memref, int64_t alignment);

/// Whether `memref` has `bytes` or more, as an `i1`; its strides do not count.
mlir::Value createIsLarge(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value memref, int64_t bytes);

/// Stores `vector` past the caches, to an address that is a multiple of
/// `alignment` bytes.
void createStreamingStore(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value vector, mlir::Value memref,
                          mlir::ValueRange indices, int64_t alignment);

/// Prefetches the cache lines of `count` elements of `memref`, which begin
/// `ahead` elements behind `indices`.
void createPrefetches(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value memref, mlir::ValueRange indices,
                      int64_t ahead, int64_t count);

/// Has other threads see what the nest round `op` has written past the caches.
void fenceNest(mlir::RewriterBase &b, mlir::Operation *op);

} // namespace ein

#endif // EIN_PASSES_MEMREF_STREAMEDLINES_H
