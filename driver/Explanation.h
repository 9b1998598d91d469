//===- Explanation.h - What becomes of a program, and why -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_EXPLANATION_H
#define EIN_DRIVER_EXPLANATION_H

#include "driver/Options.h"
#include "driver/Schedule.h"
#include "llvm/Support/JSON.h"

namespace ein {

/// What is said of a statement.
struct StatementExplanation {
  const Statement *statement = nullptr;
  unsigned line = 0;
  std::string text;
  double operations = 0, bytes = 0;
  llvm::SmallVector<llvm::StringRef> remarks;
};

struct DefExplanation {
  const Def *def = nullptr;
  std::string name;
  SourceRange range; // from its name to its last statement
  std::vector<std::pair<std::string, int64_t>> sizes;
  bool areSizesAssumed = false;
  std::vector<StatementExplanation> statements;
  std::vector<ScheduleSection> sections;
  double operations = 0, bytes = 0; // of arguments
  llvm::SmallVector<llvm::StringRef> remarks;
};

/// What was measured of a def, or of a statement by itself.
struct MeasuredPoint {
  double seconds = 0, operations = 0, bytes = 0;
};

/// At the sizes that the def's explanation counts with.
struct DefMeasurement {
  std::optional<MeasuredPoint> whole;
  std::vector<std::optional<MeasuredPoint>> statements;
  /// Operations a second, and cycles a second that follow from it; 0 where the
  /// def computes in no single one of f32 and f64.
  double peak = 0, hertz = 0;
  /// What could not be measured, and why.
  std::vector<std::string> notes;
};

/// What is said of a program, or of its defs that were asked for.
struct Explanation {
  std::vector<DefExplanation> defs;
  /// Of a program that is MLIR, all there is to say.
  llvm::SmallVector<llvm::StringRef> remarks;
  std::vector<ScheduleSection> sections;
  std::vector<Finding> findings;
  /// One per def, or none.
  std::vector<DefMeasurement> measurements;
};

/// From a def's name to the end of its last statement.
SourceRange getExtent(const Def &def, const Program &program);

/// What a page has more than `explain --json`; each writes a member's value.
using ExtraMembers = llvm::function_ref<void(llvm::json::OStream &json)>;

/// Writes it as JSON; `extra` adds to the outermost object.
void printJson(llvm::raw_ostream &os, const Explanation &explanation,
               const Options &options, const Sources &sources,
               ExtraMembers extra);

// Parts of it, in driver/html/.

/// Registers, caches and rates of the machine that code is made for.
void printMachine(llvm::json::OStream &json, const TargetInfo &target);
/// The contraction tree of a product of two factors or more, as the member
/// `tree`; nothing of any other statement.
void printTree(llvm::json::OStream &json, const Def &def,
               const Statement &statement,
               const ContractionOrderOptions &options);
/// The member `memory`: what passes found in one of `ranges`.
void printMemory(llvm::json::OStream &json, llvm::ArrayRef<Finding> findings,
                 llvm::ArrayRef<SourceRange> ranges, const Sources &sources);

} // namespace ein

#endif // EIN_DRIVER_EXPLANATION_H
