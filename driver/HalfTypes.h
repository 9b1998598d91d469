//===- HalfTypes.h - f16 and bf16 in C and C++ ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_HALFTYPES_H
#define EIN_DRIVER_HALFTYPES_H

#include "frontend/program/ElementType.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace ein {

/// How C passes a number by value: `float`, but `ein_f16_bits`.
std::string getArgumentType(ElementType type);

/// `ein_f16`, `ein_bf16` and their conversions, if they are used.
void emitHalfTypes(llvm::raw_ostream &os,
                   llvm::function_ref<bool(ElementType)> uses);

} // namespace ein

#endif // EIN_DRIVER_HALFTYPES_H
