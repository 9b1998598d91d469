//===- SharedProducts.h - Products that several sums need -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cheapest order of each einsum alone need not be the cheapest of several:
// of `X = A B C` and `Y = A B`, the first one's product of A and B costs
// nothing, as the second one needs it anyway.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_SHAREDPRODUCTS_H
#define EIN_ORDER_SHAREDPRODUCTS_H

#include "order/ContractionOrder.h"

namespace ein {

/// An einsum among others.
struct EinsumOfSeveral {
  /// Its `shared` is what is to be found.
  ContractionNetwork network;
  struct Operand {
    /// The same number for the same values; none if nobody else has them.
    std::optional<unsigned> tensor;
    /// By dim.
    llvm::SmallVector<unsigned> labels;
  };
  llvm::SmallVector<Operand> operands;
  /// What it is computed in, by number.
  unsigned type = 0;
  /// Some of its sizes are not known, so that its order is chosen when it runs.
  bool isDynamic = false;
  /// It starts from zero: others may read what it has computed.
  bool isReadable = true;
  /// Nobody has said in which order it is computed.
  bool isFree = true;
};

/// Finds the products for `shared` with which all of `einsums`, in the order in
/// which they are computed, take the fewest operations. One that is dynamic
/// shares what is the whole of another one, so that it is there whatever the
/// sizes are. Einsums of more than SearchKnobs::kMostForSubsets operands are
/// left alone.
void findSharedProducts(llvm::MutableArrayRef<EinsumOfSeveral> einsums,
                        const ContractionOrderOptions &options = {});

/// Counts each sum once that several of `paths` compute, one per einsum: where
/// it is all of an einsum, or else where it comes first.
void countSharedFlops(llvm::ArrayRef<EinsumOfSeveral> einsums,
                      llvm::MutableArrayRef<ContractionPath> paths);

} // namespace ein

#endif // EIN_ORDER_SHAREDPRODUCTS_H
