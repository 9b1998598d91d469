//===- PlainCode.h - What a module means, as code ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Validation executes what each pass leaves. A copy of the module is compiled
// by the pipeline `ein-plain`, which has no choices to make, and loaded.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_PLAINCODE_H
#define EIN_DRIVER_PLAINCODE_H

#include "abi/Signature.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>

namespace mlir {
class PassManager;
} // namespace mlir

namespace ein {
struct TargetInfo;
class LoadedCode;
namespace runtime {
class Invocation;
} // namespace runtime

/// Tells the lowering to LLVM what it has to know of the machine.
void setMachineAttrs(mlir::ModuleOp module, const TargetInfo &target);

/// The object file of a copy of `module`, whatever its level, with the uniform
/// entries of abi/Signature.h; or why it cannot be lowered.
llvm::Expected<llvm::SmallVector<char, 0>>
compilePlainly(mlir::ModuleOp module, const TargetInfo &target);

/// Has `visit` called with each module that a pass of `passes` leaves and that
/// is not as the pass found it, and first with the one that the first pass
/// finds, whose `pass` is empty. `passes` has to run in one thread.
void visitStates(
    mlir::PassManager &passes,
    std::function<void(mlir::ModuleOp module, llvm::StringRef pass)> visit);

/// Runs the entry `name` of `code` on the arguments of `call`, whose outputs
/// are overwritten. A crash of the code is an error like others. False with a
/// line of text if there are no results.
bool runEntry(LoadedCode &code, llvm::StringRef name, runtime::Invocation &call,
              std::string &error);

/// `copy` becomes a call with the same sizes and contents of what is read.
bool copyCall(const runtime::Invocation &call, runtime::Invocation &copy,
              std::string &error);

} // namespace ein

#endif // EIN_DRIVER_PLAINCODE_H
