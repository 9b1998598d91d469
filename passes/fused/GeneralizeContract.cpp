//===- GeneralizeContract.cpp - ein.contract to linalg.generic ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiling, fusion and bufferisation are upstream's, and know upstream's ops. A
// generic says all that `ein.contract` does; whoever needs the kind again
// (ein-select-schedule, ein-vectorize-tiles) reads it off the body.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/fused/Passes.h"

namespace ein {
#define GEN_PASS_DEF_GENERALIZECONTRACT
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {
struct GeneralizeContractPass
    : impl::GeneralizeContractBase<GeneralizeContractPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<ContractOp> ops;
    getOperation().walk([&](ContractOp op) { ops.push_back(op); });
    for (ContractOp op : ops) {
      rewriter.setInsertionPoint(op);
      linalg::GenericOp generic = op.generalize(rewriter);
      for (NamedAttribute attr : op->getDiscardableAttrs())
        generic->setDiscardableAttr(attr.getName(), attr.getValue());
      rewriter.replaceOp(op, generic);
    }
  }
};
} // namespace

} // namespace ein
