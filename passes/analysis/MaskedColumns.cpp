//===- MaskedColumns.cpp - Columns that a mask leaves nothing of ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: `t <= s ? scores(s, t) : -1e30` and a softmax after it give columns
// behind the diagonal weights that are zero only where a row has a score that
// is not about -1e30 itself; and zero times an infinity is NaN. So it cannot be
// told here that they make no difference.
//
// Choice: for a masked column every op down to the product has one value per
// row, which is made of the mask's number and of what the row's reductions give
// (the maximum, the sum). It is computed once per row, by what is in the ops'
// bodies, and compared: a maximum that is above it, a sum or product to which
// it adds zero are what they would be. And whether all of what the zeros would
// be multiplied by is finite is found before the loop.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/MaskedColumns.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/DimRoles.h"

using namespace mlir;

namespace ein {

/// Whether an operand has no other dims than these.
static bool hasOnly(AffineMap map, ArrayRef<int64_t> dims) {
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && llvm::is_contained(dims, int64_t(dim.getPosition()));
  });
}

//===----------------------------------------------------------------------===//
// Where columns end
//===----------------------------------------------------------------------===//

static bool addTo(LinearForm &sum, const LinearForm &form, int64_t factor) {
  for (auto [to, from] : llvm::zip_equal(sum.loops, form.loops))
    to += from * factor;
  for (auto [value, count] : form.values)
    sum.values.push_back({value, count * factor});
  sum.number += form.number * factor;
  // With what is larger, sums could leave 64 bits.
  constexpr int64_t kMostFactor = int64_t(1) << 16;
  auto isSmall = [](int64_t value, int64_t most) {
    return -most < value && value < most;
  };
  return isSmall(sum.number, kMostInForm) &&
         llvm::all_of(sum.loops,
                      [&](int64_t f) { return isSmall(f, kMostFactor); }) &&
         llvm::all_of(sum.values, [&](auto &pair) {
           return isSmall(pair.second, kMostFactor);
         });
}

namespace {

/// Reads an integer in the body of an op as a linear form.
class LinearReader {
public:
  LinearReader(linalg::LinalgOp op, ArrayRef<int64_t> outer)
      : op(op), outer(outer) {}

  std::optional<LinearForm> read(Value value);

private:
  LinearForm getForm() {
    LinearForm form;
    form.loops.assign(op.getNumLoops(), 0);
    return form;
  }
  std::optional<LinearForm> readExpr(AffineExpr expr, affine::AffineApplyOp op);
  std::optional<LinearForm> add(std::optional<LinearForm> lhs,
                                std::optional<LinearForm> rhs, int64_t factor) {
    if (!lhs || !rhs || !addTo(*lhs, *rhs, factor))
      return std::nullopt;
    return lhs;
  }
  std::optional<LinearForm> multiply(std::optional<LinearForm> form,
                                     int64_t factor) {
    return add(getForm(), form, factor);
  }

  linalg::LinalgOp op;
  /// Loops outside of that over blocks of rows.
  ArrayRef<int64_t> outer;
};

} // namespace

std::optional<LinearForm> LinearReader::readExpr(AffineExpr expr,
                                                 affine::AffineApplyOp apply) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    LinearForm form = getForm(), one = getForm();
    one.number = constant.getValue();
    return add(form, one, 1);
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return read(apply.getOperand(dim.getPosition()));
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return read(apply.getOperand(apply.getAffineMap().getNumDims() +
                                 symbol.getPosition()));
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return add(readExpr(binary.getLHS(), apply),
               readExpr(binary.getRHS(), apply), 1);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && factor)
    return multiply(readExpr(binary.getLHS(), apply), factor.getValue());
  return std::nullopt;
}

std::optional<LinearForm> LinearReader::read(Value value) {
  Type type = value.getType();
  bool isWide = type.isIndex() || type.isInteger(64);
  LinearForm form = getForm();
  APInt number;
  if (isWide && matchPattern(value, m_ConstantInt(&number))) {
    LinearForm one = getForm();
    one.number = number.getSExtValue();
    return add(form, one, 1);
  }
  Operation *source = value.getDefiningOp();
  bool isInside = source && source->getBlock() == op.getBlock();
  if (auto index = dyn_cast_or_null<linalg::IndexOp>(source)) {
    form.loops[index.getDim()] = 1;
    return form;
  }
  if (!isInside) {
    OpOperand *operand = getOperand(op, value);
    if (operand && (!op.isDpsInput(operand) ||
                    !hasOnly(op.getMatchingIndexingMap(operand), outer)))
      return std::nullopt;
    form.values.push_back({value, 1});
    return form;
  }
  if (isa<arith::ExtSIOp>(source) && isWide)
    return getOperand(op, source->getOperand(0)) ? read(source->getOperand(0))
                                                 : std::nullopt;
  if (isa<arith::IndexCastOp>(source)) {
    Type from = source->getOperand(0).getType();
    if (!isWide || (!from.isIndex() && !from.isInteger(64)))
      return std::nullopt;
    return read(source->getOperand(0));
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(source))
    return readExpr(apply.getAffineMap().getResult(0), apply);
  if (!isWide)
    return std::nullopt;
  if (auto sum = dyn_cast<arith::AddIOp>(source))
    return add(read(sum.getLhs()), read(sum.getRhs()), 1);
  if (auto difference = dyn_cast<arith::SubIOp>(source))
    return add(read(difference.getLhs()), read(difference.getRhs()), -1);
  if (auto product = dyn_cast<arith::MulIOp>(source))
    if (matchPattern(product.getRhs(), m_ConstantInt(&number)))
      return multiply(read(product.getLhs()), number.getSExtValue());
  return std::nullopt;
}

namespace {

/// Finds the selects that are decided from some column on.
class MaskReader {
public:
  MaskReader(linalg::GenericOp op, int64_t columns, ArrayRef<int64_t> outer)
      : op(op), columns(columns), outer(outer) {}

  /// The columns from the least of which on `condition` is `value`; none if
  /// there are no such.
  SmallVector<LinearForm> read(Value condition, bool value);

private:
  linalg::GenericOp op;
  int64_t columns;
  ArrayRef<int64_t> outer;
};

} // namespace

SmallVector<LinearForm> MaskReader::read(Value condition, bool value) {
  Operation *source = condition.getDefiningOp();
  if (!source || source->getBlock() != op.getBody())
    return {};
  // Either of two says enough.
  bool isEither =
      value ? isa<arith::OrIOp>(source) : isa<arith::AndIOp>(source);
  if (isEither && condition.getType().isInteger(1)) {
    SmallVector<LinearForm> ends = read(source->getOperand(0), value);
    llvm::append_range(ends, read(source->getOperand(1), value));
    return ends;
  }
  auto compare = dyn_cast<arith::CmpIOp>(source);
  if (!compare)
    return {};
  LinearReader reader(op, outer);
  std::optional<LinearForm> difference = reader.read(compare.getLhs()),
                            rhs = reader.read(compare.getRhs());
  if (!difference || !rhs || !addTo(*difference, *rhs, -1))
    return {};
  // difference = t - end, or end - t, is compared with zero.
  int64_t sign = difference->loops[columns];
  if (sign != 1 && sign != -1)
    return {};
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  if (sign < 0)
    switch (predicate) {
    case Predicate::slt:
      predicate = Predicate::sgt;
      break;
    case Predicate::sle:
      predicate = Predicate::sge;
      break;
    case Predicate::sgt:
      predicate = Predicate::slt;
      break;
    case Predicate::sge:
      predicate = Predicate::sle;
      break;
    default:
      break;
    }
  bool isFrom =
      value ? predicate == Predicate::sge : predicate == Predicate::slt;
  bool isAfter =
      value ? predicate == Predicate::sgt || predicate == Predicate::ne
            : predicate == Predicate::sle || predicate == Predicate::eq;
  if (!isFrom && !isAfter)
    return {};
  difference->loops[columns] = 0;
  LinearForm end;
  end.loops.assign(op.getNumLoops(), 0);
  if (!addTo(end, *difference, -sign))
    return {};
  end.number += isAfter;
  // Of other loops over columns nothing is known.
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (unsigned dim : reductions)
    if (end.loops[dim] != 0)
      return {};
  return {end};
}

//===----------------------------------------------------------------------===//
// What becomes of masked columns
//===----------------------------------------------------------------------===//

/// Finds the columns, the mask, and whether all that it becomes can be known.
class ColumnFinder {
public:
  explicit ColumnFinder(const FusionGroup &group) : group(group) {}

  std::optional<MaskedColumns> find();

private:
  bool findBefore();
  bool findMask();
  bool isUniform(linalg::LinalgOp op, Value value);
  bool areAllKnown();

  const FusionGroup &group;
  MaskedColumns found;
};

/// Which ops come before the product, and can be done twice.
bool ColumnFinder::findBefore() {
  llvm::SmallPtrSet<Operation *, 8> after = {found.product};
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    bool isAfter = after.contains(op) || isReadOutside(op, group);
    for (OpOperand &operand : op->getOpOperands())
      isAfter |= after.contains(getMember(operand.get(), group));
    if (isAfter)
      after.insert(op);
    else
      found.before.insert(op);
  }
  // One that leaves the loops has given its memory to no other.
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    linalg::LinalgOp first = getMember(op.getDpsInits()[0], group);
    if (first && op != found.product &&
        found.before.contains(first) != found.before.contains(op))
      return false;
  }
  OpOperand &weights = found.product->getOpOperand(found.weights);
  return found.before.contains(getMember(weights.get(), group));
}

bool ColumnFinder::findMask() {
  for (auto &[operation, dims] : group) {
    auto op = dyn_cast<linalg::GenericOp>(operation);
    int64_t columns = found.getColumns(operation);
    if (!op || columns < 0 || !found.before.contains(op) ||
        op.getNumReductionLoops() != 0)
      continue;
    MaskReader reader(op, columns, ArrayRef(dims).drop_back());
    for (auto select : op.getBody()->getOps<arith::SelectOp>())
      for (bool value : {false, true}) {
        found.ends = reader.read(select.getCondition(), value);
        if (found.ends.empty())
          continue;
        found.mask = op;
        found.decided = select.getResult();
        found.arm = value ? select.getTrueValue() : select.getFalseValue();
        if (areAllKnown())
          return true;
      }
  }
  return false;
}

/// Whether a value in the body of an op is the same in all masked columns of a
/// row, and can be computed from what is known of the row.
bool ColumnFinder::isUniform(linalg::LinalgOp op, Value value) {
  if (value == found.decided)
    return isUniform(op, found.arm);
  ArrayRef<int64_t> dims = group.find(op)->second;
  if (OpOperand *operand = getOperand(op, value)) {
    linalg::LinalgOp producer = getMember(operand->get(), group);
    if (producer && !found.before.contains(producer))
      return false;
    if (found.getAxis(*operand) >= 0)
      return producer && isa<linalg::GenericOp>(producer.getOperation()) &&
             producer.getNumReductionLoops() == 0 &&
             isUniform(producer,
                       producer.getBlock()->getTerminator()->getOperand(0));
    // What an op updates is no longer there when all is done.
    return op.isDpsInput(operand) &&
           hasOnly(op.getMatchingIndexingMap(operand), dims);
  }
  Operation *source = value.getDefiningOp();
  if (!source || source->getBlock() != op.getBlock())
    return true;
  return !isa<linalg::IndexOp>(source) && source->getNumRegions() == 0 &&
         isPure(source) &&
         llvm::all_of(source->getOperands(),
                      [&](Value operand) { return isUniform(op, operand); });
}

/// Whether it can be told by its last value if a reduction would have changed.
static bool isTelling(Operation *combiner) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::AddFOp>(combiner);
}

/// Whether what each op that has columns makes of masked ones can be found.
bool ColumnFinder::areAllKnown() {
  for (auto &[operation, dim] : found.columns) {
    auto op = cast<linalg::LinalgOp>(operation);
    if (op == found.product)
      continue;
    if (op.getIteratorTypesArray()[dim] == utils::IteratorType::parallel) {
      // It has columns; those that are read after the product would miss some.
      if (!found.before.contains(op))
        return false;
      continue;
    }
    Operation *combiner =
        isa<linalg::GenericOp>(operation) ? getCombiner(op) : nullptr;
    Value combined = combiner ? getCombined(op, combiner) : Value();
    bool needsResult = combiner && !isa<arith::AddFOp>(combiner);
    if (!combined || !isTelling(combiner) || !getStart(op) ||
        (needsResult && !found.before.contains(op)) || !isUniform(op, combined))
      return false;
  }
  OpOperand &weights = found.product->getOpOperand(found.weights);
  auto producer = dyn_cast<linalg::GenericOp>(
      getMember(weights.get(), group).getOperation());
  return producer && producer.getNumReductionLoops() == 0 &&
         isUniform(producer,
                   producer.getBody()->getTerminator()->getOperand(0));
}

std::optional<MaskedColumns> ColumnFinder::find() {
  std::optional<RowColumns> columns = RowColumns::find(group);
  if (!columns)
    return std::nullopt;
  static_cast<RowColumns &>(found) = *columns;
  if (!findBefore() || !findMask())
    return std::nullopt;
  // What the weights are multiplied by is the same for all blocks.
  OpOperand &other = found.product->getOpOperand(1 - found.weights);
  ArrayRef<int64_t> dims = group.find(found.product)->second;
  if (getMember(other.get(), group) ||
      found.product.getMatchingIndexingMap(&other).isFunctionOfDim(dims.back()))
    return std::nullopt;
  return found;
}

std::optional<MaskedColumns> MaskedColumns::find(const FusionGroup &group) {
  return ColumnFinder(group).find();
}

} // namespace ein
