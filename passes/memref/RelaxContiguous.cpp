//===- RelaxContiguous.cpp - Arrays whose rows may have gaps --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that has several dims of an array as one was told that the array is
// contiguous, as upstream collapses no buffer whose strides are arguments. What
// it needs is less: that the dims which are one follow each other. Part of each
// row of a larger array, A[:, :, 10:50], is such a view of three dims. So the
// type of the argument has any strides again, what collapses it takes the
// stride of the last of the dims for all of them, and `ein.joined` says which
// dims an entry has to look at. Where any op cannot be told another type, the
// array stays one of `ein.contiguous`.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/memref/ArgumentTypes.h"
#include "passes/memref/Passes.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ein {
#define GEN_PASS_DEF_RELAXCONTIGUOUS
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// What changes where an argument may have any strides.
class Relaxation {
public:
  explicit Relaxation(BlockArgument argument)
      : argument(argument),
        joined(cast<MemRefType>(argument.getType()).getRank()) {}

  /// Whether every op that sees the argument can be told another type, and that
  /// is less to ask for.
  bool plan();
  void apply();
  /// The dims that each have to be followed by the next one.
  const llvm::SmallBitVector &getJoined() const { return joined; }

private:
  bool retype(Value buffer, MemRefType type);
  bool retypeUser(OpOperand &use, MemRefType type);
  bool collapse(memref::CollapseShapeOp op, MemRefType type);
  void replaceCollapse(memref::CollapseShapeOp op, MemRefType type);

  BlockArgument argument;
  llvm::SmallBitVector joined;
  SmallVector<std::pair<Value, MemRefType>> types;
  SmallVector<std::pair<memref::CollapseShapeOp, MemRefType>> collapses;
};

} // namespace

bool Relaxation::plan() {
  auto type = cast<MemRefType>(argument.getType());
  if (type.getRank() < 2 || !type.getLayout().isIdentity())
    return false;
  if (!retype(argument, getArgumentType(type, type.getMemorySpace())))
    return false;
  // All of them are one in what is contiguous.
  return joined.any() && joined.count() + 1 < joined.size();
}

bool Relaxation::retype(Value buffer, MemRefType type) {
  types.push_back({buffer, type});
  return llvm::all_of(buffer.getUses(),
                      [&](OpOperand &use) { return retypeUser(use, type); });
}

bool Relaxation::retypeUser(OpOperand &use, MemRefType type) {
  return llvm::TypeSwitch<Operation *, bool>(use.getOwner())
      .Case([&](memref::CollapseShapeOp op) { return collapse(op, type); })
      .Case([&](memref::ExpandShapeOp op) {
        FailureOr<MemRefType> result =
            memref::ExpandShapeOp::computeExpandedType(
                type, op.getType().getShape(), op.getReassociationIndices());
        return succeeded(result) && retype(op, *result);
      })
      .Case([&](memref::SubViewOp op) {
        return retype(op,
                      memref::SubViewOp::inferRankReducedResultType(
                          op.getType().getShape(), type, op.getMixedOffsets(),
                          op.getMixedSizes(), op.getMixedStrides()));
      })
      .Case([&](memref::CastOp op) {
        return memref::CastOp::areCastCompatible(type, op.getType());
      })
      .Case<linalg::LinalgOp, memref::CopyOp, memref::DimOp, memref::LoadOp,
            memref::PrefetchOp, memref::StoreOp, vector::LoadOp,
            vector::MaskedLoadOp, vector::MaskedStoreOp, vector::StoreOp,
            vector::TransferReadOp, vector::TransferWriteOp>(
          [](auto) { return true; })
      .Default([](Operation *) { return false; });
}

bool Relaxation::collapse(memref::CollapseShapeOp op, MemRefType type) {
  if (op.getSrc() != argument)
    return false;
  for (const ReassociationIndices &dims : op.getReassociationIndices())
    for (int64_t dim : ArrayRef(dims).drop_back())
      joined.set(dim);
  MemRefType result =
      getArgumentType(op.getType(), op.getType().getMemorySpace());
  collapses.push_back({op, result});
  return retype(op, result);
}

/// The same elements, by the stride of the last of the dims that become one.
void Relaxation::replaceCollapse(memref::CollapseShapeOp op, MemRefType type) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto parts = memref::ExtractStridedMetadataOp::create(b, loc, argument);
  SmallVector<OpFoldResult> sizes, strides;
  for (auto [axis, dims] : llvm::enumerate(op.getReassociationIndices())) {
    bool isLast = axis + 1 == op.getReassociationIndices().size();
    strides.push_back(isLast ? OpFoldResult(b.getIndexAttr(1))
                             : parts.getStrides()[dims.back()]);
    if (!type.isDynamicDim(axis)) {
      sizes.push_back(b.getIndexAttr(type.getDimSize(axis)));
      continue;
    }
    Value size = parts.getSizes()[dims.front()];
    for (int64_t dim : ArrayRef(dims).drop_front())
      size = arith::MulIOp::create(b, loc, size, parts.getSizes()[dim]);
    sizes.push_back(size);
  }
  Value result = memref::ReinterpretCastOp::create(
      b, loc, type, argument, b.getIndexAttr(0), sizes, strides);
  op.replaceAllUsesWith(result);
  op.erase();
}

void Relaxation::apply() {
  for (auto [buffer, type] : types)
    buffer.setType(type);
  for (auto [op, type] : collapses)
    replaceCollapse(op, type);
}

namespace {
struct RelaxContiguousPass : impl::RelaxContiguousBase<RelaxContiguousPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto known =
        function->getAttrOfType<DenseI64ArrayAttr>(EinDialect::kContiguousAttr);
    if (!known || function.isExternal())
      return;
    SmallVector<int64_t> contiguous, pairs;
    auto relax = [&](int64_t position) {
      // A position that there is not, `ein-emit-entry-points` refuses.
      if (position < 0 || position >= function.getNumArguments() ||
          !isa<MemRefType>(function.getArgumentTypes()[position]))
        return false;
      Relaxation relaxation(function.getArgument(position));
      if (!relaxation.plan())
        return false;
      relaxation.apply();
      for (unsigned dim : relaxation.getJoined().set_bits())
        pairs.append({position, int64_t(dim)});
      return true;
    };
    for (int64_t position : known.asArrayRef())
      if (!relax(position))
        contiguous.push_back(position);
    if (pairs.empty())
      return;
    Builder b(&getContext());
    function.setType(b.getFunctionType(
        llvm::to_vector(function.getBody().front().getArgumentTypes()),
        function.getResultTypes()));
    function->setAttr(EinDialect::kJoinedAttr, b.getDenseI64ArrayAttr(pairs));
    function->removeAttr(EinDialect::kContiguousAttr);
    if (!contiguous.empty())
      function->setAttr(EinDialect::kContiguousAttr,
                        b.getDenseI64ArrayAttr(contiguous));
  }
};
} // namespace

} // namespace ein
