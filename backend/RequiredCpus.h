//===- RequiredCpus.h - Which CPU the code of a file needs ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All instructions of a file are read, whoever made it. What is found is what a
// CPU must have to run any of them: code that asks the CPU first, as libraries
// of several levels do, runs on less. So it is said which functions need what.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_REQUIREDCPUS_H
#define EIN_BACKEND_REQUIREDCPUS_H

#include "target/RequiredFeatures.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ein {

/// The functions that need a level, or a feature beyond their level.
struct CpuUse {
  std::string need;
  /// Those of the level that they use; none where `need` is a feature.
  FeatureNames features;
  std::vector<std::string> functions;
};

/// The code for one of several CPUs, among which other functions choose.
struct VariantCpu {
  std::string cpu;
  RequiredCpu needs;
  size_t numFunctions = 0;
};

/// The code of a file for one architecture.
struct RequiredCpus {
  std::string architecture;
  /// Why its instructions are not read; the rest is empty then.
  std::string unknown;
  /// For all functions that are no variant's or the first CPU's, and for the
  /// bytes of none, which may be data.
  RequiredCpu functions, outside;
  std::vector<VariantCpu> variants;
  /// Whether those bytes need more than the functions.
  bool isOutsideHigher = false;
  std::vector<CpuUse> uses;
  size_t numFunctions = 0;
  /// Of code, of those the ones in no function, and those that are no
  /// instructions.
  uint64_t numBytes = 0, numOutside = 0, numUnread = 0;
};

/// Those of an object, a library of either kind or an executable; none if there
/// is no code in it. Among the code for `cpus`, functions choose when they run
/// (CpuDispatch.h); where it has no names any more, it is as all other code.
llvm::Expected<std::vector<RequiredCpus>>
readRequiredCpus(llvm::StringRef path, llvm::ArrayRef<std::string> cpus = {});

} // namespace ein

#endif // EIN_BACKEND_REQUIREDCPUS_H
