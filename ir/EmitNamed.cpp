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

namespace {
/// What may be made of a call: an op, and the functions that it is told.
struct Candidate {
  std::string name;
  std::optional<linalg::TypeFn> cast;
  std::optional<linalg::ElementwiseKind> kind;
};
} // namespace

/// The op of that name first. Where signs are the types' in the language, they
/// are the ops' in linalg: of unsigned integers it is the same with another
/// cast, or an op with another name.
static SmallVector<Candidate> getCandidates(const NamedOp &op) {
  SmallVector<Candidate> candidates;
  std::string kind = op.name;
  if (const NamedOp::Attribute *given = op.findAttribute("kind"))
    kind = given->function;
  if (op.name != "elementwise") {
    candidates.push_back({op.name, linalg::TypeFn::cast_signed, {}});
    candidates.push_back({op.name, linalg::TypeFn::cast_unsigned, {}});
    candidates.push_back({op.name + "_unsigned", {}, {}});
  }
  StringRef stem = kind;
  stem.consume_back("_signed");
  for (const std::string &name :
       {kind, stem.str() + "_signed", stem.str() + "_unsigned"})
    if (std::optional<linalg::ElementwiseKind> found =
            linalg::symbolizeElementwiseKind(name))
      candidates.push_back({"elementwise", {}, found});
  return candidates;
}

/// The op with its region, or null if there is none of that name.
static linalg::LinalgOp createNamedOp(OpBuilder &b, const Candidate &candidate,
                                      const NamedOp &op,
                                      linalg::GenericOp generic,
                                      ValueRange inputs,
                                      ArrayRef<unsigned> order) {
  const std::string &opName = candidate.name;
  MLIRContext *context = b.getContext();
  auto registered =
      RegisteredOperationName::lookup("linalg." + opName, context);
  if (!registered)
    return nullptr;
  bool hasCast = llvm::is_contained(registered->getAttributeNames(), "cast");
  if (candidate.cast == linalg::TypeFn::cast_unsigned && !hasCast)
    return nullptr;
  ValueRange inits = generic.getDpsInits();
  if (opName == "transpose")
    return cast<linalg::LinalgOp>(
        linalg::TransposeOp::create(b, generic.getLoc(), inputs[0], inits[0],
                                    op.attributes[0].values)
            .getOperation());
  if (opName == "broadcast")
    return cast<linalg::LinalgOp>(
        linalg::BroadcastOp::create(b, generic.getLoc(), inputs[0], inits[0],
                                    op.attributes[0].values)
            .getOperation());
  OperationState state(generic.getLoc(), *registered);
  state.addOperands(inputs);
  state.addOperands(inits);
  state.addTypes(generic->getResultTypes());
  state.addAttribute(
      "operandSegmentSizes",
      b.getDenseI32ArrayAttr({static_cast<int32_t>(inputs.size()),
                              static_cast<int32_t>(inits.size())}));
  // The window of a pooling is an operand.
  for (const NamedOp::Attribute &attribute : op.attributes)
    if (!attribute.values.empty() &&
        (!op.isPooling() || attribute.name != "size"))
      state.addAttribute(attribute.name, b.getI64VectorAttr(attribute.values));
  if (hasCast && candidate.cast == linalg::TypeFn::cast_unsigned)
    state.addAttribute("cast",
                       linalg::TypeFnAttr::get(context, *candidate.cast));
  if (candidate.kind)
    state.addAttribute(
        "kind", linalg::ElementwiseKindAttr::get(context, *candidate.kind));
  auto setMaps = [&](ArrayRef<AffineMap> maps) {
    state.addAttribute("indexing_maps", b.getAffineMapArrayAttr(maps));
  };
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  if (opName == "contract" || opName == "elementwise") {
    SmallVector<AffineMap> ordered;
    for (unsigned input : order)
      ordered.push_back(maps[input]);
    ordered.push_back(maps.back());
    setMaps(ordered);
  }
  if (opName == "matmul")
    setMaps(linalg::MatmulOp::getDefaultIndexingMaps(context));
  if (opName == "batch_matmul")
    setMaps(linalg::BatchMatmulOp::getDefaultIndexingMaps(context));
  if (opName == "batch_reduce_matmul")
    setMaps(linalg::BatchReduceMatmulOp::getDefaultIndexingMaps(context));
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

/// Upstream's constants have a type of their own, which is then cast.
static void foldBody(RewriterBase &rewriter, linalg::GenericOp generic) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (Operation &op :
       llvm::make_early_inc_range(generic.getBody()->without_terminator())) {
    SmallVector<Value> folded;
    rewriter.setInsertionPoint(&op);
    if (succeeded(rewriter.tryFold(&op, folded)) && !folded.empty())
      rewriter.replaceOp(&op, folded);
  }
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
  for (const Candidate &candidate : getCandidates(op)) {
    linalg::LinalgOp made =
        createNamedOp(rewriter, candidate, op, generic, inputs, *order);
    if (!made)
      continue;
    bool isProved = false;
    if (succeeded(verify(made)))
      if (linalg::GenericOp back = createGeneric(rewriter, made)) {
        isProved = isSameGeneric(generic, back, *order);
        if (!isProved) {
          foldBody(rewriter, back);
          isProved = isSameGeneric(generic, back, *order);
        }
        rewriter.eraseOp(back);
      }
    if (isProved) {
      rewriter.replaceOp(generic, made);
      return made;
    }
    rewriter.eraseOp(made);
  }
  return nullptr;
}

} // namespace ein
