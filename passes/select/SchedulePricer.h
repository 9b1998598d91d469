//===- SchedulePricer.h - Schedules of one op as loops ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What PriceSchedule.cpp and the files for kinds of schedules share (PriceGett,
// PriceReduction and PriceWindow), and nobody else includes.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SCHEDULEPRICER_H
#define EIN_PASSES_SELECT_SCHEDULEPRICER_H

#include "passes/select/PriceSchedule.h"
#include "passes/select/PricedOp.h"

namespace ein {

/// A loop of a nest, over a dim of the op.
struct Level {
  int64_t dim;
  double extent, step;
  bool isBlock = false;
};

class SchedulePricer : PricedOp {
public:
  SchedulePricer(mlir::linalg::LinalgOp op, const TargetInfo &target,
                 const Surroundings &surroundings,
                 llvm::ArrayRef<int64_t> assumed = {}, bool isQuick = false)
      : PricedOp(op, surroundings, assumed), target(target), isQuick(isQuick) {}
  std::optional<SchedulePrice> price(const Schedule &wanted);
  /// Of the iteration space, of which one that is empty has one.
  double countPoints() const {
    double points = 1;
    for (double size : sizes)
      points *= std::max(size, 1.0);
    return points;
  }

private:
  /// Whether a matrix unit multiplies one group of k at a time.
  bool hasOuterProducts() const {
    return schedule.hasTiles() &&
           double(schedule.kPack) * widths[schedule.lhs] == widths.back();
  }
  double getTile(int64_t dim) const {
    return schedule.tile.empty() ? 0 : double(schedule.tile[dim]);
  }
  /// Of a loop inside of the blocks.
  double getInner(int64_t dim) const {
    return getTile(dim) == 0 ? sizes[dim] : std::min(getTile(dim), sizes[dim]);
  }

  // Nests.
  double getPackedWidth() const;
  llvm::SmallVector<Level> getBlocks() const;
  void addNest(llvm::ArrayRef<Level> levels, llvm::ArrayRef<NestArray> arrays,
               const NestWork &work, NestCost *part = nullptr);
  /// As the op has the operand in memory.
  NestArray getInPlace(unsigned operand, llvm::ArrayRef<Level> levels,
                       double bytes) const;
  /// What other nests in the first loops touch of it each time.
  NestArray getBeside(unsigned operand, llvm::ArrayRef<Level> levels,
                      size_t numOutside) const;
  void addOthers(unsigned operand, llvm::ArrayRef<Level> levels,
                 size_t numOutside,
                 llvm::SmallVectorImpl<NestArray> &arrays) const;

  /// How many of an operand's vectors of `bytes` along a dim lie across two
  /// lines, and are two loads or stores.
  double getSplitShare(unsigned operand, int64_t along, double bytes) const;

  // Kinds.
  void addGemm();
  void addTiles(double rows, double columns, double mr, double nr,
                NestCost *part = nullptr);
  void addPack(unsigned operand, int64_t dim, double width);
  void addMirror();
  void addDot();
  void addElementwise(double lanes, bool isInRegisters = false);
  void addReduction();
  struct RowSteps;
  RowSteps getRowSteps() const;
  void addNarrowProducts(NestWork &work) const;
  double getLoadsOfVector(unsigned operand, double bytes) const;
  bool isStreamed() const;
  void addTranspose();
  void addWindow();
  /// Of a sum over windows the dim of groups, or -1.
  int64_t getGroupDim() const;
  /// Tiles of one size, over so much of each dim of the result.
  struct WindowTiles {
    llvm::SmallVector<double> extents, steps;
  };
  void addWindowTiles(const WindowTiles &tiles, NestCost *part);
  /// The innermost sums, all of whose steps are straight code.
  llvm::ArrayRef<int64_t> getStraight(llvm::ArrayRef<int64_t> sums) const {
    return sums.take_back(std::min<size_t>(sums.size(), schedule.unrolledSums));
  }
  NestArray getWindowArray(unsigned operand, const WindowTiles &tiles,
                           llvm::ArrayRef<Level> levels,
                           llvm::ArrayRef<int64_t> sums) const;
  NestWork getWindowWork(const WindowTiles &tiles,
                         llvm::ArrayRef<int64_t> sums);
  /// False if what is left has no price.
  bool addGett();
  void addCopy(unsigned input);
  /// The contraction that is left, behind the copies, and the loops round it.
  struct Piece {
    mlir::linalg::LinalgOp op;
    Surroundings surroundings;
    llvm::SmallVector<int64_t> assumed; // of its loops
  };
  Piece createPiece(mlir::OpBuilder &b);

  const TargetInfo &target;
  bool isQuick;
  Schedule schedule;
  SchedulePrice prices;
};

} // namespace ein

#endif // EIN_PASSES_SELECT_SCHEDULEPRICER_H
