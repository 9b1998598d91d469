//===- MemrefRoots.h - Which memrefs can be tensors -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A *root* is memory that nothing else in the function is a part of: an
// argument, as no array that is written overlaps another one, an allocation, a
// constant, or the buffer of a tensor. Every other memref is a view of a root,
// or of memory that cannot be told.
//
// A root can be a tensor if every op that touches it, or a view of it, can be
// said of a value: what reads and writes it, and where. One op in which it is
// not so, such as a call of an external function, keeps the root in memory, and
// with it the roots that structured ops use together with it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SOURCE_MEMREFROOTS_H
#define EIN_PASSES_SOURCE_MEMREFROOTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace ein {

/// The memref that `op` makes another view of; null if it makes none that a
/// tensor has, too.
mlir::Value getViewed(mlir::Operation *op);

/// Whether `op` says of whole operands what it makes of them, and some of these
/// are memrefs.
bool isStructuredOnMemrefs(mlir::Operation *op);

/// Whether a kernel can take a memref of this type. What a view entry passes
/// has no offset of its own, and strides that are found when it is called;
/// those of the type that are known have to be a contiguous array's, because
/// the plain C function takes one.
bool isKernelLayout(mlir::MemRefType type);

/// The roots of one function, and which of them are lifted to tensors.
class MemrefRoots {
public:
  explicit MemrefRoots(mlir::func::FuncOp function);

  /// What `memref` is a view of; null if that cannot be told.
  mlir::Value getRoot(mlir::Value memref) const { return roots.lookup(memref); }
  bool isLifted(mlir::Value memref) const {
    return lifted.contains(getRoot(memref));
  }
  /// The lifted roots that are defined outside of `op` and written in it, in
  /// the order in which they are written.
  llvm::SmallVector<mlir::Value> getWritten(mlir::Operation *op) const;
  /// Why a root that a structured op uses stays in memory, and where.
  struct Refusal {
    mlir::Value root;
    mlir::Operation *op;
    llvm::StringRef reason;
  };
  llvm::ArrayRef<Refusal> getRefusals() const { return refusals; }

private:
  void findRoots(mlir::func::FuncOp function);
  void visit(mlir::Operation *op);
  void visitStructured(mlir::Operation *op);
  void addWrite(mlir::Value memref, mlir::Operation *op);
  void keep(mlir::Value memref, mlir::Operation *op, llvm::StringRef reason);
  void decide();

  llvm::DenseMap<mlir::Value, mlir::Value> roots;
  llvm::SmallVector<mlir::Value> ordered;
  /// Roots that structured ops use, roots that stay, pairs that one op uses.
  llvm::DenseSet<mlir::Value> wanted;
  llvm::DenseMap<mlir::Value, Refusal> kept;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> ties;
  llvm::DenseMap<mlir::Operation *, llvm::SetVector<mlir::Value>> writtenIn;
  llvm::SetVector<mlir::Value> lifted;
  llvm::SmallVector<Refusal> refusals;
};

} // namespace ein

#endif // EIN_PASSES_SOURCE_MEMREFROOTS_H
