//===- ReportOrder.cpp - Which loops run in order -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/select/ReportOrder.h"
#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace ein {

/// `sequential along `t`, vectors along `c``, of an innermost loop; nothing of
/// the first steps of a recurrence, which have no mark.
static std::string describe(scf::ForOp inner) {
  std::string inOrder, independent;
  for (scf::ForOp loop = inner; loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    std::string name = "`" + getIndexNames(loop.getLoc(), 1).front() + "`";
    if (loop->hasAttr(EinDialect::kInOrderAttr))
      inOrder = name + (inOrder.empty() ? "" : ", ") + inOrder;
    else if (!loop->hasAttr(EinDialect::kIndependentAttr))
      return "";
    else if (loop == inner)
      independent = ", vectors along " + name;
  }
  return inOrder.empty() ? "" : "sequential along " + inOrder + independent;
}

void reportOrder(FunctionOpInterface function) {
  if (!function->getContext()->getRemarkEngine())
    return;
  function->walk([](scf::ForOp loop) {
    bool hasInner =
        loop.getBody()
            ->walk([](scf::ForOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    std::string text = hasInner ? "" : describe(loop);
    if (!text.empty())
      remark::analysis(loop.getLoc(),
                       remark::RemarkOpts::name("Order").category("strategy"))
          << text;
  });
  function->walk(
      [](scf::ForOp loop) { loop->removeAttr(EinDialect::kInOrderAttr); });
}

} // namespace ein
