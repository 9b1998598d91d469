//===- Harness.h - Compile, call on guarded memory, compare ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `einc verify` does, in this process and with more suspicion: every
// argument lies between guard zones that must be as they were afterwards,
// inputs must be as they were, and where the reference refuses the sizes the
// code has to return the same code. A failure names the command that repeats
// it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_E2E_HARNESS_H
#define EIN_TESTS_E2E_HARNESS_H

#include "driver/CheckedRun.h"
#include "driver/Commands.h"
#include <functional>
#include <gtest/gtest.h>

namespace ein::test {

using Sizes = runtime::Bindings;

/// How much LLVM does beyond einc's passes. Its code generator is two thirds of
/// the time of a test, and the numbers come from einc's passes: so most
/// programs go through LLVM's -O1 and its quick code generator, and a drawn
/// tenth through all of LLVM, as users have it. `EIN_LLVM=full` takes all of it
/// everywhere.
enum class LLVMEffort { Drawn, Full };

struct BuildOptions {
  unsigned optLevel = 3;
  LLVMEffort effort = LLVMEffort::Drawn;
  ElementType type = ElementType::F32; // where none is written
  Sizes bindings;                      // compiled in
  bool parallel = false;
  bool views = false; // with the entries that take strides
  /// For a CPU drawn by the text, of those whose code this machine runs, so
  /// that code for 16 registers, short vectors and small caches is run
  /// everywhere.
  bool drawsCpu = false;
  /// As ein-select-schedule takes them.
  std::string packing = "auto", threads = "auto";
  int64_t block = 0; // columns of attention at a time; 0: as it pays
  /// Ways of ops, as `--tuned` has them; and what to report.
  std::vector<TunedEntry> tuned;
  std::vector<std::string> reports;
};

struct CallOptions {
  uint64_t seed = 1;
  std::string entry; // empty: the last
  /// Arguments start one element after a 64-byte boundary.
  bool unaligned = false;
  /// Changes an argument's random contents.
  std::function<void(const std::string &name, runtime::Array &)> edit;
  /// Through the view entry, each array with strides drawn from the seed.
  bool views = false;
  /// This input is the very array of that one, which has its shape.
  std::vector<std::pair<std::string, std::string>> same;
};

/// A compiled program. A text is compiled once in a process for each set of
/// options: another `Compiled` of the same has the same code.
class Compiled {
public:
  /// `text` is whatever `-e` takes.
  explicit Compiled(std::string text, BuildOptions options = {});

  /// Whether it compiled; a failure says how to repeat it.
  testing::AssertionResult isOk() const;
  /// The unbound sizes of a def, by default of the last.
  std::vector<std::string> getSymbols(const std::string &entry = "") const;
  const Program &getProgram() const { return program->getProgram(); }
  llvm::ArrayRef<Finding> getFindings() const { return program->getFindings(); }

  /// Runs with these sizes and compares every result. `sizes` may have names
  /// that the def does not.
  testing::AssertionResult check(const Sizes &sizes,
                                 const CallOptions &options = {}) const;

  /// The function itself.
  CallableEntry getEntry(const std::string &entry = "") const;
  runtime::PackedFunction getViewEntry(const std::string &entry = "") const;

  /// `einc verify …`, which repeats such a call.
  std::string getCommand(const Sizes &sizes, uint64_t seed) const;

private:
  testing::AssertionResult checkViews(const CallOptions &call, CheckedRun &run,
                                      const Def &def,
                                      const std::string &command) const;

  std::string text;
  BuildOptions options;
  ExitStatus status;
  std::shared_ptr<const LoadedProgram> program;
};

/// The unbound sizes of the last def, without compiling it.
std::vector<std::string> getSymbols(const std::string &text,
                                    const BuildOptions &options = {});

/// Those of `sizes` whose letters are in the program.
Sizes getPresent(llvm::StringRef program, const Sizes &sizes);

/// The seed of this run: EIN_SEED or 1; printed by tests that draw.
uint64_t getSeed();

/// The program is compiled for, and run with, many sizes: all dims equal, each
/// in turn through all of `choices`, and random draws. Calls whose dims
/// multiply to more than `maxPoints` are left out.
struct Sweep {
  std::vector<int64_t> choices;
  int64_t base = 5;
  unsigned numRandom = 20;
  double maxPoints = 200e3;
  uint64_t seed = getSeed();
  bool views = false;
};
void runSweep(const Compiled &compiled, const Sweep &sweep,
              const std::string &entry = "");
/// The same of a text, which is compiled here; through the view entry if
/// `options` have one.
void runSweep(const std::string &text, const BuildOptions &options,
              Sweep sweep);

/// The register tile of a product of dynamic sizes.
MicroKernel getTile(const TargetInfo &target, ElementType type);

/// {0, 1, a prime, and round the register tile's edges} for the element type.
std::vector<int64_t> getTileSizes(ElementType type);

} // namespace ein::test

#endif // EIN_TESTS_E2E_HARNESS_H
