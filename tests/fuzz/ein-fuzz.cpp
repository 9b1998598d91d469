//===- ein-fuzz.cpp - Random programs against the reference ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes programs from a seed, runs each as `execute` says, and prints every
// failure as the smallest program that fails alike and the command that repeats
// it. Exit status 0 if nothing failed, 1 if something did.
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Generate.h"
#include "tests/fuzz/Shrink.h"
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ein::fuzz;

namespace {

struct Options {
  uint64_t seed = 1;
  uint64_t count = 0;
  double seconds = 0;
  unsigned jobs = 1;
  unsigned timeout = 20;
  std::string directory = ".";
  bool isPrinting = false; // the programs instead of running them
  bool isVerbose = false;  // tells why programs are rejected
  bool hasLevels = false;  // executes each level as well
};

constexpr unsigned kBatch = 25;
/// Of failures of one kind so many are shrunk; a bug found is found.
constexpr unsigned kShrunkPerKind = 2;
constexpr unsigned kShrinkBudget = 300;

/// One per job, where the parent sees it.
struct Counts {
  uint64_t programs, outcomes[int(Outcome::Hang) + 1];
};

double getSeconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string getCommand(const Program &program, const std::string &file,
                       int optLevel) {
  std::string command = "einc verify " + file + " -O" +
                        std::to_string(optLevel) + " --seed " +
                        std::to_string(program.seed);
  command += " --cpu " + getTarget(program).cpu;
  if (std::string sizes = program.getSizes(true); !sizes.empty())
    command += " --bind " + sizes;
  if (std::string sizes = program.getSizes(false); !sizes.empty())
    command += " --sizes " + sizes;
  return command;
}

/// Job `job` of `options.jobs` takes every so many'th program.
void runJob(const Options &options, unsigned job, double start,
            Counts &counts) {
  uint64_t next = job, position = job;
  double lastWord = start;
  std::map<std::string, unsigned> kinds;
  auto isOver = [&] {
    return (options.count && next >= options.count) ||
           (options.seconds && getSeconds() - start > options.seconds);
  };
  executeInChildren(
      [&]() -> std::unique_ptr<Program> {
        if (isOver())
          return nullptr;
        auto program =
            std::make_unique<Program>(generate(options.seed * 1000003 + next));
        program->hasLevels = options.hasLevels;
        next += options.jobs;
        return program;
      },
      [&](const Program &program, const Verdict &verdict) {
        uint64_t number = position;
        position += options.jobs;
        ++counts.programs;
        ++counts.outcomes[int(verdict.outcome)];
        if (getSeconds() - lastWord > 60) {
          lastWord = getSeconds();
          std::printf("ein-fuzz: job %u, %llu programs in %.0f s\n", job,
                      (unsigned long long)counts.programs, lastWord - start);
          std::fflush(stdout);
        }
        if (options.isVerbose && verdict.outcome == Outcome::Rejected)
          std::printf(
              "rejected: %s\n",
              verdict.detail.substr(0, verdict.detail.find('\n')).c_str());
        if (!isFailure(verdict.outcome))
          return;
        std::string kind = verdict.getKind();
        std::printf("FAILED %llu: %s\n", (unsigned long long)number,
                    kind.c_str());
        std::fflush(stdout);
        if (kinds[kind]++ >= kShrunkPerKind)
          return;
        Verdict last = verdict;
        Program least = shrink(program, last, kShrinkBudget, options.timeout);
        std::string file = options.directory + "/fuzz-" +
                           std::to_string(options.seed) + "-" +
                           std::to_string(number) + ".ein";
        std::string text = "# " + kind.substr(0, kind.find('\n')) + "\n# " +
                           getCommand(least, file, last.optLevel) +
                           (least.isUnaligned ? " # unaligned" : "") +
                           (least.hasViews ? " # views" : "") +
                           (least.hasLevels ? " # with --levels" : "") + "\n" +
                           least.str();
        std::ofstream(file) << text;
        std::printf("%s%s\n\n", text.c_str(), last.detail.c_str());
        std::fflush(stdout);
      },
      kBatch, options.timeout);
}

int usage(const char *what) {
  std::fprintf(stderr,
               "ein-fuzz: error: %s\nusage: ein-fuzz [--seed N] [--count N] "
               "[--seconds S] [--jobs N] [--timeout S] [--out DIR] [--levels] "
               "[--print] [--verbose]\n",
               what);
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string flag = argv[i];
    if (flag == "--print") {
      options.isPrinting = true;
      continue;
    }
    if (flag == "--levels") {
      options.hasLevels = true;
      continue;
    }
    if (flag == "--verbose") {
      options.isVerbose = true;
      continue;
    }
    if (i + 1 == argc)
      return usage(("`" + flag + "` without a value, or no option").c_str());
    const char *value = argv[++i];
    char *end = nullptr;
    double number = std::strtod(value, &end);
    if (flag == "--out") {
      options.directory = value;
      mkdir(value, 0777);
      continue;
    }
    if (*end || number < 0)
      return usage((flag + " takes a number").c_str());
    if (flag == "--seed")
      options.seed = uint64_t(number);
    else if (flag == "--count")
      options.count = uint64_t(number);
    else if (flag == "--seconds")
      options.seconds = number;
    else if (flag == "--jobs" && number >= 1)
      options.jobs = unsigned(number);
    else if (flag == "--timeout" && number >= 1)
      options.timeout = unsigned(number);
    else
      return usage(("what is `" + flag + "`?").c_str());
  }
  if (!options.count && !options.seconds)
    options.count = 100;

  if (options.isPrinting) {
    for (uint64_t i = 0; i < options.count; ++i) {
      Program program = generate(options.seed * 1000003 + i);
      std::printf("# %s\n%s\n", getCommand(program, "FILE", 3).c_str(),
                  program.str().c_str());
    }
    return 0;
  }

  // A child that dies while it is being answered is seen by its silence.
  std::signal(SIGPIPE, SIG_IGN);
  double start = getSeconds();
  auto *counts = static_cast<Counts *>(
      mmap(nullptr, options.jobs * sizeof(Counts), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::vector<pid_t> children;
  for (unsigned job = 1; job < options.jobs; ++job) {
    std::fflush(nullptr);
    pid_t child = fork();
    if (child == 0) {
      runJob(options, job, start, counts[job]);
      std::fflush(nullptr);
      _exit(0);
    }
    children.push_back(child);
  }
  runJob(options, 0, start, counts[0]);
  bool isDone = true;
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    isDone &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  uint64_t programs = 0, failures = 0;
  std::string list;
  for (int outcome = 0; outcome <= int(Outcome::Hang); ++outcome) {
    uint64_t count = 0;
    for (unsigned job = 0; job < options.jobs; ++job)
      count += counts[job].outcomes[outcome];
    programs += count;
    if (isFailure(Outcome(outcome)))
      failures += count;
    if (count)
      list += ", " + std::to_string(count) + " " + getName(Outcome(outcome));
  }
  std::printf("ein-fuzz: seed %llu, %llu programs in %.0f s%s\n",
              (unsigned long long)options.seed, (unsigned long long)programs,
              getSeconds() - start, list.c_str());
  std::printf("[  %s  ] %llu programs, %llu failures\n",
              failures || !isDone ? "FAILED" : "PASSED",
              (unsigned long long)programs, (unsigned long long)failures);
  return failures || !isDone ? 1 : 0;
}
