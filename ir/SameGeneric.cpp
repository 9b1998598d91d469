//===- SameGeneric.cpp - Whether two structured ops mean the same ---===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps are compared up to the numbers of the dims, bodies up to commutation.
//
//===----------------------------------------------------------------------===//

#include "ir/SameGeneric.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace ein {

/// Whether two ops have the same attributes but for flags: those allow, and do
/// not mean, anything, and a raised op has none.
static bool haveSameAttributes(Operation *a, Operation *b) {
  auto meaning = [](Operation *op) {
    SmallVector<NamedAttribute> attributes;
    for (NamedAttribute attribute : op->getAttrDictionary())
      if (!llvm::is_contained({"fastmath", "overflowFlags", "nonNeg"},
                              attribute.getName().getValue()))
        attributes.push_back(attribute);
    return attributes;
  };
  return meaning(a) == meaning(b);
}

namespace {
/// What the operands and the dims of one generic are in the other, and whose
/// arguments are elements of operands.
struct Numbering {
  ArrayRef<unsigned> inputs, dims;
  Block *bodyA, *bodyB;

  /// Whether the value is the same in both, as it comes from outside.
  static bool isOutside(Value value, Block *body) {
    return value.getParentBlock() != body;
  }
};
} // namespace

static bool isSameScalar(Value a, Value b, const Numbering &numbering);

/// Whether `a` is what `b` is in a wider type, whose upper bits are dropped.
static bool isNarrowed(Value a, Operation *opB, const Numbering &numbering) {
  auto narrowing = a.getDefiningOp<arith::TruncIOp>();
  Operation *opA = narrowing ? narrowing.getIn().getDefiningOp() : nullptr;
  if (!opA || opA->getName() != opB->getName() ||
      a.getType() != opB->getResult(0).getType())
    return false;
  if (isa<arith::IndexCastOp>(opA))
    return isSameScalar(opA->getOperand(0), opB->getOperand(0), numbering);
  bool isSigned = isa<arith::MaxSIOp, arith::MinSIOp>(opA);
  bool isUnsigned = isa<arith::MaxUIOp, arith::MinUIOp, arith::DivUIOp>(opA);
  if (!isSigned && !isUnsigned &&
      !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(opA))
    return false;
  return llvm::all_of(
      llvm::zip_equal(opA->getOperands(), opB->getOperands()), [&](auto pair) {
        Operation *widening = std::get<0>(pair).getDefiningOp();
        return widening &&
               ((!isUnsigned && isa<arith::ExtSIOp>(widening)) ||
                (!isSigned && isa<arith::ExtUIOp>(widening))) &&
               isSameScalar(widening->getOperand(0), std::get<1>(pair),
                            numbering);
      });
}

/// Whether two values compute the same scalar: the same op on the same operands
/// up to commutation, down to arguments that are the same operand's element.
static bool isSameScalar(Value a, Value b, const Numbering &numbering) {
  bool isOutsideA = Numbering::isOutside(a, numbering.bodyA);
  bool isOutsideB = Numbering::isOutside(b, numbering.bodyB);
  if (isOutsideA && isOutsideB && a == b)
    return true;
  // An argument from outside is no operand's element.
  if ((isOutsideA && isa<BlockArgument>(a)) ||
      (isOutsideB && isa<BlockArgument>(b)))
    return false;
  auto argumentA = dyn_cast<BlockArgument>(a);
  auto argumentB = dyn_cast<BlockArgument>(b);
  if (argumentA || argumentB) {
    if (!argumentA || !argumentB)
      return false;
    unsigned number = argumentB.getArgNumber();
    return argumentA.getArgNumber() == (number < numbering.inputs.size()
                                            ? numbering.inputs[number]
                                            : number);
  }
  Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
  if (isNarrowed(a, opB, numbering))
    return true;
  auto indexA = dyn_cast<linalg::IndexOp>(opA);
  auto indexB = dyn_cast<linalg::IndexOp>(opB);
  if (indexA && indexB)
    return indexA.getDim() == numbering.dims[indexB.getDim()];
  if (opA->getName() != opB->getName() || a.getType() != b.getType() ||
      opA->getNumRegions() != 0 ||
      opA->getNumOperands() != opB->getNumOperands() ||
      !isa<arith::ArithDialect, complex::ComplexDialect, math::MathDialect,
           EinDialect>(opA->getDialect()) ||
      !haveSameAttributes(opA, opB))
    return false;
  auto matches = [&](bool swapped) {
    unsigned last = opA->getNumOperands() - 1;
    for (unsigned i = 0, e = opA->getNumOperands(); i < e; ++i)
      if (!isSameScalar(opA->getOperand(i),
                        opB->getOperand(swapped ? last - i : i), numbering))
        return false;
    return true;
  };
  bool commutes =
      opA->getNumOperands() == 2 && (opA->hasTrait<OpTrait::IsCommutative>() ||
                                     isa<complex::AddOp, complex::MulOp>(opA));
  return matches(false) || (commutes && matches(true));
}

std::optional<SmallVector<unsigned>> getRenaming(ArrayRef<AffineMap> a,
                                                 ArrayRef<AffineMap> b) {
  if (a.size() != b.size() || a.empty() ||
      a[0].getNumDims() != b[0].getNumDims())
    return std::nullopt;
  unsigned numLoops = a[0].getNumDims();
  SmallVector<AffineExpr> renaming(numLoops);
  llvm::SmallBitVector used(numLoops);
  for (auto [mapA, mapB] : llvm::zip_equal(a, b)) {
    if (mapA.getNumResults() != mapB.getNumResults())
      return std::nullopt;
    for (auto [exprA, exprB] :
         llvm::zip_equal(mapA.getResults(), mapB.getResults())) {
      auto dimA = dyn_cast<AffineDimExpr>(exprA);
      auto dimB = dyn_cast<AffineDimExpr>(exprB);
      if (!dimA || !dimB || renaming[dimB.getPosition()])
        continue;
      if (used.test(dimA.getPosition()))
        return std::nullopt;
      used.set(dimA.getPosition());
      renaming[dimB.getPosition()] = exprA;
    }
  }
  if (!used.all())
    return std::nullopt;
  for (auto [mapA, mapB] : llvm::zip_equal(a, b))
    if (mapB.replaceDimsAndSymbols(renaming, {}, numLoops, 0) != mapA)
      return std::nullopt;
  return llvm::map_to_vector(renaming, [](AffineExpr expr) {
    return cast<AffineDimExpr>(expr).getPosition();
  });
}

bool isSameBody(linalg::GenericOp a, linalg::GenericOp b,
                ArrayRef<unsigned> order, ArrayRef<unsigned> dims) {
  // What the body does beside computing would be lost.
  if (a.getLibraryCall() ||
      !llvm::all_of(a.getBody()->without_terminator(), [](Operation &inner) {
        return isMemoryEffectFree(&inner);
      }))
    return false;
  for (auto [dimB, dimA] : llvm::enumerate(dims))
    if (a.getIteratorTypesArray()[dimA] != b.getIteratorTypesArray()[dimB])
      return false;
  return llvm::all_of(
      llvm::zip_equal(a.getBody()->getTerminator()->getOperands(),
                      b.getBody()->getTerminator()->getOperands()),
      [&](auto pair) {
        return isSameScalar(std::get<0>(pair), std::get<1>(pair),
                            {order, dims, a.getBody(), b.getBody()});
      });
}

bool isSameGeneric(linalg::GenericOp a, linalg::GenericOp b,
                   ArrayRef<unsigned> order) {
  if (a->getOperandTypes().size() != b->getOperandTypes().size() ||
      a.getNumDpsInputs() != static_cast<int64_t>(order.size()) ||
      b.getNumDpsInputs() != static_cast<int64_t>(order.size()))
    return false;
  SmallVector<AffineMap> given = a.getIndexingMapsArray(), mapsA = given;
  for (auto [i, input] : llvm::enumerate(order)) {
    if (b->getOperand(i) != a->getOperand(input))
      return false;
    mapsA[i] = given[input];
  }
  std::optional<SmallVector<unsigned>> renaming =
      getRenaming(mapsA, b.getIndexingMapsArray());
  return renaming && isSameBody(a, b, order, *renaming);
}

linalg::GenericOp createGeneric(RewriterBase &rewriter, Operation *op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (auto contract = dyn_cast<ContractOp>(op))
    return contract.generalize(rewriter);
  auto copy = dyn_cast<linalg::LinalgOp>(rewriter.clone(*op));
  if (!copy)
    return nullptr;
  if (auto generic = dyn_cast<linalg::GenericOp>(copy.getOperation()))
    return generic;
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, copy);
  if (succeeded(generic)) {
    // Upstream caches the maps of the named op, and believes the cache.
    (*generic)->removeAttr(
        linalg::LinalgDialect::kMemoizedIndexingMapsAttrName);
    return *generic;
  }
  rewriter.eraseOp(copy);
  return nullptr;
}

} // namespace ein
