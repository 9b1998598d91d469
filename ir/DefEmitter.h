//===- DefEmitter.h - From one checked def to MLIR --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files that emit a def share; EmitMLIR.cpp says how it is done.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_DEFEMITTER_H
#define EIN_IR_DEFEMITTER_H

#include "frontend/program/Program.h"
#include "frontend/source/SourceFile.h"
#include "ir/EmitScalar.h"
#include "ir/IndexNames.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

mlir::Location getLoc(mlir::MLIRContext *context, const Sources &sources,
                      SourceRange range);
/// Whether the statement is known to have no points. Its slices may start
/// outside of their tensors then, which the slice op does not allow.
bool isEmpty(const Statement &statement);
/// Whether a slice certainly leaves its dim. Accesses do not, so its elements
/// are never read: some range is empty. `tensor.extract_slice` is refused then.
bool isOutside(const Affine &offset, const Affine &extent, const Affine &dim);
/// Of a tensor type: sizes that are constants.
llvm::SmallVector<int64_t> getShape(llvm::ArrayRef<Affine> dims);

/// One access of a statement, in the form that a structured op can take.
struct Operand {
  mlir::Value tensor;  // sliced if need be; a scalar for a rank-0 input
  mlir::AffineMap map; // over the statement's indices
};

/// Where a statement writes: its target, or a slice of that.
struct Place {
  /// Null stands for the tensor that the result is to be put in, whatever is
  /// there.
  mlir::Value soFar;
  llvm::SmallVector<Affine> dims;
};

/// The right side as the body of a structured op sees it.
struct BodyInputs {
  llvm::SmallVector<ExprId> accesses;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::AffineMap> maps; // one per input
  /// Accesses by the number of the input that they are.
  llvm::SmallDenseMap<int32_t, unsigned> argumentOf;
  /// Accesses by their stored value, as far as it is known outside the body.
  llvm::SmallDenseMap<int32_t, mlir::Value> leaves;
};

class DefEmitter {
  friend class InOrderEmitter;

public:
  DefEmitter(const Def &def, mlir::func::FuncOp function,
             const Sources &sources, bool checksGathers, bool keepsOrder)
      : def(def), function(function), checksGathers(checksGathers),
        keepsOrder(keepsOrder), b(function.getLoc(), function.getContext()),
        sources(sources), symbolPositions(getSymbolPositions(def)),
        values(def.tensors.size()) {}

  void run();

private:
  // Sizes.
  mlir::OpFoldResult emitSize(const Affine &affine);
  llvm::SmallVector<mlir::OpFoldResult>
  emitSizes(llvm::ArrayRef<Affine> affines);
  mlir::Value emitMinimum(llvm::ArrayRef<Affine> affines);
  mlir::Value emitScalarAsIndex(TensorId id);
  mlir::Value createTensor(llvm::ArrayRef<Affine> dims, ElementType type) {
    return mlir::tensor::EmptyOp::create(b, emitSizes(dims),
                                         getStorageType(b, type));
  }

  // Statements.
  void emitStatement(const Statement &statement);
  mlir::Value emitUpdate(const Statement &statement, const Place &place);
  mlir::Value emitInit(const Statement &statement, const Place &place,
                       bool isEinsum);
  mlir::Value emitWhole(const Statement &statement);
  mlir::Value emitInOrder(const Statement &statement);
  mlir::Value emitProduct(const Statement &statement, const Product &product,
                          mlir::Value init);
  Operand emitFactor(const Statement &statement, const ProductFactor &factor);
  Operand emitComputed(const Statement &statement, ExprId id, ElementType type);
  void trimSums(const Statement &statement, Operand &operand);
  mlir::Value emitGeneric(const Statement &statement, mlir::Value init);
  mlir::Value emitNamed(const Statement &statement, const Place &place);
  void prepareNamedOperands(const Statement &statement);
  bool emitAggregate(const NamedOp &named,
                     llvm::ArrayRef<Statement> statements);
  void emitSoftmax(const NamedOp &named, llvm::ArrayRef<Statement> statements);
  bool emitRelayout(const NamedOp &named, const Statement &statement);
  mlir::Value emitFill(const Statement &statement, mlir::Value init);
  mlir::Value emitDiagonal(const Statement &statement, mlir::Value init);
  void emitYield(mlir::ImplicitLocOpBuilder &body, const Statement &statement,
                 mlir::Value value, mlir::Value isPoint, mlir::Value soFar);
  void dropConstantDims(Operand &operand);
  void emitDataChecks(const Statement &statement);
  mlir::Value convertTensor(mlir::Value source, ElementType from,
                            ElementType to, mlir::Value destination,
                            bool conjugate = false);
  mlir::Value getDestination(TensorId id);
  mlir::Value castTo(mlir::Value tensor, llvm::ArrayRef<int64_t> shape);
  mlir::Value emitSplit(mlir::Value source, llvm::ArrayRef<Affine> dims,
                        llvm::ArrayRef<unsigned> spans);
  mlir::Value emitMerge(mlir::Value source, llvm::ArrayRef<Affine> dims,
                        llvm::ArrayRef<unsigned> spans);
  mlir::Value emitReshape(const Statement &statement, const Expr &reshape);
  void findMerged();

  // Accesses.
  mlir::Value getOperandValue(TensorId id) {
    mlir::Value operand = namedOperands.lookup(id.value);
    return operand ? operand : values[id.value];
  }
  bool fitsOperand(const Expr &access);
  Operand emitOperand(const Statement &statement, const Expr &access);
  /// Whether a padded access is a window that can be an operand, on a copy of
  /// its tensor that has what is outside.
  bool fitsPadded(const Expr &gather);
  Operand emitPadded(const Statement &statement, const Expr &gather);
  mlir::Value emitAffine(mlir::OpBuilder &body, mlir::Location loc,
                         const Affine &value);
  mlir::Value emitExtract(mlir::OpBuilder &body, mlir::Location loc,
                          const Expr &access);
  llvm::SmallVector<mlir::Value> emitPlaces(mlir::ImplicitLocOpBuilder &body,
                                            const Expr &gather,
                                            const BodyInputs &inputs,
                                            mlir::Value &isInside);
  mlir::Value emitGather(mlir::ImplicitLocOpBuilder &body, const Expr &gather,
                         const BodyInputs &inputs);
  mlir::Value emitIsWrong(mlir::ImplicitLocOpBuilder &body, ExprId id,
                          const BodyInputs &inputs);

  // Bodies.
  void collectAccesses(ExprId id, llvm::SmallVectorImpl<ExprId> &accesses);
  BodyInputs emitInputs(const Statement &statement,
                        llvm::ArrayRef<ExprId> roots, unsigned numOutputDims) {
    llvm::SmallBitVector hasExtent(statement.indices.size());
    hasExtent.set(0, numOutputDims);
    return emitInputs(statement, roots, std::move(hasExtent));
  }
  BodyInputs emitInputs(const Statement &statement,
                        llvm::ArrayRef<ExprId> roots,
                        llvm::SmallBitVector hasExtent);
  void emitLeaves(mlir::ImplicitLocOpBuilder &body, BodyInputs &inputs,
                  mlir::ValueRange arguments);
  mlir::Value emitExpr(mlir::ImplicitLocOpBuilder &body, ExprId id,
                       const BodyInputs &inputs);
  /// The same, converted.
  mlir::Value emitExpr(mlir::ImplicitLocOpBuilder &body, ExprId id,
                       ElementType type, const BodyInputs &inputs) {
    mlir::Value value = emitExpr(body, id, inputs);
    return emitConversion(body, value, def[id].type, type);
  }

  /// Of an op at `range` with loops and a result that are called so.
  mlir::Location getLoc(SourceRange range, TensorId target,
                        llvm::ArrayRef<std::string> indices) {
    return withIndexNames(withTensorName(getLoc(range), def[target].name),
                          indices);
  }
  mlir::Location getLoc(SourceRange range) {
    return ein::getLoc(b.getContext(), sources, range);
  }

  const Def &def;
  mlir::func::FuncOp function;
  bool checksGathers;
  bool keepsOrder;
  mlir::ImplicitLocOpBuilder b;
  /// In what may be evaluated without being meant; no gather may read outside.
  unsigned numGuards = 0;
  const Sources &sources;
  llvm::SmallVector<unsigned> symbolPositions;
  /// The unbound symbols' values, which are the function's trailing arguments,
  /// and those of scalars that are symbols.
  llvm::SmallVector<mlir::Value> symbolValues;
  /// Per tensor, its value after the statements so far; null before the first.
  llvm::SmallVector<mlir::Value> values;
  /// Per result, the argument that is its destination.
  llvm::SmallDenseMap<int32_t, mlir::Value> destinations;
  /// Temporaries that are merged into a result as soon as they are written: by
  /// what, and where they may be put.
  llvm::SmallDenseMap<int32_t, const Statement *> merged;
  llvm::SmallDenseMap<int32_t, mlir::Value> mergedPlaces;
  /// While a named op is made: tensors that it has in another form.
  llvm::SmallDenseMap<int32_t, mlir::Value> namedOperands;
  bool isMakingNamedOp = false;
  /// Of the op whose body is made, the loops of the statement's indices, if
  /// these have other numbers.
  llvm::SmallVector<unsigned> loopNumbers;
  /// Of a statement in order: the indices' values, in the loops so far; and
  /// subscripts of gathers that are known to be inside there.
  llvm::SmallVector<mlir::Value> loopValues;
  llvm::DenseSet<int32_t> insidePlaces;
  bool areDivisorsSafe = false;
  /// The code so far, a tensor of rank 0, if the def has any to return.
  mlir::Value status;
};

} // namespace ein

#endif // EIN_IR_DEFEMITTER_H
