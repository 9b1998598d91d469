//===- Execute.h - Does a program do what it means? -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_FUZZ_EXECUTE_H
#define EIN_TESTS_FUZZ_EXECUTE_H

#include "target/Target.h"
#include "tests/fuzz/Model.h"
#include <functional>

namespace ein::fuzz {

enum class Outcome : uint8_t {
  Ok,       // every call agreed
  Rejected, // by the front end, with a diagnostic
  Refused,  // compiled, and the sizes refused as the reference refuses them
  // From here on failures.
  SilentlyRejected,
  InternalError,
  WrongCode,
  WrongValue,
  OutOfBounds, // wrote outside an output, or into an input
  Crash,
  Hang,
};
inline bool isFailure(Outcome outcome) {
  return outcome >= Outcome::SilentlyRejected;
}
const char *getName(Outcome outcome);

struct Verdict {
  Outcome outcome = Outcome::Ok;
  int optLevel = 3; // at which it failed
  std::string detail;

  /// Two verdicts with one kind are taken for the same failure.
  std::string getKind() const;
};

/// The machine that the program is compiled for, drawn by its seed.
const TargetInfo &getTarget(const Program &program);

/// Checks, compiles, runs and compares `program` in this process, at -O3 and
/// -O0; at -O3 each level as well, if the program says so.
Verdict execute(const Program &program);

/// The same in children of this process: up to `batch` programs share one until
/// it dies or takes more than `timeout` seconds over a program.
/// `next` gives programs until it returns null; `done` is told of each, in
/// order.
void executeInChildren(
    const std::function<std::unique_ptr<Program>()> &next,
    const std::function<void(const Program &, const Verdict &)> &done,
    unsigned batch, unsigned timeout);
Verdict executeInChild(const Program &program, unsigned timeout);

} // namespace ein::fuzz

#endif // EIN_TESTS_FUZZ_EXECUTE_H
