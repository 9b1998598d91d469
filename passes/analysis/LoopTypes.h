//===- LoopTypes.h - What the loops of an op are ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A structured op declares loops that are parallel and loops that reduce. The
// document of linalg names more types: loops that are permutable, that can be
// partitioned, that are sequential. Here is which of them a loop is by what its
// points read and write, whatever the op declares.
//
//  * parallel: no two of its points write one element, or read what the other
//    writes;
//  * reduction: its points combine their values into an element that they
//  share;
//  * sequential: any other;
//  * permutable: it may change places with each other loop of the op;
//  * partition: its range may be cut into parts that are computed by
//  themselves,
//    of a reduction into partial results that are combined at the end.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_LOOPTYPES_H
#define EIN_PASSES_ANALYSIS_LOOPTYPES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace ein {

struct LoopType {
  enum Kind { Parallel, Reduction, Sequential };
  Kind kind = Sequential;
  bool isPermutable = false;
  bool isPartition = false;
  /// What the op says it is, if that is another one.
  std::optional<Kind> declared = std::nullopt;
};

/// Of each loop of a structured op or an `ein.contract`.
llvm::SmallVector<LoopType> getLoopTypes(mlir::Operation *op);

/// `parallel={m,n} reduction={k} permutable={m,n,k} partition={m,n,k}`.
std::string printLoopTypes(llvm::ArrayRef<LoopType> types,
                           llvm::ArrayRef<std::string> names);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_LOOPTYPES_H
