//===- ProductDims.h - Which dims make a matrix product ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the choice of dims that become one (SelectGett.h) and the model of it
// that orders the dims of temporaries (StepLayouts.h) have in common.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_PRODUCTDIMS_H
#define EIN_ORDER_PRODUCTDIMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdint>

namespace ein {

/// Columns and rows that a product should have, and that are as good as more.
inline constexpr int64_t kFewColumns = 64, kEnoughColumns = 256;
inline constexpr int64_t kFewRows = 12, kEnoughRows = 48;

/// Whether `dims` follow each other, in this order, in `list`.
template <typename T>
bool isRun(llvm::ArrayRef<T> list, llvm::ArrayRef<T> dims) {
  if (dims.empty())
    return true;
  const T *first = llvm::find(list, dims.front());
  return size_t(list.end() - first) >= dims.size() &&
         llvm::equal(dims, llvm::ArrayRef<T>(first, dims.size()));
}

} // namespace ein

#endif // EIN_ORDER_PRODUCTDIMS_H
