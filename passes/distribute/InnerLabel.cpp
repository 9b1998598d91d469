//===- InnerLabel.cpp - What ranks share a slice by -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: with more ranks than slices, some have nothing to do.
//
// Choice: a dim of the result that no loop slices is followed through the ops
// of a slice. Dims that have to be cut together are one class, found by merging
// (union-find). If nothing of a class is summed or computed with in another
// way, ranks may have parts of it. Of several classes, one that most steps have
// is taken, and of these the longest: what is cut has an extent that kernels do
// not know, which makes small ones slow.
//
// Consequence: a group of ranks shares a slice. Steps that have no dim of the
// class are done by each of them.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/distribute/LocalKernel.h"

using namespace mlir;

namespace ein {

namespace {

/// Dims of tensors that have to be cut together.
class DimClasses {
public:
  unsigned get(Value tensor, int64_t dim) {
    auto [entry, isNew] = numbers.try_emplace({tensor, dim}, marks.size());
    if (isNew)
      add();
    return entry->second;
  }
  /// One that is of no tensor: a loop.
  unsigned add() {
    parents.push_back(parents.size());
    marks.push_back(false);
    return parents.size() - 1;
  }
  unsigned find(unsigned number) {
    while (parents[number] != number)
      number = parents[number] = parents[parents[number]];
    return number;
  }
  void unite(unsigned a, unsigned b) {
    a = find(a);
    b = find(b);
    marks[a] = marks[a] || marks[b];
    parents[b] = a;
  }
  /// It cannot be cut.
  void mark(unsigned number) { marks[find(number)] = true; }
  bool isMarked(unsigned number) { return marks[find(number)]; }
  const DenseMap<std::pair<Value, int64_t>, unsigned> &getAll() const {
    return numbers;
  }

private:
  DenseMap<std::pair<Value, int64_t>, unsigned> numbers;
  SmallVector<unsigned> parents;
  SmallVector<bool> marks;
};

} // namespace

static int64_t getRank(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

static void markAll(Value value, DimClasses &classes) {
  for (int64_t dim = 0; dim != getRank(value); ++dim)
    classes.mark(classes.get(value, dim));
}

static void uniteAll(Value a, Value b, DimClasses &classes) {
  for (int64_t dim = 0; dim != getRank(a); ++dim)
    classes.unite(classes.get(a, dim), classes.get(b, dim));
}

static void addLoops(linalg::LinalgOp op, DimClasses &classes) {
  SmallVector<unsigned> loops;
  for (utils::IteratorType type : op.getIteratorTypesArray()) {
    loops.push_back(classes.add());
    if (type != utils::IteratorType::parallel)
      classes.mark(loops.back());
  }
  bool isPlain = !op.hasIndexSemantics() && getBodyTensors(op).empty();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isPlain)
      markAll(operand.get(), classes);
    if (getRank(operand.get()) == 0)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    // Results may begin with one empty tensor, and be cut in several ways.
    Value tensor = operand.get();
    if (tensor.getDefiningOp<tensor::EmptyOp>() && op.isDpsInit(&operand))
      tensor = op.getTiedOpResult(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      unsigned number = classes.get(tensor, dim);
      if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
        classes.unite(number, loops[loop.getPosition()]);
        continue;
      }
      classes.mark(number);
      for (unsigned loop = 0; loop != loops.size(); ++loop)
        if (expr.isFunctionOfDim(loop))
          classes.mark(loops[loop]);
    }
    if (op.isDpsInit(&operand))
      uniteAll(tensor, op.getTiedOpResult(&operand), classes);
  }
}

/// A slice and the tensor that it is of: whole dims are the same.
static void addSlice(OffsetSizeAndStrideOpInterface op, Value slice,
                     Value whole, const llvm::SmallBitVector &dropped,
                     DimClasses &classes) {
  int64_t next = 0;
  for (auto [dim, offset] : llvm::enumerate(op.getMixedOffsets())) {
    unsigned of = classes.get(whole, dim);
    bool isWhole = getConstantIntValue(offset) == 0;
    if (!isWhole || dropped.test(dim))
      classes.mark(of);
    if (dropped.test(dim))
      continue;
    unsigned own = classes.get(slice, next++);
    if (isWhole)
      classes.unite(own, of);
    else
      classes.mark(own);
  }
}

static void addOp(Operation &op, DimClasses &classes) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    addLoops(structured, classes);
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    addSlice(slice, slice.getResult(), slice.getSource(),
             slice.getDroppedDims(), classes);
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    addSlice(insert, insert.getSource(), insert.getDest(),
             insert.getDroppedDims(), classes);
    uniteAll(insert.getDest(), insert.getResult(), classes);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    Value yielded = loop.getBody()->getTerminator()->getOperand(0);
    for (Value other :
         {loop.getInitArgs()[0], Value(loop.getRegionIterArg(0)), yielded})
      uniteAll(loop.getResult(0), other, classes);
  } else if (!isa<tensor::EmptyOp, scf::YieldOp>(op)) {
    for (Value operand : op.getOperands())
      markAll(operand, classes);
    for (Value result : op.getResults())
      markAll(result, classes);
  }
}

/// How many of the structured ops in the loops have a dim of the class.
static unsigned countSteps(const SliceNest &nest, unsigned number,
                           DimClasses &classes) {
  unsigned steps = 0;
  for (scf::ForOp loop : nest.loops)
    for (auto op : loop.getBody()->getOps<linalg::LinalgOp>())
      steps += !isa<linalg::FillOp>(op) &&
               llvm::any_of(op->getOperands(), [&](Value operand) {
                 for (int64_t dim = 0; dim != getRank(operand); ++dim)
                   if (classes.find(classes.get(operand, dim)) == number)
                     return true;
                 return false;
               });
  return steps;
}

void findInnerLabel(SliceNest &nest, const Extents &extents) {
  DimClasses classes;
  scf::ForOp outermost = nest.loops.front();
  addOp(*outermost, classes);
  for (scf::ForOp loop : nest.loops)
    for (Operation &op : loop.getBody()->without_terminator())
      addOp(op, classes);
  Value result = outermost.getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  std::optional<unsigned> found;
  std::pair<unsigned, uint64_t> most = {0, 0}; // steps, and elements
  for (int64_t dim = 0; dim != type.getRank(); ++dim) {
    unsigned own = classes.find(classes.get(result, dim));
    AffineExpr extent = extents.get(nest.init, dim);
    if (nest.result[dim] || classes.isMarked(own) || !extent)
      continue;
    // An extent that is not known may be any.
    uint64_t elements = type.isDynamicDim(dim)
                            ? std::numeric_limits<uint64_t>::max()
                            : uint64_t(type.getDimSize(dim));
    std::pair<unsigned, uint64_t> score = {countSteps(nest, own, classes),
                                           elements};
    if (elements < 2 || score <= most)
      continue;
    most = score;
    found = own;
    nest.innerExtent = extent;
  }
  if (!found)
    return;
  for (auto [tensorAndDim, number] : classes.getAll())
    if (classes.find(number) == *found)
      nest.innerDims.insert(tensorAndDim);
}

} // namespace ein
