//===- MachineModel.h - How long machines take for what ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: what code costs differs from machine to machine by a factor of two
// and more, and numbers in passes are those of the machine that they were
// measured on.
//
// Choice: a machine is a list of numbers with names (MachineFields.def) and a
// text form, `key = value`. The table of machines is a folder of such files,
// target/machines, in which each number has its source. A user's file is of the
// same form: `einc targets --calibrate` writes one, `--machine` reads it.
//
// Consequence: a new CPU is a new file, and no line of C++.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_MACHINEMODEL_H
#define EIN_TARGET_MACHINEMODEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ein {

/// A cache by what one core sees of it; all zero if there is none.
struct CacheModel {
  uint64_t bytes = 0;
  uint64_t ways = 0;
  double latency = 0; // cycles
  /// Bytes a cycle; of a copy those that are read and those that are written.
  double read = 0, write = 0, copy = 0;

  /// How many lines with different addresses modulo `sets * line` it holds.
  uint64_t getSets(uint64_t lineBytes) const {
    return ways == 0 ? 0 : bytes / ways / lineBytes;
  }
};

struct MemoryModel {
  double latency = 0;
  double read = 0, write = 0, copy = 0;
  /// Of a copy by stores past the caches; 0 if there are none.
  double stream = 0;
};

struct TlbModel {
  uint64_t entries = 0;
  double miss = 0; // cycles
};

struct MachineModel {
  std::string name;
  /// LLVM's names of the CPUs that it describes.
  std::vector<std::string> cpus;

  double gigahertz = 0;
  double issueWidth = 0;
  double window = 0;
  uint64_t vectorBits = 0, vectorRegisters = 0, portBits = 0;
  double loads = 0, stores = 0, fmas = 0, adds = 0, vectorAlu = 0, shuffles = 0;
  double maskedStore = 0, avxMaskedStore = 0;
  double fmaLatency = 0, addLatency = 0;
  /// Arm's SME: of narrow numbers, each of 512 by 512 bits.
  double outerProducts = 0;

  uint64_t lineBytes = 0, pageBytes = 0;
  CacheModel l1, l2, l3;
  MemoryModel memory;
  TlbModel tlb1, tlb2;

  double call = 0, threadStart = 0;
};

/// What is wrong with a text: where, counted from 1, and in words.
class MachineError : public llvm::ErrorInfo<MachineError> {
public:
  static char ID; // NOLINT(readability-identifier-naming): LLVM reads it
  MachineError(unsigned line, unsigned column, std::string message)
      : line(line), column(column), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  unsigned line, column;
  std::string message;
};

/// Reads the text form. Every key is there once, and the numbers agree: nearer
/// caches are no larger and no slower than farther ones. Else a MachineError.
llvm::Expected<MachineModel> readMachine(llvm::StringRef text);

/// The same of a file, which the error names.
llvm::Expected<MachineModel> readMachineFile(llvm::StringRef path);

/// The text form, which reads back as the same numbers. `getNote` says where a
/// key's number is from; it may be empty.
std::string printMachine(
    const MachineModel &machine,
    llvm::function_ref<std::string(llvm::StringRef key)> getNote = nullptr);

/// The names of the machines in the table, sorted.
std::vector<llvm::StringRef> getMachineNames();
/// One of them, as its file is written; none of another name is asked for.
llvm::StringRef getMachineText(llvm::StringRef name);
const MachineModel &getMachine(llvm::StringRef name);
/// The one that lists the CPU; empty if none does.
llvm::StringRef findMachineName(llvm::StringRef cpu);

} // namespace ein

#endif // EIN_TARGET_MACHINEMODEL_H
