//===- DropUnsignedWrap.cpp - Strides may be negative ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is told strides, and a caller may turn an axis round. Upstream's
// lowering of memrefs says of every product and sum on the way to an address
// that it does not wrap as an unsigned number, which is false then, and LLVM
// believes it. Removing a promise is always right.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/llvm/Passes.h"

namespace ein {
#define GEN_PASS_DEF_DROPUNSIGNEDWRAP
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {
struct DropUnsignedWrapPass : impl::DropUnsignedWrapBase<DropUnsignedWrapPass> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto address = dyn_cast<LLVM::GEPOp>(op))
        address.setNoWrapFlags(address.getNoWrapFlags() &
                               ~LLVM::GEPNoWrapFlags::nuw);
      else if (auto sum = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
        sum.setOverflowFlags(sum.getOverflowFlags() &
                             ~LLVM::IntegerOverflowFlags::nuw);
    });
  }
};
} // namespace
} // namespace ein
