//===- ArgumentTypes.cpp - What strides a kernel's arguments have ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/memref/ArgumentTypes.h"

using namespace mlir;

namespace ein {

MemRefType getArgumentType(ShapedType array, Attribute memorySpace) {
  MemRefLayoutAttrInterface layout; // the identity, for a rank of 0 or 1
  if (array.getRank() > 1) {
    SmallVector<int64_t> strides(array.getRank(), ShapedType::kDynamic);
    strides.back() = 1;
    layout = StridedLayoutAttr::get(array.getContext(), /*offset=*/0, strides);
  }
  return MemRefType::get(array.getShape(), array.getElementType(), layout,
                         memorySpace);
}

} // namespace ein
