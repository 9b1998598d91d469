//===- TileProducts.h - Steps of a product's register tile ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the loop over k of a register tile carries and does. The tile before it
// and after it, and the loop, are the same for all products (TileProducts.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_TILEPRODUCTS_H
#define EIN_PASSES_VECTOR_TILEPRODUCTS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/analysis/TileProduct.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {

class ProductSteps {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  virtual ~ProductSteps() = default;

  /// What the loop carries, for a tile that is `tile` before it.
  virtual Values start(mlir::Value tile) = 0;
  /// How many steps there are.
  virtual mlir::OpFoldResult getDepth() = 0;
  /// The sums after step `k`.
  virtual Values multiply(mlir::Value k, mlir::ValueRange sums) = 0;
  /// The tile after the loop.
  virtual mlir::Value finish(mlir::ValueRange sums) = 0;
};

/// The steps of a tile whose operands are packed in groups of k
/// (`Schedule::kPack`): one for each group.
std::unique_ptr<ProductSteps> createGroupedSteps(mlir::ImplicitLocOpBuilder &b,
                                                 mlir::linalg::LinalgOp op,
                                                 const TileProduct &product,
                                                 const Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_VECTOR_TILEPRODUCTS_H
