//===- StepPricer.h - What a step of an order takes -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In which order the dims of what is between two contractions lie is decided
// before either is an op. So each is made outside of all functions, as it would
// be, and decided on: a first look at it (GivenChoices::isQuick), as there may
// be thousands of steps in tens of orders each. Steps of one shape have one
// price, whatever their dims are called.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_STEPPRICER_H
#define EIN_PASSES_SELECT_STEPPRICER_H

#include "mlir/IR/Types.h"
#include "passes/select/MachineChoice.h"
#include "llvm/ADT/SmallBitVector.h"
#include <functional>

namespace ein {

/// What steps on tensors of one type take, on one machine. `dynamic` are labels
/// whose sizes are what they count as.
using OpenStepPricer = std::function<double(
    llvm::ArrayRef<double> sizes, const llvm::SmallBitVector &dynamic,
    llvm::ArrayRef<unsigned> lhs, llvm::ArrayRef<unsigned> rhs,
    llvm::ArrayRef<unsigned> result)>;

/// Fails, having said so at `op`, if there is no such machine.
mlir::FailureOr<OpenStepPricer> createStepPricer(mlir::Operation *op,
                                                 const MachineChoice &choice,
                                                 mlir::Type element);

} // namespace ein

#endif // EIN_PASSES_SELECT_STEPPRICER_H
