//===- Slicing.h - Fewer elements at a time ---------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the results between the steps of an order may need more memory than
// there is.
//
// Choice: slicing, as cotengra has it. A loop over a label is put round the
// steps, in which that label has a part of its extent: tensors that have the
// label are smaller, and steps that have nothing to do with it are taken out of
// the loop or, if they use what is made in it, done more than once. Labels are
// chosen one after the other, of the largest result always the one that costs
// the fewest operations, until everything fits; then parts are made as large as
// they may be.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_SLICING_H
#define EIN_ORDER_SLICING_H

#include "order/ContractionOrder.h"

namespace ein {

/// By step, how many of the path's loops are round it.
llvm::SmallVector<unsigned> getStepDepths(const ContractionNetwork &network,
                                          const ContractionPath &path);
/// By operand, how many of the path's loops have to be round a step that reads
/// it.
llvm::SmallVector<unsigned> getOperandDepths(const ContractionNetwork &network,
                                             const ContractionPath &path);

/// Slices `path` so that its temporaries take at most `limit` bytes. Labels in
/// `dynamic` have extents that are not known, and so slices of one. False if no
/// slices are small enough; the path has then those that are the smallest.
bool slicePath(const ContractionNetwork &network,
               const llvm::SmallBitVector &dynamic, double limit,
               ContractionPath &path);

/// By step, its multiplications and additions in all rounds of the path's
/// slices. Their sum is the path's, but for what operands are summed to before.
llvm::SmallVector<double> countStepFlops(const ContractionNetwork &network,
                                         const ContractionPath &path);

/// Sets the path's costs to those of all rounds of its slices.
void countSlicedFlops(const ContractionNetwork &network, ContractionPath &path);

} // namespace ein

#endif // EIN_ORDER_SLICING_H
