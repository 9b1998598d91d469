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
/// beside its tensors and those that its body reads; false if it depends on
/// other tensors.
bool collectScalars(mlir::linalg::LinalgOp op, mlir::func::FuncOp function,
                    const Signature &signature,
                    llvm::SetVector<unsigned> &scalars);

/// The tensors from which the op's body takes elements.
llvm::SetVector<mlir::Value> getBodyTensors(mlir::linalg::LinalgOp op);

/// Whether the operand is there for its shape alone.
bool isShapeOnly(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);

/// What makes a value of ops that are not cut: all of it, from arrays.
struct WholeSlice {
  /// In order.
  llvm::SetVector<mlir::Operation *> ops;
  /// The tensors that are arrays, and the scalar arguments.
  llvm::SetVector<mlir::Value> inputs;
  llvm::SetVector<unsigned> scalars;
};

/// None if the ops do more than make values. `isArray` says where to stop.
std::optional<WholeSlice>
collectWhole(mlir::Value value, mlir::func::FuncOp function,
             const Signature &signature,
             llvm::function_ref<bool(mlir::Value)> isArray);

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

/// Makes `name`, which makes all of `value`, after `function`.
void createWholeKernel(mlir::Value value, const WholeSlice &slice,
                       mlir::func::FuncOp function, const Signature &signature,
                       const Extents &extents,
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
