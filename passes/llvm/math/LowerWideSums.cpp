//===- LowerWideSums.cpp - Sums of narrow numbers in wide ones ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a register of bytes that is extended is four registers of words, and
// a sum of it eight instructions. Processors add neighbours as they extend
// them; LLVM knows that of products only, and not of sums.
//
// Choice: x86's instructions by name, where they are: the sum of eight bytes
// (PSADBW), and products with one of two words (PMADDWD, which LLVM joins with
// an addition to VPDPWSSD), of two bytes (PMADDUBSW) and of four (VPDPBUSD). A
// product of a byte and one does not saturate. Elsewhere LLVM's operation for
// such sums, which it makes Arm's dot products or additions of, is what it
// says. Several vectors of bytes with a sign are words by pairs, which are
// added up before these become words of 32 bits; words without a sign are
// signed ones after half of what they can be is subtracted. The halves of a
// pair of bf16 are numbers of f32 as soon as they stand alone in their word;
// where there is an instruction for products of pairs (VDPBF16PS), it adds them
// as products with one. What is subnormal counts as zero to it, which the
// language allows.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/llvm/math/Passes.h"
#include "passes/schedule/MachineAttrs.h"

namespace ein {
#define GEN_PASS_DEF_LOWERWIDESUMS
#include "passes/llvm/math/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// A sum of neighbours in `elements`, a vector of one dim, and of `start`.
class WideSum {
public:
  WideSum(ImplicitLocOpBuilder &b, const VectorInstructions &instructions,
          Value elements, bool isSigned, Value start)
      : b(b), instructions(instructions), elements(elements),
        type(cast<VectorType>(elements.getType())), isSigned(isSigned),
        start(start), startType(cast<VectorType>(start.getType())),
        bits(type.getNumElements() * type.getElementTypeBitWidth()) {}

  Value create();

private:
  unsigned getRatio() {
    return type.getNumElements() / startType.getNumElements();
  }
  bool adds(unsigned from, unsigned to) {
    return type.getElementType().isInteger(from) &&
           startType.getElementType().isInteger(to) &&
           to * startType.getNumElements() == bits;
  }
  VectorType getVector(unsigned elementBits) {
    return VectorType::get({int64_t(bits / elementBits)},
                           b.getIntegerType(elementBits));
  }
  Value getSplat(Type vector, int64_t number) {
    Type element = cast<VectorType>(vector).getElementType();
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               cast<VectorType>(vector),
               b.getIntegerAttr(element, APInt(element.getIntOrFloatBitWidth(),
                                               number, /*isSigned=*/true,
                                               /*implicitTrunc=*/true))));
  }
  Value addToStart(Value sums) { return arith::AddIOp::create(b, start, sums); }
  Value call(ArrayRef<StringRef> names, VectorType result, ValueRange operands);
  Value addPairs(Value bytes);
  Value multiplyWords(Value words);
  Value addWords(Value sum, Value words);
  Value addVectorsForX86();
  Value addVectors();
  Value createForX86();
  Value createOfBFloats();
  Value createPartialReduction();

  ImplicitLocOpBuilder &b;
  const VectorInstructions &instructions;
  Value elements;
  VectorType type;
  bool isSigned;
  Value start;
  VectorType startType;
  unsigned bits;
};

} // namespace

/// The intrinsic of vectors of 128, 256 or 512 bits.
Value WideSum::call(ArrayRef<StringRef> names, VectorType result,
                    ValueRange operands) {
  StringRef name = names[bits == 128 ? 0 : bits == 256 ? 1 : 2];
  return LLVM::CallIntrinsicOp::create(
             b, result, b.getStringAttr("llvm.x86." + name), operands)
      ->getResult(0);
}

/// Sums of two words.
Value WideSum::multiplyWords(Value words) {
  return call({"sse2.pmadd.wd", "avx2.pmadd.wd", "avx512.pmaddw.d.512"},
              getVector(32), {words, getSplat(words.getType(), 1)});
}

/// Sums of two bytes with a sign.
/// A sum with the sums of two neighbours; only these if there is none.
Value WideSum::addWords(Value sum, Value words) {
  if (!sum)
    return multiplyWords(words);
  if (!instructions.byteDots)
    return arith::AddIOp::create(b, sum, multiplyWords(words));
  return call(
      {"avx512.vpdpwssd.128", "avx512.vpdpwssd.256", "avx512.vpdpwssd.512"},
      getVector(32), {sum, words, getSplat(words.getType(), 1)});
}

Value WideSum::addPairs(Value bytes) {
  constexpr unsigned kWord = 16;
  return call(
      {"ssse3.pmadd.ub.sw.128", "avx2.pmadd.ub.sw", "avx512.pmaddubs.w.512"},
      getVector(kWord), {getSplat(bytes.getType(), 1), bytes});
}

/// `elements` as vectors of the machine.
static SmallVector<Value> getRegisters(ImplicitLocOpBuilder &b, Value elements,
                                       int64_t lanes) {
  SmallVector<Value> registers;
  int64_t count = cast<VectorType>(elements.getType()).getNumElements();
  for (int64_t begin = 0; begin < count; begin += lanes)
    registers.push_back(vector::ExtractStridedSliceOp::create(
        b, elements, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{lanes},
        ArrayRef<int64_t>{1}));
  return registers;
}

/// Of several vectors, as many additions as can be before they are extended.
/// Null if there is no such way.
Value WideSum::addVectorsForX86() {
  constexpr unsigned kByte = 8, kWord = 16, kDouble = 32;
  // Of this many, sums of two bytes are words.
  constexpr unsigned kMost = 64;
  unsigned width = kDouble * startType.getNumElements();
  unsigned count = bits / width;
  Type narrow = type.getElementType();
  if (bits % width != 0 || count > kMost || width < 128 ||
      width > instructions.vectorBits || !llvm::isPowerOf2_32(width) ||
      !startType.getElementType().isInteger(kDouble))
    return {};
  bool isOfPairs = narrow.isInteger(kByte) && isSigned && count > 1 &&
                   instructions.bytePairs && !instructions.byteDots;
  bool isOfWords =
      narrow.isInteger(kWord) && !isSigned && instructions.sumsOfNarrow;
  if (!isOfPairs && !isOfWords)
    return {};
  SmallVector<Value> registers =
      getRegisters(b, elements, type.getNumElements() / count);
  // What follows is of one register.
  bits = width;
  // Of products that an instruction adds, several sums do not wait for each
  // other. LLVM would make one of them all.
  constexpr size_t kChains = 4;
  SmallVector<Value> chains(isOfWords && instructions.byteDots
                                ? std::min(kChains, registers.size())
                                : 1);
  for (auto [i, part] : llvm::enumerate(registers)) {
    // Neighbours in one, as LLVM's scheduler goes through each.
    Value &sum = chains[i * chains.size() / registers.size()];
    if (isOfPairs) {
      Value next = addPairs(part);
      sum = sum ? arith::AddIOp::create(b, sum, next).getResult() : next;
    } else {
      sum = addWords(sum, arith::XOrIOp::create(
                              b, part, getSplat(part.getType(), 0x8000)));
    }
  }
  Value sum = chains.front();
  for (Value other : ArrayRef(chains).drop_front())
    sum = arith::AddIOp::create(b, sum, other);
  if (isOfPairs)
    return addToStart(multiplyWords(sum));
  return addToStart(arith::AddIOp::create(
      b, sum, getSplat(startType, int64_t(count) * 0x10000)));
}

/// The sum of vectors of the machine, one after the other.
Value WideSum::addVectors() {
  Type narrow = type.getElementType();
  int64_t lanes = startType.getNumElements() *
                  startType.getElementTypeBitWidth() /
                  narrow.getIntOrFloatBitWidth();
  Value sum = start;
  for (Value part : getRegisters(b, elements, lanes))
    sum = WideSum(b, instructions, part, isSigned, sum).create();
  return sum;
}

/// Null if there are no instructions for it.
Value WideSum::createForX86() {
  constexpr unsigned kByte = 8, kWord = 16, kDouble = 32, kQuad = 64;
  if (bits > instructions.vectorBits || !llvm::isPowerOf2_32(bits) ||
      bits < 128 || !instructions.sumsOfNarrow)
    return {};
  bool isQuad = adds(kByte, kQuad) && !isSigned;
  if (adds(kByte, kDouble) && instructions.byteDots) {
    Value ones = getSplat(type, 1);
    SmallVector<Value> factors = {elements, ones};
    // The first one is unsigned.
    if (isSigned)
      std::swap(factors[0], factors[1]);
    return call(
        {"avx512.vpdpbusd.128", "avx512.vpdpbusd.256", "avx512.vpdpbusd.512"},
        startType, {start, factors[0], factors[1]});
  }
  if (isQuad || (adds(kByte, kDouble) && !isSigned)) {
    // A sum of eight bytes leaves the upper half of its 64 bits zero.
    Value sums = call({"sse2.psad.bw", "avx2.psad.bw", "avx512.psad.bw.512"},
                      getVector(kQuad), {elements, getSplat(type, 0)});
    return addToStart(vector::BitCastOp::create(b, startType, sums));
  }
  if (adds(kByte, kDouble) && instructions.bytePairs) {
    return addToStart(multiplyWords(addPairs(elements)));
  }
  if (adds(kWord, kDouble) && isSigned)
    return addToStart(multiplyWords(elements));
  return {};
}

/// Pairs of bf16 in f32: each is the upper half of its sum's bits. One of the
/// two is added by a multiplication with a one that nobody sees, as processors
/// add and multiply by different units.
Value WideSum::createOfBFloats() {
  constexpr unsigned kDouble = 32, kHalf = 16;
  // The instructions that round to bf16 came with it.
  if (instructions.halfRounding && bits == instructions.vectorBits) {
    Value ones = arith::ConstantOp::create(
        b, DenseElementsAttr::get(type,
                                  b.getFloatAttr(type.getElementType(), 1.0)));
    return call({"avx512bf16.dpbf16ps.128", "avx512bf16.dpbf16ps.256",
                 "avx512bf16.dpbf16ps.512"},
                startType, {start, elements, ones});
  }
  VectorType words = getVector(kDouble);
  Value pairs = vector::BitCastOp::create(b, words, elements);
  Value even = arith::BitcastOp::create(
      b, startType, arith::ShLIOp::create(b, pairs, getSplat(words, kHalf)));
  Value odd = arith::BitcastOp::create(
      b, startType, arith::AndIOp::create(b, pairs, getSplat(words, -0x10000)));
  Value sum = arith::AddFOp::create(b, start, even);
  if (!instructions.fma || !instructions.sumsOfNarrow)
    return arith::AddFOp::create(b, sum, odd);
  Value one = arith::ConstantOp::create(
      b, DenseElementsAttr::get(startType, b.getF32FloatAttr(1)));
  one = LLVM::CallIntrinsicOp::create(
            b, startType, b.getStringAttr("llvm.arithmetic.fence"), one)
            ->getResult(0);
  return math::FmaOp::create(b, odd, one, sum);
}

Value WideSum::createPartialReduction() {
  auto wide = VectorType::get(type.getShape(), startType.getElementType());
  Value extended = isSigned
                       ? arith::ExtSIOp::create(b, wide, elements).getResult()
                       : arith::ExtUIOp::create(b, wide, elements).getResult();
  auto intrinsic = b.getStringAttr("llvm.vector.partial.reduce.add");
  return LLVM::CallIntrinsicOp::create(b, startType, intrinsic,
                                       ValueRange{start, extended})
      ->getResult(0);
}

/// Whole registers are added, as any lane will do.
static Value addParts(ImplicitLocOpBuilder &b, Value elements, Value sum) {
  auto type = cast<VectorType>(sum.getType());
  int64_t lanes = type.getNumElements();
  int64_t count = cast<VectorType>(elements.getType()).getNumElements();
  for (int64_t begin = 0; begin < count; begin += lanes) {
    Value part = vector::ExtractStridedSliceOp::create(
        b, elements, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{lanes},
        ArrayRef<int64_t>{1});
    sum = isa<FloatType>(type.getElementType())
              ? arith::AddFOp::create(b, sum, part).getResult()
              : arith::AddIOp::create(b, sum, part).getResult();
  }
  return sum;
}

Value WideSum::create() {
  Type narrow = type.getElementType(), wide = startType.getElementType();
  if (narrow == wide)
    return addParts(b, elements, start);
  if (narrow.isBF16() && wide.isF32() && getRatio() == 2)
    return createOfBFloats();
  if (isa<FloatType>(narrow))
    return addParts(b,
                    arith::ExtFOp::create(
                        b, VectorType::get(type.getShape(), wide), elements),
                    start);
  if (Value sum = addVectorsForX86())
    return sum;
  unsigned width = startType.getNumElements() * wide.getIntOrFloatBitWidth();
  if (bits > width && bits % width == 0)
    return addVectors();
  if (Value sum = createForX86())
    return sum;
  return createPartialReduction();
}

namespace {
struct LowerWideSumsPass : impl::LowerWideSumsBase<LowerWideSumsPass> {
  void runOnOperation() override {
    VectorInstructions instructions = getInstructions(getOperation());
    SmallVector<WideSumOp> ops;
    getOperation().walk([&](WideSumOp op) { ops.push_back(op); });
    for (WideSumOp op : ops) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      WideSum sum(b, instructions, op.getElements(), !op.getIsUnsigned(),
                  op.getStart());
      op.replaceAllUsesWith(sum.create());
      op.erase();
    }
  }
};
} // namespace

} // namespace ein
