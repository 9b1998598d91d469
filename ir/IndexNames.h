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
// What a tensor is called is a NameLoc inside of that. An op that does what
// several statements say keeps the place of one of them, which is what line
// tables have, and lists the others in the metadata.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_INDEXNAMES_H
#define EIN_IR_INDEXNAMES_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

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

/// `loc` of an op whose result is called so.
mlir::Location withTensorName(mlir::Location loc, llvm::StringRef name);

/// `loc` of the op that computes the part `number` of its result, from 0 on, of
/// which others make that: `D.1`, `D.2`, …
mlir::Location ofTensorPart(mlir::Location loc, unsigned number);

/// What the result of an op at `loc` is called; empty where that says nothing.
llvm::StringRef getTensorName(mlir::Location loc);

/// What the source calls a tensor, or the one that it is a part of: an argument
/// of a function by its signature, else by the op that computes it. Empty where
/// nobody knows.
std::string getTensorName(mlir::Value value);

/// `loc` of an op that also does what one at `other` did.
mlir::Location withPlacesOf(mlir::Location loc, mlir::Location other);

/// The lines that an op at `loc` comes from: its own first, then those of
/// `withPlacesOf`, each once.
llvm::SmallVector<mlir::FileLineColLoc> getPlaces(mlir::Location loc);

} // namespace ein

#endif // EIN_IR_INDEXNAMES_H
