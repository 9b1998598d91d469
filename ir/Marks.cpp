//===- Marks.cpp - What passes leave on ops for later ones ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Marks.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

// The predicates that Marks.td names.

template <typename... AttrTs> static bool isA(Attribute value) {
  return isa<AttrTs...>(value);
}

static bool isI64(Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getType().isSignlessInteger(64);
}

template <typename... OpTs> static bool isOne(Operation *op) {
  return isa<OpTs...>(op);
}

template <typename... DialectTs> static bool isOf(Operation *op) {
  return isa_and_present<DialectTs...>(op->getDialect());
}

namespace ein {

#define GET_Marks_IMPL
#include "ir/Marks.inc"

ArrayRef<Mark> getMarks() { return Marks; }

const Mark *lookupMark(StringRef name) {
  const Mark *mark =
      llvm::find_if(Marks, [&](const Mark &mark) { return mark.name == name; });
  return mark == std::end(Marks) ? nullptr : mark;
}

LogicalResult EinDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName();
  const Mark *mark = lookupMark(name);
  if (!mark)
    return op->emitOpError("has `") << name << "`, which einc does not know";
  if (!mark->isCarrier(op))
    return op->emitOpError("has `")
           << name << "`, which belongs on " << mark->carrier;
  if (!mark->isValue(attribute.getValue()))
    return op->emitOpError("has an `")
           << name << "` that is not " << mark->value;
  return success();
}

LogicalResult EinDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned position,
                                                   NamedAttribute attribute) {
  return op->emitOpError("has `")
         << attribute.getName().strref() << "` on argument #" << position
         << ", and no argument has attributes of einc";
}

LogicalResult EinDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned position, NamedAttribute attribute) {
  return op->emitOpError("has `")
         << attribute.getName().strref() << "` on result #" << position
         << ", and no result has attributes of einc";
}

} // namespace ein
