//===- ReductionVectorizer.h - Reductions in vectors --------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One reduction of VectorizeReductions.cpp: its loops, accesses and columns are
// in ReductionVectorizer.cpp, rows and searches in ReduceRows.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_REDUCTIONVECTORIZER_H
#define EIN_PASSES_VECTOR_REDUCTIONVECTORIZER_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/IeeeMinMax.h"
#include "passes/analysis/Reductions.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/vector/ComplexSums.h"

namespace ein {

class ReductionVectorizer {
public:
  ReductionVectorizer(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
                      const Schedule &schedule);

  mlir::Value create();

private:
  using Values = llvm::SmallVector<mlir::Value>;
  /// What is done at a place of a loop with the values that it carries.
  using Body = llvm::function_ref<Values(mlir::Value, mlir::ValueRange)>;

  /// From `begin` to before `end`, along one dim.
  struct Range {
    mlir::OpFoldResult begin, end;
  };
  /// The part of a range that is gone over in steps of `count` vectors.
  struct Part {
    Range range;
    int64_t count, lanes;
    bool isMasked;
    /// Whether it may be known by then what the rest need not gather.
    bool mayBeKnown = false;
  };

  bool isSum(int64_t dim) {
    return op.getIteratorTypesArray()[dim] ==
           mlir::utils::IteratorType::reduction;
  }
  mlir::OpFoldResult apply(mlir::AffineExpr expr,
                           llvm::ArrayRef<mlir::OpFoldResult> operands) {
    return mlir::affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr,
                                                       operands);
  }
  mlir::Value toValue(mlir::OpFoldResult value) {
    return mlir::getValueOrCreateConstantIndexOp(b, b.getLoc(), value);
  }

  Values createLoop(const Range &range, int64_t step, mlir::ValueRange carried,
                    Body body, bool isParallel = false);
  std::optional<mlir::OpFoldResult> getHead();
  llvm::SmallVector<Part> getParts();
  void separateFirst(llvm::SmallVector<Part> &parts);
  mlir::Value createOuterLoops(size_t level, mlir::Value tensor);
  Values createRowPart(const Part &part, Values values);
  mlir::Value createRow(mlir::Value tensor);
  mlir::Value getOfRow(mlir::Value value);
  mlir::Value createSearchFor(mlir::Value condition);
  mlir::Value createSearch(mlir::Value tensor, const Search &search);
  mlir::Value insertTotal(mlir::Value tensor, mlir::Value total);
  mlir::Value createColumns(mlir::Value tensor);
  Values accumulate(
      size_t level, mlir::ValueRange sums,
      llvm::function_ref<Values(mlir::ValueRange)> leaf,
      llvm::function_ref<Values(mlir::ValueRange, int64_t)> pairs = nullptr);
  mlir::Value addAcross(mlir::Value vector);
  mlir::Value combine(mlir::Value first, mlir::Value second);

  mlir::Value createMask(const Part &part, mlir::Value at);
  mlir::Value getPartMask(mlir::Value mask, mlir::Type element);
  mlir::Value toParts(mlir::Value tensor, Values &indices);
  Values getIndices(mlir::AffineMap map, mlir::OpFoldResult at);
  mlir::Value read(mlir::OpOperand &operand, mlir::Value source,
                   mlir::OpFoldResult at, int64_t lanes, mlir::Value mask);
  mlir::IRMapping readInputs(mlir::OpFoldResult at, int64_t lanes,
                             mlir::Value mask);
  mlir::Value computeBody(mlir::Value sum, mlir::OpFoldResult at, int64_t lanes,
                          mlir::Value mask);
  Values computeBody(mlir::ValueRange sum, mlir::OpFoldResult at,
                     const Part &part, mlir::Value mask, bool leavesOut);
  /// How many values a partial result is, one that begins with `value`, and
  /// its final value.
  size_t getWidth() const {
    return products              ? ComplexSum::kValues
           : schedule.ieeeMinMax ? IeeeMinMax::kValues
                                 : 1;
  }
  mlir::Value addWidely(mlir::Value sum, mlir::Value value, mlir::Value mask);
  /// Lanes of an accumulator.
  int64_t getSumLanes() const { return schedule.lanes / schedule.widening; }
  Values addPair(mlir::ValueRange sum, mlir::Value first, mlir::Value second);
  Values start(mlir::Value value);
  Values join(mlir::ValueRange first, mlir::ValueRange second);
  mlir::Value finish(mlir::ValueRange sum);
  IeeeMinMax getIeeeMinMax() {
    return IeeeMinMax(b, combiner, schedule.masked);
  }

  mlir::ImplicitLocOpBuilder b;
  mlir::linalg::GenericOp op;
  const Schedule &schedule;
  /// Elements of a vector, several of which may be added up to each other.
  int64_t vectorDim, lanes;
  mlir::Operation *combiner;
  /// What is reduced.
  mlir::Type element;
  /// What is added up, if that is products of complex numbers along a row.
  std::optional<ComplexSum> products;
  /// Loops over blocks, and those over sums in a block, but that along vectors.
  llvm::SmallVector<int64_t> outer, inner;
  /// What the result is filled with before, if that need not be in memory.
  mlir::Value number;
  /// Per dim what is to be gone over, or where a loop is.
  llvm::SmallVector<Range> ranges;
  Values places;
};

} // namespace ein

#endif // EIN_PASSES_VECTOR_REDUCTIONVECTORIZER_H
