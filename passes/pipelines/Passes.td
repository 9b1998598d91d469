//===- Passes.td - The passes of einc, by level ------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the documentation is made from; each folder has a library of its own.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_PIPELINES_PASSES_TD
#define EIN_PASSES_PIPELINES_PASSES_TD

include "passes/source/Passes.td"
include "passes/einsum/Passes.td"
include "passes/contract/Passes.td"
include "passes/distribute/Passes.td"
include "passes/fused/Passes.td"
include "passes/decompose/Passes.td"
include "passes/select/Passes.td"
include "passes/tiled/Passes.td"
include "passes/vector/Passes.td"
include "passes/memref/Passes.td"
include "passes/plain/Passes.td"
include "passes/llvm/Passes.td"
include "passes/llvm/math/Passes.td"
include "passes/llvm/entry/Passes.td"
include "passes/level/Passes.td"

#endif // EIN_PASSES_PIPELINES_PASSES_TD
