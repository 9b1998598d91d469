//===- StepLayouts.h - In which order the results of steps lie --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of an order of contraction leave temporaries, whose dims may be in
// any order. A step is a matrix product if what it sums lies together in both
// operands, and the last dims of its result together in one of them; it is slow
// if these are few, as vectors lie along them, and an operand that lies
// otherwise is copied. So each temporary's order makes one step cheaper and
// another one dearer.
//
// This starts from the orders that the steps that read ask for, and changes one
// temporary's at a time as long as that makes the steps cheaper that write and
// read it, by a model of what `ein-select-schedule` does with them. Exact would
// be dynamic programming over the tree of steps, with the product of three
// temporaries' orders at each of them; a network may have thousands of steps.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_STEPLAYOUTS_H
#define EIN_ORDER_STEPLAYOUTS_H

#include "order/ContractionOrder.h"
#include <functional>

namespace ein {

/// The labels of a tensor, from the outermost one to the one that is
/// contiguous. None is there twice.
using Layout = llvm::SmallVector<unsigned>;

/// What a contraction of two tensors takes, whose dims lie so, in cycles.
/// `sizes` are those of the labels. Who knows a machine knows it
/// (passes/select/StepPricer.h).
using StepPricer = std::function<double(
    llvm::ArrayRef<double> sizes, llvm::ArrayRef<unsigned> lhs,
    llvm::ArrayRef<unsigned> rhs, llvm::ArrayRef<unsigned> result)>;

/// The layout of what each step of `path` leaves; the last one's is that of the
/// output. `operands` has those of the network's operands and then the
/// output's. Those without the labels of one element, which may be anywhere,
/// decide.
llvm::SmallVector<Layout> findStepLayouts(const ContractionNetwork &network,
                                          const ContractionPath &path,
                                          llvm::ArrayRef<Layout> operands,
                                          const StepPricer &pricer);

} // namespace ein

#endif // EIN_ORDER_STEPLAYOUTS_H
