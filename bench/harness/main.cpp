//===- main.cpp - einc beside what a user could have called instead -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole run: read the cases, load the peers, list both, measure each case,
// print the classes. README.md says how the numbers are made.
//
//===----------------------------------------------------------------------===//

#include "bench/cases/Path.h"
#include "bench/harness/Peers.h"
#include "bench/harness/Report.h"
#include "bench/harness/Startup.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <sched.h>

using namespace ein::bench;

namespace {

struct Options {
  std::vector<std::string> cases;
  std::vector<std::string> classes;
  std::string filter, json, directory, einc;
  std::vector<std::string> extraPeers, without;
  MeasureOptions measure;
  int threads = 1, cpu = -1, tuningSeconds = 0;
  Isa isa = Isa::Native;
  bool isList = false, showsAll = false, isCheck = false;
};

/// Runs on `threads` cores from this one on. Returns false if that cannot be.
bool pin(int cpu, int threads) {
  if (cpu < 0)
    cpu = threads > 1 ? 0 : sched_getcpu();
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < threads; ++i)
    CPU_SET(cpu + i, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0 &&
         sched_getaffinity(0, sizeof set, &set) == 0 &&
         CPU_COUNT(&set) == threads;
}

/// Before any library is loaded. Threads that wait give up soon, or they would
/// take the cores of who comes next. Those libraries that look at the machine
/// themselves are told what it has; the others have settings (Peers.cpp).
void setEnvironment(int threads, Isa isa) {
  std::string count = std::to_string(threads);
  for (const char *name :
       {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"})
    setenv(name, count.c_str(), 1);
  setenv("OPENBLAS_THREAD_TIMEOUT", "18", 0);
  setenv("GOMP_SPINCOUNT", "20000", 0);
  setenv("KMP_BLOCKTIME", "100us", 0);
  if (isa == Isa::Avx2) {
    setenv("DNNL_MAX_CPU_ISA", "AVX2", 1);
    setenv("NPY_DISABLE_CPU_FEATURES",
           "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL", 1);
  }
}

bool isWanted(const Problem &problem, const Options &options) {
  bool isInClass =
      options.classes.empty() ||
      std::count(options.classes.begin(), options.classes.end(), problem.group);
  return isInClass &&
         (options.filter.empty() ||
          std::regex_search(problem.name, std::regex(options.filter)));
}

void printCases(const std::vector<Problem> &cases) {
  for (const Problem &problem : cases) {
    std::string sizes;
    auto addSize = [&](const std::string &name, int64_t value) {
      sizes += (sizes.empty() ? "" : ",") + name + "=" + std::to_string(value);
    };
    for (char label : problem.getLabels())
      addSize(std::string(1, label), problem.extents.at(label));
    if (problem.program)
      for (const Program::Size &size : problem.program->sizes)
        addSize(size.name, size.value);
    std::printf(
        "%-14s %-26s %-24s %s %-7s %-10s %.4g flops, %.4g bytes, %s\n",
        problem.group.c_str(), problem.name.c_str(),
        (problem.program ? problem.program->name : problem.einsum).c_str(),
        getName(problem.element), problem.isStatic ? "static" : "dynamic",
        problem.isStrided ? "strided" : "contiguous", getFlops(problem),
        problem.getInputBytes() + problem.getOutputBytes(), sizes.c_str());
  }
  std::printf("%zu cases\n\n", cases.size());
  std::fflush(stdout);
}

int run(const Options &options) {
  std::vector<Problem> all, cases;
  Bars bars;
  std::vector<std::string> groups;
  for (const std::string &path : options.cases)
    if (!readCases(path, EIN_BENCH_SOURCE "/cases/programs", all, groups, bars))
      return 1;
  for (Problem &problem : all)
    if (isWanted(problem, options)) {
      problem.threads = options.threads;
      problem.isa = options.isa;
      cases.push_back(std::move(problem));
    }
  if (cases.empty()) {
    std::fprintf(stderr, "bench: error: no such case\n");
    return 1;
  }
  printCases(cases);
  if (options.isList)
    return 0;
  if (!pin(options.cpu, options.threads)) {
    std::fprintf(stderr, "bench: error: cannot pin to %d cores\n",
                 options.threads);
    return 1;
  }
  setEnvironment(options.threads, options.isa);

  // Absolute: compilers run in it.
  std::string directory = std::filesystem::absolute(options.directory).string();
  std::filesystem::create_directories(directory);
  std::string binaries =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  Setup setup{directory,
              binaries + "/einc",
              EIN_BENCH_SOURCE "/peers/numpy_worker.py",
              EIN_BENCH_SOURCE "/cases/programs",
              options.threads,
              options.isa,
              options.isCheck,
              options.tuningSeconds};
  if (!options.einc.empty())
    setup.einc = options.einc;
  auto peers =
      loadPeers(EIN_BENCH_PEERS, options.extraPeers, options.without, setup);
  if (peers.empty())
    return 1;

  std::printf("\n");
  if (!options.isCheck)
    printHeading();
  std::vector<Measurement> measurements;
  bool isRight = true, isSound = true;
  for (const Problem &problem : cases) {
    measurements.push_back(measure(problem, peers, setup, options.measure));
    if (options.isCheck)
      printErrors(measurements.back());
    else
      printCase(measurements.back(), bars, options.showsAll);
    isRight &= measurements.back().isRight() &&
               measurements.back().results[0].isThere();
  }
  if (!options.isCheck) {
    printSummary(measurements, groups, bars);
    isSound = checkYardsticks(measurements);
    printStartup(setup.einc, EIN_BENCH_MLIR_OPT, directory);
  }
  if (!options.json.empty() && !writeJson(options.json, measurements)) {
    std::fprintf(stderr, "bench: error: cannot write %s\n",
                 options.json.c_str());
    return 1;
  }
  if (!isRight)
    std::fprintf(stderr, "bench: error: wrong or missing results\n");
  if (!isSound)
    std::fprintf(stderr, "bench: error: somebody is faster than the machine "
                         "should be; percentages of it mean nothing\n");
  return isRight && isSound ? 0 : 3;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  options.directory = EIN_BENCH_PEERS "/bench-work";
  CLI::App app("Times einc beside its peers.");
  app.add_option("--data", options.cases, "the files of cases")->delimiter(',');
  app.add_option("--classes", options.classes, "only cases of these classes")
      ->delimiter(',');
  app.add_option("--cases", options.filter,
                 "only cases whose name has a match of this expression");
  app.add_option("--rounds", options.measure.rounds, "how often each runs")
      ->check(CLI::PositiveNumber);
  app.add_option("--sample", options.measure.shortestSample,
                 "seconds that a contestant runs in a round, at least");
  app.add_option("--threads", options.threads, "1 or 2")
      ->check(CLI::Range(1, 2));
  app.add_option("--isa", options.isa,
                 "native, or avx2: everybody as without AVX-512")
      ->transform(CLI::Transformer(std::map<std::string, Isa>{
          {"native", Isa::Native}, {"avx2", Isa::Avx2}}));
  app.add_option("--cpu", options.cpu, "the first core to run on");
  app.add_option("--json", options.json, "write all numbers to this file");
  app.add_option("--peer", options.extraPeers,
                 "load another peer from a shared object");
  app.add_option("--without", options.without,
                 "leave out these peers: blis,eigen-tensor")
      ->delimiter(',');
  app.add_option("--directory", options.directory,
                 "where the sources and objects of the cases go");
  app.add_option("--einc", options.einc, "another compiler than this build's");
  app.add_option("--tune", options.tuningSeconds,
                 "let einc tune each case, too, for so many seconds")
      ->check(CLI::PositiveNumber);
  app.add_flag("--list", options.isList, "only list the cases");
  app.add_flag("--all", options.showsAll, "show every peer, not only the best");
  app.add_flag("--check", options.isCheck, "only compare results");
  CLI11_PARSE(app, argc, argv);
  if (options.cases.empty())
    options.cases = {EIN_BENCH_SOURCE "/cases/cases.tsv",
                     EIN_BENCH_SOURCE "/cases/programs.tsv",
                     EIN_BENCH_SOURCE "/cases/types.tsv"};
  if (options.isCheck)
    options.measure.rounds = 0;
  return run(options);
}
