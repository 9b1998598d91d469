//===- TableHelpers.cpp - Tables of very many arguments -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an entry passes on of thousands of arguments, it stores in a table: what
// is known, sizes and strides above all, is a constant that is copied at once;
// everything else is stored as soon as it is there. So nothing lives longer
// than a few instructions, which is what LLVM's allocation of registers can
// take.
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/entry/TableHelpers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

static constexpr char kHelpers[] =
#include "passes/llvm/entry/ViewTables.inc" // lowered
    ;

namespace ein {

LLVM::LLVMFuncOp getOrAddTableHelper(ModuleOp module, StringRef name) {
  if (auto present = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return present;
  OwningOpRef<ModuleOp> helpers = parseSourceString<ModuleOp>(
      kHelpers, module.getContext(), "table helpers");
  assert(helpers && "einc's own helpers do not parse");
  SmallVector<std::string> wanted = {name.str()};
  for (size_t next = 0; next < wanted.size(); ++next) {
    if (module.lookupSymbol(wanted[next]))
      continue;
    auto helper = helpers->lookupSymbol<LLVM::LLVMFuncOp>(wanted[next]);
    helper->remove();
    // Before the entries, of which nothing else is one.
    module.insert(module.begin(), helper);
    helper.walk(
        [&](LLVM::CallOp call) { wanted.push_back(call.getCallee()->str()); });
  }
  return module.lookupSymbol<LLVM::LLVMFuncOp>(name);
}

static LLVM::GlobalOp createNumbers(ImplicitLocOpBuilder &b,
                                    ArrayRef<int64_t> numbers) {
  auto function = cast<LLVM::LLVMFuncOp>(b.getInsertionBlock()->getParentOp());
  auto module = function->getParentOfType<ModuleOp>();
  unsigned count = 0;
  std::string name;
  do
    name =
        ("__ein_table_" + function.getSymName() + "_" + Twine(count++)).str();
  while (module.lookupSymbol(name));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  return LLVM::GlobalOp::create(
      b, LLVM::LLVMArrayType::get(b.getI64Type(), numbers.size()),
      /*isConstant=*/true, LLVM::Linkage::Internal, name,
      b.getI64TensorAttr(numbers), /*alignment=*/8);
}

Value createConstantTable(ImplicitLocOpBuilder &b, ArrayRef<int64_t> numbers) {
  return LLVM::AddressOfOp::create(b, createNumbers(b, numbers));
}

/// The number that is known to be in a slot.
static std::optional<int64_t> getNumber(Value value) {
  if (!value)
    return std::nullopt;
  if (value.getDefiningOp<LLVM::ZeroOp>())
    return isa<LLVM::LLVMPointerType>(value.getType()) ? std::optional(0)
                                                       : std::nullopt;
  auto constant = value.getDefiningOp<LLVM::ConstantOp>();
  auto number =
      constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  if (!number || !value.getType().isInteger(64))
    return std::nullopt;
  return number.getInt();
}

Value createTable(ImplicitLocOpBuilder &b, ArrayRef<Value> values) {
  SmallVector<int64_t> numbers(values.size());
  size_t numKnown = 0, numGaps = 0;
  for (auto [value, number] : llvm::zip_equal(values, numbers)) {
    std::optional<int64_t> known = getNumber(value);
    number = known.value_or(0);
    numKnown += known.has_value();
    numGaps += !value;
  }
  if (numKnown + numGaps == values.size())
    return createConstantTable(b, numbers);

  OpBuilder::InsertionGuard guard(b);
  Block &entry = b.getInsertionBlock()->getParent()->front();
  b.setInsertionPointToStart(&entry);
  auto constant = [&](int64_t value) {
    return LLVM::ConstantOp::create(b, b.getI64Type(),
                                    b.getI64IntegerAttr(value));
  };
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value table = LLVM::AllocaOp::create(
      b, pointer, b.getI64Type(), constant(values.size()), /*alignment=*/8);
  if (numKnown > 0)
    LLVM::MemcpyOp::create(b, table, createConstantTable(b, numbers),
                           constant(8 * values.size()), /*isVolatile=*/false);
  OpBuilder::InsertPoint ready = b.saveInsertionPoint();
  for (auto [i, value] : llvm::enumerate(values)) {
    if (!value || getNumber(value))
      continue;
    if (Operation *op = value.getDefiningOp())
      b.setInsertionPointAfter(op);
    else
      b.restoreInsertionPoint(ready);
    Value slot = LLVM::GEPOp::create(b, pointer, b.getI64Type(), table,
                                     ArrayRef<LLVM::GEPArg>{int32_t(i)});
    LLVM::StoreOp::create(b, value, slot, /*alignment=*/8);
  }
  return table;
}

} // namespace ein
