//===- Surroundings.h - The loops round an op -------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SURROUNDINGS_H
#define EIN_PASSES_SELECT_SURROUNDINGS_H

#include "abi/AssumedSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ein {

/// The loops that an op is in, and where its operands are as seen from these.
struct Surroundings {
  struct Loop {
    /// At most; kAssumedSize if nobody knows.
    double extent, step;
    bool isOpen = false, isExact = false;
  };
  llvm::SmallVector<Loop> loops; // outermost first
  struct Operand {
    /// Bytes from one element to the next, along each axis.
    llvm::SmallVector<double> axisStrides;
    /// Bytes from one value of a loop's index to the next, by loop; 0 if it is
    /// the same place.
    llvm::SmallVector<double> loopStrides;
    /// Along each axis, how many elements there are at most; kDynamic if nobody
    /// knows.
    llvm::SmallVector<int64_t> extents;
  };
  llvm::SmallVector<Operand> operands;
};

/// How far the loop goes, and by which steps.
Surroundings::Loop describeLoop(mlir::scf::ForOp loop);

/// Empty, if no loop is round the op. Operands that are parts of a tensor lie
/// in that; what one round of a loop makes for another op is in a buffer.
Surroundings findSurroundings(mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_SELECT_SURROUNDINGS_H
