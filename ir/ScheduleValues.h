//===- ScheduleValues.h - Values of facts as text ----------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_SCHEDULEVALUES_H
#define EIN_IR_SCHEDULEVALUES_H

#include "ir/Schedule.h"
#include "mlir/IR/OpImplementation.h"
#include <limits>

namespace ein {

inline constexpr int64_t kAny = std::numeric_limits<int64_t>::max();

mlir::ParseResult parseNumber(mlir::AsmParser &parser, int64_t least,
                              int64_t most, int64_t &number);
/// `d3: 16`, or `d3`, which leaves `size` as it is.
mlir::ParseResult parseSizedDim(mlir::AsmParser &parser, int64_t least,
                                int64_t most, int64_t &dim, int64_t &size);
void printDims(mlir::ArrayRef<int64_t> dims, llvm::raw_ostream &os);
/// `[d3, d1]`, each once.
mlir::ParseResult parseDims(mlir::AsmParser &parser,
                            mlir::SmallVector<int64_t> &dims);
/// `[d1: 4096, d0]`: each loop once.
mlir::ParseResult parseLoops(mlir::AsmParser &parser, Schedule &schedule);
void printLoops(const Schedule &schedule, llvm::raw_ostream &os);
/// `[[d0, d2] whole, in_place]`.
mlir::ParseResult parseCopies(mlir::AsmParser &parser, Schedule &schedule);
void printCopies(const Schedule &schedule, llvm::raw_ostream &os);
/// `[packed, in_place]`.
mlir::ParseResult parseOperands(mlir::AsmParser &parser, Schedule &schedule);
void printOperands(const Schedule &schedule, llvm::raw_ostream &os);
mlir::ParseResult parseJoined(mlir::AsmParser &parser, Schedule &schedule);
void printJoined(const Schedule &schedule, llvm::raw_ostream &os);

} // namespace ein

#endif // EIN_IR_SCHEDULEVALUES_H
