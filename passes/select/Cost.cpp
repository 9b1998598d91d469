//===- Cost.cpp - What an op will take ------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A prediction, for `einc explain`: counted from the op and its strategy, not
// measured, and nothing is decided by it. Bytes are those that loops move to
// and from what holds the arrays: each element of an input once for each time
// that it is packed, or once if it is read in place; each panel once, as it is
// written; each element of the result as often as a block of a sum ends. What
// caches and registers give again is not counted: it is what the blocks are
// for.
//
//===----------------------------------------------------------------------===//

#include "passes/select/Cost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Raising.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ein {

namespace {

/// Of an element of an array.
double getWidth(Value array) {
  return double(getElementBytes(cast<ShapedType>(array.getType())));
}

class Cost {
public:
  Cost(linalg::LinalgOp op, const Strategy &strategy);

  std::string getClass();
  double countOperations();
  /// Once each, what is read and written.
  double getArrayBytes();
  double getPanelBytes();
  double getMovedBytes();
  bool hasDynamicSizes() { return isDynamic; }

private:
  /// Whether it is of two inputs, one of which at least has each dim.
  bool isProduct();
  std::string getProductClass(ArrayRef<DimRole> roles);
  double getExtent(ArrayRef<DimRole> roles, DimRole role);
  /// How many blocks the strategy makes of a dim.
  double getBlocks(int64_t dim);
  double getBytes(Value value, AffineMap map);
  /// How often input `number` is packed.
  double getPackings(unsigned number);
  /// How often each element of the result is written.
  double getRounds();

  linalg::LinalgOp op;
  const Strategy &strategy;
  SmallVector<AffineMap> maps;
  SmallVector<double> sizes;
  bool isDynamic = false;
};

} // namespace

Cost::Cost(linalg::LinalgOp op, const Strategy &strategy)
    : op(op), strategy(strategy), maps(op.getIndexingMapsArray()) {
  for (int64_t size : op.getStaticLoopRanges()) {
    isDynamic |= ShapedType::isDynamic(size);
    sizes.push_back(ShapedType::isDynamic(size) ? double(kDynamicExtent)
                                                : double(size));
  }
}

bool Cost::isProduct() {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return false;
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation())
      return false;
  return !hasRepeatedDim(maps);
}

double Cost::getExtent(ArrayRef<DimRole> roles, DimRole role) {
  double extent = 1;
  for (auto [dim, size] : llvm::zip_equal(roles, sizes))
    if (dim == role)
      extent *= size;
  return extent;
}

std::string Cost::getProductClass(ArrayRef<DimRole> roles) {
  double m = getExtent(roles, DimRole::M), n = getExtent(roles, DimRole::N),
         k = getExtent(roles, DimRole::K);
  auto count = [&](DimRole role) { return llvm::count(roles, role); };
  bool isBatched = getExtent(roles, DimRole::Batch) != 1;
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

std::string Cost::getClass() {
  if (isa<linalg::FillOp>(op.getOperation()))
    return "fill";
  bool isWindow = llvm::any_of(maps, [](AffineMap map) {
    return !map.isProjectedPermutation(/*allowZeroInResults=*/true);
  });
  if (isWindow)
    return op.getNumReductionLoops() ? "window" : "elementwise";
  if (isProduct())
    return getProductClass(getRoles(op));
  if (op.getNumReductionLoops() != 0)
    return "reduction";
  bool isCopy = op.getNumDpsInputs() == 1 &&
                llvm::hasSingleElement(op->getRegion(0).front());
  if (isCopy)
    return maps[0] == maps[1] ? "copy" : "transposition";
  return "elementwise";
}

double Cost::countOperations() {
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
  for (double size : sizes)
    each *= size;
  return each;
}

double Cost::getBytes(Value value, AffineMap map) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type)
    return 0;
  double bytes = getWidth(value);
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size))
      bytes *= double(size);
    else if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(axis)))
      bytes *= sizes[dim.getPosition()];
    else
      bytes *= double(kDynamicExtent);
  }
  return bytes;
}

double Cost::getBlocks(int64_t dim) {
  int64_t tile = strategy.tile[dim];
  return tile == 0 ? 1 : std::ceil(sizes[dim] / double(tile));
}

/// A pack is lifted out of the loops in it that it does not depend on.
double Cost::getPackings(unsigned number) {
  double times = 1;
  int64_t innermost = -1;
  for (auto [position, dim] : llvm::enumerate(strategy.interchange))
    if (maps[number].isFunctionOfDim(dim) && strategy.tile[dim] != 0)
      innermost = position;
  for (int64_t position = 0; position < innermost; ++position) {
    int64_t dim = strategy.interchange[position];
    if (!maps[number].isFunctionOfDim(dim))
      times *= getBlocks(dim);
  }
  return times;
}

double Cost::getRounds() {
  if (strategy.kind != Strategy::PackedGemm)
    return 1;
  double rounds = 1;
  for (int64_t dim = 0, e = sizes.size(); dim < e; ++dim)
    if (!maps.back().isFunctionOfDim(dim))
      rounds *= getBlocks(dim);
  return rounds;
}

double Cost::getArrayBytes() {
  double bytes = 0;
  for (auto [value, map] : llvm::zip(op->getOperands(), maps))
    bytes += getBytes(value, map);
  return bytes;
}

double Cost::getPanelBytes() {
  double bytes = 0;
  if (strategy.kind != Strategy::PackedGemm)
    return bytes;
  double width = getWidth(op.getDpsInits()[0]) / double(strategy.kPack);
  for (unsigned i : {0u, 1u}) {
    Value input = op.getDpsInputs()[i];
    if (strategy.pack[i])
      bytes +=
          getBytes(input, maps[i]) / getWidth(input) * width * getPackings(i);
  }
  return bytes;
}

double Cost::getMovedBytes() {
  double bytes = getPanelBytes();
  bool isGemm = strategy.kind == Strategy::PackedGemm;
  for (auto [i, input] : llvm::enumerate(op.getDpsInputs()))
    bytes += getBytes(input, maps[i]) *
             (isGemm && strategy.pack[i] ? getPackings(i) : 1);
  // An epilogue's result is in registers when it starts, and an op that does
  // not look at what was there only writes.
  bool isFilled = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  for (auto [i, init] : llvm::enumerate(op.getDpsInits())) {
    bool reads = op.payloadUsesValueFromOperand(op.getDpsInitOperand(i)) &&
                 strategy.kind != Strategy::Epilogue;
    double passes = reads ? 2 * getRounds() : 1;
    if (isGemm && isFilled)
      passes -= 1;
    bytes += getBytes(init, maps[op.getNumDpsInputs() + i]) * passes;
  }
  return bytes;
}

OpCost computeCost(linalg::LinalgOp op, const Strategy &strategy,
                   const TargetInfo &target) {
  Cost cost(op, strategy);
  OpCost result;
  result.opClass = cost.getClass();
  result.operations = cost.countOperations();
  result.movedBytes = cost.getMovedBytes();
  result.panelBytes = cost.getPanelBytes();
  result.arrayBytes = cost.getArrayBytes();
  result.elementBits = unsigned(8 * getWidth(op.getDpsInits()[0]));
  result.level = getHoldingLevel(target, result.arrayBytes);
  result.computingCycles =
      result.operations / getOperationsPerCycle(target, result.elementBits);
  result.movingCycles = result.movedBytes / result.level.bytesPerCycle;
  result.hasDynamicSizes = cost.hasDynamicSizes();
  result.dynamicExtent = kDynamicExtent;
  return result;
}

std::string OpCost::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << opClass << ", ";
  printCount(os, operations);
  os << " operations, ";
  printCount(os, movedBytes);
  os << " bytes moved";
  if (panelBytes > 0) {
    os << ", ";
    printCount(os, panelBytes);
    os << " of them to panels";
  }
  os << "; arrays in " << level.name << ", bound by "
     << (isBoundByComputing() ? "computing" : "moving") << " (";
  printCount(os, computingCycles);
  os << " and ";
  printCount(os, movingCycles);
  os << " cycles)";
  if (hasDynamicSizes)
    os << "; dynamic sizes count as " << dynamicExtent;
  return text;
}

} // namespace ein
