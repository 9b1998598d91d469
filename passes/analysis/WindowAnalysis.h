//===- WindowAnalysis.h - Ops that read windows ------------------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions, poolings and stencils in the form of structured ops: some
// subscript is a sum of dims, `2 * h + kh`. What is known of them without
// looking at the machine.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_WINDOWANALYSIS_H
#define EIN_PASSES_ANALYSIS_WINDOWANALYSIS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/analysis/Decline.h"

namespace ein {

/// A subscript: a sum of dims, each times its coefficient, and a constant.
struct LinearSubscript {
  llvm::SmallVector<int64_t> coefficients;
  int64_t constant = 0;
};

/// From the least place to the largest that a subscript has, if each dim has
/// as many values, from 0 on, as `counts` says.
double getSpan(const LinearSubscript &subscript, llvm::ArrayRef<double> counts);

/// The subscripts of a map; none if one of them is not linear.
std::optional<llvm::SmallVector<LinearSubscript>>
getLinearSubscripts(mlir::AffineMap map);

/// How far apart in memory neighbours along `dim` are: 0 if the map does not
/// depend on it, none if that is not the coefficient of `dim` in the last
/// subscript.
std::optional<int64_t> getStepAlong(mlir::AffineMap map, int64_t dim);

/// The inputs that the body of `op` reads.
llvm::SmallVector<mlir::OpOperand *> getReadInputs(mlir::linalg::LinalgOp op);

/// The read input, the first of several, that has a sum of dims for a
/// subscript; null if there is none.
mlir::OpOperand *getWindowedInput(mlir::linalg::LinalgOp op);

/// What `matchTile` finds out.
struct WindowInfo {
  /// The inputs that the body reads, and which of them has the windows: null if
  /// there are none.
  llvm::SmallVector<mlir::OpOperand *> inputs;
  mlir::OpOperand *image;
  /// The map of the result, and its last dim.
  mlir::AffineMap output;
  int64_t vectorDim;
  /// The dim of groups, if the sum has some, or -1.
  int64_t groupDim = -1;
};

/// A sum of products in groups that instructions are for: as many neighbours as
/// a sum is wide, along a dim that is last in both inputs. One of them has
/// vectors of groups, side by side along the result's last dim; of the other
/// one, a group is multiplied by all of these.
struct GroupedSum {
  int64_t dim, size;
  /// The input that has vectors, and the other one.
  mlir::OpOperand *vectors, *single;
  bool isSingleUnsigned, areVectorsUnsigned;
};

std::optional<GroupedSum> matchGroupedSum(mlir::linalg::LinalgOp op);

/// A map of such an input as one of groups.
mlir::AffineMap dropGroup(mlir::AffineMap map);

/// Whether vectors along the last dim of the result can compute `op`, a tile of
/// it in registers while its sums go on.
mlir::FailureOr<WindowInfo> matchTile(mlir::linalg::LinalgOp op,
                                      DeclineFn onDecline = nullptr);

/// The same of an op that has windows.
mlir::FailureOr<WindowInfo> matchWindow(mlir::linalg::LinalgOp op);

/// The same of a contraction whose operands all lie along the last dim of the
/// result: a batch of products, element by element. Or a row times a matrix, of
/// numbers that are extended to be multiplied, each once: a panel would be
/// written and read for nothing.
mlir::FailureOr<WindowInfo> matchBatchLast(mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_WINDOWANALYSIS_H
