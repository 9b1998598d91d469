//===- Calibrate.h - What this machine takes for what -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_CALIBRATE_H
#define EIN_BACKEND_CALIBRATE_H

#include "target/MachineModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace ein {
struct TargetInfo;

struct Calibration {
  MachineModel machine;
  /// The keys whose numbers were measured; the others are those of the table.
  std::set<std::string> measured;
  /// What the machine was asked: sizes of caches, by the C library.
  std::set<std::string> asked;
  /// What did not fit together and was made to, in words.
  std::vector<std::string> adjusted;
};

/// Measures the machine that this process runs on, which code for `target` can
/// be loaded into, for about `seconds`; less than 2 say little. `progress` gets
/// the part that is done, from 0 to 1.
llvm::Expected<Calibration>
calibrate(const TargetInfo &target, double seconds,
          llvm::function_ref<void(double)> progress);

/// The model as a file, each number with where it is from.
std::string printCalibration(const Calibration &calibration,
                             const TargetInfo &target);

} // namespace ein

#endif // EIN_BACKEND_CALIBRATE_H
