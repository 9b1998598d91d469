//===- CheckedRun.h - One call beside what it should return -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A def's inputs and sizes (an Invocation), and what the reference makes of
// them. Who calls the compiled code, and on which memory, is left open:
//
//   CheckedRun run(def, entry.signature);
//   run.getInvocation().bind(sizes, error)
//     && fillInputs(&def, run.getInvocation(), seed, error);
//   run.evaluate(failure);                      // before inout is overwritten
//   run.getInvocation().run(entry.function, error);
//   run.compare(0);                             // the first result
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_CHECKEDRUN_H
#define EIN_DRIVER_CHECKEDRUN_H

#include "reference/Compare.h"
#include "reference/Evaluate.h"
#include "runtime/Call.h"

namespace ein {

/// One value per Def::symbols: those bound at compile time, and `sizes`, in
/// order, for the others.
std::vector<int64_t> getSymbolValues(const Def &def,
                                     llvm::ArrayRef<int64_t> sizes);

/// Fills what is read and was not given with random numbers. Of a `def`, those
/// that say where a slice starts, or where a gather reads, are inside of its
/// tensor: others hardly ever would be, and the code would only refuse.
bool fillInputs(const Def *def, runtime::Invocation &invocation, uint64_t seed,
                std::string &error);

/// How many elements a tensor of these dims has; `values` are one per
/// Def::symbols.
double countElements(llvm::ArrayRef<Affine> dims,
                     llvm::ArrayRef<int64_t> values);
/// Those of all of the def's tensors, temporaries included.
double countElements(const Def &def, llvm::ArrayRef<int64_t> values);

/// "at N=2, M=3", or nothing for code of one size.
std::string describeSizes(const runtime::Signature &signature,
                          llvm::ArrayRef<int64_t> sizes);
/// "; give sizes with `--sizes N=…,M=…`", where there are any to give.
std::string adviseSizes(const runtime::Signature &signature);

/// `given`, and `choices` in turn for the sizes that it lacks and that are no
/// product of others.
runtime::Bindings completeBindings(const runtime::Signature &signature,
                                   const runtime::Bindings &given,
                                   llvm::ArrayRef<int64_t> choices);

/// Binds `given`, and for the sizes that it lacks the largest power of two up
/// to 1024 with which `isQuick` says so; 1 if none is.
bool bindLargest(runtime::Invocation &invocation,
                 const runtime::Bindings &given,
                 llvm::function_ref<bool()> isQuick, std::string &error);

/// Lists of sizes to try one after the other for what nobody gave: different
/// primes, so that a mixed-up dim or an incomplete tile shows, smaller ones for
/// programs of many dims; falling sizes for windows, which come after what they
/// are moved over; equal sizes for programs whose checks want them, and what
/// can be divided into blocks.
llvm::ArrayRef<llvm::ArrayRef<int64_t>> getSizeChoices();

class CheckedRun {
public:
  /// `def` has to outlive the run.
  CheckedRun(const Def &def, runtime::Signature signature)
      : def(def), invocation(std::move(signature)) {}

  runtime::Invocation &getInvocation() { return invocation; }
  const runtime::Invocation &getInvocation() const { return invocation; }

  /// What the def means for the invocation's sizes and inputs, all of which
  /// have to be there.
  llvm::LogicalResult evaluate(reference::Failure &failure,
                               const reference::EvaluateOptions &options = {});

  /// One per Def::symbols, those bound at compile time included; known after
  /// `evaluate`.
  llvm::ArrayRef<int64_t> getSymbolValues() const { return symbolValues; }
  /// Of the result at that place in Def::results.
  const reference::Value &getExpected(size_t result) const {
    return expected[result];
  }
  /// The position of a result among the signature's arguments.
  size_t getPosition(size_t result) const;

  /// Judges a result; `data`, by default the invocation's own array, is
  /// contiguous.
  reference::Comparison compare(size_t result,
                                const void *data = nullptr) const;

private:
  const Def &def;
  runtime::Invocation invocation;
  std::vector<int64_t> symbolValues;
  std::vector<reference::Value> expected;
};

} // namespace ein

#endif // EIN_DRIVER_CHECKEDRUN_H
