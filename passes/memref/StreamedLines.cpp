//===- StreamedLines.cpp - Whole cache lines past the caches --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/memref/StreamedLines.h"
#include "abi/CacheLine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace ein {

static int64_t getElementBytes(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementTypeBitWidth() / 8;
}

Value createElementsToLine(OpBuilder &builder, Location loc, Value memref,
                           int64_t alignment) {
  ImplicitLocOpBuilder b(loc, builder);
  auto getIndex = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(b, number);
  };
  Value elementBytes = getIndex(getElementBytes(memref));
  auto metadata = memref::ExtractStridedMetadataOp::create(b, memref);
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(
      b, metadata.getBaseBuffer());
  Value bytes = arith::MulIOp::create(b, metadata.getOffset(), elementBytes);
  Value address = arith::AddIOp::create(b, pointer, bytes);
  Value negative = arith::SubIOp::create(b, getIndex(0), address);
  Value rest = arith::AndIOp::create(b, negative, getIndex(alignment - 1));
  return arith::DivUIOp::create(b, rest, elementBytes);
}

Value createIsLarge(OpBuilder &builder, Location loc, Value memref,
                    int64_t bytes) {
  ImplicitLocOpBuilder b(loc, builder);
  Value size = arith::ConstantIndexOp::create(b, getElementBytes(memref));
  for (int64_t dim : llvm::seq(cast<MemRefType>(memref.getType()).getRank()))
    size =
        arith::MulIOp::create(b, size, memref::DimOp::create(b, memref, dim));
  Value least = arith::ConstantIndexOp::create(b, bytes);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::sge, size, least);
}

void createStreamingStore(OpBuilder &b, Location loc, Value vector,
                          Value memref, ValueRange indices, int64_t alignment) {
  vector::StoreOp::create(b, loc, vector, memref, indices, /*nontemporal=*/true,
                          llvm::Align(alignment));
}

void createPrefetches(OpBuilder &b, Location loc, Value memref,
                      ValueRange indices, int64_t ahead, int64_t count) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t line = getElementsPerLine(type.getElementTypeBitWidth());
  for (int64_t i = 0; i < count; i += line) {
    SmallVector<Value> places(indices);
    places.back() = b.createOrFold<arith::AddIOp>(
        loc, places.back(), arith::ConstantIndexOp::create(b, loc, ahead + i));
    memref::PrefetchOp::create(b, loc, memref, places, /*isWrite=*/false,
                               /*localityHint=*/3, /*isDataCache=*/true);
  }
}

void fenceNest(RewriterBase &b, Operation *op) {
  while (!isa<FunctionOpInterface, scf::ParallelOp>(op->getParentOp()))
    op = op->getParentOp();
  if (isa_and_present<LLVM::FenceOp>(op->getNextNode()))
    return;
  b.setInsertionPointAfter(op);
  LLVM::FenceOp::create(b, op->getLoc(), LLVM::AtomicOrdering::seq_cst);
}

} // namespace ein
