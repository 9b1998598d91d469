//===- EmitLongViews.cpp - Strides of very many arguments -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With thousands of arguments, `__ein_strided_NAME` gets a table of the views,
// and what it does with each of them, the functions of ViewTables.mlir do in
// loops. What calls the kernel is a function of its own, `__ein_direct_NAME`,
// which is there once for the views and their copies.
//
//===----------------------------------------------------------------------===//

#include "abi/CacheLine.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "passes/llvm/entry/TableHelpers.h"
#include "passes/llvm/entry/ViewEmitter.h"

using namespace mlir;

namespace ein {

/// What ViewTables.mlir has of an argument: three slots, or as many numbers.
static constexpr int64_t kSlots = 3;

/// A function of a table of views and of every size.
LLVM::LLVMFuncOp ViewEmitter::createTableFunction(const Twine &prefix,
                                                  Value &table) {
  SmallVector<Type> types = {getPointerType()};
  types.append(layout.symbols.size(), b.getI64Type());
  LLVM::LLVMFuncOp function =
      createFunction(prefix + name, types, /*isVisible=*/false);
  table = function.getArgument(0);
  sizes.assign(function.args_begin() + 1, function.args_end());
  arguments.assign(signature.arguments.size(), Value());
  for (unsigned scalar : signature.scalars)
    arguments[scalar] = loadView(table, scalar).data;
  return function;
}

ViewEmitter::View ViewEmitter::loadView(Value table, size_t argument) {
  int64_t first = kSlots * argument;
  if (!isArray(argument)) {
    Value slot = getElement(table, first, b.getI64Type());
    return {load(slot, 0, getScalarType(argument)), Value(), Value()};
  }
  Type pointer = getPointerType();
  Value data = load(table, first, pointer);
  if (getRank(argument) == 0)
    return {data, Value(), Value()};
  return {data, load(table, first + 1, pointer),
          load(table, first + 2, pointer)};
}

/// The numbers that ViewTables.mlir has of all arguments.
SmallVector<int64_t> ViewEmitter::getRecords() {
  constexpr int64_t kArray = 1, kWritten = 2, kRead = 4, kContiguous = 8;
  SmallVector<int64_t> records;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    int64_t bits = 0;
    if (isArray(i))
      bits = kArray | (argument.isWritten() ? kWritten : 0) |
             (argument.role != TensorRole::Output ? kRead : 0) |
             (isContiguous[i] ? kContiguous : 0);
    records.append({getRank(i), getByteWidth(argument), bits});
  }
  return records;
}

/// A function of ViewTables.mlir on all views.
LLVM::CallOp ViewEmitter::callTableHelper(StringRef helper, Value table,
                                          Value records, ArrayRef<Value> more) {
  SmallVector<Value> operands = {table, records,
                                 constant(signature.arguments.size())};
  llvm::append_range(operands, more);
  return LLVM::CallOp::create(b, getOrAddTableHelper(module, helper), operands);
}

void ViewEmitter::emitTableChecks(Value table, Value records) {
  auto ask = [&](StringRef helper, ArrayRef<Value> more) {
    return callTableHelper(helper, table, records, more).getResult();
  };
  emitSizeChecks();
  SmallVector<Value> extents;
  for (const Argument &argument : signature.arguments)
    llvm::append_range(extents, emitAffines(argument.dims));
  if (!extents.empty())
    emitCheck(ask("__ein_have_extents", createTable(b, extents)),
              runtime::Code::ShapeMismatch);
  auto getView = [&](size_t i) { return loadView(table, i); };
  Value isApart =
      LLVM::XOrOp::create(b, ask("__ein_any_overlap", {}), constantBit(true));
  if (Value hasForm = emitHasWrittenForm(getView))
    emitCheck(LLVM::OrOp::create(b, isApart, hasForm), runtime::Code::Overlap);
  emitOverlapCheck(isApart, [&] { return getWrittenOperands(getView); });
}

/// Returns what `direct` does with copies of what the kernel cannot read, if
/// there is something to copy.
void ViewEmitter::emitTableCopies(Value table, Value records,
                                  LLVM::LLVMFuncOp direct) {
  int64_t count = signature.arguments.size(), numStrides = 0;
  for (int64_t i = 0; i < count; ++i)
    numStrides += getRank(i);
  if (numStrides == 0)
    return;
  auto reserve = [&](int64_t numSlots) -> Value {
    return LLVM::AllocaOp::create(b, getPointerType(), b.getI64Type(),
                                  constant(numSlots), /*alignment=*/8);
  };
  Value copies = reserve(kSlots * count), strides = reserve(numStrides);
  auto call = [&](StringRef helper, ArrayRef<Value> more) {
    return callTableHelper(helper, table, records, more);
  };
  Value bytes = call("__ein_plan_copies", {copies, strides}).getResult();
  Value nothing = compare(LLVM::ICmpPredicate::eq, bytes, constant(-1));
  emitReturnUnless(nothing, [&] {
    auto allocate = *LLVM::lookupOrCreateMallocFn(b, module, b.getI64Type());
    auto release = *LLVM::lookupOrCreateFreeFn(b, module);
    Value total = LLVM::AddOp::create(b, bytes, constant(kCacheLineBytes));
    Value memory =
        LLVM::CallOp::create(b, allocate, ValueRange{total}).getResult();
    emitCheck(compare(LLVM::ICmpPredicate::ne, memory, getNull()),
              runtime::Code::OutOfMemory);
    // The first bytes are there to begin on a cache line after.
    Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), memory);
    Value misfit =
        LLVM::AndOp::create(b, address, constant(kCacheLineBytes - 1));
    Value skipped = LLVM::SubOp::create(b, constant(kCacheLineBytes), misfit);
    Value begin = LLVM::GEPOp::create(b, getPointerType(), b.getI8Type(),
                                      memory, ArrayRef<LLVM::GEPArg>{skipped});
    call("__ein_fill_copies", {copies, begin});
    Value code = callWithTable(direct, copies);
    Value isGood =
        compare(LLVM::ICmpPredicate::eq, code, constantCode(runtime::Code::Ok));
    emitUnlessLikely(LLVM::XOrOp::create(b, isGood, constantBit(true)),
                     [&] { call("__ein_return_copies", copies); });
    LLVM::CallOp::create(b, release, ValueRange{memory});
    return code;
  });
}

/// Calls `__ein_direct_NAME` or `__ein_strided_NAME`.
Value ViewEmitter::callWithTable(LLVM::LLVMFuncOp function, Value table) {
  SmallVector<Value> operands = {table};
  llvm::append_range(operands, sizes);
  return LLVM::CallOp::create(b, function, operands).getResult();
}

void ViewEmitter::emitLongStrided() {
  Value table;
  LLVM::LLVMFuncOp direct = createTableFunction("__ein_direct_", table);
  LLVM::ReturnOp::create(
      b, callKernel([&](size_t i) { return loadView(table, i); }));

  strided = createTableFunction("__ein_strided_", table);
  Value records = createConstantTable(b, getRecords());
  if (options.hasChecks)
    emitTableChecks(table, records);
  emitTableCopies(table, records, direct);
  LLVM::ReturnOp::create(b, callWithTable(direct, table));
}

Value ViewEmitter::callLongStrided(ArrayRef<View> views) {
  SmallVector<Value> slots;
  for (auto [i, view] : llvm::enumerate(views)) {
    bool hasDims = isArray(i) && getRank(i) != 0;
    slots.push_back(view.data);
    slots.push_back(hasDims ? view.sizes : Value());
    slots.push_back(hasDims ? view.strides : Value());
  }
  return callWithTable(strided, createTable(b, slots));
}

} // namespace ein
