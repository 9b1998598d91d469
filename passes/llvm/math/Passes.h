//===- Passes.h - Functions become arithmetic -------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_PASSES_H
#define EIN_PASSES_LLVM_MATH_PASSES_H

#include "ir/EinDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/analysis/CompileBudget.h"

namespace ein {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/llvm/math/Passes.h.inc"

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_PASSES_H
