//===- RaiseToContract.cpp - Raise generics to contractions -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generic that multiplies two inputs and sums is a contraction, whoever wrote
// it: a user's .mlir, or packing. Packing, tiling and vectorisation recognise
// `linalg.contract` only, so raising decides whether an op runs fast; a wrong
// raise decides that it runs wrong. Hence the proof of Raising.h. What is
// combined otherwise than by a sum becomes `ein.contract`, for which upstream
// has no op.
//
// What became of each op, and why, is a remark of the category `raise`.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "passes/analysis/Decline.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/StrictFP.h"
#include "passes/contract/Passes.h"
#include "passes/contract/ReportLoops.h"
#include "passes/contract/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_RAISETOCONTRACT
#include "passes/contract/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {
/// Which contractions get an op that says so: what packing knows (sums on
/// tensors that `linalg.contract` can say) and reductions of other kinds, or
/// every one.
enum class Wanted { ForPacking, All };
} // namespace

/// Why a generic stays one that is a contraction, and wanted as one.
constexpr llvm::StringLiteral kOtherBody =
    "the contraction, generalised, has another body";

/// The kind of a generic that is a contraction, and is wanted as one.
static FailureOr<ContractionKind>
matchWanted(linalg::GenericOp op, Wanted wanted, DeclineFn onDecline) {
  FailureOr<ContractionKind> kind = matchContraction(op, onDecline);
  if (failed(kind) || wanted == Wanted::All)
    return kind;
  if (!op.hasPureTensorSemantics())
    return decline(onDecline, "its operands are buffers");
  if (op.getNumReductionLoops() != 0 && kind->hasOrder() && keepsOrder(op))
    return decline(onDecline, "the order of floating-point sums is kept");
  // Without a reduction it is elementwise code.
  if ((kind->isSum() || op.getNumReductionLoops() == 0) &&
      failed(matchLinalgContract(op.getIndexingMapsArray(), onDecline)))
    return failure();
  return kind;
}

static FailureOr<Operation *>
raiseGeneric(RewriterBase &rewriter, linalg::GenericOp op, Wanted wanted) {
  FailureOr<ContractionKind> kind =
      matchWanted(op, wanted, [&](StringRef reason) {
        (void)rewriter.notifyMatchFailure(op, reason);
      });
  if (failed(kind))
    return failure();

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Operation *contract;
  // Upstream's op has no indices for elements, and one cast for both.
  if (kind->isSum() && !kind->isMixed() &&
      !getElementTypeOrSelf(op->getOperand(2)).isIndex() &&
      succeeded(matchLinalgContract(op.getIndexingMapsArray()))) {
    contract = createContraction(
        rewriter, op.getLoc(), *kind, op->getResultTypes(), op.getDpsInputs(),
        op.getDpsInits()[0], op.getIndexingMapsArray());
    // `ein.contract` was proved to mean it; upstream's op is another.
    linalg::GenericOp back = createGeneric(rewriter, contract);
    bool isProved = back && isSameGeneric(op, back, {0, 1});
    if (back)
      rewriter.eraseOp(back);
    if (!isProved) {
      rewriter.eraseOp(contract);
      return rewriter.notifyMatchFailure(op, kOtherBody);
    }
  } else {
    contract =
        createContract(rewriter, op.getLoc(), *kind, op->getResultTypes(),
                       op->getOperands().take_front(2), op->getOperand(2),
                       op.getIndexingMaps());
  }
  copyDiscardableAttrs(op, contract);
  rewriter.replaceOp(op, contract);
  return contract;
}

FailureOr<Operation *> raiseToContract(RewriterBase &rewriter,
                                       linalg::GenericOp op) {
  return raiseGeneric(rewriter, op, Wanted::ForPacking);
}

static FailureOr<Operation *>
raiseThroughGeneric(RewriterBase &rewriter, Operation *op, Wanted wanted) {
  linalg::GenericOp generic = createGeneric(rewriter, op);
  if (!generic)
    return rewriter.notifyMatchFailure(op, "it has no generic form");
  copyDiscardableAttrs(op, generic);
  FailureOr<Operation *> contract = raiseGeneric(rewriter, generic, wanted);
  if (failed(contract)) {
    rewriter.eraseOp(generic);
    return failure();
  }
  // What was said of the loops holds of the same loops.
  auto given = dyn_cast<ContractOp>(op);
  if (auto raised = dyn_cast<ContractOp>(*contract); raised && given)
    raised.setIteratorTypesAttr(given.getIteratorTypesAttr());
  rewriter.replaceOp(op, *contract);
  return *contract;
}

FailureOr<Operation *> raiseAnyToContract(RewriterBase &rewriter,
                                          Operation *op) {
  return raiseThroughGeneric(rewriter, op, Wanted::All);
}

/// Raises a sum of what another generic makes of two inputs, and nobody else
/// reads, as one with that, which is returned. A sum that is not a contraction
/// even so stays.
static FailureOr<Operation *> raiseWithProducer(RewriterBase &rewriter,
                                                linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "it is no sum of one input");
  OpOperand *input = op.getDpsInputOperand(0);
  auto producer = input->get().getDefiningOp<linalg::GenericOp>();
  if (!producer || !producer->hasOneUse() || producer.getNumDpsInputs() != 2 ||
      !linalg::areElementwiseOpsFusable(input))
    return rewriter.notifyMatchFailure(op, "its input is given");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = withPlacesOf(op.getLoc(), producer.getLoc());
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(rewriter, input);
  if (failed(fused))
    return failure();
  auto whole = cast<linalg::GenericOp>(fused->fusedOp);
  FailureOr<Operation *> contract = whole->getNumResults() == 1
                                        ? raiseToContract(rewriter, whole)
                                        : FailureOr<Operation *>(failure());
  if (failed(contract)) {
    rewriter.eraseOp(whole);
    return failure();
  }
  (*contract)->setLoc(loc);
  rewriter.replaceOp(op, *contract);
  return producer.getOperation();
}

/// Says what `op` is now.
static void remarkOn(Operation *op) {
  auto options = remark::RemarkOpts::name("Raise").category("raise");
  if (auto contract = dyn_cast<linalg::ContractOp>(op)) {
    remark::passed(op->getLoc(), options)
        << "contract: " +
               printRoles(op->getLoc(), contract.getIndexingMapsArray());
  } else if (auto contract = dyn_cast<ContractOp>(op)) {
    remark::passed(op->getLoc(), options)
        << "contract by " +
               vector::stringifyCombiningKind(contract.getKind()).str() + ": " +
               printRoles(op->getLoc(), contract.getIndexingMapsArray());
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    auto onDecline = [&](StringRef reason) {
      remark::missed(op->getLoc(), options) << ("generic: " + reason).str();
    };
    if (succeeded(matchWanted(generic, Wanted::ForPacking, onDecline)))
      onDecline(kOtherBody);
  } else if (isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp>(op)) {
    remark::passed(op->getLoc(), options)
        << "named: " + op->getName().getStringRef().str();
  }
}

/// Says what each op is, and of places that have no such op what is there: a
/// fill, or another shape of what another op has computed.
static void remarkOnAll(Operation *root) {
  llvm::SmallDenseSet<Attribute> places;
  auto getPlace = [](Operation *op) {
    return Attribute(op->getLoc()->findInstanceOf<FileLineColLoc>());
  };
  root->walk([&](Operation *op) {
    remarkOn(op);
    if (isa<linalg::LinalgOp, ContractOp>(op) && !isa<linalg::FillOp>(op))
      places.insert(getPlace(op));
  });
  root->walk([&](Operation *op) {
    if (!isa<linalg::FillOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
            op) ||
        !places.insert(getPlace(op)).second)
      return;
    remark::passed(op->getLoc(),
                   remark::RemarkOpts::name("Raise").category("raise"))
        << (isa<linalg::FillOp>(op) ? "named: " : "another shape: ") +
               op->getName().getStringRef().str();
  });
}

namespace {
struct RaiseToContractPass : impl::RaiseToContractBase<RaiseToContractPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (!isa<linalg::ContractOp>(op) &&
          isa<linalg::GenericOp, linalg::ContractionOpInterface, ContractOp>(
              op))
        ops.push_back(op);
    });
    // From the end, so that a sum is asked for its input before that is raised.
    llvm::SmallPtrSet<Operation *, 4> fused;
    for (Operation *op : llvm::reverse(ops)) {
      if (fused.contains(op)) {
        rewriter.eraseOp(op);
        continue;
      }
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (!generic) {
        numRaised +=
            succeeded(raiseThroughGeneric(rewriter, op, Wanted::ForPacking));
        continue;
      }
      if (succeeded(raiseToContract(rewriter, generic)) ||
          succeeded(raiseBits(rewriter, generic))) {
        ++numRaised;
      } else if (FailureOr<Operation *> producer =
                     raiseWithProducer(rewriter, generic);
                 succeeded(producer)) {
        ++numRaised;
        fused.insert(*producer);
      }
    }
    if (!getContext().getRemarkEngine())
      return;
    remarkOnAll(getOperation());
    reportLoops(getOperation());
  }
};
} // namespace

} // namespace ein
