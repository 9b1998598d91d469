//===- SquareBlock.cpp - Squares that may go past the caches --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/SquareBlock.h"

using namespace mlir;

namespace ein {

ArrayAttr SquareBlock::getAttr(Builder &b) const {
  return b.getI64ArrayAttr({bytes, axis, columns, rows});
}

SquareBlock SquareBlock::get(ArrayAttr attr) {
  auto at = [&](unsigned i) { return cast<IntegerAttr>(attr[i]).getInt(); };
  return {at(0), at(1), at(2), at(3)};
}

} // namespace ein
