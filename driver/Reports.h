//===- Reports.h - What was decided, and why --------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes say what they decide as MLIR remarks, each of a category; without a
// report that is asked for nobody listens, and nothing is formatted. A report
// is the remarks of its category, carried by the same records as errors: so
// `--diagnostics json` and the tests' `expected-remark` have them too.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_REPORTS_H
#define EIN_DRIVER_REPORTS_H

#include "driver/Compiler.h"
#include "driver/DocumentForms.h"
#include "driver/Path.h"
#include "frontend/program/Program.h"
#include "frontend/source/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "target/Target.h"

namespace ein {

/// The place in `file` that a location of the IR comes from, which was read as
/// `rewritten`, if that is given.
SourceRange getRange(const Sources &file, mlir::Location loc,
                     const RewrittenText *rewritten = nullptr);

/// Has remarks of the categories `options.reports` become diagnostics, and
/// `findings`, which have their facts as well. They name the CPU, if there is
/// one behind `variant` when they are made.
void reportRemarks(mlir::MLIRContext &context, const Sources &file,
                   const CompileOptions &options, DiagnosticEngine &diags,
                   std::vector<Finding> &findings,
                   const TargetInfo *const *variant,
                   const RewrittenText *rewritten = nullptr);

/// `--report path`.
void reportPaths(const Program &program, const ContractionOrderOptions &order,
                 const PathQualities &qualities, DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_DRIVER_REPORTS_H
