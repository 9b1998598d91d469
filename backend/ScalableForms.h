//===- ScalableForms.h - What SVE does better by its own types --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_SCALABLEFORMS_H
#define EIN_BACKEND_SCALABLEFORMS_H

namespace llvm {
class Module;
} // namespace llvm

namespace ein {

/// In functions for SVE vectors of a known length: masks become predicates, and
/// exchanges of parts of two vectors become instructions for that.
void createScalableForms(llvm::Module &module);

} // namespace ein

#endif // EIN_BACKEND_SCALABLEFORMS_H
