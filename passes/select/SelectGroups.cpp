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
#include "passes/analysis/Raising.h"
#include "passes/analysis/Reductions.h"

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
