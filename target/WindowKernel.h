//===- WindowKernel.h - Register tiles of any nest of sums ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_WINDOWKERNEL_H
#define EIN_TARGET_WINDOWKERNEL_H

#include "target/Target.h"

namespace ein {

/// A nest whose results lie in memory along one dim, the columns, and have
/// others, the rows, from the outermost inwards. Extents are none if dynamic.
struct WindowNest {
  struct Input {
    /// Per dim of rows: whether what is read depends on it.
    std::vector<bool> rows;
    /// Whether vectors of columns are read, or one element for all of them.
    bool isAlong = false;
  };
  std::vector<std::optional<int64_t>> rows;
  std::optional<int64_t> columns;
  std::vector<Input> inputs = {};
  /// A sum is two vectors and a mask (passes/analysis/IeeeMinMax.h).
  bool isTracked = false;
};

/// What stays in registers while a window is summed up: so many of each dim of
/// rows, each with `vectors` of `lanes` columns.
struct WindowKernel {
  std::vector<int64_t> rows;
  int64_t vectors = 1;
  int64_t lanes = 1;

  int64_t getNumSums() const;
};

/// Those that the machine has registers for, and that block at most two dims of
/// rows; the smallest is the first. `elementBits` is the width of a sum.
std::vector<WindowKernel> listWindowKernels(const TargetInfo &target,
                                            unsigned elementBits,
                                            const WindowNest &nest);

} // namespace ein

#endif // EIN_TARGET_WINDOWKERNEL_H
