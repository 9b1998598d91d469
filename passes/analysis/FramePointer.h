//===- FramePointer.h - Where a function's vectors spill --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: what a function keeps and registers do not hold goes to the stack.
// An x86 stack is aligned to less than a register, whose stores and loads would
// cross cache lines, half of the time or always; LLVM aligns a function's part
// of it only if that has had a frame pointer from the start.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_FRAMEPOINTER_H
#define EIN_PASSES_ANALYSIS_FRAMEPOINTER_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ein {

/// Asks LLVM for a frame pointer, before `function` is the llvm dialect's.
void keepFramePointer(mlir::FunctionOpInterface function);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_FRAMEPOINTER_H
