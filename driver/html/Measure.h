//===- Measure.h - How long a def, and each statement, takes ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_HTML_MEASURE_H
#define EIN_DRIVER_HTML_MEASURE_H

#include "driver/Explanation.h"

namespace ein {

/// Compiles the program, and each of its statements as a program of its own,
/// and runs them on random data.
std::vector<DefMeasurement> measure(const Options &options,
                                    const Sources &sources,
                                    llvm::ArrayRef<DefExplanation> defs);

} // namespace ein

#endif // EIN_DRIVER_HTML_MEASURE_H
