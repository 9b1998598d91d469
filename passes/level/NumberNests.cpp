//===- NumberNests.cpp - Nests that are told apart quickly ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's elimination of common subexpressions looks ops up by a hash that
// leaves out their regions. The loops of a thousand products all start from
// empty tensors, which it has made one, so all have the same hash, and each is
// compared with each. An attribute is part of the hash: a number makes them
// different at once. Equal statements have been found long before
// (`ein-share-contractions`), so nothing is lost.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/level/Passes.h"

namespace ein {
#define GEN_PASS_DEF_NUMBERNESTS
#include "passes/level/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {
struct NumberNestsPass : impl::NumberNestsBase<NumberNestsPass> {
  using NumberNestsBase::NumberNestsBase;
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    auto loops = llvm::to_vector(getOperation().getBody().getOps<scf::ForOp>());
    if (loops.size() < least)
      return;
    Builder b(&getContext());
    for (auto [number, loop] : llvm::enumerate(loops))
      loop->setAttr(EinDialect::kNestAttr, b.getI64IntegerAttr(number));
  }
};
} // namespace

} // namespace ein
