//===- Cost.h - What an op will take ----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_COST_H
#define EIN_PASSES_SELECT_COST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/Strategy.h"
#include "target/Target.h"

namespace ein {

/// Prints `2.1e+09`, and small numbers in full.
void printCount(llvm::raw_ostream &os, double count);

/// For people: the class of the op, its operations, the bytes that it moves if
/// it runs by `strategy`, and which of both takes longer.
std::string describeCost(mlir::linalg::LinalgOp op, const Strategy &strategy,
                         const TargetInfo &target);

} // namespace ein

#endif // EIN_PASSES_SELECT_COST_H
