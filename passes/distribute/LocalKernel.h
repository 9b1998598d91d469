//===- LocalKernel.h - A structured op as a function of its own -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DISTRIBUTE_LOCALKERNEL_H
#define EIN_PASSES_DISTRIBUTE_LOCALKERNEL_H

#include "passes/distribute/SliceNest.h"
#include "llvm/ADT/SetVector.h"

namespace ein {

/// The scalar arguments of the function on which what the op computes depends,
/// beside its tensors; an error at the op if it depends on other tensors.
mlir::LogicalResult collectScalars(mlir::linalg::LinalgOp op,
                                   mlir::func::FuncOp function,
                                   const Signature &signature,
                                   llvm::SetVector<unsigned> &scalars);

/// The same of loops over slices.
mlir::LogicalResult collectScalars(const SliceNest &nest,
                                   mlir::func::FuncOp function,
                                   const Signature &signature,
                                   llvm::SetVector<unsigned> &scalars);

/// What a kernel's argument is: the elements' type, and the extents over the
/// loops' (none for a scalar).
struct KernelArgument {
  ElementType type;
  mlir::AffineMap dims;
};

/// Makes `name`, which has the op on blocks, after `function`. `arguments` are
/// the op's tensors that are read, then the scalars, then what is written.
void createLocalKernel(mlir::linalg::LinalgOp op, mlir::func::FuncOp function,
                       const Signature &signature, const Extents &extents,
                       llvm::ArrayRef<unsigned> scalars,
                       llvm::ArrayRef<KernelArgument> arguments,
                       llvm::StringRef name);

/// The same of loops over slices, which go through those of a part.
void createLocalKernel(const SliceNest &nest, mlir::func::FuncOp function,
                       const Signature &signature, const Extents &extents,
                       llvm::ArrayRef<unsigned> scalars,
                       llvm::ArrayRef<KernelArgument> arguments,
                       llvm::StringRef name);

} // namespace ein

#endif // EIN_PASSES_DISTRIBUTE_LOCALKERNEL_H
