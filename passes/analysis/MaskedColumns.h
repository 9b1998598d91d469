//===- MaskedColumns.h - Columns that a mask leaves nothing of --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention with a causal mask: of a block of rows, the columns behind the last
// row's place get one number each, and the weights that become of it are zero.
// Which columns that are is found here, from comparisons of indices in a body.
// What becomes of the number is left to the code: it computes that for each
// row, without the columns, and looks whether they would have made a
// difference. So the mask may be -inf, or any number; where it does not do what
// it is for (a row without anything to see, say), all columns are computed.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_MASKEDCOLUMNS_H
#define EIN_PASSES_ANALYSIS_MASKEDCOLUMNS_H

#include "passes/analysis/RowColumns.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir {
class ImplicitLocOpBuilder;
} // namespace mlir

namespace ein {

/// A sum of multiples of where loops are, of values that are known before the
/// loop over columns, and of a number.
struct LinearForm {
  /// Per loop of the op.
  llvm::SmallVector<int64_t> loops;
  /// From outside of the op, or an argument of its body.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> values;
  int64_t number = 0;
};

/// What a value of a form is at most, beside its sign; of a larger one nothing
/// is known, as sums of it could wrap.
inline constexpr int64_t kMostInForm = int64_t(1) << 40;

class MaskedColumns : public RowColumns {
public:
  /// None if nothing says that some columns need not be computed.
  static std::optional<MaskedColumns> find(const FusionGroup &group);

  /// The ops of which no result leaves the loops, and which do not need the
  /// product: these are done anew if the mask has not done what it is for.
  bool isBefore(mlir::Operation *op) const { return before.contains(op); }

  /// Where the mask is; of a row, the columns from the least of `ends` on are
  /// masked.
  mlir::linalg::GenericOp getMask() const { return mask; }
  llvm::ArrayRef<LinearForm> getEnds() const { return ends; }

  /// The part of an op's operand at the rows where the loops are.
  using GetTile = llvm::function_ref<mlir::Value(mlir::OpOperand &)>;

private:
  friend class ColumnFinder;
  friend class CheckBuilder;

  mlir::linalg::GenericOp mask;
  /// What is known for masked columns: the arm of this one.
  mlir::Value decided, arm;
  llvm::SmallVector<LinearForm> ends;
  llvm::SmallPtrSet<mlir::Operation *, 8> before;
};

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_MASKEDCOLUMNS_H
