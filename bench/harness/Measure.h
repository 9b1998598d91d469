//===- Measure.h - Rounds in which everyone runs once -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_MEASURE_H
#define EIN_BENCH_MEASURE_H

#include "bench/harness/Peer.h"

namespace ein::bench {

/// The rounds are in this many groups; a median of each says how far one run
/// is from the next.
constexpr int groupCount = 5;

struct Result {
  std::string name;
  bool isPackaged = true;
  std::string skipped; // why it did not run
  std::string how;
  double prepareSeconds = 0, compileSeconds = 0, firstSeconds = 0;
  double error = 0;            // above 1 is wrong
  bool isBehind = false;       // so slow that it was measured only once
  std::vector<double> samples; // seconds a call, by round

  bool isThere() const { return skipped.empty() && error <= 1; }
  double getSeconds() const; // the median
};

struct Measurement {
  const Problem *problem;
  double flops = 0;
  std::vector<Result> results; // einc first
  /// Operations and bytes a second, the best way by round.
  std::string peakName, bandwidthName;
  std::vector<double> peak, peak1, bandwidth;

  double getPeak() const;
  double getBandwidth() const;
  /// What the loops over registers and memory allow.
  double getLoopRoofline() const;
  /// No one is faster: what the loops allow, or the fastest of all contestants
  /// if it is faster than that.
  double getRoofline() const;
  /// How far the fastest is above what the loops allow; at most 1 if these are
  /// as fast as they should be.
  double getAboveLoops() const;
  /// Over and under the fastest of all, or of the packaged; null if alone.
  const Result *getBest(bool onlyPackaged) const;
  /// einc with what it has measured; null if it was not asked to.
  const Result *getTuned() const;
  /// How many times as fast einc is, by the medians of all rounds, or the
  /// largest of those by group.
  double getRatio(const Result &peer) const;
  double getUpperRatio(const Result &peer) const;
  bool isRight() const; // all results
};

/// Whether a result is not einc's own.
bool isPeer(const Result &result);

struct MeasureOptions {
  int rounds = 15; // with 0, results are checked and that is all
  double shortestSample = 0.003;
};

Measurement measure(const Problem &problem,
                    const std::vector<std::unique_ptr<Peer>> &peers,
                    const Setup &setup, const MeasureOptions &options);

} // namespace ein::bench

#endif // EIN_BENCH_MEASURE_H
