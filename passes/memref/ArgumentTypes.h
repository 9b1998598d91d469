//===- ArgumentTypes.h - What strides a kernel's arguments have -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_MEMREF_ARGUMENTTYPES_H
#define EIN_PASSES_MEMREF_ARGUMENTTYPES_H

#include "mlir/IR/BuiltinTypes.h"

namespace ein {

/// Of an array of that shape: any strides but the last, which is one.
mlir::MemRefType getArgumentType(mlir::ShapedType array,
                                 mlir::Attribute memorySpace);

} // namespace ein

#endif // EIN_PASSES_MEMREF_ARGUMENTTYPES_H
