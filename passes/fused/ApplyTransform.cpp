//===- ApplyTransform.cpp - A user's transform script in place of our passes
//===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transform script rewrites what it matches, and what it has
// rewritten must not be scheduled again. The interpreter does not say what that
// was, and tiling copies attributes, so a mark alone proves nothing. Each
// structured op therefore gets a number before, and one that afterwards still
// has its number, alone, in its block, under its name, with its attributes and
// types, is untouched. All others get the schedule to be loops, unless the
// script has annotated them with one.
//
// The interpreter reports what fails where it notices it, which is often the op
// of the program that a transformation was for. An author of a script wants to
// know the line of the script. So the ops of the entry run one by one, and what
// is said while one of them runs is said at its place.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "passes/analysis/Aggregates.h"
#include "passes/fused/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_APPLYTRANSFORM
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {

/// What a structured op was before the script ran.
struct Before {
  Block *block;
  OperationName name;
  DictionaryAttr attributes;
  SmallVector<Type> types;

  explicit Before(Operation *op)
      : block(op->getBlock()), name(op->getName()),
        attributes(op->getAttrDictionary()), types(op->getOperandTypes()) {}

  bool operator==(const Before &other) const {
    return block == other.block && name == other.name &&
           attributes == other.attributes && types == other.types;
  }
};

struct ApplyTransformPass : impl::ApplyTransformBase<ApplyTransformPass> {
  using ApplyTransformBase::ApplyTransformBase;

  LogicalResult initialize(MLIRContext *context) override {
    // Read before passes run, as reading may load dialects.
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, context);
    if (!module)
      return failure();
    script = std::make_shared<OwningOpRef<ModuleOp>>(std::move(module));
    entry = (*script)->lookupSymbol<transform::NamedSequenceOp>(
        transform::TransformDialect::kTransformEntryPointSymbolName);
    if (entry)
      return success();
    return (*script)->emitError(
               "a transform script has a transform.named_sequence "
               "called `")
           << transform::TransformDialect::kTransformEntryPointSymbolName
           << "`";
  }

  void runOnOperation() override {
    Builder b(&getContext());
    SmallVector<Before> before;
    getOperation().walk(
        [](Operation *op) { op->removeAttr(EinDialect::kNumberAttr); });
    getOperation().walk([&](linalg::LinalgOp op) {
      op->setAttr(EinDialect::kNumberAttr, b.getI64IntegerAttr(before.size()));
      before.emplace_back(op);
    });
    if (failed(runScript()))
      return signalPassFailure();

    // Packs that a script made, as `pack_greedily` does, are not the panels
    // that ours become.
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> packs;
    getOperation().walk([&](Operation *op) {
      if (isa<linalg::PackOp, linalg::UnPackOp>(op) &&
          !op->hasAttr(EinDialect::kScheduleAttr))
        packs.push_back(op);
    });
    for (Operation *op : packs)
      if (failed(decomposeAggregate(rewriter, op)))
        return signalPassFailure();

    // An op that was duplicated is no longer the one that was.
    SmallVector<unsigned> uses(before.size());
    getOperation().walk([&](Operation *op) {
      if (auto number = op->getAttrOfType<IntegerAttr>(EinDialect::kNumberAttr))
        ++uses[number.getInt()];
    });
    getOperation().walk([&](Operation *op) {
      auto number = op->getAttrOfType<IntegerAttr>(EinDialect::kNumberAttr);
      bool isUntouched = number && uses[number.getInt()] == 1 &&
                         Before(op) == before[number.getInt()];
      op->removeAttr(EinDialect::kNumberAttr);
      if (isa<linalg::LinalgOp>(op) && !isUntouched &&
          !op->hasAttr(EinDialect::kScheduleAttr))
        op->setAttr(EinDialect::kScheduleAttr,
                    Schedule().toAttr(&getContext()));
    });
  }

private:
  LogicalResult runScript();
  LogicalResult reportFailure(Operation *transformation,
                              ArrayRef<Diagnostic> said);
  /// Whether a place is in the script, not in the program.
  bool isInScript(Location loc) {
    auto place = loc->findInstanceOf<FileLineColLoc>();
    return place && place.getFilename() == file.getValue();
  }

  std::shared_ptr<OwningOpRef<ModuleOp>> script;
  transform::NamedSequenceOp entry;
};
} // namespace

/// One error, at the place in the script; places in the program are its notes.
LogicalResult ApplyTransformPass::reportFailure(Operation *transformation,
                                                ArrayRef<Diagnostic> said) {
  Location place = transformation->getLoc();
  if (!said.empty() && isInScript(said.front().getLocation()))
    place = said.front().getLocation();
  std::string text =
      said.empty() ? "does not apply to the program" : said.front().str();
  // Some go on with a dump of the op.
  text = StringRef(text).take_until([](char c) { return c == '\n'; }).str();
  text = StringRef(text).rtrim(" ->:").str();
  InFlightDiagnostic error = emitError(place) << text;
  llvm::DenseSet<Location> noted = {place};
  auto note = [&](Location loc, const Twine &text) {
    if (noted.insert(loc).second)
      error.attachNote(loc) << text;
  };
  for (const Diagnostic &each : said) {
    bool isFirst = &each == &said.front();
    note(each.getLocation(),
         isFirst ? "of this op of the program" : each.str());
    for (const Diagnostic &other : const_cast<Diagnostic &>(each).getNotes())
      note(other.getLocation(), other.str());
  }
  return failure();
}

LogicalResult ApplyTransformPass::runScript() {
  Region &body = entry.getBody();
  if (body.getNumArguments() != 1)
    return entry->emitError("the entry of a transform script has one argument, "
                            "the module, and this one has ")
           << body.getNumArguments();
  transform::TransformState state =
      transform::detail::makeTransformStateForTesting(&body, getOperation());
  Operation *program = getOperation();
  if (failed(state.mapBlockArgument(body.getArgument(0), {program})))
    return failure();
  for (Operation &op : body.front().without_terminator()) {
    SmallVector<Diagnostic> said;
    DiagnosedSilenceableFailure result = DiagnosedSilenceableFailure::success();
    {
      ScopedDiagnosticHandler listener(
          &getContext(), [&](Diagnostic &diagnostic) {
            bool isError =
                diagnostic.getSeverity() == DiagnosticSeverity::Error;
            if (isError)
              said.push_back(std::move(diagnostic));
            return success(isError);
          });
      result = state.applyTransform(cast<transform::TransformOpInterface>(op));
    }
    if (result.succeeded()) {
      // Ops on a handle of nothing succeed.
      auto match = dyn_cast<transform::MatchOp>(op);
      if (match && state.getPayloadOps(match.getResults()).empty())
        match.emitWarning("matches no op of the program, and what is done with "
                          "it does nothing");
      continue;
    }
    if (result.isSilenceableFailure())
      result.takeDiagnostics(said);
    return reportFailure(&op, said);
  }
  return success();
}

} // namespace ein
