//===- SquareBlock.h - Squares that may go past the caches ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `ein-vectorize-tiles` says of its loops for `ein-stream-stores`.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SCHEDULE_SQUAREBLOCK_H
#define EIN_PASSES_SCHEDULE_SQUAREBLOCK_H

#include "mlir/IR/Builders.h"

namespace ein {

/// What `ein.stream_squares` says.
struct SquareBlock {
  /// From how many bytes of the result on stores go past the caches.
  int64_t bytes;
  /// The axis of the result that the outer loop walks; -1 of a copy.
  int64_t axis;
  /// How far the loops go at most, in elements; 0 if that is not known.
  int64_t columns, rows;

  mlir::ArrayAttr getAttr(mlir::Builder &b) const;
  static SquareBlock get(mlir::ArrayAttr attr);
};

} // namespace ein

#endif // EIN_PASSES_SCHEDULE_SQUAREBLOCK_H
