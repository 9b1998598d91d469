//===- DotKernel.h - The register tile of sums along vectors ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_DOTKERNEL_H
#define EIN_TARGET_DOTKERNEL_H

#include "target/Target.h"

namespace ein {

/// The tile of C whose elements are each a vector of partial sums along k, in
/// registers: `rows` by `columns` of them, `unroll` vectors of k a step.
struct DotKernel {
  unsigned rows;
  unsigned columns;
  unsigned unroll;
};

/// `rows` and `columns` are the extents of C, none if they are dynamic.
DotKernel getDotKernel(const TargetInfo &target, std::optional<int64_t> rows,
                       std::optional<int64_t> columns);

} // namespace ein

#endif // EIN_TARGET_DOTKERNEL_H
