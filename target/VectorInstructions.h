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

} // namespace ein

#endif // EIN_TARGET_VECTORINSTRUCTIONS_H
