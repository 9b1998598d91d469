//===- EmitNamed.h - Named ops from statements ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_EMITNAMED_H
#define EIN_IR_EMITNAMED_H

#include "frontend/program/Program.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ein {

/// The op of linalg that the statement was written as, in place of `generic`,
/// which is what the statement says: if it is proved to mean the same. Null,
/// and `generic` is kept, otherwise. `inputs` are the op's.
mlir::Operation *replaceByNamedOp(const NamedOp &op,
                                  mlir::linalg::GenericOp generic,
                                  mlir::ValueRange inputs);

} // namespace ein

#endif // EIN_IR_EMITNAMED_H
