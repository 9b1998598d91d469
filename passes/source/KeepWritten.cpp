//===- KeepWritten.cpp - What a function means if arrays overlap ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From here on arrays are apart: memrefs become tensors, and code that reads
// ahead, keeps sums in registers or runs in another order is made of them. That
// is checked when the code runs. What the function means where it does not hold
// is a copy that nothing is made of: its structured ops become loops at once,
// in the order that they declare, and loads and stores stay where they are.
//
// The copy takes memrefs of any strides, as views have them that overlap, where
// all that is done to them can be done so (WrittenViews.cpp); the entries
// refuse others unless they are contiguous. Values are in memory of their own
// (WrittenValues.cpp). An op of which no loops can be made leaves the function
// without a copy, and the entries refuse arrays that overlap.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "ir/WrittenForm.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"
#include "passes/analysis/Decline.h"
#include "passes/source/Passes.h"
#include "passes/source/WrittenForm.h"

namespace ein {
#define GEN_PASS_DEF_KEEPWRITTEN
#include "passes/source/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Makes `function`, a copy, a function of memrefs, and loops.
static LogicalResult lowerToForm(func::FuncOp function, DeclineFn onDecline) {
  IRRewriter rewriter(function.getContext());
  SmallVector<int64_t> contiguous = allowAnyStrides(function);
  SmallVector<ContractOp> contractions;
  function.walk([&](ContractOp op) { contractions.push_back(op); });
  for (ContractOp op : contractions) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, op.generalize(rewriter)->getResults());
  }
  if (failed(lowerValues(rewriter, function, onDecline)))
    return failure();
  SmallVector<linalg::LinalgOp> structured;
  function.walk([&](linalg::LinalgOp op) { structured.push_back(op); });
  for (linalg::LinalgOp op : structured) {
    rewriter.setInsertionPoint(op);
    StringRef name = op->getName().getStringRef();
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return decline(onDecline, "an op of it has no loops: `" + name + "`");
    rewriter.eraseOp(op);
  }
  splitJoinedDims(rewriter, function);
  if (!contiguous.empty())
    function->setAttr(EinDialect::kContiguousAttr,
                      rewriter.getDenseI64ArrayAttr(contiguous));
  return success();
}

/// Whether `signature` has an array that is written, and another one. A
/// function of values alone is what a def is.
static bool canOverlap(func::FuncOp function, const Signature &signature) {
  unsigned numArrays = 0, numWritten = 0;
  for (const Argument &argument : signature.arguments) {
    numArrays += !argument.isScalar();
    numWritten += argument.isWritten();
  }
  return numArrays > 1 && numWritten > 0 && !signature.hasStatus &&
         llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<MemRefType>);
}

/// The same; what it says is no error of the user's.
static LogicalResult lowerQuietly(func::FuncOp copy, DeclineFn onDecline) {
  std::string said;
  ScopedDiagnosticHandler handler(
      copy.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        if (said.empty())
          said = diagnostic.str();
        return success();
      });
  if (failed(lowerToForm(copy, onDecline)))
    return failure();
  if (succeeded(verify(copy)))
    return success();
  return decline(onDecline, "it has no form for them: " + said);
}

static void reportRefusal(func::FuncOp function, StringRef reason) {
  remark::missed(function.getLoc(),
                 remark::RemarkOpts::name("Overlap").category("raise"))
      << ("arrays that overlap are refused: " + reason).str();
}

namespace {
struct KeepWrittenPass : impl::KeepWrittenBase<KeepWrittenPass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(EinDialect::kSignatureAttr))
        functions.push_back(function);
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : functions) {
      FailureOr<Signature> signature = Signature::fromOp(function);
      if (failed(signature))
        return signalPassFailure();
      if (!canOverlap(function, *signature))
        continue;
      // They are converted from bytes as the function begins, and back last.
      if (llvm::any_of(signature->arguments, [](const Argument &argument) {
            return argument.type == ElementType::Bool && !argument.isScalar();
          })) {
        reportRefusal(function, "an array of it is of bits");
        continue;
      }
      func::FuncOp copy = function.clone();
      for (StringRef attr : {StringRef(EinDialect::kSignatureAttr),
                             StringRef(EinDialect::kContiguousAttr)})
        copy->removeAttr(attr);
      copy.setPrivate();
      copy.setName((kWrittenPrefix + function.getName()).str());
      auto onDecline = [&](StringRef reason) {
        reportRefusal(function, reason);
      };
      if (succeeded(lowerQuietly(copy, onDecline)))
        symbols.insert(copy);
      else
        copy.erase();
    }
  }
};
} // namespace

} // namespace ein
