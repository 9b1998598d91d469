//===- Distribution.h - Programs, as many ranks see them --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a def, and its sizes. Comes out: the statements that are planned for
// many ranks (distribute/Program.h), and what they are called. A product of
// three factors or more is one statement, whose factors are gathered, or a
// statement for each step of its order: whichever is predicted to be faster.
// One whose order has slices is planned by itself: slices over ranks first.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_DISTRIBUTION_H
#define EIN_DRIVER_DISTRIBUTION_H

#include "distribute/Slices.h"
#include "driver/Compiler.h"

namespace ein {

/// A planned statement, and what it is made of.
struct DistributedStep {
  const Statement *statement;
  /// Of the product's order, if it is one of its steps: `ik,kl->il`.
  std::string step;
  std::vector<std::string> loops;
};

/// A statement in slices, which is planned by itself.
struct DistributedSlices {
  const Statement *statement;
  distribute::SlicedProgram program;
  /// What is sliced: `8 of i`.
  std::string parts;
  std::vector<std::string> steps; // one per statement of a slice
  distribute::SlicedPlan plan;
};

/// How many ranks there are, and in how many parts the loops of the only
/// statement are cut, if that was said.
struct RankCounts {
  int64_t ranks;
  distribute::Grid grid;
};
/// Of the text of DistributionOptions, which is not empty.
RankCounts countRanks(const DistributionOptions &options);

struct DistributedDef {
  distribute::Program program;
  std::vector<DistributedStep> steps; // one per statement of the program
  std::vector<std::string> arrays;    // their names
  std::vector<DistributedSlices> slices;
  distribute::ProgramPlan plan;
};

/// The plan of a def for the ranks that `options` name. Sizes that are not
/// bound, too little memory, and a grid of something else are reported.
llvm::FailureOr<DistributedDef>
planDef(const Def &def, const CompileOptions &options, DiagnosticEngine &diags);

/// Reports the plan of each public def.
llvm::LogicalResult reportDistribution(const Program &program,
                                       const CompileOptions &options,
                                       DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_DRIVER_DISTRIBUTION_H
