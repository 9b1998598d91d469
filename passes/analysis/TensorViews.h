//===- TensorViews.h - Ops that only move elements --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposition, a broadcast, a copy, a generic that yields its input:
// nothing is computed, and a reader may as well read where the elements come
// from.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_TENSORVIEWS_H
#define EIN_PASSES_ANALYSIS_TENSORVIEWS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace ein {

/// An op whose result is `source` where `map` says, over the result's dims.
struct TensorView {
  mlir::Value source;
  mlir::AffineMap map;
};

/// What the value is a view of; nothing if anything is computed on the way.
std::optional<TensorView> getTensorView(mlir::Value value);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_TENSORVIEWS_H
