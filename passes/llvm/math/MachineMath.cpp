//===- MachineMath.cpp - What only some machines have ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/MachineMath.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

//===----------------------------------------------------------------------===//
// Of any length
//===----------------------------------------------------------------------===//

/// Makes a call of vectors of 128, 256 or 512 bits.
using Call = function_ref<Value(ImplicitLocOpBuilder &, ValueRange)>;

/// Elements of the shortest vector that there are instructions for: without
/// AVX512VL there are only the longest.
static int64_t getShortest(unsigned vectorBits, unsigned elementBits) {
  return (vectorBits == 512 ? 512 : 128) / elementBits;
}

/// The elements of `vector` from `begin` on; behind its end from its first one
/// on again. With the first one alone there, LLVM 22 takes an index into
/// registers for the same in all lanes.
static Value takeElements(ImplicitLocOpBuilder &b, Value vector, int64_t begin,
                          int64_t count) {
  int64_t length = cast<VectorType>(vector.getType()).getDimSize(0);
  if (begin == 0 && count == length)
    return vector;
  SmallVector<int64_t> elements;
  for (int64_t i = begin; i < begin + count; ++i)
    elements.push_back(i % length);
  return vector::ShuffleOp::create(b, vector, vector, elements);
}

/// `call` on vectors of one dim, register by register.
static Value callOnVectors(ImplicitLocOpBuilder &b, unsigned vectorBits,
                           ValueRange operands, Call call) {
  auto type = cast<VectorType>(operands[0].getType());
  int64_t length = type.getDimSize(0);
  unsigned elementBits = type.getElementTypeBitWidth();
  int64_t most = vectorBits / elementBits,
          least = getShortest(vectorBits, elementBits);
  Value result;
  for (int64_t begin = 0; begin < length; begin += most) {
    int64_t size = std::min(most, length - begin);
    auto lanes = std::max<int64_t>(least, llvm::PowerOf2Ceil(size));
    SmallVector<Value> parts;
    for (Value operand : operands)
      parts.push_back(takeElements(b, operand, begin, lanes));
    Value part = takeElements(b, call(b, parts), 0, size);
    if (size == length)
      return part;
    if (!result)
      result = arith::ConstantOp::create(
          b, b.getZeroAttr(type.clone(getElementTypeOrSelf(part.getType()))));
    result = vector::InsertStridedSliceOp::create(
        b, part, result, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{1});
  }
  return result;
}

/// `call` on vectors of one dim, or on numbers.
static Value callOn(ImplicitLocOpBuilder &b, unsigned vectorBits,
                    ValueRange operands, Call call) {
  if (isa<VectorType>(operands[0].getType()))
    return callOnVectors(b, vectorBits, operands, call);
  Type element = operands[0].getType();
  auto type = VectorType::get(
      {getShortest(vectorBits, element.getIntOrFloatBitWidth())}, element);
  SmallVector<Value> vectors;
  for (Value operand : operands)
    vectors.push_back(vector::BroadcastOp::create(b, type, operand));
  return vector::ExtractOp::create(b, call(b, vectors), int64_t(0));
}

/// One of AVX-512's, of all lanes.
static Value callAVX512(ImplicitLocOpBuilder &b, StringRef name,
                        ValueRange operands, bool roundsAsSaid) {
  constexpr int32_t kCurrentRounding = 4;
  auto type = cast<VectorType>(operands[0].getType());
  int64_t lanes = type.getDimSize(0),
          bits = lanes * type.getElementTypeBitWidth();
  SmallVector<Value> arguments(operands);
  // What lanes that the mask leaves out keep, and the mask.
  arguments.push_back(operands[0]);
  Type maskType = b.getIntegerType(std::max<int64_t>(8, lanes));
  arguments.push_back(
      LLVM::ConstantOp::create(b, maskType, b.getIntegerAttr(maskType, -1)));
  if (roundsAsSaid && bits == 512)
    arguments.push_back(LLVM::ConstantOp::create(
        b, b.getI32Type(), b.getI32IntegerAttr(kCurrentRounding)));
  std::string intrinsic = ("llvm.x86.avx512." + name + "." + Twine(bits)).str();
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(intrinsic),
                                       arguments)
      ->getResult(0);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool hasAVX512(const VectorInstructions &instructions, FormulaValue x) {
  return instructions.avx512 && isa<VectorType>(x.getType());
}

FormulaValue scaleByPower(const VectorInstructions &instructions,
                          FormulaValue x, FormulaValue n) {
  auto call = [](ImplicitLocOpBuilder &b, ValueRange operands) {
    bool isSingle = getElementTypeOrSelf(operands[0].getType()).isF32();
    return callAVX512(b, isSingle ? "mask.scalef.ps" : "mask.scalef.pd",
                      operands, /*roundsAsSaid=*/true);
  };
  ImplicitLocOpBuilder &b = x.getBuilder();
  return {b, callOn(b, instructions.vectorBits, {x.getValue(), n.getValue()},
                    call)};
}

// Only registers of 512 bits have them.
bool roundsAsSaid(const VectorInstructions &instructions) {
  return instructions.avx512 && instructions.vectorBits == 512;
}

FormulaValue fuseDown(const VectorInstructions &instructions, FormulaValue x,
                      FormulaValue y, FormulaValue z) {
  auto call = [](ImplicitLocOpBuilder &b, ValueRange operands) -> Value {
    constexpr int32_t kDownWithoutFlags = 9;
    SmallVector<Value> arguments(operands);
    arguments.push_back(LLVM::ConstantOp::create(
        b, b.getI32Type(), b.getI32IntegerAttr(kDownWithoutFlags)));
    return LLVM::CallIntrinsicOp::create(
               b, operands[0].getType(),
               b.getStringAttr("llvm.x86.avx512.vfmadd.pd.512"), arguments)
        ->getResult(0);
  };
  ImplicitLocOpBuilder &b = x.getBuilder();
  return {b, callOn(b, instructions.vectorBits,
                    {x.getValue(), y.getValue(), z.getValue()}, call)};
}

/// What an instruction of one of these names estimates of x.
static FormulaValue estimate(const VectorInstructions &instructions,
                             FormulaValue x, StringRef single, StringRef wide) {
  auto call = [&](ImplicitLocOpBuilder &b, ValueRange operands) {
    bool isSingle = getElementTypeOrSelf(operands[0].getType()).isF32();
    return callAVX512(b, isSingle ? single : wide, operands,
                      /*roundsAsSaid=*/false);
  };
  ImplicitLocOpBuilder &b = x.getBuilder();
  return {b, callOn(b, instructions.vectorBits, x.getValue(), call)};
}

FormulaValue estimateReciprocal(const VectorInstructions &instructions,
                                FormulaValue x) {
  return estimate(instructions, x, "rcp14.ps", "rcp14.pd");
}

FormulaValue estimateInverseRoot(const VectorInstructions &instructions,
                                 FormulaValue x) {
  return estimate(instructions, x, "rsqrt14.ps", "rsqrt14.pd");
}

// LLVM compares what is shifted into the sign with zero, and x86's select takes
// the sign itself.
FormulaValue selectBySign(const VectorInstructions &instructions,
                          FormulaValue bits, FormulaValue then,
                          FormulaValue otherwise) {
  auto vector = dyn_cast<VectorType>(then.getType());
  if (!instructions.lookUps || instructions.avx512 || !vector ||
      vector.isScalable())
    return bits.isNegative().select(then, otherwise);
  auto call = [](ImplicitLocOpBuilder &b, ValueRange operands) -> Value {
    auto type = cast<VectorType>(operands[0].getType());
    bool isSingle = type.getElementType().isF32();
    StringRef name =
        type.getNumElements() * type.getElementTypeBitWidth() == 128
            ? (isSingle ? "llvm.x86.sse41.blendvps" : "llvm.x86.sse41.blendvpd")
            : (isSingle ? "llvm.x86.avx.blendv.ps.256"
                        : "llvm.x86.avx.blendv.pd.256");
    return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name),
                                         operands)
        ->getResult(0);
  };
  ImplicitLocOpBuilder &b = then.getBuilder();
  return {b, callOn(b, instructions.vectorBits,
                    {otherwise.getValue(), then.getValue(),
                     bits.asFloat().getValue()},
                    call)};
}

/// Lanes of f32 of the registers that a vector of `length` is cut into; none if
/// it is no number of them.
static std::optional<int64_t> getRoundedLanes(unsigned vectorBits,
                                              int64_t length) {
  constexpr int64_t kShortest = 8;
  for (int64_t lanes = vectorBits / 32; lanes >= kShortest; lanes /= 2)
    if (length % lanes == 0)
      return lanes;
  return std::nullopt;
}

/// Registers of f32, of so many lanes.
static SmallVector<Value> takeRegisters(ImplicitLocOpBuilder &b, Value vector,
                                        int64_t lanes) {
  SmallVector<Value> registers;
  int64_t length = cast<VectorType>(vector.getType()).getDimSize(0);
  for (int64_t begin = 0; begin < length; begin += lanes)
    registers.push_back(takeElements(b, vector, begin, lanes));
  return registers;
}

bool hasHalfRounding(const VectorInstructions &instructions, FormulaValue x) {
  auto type = dyn_cast<VectorType>(x.getType());
  return instructions.halfRounding && type && type.getRank() == 1 &&
         !type.isScalable() && type.getElementType().isF32() &&
         getRoundedLanes(instructions.vectorBits, type.getDimSize(0));
}

Value isAnySubnormal(const VectorInstructions &instructions, FormulaValue x) {
  constexpr int32_t kSubnormal = 0x20;
  ImplicitLocOpBuilder &b = x.getBuilder();
  int64_t lanes = *getRoundedLanes(instructions.vectorBits,
                                   cast<VectorType>(x.getType()).getDimSize(0));
  std::string name = ("llvm.x86.avx512.fpclass.ps." + Twine(lanes * 32)).str();
  auto type = VectorType::get({lanes}, b.getI1Type());
  Value kind = LLVM::ConstantOp::create(b, b.getI32Type(),
                                        b.getI32IntegerAttr(kSubnormal));
  Value any;
  for (Value part : takeRegisters(b, x.getValue(), lanes)) {
    Value are = LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name),
                                              {part, kind})
                    ->getResult(0);
    any = any ? arith::OrIOp::create(b, any, are).getResult() : are;
  }
  return vector::ReductionOp::create(b, vector::CombiningKind::OR, any);
}

// One instruction rounds two registers, the second of which comes first.
Value roundToBF16(const VectorInstructions &instructions, FormulaValue x) {
  ImplicitLocOpBuilder &b = x.getBuilder();
  int64_t length = cast<VectorType>(x.getType()).getDimSize(0);
  int64_t lanes = *getRoundedLanes(instructions.vectorBits, length);
  SmallVector<Value> registers = takeRegisters(b, x.getValue(), lanes);
  bool arePairs = registers.size() % 2 == 0;
  int64_t step = arePairs ? 2 : 1;
  std::string name =
      ("llvm.x86.avx512bf16." +
       Twine(arePairs ? "cvtne2ps2bf16." : "cvtneps2bf16.") + Twine(lanes * 32))
          .str();
  auto type = VectorType::get({step * lanes}, b.getBF16Type());
  Value result;
  for (int64_t i = 0, e = registers.size(); i < e; i += step) {
    SmallVector<Value> operands = {registers[i]};
    if (arePairs)
      operands.insert(operands.begin(), registers[i + 1]);
    Value part =
        LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands)
            ->getResult(0);
    if (e == step)
      return part;
    if (!result)
      result = arith::ConstantOp::create(
          b, b.getZeroAttr(VectorType::get({length}, b.getBF16Type())));
    result = vector::InsertStridedSliceOp::create(
        b, part, result, ArrayRef<int64_t>{i * lanes}, ArrayRef<int64_t>{1});
  }
  return result;
}

/// Each lane of a register takes, of `numbers` in another one, the one that
/// `index` says. A shorter vector may ask for any of them. Longer registers
/// have them several times: the index has a bit more, which is not to count.
static FormulaValue lookUp(const VectorInstructions &instructions, Type element,
                           ArrayRef<double> numbers, FormulaValue index,
                           function_ref<StringRef(int64_t lanes)> getName) {
  auto call = [&](ImplicitLocOpBuilder &b, ValueRange operands) -> Value {
    int64_t wanted = cast<VectorType>(operands[0].getType()).getDimSize(0);
    auto lanes = std::max<int64_t>(wanted, int64_t(numbers.size()));
    SmallVector<Attribute> all;
    for (int64_t lane = 0; lane < lanes; ++lane)
      all.push_back(b.getFloatAttr(element, numbers[lane % numbers.size()]));
    auto type = VectorType::get({lanes}, element);
    Value table =
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, all));
    Value found = LLVM::CallIntrinsicOp::create(
                      b, type, b.getStringAttr(getName(lanes)),
                      {table, takeElements(b, operands[0], 0, lanes)})
                      ->getResult(0);
    return takeElements(b, found, 0, wanted);
  };
  ImplicitLocOpBuilder &b = index.getBuilder();
  return {b, callOn(b, instructions.vectorBits, index.getValue(), call)};
}

FormulaValue lookUpOfEight(const VectorInstructions &instructions,
                           ArrayRef<double> numbers, FormulaValue index) {
  Type element = index.getBuilder().getF32Type();
  return lookUp(instructions, element, numbers, index, [](int64_t lanes) {
    return lanes == 8 ? "llvm.x86.avx2.permps"
                      : "llvm.x86.avx512.permvar.sf.512";
  });
}

FormulaValue lookUpOfSixteen(const VectorInstructions &instructions,
                             ArrayRef<double> numbers, FormulaValue index) {
  Type element = index.getBuilder().getF32Type();
  return lookUp(instructions, element, numbers, index,
                [](int64_t) { return "llvm.x86.avx512.permvar.sf.512"; });
}

FormulaValue lookUpInRegister(const VectorInstructions &instructions,
                              ArrayRef<double> numbers, FormulaValue index) {
  Type element = index.getBuilder().getF64Type();
  if (numbers.size() != 2)
    return lookUp(instructions, element, numbers, index,
                  [](int64_t) { return "llvm.x86.avx512.permvar.df.512"; });
  // Of two numbers the last bit but one decides.
  return lookUp(instructions, element, numbers, index << 1, [](int64_t lanes) {
    return lanes == 8   ? "llvm.x86.avx512.vpermilvar.pd.512"
           : lanes == 4 ? "llvm.x86.avx.vpermilvar.pd.256"
                        : "llvm.x86.avx.vpermilvar.pd";
  });
}

FormulaValue getExponent(const VectorInstructions &instructions,
                         FormulaValue x) {
  auto call = [](ImplicitLocOpBuilder &b, ValueRange operands) {
    bool isSingle = getElementTypeOrSelf(operands[0].getType()).isF32();
    return callAVX512(b, isSingle ? "mask.getexp.ps" : "mask.getexp.pd",
                      operands, /*roundsAsSaid=*/true);
  };
  ImplicitLocOpBuilder &b = x.getBuilder();
  return {b, callOn(b, instructions.vectorBits, x.getValue(), call)};
}

FormulaValue getSignificand(const VectorInstructions &instructions,
                            FormulaValue x) {
  auto call = [](ImplicitLocOpBuilder &b, ValueRange operands) {
    constexpr int32_t kFromThreeFourths = 3, kPositive = 8;
    bool isSingle = getElementTypeOrSelf(operands[0].getType()).isF32();
    Value interval = LLVM::ConstantOp::create(
        b, b.getI32Type(), b.getI32IntegerAttr(kFromThreeFourths | kPositive));
    return callAVX512(b, isSingle ? "mask.getmant.ps" : "mask.getmant.pd",
                      {operands[0], interval}, /*roundsAsSaid=*/true);
  };
  ImplicitLocOpBuilder &b = x.getBuilder();
  return {b, callOn(b, instructions.vectorBits, x.getValue(), call)};
}

/// The bits of floats with nothing but the sign not set.
static FormulaValue getSignless(FormulaValue bits) {
  bool isSingle = getElementTypeOrSelf(bits.getType()).isInteger(32);
  return bits.literal(isSingle ? std::numeric_limits<int32_t>::max()
                               : std::numeric_limits<int64_t>::max());
}

/// The constant that all elements of `x` are, unless it is NaN.
static std::optional<APFloat> getConstant(FormulaValue x) {
  DenseFPElementsAttr constant;
  if (!matchPattern(x.getValue(), m_Constant(&constant)) || !constant.isSplat())
    return std::nullopt;
  auto number = constant.getSplatValue<APFloat>();
  return number.isNaN() ? std::nullopt : std::optional(number);
}

// Of a constant y one comparison does: x comes out if it is NaN or equal. That
// is the wrong zero only if x is -0 and y +0, whose maximum a sum with +0 makes
// of either; or the other way round for the minimum.
//
// Of numbers that differ, both selects are the larger one. Of NaN and a number,
// and of two zeros, one is x and the other one is y.

LogParts splitByInstructions(const VectorInstructions &instructions,
                             FormulaValue x) {
  FormulaValue m = getSignificand(instructions, x);
  return {getExponent(instructions, x) - getExponent(instructions, m), m - 1};
}

FormulaValue getMaximum(FormulaValue x, FormulaValue y) {
  if (std::optional<APFloat> constant = getConstant(y)) {
    FormulaValue larger = (y > x).select(y, x);
    return constant->isPosZero() ? larger + 0.0 : larger;
  }
  FormulaValue first = (x > y).select(x, y).getBits();
  FormulaValue second = (y > x).select(y, x).getBits();
  // The sign if both have it, and all that one has else: the majority with a
  // constant.
  FormulaValue both = first & second, either = first | second;
  return (both | (either & getSignless(first))).asFloat();
}

FormulaValue getMinimum(FormulaValue x, FormulaValue y) {
  if (std::optional<APFloat> constant = getConstant(y);
      constant && !constant->isNegZero())
    return (y < x).select(y, x);
  FormulaValue first = (x < y).select(x, y).getBits();
  FormulaValue second = (y < x).select(y, x).getBits();
  return (first | second).asFloat();
}

} // namespace ein
