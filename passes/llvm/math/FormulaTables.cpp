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
#include "passes/llvm/math/ComplementTable.h"
#include "passes/llvm/math/LargeAngles.h"
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

/// Of all tables, and of what stands beside the last one.
constexpr FormulaTable kTables[] = {FormulaTable::ErrorFunction,
                                    FormulaTable::ArcTangent,
                                    FormulaTable::Complement};
constexpr char kRests[] = "__ein_table_erfc_rest";

struct Description {
  StringRef name;
  /// Of numbers, two for each row.
  int64_t count;
};

Description describe(FormulaTable table) {
  switch (table) {
  case FormulaTable::ErrorFunction:
    return {"__ein_table_erf", std::size(kErrorFunction)};
  case FormulaTable::ArcTangent:
    return {"__ein_table_atan", std::size(kArcTangent)};
  case FormulaTable::Complement:
    return {"__ein_table_erfc", 2 * ComplementTable::kRows};
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

/// The lanes of a vector, or the number.
static SmallVector<Value> getLanes(ImplicitLocOpBuilder &b, Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return {value};
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < type.getDimSize(0); ++lane)
    lanes.push_back(vector::ExtractOp::create(b, value, lane));
  return lanes;
}

/// The pairs that `lanes` say, twice rows, as `type`.
static FormulaPair lookUpLanes(ImplicitLocOpBuilder &b,
                               const VectorInstructions &instructions,
                               FormulaTable table, ArrayRef<Value> lanes,
                               VectorType type) {
  auto [name, count] = describe(table);
  Value numbers = memref::GetGlobalOp::create(
      b, MemRefType::get({count}, b.getF64Type()), name);
  auto pairs = llvm::map_to_vector(
      lanes, [&](Value lane) { return loadPair(b, numbers, lane); });
  if (!type)
    return {{b, vector::ExtractOp::create(b, pairs[0], 0)},
            {b, vector::ExtractOp::create(b, pairs[0], 1)}};
  int64_t length = type.getDimSize(0);
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

FormulaPair lookUp(const VectorInstructions &instructions, FormulaTable table,
                   FormulaValue row) {
  ImplicitLocOpBuilder &b = row.getBuilder();
  return lookUpLanes(b, instructions, table, getLanes(b, (row << 1).getValue()),
                     dyn_cast<VectorType>(row.getType()));
}

// What takes longest is to bring the rows out of a vector's register: once for
// both tables.
ComplementRow lookUpComplement(const VectorInstructions &instructions,
                               FormulaValue row) {
  ImplicitLocOpBuilder &b = row.getBuilder();
  auto type = dyn_cast<VectorType>(row.getType());
  SmallVector<Value> lanes = getLanes(b, row.getValue());
  auto places = llvm::map_to_vector(lanes, [&](Value lane) -> Value {
    return arith::AddIOp::create(b, lane, lane);
  });
  FormulaPair pair =
      lookUpLanes(b, instructions, FormulaTable::Complement, places, type);
  Value numbers = memref::GetGlobalOp::create(
      b, MemRefType::get({ComplementTable::kRows}, b.getF32Type()), kRests);
  auto rests = llvm::map_to_vector(lanes, [&](Value lane) -> Value {
    Value place = arith::IndexCastOp::create(b, b.getIndexType(), lane);
    return memref::LoadOp::create(b, numbers, place);
  });
  Value rest = rests[0];
  if (type)
    rest = vector::FromElementsOp::create(b, type.clone(b.getF32Type()), rests);
  return {pair.hi, FormulaValue(b, rest).toF64(), pair.lo};
}

/// The numbers of a table, if a module wants it.
template <typename NumberT>
static void addTable(OpBuilder &builder, ModuleOp module, StringRef name,
                     ArrayRef<NumberT> numbers) {
  Type element = builder.getF64Type();
  if (std::is_same_v<NumberT, float>)
    element = builder.getF32Type();
  if (std::is_same_v<NumberT, int64_t>)
    element = builder.getI64Type();
  auto count = static_cast<int64_t>(numbers.size());
  auto values =
      DenseElementsAttr::get(RankedTensorType::get({count}, element), numbers);
  memref::GlobalOp::create(builder, module.getLoc(), name,
                           builder.getStringAttr("private"),
                           MemRefType::get({count}, element), values,
                           /*constant=*/true, builder.getI64IntegerAttr(16));
}

void addFormulaTables(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::StringSet<> wanted;
  module.walk([&](memref::GetGlobalOp op) { wanted.insert(op.getName()); });
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  if (wanted.contains(kTwoByPiName) && !symbols.lookup(kTwoByPiName))
    addTable(builder, module, kTwoByPiName, getTwoByPi());
  for (FormulaTable table : kTables) {
    StringRef name = describe(table).name;
    if (!wanted.contains(name) || symbols.lookup(name))
      continue;
    switch (table) {
    case FormulaTable::ErrorFunction:
      addTable(builder, module, name, ArrayRef(kErrorFunction));
      break;
    case FormulaTable::ArcTangent:
      addTable(builder, module, name, ArrayRef(kArcTangent));
      break;
    case FormulaTable::Complement: {
      ComplementTable rows = computeComplementTable();
      addTable(builder, module, name, ArrayRef(rows.pairs));
      addTable(builder, module, kRests, ArrayRef(rows.rests));
      break;
    }
    }
  }
}

} // namespace ein
