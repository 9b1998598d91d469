//===- WideSumOp.cpp - ein.wide_sum ---------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"

using namespace mlir;

namespace ein {

LogicalResult WideSumOp::verify() {
  VectorType from = getElements().getType(), to = getStart().getType();
  if (from.getNumElements() % to.getNumElements() != 0)
    return emitOpError("adds ") << from.getNumElements() << " elements to "
                                << to.getNumElements() << " lanes";
  Type narrow = from.getElementType(), wide = to.getElementType();
  bool isExtension =
      isa<FloatType>(narrow) == isa<FloatType>(wide) &&
      narrow.getIntOrFloatBitWidth() < wide.getIntOrFloatBitWidth();
  if (narrow != wide && !isExtension)
    return emitOpError("does not extend ") << narrow << " to " << wide;
  if (getIsUnsigned() && isa<FloatType>(wide))
    return emitOpError("has no unsigned numbers in ") << narrow;
  return success();
}

} // namespace ein
