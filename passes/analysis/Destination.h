//===- Destination.h - What a result was written to -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_DESTINATION_H
#define EIN_PASSES_ANALYSIS_DESTINATION_H

#include "mlir/IR/Value.h"

namespace ein {

/// The tensor that one op, or the rounds of a loop, wrote a result to. Null of
/// an op that makes a new tensor, and of a branch, whose sides may have written
/// to two.
mlir::Value getDestination(mlir::OpResult result);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_DESTINATION_H
