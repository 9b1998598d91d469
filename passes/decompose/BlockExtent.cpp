//===- BlockExtent.cpp - Pieces of a dim
//---------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/decompose/BlockExtent.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;

namespace ein {

OpFoldResult getBlockLength(ImplicitLocOpBuilder &b, int64_t size,
                            OpFoldResult begin, OpFoldResult end) {
  AffineExpr last, first;
  bindDims(b.getContext(), last, first);
  return affine::makeComposedFoldedAffineMin(
      b, b.getLoc(),
      AffineMap::get(2, 0, {b.getAffineConstantExpr(size), last - first},
                     b.getContext()),
      {end, begin});
}

} // namespace ein
