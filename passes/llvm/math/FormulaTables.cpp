//===- FormulaTables.cpp - Numbers that formulas look up ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/FormulaTables.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {
namespace {

constexpr double kErrorFunction[] = {
#include "passes/llvm/math/ErrorFunction.inc"
};
constexpr double kArcTangent[] = {
#include "passes/llvm/math/ArcTangent.inc"
};

struct Contents {
  StringRef name;
  ArrayRef<double> numbers;
};

constexpr FormulaTable kTables[] = {FormulaTable::ErrorFunction,
                                    FormulaTable::ArcTangent};

Contents getContents(FormulaTable table) {
  switch (table) {
  case FormulaTable::ErrorFunction:
    return {"__ein_table_erf", kErrorFunction};
  case FormulaTable::ArcTangent:
    return {"__ein_table_atan", kArcTangent};
  }
  llvm_unreachable("no such table");
}

/// The pair behind `index`, a number of the table.
Value loadPair(ImplicitLocOpBuilder &b, Value table, Value index) {
  Value place = arith::IndexCastOp::create(b, b.getIndexType(), index);
  auto pair = VectorType::get({2}, b.getF64Type());
  return vector::LoadOp::create(b, pair, table, place);
}

Value join(ImplicitLocOpBuilder &b, ArrayRef<Value> pairs) {
  if (pairs.size() == 1)
    return pairs[0];
  size_t half = pairs.size() / 2;
  Value first = join(b, pairs.take_front(half));
  Value second = join(b, pairs.drop_front(half));
  auto all =
      llvm::to_vector(llvm::seq<int64_t>(0, static_cast<int64_t>(4 * half)));
  return vector::ShuffleOp::create(b, first, second, all);
}

/// First and second numbers of an even number of pairs. Those of even lanes are
/// in one register, and those of odd ones in another one, so that the pairs in
/// both are taken apart without leaving the pair of lanes that they are in.
std::pair<Value, Value> takeApart(ImplicitLocOpBuilder &b,
                                  ArrayRef<Value> pairs) {
  SmallVector<Value> even, odd;
  for (auto [lane, pair] : llvm::enumerate(pairs))
    (lane % 2 ? odd : even).push_back(pair);
  Value first = join(b, even), second = join(b, odd);
  auto length = static_cast<int64_t>(pairs.size());
  auto take = [&](int64_t from) -> Value {
    SmallVector<int64_t> elements;
    for (int64_t lane = 0; lane < length; lane += 2) {
      elements.push_back(lane + from);
      elements.push_back(length + lane + from);
    }
    return vector::ShuffleOp::create(b, first, second, elements);
  };
  return {take(0), take(1)};
}

} // namespace

FormulaPair lookUp(const VectorInstructions &instructions, FormulaTable table,
                   FormulaValue row) {
  ImplicitLocOpBuilder &b = row.getBuilder();
  Contents contents = getContents(table);
  auto count = static_cast<int64_t>(contents.numbers.size());
  Value numbers = memref::GetGlobalOp::create(
      b, MemRefType::get({count}, b.getF64Type()), contents.name);
  Value index = (row << 1).getValue();
  auto type = dyn_cast<VectorType>(index.getType());
  if (!type) {
    Value pair = loadPair(b, numbers, index);
    return {{b, vector::ExtractOp::create(b, pair, 0)},
            {b, vector::ExtractOp::create(b, pair, 1)}};
  }
  int64_t length = type.getDimSize(0);
  SmallVector<Value> pairs;
  for (int64_t lane = 0; lane < length; ++lane)
    pairs.push_back(
        loadPair(b, numbers, vector::ExtractOp::create(b, index, lane)));
  auto wide = type.clone(b.getF64Type());
  auto most = std::max<int64_t>(2, instructions.vectorBits / 64);
  Value first = arith::ConstantOp::create(b, b.getZeroAttr(wide));
  Value second = first;
  for (int64_t begin = 0, size = 0; begin < length; begin += size) {
    size = std::min(
        most, static_cast<int64_t>(llvm::bit_floor<uint64_t>(length - begin)));
    if (size == 1) {
      Value pair = pairs[begin];
      first = vector::InsertOp::create(b, vector::ExtractOp::create(b, pair, 0),
                                       first, begin);
      second = vector::InsertOp::create(
          b, vector::ExtractOp::create(b, pair, 1), second, begin);
      continue;
    }
    auto [high, low] = takeApart(b, ArrayRef<Value>(pairs).slice(begin, size));
    if (size == length)
      return {{b, high}, {b, low}};
    auto insert = [&](Value part, Value into) -> Value {
      return vector::InsertStridedSliceOp::create(
          b, part, into, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{1});
    };
    first = insert(high, first);
    second = insert(low, second);
  }
  return {{b, first}, {b, second}};
}

void addFormulaTables(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::StringSet<> wanted;
  module.walk([&](memref::GetGlobalOp op) { wanted.insert(op.getName()); });
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  for (FormulaTable table : kTables) {
    Contents contents = getContents(table);
    if (!wanted.contains(contents.name) || symbols.lookup(contents.name))
      continue;
    auto count = static_cast<int64_t>(contents.numbers.size());
    Type element = builder.getF64Type();
    auto values = DenseElementsAttr::get(
        RankedTensorType::get({count}, element), contents.numbers);
    memref::GlobalOp::create(builder, module.getLoc(), contents.name,
                             builder.getStringAttr("private"),
                             MemRefType::get({count}, element), values,
                             /*constant=*/true, builder.getI64IntegerAttr(16));
  }
}

} // namespace ein
