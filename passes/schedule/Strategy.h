//===- Strategy.h - How one op runs -----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ein-select-strategy` writes it, every later pass reads it. In IR it is a
// builtin dictionary, so that a test, a user or a tuner can write one by hand
// and mlir-opt can read it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SCHEDULE_STRATEGY_H
#define EIN_PASSES_SCHEDULE_STRATEGY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <array>
#include <string>

namespace ein {

/// What `Strategy::symmetric` says holds from so many rows and so much depth
/// on: with less, copies take what the sums would. Where they are dynamic,
/// `ein-mirror-products` makes a branch.
inline constexpr int64_t kLeastSymmetricRows = 192;
inline constexpr int64_t kLeastSymmetricDepth = 64;

struct Strategy {
  enum Kind {
    /// Scalar loops.
    Loops,
    /// One vector along `vectorDim`, scalar loops along the other dims.
    Vectorize,
    /// A GotoBLAS nest with packed operands (Goto and van de Geijn, "Anatomy of
    /// High-Performance Matrix Multiplication", 2008).
    PackedGemm,
    /// Register tiles of sums along vectors of k, which both operands are
    /// contiguous along; nothing is packed.
    Dot,
    /// A function of a library: the one that the op names, or BLAS's on dims m,
    /// n and k, in loops over the other dims.
    LibraryCall,
    /// Computed in the tiles of the PackedGemm whose result the op updates.
    Epilogue,
    /// The reduction over `k` in `parts`, which are combined afterwards; not
    /// more than keep `grain` steps of `k` each.
    SplitSum,
    /// A contraction of fewer dims, in loops over blocks: of operands that are
    /// copied in another order, and of dims that are one where they follow each
    /// other.
    Gett,
    /// A transposition, by blocks of `lanes` by `lanes` in registers.
    Transpose,
    /// Register tiles along vectors of the result's last dim, in which sums
    /// over windows are loops.
    Window,
    /// A reduction in vectors along `vectorDim`, which is reduced, or of the
    /// result.
    Reduce,
    /// One of the ops of a `group` that work on the same rows, and become one
    /// loop over blocks of them.
    Rows,
  };
  Kind kind = Loops;

  /// Per loop, the size of its tile; 0 leaves the loop whole.
  llvm::SmallVector<int64_t> tile;
  /// The loops from the outermost inwards; empty keeps their order.
  llvm::SmallVector<int64_t> interchange;

  /// The loop whose iterations are given to threads, or -1; PackedGemm: `n`
  /// stands for the register tiles of each block. Threads pay from `minPoints`
  /// points of the iteration space on.
  int64_t parallelDim = -1;
  int64_t minPoints = 0;
  /// Of a PackedGemm's loops outside of its tiles, so many from that one
  /// inwards are given to threads as one: 1 or 2.
  int64_t parallelLoops = 1;

  /// Vectorize, Window, Reduce: the loop along which vectors lie.
  int64_t vectorDim = -1;
  /// Vectorize: from how many bytes of the result on stores go past the caches;
  /// 0 if they never do.
  int64_t streamBytes = 0;

  /// PackedGemm: the input that has dim m; the loops that are blocked; and the
  /// register tile, mr rows by nr columns. Dot: the same, where m, or m and n
  /// may be missing (-1). LibraryCall: as much of the first as the function
  /// has.
  int64_t lhs = 0;
  int64_t m = -1, n = -1, k = -1;
  int64_t mr = 0, nr = 0;
  /// PackedGemm: the tile for the columns that do not fill one of nr; 0 if that
  /// is not another one.
  int64_t colRemainderMr = 0, colRemainderNr = 0;
  /// PackedGemm: whether all columns of a row of tiles come before the next
  /// row, so that C is written along its rows; else a panel of B is multiplied
  /// by all rows first.
  bool rowsFirst = false;
  /// PackedGemm, with `rowsFirst`: whether each tile may be the one with the
  /// last rows, of which there are any number; else that one is apart.
  bool clampRows = false;
  /// PackedGemm: how many rows the last tile has, if they are known not to fill
  /// one and to be worth one of their own; 0 if they are not.
  int64_t rowRemainder = 0;
  /// PackedGemm: how many steps of the loop over k are made one, and whether (0
  /// or 1) the tile of C is prefetched before them. Dot: how many vectors a
  /// step takes, and how many columns (or rows, whichever the outer loop is
  /// over) of the next tile each tile prefetches. Vectorize: how many vectors
  /// of a short row are fully unrolled; and, of Reduce as well, whether (0 or
  /// 1) the next row is prefetched.
  int64_t unroll = 1;
  int64_t prefetch = 0;
  /// PackedGemm: how many cache lines of the next columns of B each step of k
  /// prefetches, of a B that is read where it is and comes from memory. The
  /// tiles of the rows of C take turns.
  int64_t prefetchDistance = 0;
  /// PackedGemm: how many steps of k are one step of the micro-kernel: 2 to 64,
  /// for machines that multiply so many neighbours and add up the products
  /// by one instruction. The operands are packed in groups of as many
  /// neighbours in k. Of integers it adds up to what it would one by one.
  int64_t kPack = 1;
  /// With `kPack` > 1: LLVM's intrinsic for it, the packed operands' elements
  /// being what they are. If it is empty, they are integers of which a group is
  /// as wide as an element of the accumulator, with a pattern for LLVM.
  std::string dot;
  /// How wide its registers are, and whether LLVM has them as vectors whose
  /// length it does not know.
  int64_t dotBits = 0;
  bool dotScalable = false;
  /// The intrinsic multiplies so many rows of A by as many of B's columns: 1,
  /// 2 for blocks of 2 x 2, or, of registers that are tiles, their rows.
  /// Whether A is its second factor; and whether A's bytes are packed with the
  /// other signedness, half of their range apart.
  int64_t dotRows = 1;
  bool dotSwapped = false, dotOffset = false;
  /// Whether the registers are a matrix unit's, which multiplies rows of A by
  /// groups of `getGroup` of k of B's columns, and so many of these at once.
  bool hasTiles() const { return dotRows > 2; }
  int64_t getGroup(unsigned elementBits) const;
  /// PackedGemm: which of the two inputs are packed. The register tiles read
  /// the others where they are.
  std::array<bool, 2> pack = {true, true};
  /// PackedGemm: the operands are one tensor, and the element at (m, n) is the
  /// one at (n, m): of each square of this many rows and columns above the
  /// diagonal, nothing has to be computed, as `ein-mirror-products` copies it
  /// from below; 0 if all is computed.
  int64_t symmetric = 0;
  /// PackedGemm: if no input has more bytes than this when the code runs,
  /// nothing is packed or blocked; 0 if sizes make no difference.
  int64_t inPlaceBytes = 0;
  /// The tile, then, for the columns that do not fill one of nr; 0 if that is
  /// what `colRemainderMr` and `colRemainderNr` say.
  int64_t smallVersionMr = 0, smallVersionNr = 0;

  /// SplitSum. Rows: `grain` columns of attention are done at a time; 0: all.
  int64_t parts = 0, grain = 0;
  /// Gett: the loops that become one, in the order of memory. Only the first
  /// of them may be tiled.
  llvm::SmallVector<llvm::SmallVector<int64_t>> groups;
  /// Gett: per input, its dims in the order of its copy; empty if it is read
  /// in place. And whether the copy is of all of it, before the loops over
  /// blocks.
  std::array<llvm::SmallVector<int64_t>, 2> order;
  std::array<bool, 2> whole = {false, false};

  /// Dot, Transpose, Window, Reduce, and of Gett the transpositions: elements
  /// of a vector. Reduce: `unroll` of them are accumulators at once, and `tile`
  /// are the blocks that loops outside of these go over.
  int64_t lanes = 0;
  /// Reduce: how many elements of a vector one lane of an accumulator gets,
  /// which is as wide as all of them.
  int64_t widening = 1;

  /// Window: how many of the innermost sums are fully unrolled; `unroll` is for
  /// the loop round them. And, of Reduce and Vectorize as well, whether the
  /// last vector of a row, which is not complete, is masked; else its elements
  /// are computed one by one.
  int64_t unrolledSums = 0;
  bool masked = false;
  /// Window, Reduce: whether a maximum or minimum of floats is gathered as what
  /// ordinary comparisons make of it, with NaN and the signs beside it
  /// (IeeeMinMax.h).
  bool ieeeMinMax = false;

  /// Rows: what the ops of one loop have in common. And, where a mask gives the
  /// last columns of a block no weight, up to the next multiple of how many
  /// they are computed; 0 if all are.
  int64_t group = 0;
  int64_t columns = 0;

  /// All of so many loops: those of `interchange`, then the others.
  llvm::SmallVector<int64_t> getLoopOrder(unsigned numLoops) const;

  mlir::DictionaryAttr toAttr(mlir::MLIRContext *context) const;
  /// The strategy on `op`; fails, with an error on the op, if it has none or a
  /// malformed one. `numLoops` is what per-loop lists must have.
  static llvm::FailureOr<Strategy> fromOp(mlir::Operation *op,
                                          unsigned numLoops);
};

/// Whether `op` has a strategy of this kind; silent otherwise.
bool hasStrategy(mlir::Operation *op, Strategy::Kind kind);

/// The ops of one type below `root` that have a strategy of this kind, in
/// order; a list, so that each can be replaced.
template <typename OpT>
llvm::SmallVector<OpT> collectWithStrategy(mlir::Operation *root,
                                           Strategy::Kind kind) {
  llvm::SmallVector<OpT> ops;
  root->walk([&](OpT op) {
    if (hasStrategy(op, kind))
      ops.push_back(op);
  });
  return ops;
}

} // namespace ein

#endif // EIN_PASSES_SCHEDULE_STRATEGY_H
