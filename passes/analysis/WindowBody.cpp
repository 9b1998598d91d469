//===- WindowBody.cpp - The body of a structured op on vectors ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/WindowBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/Combiner.h"

using namespace mlir;

namespace ein {

static Block &getBody(linalg::LinalgOp op) { return op->getRegion(0).front(); }

/// Of these types vectors are computed with; narrower floats are only read.
static bool isComputedWith(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1 || integer.getWidth() % 8 == 0;
  return type.isF32() || type.isF64();
}

bool canBeOnVectors(linalg::LinalgOp op) {
  auto isVectorOp = [](Operation &inner) {
    return isa<arith::ArithDialect>(inner.getDialect()) &&
           llvm::all_of(inner.getResultTypes(), isComputedWith) &&
           (inner.hasTrait<OpTrait::ConstantLike>() ||
            (OpTrait::hasElementwiseMappableTraits(&inner) &&
             isSpeculatable(&inner)));
  };
  Block &body = getBody(op);
  return body.getTerminator()->getNumOperands() == 1 &&
         llvm::all_of(body.without_terminator(), isVectorOp);
}

/// Lets a multiplication and an addition be one instruction.
static void allowContraction(Operation *op) {
  if (auto product = dyn_cast<arith::MulFOp>(op))
    product.setFastmath(arith::FastMathFlags::contract);
  if (auto sum = dyn_cast<arith::AddFOp>(op))
    sum.setFastmath(arith::FastMathFlags::contract);
}

Value createOnVectors(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
                      ValueRange arguments, int64_t lanes,
                      Operation *combiner) {
  auto isVector = [](Value value) { return isa<VectorType>(value.getType()); };
  auto toVector = [&](Value value) -> Value {
    if (isVector(value))
      return value;
    return vector::BroadcastOp::create(
        b, VectorType::get({lanes}, value.getType()), value);
  };
  Block &body = getBody(op);
  IRMapping mapping;
  for (auto [from, to] : llvm::zip_equal(body.getArguments(), arguments))
    if (to)
      mapping.map(from, to);
  for (Operation &inner : body.without_terminator()) {
    if (&inner == combiner)
      return toVector(mapping.lookupOrDefault(getCombined(op, combiner)));
    SmallVector<Value> operands =
        llvm::map_to_vector(inner.getOperands(), [&](Value operand) {
          return mapping.lookupOrDefault(operand);
        });
    Operation *created = nullptr;
    if (llvm::none_of(operands, isVector)) {
      created = b.clone(inner, mapping);
    } else {
      SmallVector<Type> types =
          llvm::map_to_vector(inner.getResultTypes(), [&](Type type) -> Type {
            return VectorType::get({lanes}, type);
          });
      for (Value &operand : operands)
        operand = toVector(operand);
      created = b.create(inner.getLoc(), inner.getName().getIdentifier(),
                         operands, types, inner.getAttrs());
      mapping.map(inner.getResults(), created->getResults());
    }
    if (!isa<linalg::GenericOp>(op.getOperation()))
      allowContraction(created);
  }
  return toVector(mapping.lookupOrDefault(body.getTerminator()->getOperand(0)));
}

} // namespace ein
