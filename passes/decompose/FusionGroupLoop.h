//===- FusionGroupLoop.h - One loop over the rows of a group -----------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `ein-fuse-rows` does with one group: FuseRows.cpp says how,
// FuseMaskedRows.cpp has what a mask changes, and FormOnlineReduce.cpp what is
// reduced by blocks of columns.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DECOMPOSE_FUSIONGROUPLOOP_H
#define EIN_PASSES_DECOMPOSE_FUSIONGROUPLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/FusionGroups.h"
#include "passes/analysis/MaskedColumns.h"
#include "passes/analysis/OnlineSoftmax.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {

class FusionGroupLoop {
public:
  FusionGroupLoop(mlir::RewriterBase &rewriter, const FusionGroup &group,
                  llvm::ArrayRef<Schedule> schedules,
                  const MaskedColumns *masked, const OnlineSoftmax *online,
                  int64_t conflictBytes)
      : rewriter(rewriter), b(group.front().first->getLoc(), rewriter),
        group(group), schedules(schedules), masked(masked), online(online),
        columns(masked ? static_cast<const RowColumns *>(masked) : online),
        conflictBytes(conflictBytes) {
    for (int64_t dim : group.front().second)
      tiles.push_back(schedules.front().tile[dim]);
  }

  void run();

private:
  friend class OnlineFormer;
  using Dims = llvm::SmallVector<int64_t>;
  using Sizes = llvm::SmallVector<mlir::OpFoldResult>;
  using RowBody = llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &,
                                                 mlir::ValueRange arguments)>;

  /// What leaves the loops: which op computes it, and what was there before.
  struct Carried {
    mlir::linalg::LinalgOp op;
    mlir::Value before, now;
  };

  bool isOfGroup(mlir::Value value) { return bool(getMember(value, group)); }
  bool isKept(llvm::ArrayRef<int64_t> dims, int64_t dim);
  Dims getKept(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> dims);
  void findCarried();
  void findSizes();
  mlir::Value findShared(mlir::linalg::LinalgOp op);
  mlir::linalg::LinalgOp getFirst(mlir::linalg::LinalgOp op);
  void createBuffers();
  void createCopies();
  void setLoopLoc(mlir::scf::ForOp loop, mlir::Operation *op, unsigned dim);
  void createLoops();
  void createBody();
  void createTiles(llvm::function_ref<bool(mlir::Operation *)> isWanted);
  void createMaskedTiles();
  mlir::OpFoldResult getMaskEnd(mlir::OpFoldResult whole);
  mlir::Value createMaskCheck(mlir::OpFoldResult whole, mlir::OpFoldResult end);
  int64_t getColumnBlock();
  mlir::OpFoldResult getAllColumns();
  mlir::OpFoldResult createSelect(mlir::Value condition,
                                  mlir::OpFoldResult ifTrue,
                                  mlir::OpFoldResult ifFalse);
  Dims getTileAxes(mlir::linalg::LinalgOp op);
  void createBlockBuffers();
  void createColumnBlocks();
  mlir::Value createOnRows(mlir::linalg::LinalgOp op, mlir::ValueRange numbers,
                           mlir::Value tile, RowBody body);
  mlir::OpFoldResult getLength(size_t row);
  bool getBufferPart(mlir::linalg::LinalgOp op, mlir::Value buffer,
                     Sizes &sizes);
  mlir::Value getBufferTile(mlir::linalg::LinalgOp op, mlir::Value buffer);
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<int64_t> axes,
                    int64_t columns = -1);
  int64_t getTileAxis(int64_t axis, llvm::ArrayRef<int64_t> axes);
  int64_t getCopyAxis(mlir::linalg::LinalgOp op, unsigned input);
  mlir::Value getInput(mlir::OpOperand &operand, llvm::ArrayRef<int64_t> dims);
  bool readsElsewhere(mlir::linalg::LinalgOp op);
  mlir::Value getMemory(mlir::linalg::LinalgOp op,
                        llvm::ArrayRef<int64_t> dims);
  mlir::Value getInit(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> dims);
  mlir::AffineMap getMap(mlir::AffineMap map, llvm::ArrayRef<int64_t> dims);
  mlir::Value createTile(mlir::linalg::LinalgOp op,
                         llvm::ArrayRef<int64_t> dims);
  mlir::Value createGeneric(mlir::linalg::GenericOp op,
                            llvm::ArrayRef<int64_t> dims,
                            mlir::ValueRange inputs, mlir::Value init,
                            mlir::Value before);
  void moveLater();

  mlir::RewriterBase &rewriter;
  mlir::ImplicitLocOpBuilder b;
  const FusionGroup &group;
  llvm::ArrayRef<Schedule> schedules;
  Dims tiles;
  llvm::SmallVector<Carried> carried;
  /// Per op, which of the carried values it is written to.
  llvm::DenseMap<mlir::Operation *, size_t> places;
  llvm::DenseMap<mlir::Operation *, mlir::Value> buffers;
  /// What an op overwrites instead of having a buffer.
  llvm::DenseMap<mlir::Operation *, mlir::Value> shared;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, mlir::Value> copies;
  /// Of a group with a mask, or with blocks of columns, these: how many are
  /// computed at a time, if not all, and, if not null, the first of them. With
  /// a mask, whether what the product multiplies the others by is finite.
  const MaskedColumns *masked;
  const OnlineSoftmax *online;
  const RowColumns *columns;
  /// Of buffers, rows that are a multiple of so long are made longer.
  int64_t conflictBytes;
  mlir::Value columnsBegin;
  mlir::OpFoldResult numColumns;
  mlir::Value finite;
  /// What accumulators start from, if not from what their fills say.
  llvm::DenseMap<mlir::Operation *, mlir::Value> starts;
  /// Of blocks of columns, memory for the maximum with a block, for what may be
  /// subtracted instead of it, and for what it multiplies sums by.
  mlir::Value blockTop, blockFinite, blockFactor;
  /// Of what is read of outside, and has columns, the number of the input; and
  /// what that is in the region that is being made.
  llvm::DenseMap<mlir::OpOperand *, size_t> columnInputs;
  llvm::SmallVector<mlir::Value> blockInputs;
  /// Of the rows; and where each loop is.
  Sizes extents;
  llvm::SmallVector<mlir::Value> begins;
  /// What the ops have made in the loops, and slices that were taken there.
  mlir::IRMapping tilesOf;
  llvm::SmallVector<std::tuple<mlir::Value, Dims, mlir::Value>> slices;
  llvm::SmallVector<mlir::scf::ForOp> loops;
};

} // namespace ein

#endif // EIN_PASSES_DECOMPOSE_FUSIONGROUPLOOP_H
