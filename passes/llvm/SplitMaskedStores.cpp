//===- SplitMaskedStores.cpp - Known lanes are written by plain stores ----===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: machines without mask registers write under a mask slowly, or lane
// by lane: `vmaskmovps` to memory takes Zen 3 some ten cycles. Of sizes that
// are known the mask is a constant.
//
// Choice: a mask of the first lanes is at most one store for each bit of their
// number. Five lanes of eight are a store of four and one of the last.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "passes/llvm/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace ein {
#define GEN_PASS_DEF_SPLITMASKEDSTORES
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// How many of the first lanes a constant mask has; none if it is no constant,
/// or has others.
static std::optional<int64_t> countFirstLanes(Value mask) {
  DenseElementsAttr lanes;
  if (!matchPattern(mask, m_Constant(&lanes)))
    return std::nullopt;
  auto values = llvm::to_vector(lanes.getValues<bool>());
  auto end = llvm::find(values, false);
  if (std::find(end, values.end(), true) != values.end())
    return std::nullopt;
  return end - values.begin();
}

static void split(IRRewriter &rewriter, LLVM::MaskedStoreOp store,
                  int64_t count) {
  rewriter.setInsertionPoint(store);
  ImplicitLocOpBuilder b(store.getLoc(), rewriter);
  auto type = cast<VectorType>(store.getValue().getType());
  Type element = type.getElementType();
  int64_t elementBytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  for (int64_t begin = 0; begin < count;) {
    auto size = int64_t(llvm::bit_floor(uint64_t(count - begin)));
    SmallVector<int32_t> lanes;
    for (int64_t lane = begin; lane < begin + size; ++lane)
      lanes.push_back(int32_t(lane));
    Value part = store.getValue();
    if (size == 1)
      part = LLVM::ExtractElementOp::create(
          b, part, LLVM::ConstantOp::create(b, b.getI64IntegerAttr(begin)));
    else if (size != type.getNumElements())
      part = LLVM::ShuffleVectorOp::create(b, part, part, lanes);
    Value address = store.getData();
    if (begin != 0)
      address = LLVM::GEPOp::create(b, address.getType(), element, address,
                                    ArrayRef<LLVM::GEPArg>{int32_t(begin)});
    LLVM::StoreOp::create(b, part, address, unsigned(elementBytes));
    begin += size;
  }
  rewriter.eraseOp(store);
}

namespace {
struct SplitMaskedStoresPass
    : impl::SplitMaskedStoresBase<SplitMaskedStoresPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<std::pair<LLVM::MaskedStoreOp, int64_t>> stores;
    getOperation().walk([&](LLVM::MaskedStoreOp store) {
      auto type = cast<VectorType>(store.getValue().getType());
      if (type.isScalable() || !type.getElementType().isIntOrFloat())
        return;
      if (std::optional<int64_t> count = countFirstLanes(store.getMask()))
        stores.push_back({store, *count});
    });
    for (auto [store, count] : stores)
      split(rewriter, store, count);
  }
};
} // namespace

} // namespace ein
