//===- ContractionOrder.h - In which order to contract ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An einsum of N operands is evaluated as N - 1 einsums of two, and the order
// changes its cost by powers of the sizes. This finds an order from the labels
// and their sizes alone; it knows nothing of MLIR.
//
// How a step is counted: contracting two tensors costs the product of the sizes
// of all labels that either has, in multiply-adds. The result keeps the labels
// that the output or another tensor still needs. A label that one operand has
// alone and the output has not is summed out of that operand before the first
// step; that is one pass over the operand in any order, and is not counted.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_CONTRACTIONORDER_H
#define EIN_PASSES_ANALYSIS_CONTRACTIONORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace ein {

/// The labels of an einsum: a hypergraph whose vertices are the operands and
/// whose edges are the labels. A label may be in any number of operands, and in
/// the output or not. Bit vectors have one bit per label.
struct ContractionNetwork {
  /// Finite and not negative; the estimate for a size that is not known yet.
  llvm::SmallVector<double> labelSizes;
  llvm::SmallVector<llvm::SmallBitVector> operands;
  llvm::SmallBitVector output;
  /// What is contracted on its own, whatever it costs: each has two members or
  /// more, operands or groups. Groups count on from the operands and come after
  /// their members; nothing is in two.
  llvm::SmallVector<llvm::SmallVector<unsigned>> groups;
};

/// Contracts tensors `lhs` < `rhs`. Operands are numbered from 0; the result of
/// step i is number N + i (opt_einsum's SSA path). Each is used exactly once.
struct ContractionStep {
  unsigned lhs;
  unsigned rhs;
  /// The labels that the result keeps.
  llvm::SmallBitVector result;
};

struct ContractionPath {
  llvm::SmallVector<ContractionStep> steps;
  /// Multiply-adds of all steps.
  double flops = 0;
  /// Elements of the largest result of a step but the last, whose result is the
  /// output; 0 if there is none.
  double largestIntermediate = 0;
};

enum class PathStrategy {
  /// Optimal up to `exactLimit` operands, greedy beyond.
  Auto,
  /// Optimal up to the hard limit of 16 operands, greedy beyond.
  Optimal,
  Greedy,
  /// As written: ((0, 1), 2), ...
  Left,
};

struct ContractionOrderOptions {
  PathStrategy strategy = PathStrategy::Auto;
  /// Networks with more operands are taken apart into those connected by
  /// labels; each part that still has more goes to the greedy search.
  unsigned exactLimit = 12;
};

/// The order with the fewest multiply-adds that `groups` allow, and among those
/// with the smallest largest intermediate, outer products included; or a good
/// one found by greedy search. The same network gives the same path.
ContractionPath
findContractionOrder(const ContractionNetwork &network,
                     const ContractionOrderOptions &options = {});

/// The orders to choose from when the sizes of the labels in `open` are known:
/// first the one for the network's sizes, then at most two more, each of which
/// is the cheapest for some other sizes and makes up for most of what the ones
/// before it lose over all. One order if the network has groups or more than
/// six operands.
llvm::SmallVector<ContractionPath>
findContractionOrders(const ContractionNetwork &network,
                      const llvm::SmallBitVector &open);

/// The path that a given order of pairs makes, in the numbering of
/// ContractionStep. There must be N - 1 pairs that use each number once.
ContractionPath
applyContractionOrder(const ContractionNetwork &network,
                      llvm::ArrayRef<std::pair<unsigned, unsigned>> pairs);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_CONTRACTIONORDER_H
