//===- Passes.td - Where decisions are made ----------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_PASSES_TD
#define EIN_PASSES_SELECT_PASSES_TD

include "mlir/Pass/PassBase.td"

def SelectStrategy : Pass<"ein-select-strategy", "::mlir::func::FuncOp"> {
  let summary = "Decide how each structured op runs, and write it on the op";
  let description = [{
    The only pass that asks `target/` for facts of the machine. It sets
    `ein.strategy` on each structured op, a builtin dictionary, and changes
    nothing else. Later passes obey it. What else they know of the machine are
    attributes of the module, which the driver sets. An op that has a strategy
    already keeps it, if it is well-formed.

    * `{kind = "packed_gemm", lhs, m, n, k, tile, interchange, micro}`: the
      contraction runs as a GotoBLAS nest. `lhs` is the input that has dim `m`
      (the rows of the register tile), `n` and `k` are the other two dims that
      are blocked, every other dim is a loop of step 1. `tile` has a size per
      dim (0: not tiled), `interchange` the order of the loops, `micro` is [MR,
      NR], and `col_remainder`, if there, the same for the columns that do not
      fill a tile, as `row_remainder` is a number of rows. `pack`, if not both,
      says which inputs are packed; the register tiles read the other ones in
      place. With `in_place_bytes`, inputs of up to so many bytes are all read
      in place; `small_version` is then what `col_remainder` is else.
      `rows_first` has all tiles of some rows come before those of the next rows
      (and the last rows have a tile of their own), `unroll` makes so many steps
      of `k` one of the micro-kernel's loop, and `prefetch` has it prefetch C.
      With `k_pack = 2` the micro-kernel takes pairs of `k`: both operands are
      of bytes or signed words, which are summed in 32 bits.
    * `{kind = "dot", lhs, m, n, k, tile, interchange, micro, step}`: vectors
      lie along `k`, which both inputs are contiguous along; nothing is packed.
      `micro` is the tile of rows and columns, each with a vector of partial
      sums; `step` the elements of one and how many of them a step takes. `m`,
      or `m` and `n`, may be missing. `prefetch`: how many columns (rows, if
      the loop over these is outside) of the next tile each tile prefetches.
    * `{kind = "vectorize", tile, vector_dim}`: elementwise along one dim by vectors, scalar
      loops for the rest, or of functions one vector under a mask.
    * `{kind = "library_call", lhs, m, n, k}`: a function of BLAS, inside loops
      over the other dims; without `n` a matrix times a vector, without `m` a
      product of vectors. With `library = "blas"`, or of an op that has
      `library_call`: the function of that name.
    * `{kind = "epilogue"}`: elementwise, in the register tiles of the
      `packed_gemm` whose result the op updates.
    * `{kind = "gett", tile, interchange, groups, order, whole, lanes}`: a
      contraction becomes one of fewer dims. `groups` lists the dims that are
      one; `order` has, per input, the dims in the order of its copy, or nothing
      if it is read in place; `whole` says of which inputs all is copied, before
      the loops over blocks of size `tile`, which copy the others' blocks.
      `lanes` is for the copies.
    * `{kind = "transpose", lanes, tile, interchange}`: an elementwise op that
      is contiguous along one dim and reads along another, by squares of `lanes`
      by `lanes` of these two, in blocks; without `tile` there is one block.
    * `{kind = "window", tile, interchange, vector_dim, lanes}`: register tiles
      of `tile` elements of the result, vectors of `lanes` along `vector_dim`.
      Sums whose `tile` is 0 are loops inside of a tile, the last `unrolled_sums` of
      them fully unrolled, and the loop round these is unrolled by `unroll`; sums
      whose `tile` is 1 are loops outside. With `masked` the last vector of a
      row is masked, else its elements are computed one by one.
    * `{kind = "reduce", tile, interchange, vector_dim, lanes, unroll}`: a
      reduction in vectors of `lanes` along `vector_dim`, `unroll` of them at
      once. If the result has that dim, the loops over sums carry a tile of it;
      else the vectors are partial results. `tile` are blocks outside of that:
      1 along a dim of the result, some rows of the first sum. `masked` as for
      `window`.
    * `{kind = "rows", tile, interchange, group}`: one of the ops that become one
      loop over rows (`ein-fuse-rows`), all those with the same number. The dims
      that have a `tile` are those of the rows, in the order of `interchange`;
      `order`, of a contraction, has an input copied in another order of dims
      before the innermost of the loops. With `columns`, what a mask leaves of a
      block's columns is computed, up to a multiple of so many; with `block`, so
      many columns are done before the next ones, by an online softmax.
    * `{kind = "loops"}`: scalar loops, which LLVM may vectorise.
    * `{kind = "split_sum", k, parts, grain}`, with `splits`: the reduction over
      `k` in at most `parts` parts, of at least `grain` steps each.

    With `parallel`, an op that threads may be worth while for also says
    `parallel`, the dim whose iterations they share, and `min_points`, the size
    of the iteration space from which on they are. In a `packed_gemm`, dim `n`
    stands for the register tiles and panels of each block.

    Relies on: `ein-fold-views`.
  }];
  let options = [
    Option<"triple", "triple", "std::string", "",
           "target triple; empty for the host">,
    Option<"cpu", "cpu", "std::string", "",
           "target CPU; empty for the host's, or generic with a triple">,
    Option<"features", "features", "std::string", "",
           "target features, as +x,-y">,
    Option<"sveBits", "sve-vector-bits", "unsigned", "0",
           "how long SVE's vectors are; 0: as the CPU's">,
    Option<"machine", "machine", "std::string", "",
           "a file with what the machine takes for what; empty for the "
           "table's, by the CPU">,
    Option<"library", "library", "std::string", "\"none\"",
           "none, or blas: what contractions are mapped to">,
    Option<"packing", "packing", "std::string", "\"auto\"",
           "auto; or, for tests, where there is a choice: always; never; first or "
           "second, that operand only; rows, tiles along the rows of C; versions, "
           "of dynamic sizes, up to 2048 bytes an operand in place, else always; "
           "dots, none, and vectors along k">,
    Option<"threads", "threads", "std::string", "\"auto\"",
           "what threads share: auto; or, for tests: always, however little "
           "there is to do; outside, likewise, and the outermost loop of a "
           "packed_gemm">,
    Option<"columnBlock", "column-block", "int64_t", "0",
           "for tests: how many columns of attention are done at a time; 0: as "
           "it pays">,
    Option<"vectorize", "vectorize", "bool", "true",
           "false: every op runs as scalar loops">,
    Option<"parallel", "parallel", "bool", "false",
           "also decide which loops are given to threads">,
    Option<"splits", "splits", "bool", "false",
           "with `parallel`: also which sums are split for them, which "
           "`ein-split-sums` does">
  ];
}

#endif // EIN_PASSES_SELECT_PASSES_TD
