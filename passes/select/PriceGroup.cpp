//===- PriceGroup.cpp - Cycles of ops on the same rows --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/select/PriceGroup.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Raising.h"
#include "target/OpCost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cmath>

using namespace mlir;

namespace ein {

/// Loops over dims of an op, of which the first ones are over blocks.
struct GroupPricer::Nest {
  struct Loop {
    NestLoop loop;
    int64_t dim;
  };
  SmallVector<Loop> loops;
  size_t numOutside = 0;

  void add(int64_t dim, double extent, double step, bool isBlock = false) {
    loops.push_back({{extent, std::min(step, extent), isBlock}, dim});
  }
};

/// The memory that a value is in, as far as ops of the group change it in
/// place.
static Value getMemory(Value value, const FusionGroup &group) {
  while (linalg::LinalgOp source = getMember(value, group)) {
    OpOperand *init = source.getDpsInitOperand(0);
    if (source.getNumReductionLoops() != 0 ||
        !source.payloadUsesValueFromOperand(init))
      break;
    value = init->get();
  }
  return value;
}

GroupPricer::GroupPricer(const FusionGroup &group, const TargetInfo &target)
    : target(target) {
  llvm::SmallPtrSet<void *, 16> touched;
  for (const auto &[operation, rows] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    Member member = {PricedOp(op, {}), rows};
    SmallVector<DimRole> roles;
    if (getContractionKind(op))
      roles = getRoles(op);
    member.isProduct = llvm::is_contained(roles, DimRole::M) &&
                       llvm::is_contained(roles, DimRole::N);
    for (unsigned i = 0; i < member.op.getNumOperands(); ++i) {
      Value value =
          member.op.isOutput(i) ? op->getResult(0) : op->getOperand(i);
      linalg::LinalgOp source = getMember(value, group);
      member.isPrivate.push_back(source && !isReadOutside(source, group));
      member.values.push_back(getMemory(value, group));
      member.isNear.push_back(
          member.isPrivate.back() ||
          touched.contains(member.values.back().getAsOpaquePointer()));
    }
    for (Value value : member.values)
      touched.insert(value.getAsOpaquePointer());
    members.push_back(std::move(member));
  }
  findColumns();
}

/// The columns are what one op makes, and another one sums up or looks for the
/// largest of; and what is computed for each of them.
void GroupPricer::findColumns() {
  llvm::SmallPtrSet<void *, 8> haveColumns;
  for (const Member &member : members)
    for (unsigned i = 0; i < member.op.getNumOperands(); ++i)
      if (int64_t last = getLastDim(member.op.maps[i]);
          member.isPrivate[i] && last >= 0 && member.op.isSummed(last))
        haveColumns.insert(member.values[i].getAsOpaquePointer());
  for (size_t before = 0; before != haveColumns.size();) {
    before = haveColumns.size();
    for (Member &member : members) {
      for (unsigned i = 0; i < member.op.getNumOperands(); ++i)
        if (haveColumns.contains(member.values[i].getAsOpaquePointer()))
          member.columns = getLastDim(member.op.maps[i]);
      for (unsigned i = 0; i < member.op.getNumOperands(); ++i)
        if (member.columns >= 0 && member.isPrivate[i] &&
            getLastDim(member.op.maps[i]) == member.columns)
          haveColumns.insert(member.values[i].getAsOpaquePointer());
    }
  }
}

/// Of a loop inside of the blocks.
double GroupPricer::getExtent(const Member &member, int64_t dim,
                              const GroupBlocks *blocks) const {
  double size = member.op.sizes[dim];
  if (!blocks)
    return size;
  if (dim == member.rows.back())
    return std::min(size, double(blocks->rows));
  if (llvm::is_contained(member.rows, dim))
    return 1;
  if (dim == member.columns && blocks->columns != 0)
    return std::min(size, double(blocks->columns));
  return size;
}

/// Bytes from one value of the dim to the next, inside of the blocks.
double GroupPricer::getStride(const Member &member, unsigned operand,
                              int64_t dim, const GroupBlocks *blocks) const {
  AffineMap map = member.op.maps[operand];
  // A factor that all rows read is there in panels, or as good as that.
  if (member.isProduct && !member.op.isOutput(operand) &&
      !map.isFunctionOfDim(member.rows.back()) && map.isFunctionOfDim(dim) &&
      !llvm::is_contained(member.rows, dim)) {
    double width = member.op.widths[operand];
    int64_t column = getLastDim(member.op.maps.back());
    double depth = 1;
    for (int64_t inner = 0, e = member.op.sizes.size(); inner < e; ++inner)
      if (member.op.isSummed(inner))
        depth *= member.op.sizes[inner];
    if (dim == column)
      return width * depth;
    double panel = getMicroKernel(target, unsigned(8 * width)).getNr();
    return width * std::min(panel, member.op.sizes[column]);
  }
  if (!blocks || !member.isPrivate[operand])
    return member.op.getStride(operand, dim);
  double stride = member.op.widths[operand];
  for (AffineExpr expr : llvm::reverse(map.getResults())) {
    auto own = dyn_cast<AffineDimExpr>(expr);
    if (own && int64_t(own.getPosition()) == dim)
      return stride;
    if (own)
      stride *= getExtent(member, own.getPosition(), blocks);
  }
  return 0;
}

NestArray GroupPricer::getArray(const Member &member, unsigned operand,
                                const Nest &nest,
                                const GroupBlocks *blocks) const {
  NestArray array = {{},   member.op.widths[operand],
                     true, member.op.isOutput(operand),
                     0,    std::nullopt,
                     {}};
  for (auto [i, loop] : llvm::enumerate(nest.loops)) {
    bool isBuffer = i < nest.numOutside && member.isNear[operand];
    array.strides.push_back(
        isBuffer ? 0
                 : getStride(member, operand, loop.dim,
                             i < nest.numOutside ? nullptr : blocks));
  }
  // What is made for the group alone starts from a number.
  if (member.op.isOutput(operand))
    array.isRead = member.op.readsResult && !member.isPrivate[operand];
  return array;
}

/// What the nests of other members touch, in as many loops of `nest`.
NestArray GroupPricer::getBeside(const Member &member, unsigned operand,
                                 const Nest &nest,
                                 const GroupBlocks *blocks) const {
  Nest own = getOuter(member, blocks);
  NestArray array = getArray(member, operand, own, blocks);
  // Who has no columns is there once for all blocks of them.
  array.strides.resize(nest.numOutside, 0);
  array.strides.resize(nest.loops.size(), 0);
  array.isWritten = false;
  array.beside = nest.numOutside;
  for (int64_t dim = 0, e = member.op.sizes.size(); dim < e; ++dim)
    if (double extent = getExtent(member, dim, blocks); extent > 1)
      if (double stride = getStride(member, operand, dim, blocks); stride != 0)
        array.steps.push_back({std::abs(stride), extent});
  return array;
}

GroupPricer::Nest GroupPricer::getOuter(const Member &member,
                                        const GroupBlocks *blocks) const {
  Nest nest;
  if (!blocks)
    return nest;
  for (int64_t dim : member.rows)
    nest.add(dim, member.op.sizes[dim],
             dim == member.rows.back() ? double(blocks->rows) : 1,
             /*isBlock=*/true);
  if (blocks->columns != 0 && member.columns >= 0)
    nest.add(member.columns, member.op.sizes[member.columns],
             double(blocks->columns), /*isBlock=*/true);
  nest.numOutside = nest.loops.size();
  return nest;
}

NestCost GroupPricer::priceMember(const Member &member,
                                  const GroupBlocks *blocks) const {
  const PricedOp &op = member.op;
  Nest nest = getOuter(member, blocks);
  if (!blocks)
    nest.numOutside = 0;
  double width = op.widths.back();
  int64_t row = member.rows.back(), last = getLastDim(op.maps.back());
  for (unsigned i = 0; !member.isProduct && i < op.getNumOperands(); ++i)
    if (int64_t dim = getLastDim(op.maps[i]);
        dim >= 0 && !llvm::is_contained(member.rows, dim))
      last = dim;
  double lanes = target.getLanes(unsigned(8 * width));
  double nr = lanes;
  NestWork work;
  work.vectorBits = lanes * width * 8;
  if (member.isProduct) {
    double rows = getExtent(member, row, blocks), depth = 1;
    MicroKernel kernel =
        getMicroKernels(target, unsigned(8 * width), int64_t(rows),
                        int64_t(getExtent(member, last, blocks)))
            .main;
    double mr = std::min<double>(kernel.mr, rows);
    nr = kernel.getNr();
    for (int64_t dim = 0, e = op.sizes.size(); dim < e; ++dim)
      if (dim != row && dim != last && !op.isSummed(dim))
        nest.add(dim, getExtent(member, dim, blocks), 1);
    nest.add(last, getExtent(member, last, blocks), nr);
    // The last rows are a tile of their own.
    nest.add(row, rows, mr, /*isBlock=*/true);
    for (int64_t dim = 0, e = op.sizes.size(); dim < e; ++dim)
      if (op.isSummed(dim)) {
        nest.add(dim, getExtent(member, dim, blocks), 1);
        depth *= getExtent(member, dim, blocks);
      }
    nest.add(row, mr, 1);
    work.fmas = kernel.nrVectors;
    work.loads = 1 + kernel.nrVectors / mr + kernel.nrVectors / depth;
    work.stores = kernel.nrVectors / depth;
    work.scalars = 3 / mr;
    work.chainedFmas = 1 / mr;
    work.loopEnds = 1 / (depth * mr);
  } else {
    for (int64_t dim = 0, e = op.sizes.size(); dim < e; ++dim)
      if (dim != last)
        nest.add(dim, getExtent(member, dim, blocks), 1);
    if (last >= 0)
      nest.add(last, getExtent(member, last, blocks), lanes);
    work.fmas = op.fmas;
    work.adds = op.adds;
    work.logic = op.logic;
    work.scalars = 2;
  }
  LoopNest loops;
  for (const Nest::Loop &loop : nest.loops)
    loops.loops.push_back(loop.loop);
  llvm::SmallPtrSet<void *, 16> seen;
  for (unsigned i = 0; i < op.getNumOperands(); ++i) {
    NestArray array = getArray(member, i, nest, blocks);
    bool isAlong = last >= 0 && array.strides.back() != 0;
    if (member.isProduct) {
      array.bytes *= op.maps[i].isFunctionOfDim(last) ? nr : 1;
    } else {
      array.bytes *= isAlong ? lanes : 1;
      work.loads += isAlong && !op.isOutput(i);
      work.stores += isAlong && op.isOutput(i);
    }
    loops.arrays.push_back(array);
    seen.insert(member.values[i].getAsOpaquePointer());
  }
  loops.work = work;
  for (const Member &other : members)
    for (unsigned i = 0; i < other.op.getNumOperands(); ++i)
      if (isa<ShapedType>(other.values[i].getType()) &&
          seen.insert(other.values[i].getAsOpaquePointer()).second)
        loops.arrays.push_back(getBeside(other, i, nest, blocks));
  return priceNest(loops, target.machine);
}

/// Of each row, a block of columns makes up for another maximum: it is found
/// and the sum is added up across lanes, the factor is computed, and what has
/// been added up so far is multiplied by it.
NestCost GroupPricer::priceRescaling(const Member &last,
                                     const GroupBlocks &blocks) const {
  double width = last.op.widths.back(), rows = 1, columns = 1;
  double lanes = target.getLanes(unsigned(8 * width));
  for (int64_t dim = 0, e = last.op.sizes.size(); dim < e; ++dim)
    if (llvm::is_contained(last.rows, dim))
      rows *= last.op.sizes[dim];
    else if (!last.op.isSummed(dim))
      columns *= last.op.sizes[dim];
  double times =
      std::ceil(last.op.sizes[last.columns] / double(blocks.columns));
  double vectors = std::ceil(columns / lanes), halvings = std::log2(lanes);
  LoopNest loops;
  loops.loops.push_back({rows * times, 1});
  loops.work.vectorBits = lanes * width * 8;
  loops.work.loads = loops.work.stores = vectors;
  loops.work.fmas = vectors + OpCost::kFormula;
  loops.work.shuffles = 2 * halvings;
  loops.work.adds = 2 * halvings;
  loops.work.scalars = 2 * vectors;
  loops.work.chainedAdds = 4 * halvings;
  loops.work.chainedFmas = OpCost::kFormula;
  return priceNest(loops, target.machine);
}

NestCost GroupPricer::price(const GroupBlocks &blocks) const {
  NestCost cost;
  for (const Member &member : members)
    cost.add(priceMember(member, &blocks));
  if (blocks.columns != 0)
    for (const Member &member : members)
      if (member.isProduct && member.columns >= 0 &&
          member.op.isSummed(member.columns))
        cost.add(priceRescaling(member, blocks));
  return cost;
}

NestCost GroupPricer::priceApart() const {
  NestCost cost;
  for (const Member &member : members)
    cost.add(priceMember(member, nullptr));
  return cost;
}

} // namespace ein
