//===- IndexNames.h - What the source calls the loops of an op --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports speak of `m` and `k`, the IR of d0 and d2. The names travel with the
// location, as the metadata of a fused one, since they are about the source and
// nothing may depend on them: whoever renumbers dims either renumbers the names
// or leaves them off.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_INDEXNAMES_H
#define EIN_IR_INDEXNAMES_H

#include "mlir/IR/Location.h"

namespace ein {

/// `loc` of an op whose loops are called so, in order.
mlir::Location withIndexNames(mlir::Location loc,
                              llvm::ArrayRef<std::string> names);

/// The location of an op made of the one at `loc`, whose loop i is that one's
/// loop dims[i].
mlir::Location selectIndexNames(mlir::Location loc,
                                llvm::ArrayRef<unsigned> dims);

/// The location of an op made of the one at `loc`, whose loop i is that one's
/// loops groups[i], one after the other: `(b c)`.
mlir::Location
joinIndexNames(mlir::Location loc,
               llvm::ArrayRef<llvm::SmallVector<unsigned>> groups);

/// The name of each of `numLoops` loops; d0, d1, … where the location says
/// nothing.
llvm::SmallVector<std::string> getIndexNames(mlir::Location loc,
                                             unsigned numLoops);

} // namespace ein

#endif // EIN_IR_INDEXNAMES_H
