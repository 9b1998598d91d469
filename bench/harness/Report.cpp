//===- Report.cpp - Tables and JSON ---------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Report.h"
#include "bench/harness/Clock.h"
#include "bench/harness/Yardstick.h"

namespace ein::bench {
namespace {

/// The same for all bars: this close to what the machine can do is enough.
constexpr double rooflineBar = 0.9;
/// Nobody may be this much behind, by the best of the groups of rounds.
constexpr double worstRatio = 0.9;
/// Faster than the loops allow by more than this is no noise.
constexpr double mostAboveLoops = 1.05;
/// Of what two threads gain where nothing but multiply-adds is done.
constexpr double threadsBar = 0.93;

double getGigaflops(const Measurement &measurement, const Result &result) {
  return measurement.flops / result.getSeconds() * 1e-9;
}

double getBytes(const Measurement &measurement) {
  return measurement.problem->getInputBytes() +
         measurement.problem->getOutputBytes();
}

const Bar &getBar(const Measurement &measurement, const Bars &bars) {
  return bars.at(measurement.problem->group);
}

/// In the unit of the class: 1e9 operations or bytes a second.
double getSpeed(const Measurement &measurement, const Result &result,
                const Bar &bar) {
  return bar.inBytes ? getBytes(measurement) / result.getSeconds() * 1e-9
                     : getGigaflops(measurement, result);
}

const char *getUnit(const Bar &bar) { return bar.inBytes ? "GB/s" : "GFLOP/s"; }

double getOfRoofline(const Measurement &measurement) {
  return measurement.getRoofline() / measurement.results[0].getSeconds();
}

bool passes(const Measurement &measurement, const Bars &bars) {
  if (!measurement.results[0].isThere())
    return false;
  if (getOfRoofline(measurement) >= rooflineBar)
    return true;
  const Bar &bar = getBar(measurement, bars);
  if (bar.isMemory)
    return false;
  for (const Result &result : measurement.results)
    if (isPeer(result) && result.isPackaged &&
        measurement.getRatio(result) < bar.getRatio(result.name))
      return false;
  return true;
}

/// The case loses to a peer in each group of rounds, or does not run at all.
bool isTooSlow(const Measurement &measurement) {
  if (!measurement.results[0].isThere())
    return true;
  const Result *best = measurement.getBest(true);
  return best && getOfRoofline(measurement) < rooflineBar &&
         measurement.getUpperRatio(*best) < worstRatio;
}

/// einc with one thread, in a run with two; null if either is missing.
const Result *getOneThread(const Measurement &measurement) {
  for (const Result &result : measurement.results)
    if (result.name == "einc, 1 thread" && result.isThere() &&
        measurement.results[0].isThere())
      return &result;
  return nullptr;
}

/// The part of what two threads of multiply-adds gain over one that einc's two
/// gain over its one, case by case; a memory that both use is nobody's fault,
/// and so the mean is of the cases that computing bounds.
void printThreads(const std::vector<Measurement> &measurements) {
  std::vector<double> parts;
  for (const Measurement &measurement : measurements) {
    const Result *one = getOneThread(measurement);
    bool isComputeBound =
        measurement.flops / measurement.getPeak() >= measurement.getRoofline();
    if (!one || !isComputeBound)
      continue;
    if (parts.empty())
      std::printf("\n%-26s %11s %14s %5s  (bar %.2f)\n", "two threads over one",
                  "einc", "multiply-adds", "part", threadsBar);
    double einc = measurement.getRatio(*one);
    double machine = measurement.getPeak() / getMedian(measurement.peak1);
    parts.push_back(einc / machine);
    std::printf("%-26s %11.2f %14.2f %5.2f%s\n",
                measurement.problem->name.c_str(), einc, machine, parts.back(),
                parts.back() < threadsBar ? "  below" : "");
  }
  if (!parts.empty())
    std::printf("%-26s %11s %14s %5.2f\n", "geometric mean", "", "",
                getGeometricMean(parts));
}

/// What tuning is worth, case by case: how many times as fast as the best
/// packaged peer einc is by its model, and by what it has measured.
void printTuned(const std::vector<Measurement> &measurements,
                const std::vector<std::string> &groups) {
  auto printLine = [](const std::string &name, double untuned, double tuned) {
    std::printf("%-26s %8.2f %8.2f\n", name.c_str(), untuned, tuned);
  };
  for (const std::string &group : groups) {
    std::vector<double> untuned, tuned;
    for (const Measurement &measurement : measurements) {
      const Result *measured = measurement.getTuned();
      const Result *best = measurement.getBest(true);
      if (measurement.problem->group != group || !measured || !best ||
          !measurement.results[0].isThere())
        continue;
      if (tuned.empty())
        std::printf("\n%-26s %8s %8s\n", group.c_str(), "untuned", "tuned");
      untuned.push_back(measurement.getRatio(*best));
      tuned.push_back(best->getSeconds() / measured->getSeconds());
      printLine(measurement.problem->name, untuned.back(), tuned.back());
    }
    if (!tuned.empty())
      printLine("geometric mean", getGeometricMean(untuned),
                getGeometricMean(tuned));
  }
}

} // namespace

void printHeading() {
  std::printf("%-26s %9s %-7s %7s %7s  %-16s %8s %6s %6s %6s\n", "case", "", "",
              "% peak", "% roof", "best peer", "", "ratio", "upper", "pkgd");
}

void printCase(const Measurement &measurement, const Bars &bars,
               bool showsAll) {
  const Bar &bar = getBar(measurement, bars);
  const Result &einc = measurement.results[0];
  const Result *best = measurement.getBest(false);
  const Result *packaged = measurement.getBest(true);
  if (!einc.isThere()) {
    std::printf("%-26s %s\n", measurement.problem->name.c_str(),
                einc.skipped.empty() ? "WRONG" : einc.skipped.c_str());
  } else {
    std::printf(
        "%-26s %9.2f %-7s %6.1f%% %6.1f%%  ", measurement.problem->name.c_str(),
        getSpeed(measurement, einc, bar), getUnit(bar),
        100 * getGigaflops(measurement, einc) * 1e9 / measurement.getPeak(),
        100 * getOfRoofline(measurement));
    if (best)
      std::printf("%-16s %8.2f %6.2f %6.2f %6.2f%s", best->name.c_str(),
                  getSpeed(measurement, *best, bar),
                  measurement.getRatio(*best), measurement.getUpperRatio(*best),
                  packaged ? measurement.getRatio(*packaged) : 0,
                  passes(measurement, bars) ? "" : "  below");
    std::printf("\n");
  }
  for (const Result &result : measurement.results) {
    bool isWrong = result.skipped.empty() && !(result.error <= 1);
    if (isWrong)
      std::printf("    %-16s WRONG: off by %.3g of what rounding may cost\n",
                  result.name.c_str(), result.error);
    else if (showsAll && !result.skipped.empty())
      std::printf("    %-16s %s\n", result.name.c_str(),
                  result.skipped.c_str());
    else if (showsAll)
      std::printf("    %-16s %9.2f %s, %.3g us, first %.3g us, made in "
                  "%.3g ms, error %.2g%s%s%s\n",
                  result.name.c_str(), getSpeed(measurement, result, bar),
                  getUnit(bar), result.getSeconds() * 1e6,
                  result.firstSeconds * 1e6, result.prepareSeconds * 1e3,
                  result.error, result.isBehind ? ", measured once" : "",
                  result.how.empty() ? "" : "; ", result.how.c_str());
  }
  if (showsAll)
    std::printf("    %-16s %9.2f GFLOP/s (%s); %.2f GB/s (%s)\n", "machine",
                measurement.getPeak() * 1e-9, measurement.peakName.c_str(),
                measurement.getBandwidth() * 1e-9,
                measurement.bandwidthName.c_str());
  std::fflush(stdout);
}

void printErrors(const Measurement &measurement) {
  for (const Result &result : measurement.results)
    std::printf("%s, %s: %s\n", measurement.problem->name.c_str(),
                result.name.c_str(),
                !result.skipped.empty() ? result.skipped.c_str()
                : result.error <= 1     ? "right"
                                        : "WRONG");
  std::fflush(stdout);
}

void printSummary(const std::vector<Measurement> &measurements,
                  const std::vector<std::string> &groups, const Bars &bars) {
  std::printf("\n%-16s %5s %9s %7s %7s %9s %9s %5s %7s\n", "class", "cases",
              "speed", "% peak", "% roof", "best peer", "packaged", "bar",
              "passing");
  std::vector<double> compile;
  for (const std::string &group : groups) {
    const Bar &bar = bars.at(group);
    std::vector<double> speeds, peak, roof, ratios, packagedRatios;
    size_t cases = 0, passing = 0;
    for (const Measurement &measurement : measurements) {
      if (measurement.problem->group != group)
        continue;
      ++cases;
      passing += passes(measurement, bars);
      const Result &einc = measurement.results[0];
      if (!einc.isThere())
        continue;
      speeds.push_back(getSpeed(measurement, einc, bar));
      peak.push_back(getGigaflops(measurement, einc) * 1e9 /
                     measurement.getPeak());
      roof.push_back(getOfRoofline(measurement));
      if (const Result *best = measurement.getBest(false))
        ratios.push_back(measurement.getRatio(*best));
      if (const Result *best = measurement.getBest(true))
        packagedRatios.push_back(measurement.getRatio(*best));
    }
    if (!cases)
      continue;
    std::printf("%-16s %5zu %9.2f %6.1f%% %6.1f%% %9.2f %9.2f %5.2f %3zu/%zu "
                "%s\n",
                group.c_str(), cases, getGeometricMean(speeds),
                100 * getGeometricMean(peak), 100 * getGeometricMean(roof),
                getGeometricMean(ratios), getGeometricMean(packagedRatios),
                bar.ratio, passing, cases, getUnit(bar));
  }

  for (const Measurement &measurement : measurements) {
    if (isTooSlow(measurement))
      std::printf("too slow: %s\n", measurement.problem->name.c_str());
    double einc = measurement.results[0].compileSeconds;
    for (const Result &result : measurement.results) {
      bool isNest = einc > 0 && result.name == "loops, naive" &&
                    measurement.problem->isStatic;
      if (isNest && result.compileSeconds > 0)
        compile.push_back(einc / result.compileSeconds);
    }
  }
  if (!compile.empty())
    std::printf("compile time, einc / gcc -O3 on the naive nest: median %.2f "
                "of %zu static cases\n",
                getMedian(compile), compile.size());
  printThreads(measurements);
  printTuned(measurements, groups);
}

bool checkYardsticks(const std::vector<Measurement> &measurements) {
  bool isSound = true;
  for (const Measurement &measurement : measurements) {
    double above = measurement.getAboveLoops();
    if (above <= mostAboveLoops)
      continue;
    isSound = false;
    for (const Result &result : measurement.results)
      if (result.isThere() &&
          result.getSeconds() * mostAboveLoops < measurement.getLoopRoofline())
        std::printf("above the yardstick: %s, %s at %.0f %%\n",
                    measurement.problem->name.c_str(), result.name.c_str(),
                    100 * measurement.getLoopRoofline() / result.getSeconds());
  }
  return isSound;
}

bool writeJson(const std::string &path,
               const std::vector<Measurement> &measurements) {
  std::FILE *out = std::fopen(path.c_str(), "w");
  if (!out)
    return false;
  auto quote = [](const std::string &text) {
    std::string quoted = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\')
        quoted += '\\';
      quoted += c == '\n' ? ' ' : c;
    }
    return quoted + "\"";
  };
  std::fprintf(out, "{\"cases\": [");
  const char *separator = "\n";
  for (const Measurement &measurement : measurements) {
    const Problem &problem = *measurement.problem;
    std::fprintf(
        out,
        "%s {\"class\": %s, \"name\": %s, \"computes\": %s, \"element\": "
        "\"%s\",\n  \"static\": %s, \"strided\": %s, \"threads\": %d, "
        "\"flops\": %.17g, \"bytes\": %.17g,\n  \"peak_gflops\": %.4g, "
        "\"peak\": %s, \"gbytes_per_second\": %.4g, \"level\": %s, "
        "\"loops_seconds\": %.6g, \"roofline_seconds\": %.6g,\n  \"results\": "
        "[",
        separator, quote(problem.group).c_str(), quote(problem.name).c_str(),
        quote(problem.program ? problem.program->name : problem.einsum).c_str(),
        getName(problem.element), problem.isStatic ? "true" : "false",
        problem.isStrided ? "true" : "false", problem.threads,
        measurement.flops, getBytes(measurement), measurement.getPeak() * 1e-9,
        quote(measurement.peakName).c_str(), measurement.getBandwidth() * 1e-9,
        quote(measurement.bandwidthName).c_str(), measurement.getLoopRoofline(),
        measurement.getRoofline());
    separator = ",\n";
    const char *comma = "\n";
    for (const Result &result : measurement.results) {
      std::fprintf(out, "%s   {\"name\": %s, \"packaged\": %s", comma,
                   quote(result.name).c_str(),
                   result.isPackaged ? "true" : "false");
      comma = ",\n";
      if (!result.skipped.empty()) {
        std::fprintf(out, ", \"skipped\": %s}", quote(result.skipped).c_str());
        continue;
      }
      std::fprintf(out,
                   ", \"right\": %s, \"once\": %s, \"how\": %s,\n    "
                   "\"prepare_seconds\": %.4g, \"compile_seconds\": %.4g, "
                   "\"first_seconds\": %.4g, \"median_seconds\": %.6g,\n    "
                   "\"samples\": [",
                   result.error <= 1 ? "true" : "false",
                   result.isBehind ? "true" : "false",
                   quote(result.how).c_str(), result.prepareSeconds,
                   result.compileSeconds, result.firstSeconds,
                   result.getSeconds());
      for (size_t i = 0; i < result.samples.size(); ++i)
        std::fprintf(out, "%s%.6g", i ? ", " : "", result.samples[i]);
      std::fprintf(out, "]}");
    }
    std::fprintf(out, "]}");
  }
  std::fprintf(out, "\n]}\n");
  return std::fclose(out) == 0;
}

} // namespace ein::bench
