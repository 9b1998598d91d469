//===- Passes.h - contract -> kernels of many ranks -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DISTRIBUTE_PASSES_H
#define EIN_PASSES_DISTRIBUTE_PASSES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ein {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/distribute/Passes.h.inc"

} // namespace ein

#endif // EIN_PASSES_DISTRIBUTE_PASSES_H
