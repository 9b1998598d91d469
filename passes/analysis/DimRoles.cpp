//===- DimRoles.cpp - What dims are to a contraction
//-------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/DimRoles.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/StrictFP.h"

using namespace mlir;

namespace ein {

SmallVector<DimRole> getRoles(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<DimRole> roles;
  for (unsigned dim = 0, e = op.getNumLoops(); dim < e; ++dim) {
    bool lhs = maps[0].isFunctionOfDim(dim), rhs = maps[1].isFunctionOfDim(dim);
    if (!maps[2].isFunctionOfDim(dim))
      roles.push_back(DimRole::K);
    else if (lhs == rhs)
      roles.push_back(DimRole::Batch);
    else
      roles.push_back(lhs ? DimRole::M : DimRole::N);
  }
  return roles;
}

int64_t getLargest(ArrayRef<int64_t> dims, ArrayRef<int64_t> sizes) {
  auto rank = [&](int64_t dim) {
    return ShapedType::isDynamic(sizes[dim])
               ? std::numeric_limits<int64_t>::max()
               : sizes[dim];
  };
  int64_t best = -1;
  for (int64_t dim : dims)
    if (best < 0 || rank(dim) >= rank(best))
      best = dim;
  return best;
}

int64_t getLargest(ArrayRef<DimRole> roles, DimRole role,
                   ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> dims;
  for (auto [dim, ofDim] : llvm::enumerate(roles))
    if (ofDim == role)
      dims.push_back(dim);
  return getLargest(dims, sizes);
}

unsigned getElementBits(linalg::LinalgOp op) {
  return 8 * getScalarBytes(getElementTypeOrSelf(op.getDpsInits()[0]));
}

unsigned getPartBits(linalg::LinalgOp op) {
  Type element = getElementTypeOrSelf(op.getDpsInits()[0]);
  return 8 * getScalarBytes(getPartType(element));
}

unsigned getNarrowestBits(linalg::LinalgOp op) {
  int64_t bytes = std::numeric_limits<int64_t>::max();
  for (Type type : op->getOperandTypes())
    bytes = std::min(bytes,
                     getScalarBytes(getPartType(getElementTypeOrSelf(type))));
  return 8 * bytes;
}

/// Whether the operands can be converted to the accumulator's type as they are
/// packed: by an extension.
static bool canWiden(linalg::LinalgOp op) {
  Type to = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  return llvm::all_of(op.getDpsInputs(), [&](Value input) {
    Type from = getElementTypeOrSelf(input.getType());
    if (from == to)
      return true;
    bool isSameKind = (from.isInteger() && to.isInteger()) ||
                      (isa<FloatType>(from) && isa<FloatType>(to));
    return isSameKind &&
           from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  });
}

bool isPackable(linalg::LinalgOp op) {
  std::optional<ContractionKind> kind = getContractionKind(op);
  if (!kind || !canWiden(op) || (kind->hasOrder() && keepsOrder(op)))
    return false;
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (isa<ComplexType>(element))
    return isa<linalg::ContractOp>(op.getOperation());
  // No machine multiplies bytes, and LLVM takes minutes over a register tile of
  // them.
  if (getElementBits(op) < 16)
    return false;
  return isa<linalg::ContractOp>(op.getOperation()) ||
         (op.hasPureTensorSemantics() &&
          succeeded(matchLinalgContract(op.getIndexingMapsArray())) &&
          element.isIntOrFloat());
}

int64_t getLastDim(AffineMap map) {
  if (map.getNumResults() == 0)
    return -1;
  return cast<AffineDimExpr>(map.getResults().back()).getPosition();
}

AffineMap getInitMap(linalg::LinalgOp op) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

} // namespace ein
