//===- MachineOptions.td - Options that name a machine -----*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Those of every pass that asks for prices; MachineOptions.h has those of
// pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_MACHINEOPTIONS_TD
#define EIN_PASSES_SELECT_MACHINEOPTIONS_TD

include "mlir/Pass/PassBase.td"

defvar machineOptions = [
  Option<"triple", "triple", "std::string", "",
         "target triple; empty for the host">,
  Option<"cpu", "cpu", "std::string", "",
         "target CPU; empty for the host's, or generic with a triple">,
  Option<"features", "features", "std::string", "",
         "target features, as +x,-y">,
  Option<"sveBits", "sve-vector-bits", "unsigned", "0",
         "how long SVE's vectors are; 0: as the CPU's">,
  Option<"machine", "machine", "std::string", "",
         "a file with what the machine takes for what; empty for the "
         "table's, by the CPU">
];

#endif // EIN_PASSES_SELECT_MACHINEOPTIONS_TD
