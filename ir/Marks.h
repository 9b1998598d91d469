//===- Marks.h - What passes leave on ops for later ones --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of ir/Marks.td. The names are constants of EinDialect.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_MARKS_H
#define EIN_IR_MARKS_H

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace ein {

struct Mark {
  llvm::StringLiteral name;
  llvm::StringLiteral value;
  bool (*isValue)(mlir::Attribute);
  llvm::StringLiteral carrier;
  bool (*isCarrier)(mlir::Operation *);
  /// The name of the level from which on no op has it; empty if it stays.
  llvm::StringLiteral goneAt;
};

llvm::ArrayRef<Mark> getMarks();
/// The mark of that name; null if there is none.
const Mark *lookupMark(llvm::StringRef name);

} // namespace ein

#endif // EIN_IR_MARKS_H
