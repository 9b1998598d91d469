//===- SelectGroups.h - Several steps of k by one instruction ---*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of `ein-select-schedule` that decides on `Schedule::kPack`.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTGROUPS_H
#define EIN_PASSES_SELECT_SELECTGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/select/Candidates.h"
#include "passes/select/SelectSchedule.h"
#include "target/DotProducts.h"

namespace ein {

/// The instruction for a product of matrices of narrow numbers, if the machine
/// has one, of tiles or of vectors; the schedule's members for groups of k say
/// so then.
std::optional<DotProduct> selectGroups(mlir::linalg::LinalgOp op,
                                       const TargetInfo &target,
                                       DotRegisters registers,
                                       Schedule &schedule);

/// The same for products that a reduction along rows adds up, of as many
/// neighbours as the schedule's `widening` says then; false if there is none.
bool selectProductsOfRows(mlir::linalg::LinalgOp op, const TargetInfo &target,
                          Schedule &schedule);

/// The same for a sum of groups whose vectors lie along the result.
bool selectProductsOfGroups(mlir::linalg::LinalgOp op, const TargetInfo &target,
                            Schedule &schedule);

/// Of what sums up windows, copies of what it reads by which vectors of its
/// result lie along memory or its products are of groups, and what it takes
/// then with them.
std::vector<Candidate> listCopiedSums(mlir::linalg::LinalgOp op,
                                      const TargetInfo &target,
                                      const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTGROUPS_H
