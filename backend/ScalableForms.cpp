//===- ScalableForms.cpp - What SVE does better by its own types ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: LLVM compiles vectors of a fixed length to SVE's registers, but it
// has no fixed vector of i1 in them. What is compared becomes a vector of whole
// numbers and a predicate again where it is used,
//
//   fcmgt p1.s, p0/z, z10.s, z3.s      mov z11.s, p1/z, #-1
//   and z11.s, z11.s, #0x1             cmpne p1.s, p0/z, z11.s, #0
//
// and where the numbers that are compared are wider or narrower than those that
// are loaded, stored or chosen, unpacking and packing come on top. Exchanges of
// 128 bits and more of two vectors, as transposes in registers have, go by way
// of the stack.
//
// Choice: after LLVM's optimisation, what uses a mask is written with scalable
// types, register by register, where the mask is known as a predicate of that
// width: a count of lanes is `whilelt`, whatever numbers it was compared with;
// comparisons stay comparisons; `and`, `or` and `not` follow. Taking the fixed
// vector out of a scalable one, and putting it into one, is no instruction
// where both are as long, which is so in the functions that this is for. A
// masked load of half of the width of what it is extended to, and a masked
// store of what was truncated, are one with the conversion.
//
// Consequence: predicates in loops, and no stack in transposes.
//
//===----------------------------------------------------------------------===//

#include "backend/ScalableForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace ein {
namespace {

/// The bits in a register for each unit of `vscale`.
constexpr unsigned kUnitBits = 128;

class FormBuilder {
public:
  FormBuilder(Function &function, unsigned scale)
      : function(function), scale(scale), b(function.getContext()) {}

  void run();

private:
  /// Lanes of `bits` bits in a register.
  unsigned getLanes(unsigned bits) const { return scale * kUnitBits / bits; }
  VectorType *getScalable(Type *element, unsigned lanes) {
    return ScalableVectorType::get(element, lanes / scale);
  }
  unsigned getLanesOf(Type *type);
  unsigned countParts(Type *type, unsigned lanes) {
    return cast<FixedVectorType>(type)->getNumElements() / lanes;
  }

  Value *getPart(Value *vector, unsigned part, unsigned lanes);
  Value *join(ArrayRef<Value *> parts, Type *type);
  Value *getAddress(Value *pointer, Type *element, unsigned lane);

  Value *getPredicate(Value *mask, unsigned part, unsigned lanes);
  Value *createPredicate(Value *mask, unsigned part, unsigned lanes);
  Value *createPrefix(Constant *mask, unsigned part, unsigned lanes);
  Value *createCount(ICmpInst *compare, unsigned part, unsigned lanes);
  Value *createComparison(CmpInst *compare, unsigned part, unsigned lanes);
  SmallVector<Value *> getPredicates(Value *mask, unsigned lanes);
  Value *getAlternating(unsigned lanes, unsigned width);

  bool rewrite(Instruction &instruction);
  bool rewriteLoad(IntrinsicInst *load);
  bool rewriteStore(IntrinsicInst *store);
  bool rewriteChoice(Instruction *choice, Value *mask, Value *ifSet,
                     Value *ifNot);
  bool rewriteExchange(ShuffleVectorInst *shuffle);
  void replace(Instruction *instruction, Value *value) {
    instruction->replaceAllUsesWith(value);
    dead.push_back(instruction);
  }

  Function &function;
  unsigned scale;
  IRBuilder<> b;
  /// Of lanes `part * lanes` and so on of a mask; null if there is none.
  std::map<std::tuple<Value *, unsigned, unsigned>, Value *> predicates;
  /// Every other `width` lanes.
  std::map<std::pair<unsigned, unsigned>, Value *> alternating;
  SmallVector<WeakTrackingVH> dead;
};

} // namespace

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// How many elements fill a register; 0 if `type` is no vector of whole ones.
unsigned FormBuilder::getLanesOf(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return 0;
  Type *element = vector->getElementType();
  unsigned bits = element->getScalarSizeInBits();
  bool isPlain = element->isFloatTy() || element->isDoubleTy() ||
                 element->isHalfTy() || element->isIntegerTy(8) ||
                 element->isIntegerTy(16) || element->isIntegerTy(32) ||
                 element->isIntegerTy(64);
  bool isWhole = isPlain && vector->getNumElements() % getLanes(bits) == 0;
  return isWhole ? getLanes(bits) : 0;
}

/// One register's lanes, as what they are to SVE.
Value *FormBuilder::getPart(Value *vector, unsigned part, unsigned lanes) {
  auto *type = cast<FixedVectorType>(vector->getType());
  VectorType *scalable = getScalable(type->getElementType(), lanes);
  if (auto *constant = dyn_cast<Constant>(vector))
    if (Constant *splat = constant->getSplatValue())
      return ConstantVector::getSplat(scalable->getElementCount(), splat);
  if (type->getNumElements() != lanes)
    vector = b.CreateShuffleVector(
        vector, createSequentialMask(part * lanes, lanes, /*NumUndefs=*/0));
  return b.CreateInsertVector(scalable, PoisonValue::get(scalable), vector,
                              uint64_t(0));
}

/// Registers as a vector of fixed length again.
Value *FormBuilder::join(ArrayRef<Value *> parts, Type *type) {
  auto *whole = cast<FixedVectorType>(type);
  Type *partType = FixedVectorType::get(whole->getElementType(),
                                        whole->getNumElements() / parts.size());
  SmallVector<Value *> vectors;
  for (Value *part : parts)
    vectors.push_back(b.CreateExtractVector(partType, part, uint64_t(0)));
  return vectors.size() == 1 ? vectors.front() : concatenateVectors(b, vectors);
}

Value *FormBuilder::getAddress(Value *pointer, Type *element, unsigned lane) {
  return lane == 0 ? pointer
                   : b.CreateConstGEP1_64(element, pointer, uint64_t(lane));
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

Value *FormBuilder::getPredicate(Value *mask, unsigned part, unsigned lanes) {
  auto [entry, isNew] = predicates.try_emplace({mask, part, lanes}, nullptr);
  if (!isNew)
    return entry->second;
  // Where the mask is there, which may be outside of a loop.
  IRBuilderBase::InsertPointGuard guard(b);
  if (auto *instruction = dyn_cast<Instruction>(mask)) {
    std::optional<BasicBlock::iterator> place =
        instruction->getInsertionPointAfterDef();
    if (!place)
      return nullptr;
    b.SetInsertPoint(*place);
  } else {
    b.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
  }
  Value *predicate = createPredicate(mask, part, lanes);
  return predicates[{mask, part, lanes}] = predicate;
}

Value *FormBuilder::createPredicate(Value *mask, unsigned part,
                                    unsigned lanes) {
  using namespace PatternMatch;
  if (auto *constant = dyn_cast<Constant>(mask))
    return createPrefix(constant, part, lanes);
  if (auto *compare = dyn_cast<ICmpInst>(mask))
    if (Value *count = createCount(compare, part, lanes))
      return count;
  if (auto *compare = dyn_cast<CmpInst>(mask))
    return createComparison(compare, part, lanes);
  auto join = [&](Value *first, Value *second,
                  function_ref<Value *(Value *, Value *)> create) -> Value * {
    Value *left = getPredicate(first, part, lanes);
    Value *right = left ? getPredicate(second, part, lanes) : nullptr;
    return right ? create(left, right) : nullptr;
  };
  Value *first = nullptr, *second = nullptr;
  if (match(mask, m_Not(m_Value(first)))) {
    Value *operand = getPredicate(first, part, lanes);
    return operand ? b.CreateNot(operand) : nullptr;
  }
  // Also as choices of one or the other, in which poison ends.
  if (match(mask, m_LogicalAnd(m_Value(first), m_Value(second))))
    return join(first, second, [&](Value *left, Value *right) {
      return isa<SelectInst>(mask) ? b.CreateLogicalAnd(left, right)
                                   : b.CreateAnd(left, right);
    });
  if (match(mask, m_LogicalOr(m_Value(first), m_Value(second))))
    return join(first, second, [&](Value *left, Value *right) {
      return isa<SelectInst>(mask) ? b.CreateLogicalOr(left, right)
                                   : b.CreateOr(left, right);
    });
  return nullptr;
}

/// The first lanes, some or all or none.
Value *FormBuilder::createPrefix(Constant *mask, unsigned part,
                                 unsigned lanes) {
  unsigned count = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Constant *bit = mask->getAggregateElement(part * lanes + lane);
    auto *known = dyn_cast_or_null<ConstantInt>(bit);
    if (!known || (known->isOne() && count != lane))
      return nullptr;
    count += known->isOne();
  }
  VectorType *type = getScalable(b.getInt1Ty(), lanes);
  if (count == lanes || count == 0)
    return ConstantInt::get(type, count != 0);
  return b.CreateIntrinsic(Intrinsic::get_active_lane_mask,
                           {type, b.getInt64Ty()},
                           {b.getInt64(0), b.getInt64(count)});
}

/// n > <4, 5, 6, 7>: as many lanes as n is more than 4.
Value *FormBuilder::createCount(ICmpInst *compare, unsigned part,
                                unsigned lanes) {
  Value *limit = getSplatValue(compare->getOperand(0));
  auto *steps = dyn_cast<Constant>(compare->getOperand(1));
  if (!limit || !steps ||
      !(limit->getType()->isIntegerTy(32) || limit->getType()->isIntegerTy(64)))
    return nullptr;
  Intrinsic::ID count = Intrinsic::not_intrinsic;
  switch (compare->getPredicate()) {
  case CmpInst::ICMP_SGT:
    count = Intrinsic::aarch64_sve_whilelt;
    break;
  case CmpInst::ICMP_SGE:
    count = Intrinsic::aarch64_sve_whilele;
    break;
  case CmpInst::ICMP_UGT:
    count = Intrinsic::aarch64_sve_whilelo;
    break;
  case CmpInst::ICMP_UGE:
    count = Intrinsic::aarch64_sve_whilels;
    break;
  default:
    return nullptr;
  }
  auto getStep = [&](unsigned lane) {
    return dyn_cast_or_null<ConstantInt>(
        steps->getAggregateElement(part * lanes + lane));
  };
  ConstantInt *base = getStep(0);
  if (!base || base->isNegative())
    return nullptr;
  for (unsigned lane = 1; lane < lanes; ++lane) {
    ConstantInt *step = getStep(lane);
    if (!step || step->getValue() != base->getValue() + lane)
      return nullptr;
  }
  return b.CreateIntrinsic(
      count, {getScalable(b.getInt1Ty(), lanes), limit->getType()},
      {base, limit});
}

/// Of numbers as wide as what the predicate is for.
Value *FormBuilder::createComparison(CmpInst *compare, unsigned part,
                                     unsigned lanes) {
  Value *first = compare->getOperand(0), *second = compare->getOperand(1);
  if (getLanesOf(first->getType()) != lanes)
    return nullptr;
  Value *result =
      b.CreateCmp(compare->getPredicate(), getPart(first, part, lanes),
                  getPart(second, part, lanes));
  if (auto *instruction = dyn_cast<Instruction>(result))
    instruction->copyIRFlags(compare);
  return result;
}

/// Those of all registers; empty if one is not known.
SmallVector<Value *> FormBuilder::getPredicates(Value *mask, unsigned lanes) {
  SmallVector<Value *> result;
  for (unsigned part = 0, e = countParts(mask->getType(), lanes); part < e;
       ++part) {
    result.push_back(getPredicate(mask, part, lanes));
    if (!result.back())
      return {};
  }
  return result;
}

//===----------------------------------------------------------------------===//
// What uses them
//===----------------------------------------------------------------------===//

/// Masked loads, also of narrow numbers that are only extended.
bool FormBuilder::rewriteLoad(IntrinsicInst *load) {
  Instruction *result = load;
  auto *extension =
      load->hasOneUse() ? dyn_cast<CastInst>(load->user_back()) : nullptr;
  if (extension && (isa<FPExtInst>(extension) || isa<SExtInst>(extension) ||
                    isa<ZExtInst>(extension)))
    result = extension;
  unsigned lanes = getLanesOf(result->getType());
  Type *element = load->getType()->getScalarType();
  auto *others = dyn_cast<Constant>(load->getArgOperand(2));
  if (result != load && (!others || !others->getSplatValue()))
    return false;
  if (lanes == 0 || element->isBFloatTy())
    return false;
  SmallVector<Value *> masks = getPredicates(load->getArgOperand(1), lanes);
  if (masks.empty())
    return false;
  b.SetInsertPoint(load);
  SmallVector<Value *> parts;
  for (auto [part, mask] : enumerate(masks)) {
    unsigned lane = unsigned(part) * lanes;
    Value *loaded = b.CreateMaskedLoad(
        getScalable(element, lanes),
        getAddress(load->getArgOperand(0), element, lane),
        commonAlignment(load->getParamAlign(0).valueOrOne(),
                        lane * element->getScalarSizeInBits() / 8),
        mask, getPart(load->getArgOperand(2), part, lanes));
    if (result != load)
      loaded =
          b.CreateCast(extension->getOpcode(), loaded,
                       getScalable(result->getType()->getScalarType(), lanes));
    parts.push_back(loaded);
  }
  replace(result, join(parts, result->getType()));
  return true;
}

/// Masked stores, also of what was wide before.
bool FormBuilder::rewriteStore(IntrinsicInst *store) {
  Value *stored = store->getArgOperand(0), *value = stored;
  Type *element = stored->getType()->getScalarType();
  auto *truncation = dyn_cast<CastInst>(stored);
  if (truncation && truncation->hasOneUse() &&
      (isa<FPTruncInst>(truncation) || isa<TruncInst>(truncation)))
    value = truncation->getOperand(0);
  unsigned lanes = getLanesOf(value->getType());
  if (lanes == 0 || element->isBFloatTy())
    return false;
  SmallVector<Value *> masks = getPredicates(store->getArgOperand(2), lanes);
  if (masks.empty())
    return false;
  b.SetInsertPoint(store);
  for (auto [part, mask] : enumerate(masks)) {
    unsigned lane = unsigned(part) * lanes;
    Value *numbers = getPart(value, part, lanes);
    if (value != stored)
      numbers = b.CreateCast(truncation->getOpcode(), numbers,
                             getScalable(element, lanes));
    b.CreateMaskedStore(
        numbers, getAddress(store->getArgOperand(1), element, lane),
        commonAlignment(store->getParamAlign(1).valueOrOne(),
                        lane * element->getScalarSizeInBits() / 8),
        mask);
  }
  store->eraseFromParent();
  // A guard would go back to it.
  b.ClearInsertionPoint();
  return true;
}

/// A choice between two vectors, or of 1 and 0.
bool FormBuilder::rewriteChoice(Instruction *choice, Value *mask, Value *ifSet,
                                Value *ifNot) {
  unsigned lanes = getLanesOf(choice->getType());
  SmallVector<Value *> masks;
  if (lanes != 0 && mask->getType()->isVectorTy())
    masks = getPredicates(mask, lanes);
  if (masks.empty())
    return false;
  b.SetInsertPoint(choice);
  SmallVector<Value *> parts;
  for (auto [part, predicate] : enumerate(masks)) {
    Value *chosen = b.CreateSelect(predicate, getPart(ifSet, part, lanes),
                                   getPart(ifNot, part, lanes));
    auto *instruction = dyn_cast<Instruction>(chosen);
    if (instruction && isa<SelectInst>(choice))
      instruction->copyIRFlags(choice);
    parts.push_back(chosen);
  }
  replace(choice, join(parts, choice->getType()));
  return true;
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

/// `width` lanes, not the next ones, and so on.
Value *FormBuilder::getAlternating(unsigned lanes, unsigned width) {
  Value *&result = alternating[{lanes, width}];
  if (!result) {
    IRBuilderBase::InsertPointGuard guard(b);
    b.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
    VectorType *type =
        getScalable(b.getIntNTy(scale * kUnitBits / lanes), lanes);
    Value *bits =
        b.CreateAnd(b.CreateStepVector(type), ConstantInt::get(type, width));
    result = b.CreateICmpEQ(bits, Constant::getNullValue(type));
  }
  return result;
}

/// <a0 b0 a2 b2> and <a1 b1 a3 b3> of parts a0, … of 128 bits or more: one of
/// the two is rotated by a part, and every other part of both is taken.
bool FormBuilder::rewriteExchange(ShuffleVectorInst *shuffle) {
  Type *type = shuffle->getType();
  unsigned lanes = getLanesOf(type);
  if (lanes == 0 || type != shuffle->getOperand(0)->getType() ||
      isa<PoisonValue>(shuffle->getOperand(1)))
    return false;
  auto count = int(cast<FixedVectorType>(type)->getNumElements());
  ArrayRef<int> mask = shuffle->getShuffleMask();
  auto isExchange = [&](unsigned width, bool isUpper) {
    for (int lane = 0; lane < count; ++lane) {
      bool isSet = lane & int(width);
      int from = isUpper ? lane - (isSet ? int(width) : 0)
                         : lane + (isSet ? 0 : int(width));
      if (mask[lane] != PoisonMaskElem &&
          mask[lane] != (isSet ? count + from : from))
        return false;
    }
    return true;
  };
  unsigned first = kUnitBits / type->getScalarSizeInBits();
  for (unsigned width = first; width < lanes; width *= 2)
    for (bool isUpper : {true, false}) {
      if (!isExchange(width, isUpper))
        continue;
      b.SetInsertPoint(shuffle);
      Value *alternating = getAlternating(lanes, width);
      SmallVector<Value *> parts;
      for (unsigned part = 0, e = countParts(type, lanes); part < e; ++part) {
        Value *a = getPart(shuffle->getOperand(0), part, lanes);
        Value *second = getPart(shuffle->getOperand(1), part, lanes);
        Value *&rotated = isUpper ? second : a;
        rotated = b.CreateIntrinsic(
            Intrinsic::aarch64_sve_ext, {rotated->getType()},
            {rotated, rotated, b.getInt32(isUpper ? lanes - width : width)});
        parts.push_back(b.CreateSelect(alternating, a, second));
      }
      replace(shuffle, join(parts, type));
      return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// A function
//===----------------------------------------------------------------------===//

bool FormBuilder::rewrite(Instruction &instruction) {
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    if (call->getIntrinsicID() == Intrinsic::masked_load)
      return rewriteLoad(call);
    return call->getIntrinsicID() == Intrinsic::masked_store &&
           rewriteStore(call);
  }
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
    return rewriteExchange(shuffle);
  if (auto *select = dyn_cast<SelectInst>(&instruction))
    return rewriteChoice(select, select->getCondition(), select->getTrueValue(),
                         select->getFalseValue());
  if (!isa<ZExtInst>(instruction) && !isa<SExtInst>(instruction))
    return false;
  Value *mask = instruction.getOperand(0);
  Type *type = instruction.getType();
  if (!mask->getType()->isIntOrIntVectorTy(1))
    return false;
  Constant *isSet = isa<ZExtInst>(instruction)
                        ? ConstantInt::get(type, 1)
                        : Constant::getAllOnesValue(type);
  return rewriteChoice(&instruction, mask, isSet, Constant::getNullValue(type));
}

void FormBuilder::run() {
  SmallVector<Instruction *> instructions;
  for (Instruction &instruction : llvm::instructions(function))
    instructions.push_back(&instruction);
  for (Instruction *instruction : instructions)
    rewrite(*instruction);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

void createScalableForms(Module &module) {
  for (Function &function : module) {
    Attribute range = function.getFnAttribute(Attribute::VScaleRange);
    if (function.isDeclaration() || !range.isValid() ||
        function.hasFnAttribute(Attribute::OptimizeNone))
      continue;
    unsigned least = range.getVScaleRangeMin();
    if (least > 1 && range.getVScaleRangeMax() == least)
      FormBuilder(function, least).run();
  }
}

} // namespace ein
