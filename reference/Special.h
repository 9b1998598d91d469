//===- Special.h - The values of special functions --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_SPECIAL_H
#define EIN_REFERENCE_SPECIAL_H

#include "frontend/program/Program.h"

namespace ein::reference {

/// The value of a function of `ein.special`, of one operand.
long double evaluateSpecial(UnaryFn fn, long double x);

} // namespace ein::reference

#endif // EIN_REFERENCE_SPECIAL_H
