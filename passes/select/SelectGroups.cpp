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

/// The only axis that depends on `dim`, and from one of its values to the next.
static std::optional<std::pair<unsigned, int64_t>> findAxis(AffineMap map,
                                                            int64_t dim) {
  std::optional<SmallVector<LinearSubscript>> subscripts =
      getLinearSubscripts(map);
  if (!subscripts)
    return std::nullopt;
  std::optional<std::pair<unsigned, int64_t>> found;
  for (auto [axis, subscript] : llvm::enumerate(*subscripts)) {
    if (subscript.coefficients[dim] == 0)
      continue;
    if (found)
      return std::nullopt;
    found = {axis, subscript.coefficients[dim]};
  }
  return found;
}

/// The dim of the channels: a sum that both inputs have alone, of whole groups
/// if there is one, and of these `single` last. None if there is none.
static std::optional<int64_t> findChannels(linalg::LinalgOp op,
                                           AffineMap vectors, AffineMap single,
                                           int64_t group) {
  std::optional<int64_t> best;
  std::tuple<bool, bool, int64_t> most;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> sums;
  op.getReductionDims(sums);
  for (unsigned dim : sums) {
    AffineExpr expr = getAffineDimExpr(dim, op.getContext());
    auto isAlone = [&](AffineMap map) {
      return findAxis(map, dim) && map.getResultPosition(expr);
    };
    if (!isAlone(vectors) || !isAlone(single))
      continue;
    bool isWhole =
        !ShapedType::isDynamic(sizes[dim]) && sizes[dim] % group == 0;
    std::tuple<bool, bool, int64_t> rank = {
        isWhole, single.getResults().back() == expr, sizes[dim]};
    if (best && rank <= most)
      continue;
    best = dim;
    most = rank;
  }
  return best;
}

/// What the copies take and the sum that is left, which are made outside of all
/// functions; none if nothing is left that has a price.
static std::optional<NestCost> priceCopiedSum(linalg::LinalgOp op,
                                              const TargetInfo &target,
                                              const GivenChoices &given,
                                              const Schedule &schedule) {
  Block block;
  OpBuilder b(op.getContext());
  b.setInsertionPointToEnd(&block);
  CopiedSum copied = createCopiedSum(b, op, schedule);
  GivenChoices ofSum = given;
  if (schedule.kPack > 1)
    for (SmallVector<int64_t> &extents : ofSum.assumed) {
      extents[schedule.k] =
          llvm::divideCeil(extents[schedule.k], schedule.kPack);
      extents.push_back(schedule.kPack);
    }
  std::vector<Candidate> ways = listWindows(copied.sum, target, ofSum);
  if (ways.empty())
    return std::nullopt;
  NestCost all = *ways.front().cost;
  for (linalg::LinalgOp copy : copied.copies) {
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

/// Copies with the dim of the result's vectors last, of the inputs that have it
/// elsewhere; none if no copy helps.
static std::optional<Schedule> copyForVectors(linalg::LinalgOp op,
                                              int64_t vectorDim) {
  Schedule schedule;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (getStepAlong(map, vectorDim).value_or(-1) >= 0)
      continue;
    if (std::optional<std::pair<unsigned, int64_t>> axis =
            findAxis(map, vectorDim);
        !axis || axis->second < 0)
      return std::nullopt;
    schedule.order[input->getOperandNumber()] = {vectorDim};
  }
  bool isCopied = !schedule.order[0].empty() || !schedule.order[1].empty();
  return isCopied ? std::optional(schedule) : std::nullopt;
}

/// Copies of the inputs whose floats are extended to be multiplied, in which
/// they are; with the dim of vectors last. None if there are no such inputs.
static std::optional<Schedule> copyExtended(linalg::LinalgOp op,
                                            int64_t vectorDim) {
  Schedule schedule;
  bool isCopied = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    BlockArgument number = op.getMatchingBlockArgument(input);
    bool isExtended =
        number.hasOneUse() && isa<arith::ExtFOp>(*number.user_begin());
    bool isAlong = map.isFunctionOfDim(vectorDim);
    if (!isExtended && getStepAlong(map, vectorDim).value_or(-1) >= 0)
      continue;
    // The last axis stays last, but for that of vectors.
    int64_t dim = vectorDim;
    for (int64_t each = 0; !isAlong && each < map.getNumDims(); ++each)
      if (map.getNumResults() != 0 &&
          map.getResults().back().isFunctionOfDim(each))
        dim = each;
    std::optional<std::pair<unsigned, int64_t>> axis = findAxis(map, dim);
    if (!axis || axis->second < 0)
      return std::nullopt;
    schedule.order[input->getOperandNumber()] = {dim};
    isCopied |= isExtended;
  }
  return isCopied ? std::optional(schedule) : std::nullopt;
}

/// Copies in which groups of channels lie side by side; none if there is no
/// instruction for their products, or none that could read them so.
static std::optional<Schedule> copyForGroups(linalg::LinalgOp op,
                                             const TargetInfo &target,
                                             int64_t vectorDim) {
  std::optional<NarrowFactors> factors = getNarrowFactors(op);
  if (!factors || op.getNumDpsInputs() != 2)
    return std::nullopt;
  auto lhs = dyn_cast<BlockArgument>(factors->lhs),
       rhs = dyn_cast<BlockArgument>(factors->rhs);
  if (!lhs || !rhs || lhs == rhs || lhs.getType() != rhs.getType())
    return std::nullopt;
  bool isLhsUnsigned = factors->isLhsUnsigned,
       isRhsUnsigned = factors->isRhsUnsigned;
  OpOperand *single = op.getMatchingOpOperand(lhs),
            *vectors = op.getMatchingOpOperand(rhs);
  if (op.getMatchingIndexingMap(single).isFunctionOfDim(vectorDim)) {
    std::swap(single, vectors);
    std::swap(isLhsUnsigned, isRhsUnsigned);
  }
  AffineMap vectorMap = op.getMatchingIndexingMap(vectors),
            singleMap = op.getMatchingIndexingMap(single);
  std::optional<std::pair<unsigned, int64_t>> axis =
      findAxis(vectorMap, vectorDim);
  if (singleMap.isFunctionOfDim(vectorDim) || !axis || axis->second != 1)
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
  schedule.k = *channels;
  schedule.kPack = group;
  // The one with vectors is copied, and the other one if channels are not last,
  // if some have to follow them, or if bytes become words.
  int64_t size = op.getStaticLoopRanges()[*channels];
  bool isWhole = !ShapedType::isDynamic(size) && size % group == 0;
  bool isExtended =
      group * lhs.getType().getIntOrFloatBitWidth() < getElementBits(op);
  schedule.order[vectors->getOperandNumber()] = {*channels, vectorDim};
  if (isExtended || !isWhole ||
      singleMap.getResults().back() !=
          getAffineDimExpr(*channels, op.getContext()))
    schedule.order[single->getOperandNumber()] = {*channels};
  return schedule;
}

std::vector<Candidate> listCopiedSums(linalg::LinalgOp op,
                                      const TargetInfo &target,
                                      const GivenChoices &given) {
  constexpr unsigned kMostInputs = 2;
  if (!isa<linalg::GenericOp>(op.getOperation()) || op.hasIndexSemantics() ||
      op.getNumDpsInits() != 1 || op.getNumDpsInputs() > kMostInputs ||
      op.getNumReductionLoops() == 0 || !getWindowedInput(op))
    return {};
  // No slice of a tensor without elements has a place in it.
  if (llvm::any_of(op->getOperandTypes(), [](Type type) {
        auto tensor = dyn_cast<RankedTensorType>(type);
        return tensor && llvm::is_contained(tensor.getShape(), 0);
      }))
    return {};
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (output.getNumResults() == 0 || !output.isProjectedPermutation())
    return {};
  int64_t vectorDim = getLastDim(output);
  std::vector<Candidate> ways;
  for (std::optional<Schedule> schedule :
       {copyForVectors(op, vectorDim), copyExtended(op, vectorDim),
        copyForGroups(op, target, vectorDim)}) {
    if (!schedule)
      continue;
    schedule->kind = Schedule::Gett;
    schedule->tile.assign(op.getNumLoops(), 0);
    for (auto [isWhole, order] :
         llvm::zip_equal(schedule->whole, schedule->order))
      isWhole = !order.empty();
    schedule->lanes = target.getLanes(getElementBits(op));
    if (std::optional<NestCost> cost =
            priceCopiedSum(op, target, given, *schedule))
      ways.push_back({*schedule, cost});
  }
  sortByPrice(ways);
  return ways;
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
