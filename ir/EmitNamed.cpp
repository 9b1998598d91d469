//===- EmitNamed.cpp - Named ops from statements --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of a named op has become a comprehension, which says what it means.
// The op itself is only made if it means that: it casts signed where operands
// are unsigned, say, and is then not what was called. So there is no list of
// what may be made of which types; the op is made and compared.
//
//===----------------------------------------------------------------------===//

#include "ir/EmitNamed.h"
#include "ir/SameGeneric.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace ein {

/// The op with its region, or null if there is none of that name.
static linalg::LinalgOp createNamedOp(OpBuilder &b, const NamedOp &op,
                                      linalg::GenericOp generic,
                                      ValueRange inputs) {
  std::string name = "linalg." + op.name;
  if (!RegisteredOperationName::lookup(name, b.getContext()))
    return nullptr;
  ValueRange inits = generic.getDpsInits();
  if (op.name == "transpose")
    return cast<linalg::LinalgOp>(
        linalg::TransposeOp::create(b, generic.getLoc(), inputs[0], inits[0],
                                    op.attributes[0].values)
            .getOperation());
  if (op.name == "broadcast")
    return cast<linalg::LinalgOp>(
        linalg::BroadcastOp::create(b, generic.getLoc(), inputs[0], inits[0],
                                    op.attributes[0].values)
            .getOperation());
  OperationState state(generic.getLoc(), name);
  state.addOperands(inputs);
  state.addOperands(inits);
  state.addTypes(generic->getResultTypes());
  state.addAttribute(
      "operandSegmentSizes",
      b.getDenseI32ArrayAttr({static_cast<int32_t>(inputs.size()),
                              static_cast<int32_t>(inits.size())}));
  // The window of a pooling is an operand.
  for (const NamedOp::Attribute &attribute : op.attributes)
    if (!op.isPooling() || attribute.name != "size")
      state.addAttribute(attribute.name, b.getI64VectorAttr(attribute.values));
  auto setMaps = [&](ArrayRef<AffineMap> maps) {
    state.addAttribute("indexing_maps", b.getAffineMapArrayAttr(maps));
  };
  if (op.name == "matmul")
    setMaps(linalg::MatmulOp::getDefaultIndexingMaps(b.getContext()));
  if (op.name == "batch_matmul")
    setMaps(linalg::BatchMatmulOp::getDefaultIndexingMaps(b.getContext()));
  if (op.name == "batch_reduce_matmul")
    setMaps(
        linalg::BatchReduceMatmulOp::getDefaultIndexingMaps(b.getContext()));
  state.addRegion();
  auto made = dyn_cast<linalg::LinalgOp>(b.create(state));
  auto fillRegion = made.getRegionBuilder();
  if (!fillRegion) {
    made->erase();
    return nullptr;
  }
  SmallVector<Type> types;
  for (Value operand : made->getOperands())
    types.push_back(getElementTypeOrSelf(operand.getType()));
  SmallVector<Location> locs(types.size(), generic.getLoc());
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&made->getRegion(0), {}, types, locs);
  ImplicitLocOpBuilder inner(generic.getLoc(), b);
  inner.setInsertionPointToStart(body);
  // A type that the body has no op for is an answer, and no error.
  fillRegion(inner, *body, made->getAttrs(),
             [] { return InFlightDiagnostic(); });
  return made;
}

/// Which of the generic's inputs each of the op's is. The same tensor may be
/// several of them, in order.
static std::optional<SmallVector<unsigned>>
matchInputs(linalg::GenericOp generic, ValueRange inputs) {
  SmallVector<unsigned> order;
  for (Value input : inputs) {
    std::optional<unsigned> found;
    for (auto [i, operand] : llvm::enumerate(generic.getInputs()))
      if (!found && operand == input && !llvm::is_contained(order, i))
        found = i;
    if (!found)
      return std::nullopt;
    order.push_back(*found);
  }
  return order;
}

Operation *replaceByNamedOp(const NamedOp &op, linalg::GenericOp generic,
                            ValueRange inputs) {
  std::optional<SmallVector<unsigned>> order = matchInputs(generic, inputs);
  if (!order)
    return nullptr;
  IRRewriter rewriter(generic.getContext());
  rewriter.setInsertionPointAfter(generic);
  ScopedDiagnosticHandler quiet(generic.getContext(),
                                [](Diagnostic &) { return success(); });
  linalg::LinalgOp made = createNamedOp(rewriter, op, generic, inputs);
  if (!made)
    return nullptr;
  bool isProved = false;
  if (succeeded(verify(made)))
    if (linalg::GenericOp back = createGeneric(rewriter, made)) {
      isProved = isSameGeneric(generic, back, *order);
      rewriter.eraseOp(back);
    }
  if (!isProved) {
    rewriter.eraseOp(made);
    return nullptr;
  }
  rewriter.replaceOp(generic, made);
  return made;
}

} // namespace ein
