//===- ConvertStructuredForm.cpp - Between generic, contract and named ops
//--------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The three forms say the same at different lengths. Every way between them
// goes through the generic, which all of them have: so each form is written to
// and read from once, and the proof is the same everywhere.
//
// The pipeline needs one of these ways only, to `linalg.contract`. The others
// are for libraries, which are called by named ops, and for people.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "passes/analysis/Raising.h"
#include "passes/contract/Passes.h"
#include "passes/contract/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_CONVERTSTRUCTUREDFORM
#include "passes/contract/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

FailureOr<Operation *> raiseToNamed(RewriterBase &rewriter, Operation *op) {
  linalg::GenericOp generic = createGeneric(rewriter, op);
  if (!generic)
    return rewriter.notifyMatchFailure(op, "it has no generic form");
  Operation *named = createNamed(rewriter, generic);
  rewriter.eraseOp(generic);
  if (!named)
    return rewriter.notifyMatchFailure(op, "no named op is the same");
  copyDiscardableAttrs(op, named);
  rewriter.replaceOp(op, named);
  return named;
}

namespace {
struct ConvertStructuredFormPass
    : impl::ConvertStructuredFormBase<ConvertStructuredFormPass> {
  using ConvertStructuredFormBase::ConvertStructuredFormBase;
  void runOnOperation() override {
    FailureOr<Operation *> (*morph)(RewriterBase &, Operation *) = nullptr;
    if (to == "named")
      morph = raiseToNamed;
    else if (to == "contract")
      morph = raiseAnyToContract;
    else if (to == "generic")
      morph = generalize;
    if (!morph) {
      getOperation().emitError("there is no form `")
          << to << "`; there are named, contract and generic";
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<linalg::LinalgOp, ContractOp>(op) && !isInForm(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      numMorphed += succeeded(morph(rewriter, op));
  }

private:
  bool isInForm(Operation *op) {
    if (to == "generic")
      return isa<linalg::GenericOp>(op);
    bool isContract = isa<linalg::ContractOp>(op);
    return to == "contract"
               ? isContract
               : !isContract && !isa<linalg::GenericOp, ContractOp>(op);
  }
};
} // namespace

} // namespace ein
