//===- MarkLoops.cpp - Schedules of ops that clean-up made ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Canonicalisation makes ops that nobody has decided on: copies, and fills of
// what was a part of another fill. They are loops. What a register tile starts
// from is one of them, and is in the tile's vectors when these are made.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/tiled/Passes.h"

namespace ein {
#define GEN_PASS_DEF_MARKLOOPS
#include "passes/tiled/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {
struct MarkLoopsPass : impl::MarkLoopsBase<MarkLoopsPass> {
  void runOnOperation() override {
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!op->hasAttr(EinDialect::kScheduleAttr))
        op->setAttr(EinDialect::kScheduleAttr,
                    Schedule().toAttr(&getContext()));
    });
  }
};
} // namespace

} // namespace ein
