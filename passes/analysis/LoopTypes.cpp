//===- LoopTypes.cpp - What the loops of an op are ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only results depend on each other. Points that write one element have the
// same index of each loop that the result has as a lone subscript, so such a
// loop carries no dependence and may stand anywhere. The loops that are left
// combine values into one element, or write it anew, and keep their order among
// each other unless the combination does not care. Where memory says otherwise,
// because the body writes to it, or an operand is the result's memory seen in
// another way, nothing is claimed.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/LoopTypes.h"
#include "ir/EinDialect.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/StrictFP.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace ein {

/// The memory that a memref is a view of.
static Value getMemory(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// Whether a point may read or write, apart from the result's element that is
/// its own, memory that another point writes.
static bool mayMeet(linalg::LinalgOp op) {
  bool hasWrites =
      op->walk([&](Operation *inner) {
          return inner != op && !isMemoryEffectFree(inner) &&
                         !hasSingleEffect<MemoryEffects::Read>(inner)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        }).wasInterrupted();
  if (hasWrites)
    return true;
  for (OpOperand &output : op.getDpsInitsMutable()) {
    if (!isa<MemRefType>(output.get().getType()))
      continue;
    for (OpOperand &other : op->getOpOperands()) {
      if (&other == &output || !isa<MemRefType>(other.get().getType()) ||
          getMemory(other.get()) != getMemory(output.get()))
        continue;
      bool isSameElement =
          other.get() == output.get() && op.getMatchingIndexingMap(&other) ==
                                             op.getMatchingIndexingMap(&output);
      if (!isSameElement)
        return true;
    }
    // What the body reads by itself may be anywhere.
    bool readsIt = op->walk([&](Operation *inner) {
                       bool reads =
                           llvm::any_of(inner->getOperands(), [&](Value value) {
                             return isa<MemRefType>(value.getType()) &&
                                    getMemory(value) == getMemory(output.get());
                           });
                       return inner != op && reads ? WalkResult::interrupt()
                                                   : WalkResult::advance();
                     }).wasInterrupted();
    if (readsIt)
      return true;
  }
  return false;
}

static bool isLoneIn(AffineMap map, unsigned dim) {
  return llvm::is_contained(map.getResults(),
                            getAffineDimExpr(dim, map.getContext()));
}

namespace {
/// How an op treats the elements that several of its points write.
enum class Combination { AnyOrder, InOrder, None };
} // namespace

static Combination getCombination(linalg::LinalgOp op) {
  bool isAnyOrder = true;
  for (unsigned result = 0, e = op.getNumDpsInits(); result < e; ++result) {
    SmallVector<Operation *> combiners;
    if (!matchReduction(op.getRegionOutputArgs(), result, combiners) ||
        combiners.size() != 1)
      return Combination::None;
    isAnyOrder &= isInAnyOrder(op, combiners.front());
  }
  std::optional<ContractionKind> kind = getContractionKind(op);
  // A generic says by its flags whether its order is kept.
  bool isOrdered = keepsOrder(op) &&
                   !isa<linalg::GenericOp>(op.getOperation()) &&
                   (!kind || kind->hasOrder());
  return isAnyOrder && !isOrdered ? Combination::AnyOrder
                                  : Combination::InOrder;
}

/// The types by the maps of the results.
static SmallVector<LoopType> getTypes(ArrayRef<AffineMap> outputs,
                                      Combination combination) {
  SmallVector<LoopType> types(outputs.front().getNumDims());
  unsigned numOrdered = 0;
  bool isKnown = true;
  for (auto [dim, type] : llvm::enumerate(types)) {
    auto isLone = [dim = dim](AffineMap map) { return isLoneIn(map, dim); };
    auto isUsed = [dim = dim](AffineMap map) {
      return map.isFunctionOfDim(dim);
    };
    if (llvm::all_of(outputs, isLone)) {
      type.kind = LoopType::Parallel;
      type.isPartition = true;
      continue;
    }
    if (combination != Combination::None)
      type.kind = LoopType::Reduction;
    type.isPartition = combination == Combination::AnyOrder;
    numOrdered += combination != Combination::AnyOrder;
    // Of `i + j` a loop meets the other in either direction.
    isKnown &=
        llvm::none_of(outputs, isUsed) || combination == Combination::AnyOrder;
  }
  for (LoopType &type : types)
    type.isPermutable =
        isKnown && (type.kind == LoopType::Parallel || numOrdered <= 1 ||
                    combination == Combination::AnyOrder);
  return types;
}

SmallVector<LoopType> getLoopTypes(Operation *op) {
  if (auto contract = dyn_cast<ContractOp>(op)) {
    ContractionKind kind = {contract.getKind(), contract.getCast()};
    return getTypes({contract.getIndexingMapsArray()[2]},
                    kind.hasOrder() && keepsOrder(op) ? Combination::InOrder
                                                      : Combination::AnyOrder);
  }
  auto structured = cast<linalg::LinalgOp>(op);
  SmallVector<utils::IteratorType> declared =
      structured.getIteratorTypesArray();
  SmallVector<LoopType> types(declared.size());
  if (!mayMeet(structured)) {
    SmallVector<AffineMap> outputs;
    for (OpOperand &output : structured.getDpsInitsMutable())
      outputs.push_back(structured.getMatchingIndexingMap(&output));
    types = getTypes(outputs, getCombination(structured));
  }
  for (auto [type, iterator] : llvm::zip_equal(types, declared)) {
    LoopType::Kind kind = iterator == utils::IteratorType::parallel
                              ? LoopType::Parallel
                              : LoopType::Reduction;
    if (kind != type.kind)
      type.declared = kind;
  }
  return types;
}

std::string printLoopTypes(ArrayRef<LoopType> types,
                           ArrayRef<std::string> names) {
  SmallVector<std::string> parts;
  auto add = [&](StringRef label, auto isOfIt) {
    SmallVector<StringRef> loops;
    for (auto [type, name] : llvm::zip_equal(types, names))
      if (isOfIt(type))
        loops.push_back(name);
    if (!loops.empty())
      parts.push_back((label + "={" + llvm::join(loops, ",") + "}").str());
  };
  auto isOfKind = [](LoopType::Kind kind) {
    return [kind](const LoopType &type) { return type.kind == kind; };
  };
  add("parallel", isOfKind(LoopType::Parallel));
  add("reduction", isOfKind(LoopType::Reduction));
  add("sequential", isOfKind(LoopType::Sequential));
  add("permutable", [](const LoopType &type) { return type.isPermutable; });
  add("partition", [](const LoopType &type) { return type.isPartition; });
  add("declared parallel",
      [](const LoopType &type) { return type.declared == LoopType::Parallel; });
  add("declared reduction", [](const LoopType &type) {
    return type.declared == LoopType::Reduction;
  });
  return parts.empty() ? "none" : llvm::join(parts, " ");
}

} // namespace ein
