//===- PricedOp.h - What prices of an op depend on --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_PRICEDOP_H
#define EIN_PASSES_SELECT_PRICEDOP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/select/Surroundings.h"

namespace ein {

/// How far each loop goes, or at most; kDynamic if nobody knows.
llvm::SmallVector<int64_t> findRanges(mlir::linalg::LinalgOp op,
                                      const Surroundings &surroundings);

/// An op as whoever prices it sees it, read once for all schedules.
struct PricedOp {
  /// With `surroundings`, in the loops round it. With `assumed`, a dynamic loop
  /// counts as what is there for it.
  PricedOp(mlir::linalg::LinalgOp op, const Surroundings &surroundings,
           llvm::ArrayRef<int64_t> assumed = {});

  unsigned getNumOperands() const { return maps.size(); }
  bool isOutput(unsigned operand) const {
    return operand + 1 == getNumOperands();
  }
  bool isSummed(int64_t dim) const { return !maps.back().isFunctionOfDim(dim); }
  /// Bytes from one value of the dim to the next.
  double getStride(unsigned operand, int64_t dim) const {
    return strides[operand][dim];
  }

  mlir::linalg::LinalgOp op;
  Surroundings surroundings;
  llvm::SmallVector<mlir::AffineMap> maps;
  /// Of the loops; a dynamic one counts as kAssumedSize.
  llvm::SmallVector<double> sizes;
  bool hasOpenSizes = false;
  /// Per operand: bytes of an element; from one element to the next, along each
  /// axis; and, with loops round it, from one round of each loop to the next.
  llvm::SmallVector<double> widths;
  llvm::SmallVector<llvm::SmallVector<double>> axisStrides, loopStrides;
  bool readsResult;
  /// Arithmetic of one point, in instructions.
  double fmas = 0, adds = 0, logic = 0;

private:
  void countBody();
  double computeStride(unsigned operand, int64_t dim) const;

  llvm::SmallVector<llvm::SmallVector<double>> strides; // of the dims
};

} // namespace ein

#endif // EIN_PASSES_SELECT_PRICEDOP_H
