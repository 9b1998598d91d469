//===- InProcess.h - What fuzzers of this process share ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fuzzer whose subject runs in its own process: what is being tried is in
// `tried`, and in a file when it kills us, hangs or is wrong.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_FUZZ_INPROCESS_H
#define EIN_TESTS_FUZZ_INPROCESS_H

#include <cstdint>
#include <optional>
#include <string>

namespace ein::fuzz {

struct InProcessOptions {
  uint64_t seed = 1;
  uint64_t count = 0; // 0: until the time is over
  double seconds = 0; // 0: until all are done
  std::string directory = ".";
};

/// The command line of `ein-fuzz-SUBJECT`; none if it is wrong, which has been
/// said. Without a number and a time there are `count`.
std::optional<InProcessOptions>
parseOptions(int argc, char **argv, const std::string &subject, uint64_t count);

extern std::string tried;

/// From here on a signal writes `tried` into `SUBJECT-crash` of the directory,
/// and says that `what`, "the input is", is there.
void watch(const InProcessOptions &options, const std::string &subject,
           const std::string &what);

/// Whether to try another one, for which there are twenty seconds of computing.
bool goesOn(const InProcessOptions &options, uint64_t numTried);

/// Something is wrong with `tried`, which is written to a file.
void fail(const std::string &what);

/// The closing line of what has been tried: "ein-fuzz-SUBJECT: seed 1, 3 s",
/// `details`, and "[  PASSED  ] 300 texts, 0 failures". How to exit.
int finish(const InProcessOptions &options, const std::string &details,
           uint64_t numTried, const std::string &noun);

} // namespace ein::fuzz

#endif // EIN_TESTS_FUZZ_INPROCESS_H
