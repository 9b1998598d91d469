//===- CompareHalves.cpp - Compare half-precision numbers by their bits ---===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: few processors compare f16 or bf16. LLVM converts each to f32, which
// is half as many in a vector, and puts the bits of two comparisons together.
//
// Choice: the numbers that a comparison with a constant is true of are one or
// two ranges of bits, so that integers are compared: one comparison for an
// equality or a NaN, three instructions for a range.
//
// The search for a maximum's place asks of each number whether it equals the
// maximum or is NaN. A maximum that is a number says that there is no NaN, so
// that bits are equal or are not, but for zeros, which have two signs. NaN and
// zeros are ranges of magnitudes. Which of the two it is depends on the row, so
// that a row is searched in one way.
//
// Of elementwise statements only those are changed that compute nothing else
// in f32 than what halves are chosen for: others convert in any case.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/VectorForms.h"
#include "passes/fused/Passes.h"

namespace ein {
#define GEN_PASS_DEF_COMPAREHALVES
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

constexpr unsigned kHalfBits = 16;
constexpr uint64_t kSign = 0x8000;

/// Bits from `first` to `last`, as unsigned numbers.
struct Range {
  uint64_t first, last;
};

/// What a comparison is true of: the numbers in some ranges, or all others.
struct Answer {
  SmallVector<Range, 2> ranges;
  bool isOutside = false;
};

/// Comparisons of the numbers of a body by their bits.
class Bits {
public:
  Bits(ImplicitLocOpBuilder &b, Value number)
      : b(b), type(b.getIntegerType(kHalfBits)),
        bits(arith::BitcastOp::create(b, type, number)) {}

  Value get() { return bits; }
  Value getMagnitude() {
    return arith::AndIOp::create(b, bits, getNumber(kSign - 1));
  }
  Value getNumber(uint64_t number) {
    return arith::ConstantOp::create(
        b, b.getIntegerAttr(type, APInt(kHalfBits, number)));
  }
  Value answer(const Answer &answer);

private:
  Value compare(arith::CmpIPredicate predicate, Value x, uint64_t y) {
    return arith::CmpIOp::create(b, predicate, x, getNumber(y));
  }
  Value isIn(Value x, Range range, bool isOutside);

  ImplicitLocOpBuilder &b;
  Type type;
  Value bits;
};

} // namespace

/// Whether `x` is in a range, or outside of it.
Value Bits::isIn(Value x, Range range, bool isOutside) {
  using Predicate = arith::CmpIPredicate;
  if (range.first == range.last)
    return compare(isOutside ? Predicate::ne : Predicate::eq, x, range.first);
  // Without a sign, numbers are in their order as signed ones, which processors
  // compare in one instruction.
  if (range.first == 0 && x != bits)
    return compare(isOutside ? Predicate::sgt : Predicate::sle, x, range.last);
  Value from = arith::SubIOp::create(b, x, getNumber(range.first));
  return compare(isOutside ? Predicate::ugt : Predicate::ule, from,
                 range.last - range.first);
}

Value Bits::answer(const Answer &answer) {
  ArrayRef<Range> ranges = answer.ranges;
  // The same with a sign as without.
  if (ranges.size() == 2 && (ranges[0].first ^ kSign) == ranges[1].first &&
      (ranges[0].last ^ kSign) == ranges[1].last)
    return isIn(getMagnitude(), ranges[0], answer.isOutside);
  Value result;
  for (Range range : ranges) {
    Value is = isIn(bits, range, answer.isOutside);
    if (!result)
      result = is;
    else if (answer.isOutside)
      result = arith::AndIOp::create(b, result, is);
    else
      result = arith::OrIOp::create(b, result, is);
  }
  return result;
}

static uint64_t getBits(const APFloat &number) {
  return number.bitcastToAPInt().getZExtValue();
}

static uint64_t getInfinity(const llvm::fltSemantics &semantics) {
  return getBits(APFloat::getInf(semantics));
}

static SmallVector<Range, 2> getNumbers(const llvm::fltSemantics &semantics) {
  uint64_t infinity = getInfinity(semantics);
  return {{0, infinity}, {kSign, kSign + infinity}};
}

static SmallVector<Range, 2> getEqual(const APFloat &number) {
  if (number.isZero())
    return {{0, 0}, {kSign, kSign}};
  return {{getBits(number), getBits(number)}};
}

/// The numbers above `number`, or from it on.
static SmallVector<Range, 2> getAbove(const APFloat &number, bool orEqual) {
  uint64_t infinity = getInfinity(number.getSemantics());
  uint64_t magnitude = getBits(number) & (kSign - 1);
  uint64_t next = orEqual ? 0 : 1;
  if (number.isZero() && orEqual)
    return {{0, infinity}, {kSign, kSign}};
  if (number.isZero() || !number.isNegative()) {
    if (magnitude + next > infinity)
      return {};
    return {{magnitude + next, infinity}};
  }
  return {{0, infinity}, {kSign, kSign + magnitude - next}};
}

/// Those below, which are those above of the other sign.
static SmallVector<Range, 2> getBelow(const APFloat &number, bool orEqual) {
  SmallVector<Range, 2> ranges = getAbove(-number, orEqual);
  for (Range &range : ranges)
    range = {range.first ^ kSign, range.last ^ kSign};
  return ranges;
}

/// The bits that `x predicate number` is true of, if they are a few ranges.
static std::optional<Answer> getAnswer(arith::CmpFPredicate predicate,
                                       const APFloat &number) {
  using Predicate = arith::CmpFPredicate;
  Answer answer;
  switch (predicate) {
  case Predicate::UNE:
    answer.isOutside = true;
    [[fallthrough]];
  case Predicate::OEQ:
    answer.ranges = getEqual(number);
    break;
  case Predicate::ULE:
  case Predicate::ULT:
    answer.isOutside = true;
    [[fallthrough]];
  case Predicate::OGT:
  case Predicate::OGE:
    answer.ranges = getAbove(number, predicate == Predicate::OGE ||
                                         predicate == Predicate::ULT);
    break;
  case Predicate::UGE:
  case Predicate::UGT:
    answer.isOutside = true;
    [[fallthrough]];
  case Predicate::OLT:
  case Predicate::OLE:
    answer.ranges = getBelow(number, predicate == Predicate::OLE ||
                                         predicate == Predicate::UGT);
    break;
  default:
    return std::nullopt;
  }
  if (answer.ranges.empty())
    return std::nullopt;
  return answer;
}

/// What is converted to `value`, or itself.
static Value getNarrow(Value value) {
  auto extension = value.getDefiningOp<arith::ExtFOp>();
  return extension ? extension.getIn() : value;
}

static bool isHalf(Value value) {
  return isa<Float16Type, BFloat16Type>(value.getType());
}

/// The input that a body's value is an element of.
static OpOperand *getInput(linalg::GenericOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return nullptr;
  return op.getMatchingOpOperand(argument);
}

/// Whether two values of a body are always the same number. An array may be
/// read by several inputs.
static bool areSame(linalg::GenericOp op, Value x, Value y) {
  if (x == y)
    return true;
  OpOperand *first = getInput(op, x), *second = getInput(op, y);
  return first && second && first->get() == second->get() &&
         op.getMatchingIndexingMap(first) == op.getMatchingIndexingMap(second);
}

/// Whether a body asks of a number whether it is NaN, or is none.
static std::optional<Answer> getAnswerOfSame(arith::CmpFOp compare) {
  using Predicate = arith::CmpFPredicate;
  Predicate predicate = compare.getPredicate();
  bool isNaN = predicate == Predicate::UNE || predicate == Predicate::UNO;
  if (!isNaN && predicate != Predicate::OEQ && predicate != Predicate::ORD)
    return std::nullopt;
  auto type = cast<FloatType>(getNarrow(compare.getLhs()).getType());
  return Answer{getNumbers(type.getFloatSemantics()), isNaN};
}

static std::optional<Answer> match(linalg::GenericOp op,
                                   arith::CmpFOp compare) {
  Value x = getNarrow(compare.getLhs()), y = getNarrow(compare.getRhs());
  if (!isHalf(x))
    return std::nullopt;
  if (x.getType() == y.getType() && areSame(op, x, y))
    return getAnswerOfSame(compare);
  FloatAttr constant;
  if (!matchPattern(compare.getRhs(), m_Constant(&constant)))
    return std::nullopt;
  APFloat number = constant.getValue();
  bool losesInfo = false;
  number.convert(cast<FloatType>(x.getType()).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  if (losesInfo || number.isNaN())
    return std::nullopt;
  return getAnswer(compare.getPredicate(), number);
}

static bool isExtreme(Operation *op) {
  return isa_and_present<arith::MaximumFOp, arith::MinimumFOp>(op);
}

/// Whether `value`, of a body, is NaN if `from` is.
static bool keepsNaN(Value value, Value from) {
  if (value == from)
    return true;
  Operation *op = value.getDefiningOp();
  return (isExtreme(op) || isa_and_present<arith::ExtFOp>(op)) &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return keepsNaN(operand, from); });
}

/// Whether `row` of `op` is the largest or the least of the numbers of a row of
/// `elements`, or of these and others, so that it is NaN if one of them is.
static bool isExtremeOf(linalg::GenericOp op, OpOperand *row,
                        OpOperand *elements) {
  Value value = row->get();
  // Its conversion, and a start.
  while (auto by = value.getDefiningOp<linalg::GenericOp>()) {
    if (by.getNumReductionLoops() != 0)
      break;
    Value result = by.getBody()->getTerminator()->getOperand(0);
    if (by.getNumDpsInits() != 1 || by.getNumDpsInputs() != 1 ||
        !llvm::all_of(by.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }) ||
        !keepsNaN(result, by.getBody()->getArgument(0)))
      return false;
    value = by.getInputs()[0];
  }
  auto reduction = value.getDefiningOp<linalg::GenericOp>();
  Operation *combiner = reduction ? getCombiner(reduction) : nullptr;
  if (!reduction || reduction.getNumDpsInits() != 1 || !isExtreme(combiner))
    return false;
  Value combined = getCombined(reduction, combiner);
  OpOperand *read =
      combined ? getInput(reduction, getNarrow(combined)) : nullptr;
  return read && read->get() == elements->get() &&
         reduction.getMatchingIndexingMap(read) ==
             op.getMatchingIndexingMap(elements) &&
         reduction.getMatchingIndexingMap(reduction.getDpsInitOperand(0)) ==
             op.getMatchingIndexingMap(row);
}

/// x == y || x is NaN, y the largest of all x.
static void compareWithExtreme(RewriterBase &rewriter, arith::OrIOp either) {
  auto op = dyn_cast<linalg::GenericOp>(either->getParentOp());
  auto equal = either.getLhs().getDefiningOp<arith::CmpFOp>();
  auto isNaN = either.getRhs().getDefiningOp<arith::CmpFOp>();
  if (!op || op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics() ||
      !equal || !isNaN || equal.getPredicate() != arith::CmpFPredicate::OEQ ||
      isNaN.getPredicate() != arith::CmpFPredicate::UNE)
    return;
  Value x = getNarrow(equal.getLhs()), y = equal.getRhs();
  OpOperand *elements = getInput(op, x), *row = getInput(op, y);
  if (!isHalf(x) || !elements || !row ||
      !areSame(op, x, getNarrow(isNaN.getLhs())) ||
      !areSame(op, x, getNarrow(isNaN.getRhs())) ||
      !isExtremeOf(op, row, elements))
    return;
  rewriter.setInsertionPoint(either);
  ImplicitLocOpBuilder b(either.getLoc(), rewriter);
  auto type = cast<FloatType>(x.getType());
  uint64_t infinity = getInfinity(type.getFloatSemantics());
  Value less = y, isKept;
  if (y.getType() != type) {
    less = arith::TruncFOp::create(b, type, y);
    isKept =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ,
                              arith::ExtFOp::create(b, y.getType(), less), y);
  }
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(y.getType(), 0));
  Value isNone = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, y, y);
  // It is zero or NaN.
  Value isSpecial =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UEQ, y, zero);
  Bits bits(b, x);
  Value magnitude = bits.getMagnitude();
  auto choose = [&](uint64_t ofNaN, uint64_t ofZero) -> Value {
    return arith::SelectOp::create(b, isNone, bits.getNumber(ofNaN),
                                   bits.getNumber(ofZero));
  };
  Value isFrom = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, magnitude,
                                       choose(infinity + 1, 0));
  Value isTo = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, magnitude,
                                     choose(kSign - 1, 0));
  Value isIn = arith::AndIOp::create(b, isFrom, isTo);
  Value areEqual = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                         bits.get(), Bits(b, less).get());
  if (isKept)
    areEqual = arith::AndIOp::create(b, areEqual, isKept);
  rewriter.replaceOpWithNewOp<arith::SelectOp>(either, isSpecial, isIn,
                                               areEqual);
}

/// Whether an elementwise body only chooses from halves, or says what is true
/// of them: where it yields f32, masks would have to be extended.
static bool onlyChooses(linalg::GenericOp op) {
  auto isNarrow = [](Type type) {
    return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= kHalfBits;
  };
  return llvm::all_of(op.getBody()->getTerminator()->getOperandTypes(),
                      isNarrow) &&
         llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
           bool isFloat =
               llvm::any_of(inner.getResultTypes(), llvm::IsaPred<FloatType>);
           return !isFloat || inner.hasTrait<OpTrait::ConstantLike>() ||
                  choosesFloat(&inner) ||
                  isa<arith::ExtFOp, arith::TruncFOp, arith::BitcastOp>(inner);
         });
}

namespace {
struct CompareHalvesPass : impl::CompareHalvesBase<CompareHalvesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<arith::OrIOp> places;
    getOperation().walk([&](arith::OrIOp op) { places.push_back(op); });
    for (arith::OrIOp op : places)
      compareWithExtreme(rewriter, op);
    SmallVector<arith::CmpFOp> comparisons;
    getOperation().walk([&](arith::CmpFOp op) { comparisons.push_back(op); });
    for (arith::CmpFOp compare : comparisons) {
      auto op = dyn_cast<linalg::GenericOp>(compare->getParentOp());
      if (!op || (op.getNumReductionLoops() == 0 && !onlyChooses(op)))
        continue;
      std::optional<Answer> answer = match(op, compare);
      if (!answer)
        continue;
      rewriter.setInsertionPoint(compare);
      ImplicitLocOpBuilder b(compare.getLoc(), rewriter);
      Value x = getNarrow(compare.getLhs());
      rewriter.replaceOp(compare, Bits(b, x).answer(*answer));
    }
  }
};
} // namespace

} // namespace ein
