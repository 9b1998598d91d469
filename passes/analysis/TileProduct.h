//===- TileProduct.h - What a register tile multiplies ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packing makes contractions of panels, and the micro-kernel is made of them.
// Most are contractions as others are. Where an instruction has bytes of the
// other signedness only, the panels of A hold them half of their range apart,
// and the contraction's body moves them back.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_TILEPRODUCT_H
#define EIN_PASSES_ANALYSIS_TILEPRODUCT_H

#include "passes/analysis/Raising.h"

namespace ein {

struct TileProduct {
  ContractionKind kind;
  /// Added to each element of the first input, after its extension.
  int64_t offset = 0;
};

/// The contraction of two panels, `maps` being the inputs' and the tile's.
mlir::linalg::LinalgOp createTileProduct(mlir::OpBuilder &b, mlir::Location loc,
                                         const TileProduct &product,
                                         mlir::ValueRange inputs,
                                         mlir::Value tile,
                                         llvm::ArrayRef<mlir::AffineMap> maps);

/// What such an op multiplies; none if it is another one.
std::optional<TileProduct> matchTileProduct(mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_TILEPRODUCT_H
