//===- EmitCalls.cpp - Calls of named ops
//----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement that a call of a named op wrote is made as that op where its
// generic form is the statement's; softmax and the packs, which are several
// statements or computed subscripts, by what the call said.
//
//===----------------------------------------------------------------------===//

#include "ir/DefEmitter.h"
#include "ir/EmitNamed.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace ein {

/// Null, if the statement is no named op of linalg's.
Value DefEmitter::emitNamed(const Statement &statement, const Place &place) {
  const std::optional<NamedOp> &named = statement.namedOp;
  if (!named || named->numStatements != 1 || statement.isDiagonal())
    return {};
  if (named->name == "fill")
    return emitFill(statement, emitInit(statement, place, /*isEinsum=*/false));
  Operation *before =
      b.getInsertionBlock()->empty() ? nullptr : &b.getInsertionBlock()->back();
  prepareNamedOperands(statement);
  isMakingNamedOp = true;
  llvm::scope_exit leave([&] {
    namedOperands.clear();
    isMakingNamedOp = areDivisorsSafe = false;
  });
  SmallVector<Value> inputs;
  for (const NamedOp::Input &input : named->inputs)
    inputs.push_back(getOperandValue(input.tensor));
  Value init = emitInit(statement, place, /*isEinsum=*/false);
  auto generic =
      emitGeneric(statement, init).getDefiningOp<linalg::GenericOp>();
  if (named->isPooling())
    inputs.push_back(generic.getInputs().back());
  if (Operation *op = replaceByNamedOp(*named, generic, inputs))
    return op->getResult(0);
  // What is no named op may still be an einsum, which is made in its place.
  while (!b.getInsertionBlock()->empty() &&
         &b.getInsertionBlock()->back() != before)
    b.getInsertionBlock()->back().erase();
  return {};
}

/// Brings operands into the form that linalg's ops want: scalars that are
/// values, conditions of one bit, and unsigned divisors that are not zero.
void DefEmitter::prepareNamedOperands(const Statement &statement) {
  const NamedOp &named = *statement.namedOp;
  const NamedOp::Attribute *kind = named.findAttribute("kind");
  StringRef name = kind ? kind->function : named.name;
  auto convert = [&](TensorId id, Type type, auto build) {
    const Tensor &tensor = def[id];
    Value destination =
        tensor::EmptyOp::create(b, emitSizes(tensor.dims), type);
    AffineMap map = b.getMultiDimIdentityMap(tensor.dims.size());
    SmallVector<utils::IteratorType> iterators(tensor.dims.size(),
                                               utils::IteratorType::parallel);
    namedOperands[id.value] =
        linalg::GenericOp::create(
            b, TypeRange(destination.getType()), values[id.value], destination,
            ArrayRef<AffineMap>{map, map}, iterators,
            [&](OpBuilder &builder, Location loc, ValueRange arguments) {
              ImplicitLocOpBuilder body(loc, builder);
              linalg::YieldOp::create(body, build(body, arguments[0]));
            })
            .getResult(0);
  };
  for (const NamedOp::Input &input : named.inputs) {
    const Tensor &tensor = def[input.tensor];
    if (tensor.dims.empty() && !statement.targetIndices.empty() &&
        isa<RankedTensorType>(values[input.tensor.value].getType()))
      namedOperands[input.tensor.value] =
          tensor::ExtractOp::create(b, values[input.tensor.value], {});
  }
  if (named.inputs.empty() || statement.targetIndices.empty())
    return;
  if (TensorId condition = named.inputs[0].tensor; name == "select")
    convert(condition, b.getI1Type(),
            [&](ImplicitLocOpBuilder &body, Value stored) {
              return emitLoaded(body, stored, ElementType::Bool);
            });
  TensorId divisor = named.inputs.back().tensor;
  ElementType type = def[divisor].type;
  bool divides = name == "div_unsigned" ||
                 (name == "div" && getKind(type) == TypeKind::Unsigned);
  if (!divides || !isInteger(type))
    return;
  areDivisorsSafe = true;
  convert(divisor, getStorageType(b, type),
          [&](ImplicitLocOpBuilder &body, Value value) -> Value {
            Value isZero =
                arith::CmpIOp::create(body, arith::CmpIPredicate::eq, value,
                                      emitInteger(body, type, 0));
            return arith::SelectOp::create(body, isZero,
                                           emitInteger(body, type, 1), value);
          });
}

/// An op that is no structured one, for the statements that say what it means.
bool DefEmitter::emitAggregate(const NamedOp &named,
                               ArrayRef<Statement> statements) {
  if (llvm::any_of(statements, isEmpty))
    return false;
  if (named.name == "softmax") {
    emitSoftmax(named, statements);
    return true;
  }
  return (named.name == "pack" || named.name == "unpack") &&
         emitRelayout(named, statements.front());
}

/// `linalg.pack` or `linalg.unpack`.
bool DefEmitter::emitRelayout(const NamedOp &named,
                              const Statement &statement) {
  const Expr &value = def[statement.value];
  TensorId source = named.inputs[0].tensor;
  bool packs = named.name == "pack";
  if (packs && value.kind == ExprKind::Gather &&
      value.outside != Outside::Padded)
    return false;
  b.setLoc(getLoc(statement.range));
  Value padding;
  if (packs && value.kind == ExprKind::Gather) {
    BodyInputs inputs =
        emitInputs(statement, value.lhs, statement.targetIndices.size());
    for (ExprId access : inputs.accesses)
      if (!inputs.leaves.count(access.value))
        inputs.leaves[access.value] =
            tensor::ExtractOp::create(b, values[def[access].tensor.value], {});
    padding = emitExpr(b, value.lhs, value.type, inputs);
    padding = emitStored(b, padding, value.type);
  }
  auto getList = [&](StringRef name) -> ArrayRef<int64_t> {
    const NamedOp::Attribute *list = named.findAttribute(name);
    return list ? ArrayRef(list->values) : ArrayRef<int64_t>();
  };
  SmallVector<OpFoldResult> tiles;
  for (int64_t tile : getList("inner_tiles"))
    tiles.push_back(b.getIndexAttr(tile));
  Value init = getDestination(statement.target);
  Value from = values[source.value];
  ArrayRef<int64_t> positions = getList("inner_dims_pos");
  ArrayRef<int64_t> order = getList("outer_dims_perm");
  Operation *op;
  if (packs)
    op = linalg::PackOp::create(
        b, from, init, positions, tiles,
        padding ? std::optional<Value>(padding) : std::nullopt, order);
  else
    op = linalg::UnPackOp::create(b, from, init, positions, tiles, order);
  values[statement.target.value] = op->getResult(0);
  return true;
}

/// In the type that the sums have.
void DefEmitter::emitSoftmax(const NamedOp &named,
                             ArrayRef<Statement> statements) {
  const Statement &last = statements.back();
  SmallVector<std::string> names;
  for (const Index &index : last.indices)
    names.push_back(index.name);
  b.setLoc(getLoc(last.range, last.target, names));
  const Tensor &target = def[last.target];
  const Tensor &source = def[named.inputs[0].tensor];
  ElementType type = last.computeType;
  Value input = values[named.inputs[0].tensor.value];
  if (source.type != type)
    input = convertTensor(input, source.type, type,
                          createTensor(source.dims, type));
  Value init = target.type == type ? getDestination(last.target)
                                   : createTensor(target.dims, type);
  // Negative dims count from the end.
  int64_t dim = named.findAttribute("dim")->values.front();
  dim += dim < 0 ? static_cast<int64_t>(target.dims.size()) : 0;
  Value result = linalg::SoftmaxOp::create(b, init.getType(), input, init, dim)
                     ->getResult(0);
  if (target.type != type)
    result =
        convertTensor(result, type, target.type, getDestination(last.target));
  values[last.target.value] = result;
}

} // namespace ein
