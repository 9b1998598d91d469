//===- main.cpp - Bytes, memory and time of many ranks --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: bench-scaling [--case TEXT] [--counted N] [--most N] [--every]
//
// Plans each case whose name has TEXT for 1 to N ranks (65,536), and prints
// what a rank moves beside the lower bound, its memory, and the predicted time.
// Up to
// --counted ranks (4096), all messages are sent in a simulation, by two
// algorithms, and what is counted has to be what is predicted. --every looks at
// all numbers of ranks from 4 to 4096 instead, without messages, and prints how
// far the bytes are from the bound.
//
// The bar is 1.3 times the lower bound, for powers of two from 4 to 4,096
// ranks. Exit status 3: something is above it, or is not what is predicted.
//
//===----------------------------------------------------------------------===//

#include "bench/scaling/Cases.h"
#include "bench/scaling/Messages.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace ein::bench;
using namespace ein::distribute;

namespace {

constexpr double kBar = 1.3;
constexpr int64_t kFirst = 4, kLast = 4096; // ranks that the bar is for

struct Arguments {
  std::string name;
  int64_t counted = 4096, most = 65536;
  bool all = false;
};

/// Of each statement, in how many parts its loops are cut: `4x4x2`.
std::string printGrids(const ProgramPlan &plan) {
  std::string text;
  for (const StatementPlan &own : plan.statements) {
    text += text.empty() ? "" : " ";
    for (unsigned loop = 0; loop != own.iteration.axes.size(); ++loop)
      text += (loop == 0 ? "" : "x") +
              std::to_string(own.iteration.countParts(loop));
  }
  return text;
}

/// How often a plan's bytes are the bound; 1 where both are nothing.
double getRatio(double bytes, double bound) {
  return bytes == 0 ? 1 : bytes / bound;
}

bool runCase(const ScalingCase &own, const Arguments &arguments) {
  std::printf("%s\n%7s %-26s %13s %13s %6s %9s %10s %6s %s\n", own.name.c_str(),
              "ranks", "parts", "bytes a rank", "lower bound", "ratio", "MiB",
              "seconds", "of one", "counted");
  bool isGood = true;
  double oneSecond = 0, oneFlops = 0;
  for (int64_t ranks = 1; ranks <= arguments.most; ranks *= 2) {
    Program program = own.makeProgram(ranks);
    std::optional<ProgramPlan> plan = planProgram(program, ranks, 0, Network());
    double flops = 0;
    for (const ProgramStatement &statement : program.statements)
      for (const Work &work : makeContraction(program, statement).getWork()) {
        double points = work.flops;
        for (unsigned loop : work.dims)
          points *= double(statement.extents[loop]);
        flops += points;
      }
    if (ranks == 1) {
      oneSecond = plan->seconds;
      oneFlops = flops;
    }
    // Of the speed of one rank, by all ranks.
    double efficiency =
        flops / plan->seconds / (oneFlops / oneSecond) / double(ranks);
    double bound = getLowerBound(program, ranks);
    double ratio = getRatio(double(plan->bytesMoved), bound);
    std::string counted = "-";
    if (ranks <= arguments.counted) {
      counted = "yes";
      for (Algorithm algorithm : {Algorithm::Ring, Algorithm::Doubling})
        if (std::string error = compare(program, *plan, algorithm);
            !error.empty()) {
          counted = "NO: " + error;
          isGood = false;
        }
    }
    bool isAbove = ranks >= kFirst && ranks <= kLast && ratio > kBar;
    isGood &= !isAbove;
    std::printf("%7lld %-26s %13lld %13.0f %6.3f%s %8.1f %10.3g %6.2f %s\n",
                static_cast<long long>(ranks), printGrids(*plan).c_str(),
                static_cast<long long>(plan->bytesMoved), bound, ratio,
                isAbove ? "!" : " ", double(plan->memoryBytes) / (1 << 20),
                plan->seconds, efficiency, counted.c_str());
    std::fflush(stdout);
  }
  std::printf("\n");
  return isGood;
}

/// A network in 4,096 slices. What is counted is what moves in a slice, and the
/// sum.
bool runSliced(const Arguments &arguments) {
  std::printf("sliced ring, strong\n%7s %-26s %13s %13s %13s %9s %10s %6s %s\n",
              "ranks", "groups x ranks, slices", "inputs", "steps", "sum",
              "MiB", "seconds", "of one", "counted");
  bool isGood = true;
  double one = 0;
  SlicedProgram ring = makeSlicedRing(1024, 4096);
  for (int64_t ranks = 1; ranks <= arguments.most; ranks *= 2) {
    std::optional<SlicedPlan> plan = planSlices(ring, ranks, 0, Network());
    if (ranks == 1)
      one = plan->seconds;
    std::string counted = "-";
    if (ranks <= arguments.counted) {
      counted = "yes";
      Program sum = makeSum(1, plan->groups);
      std::optional<ProgramPlan> summed =
          planProgram(sum, Grid{1, plan->groups}, 0, Network());
      for (Algorithm algorithm : {Algorithm::Ring, Algorithm::Doubling}) {
        std::string error = compare(ring.slice, plan->slice, algorithm);
        if (error.empty())
          error = compare(sum, *summed, algorithm);
        if (error.empty() && summed->bytesMoved != plan->sumBytes)
          error = "the sum moves " + std::to_string(summed->bytesMoved);
        if (!error.empty()) {
          counted = "NO: " + error;
          isGood = false;
        }
      }
    }
    std::string groups = std::to_string(plan->groups) + " x " +
                         std::to_string(plan->ranksPerGroup) + ", " +
                         std::to_string(plan->rounds);
    std::printf("%7lld %-26s %13lld %13lld %13lld %9.1f %10.3g %6.2f %s\n",
                static_cast<long long>(ranks), groups.c_str(),
                static_cast<long long>(plan->inputBytes),
                static_cast<long long>(plan->stepBytes),
                static_cast<long long>(plan->sumBytes),
                double(plan->memoryBytes) / (1 << 20), plan->seconds,
                one / plan->seconds / double(ranks), counted.c_str());
  }
  std::printf("\n");
  return isGood;
}

/// All numbers of ranks: how many are within the bar, and which is the worst.
void runEvery(const ScalingCase &own) {
  int64_t within = 0, count = 0, worst = 0;
  double worstRatio = 0, sum = 0;
  for (int64_t ranks = kFirst; ranks <= kLast; ++ranks) {
    Program program = own.makeProgram(ranks);
    std::optional<ProgramPlan> plan = planProgram(program, ranks, 0, Network());
    double ratio =
        getRatio(double(plan->bytesMoved), getLowerBound(program, ranks));
    ++count;
    within += ratio <= kBar;
    sum += ratio;
    if (ratio > worstRatio) {
      worstRatio = ratio;
      worst = ranks;
    }
  }
  std::printf("%-28s %5.1f %% within %.1f, mean %.3f, worst %.3f with %lld "
              "ranks\n",
              own.name.c_str(), 100 * double(within) / double(count), kBar,
              sum / double(count), worstRatio, static_cast<long long>(worst));
  std::fflush(stdout);
}

bool parse(int argc, char **argv, Arguments &arguments) {
  for (int i = 1; i != argc; ++i) {
    bool hasValue = i + 1 != argc;
    if (!std::strcmp(argv[i], "--every"))
      arguments.all = true;
    else if (!std::strcmp(argv[i], "--case") && hasValue)
      arguments.name = argv[++i];
    else if (!std::strcmp(argv[i], "--counted") && hasValue)
      arguments.counted = std::atoll(argv[++i]);
    else if (!std::strcmp(argv[i], "--most") && hasValue)
      arguments.most = std::atoll(argv[++i]);
    else
      return false;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fprintf(stderr, "usage: bench-scaling [--case TEXT] [--counted N] "
                         "[--most N] [--every]\n");
    return 2;
  }
  bool isGood = true;
  for (const ScalingCase &own : getScalingCases()) {
    if (own.name.find(arguments.name) == std::string::npos)
      continue;
    if (arguments.all)
      runEvery(own);
    else
      isGood &= runCase(own, arguments);
  }
  if (!arguments.all &&
      std::string("sliced ring").find(arguments.name) != std::string::npos)
    isGood &= runSliced(arguments);
  return isGood ? 0 : 3;
}
