//===- StrategyPricer.h - Strategies of one op as loops ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What PriceStrategy.cpp and PriceGett.cpp share, and nobody else includes.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_STRATEGYPRICER_H
#define EIN_PASSES_SELECT_STRATEGYPRICER_H

#include "passes/select/PriceStrategy.h"

namespace ein {

/// What a dynamic size counts as: large, and no power of two. Code that is made
/// for it also has to run well where there is little, for which it has another
/// version (`inPlaceBytes`).
inline constexpr int64_t kOpenExtent = 1000;

/// A loop of a nest, over a dim of the op.
struct Level {
  int64_t dim;
  double extent, step;
  bool isBlock = false;
};

class StrategyPricer {
public:
  StrategyPricer(mlir::linalg::LinalgOp op, const TargetInfo &target);
  std::optional<NestCost> price(const Strategy &wanted);

private:
  // The op.
  double getStride(unsigned operand, int64_t dim) const {
    return strides[operand][dim];
  }
  bool isSummed(int64_t dim) const {
    return dim < int64_t(sizes.size()) && !maps.back().isFunctionOfDim(dim);
  }
  double getTile(int64_t dim) const {
    return strategy.tile.empty() ? 0 : double(strategy.tile[dim]);
  }
  /// Of a loop inside of the blocks.
  double getInner(int64_t dim) const {
    return getTile(dim) == 0 ? sizes[dim] : std::min(getTile(dim), sizes[dim]);
  }
  void countBody();
  double computeStride(unsigned operand, int64_t dim) const;
  unsigned getNumOperands() const { return maps.size(); }
  bool isOutput(unsigned operand) const {
    return operand + 1 == getNumOperands();
  }

  // Nests.
  llvm::SmallVector<Level> getBlocks() const;
  void add(const NestCost &cost);
  void addNest(llvm::ArrayRef<Level> levels, llvm::ArrayRef<NestArray> arrays,
               const NestWork &work);
  /// As the op has the operand in memory.
  NestArray getInPlace(unsigned operand, llvm::ArrayRef<Level> levels,
                       double bytes) const;

  /// What other nests in the first loops touch of it each time.
  NestArray getBeside(unsigned operand, llvm::ArrayRef<Level> levels,
                      size_t numOutside) const;
  void addOthers(unsigned operand, llvm::ArrayRef<Level> levels,
                 size_t numOutside,
                 llvm::SmallVectorImpl<NestArray> &arrays) const;

  // Kinds.
  void addGemm();
  void addTiles(double rows, double columns, double mr, double nr);
  void addPack(unsigned operand, int64_t dim, double width);
  void addDot();
  void addElementwise(double lanes);
  void addReduction();
  void addTranspose();
  void addWindow();
  /// False if what is left has no price.
  bool addGett();
  void addCopy(unsigned input);
  StrategyPricer createPiece(mlir::OpBuilder &b);

  mlir::linalg::LinalgOp op;
  Strategy strategy;
  const TargetInfo &target;
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<double> sizes, widths; // bytes of an element
  /// Bytes, per operand: of its axes, and of the op's dims.
  llvm::SmallVector<llvm::SmallVector<double>> axisStrides, strides;
  bool readsResult;
  /// Arithmetic of one point, in instructions.
  double fmas = 0, adds = 0, logic = 0;
  /// Loops that the op is in, over dims behind its own.
  llvm::SmallVector<Level> outside;
  NestCost total;
};

} // namespace ein

#endif // EIN_PASSES_SELECT_STRATEGYPRICER_H
