//===- StreamPointers.h - One pointer for rows read side by side -*- C++ -*-==//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_STREAMPOINTERS_H
#define EIN_BACKEND_STREAMPOINTERS_H

#include "llvm/IR/PassManager.h"

namespace ein {

/// Elements that the innermost loops broadcast as they load them, each once,
/// are read at constant distances from a pointer that the loop advances; for
/// processors whose instructions take longer with an index register.
void createStreamPointers(llvm::Module &module,
                          llvm::FunctionAnalysisManager &analyses);

} // namespace ein

#endif // EIN_BACKEND_STREAMPOINTERS_H
