//===- Report.h - Tables and JSON -------------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_REPORT_H
#define EIN_BENCH_REPORT_H

#include "bench/harness/Measure.h"
#include <cstdio>

namespace ein::bench {

/// A line or two per case, when it has been measured.
void printHeading();
void printCase(const Measurement &measurement, const Bars &bars, bool showsAll);
/// How far off everyone's result is.
void printErrors(const Measurement &measurement);
/// A line per class, and what is below its bar.
void printSummary(const std::vector<Measurement> &measurements,
                  const std::vector<std::string> &groups, const Bars &bars);
/// Lists the cases in which somebody is faster than the loops allow, by more
/// than noise: the yardstick is too short there. Returns whether there are
/// none.
bool checkYardsticks(const std::vector<Measurement> &measurements);
bool writeJson(const std::string &path,
               const std::vector<Measurement> &measurements);

} // namespace ein::bench

#endif // EIN_BENCH_REPORT_H
