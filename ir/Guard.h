//===- Guard.h - What sizes one of several schedules is for -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_GUARD_H
#define EIN_IR_GUARD_H

#include "mlir/IR/OpImplementation.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace ein {

/// `d0 * d2 at_most 131072`: of the op's loops, how many points some have
/// together. Of the loops that an operand has in its subscripts this says how
/// many of its elements, or bytes, they touch.
struct SizeBound {
  llvm::SmallVector<int64_t> dims;
  int64_t bound = 0;
  bool isLeast = false; // `at_least`

  bool operator==(const SizeBound &other) const {
    return dims == other.dims && bound == other.bound &&
           isLeast == other.isLeast;
  }
};

/// All of them hold.
using Guard = llvm::SmallVector<SizeBound>;

/// Bounds, with `and` between them.
mlir::ParseResult parseGuard(mlir::AsmParser &parser, Guard &guard);
void printGuard(const Guard &guard, llvm::raw_ostream &os);

/// The same with other names for the dims, and `<=` and `>=`, for people.
std::string describeGuard(const Guard &guard,
                          llvm::ArrayRef<std::string> names);

} // namespace ein

#endif // EIN_IR_GUARD_H
