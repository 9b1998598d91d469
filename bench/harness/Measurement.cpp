//===- Measurement.cpp - What the numbers of a case say -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Clock.h"
#include "bench/harness/Measure.h"
#include <algorithm>

namespace ein::bench {

double Result::getSeconds() const { return getMedian(samples); }
double Measurement::getPeak() const { return getMedian(peak); }
double Measurement::getBandwidth() const { return getMedian(bandwidth); }

double Measurement::getLoopRoofline() const {
  double bytes = problem->getInputBytes() + problem->getOutputBytes();
  return std::max(flops / getPeak(), bytes / getBandwidth());
}

double Measurement::getRoofline() const {
  double seconds = getLoopRoofline();
  for (const Result &result : results)
    if (result.isThere())
      seconds = std::min(seconds, result.getSeconds());
  return seconds;
}

double Measurement::getAboveLoops() const {
  return getLoopRoofline() / getRoofline();
}

bool isPeer(const Result &result) {
  // Names that start so are einc's, with other options.
  return result.isThere() && result.name.rfind("einc", 0) != 0;
}

const Result *Measurement::getBest(bool onlyPackaged) const {
  const Result *best = nullptr;
  for (const Result &result : results) {
    if (!isPeer(result) || (onlyPackaged && !result.isPackaged))
      continue;
    if (!best || result.getSeconds() < best->getSeconds())
      best = &result;
  }
  return best;
}

const Result *Measurement::getTuned() const {
  for (const Result &result : results)
    if (result.name == tunedName && result.isThere())
      return &result;
  return nullptr;
}

double Measurement::getRatio(const Result &peer) const {
  return peer.getSeconds() / results[0].getSeconds();
}

double Measurement::getUpperRatio(const Result &peer) const {
  auto getGroup = [](const std::vector<double> &samples, int group) {
    size_t begin = samples.size() * group / groupCount;
    size_t end = samples.size() * (group + 1) / groupCount;
    return begin < end
               ? getMedian({samples.begin() + begin, samples.begin() + end})
               : getMedian(samples);
  };
  double upper = 0;
  for (int group = 0; group < groupCount; ++group)
    upper = std::max(upper, getGroup(peer.samples, group) /
                                getGroup(results[0].samples, group));
  return upper;
}

bool Measurement::isRight() const {
  for (const Result &result : results)
    if (result.skipped.empty() && !(result.error <= 1))
      return false;
  return true;
}

} // namespace ein::bench
