//===- OpClass.cpp - What an op is, for people ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/OpClass.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Raising.h"

using namespace mlir;

namespace ein {

/// Whether it is of two inputs, one of which at least has each dim.
static bool isProduct(linalg::LinalgOp op, ArrayRef<AffineMap> maps) {
  return op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1 &&
         llvm::all_of(
             maps,
             [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         !hasRepeatedDim(maps);
}

static std::string getProductClass(ArrayRef<DimRole> roles,
                                   ArrayRef<double> extents) {
  auto getExtent = [&](DimRole wanted) {
    double extent = 1;
    for (auto [role, size] : llvm::zip_equal(roles, extents))
      if (role == wanted)
        extent *= size;
    return extent;
  };
  double m = getExtent(DimRole::M), n = getExtent(DimRole::N),
         k = getExtent(DimRole::K);
  auto count = [&](DimRole role) { return llvm::count(roles, role); };
  bool isBatched = getExtent(DimRole::Batch) != 1;
  std::string batched = isBatched ? "batched " : "";
  if (count(DimRole::K) == 0)
    return count(DimRole::M) && count(DimRole::N) ? batched + "outer product"
                                                  : "elementwise";
  if (m == 1 && n == 1)
    return batched + "dot product";
  if (m == 1 || n == 1)
    return batched + "product of a matrix and a vector";
  if (count(DimRole::M) > 1 || count(DimRole::N) > 1 || count(DimRole::K) > 1)
    return batched + "tensor contraction";
  constexpr double kSmall = 32, kUneven = 16;
  double shorter = std::min(m, n), longer = std::max(m, n);
  std::string shape;
  if (std::max(longer, k) <= kSmall)
    shape = "small";
  else if (k >= kUneven * longer)
    shape = "long k";
  else if (longer >= kUneven * shorter)
    shape = "tall-skinny";
  else if (shorter >= kUneven * k)
    shape = "rank-k";
  else
    shape = "square";
  return batched + "matrix product (" + shape + ")";
}

std::string getOpClass(linalg::LinalgOp op, ArrayRef<double> extents) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (isa<linalg::FillOp>(op.getOperation()))
    return "fill";
  bool isWindow = llvm::any_of(maps, [](AffineMap map) {
    return !map.isProjectedPermutation(/*allowZeroInResults=*/true);
  });
  if (isWindow)
    return op.getNumReductionLoops() ? "window" : "elementwise";
  if (isProduct(op, maps))
    return getProductClass(getRoles(op), extents);
  if (op.getNumReductionLoops() != 0)
    return "reduction";
  bool isCopy = op.getNumDpsInputs() == 1 &&
                llvm::hasSingleElement(op->getRegion(0).front());
  if (isCopy)
    return maps[0] == maps[1] ? "copy" : "transposition";
  return "elementwise";
}

double countPointOperations(linalg::LinalgOp op) {
  double each = 0;
  for (Operation &inner : op->getRegion(0).front().without_terminator()) {
    if (isa<complex::MulOp>(inner))
      each += 6;
    else if (isa<complex::AddOp, complex::SubOp>(inner))
      each += 2;
    else
      each += !isa<CastOpInterface>(inner) && !isa<linalg::IndexOp>(inner) &&
              !inner.hasTrait<OpTrait::ConstantLike>();
  }
  return each;
}

} // namespace ein
