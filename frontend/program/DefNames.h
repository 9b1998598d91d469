//===- DefNames.h - The names of a def, found fast --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A def has tables without names. Who asks about the name of every index, in a
// def with thousands of tensors, asks here.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PROGRAM_DEFNAMES_H
#define EIN_FRONTEND_PROGRAM_DEFNAMES_H

#include "frontend/program/Program.h"
#include "llvm/ADT/StringMap.h"

namespace ein {

/// The names of sizes and tensors. The def may get more of both meanwhile.
class DefNames {
public:
  explicit DefNames(const Def &def) : def(def) {}
  DefNames(const DefNames &) = delete;

  /// A size that is not bound.
  bool isDynamicSize(llvm::StringRef name);
  /// A tensor without dims.
  bool isScalar(llvm::StringRef name);
  bool isTaken(llvm::StringRef name);

  /// The index's name, where sizes are named beside it: with `_` if there is a
  /// size of that name, which statements without a def may have. Labels keep
  /// theirs.
  std::string getNameBesideSizes(const Statement &statement, IndexId id);

private:
  struct Entry {
    SymbolId symbol;
    TensorId tensor;
  };
  /// Both are invalid if nothing is called so.
  Entry find(llvm::StringRef name);

  const Def &def;
  size_t numSymbols = 0, numTensors = 0; // in `entries`
  llvm::StringMap<Entry> entries;
};

} // namespace ein

#endif // EIN_FRONTEND_PROGRAM_DEFNAMES_H
