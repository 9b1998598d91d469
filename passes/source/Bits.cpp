//===- Bits.cpp - Bits in registers, bytes in memory ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/source/Bits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ein {

bool isBool(Type type) { return getElementTypeOrSelf(type).isInteger(1); }

Type getStoredType(Type type) {
  if (!isBool(type))
    return type;
  Type byte = IntegerType::get(type.getContext(), 8);
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(byte)) : byte;
}

Value convertBits(OpBuilder &b, Location loc, Value value, bool toBits) {
  if (!toBits)
    return arith::ExtUIOp::create(b, loc, b.getI8Type(), value);
  Value zero = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(0));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero);
}

Value convertBits(OpBuilder &b, Location loc, Value source, Value destination,
                  bool toBits) {
  int64_t rank = cast<ShapedType>(source.getType()).getRank();
  SmallVector<Type> types;
  if (isa<TensorType>(destination.getType()))
    types.push_back(destination.getType());
  auto op = linalg::GenericOp::create(
      b, loc, types, source, destination,
      SmallVector<AffineMap>(2, b.getMultiDimIdentityMap(rank)),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &body, Location loc, ValueRange values) {
        linalg::YieldOp::create(body, loc,
                                convertBits(body, loc, values[0], toBits));
      });
  return types.empty() ? Value() : op.getResult(0);
}

Value takeBits(OpBuilder &b, func::FuncOp function, Value bytes, Type type,
               bool isWritten) {
  Location loc = function.getLoc();
  b.setInsertionPointToStart(&function.front());
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return convertBits(b, loc, bytes, /*toBits=*/true);
  SmallVector<Value> sizes;
  auto memref = dyn_cast<MemRefType>(type);
  for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
    if (shaped.isDynamicDim(dim))
      sizes.push_back(
          memref ? memref::DimOp::create(b, loc, bytes, dim).getResult()
                 : tensor::DimOp::create(b, loc, bytes, dim).getResult());
  if (!memref)
    return convertBits(
        b, loc, bytes,
        tensor::EmptyOp::create(b, loc, cast<RankedTensorType>(type), sizes),
        /*toBits=*/true);
  // Memory cannot have strides that are found when it is there.
  bool isStatic = memref.getLayout().isIdentity() ||
                  memref.getLayout().getAffineMap().getNumSymbols() == 0;
  auto allocated =
      isStatic ? memref
               : MemRefType::get(memref.getShape(), memref.getElementType());
  Value bits = memref::AllocOp::create(b, loc, allocated, sizes);
  convertBits(b, loc, bytes, bits, /*toBits=*/true);
  Value used = bits;
  if (!isStatic)
    used = memref::CastOp::create(b, loc, memref, bits);
  if (isWritten) {
    b.setInsertionPoint(function.front().getTerminator());
    convertBits(b, loc, bits, bytes, /*toBits=*/false);
  }
  return used;
}

} // namespace ein
