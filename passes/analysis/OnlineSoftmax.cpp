//===- OnlineSoftmax.cpp - Softmax by blocks of columns -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a sum may be corrected by exp(old - new) if each of its terms has
// exp(-maximum) as a factor, and the maximum in nothing else. The bodies of the
// ops say that, through what one reads of another: masks, scales and biases
// are part of x, and weights may be scaled by what does not depend on them.
//
// Choice: every value in a body gets a degree, how often it has that factor. 0
// is for what does not depend on the maximum. Only exp(x - maximum) makes 1 of
// it, with the x that the maximum is of, as it is -inf where that is: with
// another x, a term before the first finite maximum would be lost. Products
// add degrees, sums and choices need equal ones, and all else needs 0. A choice
// between a weight and 0 is none of these: if a maximum is infinite, all
// weights are NaN, but what is not chosen does not show.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/OnlineSoftmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/DimRoles.h"

using namespace mlir;

namespace ein {

class OnlineFinder {
public:
  OnlineFinder(const FusionGroup &group, const RowColumns &columns)
      : group(group) {
    static_cast<RowColumns &>(found) = columns;
  }

  std::optional<OnlineSoftmax> find();

private:
  /// What is combined, and by whom.
  struct Combined {
    Value value;
    Operation *combiner = nullptr;
  };
  std::optional<Combined> getAccumulated(linalg::LinalgOp op);
  bool findAccumulators();
  bool findBefore();
  std::optional<int> getDegree(linalg::LinalgOp op, Value value);
  std::optional<int> getDegreeOf(linalg::LinalgOp producer);
  bool isTop(linalg::LinalgOp op, Value value);
  bool isSame(linalg::LinalgOp op, Value value, Value ofTop);
  int64_t getLabel(linalg::LinalgOp op, int64_t dim);

  const FusionGroup &group;
  OnlineSoftmax found;
};

/// What a reduction along columns combines; none if that is no maximum, and no
/// sum whose order is free.
std::optional<OnlineFinder::Combined>
OnlineFinder::getAccumulated(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() != 1 || !getStart(op))
    return std::nullopt;
  Operation *combiner = getCombiner(op);
  if (!combiner || !isInAnyOrder(op, combiner) ||
      !isa<arith::MaximumFOp, arith::AddFOp>(combiner))
    return std::nullopt;
  // What a sum starts from would be scaled with it.
  if (isa<arith::AddFOp>(combiner) &&
      !matchPattern(getStart(op).getInputs()[0], m_AnyZeroFloat()))
    return std::nullopt;
  Value value = getCombined(op, combiner);
  if (!value)
    return std::nullopt;
  return Combined{value, combiner};
}

bool OnlineFinder::findAccumulators() {
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    int64_t columns = found.getColumns(op);
    if (columns < 0)
      continue;
    if (op.getIteratorTypesArray()[columns] == utils::IteratorType::parallel) {
      // A row of it is never there as a whole.
      if (isReadOutside(op, group))
        return false;
      continue;
    }
    std::optional<Combined> combined = getAccumulated(op);
    if (!combined)
      return false;
    found.accumulators.push_back(op);
    if (isa<arith::AddFOp>(combined->combiner))
      continue;
    auto generic = dyn_cast<linalg::GenericOp>(operation);
    if (!generic || found.top)
      return false;
    found.top = generic;
  }
  if (!found.top)
    return false;
  // The maximum so far has the maximum's rows and nothing else.
  ArrayRef<int64_t> dims = group.find(found.top)->second;
  auto top = cast<linalg::LinalgOp>(found.top.getOperation());
  if (top.getNumParallelLoops() != dims.size())
    return false;
  // One type, or what makes up for a new maximum would be rounded otherwise.
  Type element = getElementTypeOrSelf(found.product.getDpsInits()[0].getType());
  return llvm::all_of(found.accumulators, [&](linalg::LinalgOp op) {
    return getElementTypeOrSelf(op.getDpsInits()[0].getType()) == element;
  });
}

/// Tells ops without columns that come before the loop over these from those
/// after it.
bool OnlineFinder::findBefore() {
  llvm::SmallPtrSet<Operation *, 8> after;
  for (auto &[operation, dims] : group) {
    bool isAfter = false, isInside = found.isInside(operation);
    for (Value operand : operation->getOperands()) {
      linalg::LinalgOp producer = getMember(operand, group);
      if (!producer)
        continue;
      if (after.contains(producer) && isInside)
        return false;
      isAfter |= after.contains(producer) || found.isInside(producer);
    }
    if (isInside)
      continue;
    if (isAfter)
      after.insert(operation);
    else
      found.before.insert(operation);
  }
  return true;
}

/// Whether a value in a body is the maximum of the row.
bool OnlineFinder::isTop(linalg::LinalgOp op, Value value) {
  OpOperand *operand = getOperand(op, value);
  return operand && operand->get() == found.top.getResult(0);
}

/// What a loop is over: columns, one of the rows' dims, or another dim.
int64_t OnlineFinder::getLabel(linalg::LinalgOp op, int64_t dim) {
  constexpr int64_t kColumns = -1, kOther = -2;
  if (found.getColumns(op) == dim)
    return kColumns;
  ArrayRef<int64_t> dims = group.find(op)->second;
  const auto *row = llvm::find(dims, dim);
  return row == dims.end() ? kOther : row - dims.begin();
}

/// Whether a value in the body of `op` is the same in a column as another one
/// in that of the maximum.
bool OnlineFinder::isSame(linalg::LinalgOp op, Value value, Value ofTop) {
  auto top = cast<linalg::LinalgOp>(found.top.getOperation());
  OpOperand *lhs = getOperand(op, value), *rhs = getOperand(top, ofTop);
  if (bool(lhs) != bool(rhs))
    return false;
  if (lhs) {
    ArrayRef<AffineExpr> left = op.getMatchingIndexingMap(lhs).getResults();
    ArrayRef<AffineExpr> right = top.getMatchingIndexingMap(rhs).getResults();
    // What a reduction reads of its result is not what was there before.
    return lhs->get() == rhs->get() && top.isDpsInput(rhs) &&
           (op.isDpsInput(lhs) || op.getNumReductionLoops() == 0) &&
           llvm::all_of(llvm::zip_equal(left, right), [&](auto pair) {
             auto l = dyn_cast<AffineDimExpr>(std::get<0>(pair));
             auto r = dyn_cast<AffineDimExpr>(std::get<1>(pair));
             if (!l || !r)
               return std::get<0>(pair) == std::get<1>(pair) &&
                      isa<AffineConstantExpr>(std::get<0>(pair));
             int64_t label = getLabel(op, l.getPosition());
             return label >= -1 && label == getLabel(top, r.getPosition());
           });
  }
  Operation *left = value.getDefiningOp(), *right = ofTop.getDefiningOp();
  bool isInside = left && left->getBlock() == op.getBlock();
  if (!isInside || !right || right->getBlock() != top.getBlock())
    return value == ofTop;
  if (auto index = dyn_cast<linalg::IndexOp>(left)) {
    auto other = dyn_cast<linalg::IndexOp>(right);
    if (!other)
      return false;
    int64_t label = getLabel(op, index.getDim());
    return label >= -1 && label == getLabel(top, other.getDim());
  }
  return left->getName() == right->getName() && left->getNumRegions() == 0 &&
         left->getNumResults() == 1 && isPure(left) &&
         left->getAttrDictionary() == right->getAttrDictionary() &&
         left->getPropertiesAsAttribute() ==
             right->getPropertiesAsAttribute() &&
         left->getResultTypes() == right->getResultTypes() &&
         left->getNumOperands() == right->getNumOperands() &&
         llvm::all_of(
             llvm::zip_equal(left->getOperands(), right->getOperands()),
             [&](auto pair) {
               return isSame(op, std::get<0>(pair), std::get<1>(pair));
             });
}

/// The degree of what an op of the group computes.
std::optional<int> OnlineFinder::getDegreeOf(linalg::LinalgOp producer) {
  if (found.before.contains(producer))
    return 0;
  int64_t columns = found.getColumns(producer);
  if (columns < 0 || producer.getIteratorTypesArray()[columns] !=
                         utils::IteratorType::parallel)
    return std::nullopt;
  if (isa<linalg::GenericOp>(producer.getOperation()) &&
      producer.getNumReductionLoops() == 0)
    return getDegree(producer,
                     producer.getBlock()->getTerminator()->getOperand(0));
  // A sum along something else.
  for (Value operand : producer->getOperands())
    if (linalg::LinalgOp source = getMember(operand, group);
        source && getDegreeOf(source) != 0)
      return std::nullopt;
  return 0;
}

std::optional<int> OnlineFinder::getDegree(linalg::LinalgOp op, Value value) {
  if (OpOperand *operand = getOperand(op, value)) {
    if (!op.isDpsInput(operand) && op.getNumReductionLoops() != 0)
      return std::nullopt;
    linalg::LinalgOp producer = getMember(operand->get(), group);
    return producer ? getDegreeOf(producer) : std::optional<int>(0);
  }
  Operation *source = value.getDefiningOp();
  if (!source || source->getBlock() != op.getBlock())
    return 0;
  if (source->getNumRegions() != 0 || !isPure(source))
    return std::nullopt;
  if (auto exp = dyn_cast<math::ExpOp>(source))
    if (auto difference = exp.getOperand().getDefiningOp<arith::SubFOp>();
        difference && isTop(op, difference.getRhs())) {
      auto top = cast<linalg::LinalgOp>(found.top.getOperation());
      return isSame(op, difference.getLhs(), getCombined(top, getCombiner(top)))
                 ? std::optional<int>(1)
                 : std::nullopt;
    }
  SmallVector<int> degrees;
  bool areNone = true;
  for (Value operand : source->getOperands()) {
    std::optional<int> degree = getDegree(op, operand);
    if (!degree)
      return std::nullopt;
    degrees.push_back(*degree);
    areNone &= *degree == 0;
  }
  if (areNone)
    return 0;
  if (isa<arith::MulFOp>(source) && degrees[0] + degrees[1] == 1)
    return 1;
  if (isa<arith::DivFOp>(source) && degrees[1] == 0)
    return degrees[0];
  if (isa<arith::NegFOp>(source))
    return degrees[0];
  if (isa<arith::AddFOp, arith::SubFOp>(source) && degrees[0] == degrees[1])
    return degrees[0];
  if (isa<arith::SelectOp>(source) && degrees[0] == 0 &&
      degrees[1] == degrees[2])
    return degrees[1];
  return std::nullopt;
}

std::optional<OnlineSoftmax> OnlineFinder::find() {
  if (!findAccumulators() || !findBefore())
    return std::nullopt;
  for (linalg::LinalgOp op : found.accumulators) {
    int expected = op == found.top.getOperation() ? 0 : 1;
    if (getDegree(op, getAccumulated(op)->value) != expected)
      return std::nullopt;
  }
  return found;
}

std::optional<OnlineSoftmax> OnlineSoftmax::find(const FusionGroup &group) {
  std::optional<RowColumns> columns = RowColumns::find(group);
  return columns ? OnlineFinder(group, *columns).find() : std::nullopt;
}

} // namespace ein
