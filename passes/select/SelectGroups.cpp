//===- SelectGroups.cpp - Several steps of k by one instruction -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two products of i16 need 32 bits, and the one sum that needs more, of four
// times -32768, wraps as the additions of the language do. So do those of four
// products of bytes and what is added to them, where the instruction does not
// saturate; those are not in the table with 32 bits. All integers are exact.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectGroups.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/Reductions.h"
#include "passes/analysis/WindowAnalysis.h"
#include "passes/decompose/GroupSums.h"
#include "passes/select/PriceSchedule.h"
#include "passes/select/SelectWindows.h"

using namespace mlir;

namespace ein {

/// What an operand is to instructions; none if none takes it.
static std::optional<DotNumber> getNumber(Type type, bool isSigned) {
  if (type.isInteger(8))
    return isSigned ? DotNumber::S8 : DotNumber::U8;
  if (type.isInteger(16) && isSigned)
    return DotNumber::S16;
  if (type.isBF16())
    return DotNumber::BF16;
  if (type.isF16())
    return DotNumber::F16;
  return std::nullopt;
}

static void setInstruction(const DotChoice &choice, Schedule &schedule) {
  schedule.dot = choice.product.intrinsic.str();
  schedule.dotBits = choice.product.bits;
  schedule.dotScalable = choice.product.isScalable();
  schedule.dotRows = choice.product.rows;
  schedule.dotSwapped = choice.isSwapped;
  schedule.dotOffset = choice.isOffset;
}

std::optional<DotProduct> selectGroups(linalg::LinalgOp op,
                                       const TargetInfo &target,
                                       DotRegisters registers,
                                       Schedule &schedule) {
  std::optional<ContractionKind> kind = getContractionKind(op);
  Type sum = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (!kind || !kind->isSum() || !(sum.isInteger(32) || sum.isF32()))
    return std::nullopt;
  auto getOperand = [&](unsigned input) {
    return getNumber(getElementTypeOrSelf(op.getDpsInputs()[input].getType()),
                     kind->getCast(input) == linalg::TypeFn::cast_signed);
  };
  std::optional<DotNumber> lhs = getOperand(schedule.lhs),
                           rhs = getOperand(1 - schedule.lhs);
  if (!lhs || !rhs)
    return std::nullopt;
  int64_t rows = op.getStaticLoopRanges()[schedule.m];
  std::optional<DotChoice> choice = selectDotProduct(
      target, *lhs, *rhs, sum.isF32() ? DotNumber::F32 : DotNumber::I32,
      ShapedType::isDynamic(rows) ? std::nullopt : std::optional(rows),
      registers);
  if (!choice)
    return std::nullopt;
  schedule.kPack = choice->product.getDepth();
  setInstruction(*choice, schedule);
  return choice->product;
}

/// The instruction for two factors in registers, if there is one.
static std::optional<DotChoice> selectForVectors(const TargetInfo &target,
                                                 Type lhs, bool isLhsUnsigned,
                                                 Type rhs, bool isRhsUnsigned) {
  return selectDotProduct(target, *getNumber(lhs, !isLhsUnsigned),
                          *getNumber(rhs, !isRhsUnsigned),
                          isa<FloatType>(lhs) ? DotNumber::F32 : DotNumber::I32,
                          /*rows=*/1, DotRegisters::Vectors);
}

bool selectProductsOfGroups(linalg::LinalgOp op, const TargetInfo &target,
                            Schedule &schedule) {
  std::optional<GroupedSum> sum = matchGroupedSum(op);
  if (!sum)
    return false;
  Type type = getElementTypeOrSelf(sum->single->get().getType());
  std::optional<DotChoice> choice = selectForVectors(
      target, type, sum->isSingleUnsigned, type, sum->areVectorsUnsigned);
  if (!choice || choice->product.getDepth() != sum->size)
    return false;
  schedule.widening = sum->size;
  setInstruction(*choice, schedule);
  return true;
}

/// The dim of the channels: a sum of whole groups that both inputs have alone,
/// and `single` last if some do. None if there is none.
static std::optional<int64_t> findChannels(linalg::LinalgOp op,
                                           AffineMap vectors, AffineMap single,
                                           int64_t group) {
  std::optional<int64_t> best;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> sums;
  op.getReductionDims(sums);
  for (unsigned dim : sums) {
    AffineExpr expr = getAffineDimExpr(dim, op.getContext());
    auto isAlone = [&](AffineMap map) {
      return llvm::count_if(map.getResults(),
                            [&](AffineExpr each) {
                              return each.isFunctionOfDim(dim);
                            }) == 1 &&
             map.getResultPosition(expr).has_value();
    };
    bool isWhole =
        !ShapedType::isDynamic(sizes[dim]) && sizes[dim] % group == 0;
    if (!isWhole || !isAlone(vectors) || !isAlone(single))
      continue;
    if (single.getResults().back() == expr)
      return dim;
    if (!best || sizes[dim] > sizes[*best])
      best = dim;
  }
  return best;
}

/// What the copies take and the sum that is left, which are made outside of all
/// functions; none if nothing is left that has a price.
static std::optional<NestCost> priceGroupedCopies(linalg::LinalgOp op,
                                                  const TargetInfo &target,
                                                  const GivenChoices &given,
                                                  const Schedule &schedule) {
  Block block;
  OpBuilder b(op.getContext());
  b.setInsertionPointToEnd(&block);
  GroupedCopies grouped = createGroupedSum(b, op, schedule);
  GivenChoices ofSum = given;
  for (SmallVector<int64_t> &extents : ofSum.assumed) {
    extents[schedule.k] /= schedule.kPack;
    extents.push_back(schedule.kPack);
  }
  std::vector<Candidate> ways = listWindows(grouped.sum, target, ofSum);
  if (ways.empty())
    return std::nullopt;
  NestCost all = *ways.front().cost;
  for (linalg::LinalgOp copy : grouped.copies) {
    GivenChoices ofCopy;
    ofCopy.packing = given.packing;
    std::optional<NestCost> cost =
        OpPricer(copy, target).price(selectSchedule(copy, target, ofCopy));
    if (!cost)
      return std::nullopt;
    all.add(*cost);
  }
  return all;
}

std::optional<Candidate> listGroupedCopies(linalg::LinalgOp op,
                                           const TargetInfo &target,
                                           const GivenChoices &given) {
  std::optional<NarrowFactors> factors = getNarrowFactors(op);
  FailureOr<WindowInfo> info = matchWindow(op);
  if (!factors || failed(info) || info->groupDim >= 0 ||
      info->inputs.size() != 2 || op.getNumDpsInputs() != 2)
    return std::nullopt;
  auto lhs = dyn_cast<BlockArgument>(factors->lhs),
       rhs = dyn_cast<BlockArgument>(factors->rhs);
  if (!lhs || !rhs || lhs == rhs || lhs.getType() != rhs.getType())
    return std::nullopt;
  bool isLhsUnsigned = factors->isLhsUnsigned,
       isRhsUnsigned = factors->isRhsUnsigned;
  OpOperand *single = op.getMatchingOpOperand(lhs),
            *vectors = op.getMatchingOpOperand(rhs);
  if (op.getMatchingIndexingMap(single).isFunctionOfDim(info->vectorDim)) {
    std::swap(single, vectors);
    std::swap(isLhsUnsigned, isRhsUnsigned);
  }
  AffineMap vectorMap = op.getMatchingIndexingMap(vectors),
            singleMap = op.getMatchingIndexingMap(single);
  if (singleMap.isFunctionOfDim(info->vectorDim) ||
      getStepAlong(vectorMap, info->vectorDim) != 1)
    return std::nullopt;
  std::optional<DotChoice> choice = selectForVectors(
      target, lhs.getType(), isLhsUnsigned, lhs.getType(), isRhsUnsigned);
  if (!choice)
    return std::nullopt;
  int64_t group = choice->product.getDepth();
  std::optional<int64_t> channels =
      findChannels(op, vectorMap, singleMap, group);
  if (!channels)
    return std::nullopt;
  Schedule schedule;
  schedule.kind = Schedule::Gett;
  schedule.tile.assign(op.getNumLoops(), 0);
  schedule.k = *channels;
  schedule.kPack = group;
  // The one with vectors is copied, and the other one if channels are not last,
  // or if bytes become words.
  bool isExtended =
      group * lhs.getType().getIntOrFloatBitWidth() < getElementBits(op);
  schedule.order[vectors->getOperandNumber()] = {*channels, info->vectorDim};
  if (isExtended || singleMap.getResults().back() !=
                        getAffineDimExpr(*channels, op.getContext()))
    schedule.order[single->getOperandNumber()] = {*channels};
  for (auto [isWhole, order] : llvm::zip_equal(schedule.whole, schedule.order))
    isWhole = !order.empty();
  schedule.lanes = target.getLanes(getElementBits(op));
  std::optional<NestCost> cost =
      priceGroupedCopies(op, target, given, schedule);
  return cost ? std::optional(Candidate{schedule, cost}) : std::nullopt;
}

bool selectProductsOfRows(linalg::LinalgOp op, const TargetInfo &target,
                          Schedule &schedule) {
  constexpr int64_t kPair = 2;
  std::optional<NarrowFactors> factors = getNarrowFactors(op);
  if (!factors)
    return false;
  bool isOfFloats = isa<FloatType>(factors->lhs.getType());
  std::optional<DotChoice> choice = selectDotProduct(
      target, *getNumber(factors->lhs.getType(), !factors->isLhsUnsigned),
      *getNumber(factors->rhs.getType(), !factors->isRhsUnsigned),
      isOfFloats ? DotNumber::F32 : DotNumber::I32, /*rows=*/1,
      DotRegisters::Vectors);
  if (choice) {
    schedule.widening = choice->product.getDepth();
    setInstruction(*choice, schedule);
    return true;
  }
  // The halves of a pair of bf16 are extended where they are.
  if (!isOfFloats)
    return false;
  schedule.widening = kPair;
  return true;
}

} // namespace ein
