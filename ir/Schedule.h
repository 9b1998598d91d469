//===- Schedule.h - How one op runs -----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is a list of facts about the loops of one structured op. A test, a
// user or a tuner can write one by hand, as `#ein.schedule<…>` (EinAttrs.td);
// passes/select/ writes the cheapest. Passes after it obey, and read nothing
// else about the op.
//
// What the fields are called in text is behind each. Where a fact is absent,
// the field has the value that it has here.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_SCHEDULE_H
#define EIN_IR_SCHEDULE_H

#include "ir/Guard.h"
#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <string>
#include <vector>

namespace ein {

struct Schedule {
  /// What the facts amount to. It is not written: which facts there are says
  /// it, and which of them are there for it is in Schedule.cpp.
  enum Kind {
    /// Scalar loops: no fact.
    Loops,
    /// One vector along `vector`, scalar loops along the other dims.
    Vectorize,
    /// Register tiles of `rows` and `columns`, vectors along the columns: a
    /// GotoBLAS nest (Goto and van de Geijn, "Anatomy of High-Performance
    /// Matrix Multiplication", 2008).
    PackedGemm,
    /// Register tiles of sums, vectors along `sums`, which both operands are
    /// contiguous along; nothing is packed.
    Dot,
    /// `call`: a function of a library, the one that the op names, or BLAS's on
    /// `rows`, `columns` and `sums`, in loops over the other dims.
    LibraryCall,
    /// `in_epilogue`: computed in the register tiles of the product whose
    /// result the op updates.
    Epilogue,
    /// `split`: the reduction over `k` in `parts`, which are combined
    /// afterwards; not more than keep `grain` steps of `k` each.
    SplitSum,
    /// `copies`: a contraction of fewer dims, in loops over blocks, of operands
    /// that are copied in another order, and of dims that are one where they
    /// follow each other.
    Gett,
    /// `squares`: a transposition, by blocks of `lanes` by `lanes` in
    /// registers.
    Transpose,
    /// `vector` and `unrolled_sums`: register tiles along vectors of the
    /// result's last dim, in which sums over windows are loops.
    Window,
    /// `vector` and `accumulators`: a reduction in vectors along that dim,
    /// which is reduced, or of the result.
    Reduce,
    /// `group`: one of the ops that work on the same rows, and become one loop
    /// over blocks of them.
    Rows,
  };
  Kind kind = Loops;

  /// `loops`: all of them from the outermost inwards, each with the size of its
  /// tile. In `tile` per dim, 0 where the loop stays whole, which text leaves
  /// out; an empty `interchange` keeps the order of the dims.
  llvm::SmallVector<int64_t> tile;
  llvm::SmallVector<int64_t> interchange;

  /// `parallel`: the loop whose iterations are given to threads, or -1;
  /// PackedGemm: `columns` stands for the register tiles of each block.
  /// `min_points`: threads pay from so many points of the iteration space on.
  int64_t parallelDim = -1;
  int64_t minPoints = 0;
  /// `parallel_loops`: of a PackedGemm's loops outside of its tiles, so many
  /// from that one inwards are given to threads as one: 1 or 2.
  int64_t parallelLoops = 1;

  /// `vector = dim: lanes`. Vectorize, Window, Reduce: the loop along which
  /// vectors lie.
  int64_t vectorDim = -1;
  /// `stream_bytes`. Vectorize: from how many bytes of the result on stores go
  /// past the caches; 0 if they never do.
  int64_t streamBytes = 0;

  /// `rows = m: mr`, `columns = n: nr`, `sums = k: unroll`. PackedGemm: the
  /// loops that are blocked, and the register tile; how many steps of the loop
  /// over k are made one. `lhs`: the input that has the rows. Dot: the same,
  /// where rows, or rows and columns, may be missing (-1); how many vectors a
  /// step takes. LibraryCall: as much of the first as the function has.
  int64_t lhs = 0;
  int64_t m = -1, n = -1, k = -1;
  int64_t mr = 0, nr = 0;
  /// `column_remainder`. PackedGemm: the tile for the columns that do not fill
  /// one of nr; 0 if that is not another one.
  int64_t colRemainderMr = 0, colRemainderNr = 0;
  /// `rows_first`. PackedGemm: whether all columns of a row of tiles come
  /// before the next row, so that C is written along its rows; else a panel of
  /// B is multiplied by all rows first.
  bool rowsFirst = false;
  /// `clamp_rows`. PackedGemm, with `rows_first`: whether each tile may be the
  /// one with the last rows, of which there are any number; else that one is
  /// apart.
  bool clampRows = false;
  /// `row_remainder`. PackedGemm: how many rows the last tile has, if they are
  /// known not to fill one and to be worth one of their own; 0 if they are not.
  int64_t rowRemainder = 0;
  /// `unroll`. Vectorize: how many vectors of a short row are fully unrolled;
  /// Window: by how much the loop round the unrolled sums is; Reduce:
  /// `accumulators`.
  int64_t unroll = 1;
  /// `prefetch`. PackedGemm: whether (0 or 1) the tile of C is prefetched
  /// before its sums. Dot: how many columns (or rows, whichever the outer loop
  /// is over) of the next tile each tile prefetches. Vectorize, Reduce: whether
  /// the next row is.
  int64_t prefetch = 0;
  /// `prefetch_distance`. PackedGemm: how many cache lines of the next columns
  /// of B each step of k prefetches, of a B that is read where it is and comes
  /// from memory. The tiles of the rows of C take turns.
  int64_t prefetchDistance = 0;
  /// `k_pack`. PackedGemm: how many steps of k are one step of the
  /// micro-kernel: 2 to 64, for machines that multiply so many neighbours and
  /// add up the products by one instruction. The operands are packed in groups
  /// of as many neighbours in k. Of integers it adds up to what it would one by
  /// one.
  int64_t kPack = 1;
  /// `instruction`, with `k_pack`, or of a Reduce with `widening`: LLVM's
  /// intrinsic for it, the packed operands' elements being what they are. If it
  /// is empty, they are integers of which a group is as wide as an element of
  /// the accumulator, with a pattern for LLVM.
  std::string dot;
  /// `instruction_bits`, `instruction_scalable`: how wide its registers are,
  /// and whether LLVM has them as vectors whose length it does not know.
  int64_t dotBits = 0;
  bool dotScalable = false;
  /// `instruction_rows`: it multiplies so many rows of A by as many of B's
  /// columns: 1, 2 for blocks of 2 x 2, or, of registers that are tiles, their
  /// rows. `instruction_swapped`: A is its second factor. `instruction_offset`:
  /// A's bytes are packed with the other signedness, half of their range apart.
  static constexpr int64_t kMaxRows = 16; // no instruction has more
  int64_t dotRows = 1;
  bool dotSwapped = false, dotOffset = false;
  /// Whether the registers are a matrix unit's, which multiplies rows of A by
  /// groups of `getGroup` of k of B's columns, and so many of these at once.
  bool hasTiles() const { return dotRows > 2; }
  int64_t getGroup(unsigned elementBits) const;
  /// `operands`, each `packed` or `in_place`. PackedGemm: which of the two
  /// inputs are packed. The register tiles read the others where they are.
  std::array<bool, 2> pack = {true, true};
  /// `symmetric`. PackedGemm: the operands are one tensor, and the element at
  /// (m, n) is the one at (n, m): of each square of this many rows and columns
  /// above the diagonal, nothing has to be computed, as `ein-mirror-products`
  /// copies it from below; 0 if all is computed.
  int64_t symmetric = 0;

  /// `parts`, `grain`. SplitSum. Rows, as `block`: so many columns of attention
  /// are done at a time; 0: all.
  int64_t parts = 0, grain = 0;
  /// `joined`. Gett: the loops that become one, in the order of memory. Only
  /// the first of them may be tiled.
  llvm::SmallVector<llvm::SmallVector<int64_t>> groups;
  /// `copies`, each a list of dims, `whole` behind it, or `in_place`. Gett: per
  /// input, its dims in the order of its copy; empty if it is read in place.
  /// And whether the copy is of all of it, before the loops over blocks. Rows:
  /// the same, before the innermost of the loops. Of what reads windows, the
  /// axis of one dim is behind all others; with `k_pack`, groups of `sums` lie
  /// side by side: of two dims, those of the first behind the second.
  std::array<llvm::SmallVector<int64_t>, 2> order;
  std::array<bool, 2> whole = {false, false};

  /// `vector`'s, and `squares`: elements of a vector. Dot, Transpose, Window,
  /// Reduce, and of Gett the transpositions; PackedGemm: of the squares by
  /// which operands that lie along the sums are packed. Reduce: `unroll` of
  /// them are accumulators at once, and `tile` are the blocks that loops
  /// outside of these go over.
  int64_t lanes = 0;
  /// `widening`. Reduce: how many elements of a vector one lane of an
  /// accumulator gets, which is as wide as all of them, or as a fraction of
  /// them, if vectors are added up to each other first. Of products along rows:
  /// how many of them are added up at once, by `instruction` or a pattern; of
  /// bytes that become words first these are two. Window: the same of groups,
  /// the last dim of both inputs.
  int64_t widening = 1;

  /// `unrolled_sums`. Window: how many of the innermost sums are fully
  /// unrolled; `unroll` is for the loop round them.
  int64_t unrolledSums = 0;
  /// `masked`. Window, Reduce, Vectorize: whether the last vector of a row,
  /// which is not complete, is masked; else its elements are computed one by
  /// one.
  bool masked = false;
  /// `aligned`. Reduce, along rows: whether a row begins with a vector under a
  /// mask that ends where one of memory begins; else all others may lie across
  /// two cache lines.
  bool aligned = false;
  /// `ieee_min_max`. Window, Reduce: whether a maximum or minimum of floats is
  /// gathered as what ordinary comparisons make of it, with NaN and the signs
  /// beside it (passes/analysis/IeeeMinMax.h).
  bool ieeeMinMax = false;

  /// `group`, `masked_columns`. Rows: what the ops of one loop have in common.
  /// And, where a mask gives the last columns of a block no weight, up to the
  /// next multiple of how many they are computed; 0 if all are.
  int64_t group = 0;
  int64_t columns = 0;

  /// `alternatives`: what to do instead if sizes are as a guard says when the
  /// code runs; the first one whose guard holds. They have no alternatives.
  struct Alternative;
  std::vector<Alternative> alternatives;

  /// All of so many loops: those of `interchange`, then the others.
  llvm::SmallVector<int64_t> getLoopOrder(unsigned numLoops) const;

  /// This with the facts only that belong to its kind, and all loops in order.
  Schedule getNormalised() const;

  mlir::Attribute toAttr(mlir::MLIRContext *context) const;
  /// The schedule on `op`, which has so many loops; fails, with an error on the
  /// op, if there is none, or one of other loops.
  static llvm::FailureOr<Schedule> fromOp(mlir::Operation *op,
                                          unsigned numLoops);

  bool operator==(const Schedule &other) const;
};

struct Schedule::Alternative {
  Guard guard;
  Schedule schedule;

  bool operator==(const Alternative &other) const {
    return guard == other.guard && schedule == other.schedule;
  }
};

/// `d3`.
mlir::ParseResult parseDim(mlir::AsmParser &parser, int64_t &dim);

llvm::hash_code hash_value(const Schedule &schedule);

/// What facts of that kind are called in messages: "a reduction in vectors".
llvm::StringRef getText(Schedule::Kind kind);

} // namespace ein

#endif // EIN_IR_SCHEDULE_H
