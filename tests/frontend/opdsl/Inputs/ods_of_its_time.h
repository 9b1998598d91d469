//===- ods_of_its_time.h - What `--emit ods` leans on -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C++ of the Linalg document is of 2020. Here is what MLIR has had to go
// without since, so that the rest is compiled against the installed headers:
// the base class, the intrinsics, and two functions that needed no context.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include <optional>

namespace llvm {
template <typename T> using Optional = std::optional<T>;
} // namespace llvm

namespace of_its_time {

using llvm::APFloat;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::AffineExpr;
using mlir::BlockArgument;
using mlir::IntegerType;
using mlir::MLIRContext;
using mlir::Type;
using mlir::Value;
using mlir::ValueRange;

struct AffineMap {
  static AffineMap get(unsigned, unsigned, ArrayRef<AffineExpr>);
  static AffineMap get(unsigned, unsigned, MLIRContext *);
};

struct FloatType {
  static Type getF32(MLIRContext *context) {
    return mlir::Float32Type::get(context);
  }
};

struct NamedStructuredOp {
  MLIRContext *getContext();
  StringRef getParallelIteratorTypeName();
  StringRef getReductionIteratorTypeName();
  llvm::Optional<SmallVector<StringRef, 8>> referenceIterators();
  llvm::Optional<SmallVector<AffineMap, 8>> referenceIndexingMaps();
  void regionBuilder(ArrayRef<BlockArgument> args);
};

namespace edsc::intrinsics {
Value std_addf(Value, Value);
Value std_mulf(Value, Value);
Value std_maxf(Value, Value);
Value std_exp(Value);
Value std_sitofp(Value, Type);
void linalg_yield(ValueRange);
} // namespace edsc::intrinsics

struct batchmatmul : NamedStructuredOp {
  llvm::Optional<SmallVector<StringRef, 8>> referenceIterators();
  llvm::Optional<SmallVector<AffineMap, 8>> referenceIndexingMaps();
  void regionBuilder(ArrayRef<BlockArgument> args);
};
struct flipped : NamedStructuredOp {
  llvm::Optional<SmallVector<StringRef, 8>> referenceIterators();
  llvm::Optional<SmallVector<AffineMap, 8>> referenceIndexingMaps();
  void regionBuilder(ArrayRef<BlockArgument> args);
};
struct matmul : NamedStructuredOp {
  llvm::Optional<SmallVector<StringRef, 8>> referenceIterators();
  llvm::Optional<SmallVector<AffineMap, 8>> referenceIndexingMaps();
  void regionBuilder(ArrayRef<BlockArgument> args);
};
struct pooling : NamedStructuredOp {
  llvm::Optional<SmallVector<StringRef, 8>> referenceIterators();
  llvm::Optional<SmallVector<AffineMap, 8>> referenceIndexingMaps();
  void regionBuilder(ArrayRef<BlockArgument> args);
};

} // namespace of_its_time
