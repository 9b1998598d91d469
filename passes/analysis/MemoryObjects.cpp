//===- MemoryObjects.cpp - What a view is a part of -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/MemoryObjects.h"
#include "ir/WrittenForm.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace ein {

Value getObject(Value memref) {
  while (true) {
    if (isa<BlockArgument>(memref)) {
      auto argument = cast<BlockArgument>(memref);
      auto function =
          dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
      // The written form is what is called where arguments overlap.
      bool isApart =
          function && !function.getName().starts_with(kWrittenPrefix);
      return isApart ? memref : Value();
    }
    Operation *op = memref.getDefiningOp();
    if (isa<memref::AllocOp, memref::AllocaOp, memref::ViewOp>(op))
      return memref;
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      memref = view.getViewSource();
    else
      return Value();
  }
}

} // namespace ein
