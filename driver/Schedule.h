//===- Schedule.h - What runs, by statements and nests ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_SCHEDULE_H
#define EIN_DRIVER_SCHEDULE_H

#include "driver/Compiler.h"
#include "llvm/Support/JSON.h"

namespace ein {

struct DefExplanation;

/// A line of a nest: what a remark of the category `schedule` says
/// (passes/select/ReportSchedule.h).
struct ScheduleEntry {
  const Finding *finding;
  /// Of the def, by number; empty if it is MLIR's.
  llvm::SmallVector<unsigned> statements;
  unsigned depth = 0;
  /// Of two ways of which one is taken when the code runs, the first counts.
  bool isCounted = true;

  bool is(llvm::StringRef name) const { return finding->name == name; }
  /// A fact; empty, or 0, if there is none.
  llvm::StringRef get(llvm::StringRef key) const;
  double getNumber(llvm::StringRef key) const;
};

/// What runs as one nest: an op, or loops with several; with what is computed
/// in its tiles.
struct ScheduleGroup {
  std::vector<ScheduleEntry> entries;

  /// Of one thread; of ops that have a price.
  double getCycles() const;
  double getOperations() const;
  /// The op that takes most; null if nothing has a price.
  const ScheduleEntry *getLongest() const;
  /// Whether it is more than one op, and whether these are in loops.
  bool isFused() const;
  bool hasLoops() const;
};

/// Statements that run together: groups do parts of them. A statement without
/// groups has nothing to run.
struct ScheduleSection {
  llvm::SmallVector<unsigned> statements;
  std::vector<ScheduleGroup> groups;
  std::vector<const Finding *> temporaries;

  /// Whether a nest that is drawn has the statement as one of its lines.
  bool isDrawn(unsigned statement, const DefExplanation &def) const;
};

/// The sections of a def, each where its first statement is. Of MLIR, which has
/// no statements, `def` is null and all there is one section.
std::vector<ScheduleSection> makeSections(const DefExplanation *def,
                                          llvm::ArrayRef<Finding> findings);

/// The section for people, `indent` blanks from the left: its nests with what
/// they take, bytes between the levels of memory, temporaries, and the next
/// best schedules.
void printSection(llvm::raw_ostream &os, const ScheduleSection &section,
                  const DefExplanation *def, unsigned indent);

/// The same as the value of the member `groups`: docs/reference has the form.
void printSections(llvm::json::OStream &json,
                   llvm::ArrayRef<ScheduleSection> sections,
                   const DefExplanation *def, const Sources &sources);

} // namespace ein

#endif // EIN_DRIVER_SCHEDULE_H
