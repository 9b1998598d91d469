//===- CpuDispatch.h - One object for several CPUs --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each CPU has all of the program, compiled as for it alone: `mm.x86-64-v3`,
// which no other file sees. What callers see, `mm`, is a few instructions for
// the oldest of the CPUs: they jump to the code for the most capable CPU whose
// features the machine has. Which that is, the first call finds out, for all
// functions of the object.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_CPUDISPATCH_H
#define EIN_BACKEND_CPUDISPATCH_H

#include "target/MachineFeatures.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace ein {

/// The function that asks the machine what it has.
inline constexpr char kRunnableCpus[] = "__ein_get_runnable_cpus";

/// `mm.x86-64-v3` of `mm`.
std::string getVariantName(llvm::StringRef function, llvm::StringRef cpu);

/// Gives the functions that callers see the names of a variant, before it is
/// optimised. A table of such functions stays in the oldest one only, and names
/// those that choose.
void nameVariant(llvm::Module &module, llvm::StringRef cpu, bool isOldest);

/// The functions that choose, for the entries of `variant`, the oldest, as
/// `nameVariant` leaves it. `cpus` are as `orderCpus` leaves them, `source` is
/// named in messages. If the code is `executable`, it has the tables of
/// abi/Signature.h that its main reads as well.
std::unique_ptr<llvm::Module> createDispatcher(const llvm::Module &variant,
                                               llvm::ArrayRef<TestedCpu> cpus,
                                               llvm::StringRef source,
                                               bool executable,
                                               llvm::TargetMachine &machine);

/// Adds a variant to the dispatcher, after both were optimised. What only it
/// sees gets its CPU's name.
llvm::Error addVariant(llvm::Module &dispatcher,
                       std::unique_ptr<llvm::Module> variant,
                       llvm::StringRef cpu);

} // namespace ein

#endif // EIN_BACKEND_CPUDISPATCH_H
