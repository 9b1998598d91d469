//===- ReportLoops.cpp - Which type each loop has -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It is said while ops are still what the source says, and before fusion makes
// several of them one nest. A scatter or a recurrence is loops already; what
// they are, the emitter has marked. Its marks hold for fixed indices of the
// loops outside, so that nothing follows for another order of the loops.
//
//===----------------------------------------------------------------------===//

#include "passes/contract/ReportLoops.h"
#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "passes/analysis/LoopTypes.h"

using namespace mlir;

namespace ein {

static void report(Location loc, ArrayRef<LoopType> types,
                   ArrayRef<std::string> names) {
  remark::analysis(loc, remark::RemarkOpts::name("Loops").category("loops"))
      << printLoopTypes(types, names);
}

/// The loops of a statement in order, from its innermost one.
static void reportNest(scf::ForOp inner) {
  SmallVector<LoopType> types;
  SmallVector<std::string> names;
  for (scf::ForOp loop = inner; loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    bool isInOrder = loop->hasAttr(EinDialect::kInOrderAttr);
    if (!isInOrder && !loop->hasAttr(EinDialect::kIndependentAttr))
      return; // the first steps of a recurrence, or a user's loop
    LoopType type;
    if (!isInOrder) {
      type.kind = LoopType::Parallel;
      type.isPartition = true;
    }
    types.insert(types.begin(), type);
    names.insert(names.begin(), getIndexNames(loop.getLoc(), 1).front());
  }
  report(inner.getLoc(), types, names);
}

void reportLoops(Operation *root) {
  root->walk([](Operation *op) {
    if (isa<linalg::LinalgOp, ContractOp>(op) && !isa<linalg::FillOp>(op)) {
      SmallVector<LoopType> types = getLoopTypes(op);
      if (!types.empty())
        report(op->getLoc(), types, getIndexNames(op->getLoc(), types.size()));
      return;
    }
    auto loop = dyn_cast<scf::ForOp>(op);
    bool isInner =
        loop && !loop.getBody()
                     ->walk([](scf::ForOp) { return WalkResult::interrupt(); })
                     .wasInterrupted();
    if (isInner)
      reportNest(loop);
  });
}

} // namespace ein
