//===- EinDialect.h - The ein dialect and its ops ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_EINDIALECT_H
#define EIN_IR_EINDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "ir/EinDialect.h.inc"
#include "ir/Schedule.h"

#define GET_ATTRDEF_CLASSES
#include "ir/EinAttrs.h.inc"

#define GET_OP_CLASSES
#include "ir/EinOps.h.inc"

namespace ein {

/// Whether values of `from` can be converted to `to` without loss.
bool widensTo(mlir::Type from, mlir::Type to);

/// Whether groups of inputs are as `path` of `ein.einsum` has them.
llvm::LogicalResult verifyGroups(mlir::Operation *op, mlir::ArrayAttr groups,
                                 unsigned numInputs);

struct DimTerm {
  unsigned dim;
  int64_t coefficient;
};
/// What a subscript of `ein.product` is a sum of, by dim; nothing if it is
/// something else.
std::optional<llvm::SmallVector<DimTerm, 2>>
getDimTerms(mlir::AffineExpr subscript);

} // namespace ein

#endif // EIN_IR_EINDIALECT_H
