//===- MemrefRoots.cpp - Which memrefs can be tensors ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op that reads and writes the same root means what its loops do, in their
// order; on tensors it reads what was there before. Both are the same if what
// is read and what is written are apart, or if each iteration reads the element
// that it writes and no other. Else the root stays in memory.
//
//===----------------------------------------------------------------------===//

#include "passes/source/MemrefRoots.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "passes/analysis/Aggregates.h"

using namespace mlir;

namespace ein {

static bool isMemref(Value value) { return isa<MemRefType>(value.getType()); }

bool isKernelLayout(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      (offset != 0 && !ShapedType::isDynamic(offset)))
    return false;
  int64_t wanted = 1;
  for (auto [stride, extent] :
       llvm::reverse(llvm::zip_equal(strides, type.getShape()))) {
    if (!ShapedType::isDynamic(stride) && stride != wanted)
      return false;
    if (ShapedType::isDynamic(extent))
      wanted = ShapedType::kDynamic;
    else if (!ShapedType::isDynamic(wanted))
      wanted *= extent;
  }
  return true;
}

Value getViewed(Operation *op) {
  if (isa<memref::SubViewOp, memref::CastOp, memref::CollapseShapeOp,
          memref::ExpandShapeOp, memref::TransposeOp,
          memref::AssumeAlignmentOp>(op))
    return op->getOperand(0);
  return Value();
}

bool isStructuredOnMemrefs(Operation *op) {
  return (isa<linalg::LinalgOp, ContractOp>(op) || isAggregate(op)) &&
         isa<DestinationStyleOpInterface>(op) &&
         llvm::any_of(op->getOperands(), isMemref);
}

/// Whether `op` makes memory that nothing else is a part of.
static bool makesRoot(Operation *op) {
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return alloc.getSymbolOperands().empty();
  if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    return alloca.getSymbolOperands().empty();
  if (isa<bufferization::ToBufferOp>(op))
    return isMemref(op->getResult(0));
  auto get = dyn_cast<memref::GetGlobalOp>(op);
  if (!get)
    return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, get.getNameAttr());
  return global && global.getConstant() &&
         isa_and_present<ElementsAttr>(global.getInitialValueAttr());
}

/// Whether two memrefs are made of the same one in the same way.
static bool isSameView(Value first, Value second) {
  if (first == second)
    return true;
  Operation *op = first.getDefiningOp(), *other = second.getDefiningOp();
  if (!op || !other || !getViewed(op) || op->getName() != other->getName())
    return false;
  return isSameView(getViewed(op), getViewed(other)) &&
         OperationEquivalence::isEquivalentTo(
             op, other,
             [](Value lhs, Value rhs) {
               return success(lhs == rhs || (isMemref(lhs) && isMemref(rhs)));
             },
             /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

/// Whether two views are slices of the same memref that have no element in
/// common.
static bool areApart(Value first, Value second) {
  // All pairs of slices on the way to the root.
  for (Value one = first; Operation *op = one.getDefiningOp();) {
    if (!getViewed(op))
      break;
    for (Value two = second; Operation *other = two.getDefiningOp();) {
      if (!getViewed(other))
        break;
      auto slice = dyn_cast<memref::SubViewOp>(op);
      auto otherSlice = dyn_cast<memref::SubViewOp>(other);
      if (slice && otherSlice &&
          isSameView(slice.getSource(), otherSlice.getSource())) {
        FailureOr<bool> overlap =
            ValueBoundsConstraintSet::areOverlappingSlices(
                op->getContext(), HyperrectangularSlice(slice),
                HyperrectangularSlice(otherSlice));
        if (succeeded(overlap) && !*overlap)
          return true;
      }
      two = getViewed(other);
    }
    one = getViewed(op);
  }
  return false;
}

/// Whether each iteration of `op` touches the same element by both operands,
/// and none that another iteration touches.
static bool isInPlace(Operation *op, OpOperand &written, OpOperand &other) {
  if (!isSameView(written.get(), other.get()))
    return false;
  if (isa<ContractOp>(op))
    return false; // which reads its inputs for several elements
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured) // a softmax, whose parts write what they have read
    return !isa<linalg::PackOp, linalg::UnPackOp>(op);
  AffineMap map = structured.getMatchingIndexingMap(&written);
  return !structured.isDpsInit(&other) && map.isPermutation() &&
         map == structured.getMatchingIndexingMap(&other);
}

MemrefRoots::MemrefRoots(func::FuncOp function) {
  findRoots(function);
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function)
      visit(op);
  });
  decide();
}

void MemrefRoots::findRoots(func::FuncOp function) {
  auto add = [&](Value root) {
    roots[root] = root;
    ordered.push_back(root);
  };
  for (BlockArgument argument : function.getArguments()) {
    if (!isMemref(argument))
      continue;
    add(argument);
    if (!isKernelLayout(cast<MemRefType>(argument.getType())))
      wanted.insert(argument);
  }
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (makesRoot(op))
      add(op->getResult(0));
    else if (Value viewed = getViewed(op))
      roots[op->getResult(0)] = getRoot(viewed);
  });
}

void MemrefRoots::keep(Value memref, Operation *op, StringRef reason) {
  if (Value root = getRoot(memref))
    kept.try_emplace(root, Refusal{root, op, reason});
}

/// Notes that `op` writes to `memref`, and keeps its root if that is inside of
/// what cannot hand a value on.
void MemrefRoots::addWrite(Value memref, Operation *op) {
  Value root = getRoot(memref);
  if (!root)
    return;
  if (root.getDefiningOp<memref::GetGlobalOp>())
    keep(memref, op, "it is a constant that is written");
  Operation *owner = root.getParentBlock()->getParentOp();
  for (Operation *parent = op->getParentOp(); parent != owner;
       parent = parent->getParentOp()) {
    writtenIn[parent].insert(root);
    bool isCarried = isa<scf::ForOp, scf::IfOp, scf::WhileOp>(parent);
    if (auto loop = dyn_cast<scf::ParallelOp>(parent))
      isCarried = loop.getInitVals().empty();
    if (auto loop = dyn_cast<scf::ForallOp>(parent))
      isCarried = loop.getOutputs().empty();
    if (!isCarried)
      keep(memref, parent,
           "it is written inside of an op that carries nothing");
  }
}

void MemrefRoots::visitStructured(Operation *op) {
  auto style = cast<DestinationStyleOpInterface>(op);
  SmallVector<OpOperand *> operands;
  for (OpOperand &operand : op->getOpOperands())
    if (isMemref(operand.get()))
      operands.push_back(&operand);
  for (OpOperand *operand : operands) {
    Value root = getRoot(operand->get());
    if (!root)
      for (OpOperand *other : operands)
        keep(other->get(), op, "an op uses it together with unknown memory");
    wanted.insert(root);
    ties.push_back({getRoot(operands.front()->get()), root});
    if (!style.isDpsInit(operand))
      continue;
    addWrite(operand->get(), op);
    for (OpOperand *other : operands)
      if (other != operand && root && getRoot(other->get()) == root &&
          !areApart(operand->get(), other->get()) &&
          !isInPlace(op, *operand, *other))
        keep(root, op, "an op reads and writes it at places that may be equal");
  }
  // What the body reads by itself.
  op->walk([&](memref::LoadOp load) {
    for (OpOperand *operand : operands)
      if (style.isDpsInit(operand) && getRoot(load.getMemref()) &&
          getRoot(load.getMemref()) == getRoot(operand->get()))
        keep(load.getMemref(), op,
             "an op reads and writes it at places that may be equal");
  });
}

void MemrefRoots::visit(Operation *op) {
  if (makesRoot(op) || getViewed(op) || isa<memref::DimOp, memref::LoadOp>(op))
    return;
  if (isStructuredOnMemrefs(op))
    return visitStructured(op);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return addWrite(store.getMemref(), op);
  if (auto read = dyn_cast<bufferization::ToTensorOp>(op)) {
    wanted.insert(getRoot(read.getBuffer()));
    return;
  }
  auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(op);
  if (write && isMemref(write.getDest())) {
    wanted.insert(getRoot(write.getDest()));
    return addWrite(write.getDest(), op);
  }
  for (Value operand : op->getOperands())
    if (isMemref(operand))
      keep(operand, op,
           "an op uses it that is not known to read or write parts");
}

void MemrefRoots::decide() {
  wanted.erase(Value());
  // What is used together is lifted together.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (auto [first, second] : ties) {
      if (!first || !second)
        continue;
      for (auto [from, to] :
           {std::pair(first, second), std::pair(second, first)}) {
        auto refusal = kept.find(from);
        if (refusal != kept.end())
          isChanged |= kept.try_emplace(to, Refusal{to, refusal->second.op,
                                                    refusal->second.reason})
                           .second;
      }
    }
  }
  for (Value root : ordered) {
    if (!wanted.contains(root))
      continue;
    auto refusal = kept.find(root);
    if (refusal == kept.end())
      lifted.insert(root);
    else
      refusals.push_back(refusal->second);
  }
}

SmallVector<Value> MemrefRoots::getWritten(Operation *op) const {
  SmallVector<Value> written;
  if (auto found = writtenIn.find(op); found != writtenIn.end())
    for (Value root : found->second)
      if (lifted.contains(root))
        written.push_back(root);
  return written;
}

} // namespace ein
