//===- MachineAttrs.h - Facts of the machine on a module --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the lowering to LLVM has to know of the machine. Whoever runs it writes
// these attributes, beside the data layout; the passes read nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SCHEDULE_MACHINEATTRS_H
#define EIN_PASSES_SCHEDULE_MACHINEATTRS_H

#include "abi/VectorInstructions.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace ein {

mlir::Attribute toAttr(mlir::MLIRContext *context,
                       const VectorInstructions &instructions);
/// Those of the module round `op`; the least there can be if it has none.
VectorInstructions getInstructions(mlir::Operation *op);

} // namespace ein

#endif // EIN_PASSES_SCHEDULE_MACHINEATTRS_H
