//===- SelectStreams.cpp - Results past the caches ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over rows computes a row of the result at a time; what counts is how
// large all of the result is, and that nothing in the loop reads the row again.
// An op that computes functions of such a row, or that sums up what another one
// has fetched, may fetch the next row meanwhile, if the arrays come from
// memory, or another cache than the nearest two.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectStreams.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/VectorBody.h"
#include "passes/select/PriceSchedule.h"
#include "passes/select/Surroundings.h"
#include "target/Target.h"

using namespace mlir;

namespace ein {

/// Whether nothing in a loop round `op` reads what that puts there.
static bool isOnlyPut(linalg::GenericOp op) {
  return !op->getParentOfType<scf::ForOp>() ||
         llvm::all_of(op.getResult(0).getUses(), [](OpOperand &use) {
           auto put = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
           return put && put.getSource() == use.get();
         });
}

/// Whether `op`, in the loops round it, is faster if it writes past the caches.
static bool isFasterPast(linalg::LinalgOp op, const TargetInfo &target,
                         const Surroundings &surroundings,
                         const AssumedExtents &assumed, Schedule schedule) {
  OpPricer pricer(op, target, surroundings, assumed);
  schedule.streamBytes = 0;
  double near = pricer.price(schedule)->cycles;
  schedule.streamBytes = 1;
  return pricer.price(schedule)->cycles < near;
}

int64_t findStreamBytes(linalg::LinalgOp op, const TargetInfo &target,
                        const Schedule &schedule) {
  const MachineModel &machine = target.machine;
  if (machine.memory.stream == 0)
    return 0;
  Surroundings surroundings = findSurroundings(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  bool isOpen = ShapedType::isDynamicShape(sizes);
  // Of a row that nobody knows, what is round it is no more known.
  if (isOpen)
    surroundings = {};
  bool isOpenOutside =
      llvm::any_of(surroundings.loops,
                   [](const Surroundings::Loop &loop) { return loop.isOpen; });
  if (!isOpen && !isOpenOutside)
    return isFasterPast(op, target, surroundings, {}, schedule);
  // All dims that are open are as long: whole lines, an odd number of them lest
  // rows share sets. From where on do the caches not hold it?
  auto most =
      double(8 * (machine.l1.bytes + machine.l2.bytes + machine.l3.bytes));
  auto line = int64_t(machine.lineBytes);
  for (int64_t length = 2 * line;; length *= 2) {
    double bytes = getElementBits(op) / 8.0;
    SmallVector<int64_t> extents = sizes;
    for (int64_t &extent : extents) {
      if (ShapedType::isDynamic(extent))
        extent = length + line;
      bytes *= double(extent);
    }
    for (Surroundings::Loop &loop : surroundings.loops) {
      if (loop.isOpen)
        loop.extent = double(length + line);
      bytes *= loop.extent / loop.step;
    }
    if (bytes > most)
      return 0;
    if (isFasterPast(op, target, surroundings, {extents}, schedule))
      return int64_t(bytes);
  }
}

int64_t getStreamBytes(linalg::GenericOp op, const TargetInfo &target,
                       const Schedule &schedule, StringRef packing) {
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) || !isOnlyPut(op))
    return 0;
  return packing == "always" ? 1 : findStreamBytes(op, target, schedule);
}

/// The row of an array that an operand is; null of others.
static tensor::ExtractSliceOp getRow(OpOperand *input) {
  auto row = input->get().getDefiningOp<tensor::ExtractSliceOp>();
  return row && row.getType().getRank() == 1 &&
                 row.getSourceType().getRank() > 1
             ? row
             : nullptr;
}

/// Bytes of an array, nothing of one whose size is not known.
static int64_t getKnownBytes(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasStaticShape()
             ? shaped.getNumElements() * getElementBytes(shaped)
             : 0;
}

/// Whether memory has nothing else to do while `op` reads this row: it computes
/// functions; or it only sums up what an op before has fetched.
static bool leavesMemoryIdle(linalg::LinalgOp op, tensor::ExtractSliceOp row) {
  if (hasFormulas(op))
    return true;
  return op.getNumReductionLoops() != 0 &&
         llvm::any_of(op->getBlock()->getOps<linalg::LinalgOp>(),
                      [&](linalg::LinalgOp other) {
                        return other->isBeforeInBlock(op) &&
                               llvm::is_contained(other.getDpsInputs(),
                                                  row.getResult());
                      });
}

// What a loop reads and what it writes are in the caches together.
bool readsNextRows(linalg::LinalgOp op, const TargetInfo &target) {
  auto loop = op->getParentOfType<scf::ForOp>();
  if (!loop)
    return false;
  int64_t written = 0;
  for (Type type : loop.getResultTypes())
    written += getKnownBytes(type);
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    tensor::ExtractSliceOp row = getRow(input);
    if (!row)
      return false;
    int64_t read = getKnownBytes(row.getSourceType());
    return read != 0 && read + written > int64_t(target.l2Bytes) &&
           leavesMemoryIdle(op, row);
  });
}

} // namespace ein
