//===- TargetSlice.h - Which part of a target is written --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: the left side and the statement, whose ranges are known. Comes out:
// which part of the target is written, and which indices run from its end. A
// target without a shape gets one.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_TARGETSLICE_H
#define EIN_FRONTEND_CHECK_TARGETSLICE_H

#include "frontend/check/Target.h"

namespace ein {

struct TargetSlice {
  /// None if all of the target is written.
  std::vector<TargetDim> dims;
  /// Those with a negative factor on the left.
  llvm::SmallVector<IndexId, 2> reversed;
};

llvm::FailureOr<TargetSlice> checkSlice(const StatementContext &context,
                                        Statement &statement,
                                        const CheckedTarget &target,
                                        const IndexTable &table);

/// What is written from its end is written from its start, by indices that run
/// the other way: a slice has a positive step.
void reverseIndices(Def &def, Statement &statement,
                    llvm::ArrayRef<IndexId> reversed);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_TARGETSLICE_H
