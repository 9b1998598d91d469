//===- EmitEntryPoints.cpp - The C functions that callers see -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's calling convention passes a memref as seven or more scalars; a C
// programmer wants `int mm(const float *A, const float *B, float *C, int64_t M,
// int64_t K, int64_t N)`. The entry made here is that function: it checks the
// sizes, computes the strides of contiguous arrays and calls the kernel, which
// LLVM inlines into it.
//
// The contract of the C interface, that an output overlaps nothing, is told to
// LLVM here: every array of the kernel is `noalias` (inputs may overlap each
// other; `noalias` on memory that is only read says nothing about that).
//
//===----------------------------------------------------------------------===//

#include "ir/Signature.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/Passes.h"
#include "runtime/Codes.h"

namespace ein {
#define GEN_PASS_DEF_EMITENTRYPOINTS
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// Makes the entries of one kernel.
class EntryEmitter {
public:
  EntryEmitter(LLVM::LLVMFuncOp kernel, Signature signature)
      : kernel(kernel), signature(std::move(signature)),
        b(kernel.getLoc(), kernel.getContext()), name(kernel.getSymName()) {}

  LogicalResult run(bool packed);
  /// Without what ein-name-kernels put before it.
  StringRef getName() const { return name; }

private:
  LogicalResult hideKernel();
  void returnCodes();
  LLVM::LLVMFuncOp createFunction(const Twine &name, ArrayRef<Type> arguments);
  void emitEntry(bool packed);
  void emitPackedEntry();
  void emitCheck(Value isGood, runtime::Code code);
  void emitChecks();
  void emitOverlapChecks();
  Value emitAffine(AffineExpr expr);
  SmallVector<Value> emitAffines(AffineMap map);
  void appendArray(const Argument &argument, Value pointer,
                   SmallVectorImpl<Value> &operands);

  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(b, b.getI64Type(),
                                    b.getI64IntegerAttr(value));
  }
  Value constantCode(runtime::Code code) {
    return LLVM::ConstantOp::create(
        b, b.getI32Type(), b.getI32IntegerAttr(static_cast<int32_t>(code)));
  }
  Type getPointerType() { return LLVM::LLVMPointerType::get(b.getContext()); }
  /// In C: a half-precision number is passed as its bits.
  Type getScalarType(ElementType type) {
    if (type == ElementType::F32)
      return b.getF32Type();
    if (type == ElementType::F64)
      return b.getF64Type();
    return b.getIntegerType(getBitWidth(type));
  }

  LLVM::LLVMFuncOp kernel;
  Signature signature;
  ImplicitLocOpBuilder b;
  StringRef name;
  LLVM::LLVMFuncOp entry;
  /// In the entry: the values of the sizes.
  SmallVector<Value> sizes;
};

} // namespace

/// How many arguments a memref of this rank has in the kernel: two pointers,
/// the offset, sizes and strides.
static unsigned getNumDescriptorFields(unsigned rank) { return 3 + 2 * rank; }

LogicalResult EntryEmitter::hideKernel() {
  if (!name.consume_front(kKernelPrefix))
    return kernel.emitError("is not called `")
           << kKernelPrefix << "…`; run `ein-name-kernels` first";
  unsigned expected = signature.symbols.size();
  SmallVector<unsigned> alignedPointers;
  for (const Argument &argument : signature.arguments) {
    if (argument.isScalar()) {
      ++expected;
      continue;
    }
    alignedPointers.push_back(expected - signature.symbols.size() + 1);
    expected += getNumDescriptorFields(argument.dims.getNumResults());
  }
  if (signature.hasStatus) {
    alignedPointers.push_back(expected - signature.symbols.size() + 1);
    expected += getNumDescriptorFields(/*rank=*/0);
  }
  if (kernel.getNumArguments() != expected ||
      !isa<LLVM::LLVMVoidType>(kernel.getFunctionType().getReturnType()))
    return kernel.emitError("does not have the type that its `")
           << kSignatureAttr << "` implies";
  for (unsigned position : alignedPointers)
    kernel.setArgAttr(position, LLVM::LLVMDialect::getNoAliasAttrName(),
                      b.getUnitAttr());

  kernel.setLinkage(LLVM::Linkage::Internal);
  kernel->removeAttr(kSignatureAttr);
  returnCodes();
  return success();
}

/// Has the kernel return a code: Ok at its end, OutOfMemory where it cannot
/// have its memory.
void EntryEmitter::returnCodes() {
  SmallVector<LLVM::ReturnOp> returns;
  SmallVector<LLVM::CallOp> allocations;
  kernel.walk([&](LLVM::ReturnOp op) { returns.push_back(op); });
  kernel.walk([&](LLVM::CallOp op) {
    if (op.getCallee() == "malloc")
      allocations.push_back(op);
  });
  for (LLVM::ReturnOp op : returns) {
    b.setInsertionPoint(op);
    LLVM::ReturnOp::create(b, constantCode(runtime::Code::Ok));
    op.erase();
  }
  for (LLVM::CallOp op : allocations) {
    Block *block = op->getBlock();
    Block *rest = block->splitBlock(std::next(op->getIterator()));
    Block *fail = b.createBlock(block->getParent(), block->getParent()->end());
    LLVM::ReturnOp::create(b, constantCode(runtime::Code::OutOfMemory));
    b.setInsertionPointToEnd(block);
    Value null = LLVM::ZeroOp::create(b, getPointerType());
    Value isGood =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, op.getResult(), null);
    LLVM::CondBrOp::create(b, isGood, rest, fail);
  }
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(
      b.getI32Type(), kernel.getFunctionType().getParams()));
}

LLVM::LLVMFuncOp EntryEmitter::createFunction(const Twine &name,
                                              ArrayRef<Type> arguments) {
  b.setInsertionPointAfter(entry ? entry : kernel);
  auto function = LLVM::LLVMFuncOp::create(
      b, name.str(), LLVM::LLVMFunctionType::get(b.getI32Type(), arguments));
  b.setInsertionPointToStart(function.addEntryBlock(b));
  return function;
}

Value EntryEmitter::emitAffine(AffineExpr expr) {
  if (auto literal = dyn_cast<AffineConstantExpr>(expr))
    return constant(literal.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return sizes[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = emitAffine(binary.getLHS()), rhs = emitAffine(binary.getRHS());
  if (binary.getKind() == AffineExprKind::Add)
    return LLVM::AddOp::create(b, lhs, rhs);
  assert(binary.getKind() == AffineExprKind::Mul && "dims are linear");
  return LLVM::MulOp::create(b, lhs, rhs);
}

SmallVector<Value> EntryEmitter::emitAffines(AffineMap map) {
  return llvm::map_to_vector(map.getResults(),
                             [&](AffineExpr expr) { return emitAffine(expr); });
}

/// Returns `code` from here if `isGood` does not hold.
void EntryEmitter::emitCheck(Value isGood, runtime::Code code) {
  Block *current = b.getInsertionBlock();
  Region *region = current->getParent();
  Block *fail = b.createBlock(region, region->end());
  LLVM::ReturnOp::create(
      b,
      LLVM::ConstantOp::create(
          b, b.getI32Type(), b.getI32IntegerAttr(static_cast<int32_t>(code))));
  Block *next = b.createBlock(region, region->end());
  b.setInsertionPointToEnd(current);
  LLVM::CondBrOp::create(b, isGood, next, fail);
  b.setInsertionPointToStart(next);
}

void EntryEmitter::emitChecks() {
  auto compare = [&](LLVM::ICmpPredicate predicate, Value value) -> Value {
    return LLVM::ICmpOp::create(b, predicate, value, constant(0));
  };
  auto nonNegative = [&](Value value) {
    emitCheck(compare(LLVM::ICmpPredicate::sge, value),
              runtime::Code::ShapeMismatch);
  };
  for (Value size : sizes)
    nonNegative(size);
  for (const Argument &argument : signature.arguments)
    for (AffineExpr dim : argument.dims.getResults())
      if (isa<AffineBinaryOpExpr>(dim))
        nonNegative(emitAffine(dim));
  for (const Check &check : signature.checks) {
    Value value = emitAffine(check.expr.getResult(0));
    switch (check.kind) {
    case SizeCheck::Equal:
      emitCheck(compare(LLVM::ICmpPredicate::eq, value),
                runtime::Code::ShapeMismatch);
      break;
    case SizeCheck::NonNegativeExtent:
      nonNegative(value);
      break;
    case SizeCheck::InBounds: {
      Value isGood = compare(LLVM::ICmpPredicate::sge, value);
      for (Value extent : emitAffines(check.unlessEmpty))
        isGood = LLVM::OrOp::create(b, isGood,
                                    compare(LLVM::ICmpPredicate::eq, extent));
      emitCheck(isGood, runtime::Code::OutOfRange);
      break;
    }
    }
  }
}

/// Each output against every other array. The kernel relies on it: its arrays
/// are `noalias`.
void EntryEmitter::emitOverlapChecks() {
  struct Extent {
    Value begin, end;
    bool isWritten;
  };
  SmallVector<Extent> arrays;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    if (argument.isScalar())
      continue;
    Value bytes = constant(getBitWidth(argument.type) / 8);
    for (Value extent : emitAffines(argument.dims))
      bytes = LLVM::MulOp::create(b, bytes, extent);
    Value begin =
        LLVM::PtrToIntOp::create(b, b.getI64Type(), entry.getArgument(i));
    arrays.push_back(
        {begin, LLVM::AddOp::create(b, begin, bytes), argument.isWritten()});
  }
  Value isGood;
  auto isBefore = [&](const Extent &first, const Extent &second) -> Value {
    return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ule, first.end,
                                second.begin);
  };
  for (auto [i, first] : llvm::enumerate(arrays))
    for (const Extent &second : ArrayRef(arrays).drop_front(i + 1)) {
      if (!first.isWritten && !second.isWritten)
        continue;
      Value isApart = LLVM::OrOp::create(b, isBefore(first, second),
                                         isBefore(second, first));
      // An array without elements overlaps nothing, wherever it is.
      for (const Extent &array : {first, second})
        isApart =
            LLVM::OrOp::create(b, isApart,
                               LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq,
                                                    array.begin, array.end));
      isGood = isGood ? LLVM::AndOp::create(b, isGood, isApart).getResult()
                      : isApart;
    }
  if (isGood)
    emitCheck(isGood, runtime::Code::Overlap);
}

/// The fields of a contiguous row-major memref.
void EntryEmitter::appendArray(const Argument &argument, Value pointer,
                               SmallVectorImpl<Value> &operands) {
  operands.append({pointer, pointer, constant(0)});
  SmallVector<Value> extents = emitAffines(argument.dims);
  SmallVector<Value> strides(extents.size());
  Value stride = constant(1);
  for (size_t i = extents.size(); i-- > 0;) {
    strides[i] = stride;
    stride = LLVM::MulOp::create(b, stride, extents[i]);
  }
  llvm::append_range(operands, extents);
  llvm::append_range(operands, strides);
}

void EntryEmitter::emitEntry(bool packed) {
  SmallVector<Type> types;
  for (const Argument &argument : signature.arguments)
    types.push_back(argument.isScalar() ? getScalarType(argument.type)
                                        : getPointerType());
  types.append(signature.symbols.size(), b.getI64Type());
  entry = createFunction((packed ? "__ein_entry_" : "") + name, types);
  if (packed)
    entry.setLinkage(LLVM::Linkage::Internal);
  unsigned numArguments = signature.arguments.size();
  sizes =
      llvm::to_vector_of<Value>(entry.getArguments().drop_front(numArguments));

  emitChecks();
  emitOverlapChecks();
  SmallVector<Value> operands;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    Value value = entry.getArgument(i);
    if (!argument.isScalar()) {
      appendArray(argument, value, operands);
      continue;
    }
    Type wanted = kernel.getArgumentTypes()[operands.size()];
    if (value.getType() != wanted)
      value = LLVM::BitcastOp::create(b, wanted, value);
    operands.push_back(value);
  }
  Value status;
  if (signature.hasStatus) {
    OpBuilder::InsertPoint here = b.saveInsertionPoint();
    b.setInsertionPointToStart(&entry.getBody().front());
    status = LLVM::AllocaOp::create(b, getPointerType(), b.getI32Type(),
                                    constant(1));
    b.restoreInsertionPoint(here);
    LLVM::StoreOp::create(b, constantCode(runtime::Code::Ok), status);
    operands.append({status, status, constant(0)});
  }
  llvm::append_range(operands, sizes);
  Value code = LLVM::CallOp::create(b, kernel, operands).getResult();
  if (status) {
    // Without memory the kernel did not get to it.
    Value isGood = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, code,
                                        constantCode(runtime::Code::Ok));
    Value found = LLVM::LoadOp::create(b, b.getI32Type(), status);
    code = LLVM::SelectOp::create(b, isGood, found, code);
  }
  LLVM::ReturnOp::create(b, code);
}

void EntryEmitter::emitPackedEntry() {
  auto function = createFunction("__ein_packed_" + name,
                                 {getPointerType(), getPointerType()});
  auto load = [&](Value array, unsigned position, Type type) -> Value {
    Value address = LLVM::GEPOp::create(
        b, getPointerType(), type, array,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
    return LLVM::LoadOp::create(b, type, address);
  };
  SmallVector<Value> operands;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    Value pointer = load(function.getArgument(0), i, getPointerType());
    operands.push_back(
        argument.isScalar()
            ? LLVM::LoadOp::create(b, getScalarType(argument.type), pointer)
                  .getResult()
            : pointer);
  }
  for (unsigned i = 0, e = signature.symbols.size(); i < e; ++i)
    operands.push_back(load(function.getArgument(1), i, b.getI64Type()));
  auto call = LLVM::CallOp::create(b, entry, operands);
  LLVM::ReturnOp::create(b, call.getResult());
}

LogicalResult EntryEmitter::run(bool packed) {
  if (failed(hideKernel()))
    return failure();
  emitEntry(packed);
  if (packed)
    emitPackedEntry();
  return success();
}

/// The table `__ein_entries` of runtime/Signature.h.
static void emitTable(ModuleOp module,
                      ArrayRef<std::pair<std::string, std::string>> entries) {
  ImplicitLocOpBuilder b(module.getLoc(), module.getContext());
  b.setInsertionPointToEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto recordType =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {pointer, pointer});
  SmallVector<LLVM::GlobalOp> texts;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    std::string text = entry.second + '\0';
    texts.push_back(LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(b.getI8Type(), text.size()),
        /*isConstant=*/true, LLVM::Linkage::Private,
        ("__ein_signature_" + Twine(i)).str(), b.getStringAttr(text)));
  }
  auto tableType = LLVM::LLVMArrayType::get(recordType, entries.size() + 1);
  auto table = LLVM::GlobalOp::create(b, tableType, /*isConstant=*/true,
                                      LLVM::Linkage::External, "__ein_entries",
                                      Attribute());
  b.createBlock(&table.getInitializerRegion());
  Value value = LLVM::ZeroOp::create(b, tableType);
  for (auto [i, entry] : llvm::enumerate(entries)) {
    int64_t row = i;
    Value text = LLVM::AddressOfOp::create(b, texts[i]);
    Value function =
        LLVM::AddressOfOp::create(b, pointer, "__ein_packed_" + entry.first);
    value =
        LLVM::InsertValueOp::create(b, value, text, ArrayRef<int64_t>{row, 0});
    value = LLVM::InsertValueOp::create(b, value, function,
                                        ArrayRef<int64_t>{row, 1});
  }
  LLVM::ReturnOp::create(b, value);
}

namespace {
struct EmitEntryPointsPass : impl::EmitEntryPointsBase<EmitEntryPointsPass> {
  using EmitEntryPointsBase::EmitEntryPointsBase;
  void runOnOperation() override {
    SmallVector<LLVM::LLVMFuncOp> kernels;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(kSignatureAttr))
        kernels.push_back(function);

    SmallVector<std::pair<std::string, std::string>> entries;
    for (LLVM::LLVMFuncOp kernel : kernels) {
      FailureOr<Signature> signature = Signature::fromOp(kernel);
      if (failed(signature))
        return signalPassFailure();
      EntryEmitter emitter(kernel, *signature);
      if (failed(emitter.run(packed || executable)))
        return signalPassFailure();
      entries.push_back(
          {emitter.getName().str(),
           runtime::print(signature->toRuntime(emitter.getName()))});
    }
    if (executable)
      emitTable(getOperation(), entries);
  }
};
} // namespace

} // namespace ein
