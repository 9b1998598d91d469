//===- InProcess.cpp - What fuzzers of this process share -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/InProcess.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/time.h>
#include <unistd.h>

namespace ein::fuzz {

std::string tried;

static std::string program, place, crashFile;
static uint64_t numFailures = 0;
static double start = 0;

static double getSeconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

static void say(const std::string &text) {
  (void)!write(STDERR_FILENO, text.data(), text.size());
}

static void reportCrash(int signal) {
  int file = open(crashFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  (void)!write(file, tried.data(), tried.size());
  close(file);
  const char *what = signal == SIGPROF ? ": hang; " : ": crash; ";
  say(program);
  (void)!write(STDERR_FILENO, what, std::strlen(what));
  say(place);
  say(crashFile);
  (void)!write(STDERR_FILENO, "\n", 1);
  _exit(1);
}

static std::nullopt_t refuse(const std::string &subject,
                             const std::string &what) {
  llvm::errs() << "ein-fuzz-" << subject << ": error: " << what
               << "\nusage: ein-fuzz-" << subject
               << " [--seed N] [--count N] [--seconds S] [--out DIR]\n";
  return std::nullopt;
}

std::optional<InProcessOptions> parseOptions(int argc, char **argv,
                                             const std::string &subject,
                                             uint64_t count) {
  InProcessOptions options;
  for (int i = 1; i < argc; ++i) {
    std::string flag = argv[i];
    if (i + 1 == argc)
      return refuse(subject, "`" + flag + "` without a value, or no option");
    const char *value = argv[++i];
    if (flag == "--out")
      options.directory = value;
    else if (flag == "--seed")
      options.seed = std::strtoull(value, nullptr, 0);
    else if (flag == "--count")
      options.count = std::strtoull(value, nullptr, 0);
    else if (flag == "--seconds")
      options.seconds = std::strtod(value, nullptr);
    else
      return refuse(subject, "what is `" + flag + "`?");
  }
  if (!options.count && !options.seconds)
    options.count = count;
  return options;
}

void watch(const InProcessOptions &options, const std::string &subject,
           const std::string &what) {
  program = "ein-fuzz-" + subject;
  place = what + " in ";
  crashFile = options.directory + "/" + subject + "-crash";
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF})
    std::signal(signal, reportCrash);
  // The handler needs a stack of its own when recursion has used up ours.
  static char stack[1 << 16];
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof(stack);
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_handler = reportCrash;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
}

bool goesOn(const InProcessOptions &options, uint64_t numTried) {
  constexpr unsigned kMostSeconds = 20;
  if (numTried == 0)
    start = getSeconds();
  bool isMore = (!options.count || numTried < options.count) &&
                (!options.seconds || getSeconds() - start < options.seconds);
  // Of computing: others may be busy, too.
  itimerval timer = {};
  timer.it_value.tv_sec = isMore ? kMostSeconds : 0;
  setitimer(ITIMER_PROF, &timer, nullptr);
  return isMore;
}

void fail(const std::string &what) {
  std::string file = crashFile + "-" + std::to_string(++numFailures);
  std::ofstream(file, std::ios::binary) << tried;
  llvm::errs() << program << ": " << what << "; " << place << file << "\n";
}

int finish(const InProcessOptions &options, const std::string &details,
           uint64_t numTried, const std::string &noun) {
  llvm::outs() << program << ": seed " << options.seed << ", "
               << int(getSeconds() - start) << " s" << details << "\n[  "
               << (numFailures ? "FAILED" : "PASSED") << "  ] " << numTried
               << " " << noun << ", " << numFailures << " failures\n";
  return numFailures ? 1 : 0;
}

} // namespace ein::fuzz
