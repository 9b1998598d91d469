//===- ProductOp.cpp - The op of products with index arithmetic -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace ein {

std::optional<SmallVector<DimTerm, 2>> getDimTerms(AffineExpr expr) {
  SmallVector<DimTerm, 2> terms;
  SmallVector<std::pair<AffineExpr, int64_t>> worklist = {{expr, 1}};
  while (!worklist.empty()) {
    auto [next, factor] = worklist.pop_back_val();
    if (auto dim = dyn_cast<AffineDimExpr>(next)) {
      terms.push_back({dim.getPosition(), factor});
      continue;
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(next);
    if (!binary)
      return std::nullopt;
    // The right side first, as this is a stack.
    if (binary.getKind() == AffineExprKind::Add) {
      worklist.push_back({binary.getRHS(), factor});
      worklist.push_back({binary.getLHS(), factor});
      continue;
    }
    auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (binary.getKind() != AffineExprKind::Mul || !scale ||
        scale.getValue() <= 0)
      return std::nullopt;
    worklist.push_back({binary.getLHS(), factor * scale.getValue()});
  }
  // As the program has them.
  llvm::sort(terms, [](DimTerm a, DimTerm b) { return a.dim < b.dim; });
  for (size_t i = 1; i < terms.size(); ++i)
    if (terms[i].dim == terms[i - 1].dim)
      return std::nullopt;
  return terms;
}

SmallVector<OpFoldResult> ProductOp::getMixedExtents() {
  return mlir::getMixedValues(getStaticExtents(), getExtents(), getContext());
}

/// How long an input is along a sum; dynamic if an extent is.
static int64_t getSpan(ArrayRef<DimTerm> terms, ArrayRef<int64_t> extents) {
  int64_t span = 1;
  bool isEmpty = false;
  for (DimTerm term : terms) {
    if (ShapedType::isDynamic(extents[term.dim]))
      return ShapedType::kDynamic;
    isEmpty |= extents[term.dim] == 0;
    span += term.coefficient * (extents[term.dim] - 1);
  }
  return isEmpty ? 0 : span;
}

LogicalResult ProductOp::verify() {
  unsigned numInputs = getInputs().size();
  unsigned numMaps = numInputs + getConditions().size() + 1;
  unsigned numLoops = getNumLoops();
  if (numInputs == 0)
    return emitOpError("has no inputs");
  if (getIndexingMaps().size() != numMaps)
    return emitOpError("has ")
           << getIndexingMaps().size() << " indexing maps for " << numMaps
           << " inputs, conditions and an init";
  if (getInit().getType() != getResult().getType())
    return emitOpError("has an init of type ")
           << getInit().getType() << " and a result of type "
           << getResult().getType();

  Type elementType = getElementTypeOrSelf(getResult().getType());
  llvm::SmallBitVector seen(numLoops);
  for (unsigned position = 0; position != numMaps; ++position) {
    AffineMap map = getMap(position);
    auto type = cast<RankedTensorType>(getOperand(position).getType());
    bool isInput = position < numInputs;
    if (map.getNumDims() != numLoops || map.getNumSymbols() != 0)
      return emitOpError("has indexing map #")
             << position << " that is not over a dim per extent";
    if (map.getNumResults() != type.getRank())
      return emitOpError("has indexing map #")
             << position << " with " << map.getNumResults()
             << " results for an operand of rank " << type.getRank();
    Type from = type.getElementType();
    if (isInput && !widensTo(from, elementType))
      return emitOpError("cannot convert operand #")
             << position << " from " << from << " to " << elementType
             << " without loss";
    for (auto [expr, extent] :
         llvm::zip_equal(map.getResults(), type.getShape())) {
      std::optional<SmallVector<DimTerm, 2>> terms = getDimTerms(expr);
      if (!terms || (!isInput && !isa<AffineDimExpr>(expr)))
        return emitOpError("has indexing map #")
               << position << " with a result that is no "
               << (isInput ? "sum of dims times positive numbers" : "dim");
      for (DimTerm term : *terms)
        seen.set(term.dim);
      // A factor is a step of the operand's slice.
      int64_t span = getSpan(*terms, getStaticExtents());
      if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(span) &&
          extent != span)
        return emitOpError("has operand #")
               << position << " with a dim of " << extent << ", whose map has "
               << span << " values";
    }
  }
  if (!seen.all())
    return emitOpError("has a dim that no indexing map uses");
  llvm::SmallBitVector written(numLoops);
  for (AffineExpr expr : getMap(numMaps - 1).getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    if (written.test(dim))
      return emitOpError("repeats dim d") << dim << " in its output map";
    written.set(dim);
  }
  if (ArrayAttr path = getPathAttr(); path && path.size() + 1 != numInputs)
    return emitOpError("has a path of ")
           << path.size() << " steps for " << numInputs << " inputs";
  return verifyGroups(*this, getPathAttr(), numInputs);
}

} // namespace ein
