//===- VectorInstructions.h - What formulas are computed by -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_VECTORINSTRUCTIONS_H
#define EIN_TARGET_VECTORINSTRUCTIONS_H

#include "abi/VectorInstructions.h"
#include "target/Target.h"

namespace ein {

VectorInstructions getVectorInstructions(const TargetInfo &target);

/// How many vectors of narrow integers are added up to each other before they
/// are added to a sum of 32 bits, as that takes fewer instructions.
int64_t getVectorsInSum(const TargetInfo &target, unsigned narrowBits,
                        bool isSigned);

} // namespace ein

#endif // EIN_TARGET_VECTORINSTRUCTIONS_H
