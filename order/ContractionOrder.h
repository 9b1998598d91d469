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
// of all labels that either has, in multiplications, and as many additions if a
// label is summed. The result keeps the labels that the output or another
// tensor still needs. A label that one operand has alone and the output has not
// is summed out of that operand before the first step; that is one pass over
// the operand in any order, and is not counted.
//
// Flops decide. Of orders with the same flops, of which there are many where
// sizes are alike, the one is taken that reads and writes fewer elements: these
// are what packing moves.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_CONTRACTIONORDER_H
#define EIN_ORDER_CONTRACTIONORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <utility>

namespace ein {

/// A subscript such as `2*h + kh`: what it is a sum of, each index once.
struct LabelSum {
  struct Term {
    unsigned label;
    int64_t coefficient; // positive
    bool operator==(const Term &other) const {
      return label == other.label && coefficient == other.coefficient;
    }
  };
  llvm::SmallVector<Term> terms;

  bool operator==(const LabelSum &other) const { return terms == other.terms; }
  /// How many values it has if its labels have `sizes`.
  double getSize(llvm::ArrayRef<double> sizes) const;
};

/// The labels of an einsum: a hypergraph whose vertices are the operands and
/// whose edges are the labels. A label may be in any number of operands, and in
/// the output or not. Bit vectors have one bit per label.
struct ContractionNetwork {
  /// Finite and not negative; the estimate for a size that is not known yet.
  llvm::SmallVector<double> labelSizes;
  llvm::SmallVector<llvm::SmallBitVector> operands;
  llvm::SmallBitVector output;
  /// Whether it is more than an einsum (ProductSearch.h).
  bool hasArithmetic = false;
  /// The last labels are sums of the first ones, the indices.
  llvm::SmallVector<LabelSum> sums;
  /// The indices of conditions: a point where one does not hold adds nothing.
  llvm::SmallVector<llvm::SmallBitVector> conditions;
  /// What an element of a step's result takes in memory.
  unsigned elementBytes = 4;
  /// What is contracted on its own, whatever it costs: each has two members or
  /// more, operands or groups. Groups count on from the operands and come after
  /// their members; nothing is in two.
  llvm::SmallVector<llvm::SmallVector<unsigned>> groups;
  /// Products of two that others need as well (SharedProducts.h): such a step
  /// costs nothing. Members are operands, or such products, which count on from
  /// the operands; none is the product of all. No two are of the same operands.
  llvm::SmallVector<std::pair<unsigned, unsigned>> shared;

  unsigned getNumIndices() const { return labelSizes.size() - sums.size(); }
  /// Adds a sum of indices, or finds it; returns its label. Bit vectors are to
  /// be resized when all are there.
  unsigned addSum(LabelSum sum);
  /// Sets the sizes of sums to what the indices' say.
  void updateSums();
};

/// Contracts tensors `lhs` < `rhs`. Operands are numbered from 0; the result of
/// step i is number N + i (opt_einsum's SSA path). Each is used exactly once.
struct ContractionStep {
  unsigned lhs;
  unsigned rhs;
  /// The labels that the result keeps.
  llvm::SmallBitVector result;
  /// Of a network with index arithmetic: what the step loops over. An operand's
  /// sum that is not among it is one of indices that are.
  llvm::SmallBitVector loops = {};
  /// The conditions that are looked at in this step.
  llvm::SmallBitVector conditions = {};
  /// Which of the network's shared products it is.
  std::optional<unsigned> shared = {};
};

/// A loop round steps, in which a label has `size` of its extent at a time. The
/// extent is a multiple of it.
struct ContractionSlice {
  unsigned label;
  uint64_t size;
};

/// How an order was found.
enum class PathQuality {
  /// No order has fewer flops.
  Optimal,
  /// None that makes no outer product has.
  OptimalWithoutOuter,
  /// The best of those that a search came across.
  Searched,
  /// It was asked for, or there is only one.
  Given,
};
llvm::StringRef getName(PathQuality quality);

struct ContractionPath {
  llvm::SmallVector<ContractionStep> steps;
  /// Of a network with index arithmetic, by operand, what is left when the
  /// indices are summed that nothing else has, in loops over these; no loops if
  /// there are none.
  struct OwnSum {
    llvm::SmallBitVector result, loops;
  };
  llvm::SmallVector<OwnSum> ownSums;
  /// Multiplications and additions of all steps.
  double flops = 0;
  /// Those of them that are additions.
  double additions = 0;
  /// Elements that the steps read and write.
  double elements = 0;
  /// Elements of the largest result of a step but the last, whose result is the
  /// output; 0 if there is none.
  double largestIntermediate = 0;
  PathQuality quality = PathQuality::Given;
  /// The outermost loop is the first. Costs are those of all rounds.
  llvm::SmallVector<ContractionSlice> slices;
  /// What the results of all steps but the last take, in slices: parts of one
  /// allocation that begin at cache lines. Set by findContractionOrders.
  double temporaryBytes = 0;
};

enum class PathStrategy {
  /// Optimal up to 20 operands unless that takes more than about a second, and
  /// searched beyond.
  Auto,
  /// The same with some thirty times as much time.
  Optimal,
  /// numpy's.
  Greedy,
  /// As written: ((0, 1), 2), ...
  Left,
};
/// Their names, in order.
llvm::ArrayRef<llvm::StringRef> getPathStrategies();
std::optional<PathStrategy> parsePathStrategy(llvm::StringRef name);

struct ContractionOrderOptions {
  PathStrategy strategy = PathStrategy::Auto;
  /// How many trees a search evaluates; 0: as many as take about a second.
  uint64_t effort = 0;
  /// Of the search's random numbers.
  uint64_t seed = 1;
  /// Sums of floats are as they are written, so that nobody asks for an order.
  bool keepsOrder = false;
  /// What temporaries may take; 0 for any amount.
  uint64_t maxTempBytes = 0;
  /// Nothing chooses from several orders when the code runs.
  bool wantsOne = false;
  /// How many threads a search may use; 0: one per core. The result does not
  /// depend on it.
  unsigned numThreads = 0;

  /// Whether the order with the fewest operations is asked for.
  bool wantsCheapest() const {
    return strategy == PathStrategy::Auto || strategy == PathStrategy::Optimal;
  }
};

/// The best order that `groups` allow and that is found. The same network gives
/// the same path, whatever its labels are called.
ContractionPath
findContractionOrder(const ContractionNetwork &network,
                     const ContractionOrderOptions &options = {});

/// The orders to choose from when the sizes of the labels in `dynamic` are
/// known: first the one for the network's sizes, then at most two more, each of
/// which is the cheapest for some other sizes and makes up for most of what the
/// ones before it lose over all. One order if the network has groups or more
/// than six operands, or if one is asked for that is not the cheapest, or that
/// takes little memory. That one is sliced (Slicing.h); if no slices are small
/// enough, its temporaries take more than is allowed.
///
/// None of a network with index arithmetic if one nest of loops over all
/// indices takes no more operations and no order is asked for, or if
/// temporaries would be too large.
llvm::SmallVector<ContractionPath>
findContractionOrders(const ContractionNetwork &network,
                      const llvm::SmallBitVector &dynamic,
                      const ContractionOrderOptions &options = {});

/// The path that a given order of pairs makes, in the numbering of
/// ContractionStep. There must be N - 1 pairs that use each number once. Of a
/// network with index arithmetic it is the cheapest path in that order.
ContractionPath
applyContractionOrder(const ContractionNetwork &network,
                      llvm::ArrayRef<std::pair<unsigned, unsigned>> pairs);

} // namespace ein

#endif // EIN_ORDER_CONTRACTIONORDER_H
