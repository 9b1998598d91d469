//===- EntryBuilder.cpp - What the entries of a kernel share --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/entry/EntryBuilder.h"
#include "ir/WrittenForm.h"
#include "passes/llvm/entry/AskForTiles.h"
#include <limits>

using namespace mlir;

namespace ein {

/// The frame pointer by which a kernel's part of the stack is aligned, which
/// the function has to have that LLVM puts the kernel into.
static ArrayAttr getFramePointer(LLVM::LLVMFuncOp kernel) {
  for (Attribute attribute : kernel.getPassthroughAttr().getValue())
    if (auto pair = dyn_cast<ArrayAttr>(attribute))
      if (pair.size() == 2 &&
          pair[0] == StringAttr::get(pair.getContext(), "frame-pointer"))
        return ArrayAttr::get(pair.getContext(), attribute);
  return {};
}

LLVM::LLVMFuncOp EntryBuilder::createFunction(const Twine &name,
                                              ArrayRef<Type> arguments,
                                              bool isVisible) {
  b.setInsertionPointToEnd(kernel->getParentOfType<ModuleOp>().getBody());
  auto function = LLVM::LLVMFuncOp::create(
      b, name.str(), LLVM::LLVMFunctionType::get(b.getI32Type(), arguments));
  if (!isVisible)
    function.setLinkage(LLVM::Linkage::Internal);
  if (kernel.getPassthroughAttr())
    if (ArrayAttr pointer = getFramePointer(kernel))
      function.setPassthroughAttr(pointer);
  b.setInsertionPointToStart(function.addEntryBlock(b));
  // Whatever else is checked: no caller can know it.
  if (isVisible && options.sveBits != 0)
    emitLengthCheck();
  if (isVisible && options.asksForTiles)
    emitTileRequest();
  return function;
}

void EntryBuilder::emitLengthCheck() {
  // LLVM's `vscale` is the constant that it was told.
  auto length = LLVM::InlineAsmOp::create(
      b, b.getI64Type(), /*operands=*/ValueRange(), "rdvl $0, #1", "=r",
      /*has_side_effects=*/false, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      /*operand_attrs=*/ArrayAttr());
  emitCheck(compare(LLVM::ICmpPredicate::eq, length.getRes(),
                    constant(options.sveBits / 8)),
            runtime::Code::VectorLength);
}

void EntryBuilder::emitTileRequest() {
  auto module = kernel->getParentOfType<ModuleOp>();
  LLVM::LLVMFuncOp ask = getOrCreateTileRequest(module);
  Value code = LLVM::CallOp::create(b, ask, ValueRange()).getResult();
  emitReturnUnless(
      compare(LLVM::ICmpPredicate::eq, code, constantCode(runtime::Code::Ok)),
      [&] { return code; });
}

SmallVector<Type> EntryBuilder::getPassedTypes(size_t argument,
                                               ComplexPassing passing) {
  Type part = cast<LLVM::LLVMStructType>(getScalarType(argument)).getBody()[0];
  switch (passing) {
  case ComplexPassing::Vector:
    return {VectorType::get(2, part)};
  case ComplexPassing::Scalars:
    return {part, part};
  case ComplexPassing::Array:
    return {LLVM::LLVMArrayType::get(part, 2)};
  case ComplexPassing::Integers:
    return SmallVector<Type>(part.getIntOrFloatBitWidth() / 32, b.getI64Type());
  case ComplexPassing::Memory:
    return {getPointerType()};
  }
  llvm_unreachable("a way to pass complex numbers that is none");
}

/// The struct that the values make. They have its bits, in its order.
Value EntryBuilder::joinPassed(size_t argument, ComplexPassing passing,
                               ValueRange passed) {
  Type type = getScalarType(argument);
  Value memory = passed[0];
  if (passing != ComplexPassing::Memory) {
    memory = LLVM::AllocaOp::create(b, getPointerType(), type, constant(1));
    for (auto [i, value] : llvm::enumerate(passed))
      LLVM::StoreOp::create(b, value, getElement(memory, i, value.getType()));
  }
  return load(memory, 0, type);
}

LLVM::LLVMFuncOp EntryBuilder::createEntry(const Twine &name, size_t numSizes,
                                           bool isVisible) {
  ComplexArguments registers(options.complexConvention);
  SmallVector<Type> types;
  SmallVector<ComplexPassing> passings;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    passings.push_back(ComplexPassing::Scalars);
    if (!argument.isScalar()) {
      types.push_back(getPointerType());
    } else if (!isVisible || !isComplex(argument.type)) {
      types.push_back(getScalarType(i));
      if (isa<FloatType>(types.back()))
        registers.passReal();
    } else {
      passings.back() =
          registers.passComplex(getBitWidth(getPartType(argument.type)));
      llvm::append_range(types, getPassedTypes(i, passings.back()));
    }
  }
  types.append(numSizes, b.getI64Type());
  LLVM::LLVMFuncOp function = createFunction(name, types, isVisible);

  arguments.clear();
  unsigned next = 0;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    if (!isVisible || !argument.isScalar() || !isComplex(argument.type)) {
      arguments.push_back(function.getArgument(next++));
      continue;
    }
    unsigned count = getPassedTypes(i, passings[i]).size();
    if (passings[i] == ComplexPassing::Memory) {
      function.setArgAttr(next, LLVM::LLVMDialect::getByValAttrName(),
                          TypeAttr::get(getScalarType(i)));
      function.setArgAttr(next, LLVM::LLVMDialect::getAlignAttrName(),
                          b.getI64IntegerAttr(8));
    }
    arguments.push_back(
        joinPassed(i, passings[i], function.getArguments().slice(next, count)));
    next += count;
  }
  return function;
}

/// An integer argument in 64 bits; the largest unsigned ones do not fit.
Value EntryBuilder::emitScalar(unsigned argument, Value *overflows) {
  Value value = arguments[argument];
  bool isNarrow = value.getType() != b.getI64Type();
  if (getKind(signature.arguments[argument].type) != TypeKind::Unsigned)
    return isNarrow ? LLVM::SExtOp::create(b, b.getI64Type(), value) : value;
  if (isNarrow)
    return LLVM::ZExtOp::create(b, b.getI64Type(), value);
  if (overflows)
    *overflows = LLVM::OrOp::create(
        b, *overflows, compare(LLVM::ICmpPredicate::slt, value, constant(0)));
  return value;
}

namespace {
/// What a value of 64 bits may be, in more of them.
struct Interval {
  __int128 least, most;
};
} // namespace

/// The values of `expr`, of sizes that are not negative; none if a step on the
/// way to it may leave 64 bits.
static std::optional<Interval> findInterval(const Signature &signature,
                                            AffineExpr expr) {
  constexpr __int128 kLeast = std::numeric_limits<int64_t>::min(),
                     kMost = std::numeric_limits<int64_t>::max();
  if (auto literal = dyn_cast<AffineConstantExpr>(expr))
    return Interval{literal.getValue(), literal.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    size_t position = symbol.getPosition(), first = signature.symbols.size();
    if (position < first)
      return Interval{0, kMost};
    if (position >= signature.getNumSizes())
      return std::nullopt;
    Interval least{kMost, kMost};
    for (AffineExpr value : signature.minima[position - first].getResults()) {
      std::optional<Interval> interval = findInterval(signature, value);
      if (!interval)
        return std::nullopt;
      least = {std::min(least.least, interval->least),
               std::min(least.most, interval->most)};
    }
    return least;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Interval> lhs = findInterval(signature, binary.getLHS()),
                          rhs = findInterval(signature, binary.getRHS());
  if (!lhs || !rhs)
    return std::nullopt;
  Interval result{lhs->least + rhs->least, lhs->most + rhs->most};
  if (binary.getKind() == AffineExprKind::Mul) {
    auto corners = {lhs->least * rhs->least, lhs->least * rhs->most,
                    lhs->most * rhs->least, lhs->most * rhs->most};
    result = {std::min(corners), std::max(corners)};
  } else if (binary.getKind() != AffineExprKind::Add) {
    // Quotients and remainders, of positive constants.
    result = {std::min<__int128>(lhs->least, 0),
              std::max(lhs->most, rhs->most)};
  }
  if (result.least < kLeast || result.most > kMost)
    return std::nullopt;
  return result;
}

Value EntryBuilder::emitChecked(AffineExpr expr) {
  if (findInterval(signature, expr))
    return emitAffine(expr);
  Value overflows = constantBit(false);
  Value value = emitAffine(expr, &overflows);
  return LLVM::SelectOp::create(b, overflows, constant(-1), value);
}

Value EntryBuilder::emitAffine(AffineExpr expr, Value *overflows) {
  if (auto literal = dyn_cast<AffineConstantExpr>(expr))
    return constant(literal.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    unsigned position = symbol.getPosition();
    if (position < sizes.size())
      return sizes[position];
    if (position >= signature.getNumSizes())
      return emitScalar(signature.scalars[position - signature.getNumSizes()],
                        overflows);
    Value least;
    for (AffineExpr part :
         signature.minima[position - sizes.size()].getResults()) {
      Value value = emitAffine(part, overflows);
      least = least ? LLVM::SMinOp::create(b, least, value) : value;
    }
    return least;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = emitAffine(binary.getLHS(), overflows);
  Value rhs = emitAffine(binary.getRHS(), overflows);
  bool isSum = binary.getKind() == AffineExprKind::Add;
  if (overflows && (isSum || binary.getKind() == AffineExprKind::Mul)) {
    auto result = isSum ? emitOverflowing<LLVM::SAddWithOverflowOp>(lhs, rhs)
                        : emitOverflowing<LLVM::SMulWithOverflowOp>(lhs, rhs);
    *overflows = LLVM::OrOp::create(b, *overflows, result.second);
    return result.first;
  }
  if (isSum)
    return LLVM::AddOp::create(b, lhs, rhs);
  if (binary.getKind() == AffineExprKind::Mul)
    return LLVM::MulOp::create(b, lhs, rhs);
  // By a constant above 0: the remainder has the sign of what is divided.
  Value rest = LLVM::SRemOp::create(b, lhs, rhs);
  Value isBelow = compare(LLVM::ICmpPredicate::slt, rest, constant(0));
  Value excess = LLVM::SelectOp::create(b, isBelow, rhs, constant(0));
  Value modulo = LLVM::AddOp::create(b, rest, excess);
  if (binary.getKind() == AffineExprKind::Mod)
    return modulo;
  assert(binary.getKind() == AffineExprKind::FloorDiv && "no such size");
  return LLVM::SDivOp::create(b, LLVM::SubOp::create(b, lhs, modulo), rhs);
}

SmallVector<Value> EntryBuilder::emitAffines(AffineMap map) {
  return llvm::map_to_vector(map.getResults(),
                             [&](AffineExpr expr) { return emitAffine(expr); });
}

void EntryBuilder::emitReturnUnless(Value isGood,
                                    llvm::function_ref<Value()> emitCode) {
  Block *current = b.getInsertionBlock();
  Region *region = current->getParent();
  Block *end = b.createBlock(region, region->end());
  LLVM::ReturnOp::create(b, emitCode());
  Block *next = b.createBlock(region, region->end());
  b.setInsertionPointToEnd(current);
  LLVM::CondBrOp::create(b, isGood, next, end);
  b.setInsertionPointToStart(next);
}

void EntryBuilder::emitUnlessLikely(Value isGood,
                                    llvm::function_ref<void()> emitOther) {
  constexpr std::pair<uint32_t, uint32_t> kWeights = {2000, 1};
  Block *current = b.getInsertionBlock();
  Region *region = current->getParent();
  Block *other = b.createBlock(region, region->end());
  emitOther();
  Block *otherEnd = b.getInsertionBlock();
  Block *next = b.createBlock(region, region->end());
  b.setInsertionPointToEnd(otherEnd);
  LLVM::BrOp::create(b, ValueRange(), next);
  b.setInsertionPointToEnd(current);
  LLVM::CondBrOp::create(b, isGood, next, ValueRange(), other, ValueRange(),
                         kWeights);
  b.setInsertionPointToStart(next);
}

void EntryBuilder::emitCheck(Value isGood, runtime::Code code) {
  emitReturnUnless(isGood, [&] { return constantCode(code); });
}

LLVM::LLVMFuncOp lookupWritten(LLVM::LLVMFuncOp kernel, StringRef name) {
  return kernel->getParentOfType<ModuleOp>().lookupSymbol<LLVM::LLVMFuncOp>(
      (kWrittenPrefix + name).str());
}

void EntryBuilder::emitOverlapCheck(
    Value isApart, llvm::function_ref<SmallVector<Value>()> getOperands) {
  LLVM::LLVMFuncOp written = lookupWritten(kernel, name);
  if (!written)
    return emitCheck(isApart, runtime::Code::Overlap);
  emitReturnUnless(isApart, [&] {
    SmallVector<Value> operands = getOperands();
    ArrayRef<Type> types = written.getArgumentTypes();
    for (auto [i, operand] : llvm::enumerate(operands))
      if (operand.getType() != types[i])
        operand = LLVM::BitcastOp::create(b, types[i], operand);
    llvm::append_range(operands, sizes);
    auto call = LLVM::CallOp::create(b, written, operands);
    call.setNoInline(true);
    return call.getResult();
  });
}

/// How many bits sizes may have for nothing but these bits to need a check:
/// none is negative then, and the bytes of no array leave 63 bits. None if
/// there is no such number, or a small one.
std::optional<unsigned> EntryBuilder::countSmallBits() {
  constexpr unsigned kLeast = 16, kAll = 62;
  if (sizes.empty())
    return std::nullopt;
  unsigned bits = kAll;
  for (const Argument &argument : signature.arguments) {
    unsigned known = llvm::Log2_64_Ceil(uint64_t(getByteWidth(argument))),
             numSizes = 0;
    for (AffineExpr dim : argument.dims.getResults()) {
      auto symbol = dyn_cast<AffineSymbolExpr>(dim);
      auto literal = dyn_cast<AffineConstantExpr>(dim);
      if (literal && literal.getValue() > 0)
        known += llvm::Log2_64_Ceil(uint64_t(literal.getValue()));
      else if (symbol && symbol.getPosition() < sizes.size())
        ++numSizes;
      else if (!literal)
        return std::nullopt;
    }
    if (numSizes > 0)
      bits = std::min(bits, (kAll - std::min(kAll, known)) / numSizes);
  }
  return bits >= kLeast ? std::optional(bits) : std::nullopt;
}

void EntryBuilder::emitSizeChecks() {
  auto compareZero = [&](LLVM::ICmpPredicate predicate, Value value) {
    return compare(predicate, value, constant(0));
  };
  auto isSize = [&](AffineExpr dim) {
    auto symbol = dyn_cast<AffineSymbolExpr>(dim);
    return symbol && symbol.getPosition() < sizes.size();
  };
  auto nonNegative = [&](Value value) {
    emitCheck(compareZero(LLVM::ICmpPredicate::sge, value),
              runtime::Code::ShapeMismatch);
  };
  auto checkEach = [&] {
    for (Value size : sizes)
      nonNegative(size);
    for (const Argument &argument : signature.arguments)
      for (AffineExpr dim : argument.dims.getResults())
        if (!isa<AffineConstantExpr>(dim) && !isSize(dim))
          nonNegative(emitChecked(dim));
    for (const Argument &argument : signature.arguments)
      if (llvm::any_of(argument.dims.getResults(), [](AffineExpr dim) {
            return !isa<AffineConstantExpr>(dim);
          }))
        emitCheck(emitHasSize(argument), runtime::Code::ShapeMismatch);
  };
  if (std::optional<unsigned> bits = countSmallBits()) {
    Value all = sizes.front();
    for (Value size : ArrayRef(sizes).drop_front())
      all = LLVM::OrOp::create(b, all, size);
    emitUnlessLikely(
        compare(LLVM::ICmpPredicate::ult, all, constant(int64_t(1) << *bits)),
        checkEach);
  } else {
    checkEach();
  }
  for (const Check &check : signature.checks) {
    Value value = emitChecked(check.expr.getResult(0));
    switch (check.kind) {
    case SizeCheck::Equal:
      emitCheck(compareZero(LLVM::ICmpPredicate::eq, value),
                runtime::Code::ShapeMismatch);
      break;
    case SizeCheck::NonNegativeExtent:
      nonNegative(value);
      break;
    case SizeCheck::InBounds: {
      Value isGood = compareZero(LLVM::ICmpPredicate::sge, value);
      for (AffineExpr extent : check.unlessEmpty.getResults())
        isGood = LLVM::OrOp::create(
            b, isGood,
            compareZero(LLVM::ICmpPredicate::eq, emitChecked(extent)));
      emitCheck(isGood, runtime::Code::OutOfRange);
      break;
    }
    case SizeCheck::Product:
      emitCheck(emitIsProduct(value, emitAffines(check.factors)),
                runtime::Code::ShapeMismatch);
      break;
    }
  }
}

EntryBuilder::Product EntryBuilder::emitProduct(ArrayRef<Value> factors) {
  Product product = {constant(1), constantBit(false), constantBit(false)};
  for (Value factor : factors) {
    Value isZero = compare(LLVM::ICmpPredicate::eq, factor, constant(0));
    product.isZero = LLVM::OrOp::create(b, product.isZero, isZero);
    auto [value, overflow] =
        emitOverflowing<LLVM::SMulWithOverflowOp>(product.value, factor);
    product.value = value;
    product.overflows = LLVM::OrOp::create(b, product.overflows, overflow);
  }
  return product;
}

Value EntryBuilder::emitHasSize(const Argument &argument) {
  SmallVector<Value> factors = emitAffines(argument.dims);
  factors.push_back(constant(getByteWidth(argument)));
  Product bytes = emitProduct(factors);
  Value fits = LLVM::XOrOp::create(b, bytes.overflows, constantBit(true));
  return LLVM::OrOp::create(b, fits, bytes.isZero);
}

/// Whether `value` is the product of sizes. That may be more than fits, and is
/// zero even so if any of them is.
Value EntryBuilder::emitIsProduct(Value value, ArrayRef<Value> factors) {
  Product product = emitProduct(factors);
  Value isSame = compare(LLVM::ICmpPredicate::eq, value, product.value);
  Value isEmpty = compare(LLVM::ICmpPredicate::eq, value, constant(0));
  Value isGood =
      LLVM::SelectOp::create(b, product.overflows, constantBit(false), isSame);
  return LLVM::SelectOp::create(b, product.isZero, isEmpty, isGood);
}

Value EntryBuilder::getElement(Value array, int64_t position, Type type) {
  return LLVM::GEPOp::create(
      b, getPointerType(), type, array,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
}

Type EntryBuilder::getScalarType(size_t argument) {
  ElementType type = signature.arguments[argument].type;
  if (type == ElementType::F32)
    return b.getF32Type();
  if (type == ElementType::F64)
    return b.getF64Type();
  if (isComplex(type)) {
    Type part =
        type == ElementType::C64 ? Type(b.getF32Type()) : Type(b.getF64Type());
    return LLVM::LLVMStructType::getLiteral(b.getContext(), {part, part});
  }
  return b.getIntegerType(getBitWidth(type));
}

Value EntryBuilder::emitKernelCall(SmallVector<Value> operands,
                                   bool isInlined) {
  ArrayRef<Type> types = kernel.getArgumentTypes();
  for (auto [i, operand] : llvm::enumerate(operands))
    if (operand.getType() != types[i])
      operand = LLVM::BitcastOp::create(b, types[i], operand);
  Value status;
  if (signature.hasStatus) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&b.getInsertionBlock()->getParent()->front());
    status = LLVM::AllocaOp::create(b, getPointerType(), b.getI32Type(),
                                    constant(1));
    LLVM::StoreOp::create(b, constantCode(runtime::Code::Ok), status);
  }
  if (status)
    operands.append({status, status, constant(0)});
  llvm::append_range(operands, sizes);
  auto call = LLVM::CallOp::create(b, kernel, operands);
  call.setAlwaysInline(isInlined);
  // Two entries call it: LLVM would compile it again for each.
  call.setNoInline(!isInlined && !options.packed);
  Value code = call.getResult();
  if (!status)
    return code;
  // Without memory the kernel did not get to it.
  Value found = LLVM::LoadOp::create(b, b.getI32Type(), status);
  return LLVM::SelectOp::create(
      b,
      compare(LLVM::ICmpPredicate::eq, code, constantCode(runtime::Code::Ok)),
      found, code);
}

} // namespace ein
