//===- LeadingDims.h - The map to the first dims ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_LEADINGDIMS_H
#define EIN_IR_LEADINGDIMS_H

#include "mlir/IR/AffineMap.h"

namespace ein {

/// (d0, …, d[numLoops-1]) -> (d0, …, d[rank-1]); rank may be 0.
inline mlir::AffineMap getLeadingDims(unsigned numLoops, unsigned rank,
                                      mlir::MLIRContext *context) {
  auto identity = mlir::AffineMap::getMultiDimIdentityMap(numLoops, context);
  return mlir::AffineMap::get(numLoops, 0,
                              identity.getResults().take_front(rank), context);
}

} // namespace ein

#endif // EIN_IR_LEADINGDIMS_H
