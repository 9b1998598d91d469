//===- Print.h - Arrays and times as text -----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_PRINT_H
#define EIN_RUNTIME_PRINT_H

#include "runtime/Array.h"

namespace ein::runtime {

/// The elements as numpy shows them, `[[1 2]\n [3 4]]`, each with as many
/// digits as it needs to be read back; of more than 1000 elements only the
/// first and last three along each dim. No newline at the end.
std::string printElements(const Array &array);

/// `1.234 ms`: four digits and the unit that suits.
std::string printSeconds(double seconds);

} // namespace ein::runtime

#endif // EIN_RUNTIME_PRINT_H
