//===- MachineChoice.cpp - Which machine a pass is told of ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/select/MachineChoice.h"
#include "target/Target.h"

using namespace mlir;

namespace ein {

FailureOr<TargetInfo> findTarget(Operation *op, const MachineChoice &choice) {
  bool isHost = choice.triple.empty() && choice.cpu.empty() &&
                choice.features.empty() && choice.sveBits == 0;
  llvm::Expected<TargetInfo> found =
      isHost ? getHostTarget()
             : getTarget(choice.triple, choice.cpu, choice.features,
                         choice.sveBits);
  if (!found)
    return op->emitError() << llvm::toString(found.takeError());
  if (!choice.machine.empty()) {
    llvm::Expected<MachineModel> model = readMachineFile(choice.machine);
    if (!model)
      return op->emitError() << llvm::toString(model.takeError());
    useMachine(*found, *model);
  }
  return std::move(*found);
}

} // namespace ein
