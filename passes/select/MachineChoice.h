//===- MachineChoice.h - Which machine a pass is told of --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_MACHINECHOICE_H
#define EIN_PASSES_SELECT_MACHINECHOICE_H

#include "mlir/IR/Operation.h"
#include <string>

namespace ein {

struct TargetInfo;

/// As options of passes name it; all empty: the host.
struct MachineChoice {
  std::string triple, cpu, features;
  unsigned sveBits = 0;
  /// A file with a model.
  std::string machine;
};

/// Says at `op` what is wrong with it.
mlir::FailureOr<TargetInfo> findTarget(mlir::Operation *op,
                                       const MachineChoice &choice);

} // namespace ein

#endif // EIN_PASSES_SELECT_MACHINECHOICE_H
