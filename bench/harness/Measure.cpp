//===- Measure.cpp - Rounds in which everyone runs once -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a core's speed drifts by a third within minutes, more so when it is
// rented, and a number without its neighbours says nothing.
//
// Choice: in every round each contestant runs once on the same data, and so do
// loops that do nothing but multiply and add, or pass over as many bytes.
//
// Consequence: ratios and percentages can be compared between machines and
// days, GFLOP/s cannot. Who is hopelessly behind would take all of the time and
// is measured once.
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Measure.h"
#include "bench/cases/Path.h"
#include "bench/harness/Reference.h"
#include "bench/harness/Yardstick.h"
#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>
#include <random>

namespace ein::bench {
namespace {

constexpr double behind = 5, behindSeconds = 0.02;

/// The arrays of a problem.
class Arrays {
public:
  explicit Arrays(const Problem &problem) : problem(problem) {
    std::mt19937 random(1);
    for (size_t i = 0; i < problem.inputs.size(); ++i) {
      const View &view = problem.inputs[i];
      Element element = problem.getInputElement(i);
      void *data = add(view, element);
      fill(element, data, getSpan(view, problem.extents), random);
      places.inputs.push_back(data);
    }
    places.output = add(problem.output, problem.element);
  }

  const Data &getData() const { return places; }

  /// All bits set is not a number: an element that is left out shows.
  void clearOutput() {
    std::memset(places.output, 0xff,
                getSpan(problem.output, problem.extents) *
                    getBytes(problem.element));
  }

private:
  /// Arrays of one size would start at one place in every cache; a user's do
  /// so now and then only.
  void *add(const View &view, Element element) {
    size_t shift = buffers.size() * 64 * 17;
    buffers.push_back(
        allocate(getSpan(view, problem.extents) * getBytes(element) + shift));
    return static_cast<char *>(buffers.back().get()) + shift;
  }

  const Problem &problem;
  std::vector<Buffer> buffers;
  Data places;
};

/// One that takes part in the rounds.
struct Runner {
  Contestant *contestant;
  std::vector<double> *samples;
  int64_t repetitions = 1;
  bool isBehind = false;
};

void calibrate(Runner &runner, double shortest, double &fastest) {
  for (;;) {
    double seconds = runner.contestant->run(runner.repetitions);
    double each = seconds / runner.repetitions;
    fastest = std::min(fastest, each);
    runner.isBehind = each > behindSeconds && each > behind * fastest;
    if (seconds >= shortest || seconds < 0) {
      if (runner.isBehind)
        runner.samples->push_back(each);
      return;
    }
    double wanted = shortest / std::max(seconds, shortest / 16);
    runner.repetitions = std::max<int64_t>(runner.repetitions * wanted * 1.1,
                                           runner.repetitions + 1);
  }
}

} // namespace

Measurement measure(const Problem &problem,
                    const std::vector<std::unique_ptr<Peer>> &peers,
                    const Setup &setup, const MeasureOptions &options) {
  Measurement measurement;
  measurement.problem = &problem;
  measurement.flops = getFlops(problem);
  Arrays arrays(problem);
  Reference reference(problem, arrays.getData(), setup);

  std::vector<std::unique_ptr<Contestant>> contestants;
  for (const std::unique_ptr<Peer> &peer : peers) {
    Result result;
    result.name = peer->getName();
    result.isPackaged = peer->isPackaged();
    double start = getSeconds();
    auto contestant = peer->prepare(problem, arrays.getData(), result.skipped);
    double prepared = getSeconds();
    arrays.clearOutput();
    if (contestant) {
      result.prepareSeconds = prepared - start;
      result.compileSeconds = contestant->getCompileSeconds();
      result.how = contestant->describe();
      result.firstSeconds = contestant->run(1);
      result.error = result.firstSeconds < 0
                         ? std::numeric_limits<double>::infinity()
                         : reference.getWorstError(arrays.getData().output);
    } else if (result.skipped.empty()) {
      result.skipped = "could not be prepared";
    }
    contestants.push_back(std::move(contestant));
    measurement.results.push_back(std::move(result));
  }

  if (options.rounds == 0)
    return measurement;

  std::vector<Yardstick> yardsticks = getYardsticks(problem);
  std::vector<std::vector<double>> yardstickSamples(yardsticks.size());
  std::vector<Runner> runners;
  double fastest = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < contestants.size(); ++i)
    if (measurement.results[i].isThere()) {
      Runner runner{contestants[i].get(), &measurement.results[i].samples};
      calibrate(runner, options.shortestSample, fastest);
      measurement.results[i].isBehind = runner.isBehind;
      if (!runner.isBehind)
        runners.push_back(runner);
    }
  for (size_t i = 0; i < yardsticks.size(); ++i) {
    Runner runner{yardsticks[i].contestant.get(), &yardstickSamples[i]};
    double alone = std::numeric_limits<double>::infinity();
    calibrate(runner, options.shortestSample / 2, alone);
    runners.push_back(runner);
  }

  std::mt19937 order(1);
  for (int round = 0; round < options.rounds; ++round) {
    // Whoever ran before has left the caches full of something else, most of
    // all the loops over memory: it is somebody else in each round.
    std::shuffle(runners.begin(), runners.end(), order);
    for (Runner &runner : runners) {
      runner.contestant->run(1);
      runner.samples->push_back(runner.contestant->run(runner.repetitions) /
                                runner.repetitions);
    }
  }

  for (size_t i = 0; i < yardsticks.size(); ++i) {
    std::vector<double> rates;
    for (double seconds : yardstickSamples[i])
      rates.push_back(yardsticks[i].amount / seconds);
    auto keep = [&](std::vector<double> &best, std::string &name) {
      if (getMedian(rates) <= getMedian(best))
        return;
      best = rates;
      name = yardsticks[i].name;
    };
    std::string ignored;
    if (yardsticks[i].kind == Yardstick::Flops)
      keep(measurement.peak, measurement.peakName);
    else if (yardsticks[i].kind == Yardstick::Flops1)
      keep(measurement.peak1, ignored);
    else
      keep(measurement.bandwidth, measurement.bandwidthName);
  }
  return measurement;
}

} // namespace ein::bench
