//===- gemm.cpp - einc's matrix product beside its peers ------------------===//
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
// Choice: one process pinned to one core; in every round each contestant runs
// once on the same data, and so does a loop that does nothing but multiply and
// add; the table gives medians over the rounds.
//
// Consequence: ratios and percentages can be compared between machines and
// days, GFLOP/s cannot.
//
//===----------------------------------------------------------------------===//

#include "bench/Peak.h"
#include "bench/Peers.h"
#include <algorithm>
#include <cblas.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <sched.h>
#include <string>
#include <vector>

// One line per size, made by CMake: the headers that einc wrote, and
// EIN_GEMM(size, function) for each kernel with its sizes built in.
#ifdef EIN_BENCH_KERNELS
#include "bench/GemmKernels.h"
#endif

using namespace ein::bench;

namespace {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

struct Options {
  std::vector<int64_t> sizes;
  int rounds = 21;
  int cpu = -1; // the one it finds itself on
  bool json = false;
};

[[noreturn]] void printUsageAndExit() {
  std::fprintf(stderr, "usage: bench-gemm [--sizes N,...] [--rounds N] "
                       "[--cpu N] [--json]\n");
  std::exit(2);
}

int64_t parseNumber(const char *text, const char **end) {
  char *stop;
  long long value = std::strtoll(text, &stop, 10);
  if (stop == text || value < 0 || value > 1 << 20)
    printUsageAndExit();
  *end = stop;
  return value;
}

Options parseOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    if (name == "--json") {
      options.json = true;
      continue;
    }
    const char *text = i + 1 < argc ? argv[++i] : "";
    int64_t value = parseNumber(text, &text);
    if (name == "--sizes" && value > 0) {
      options.sizes.push_back(value);
      while (*text == ',')
        options.sizes.push_back(parseNumber(text + 1, &text));
    } else if (name == "--rounds" && value > 0) {
      options.rounds = value;
    } else if (name == "--cpu") {
      options.cpu = value;
    } else {
      printUsageAndExit();
    }
    if (*text != 0)
      printUsageAndExit();
  }
  if (std::count(options.sizes.begin(), options.sizes.end(), 0) > 0)
    printUsageAndExit();
  if (options.sizes.empty())
    options.sizes = {EIN_BENCH_SIZES};
  return options;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

double getSeconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

double getMedian(std::vector<double> values) {
  size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  return values[middle];
}

/// Something that runs for a while and does a known amount of work.
struct Contestant {
  std::string name;
  std::function<void()> run;
  double flops = 0;
  const float *result = nullptr; // null for the peak
  int repetitions = 1;
  std::vector<double> gflops = {}; // by round
};

/// Long enough that reading the clock costs nothing and an interrupt little.
constexpr double shortestSample = 0.005;

void calibrate(Contestant &contestant) {
  for (;;) {
    double start = getSeconds();
    for (int i = 0; i < contestant.repetitions; ++i)
      contestant.run();
    if (getSeconds() - start >= shortestSample)
      return;
    contestant.repetitions *= 2;
  }
}

void measure(std::vector<Contestant> &contestants, int rounds) {
  for (Contestant &contestant : contestants)
    calibrate(contestant);
  for (int round = 0; round < rounds; ++round)
    for (Contestant &contestant : contestants) {
      // Whoever ran before has left the caches full of something else.
      contestant.run();
      double start = getSeconds();
      for (int i = 0; i < contestant.repetitions; ++i)
        contestant.run();
      double seconds = getSeconds() - start;
      contestant.gflops.push_back(contestant.flops * contestant.repetitions /
                                  seconds * 1e-9);
    }
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

struct Free {
  void operator()(float *pointer) const { std::free(pointer); }
};
using Buffer = std::unique_ptr<float[], Free>;

Buffer allocate(int64_t count) {
  size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
  Buffer buffer(static_cast<float *>(std::aligned_alloc(64, bytes + 64)));
  if (!buffer) {
    std::fprintf(stderr, "bench-gemm: error: out of memory\n");
    std::exit(1);
  }
  // Not a number until it is written: a kernel that skips an element is found.
  std::fill_n(buffer.get(), count, std::numeric_limits<float>::quiet_NaN());
  return buffer;
}

void runOpenBlas(const GemmProblem &problem, const float *a, const float *b,
                 float *c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, problem.m, problem.n,
              problem.k, 1.0f, a, problem.k, b, problem.n, 0.0f, c, problem.n);
}

/// What einc's functions return is 0 or a code of runtime/Codes.def.
[[maybe_unused]] void checkCode(int code) {
  if (code == 0)
    return;
  std::fprintf(stderr, "bench-gemm: error: a kernel returned %d\n", code);
  std::exit(1);
}

/// The largest |c - reference| over the bound that holds for any order of
/// summation, K * epsilon * (|A| |B|), twice as both have an error of their
/// own. More than 1 is wrong.
double getWorstError(const GemmProblem &problem, const float *c,
                     const float *reference, const float *magnitude) {
  double unit = 2.0 * problem.k * std::numeric_limits<float>::epsilon() / 2;
  double worst = 0;
  for (int64_t i = 0, e = problem.m * problem.n; i < e; ++i) {
    double error = std::fabs(double(c[i]) - reference[i]);
    double bound = unit * magnitude[i];
    if (std::isnan(error))
      return std::numeric_limits<double>::infinity();
    if (error > 0)
      worst = std::max(worst, error / bound);
  }
  return worst;
}

/// Runs all contestants at one size; false if their results differ.
bool runSize(int64_t size, const Options &options, bool isLast) {
  GemmProblem problem{size, size, size};
  Buffer a = allocate(problem.m * problem.k);
  Buffer b = allocate(problem.k * problem.n);
  std::mt19937 random(size);
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::generate_n(a.get(), problem.m * problem.k,
                  [&] { return distribution(random); });
  std::generate_n(b.get(), problem.k * problem.n,
                  [&] { return distribution(random); });

  std::vector<Buffer> results;
  std::vector<Contestant> contestants;
  auto add = [&](std::string name, std::function<void(float *)> run) {
    results.push_back(allocate(problem.m * problem.n));
    float *c = results.back().get();
    contestants.push_back(
        {std::move(name), [run, c] { run(c); }, problem.getFlops(), c});
  };
#ifdef EIN_BENCH_KERNELS
#define EIN_GEMM(SIZE, FUNCTION)                                               \
  if (size == SIZE)                                                            \
    add("einc, static",                                                        \
        [&](float *c) { checkCode(FUNCTION(a.get(), b.get(), c)); });
  EIN_GEMM_KERNELS
  add("einc, dynamic", [&](float *c) {
    checkCode(
        matmul_dynamic(a.get(), b.get(), c, problem.m, problem.k, problem.n));
  });
#endif
  add("OpenBLAS", [&](float *c) { runOpenBlas(problem, a.get(), b.get(), c); });
  size_t openBlas = contestants.size() - 1;
  add("Eigen", [&](float *c) { runEigenGemm(problem, a.get(), b.get(), c); });
  size_t firstPeak = contestants.size();
  [[maybe_unused]] static volatile float sink;
  constexpr int64_t iterations = 10000;
  for (const PeakKernel &kernel : getPeakKernels())
    contestants.push_back({kernel.name, [=] { sink = kernel.run(iterations); },
                           kernel.flopsPerIteration * iterations});

  measure(contestants, options.rounds);

  // |A| |B|, for the bound on the differences.
  Buffer magnitude = allocate(problem.m * problem.n);
  for (Buffer *operand : {&a, &b})
    for (int64_t i = 0; i < size * size; ++i)
      (*operand)[i] = std::fabs((*operand)[i]);
  runOpenBlas(problem, a.get(), b.get(), magnitude.get());

  // The fastest way to multiply and add is the peak.
  size_t peak = firstPeak;
  for (size_t i = firstPeak; i < contestants.size(); ++i)
    if (getMedian(contestants[i].gflops) > getMedian(contestants[peak].gflops))
      peak = i;
  double peakGflops = getMedian(contestants[peak].gflops);
  double openBlasGflops = getMedian(contestants[openBlas].gflops);

  if (options.json)
    std::printf("  {\"m\": %ld, \"k\": %ld, \"n\": %ld, \"peak\": "
                "{\"name\": \"%s\", \"gflops\": %.2f}, \"results\": [\n",
                problem.m, problem.k, problem.n, contestants[peak].name.c_str(),
                peakGflops);
  else
    std::printf("\n%ld x %ld x %ld, peak %.1f GFLOP/s (%s)\n"
                "  %-16s %9s %8s %9s %13s %9s\n",
                problem.m, problem.k, problem.n, peakGflops,
                contestants[peak].name.c_str(), "", "GFLOP/s", "% peak",
                "/OpenBLAS", "quartiles", "error");
  bool allAgree = true;
  for (size_t i = 0; i < firstPeak; ++i) {
    Contestant &contestant = contestants[i];
    double error = getWorstError(problem, contestant.result,
                                 contestants[openBlas].result, magnitude.get());
    bool agrees = error <= 1;
    allAgree &= agrees;
    std::sort(contestant.gflops.begin(), contestant.gflops.end());
    double gflops = getMedian(contestant.gflops);
    double low = contestant.gflops[contestant.gflops.size() / 4];
    double high = contestant.gflops[contestant.gflops.size() * 3 / 4];
    if (options.json)
      std::printf("    {\"name\": \"%s\", \"gflops\": %.2f, \"quartiles\": "
                  "[%.2f, %.2f], \"percent_of_peak\": %.1f, "
                  "\"ratio_to_openblas\": %.3f, \"agrees\": %s}%s\n",
                  contestant.name.c_str(), gflops, low, high,
                  100 * gflops / peakGflops, gflops / openBlasGflops,
                  agrees ? "true" : "false", i + 1 < firstPeak ? "," : "");
    else
      std::printf("  %-16s %9.1f %7.1f%% %9.2f %6.1f..%-6.1f %8.3f%s\n",
                  contestant.name.c_str(), gflops, 100 * gflops / peakGflops,
                  gflops / openBlasGflops, low, high, error,
                  agrees ? "" : "  WRONG");
  }
  if (options.json)
    std::printf("  ]}%s\n", isLast ? "" : ",");
  std::fflush(stdout);
  return allAgree;
}

/// Returns the core, or -1 if it cannot be chosen.
int pinToOneCore(int cpu) {
  cpu_set_t set;
  if (cpu < 0)
    cpu = sched_getcpu();
  if (cpu < 0 || cpu >= CPU_SETSIZE)
    return -1;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0 ? cpu : -1;
}

} // namespace

int main(int argc, char **argv) {
  Options options = parseOptions(argc, argv);
  int cpu = pinToOneCore(options.cpu);
  if (cpu < 0) {
    std::fprintf(stderr, "bench-gemm: error: cannot pin to one core\n");
    return 1;
  }
  openblas_set_num_threads(1);

  if (options.json)
    std::printf("{\"cpu\": %d, \"rounds\": %d, \"openblas\": \"%s\", "
                "\"openblas_core\": \"%s\", \"runs\": [\n",
                cpu, options.rounds, openblas_get_config(),
                openblas_get_corename());
  else
    std::printf("f32 matrix product, core %d, medians of %d rounds\n"
                "%s, kernels for %s\n",
                cpu, options.rounds, openblas_get_config(),
                openblas_get_corename());
  bool allAgree = true;
  for (size_t i = 0; i < options.sizes.size(); ++i)
    allAgree &=
        runSize(options.sizes[i], options, i + 1 == options.sizes.size());
  if (options.json)
    std::printf("]}\n");
  if (!allAgree) {
    std::fprintf(stderr, "bench-gemm: error: results differ\n");
    return 3;
  }
  return 0;
}
