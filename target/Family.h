//===- Family.h - One family of machines ------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a file such as X86.cpp provides. A new family is one such file and its
// line in the table of Target.cpp; the first family that matches a triple
// answers for it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_FAMILY_H
#define EIN_TARGET_FAMILY_H

#include "target/Target.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/TargetParser/Triple.h"

namespace ein {

/// Whether the target has an LLVM feature, by its cpu or by its flags.
using HasFeature = llvm::function_ref<bool(llvm::StringRef)>;

/// What register tiles there can be.
struct RegisterLimits {
  /// Registers for a tile and the row of B that it is multiplied by; the others
  /// are for elements of A, and what else an instruction needs.
  unsigned registers;
  /// The widest row, where there are rows enough.
  unsigned maxVectors;
};

struct Family {
  /// What `einc targets` calls it.
  llvm::StringRef name;
  bool (*matches)(const llvm::Triple &triple);
  /// The machine model that stands for all with these features.
  llvm::StringRef (*getMachine)(HasFeature has);
  /// Fills in registers. The machine model is there, and the `sveBits` that
  /// were asked for.
  void (*describe)(HasFeature has, TargetInfo &target);
  RegisterLimits (*getRegisterLimits)(const TargetInfo &target);
};

/// The tiles that take the least time for C of so many rows and columns, each
/// element of which has `sums` accumulators.
MicroKernels selectMicroKernels(const RegisterLimits &limits, unsigned lanes,
                                std::optional<int64_t> rows,
                                std::optional<int64_t> columns,
                                unsigned sums = 1);
/// All that the registers hold, each with the edge that suits it, those first
/// that should take the least time; none where C has few columns.
std::vector<MicroKernels> listMicroKernels(const RegisterLimits &limits,
                                           unsigned lanes,
                                           std::optional<int64_t> rows,
                                           std::optional<int64_t> columns,
                                           unsigned sums);

Family getX86Family();
Family getAArch64Family();
/// Matches every triple.
Family getGenericFamily();

} // namespace ein

#endif // EIN_TARGET_FAMILY_H
