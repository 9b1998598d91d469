//===- Destination.cpp - What a result was written to ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/Destination.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace ein {

Value getDestination(OpResult result) {
  Operation *op = result.getOwner();
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
    return style.getTiedOpOperand(result)->get();
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  OpOperand *init = loop ? loop.getTiedLoopInit(result) : nullptr;
  return init ? init->get() : Value();
}

} // namespace ein
