//===- PassesToTiled.td - From contractions to tiles -------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_PASSESTOTILED_TD
#define EIN_PASSES_PASSESTOTILED_TD

include "mlir/Pass/PassBase.td"

def ApplySchedule : Pass<"ein-apply-schedule", "::mlir::ModuleOp"> {
  let summary = "Run a schedule in the transform dialect";
  let description = [{
    Runs `@__transform_main` of the schedule in `file` on the module. Structured
    ops that it has changed or made get the strategy to be loops, unless it has
    annotated them with another; those that it has left alone have none yet.

    Relies on: `ein-fold-views`; comes before `ein-select-strategy`.
  }];
  let options = [
    Option<"file", "file", "std::string", "", "the schedule">
  ];
  let dependentDialects = ["::mlir::transform::TransformDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect"];
}

def GeneralizeContract : Pass<"ein-generalize-contract", "::mlir::func::FuncOp"> {
  let summary = "Turn ein.contract into the linalg.generic that it means";
  let description = [{
    ```mlir
    ein.contract indexing_maps = [#mk, #kn, #mn] kind = <maximumf> ins(%a, %b) outs(%c)
    // becomes
    linalg.generic {indexing_maps = [#mk, #kn, #mn]} ins(%a, %b) outs(%c) {
      ^bb0(%x, %y, %z):
        %0 = arith.mulf %x, %y
        %1 = arith.maximumf %z, %0
        linalg.yield %1
    }
    ```

    Leaves behind: no op of the `ein` dialect.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
}

def SeparateStarts : Pass<"ein-separate-starts", "::mlir::func::FuncOp"> {
  let summary = "Give each op that starts from a fill one of its own";
  let description = [{
    A fill of an empty tensor, and an empty tensor, that several ops have as their
    destination is made again for each.

    ```mlir
    %f = linalg.fill ins(%zero) outs(%empty)
    %c = linalg.matmul … outs(%f)
    %d = linalg.matmul … outs(%f)
    // becomes
    %f = linalg.fill ins(%zero) outs(%empty)
    %c = linalg.matmul … outs(%f)
    %g = linalg.fill ins(%zero) outs(%other)
    %d = linalg.matmul … outs(%g)
    ```
  }];
}

def NumberNests : Pass<"ein-number-nests", "::mlir::func::FuncOp"> {
  let summary = "Number the loops of a long program";
  let description = [{
    Of a function with `least` loops and more that are in no other op, each gets its
    number as `ein.nest`, so that upstream's elimination of common
    subexpressions, which hashes ops without their regions, need not compare each
    loop with each other one. Run again, it numbers them anew.

    Leaves behind: `ein.nest`, which `ein-outline-kernels` takes away.
  }];
  let options = [
    Option<"least", "least", "unsigned", /*default=*/"32",
           "How many loops a function has at least whose loops get numbers">
  ];
}

def SplitComplex : Pass<"ein-split-complex", "::mlir::func::FuncOp"> {
  let summary = "Make other ops of complex contractions that have no register tiles";
  let description = [{
    A contraction of complex tensors with rows and columns stays: its register
    tiles are of vectors of real and imaginary parts by turns
    (`ein-vectorize`). One without rows or without columns becomes one
    `linalg.generic` with the two planes of its result, which reads complex
    elements: nothing is read twice, and there are no tiles. Its innermost loop
    is that along which the larger operand is contiguous.

    Where tiles cannot read and write C along its last dim, or an operand is a
    slice with a step, or parts are other than f32 and f64, and with `planes`, a
    contraction becomes four of real and imaginary planes, which elementwise ops
    take out of the operands and put together into the result.

    ```mlir
    %c = linalg.contract … ins(%a, %b : tensor<4x5xcomplex<f16>>, …) outs(%init)
    // becomes
    %ar = linalg.generic … %a …             // complex.re
    %r = linalg.contract … ins(%ar, %br) outs(%cr)
    %r2 = linalg.contract … ins(%minus_ai, %bi) outs(%r)
    %i = linalg.contract … ins(%ar, %bi) outs(%ci)
    %i2 = linalg.contract … ins(%ai, %br) outs(%i)
    %c = linalg.generic … ins(%r2, %i2) …   // complex.create
    ```

    Every other op on complex numbers stays as it is.
  }];
  let options = [
    Option<"planes", "planes", "bool", "false",
           "planes wherever there is reuse: for a library of real products">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FuseElementwise : Pass<"ein-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Make one op of chains of elementwise ops";
  let description = [{
    An elementwise `linalg.generic` becomes part of the `linalg.generic` that
    reads its result, by upstream's fusion, if nothing else reads it and no
    element of it would be computed twice: the reader, which may be a reduction,
    has exactly its dims.

    ```mlir
    %0 = linalg.generic … ins(%a) { exp }
    %1 = linalg.generic … ins(%0, %b) { addf }
    // becomes
    %1 = linalg.generic … ins(%a, %b) { exp; addf }
    ```

    Relies on: `ein-raise-to-contract`; ops without a strategy.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::affine::AffineDialect"];
}

def DivideSums : Pass<"ein-divide-sums", "::mlir::func::FuncOp"> {
  let summary = "Divide sums instead of their terms";
  let description = [{
    A sum of floats, in any order, of quotients by one number: the terms are
    multiplied by a power of two instead, which is exact, and the sum is divided
    by what is left of the number, between a half and one. So nothing overflows
    that did not before.

    ```mlir
    %s = linalg.generic … ins(%x) outs(%zeros) { %q = divf %x, 49.0; addf %acc, %q }
    // becomes
    %t = linalg.generic … ins(%x) outs(%zeros) { %q = mulf %x, 0.015625; addf %acc, %q }
    %s = linalg.generic … outs(%t) { divf %t, 0.765625 }
    ```

    Relies on: `ein-fuse-elementwise`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect"];
}

def SplitBorders : Pass<"ein-split-borders", "::mlir::func::FuncOp"> {
  let summary = "Split the interior of a stencil from its borders";
  let description = [{
    An elementwise op that reads neighbours where there are any (`pad`, `clamp`)
    becomes ops on parts of its result: two borders for each dim along which it
    looks, and the interior, which reads slices and asks nothing.

    ```mlir
    %b = linalg.generic … outs(%B) {            // 0 <= i < n
      %i = linalg.index 0
      %isInside = arith.cmpi ult, %i - 1, %n
      %x = scf.if %isInside { tensor.extract %A[%i - 1] } else { 0.0 } …
    // becomes
    %first = linalg.generic … outs(%B[0][1])    // with the question
    %slice = tensor.extract_slice %A[0] [%n - 1] [1]
    %rest = linalg.generic … ins(%slice) outs(%B[1][%n - 1]) { ^bb0(%x: f32, …
    ```

    Conditions are comparisons of an index plus a number with what is the same
    at all points. Interiors of fewer than 64 points stay with their borders.

    Relies on: `ein-fuse-elementwise`, so that a chain is split once.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def UpdateInPlace : Pass<"ein-update-in-place", "::mlir::func::FuncOp"> {
  let summary = "Sum up where the elementwise reader of a contraction writes";
  let description = [{
    If the only reader of a contraction is elementwise and writes each element
    where it reads the contraction's, the contraction (and those that its sum was
    begun by) gets the reader's destination for its own, and the reader updates
    it. A temporary less.

    ```mlir
    %f = linalg.fill … outs(%empty)
    %0 = linalg.contract … ins(%a, %b) outs(%f)
    %1 = linalg.generic … ins(%0, %bias) outs(%out) { addf %in, %in_0 }
    // becomes
    %f = linalg.fill … outs(%out)
    %0 = linalg.contract … ins(%a, %b) outs(%f)
    %1 = linalg.generic … ins(%bias) outs(%0) { addf %out, %in }
    ```

    Relies on: `ein-fuse-elementwise`, so that it is one reader; ops without a
    strategy.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def AddUnitRows : Pass<"ein-add-unit-rows", "::mlir::func::FuncOp"> {
  let summary = "Make a vector times a matrix a product of matrices";
  let description = [{
    Where an input of a `linalg.contract` is a vector that is summed over, and the
    other one is contiguous along a dim of the result that is the result's last,
    the vector and the result get a first dim of extent 1: views, and a matrix
    product with one row, whose register tiles read rows of the matrix.

    Relies on: `ein-update-in-place`. What `ein-select-strategy` sees as a
    product of a matrix and a vector is then one along contiguous elements.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SelectStrategy : Pass<"ein-select-strategy", "::mlir::func::FuncOp"> {
  let summary = "Decide how each structured op runs, and write it on the op";
  let description = [{
    Decides how ops run on the machine. It sets `ein.strategy` on each
    structured op, a builtin dictionary, and changes nothing else; later passes
    obey it and look at nothing else. An op that has one already keeps it, if it
    is well-formed.

    * `{kind = "packed_gemm", lhs, m, n, k, tile, interchange, micro}`: the
      contraction runs as a GotoBLAS nest. `lhs` is the input that has dim `m`
      (the rows of the register tile), `n` and `k` are the other two dims that
      are blocked, every other dim is a loop of step 1. `tile` has a size per
      dim (0: not tiled), `interchange` the order of the loops, `micro` is
      [MR, NR], and `edge`, if there, the same for the columns that do not fill
      a tile. `pack`, if not both, says which inputs are packed; the register
      tiles read the other ones in place. With `in_place_bytes`, inputs of up to
      so many bytes are all read in place, and `small` is then what `edge` is.
      `rows_first` has all tiles of some rows come before those of the next rows
      (and the last rows have a tile of their own),
      `unroll` makes so many steps of `k` one of the micro-kernel's loop, and
      `prefetch` has it prefetch C. With `kgroup = 2` the micro-kernel takes pairs of `k`: both
      operands are of bytes or signed words, which are summed in 32 bits.
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
    * `{kind = "gather", tile, interchange, groups, order, whole, lanes}`: a
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
      Sums whose `tile` is 0 are loops inside of a tile, the last `straight` of
      them straight code, and the loop round these is unrolled by `unroll`; sums
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
      many columns are done before the next ones, by an online softmax. For
      tests, a third part of `packing` is that number.
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
    Option<"library", "library", "std::string", "\"none\"",
           "none, or blas: what contractions are mapped to">,
    Option<"packing", "packing", "std::string", "\"auto\"",
           "auto; or, for tests, where there is a choice: always; never; first or "
           "second, that operand only; rows, tiles along the rows of C; versions, "
           "of open sizes, up to 2048 bytes an operand in place, else always; "
           "dots, none, and vectors along k. Then, after a comma, what threads "
           "share: auto; always, however little there is to do; outside, "
           "likewise, and the outermost loop of a packed_gemm">,
    Option<"vectorize", "vectorize", "bool", "true",
           "false: every op runs as scalar loops">,
    Option<"parallel", "parallel", "bool", "false",
           "also decide which loops are given to threads">,
    Option<"splits", "splits", "bool", "false",
           "with `parallel`: also which sums are split for them, which "
           "`ein-split-sums` does">
  ];
}

def SplitSums : Pass<"ein-split-sums", "::mlir::func::FuncOp"> {
  let summary = "Reduce in parts, for threads";
  let description = [{
    A reduction whose strategy is `split_sum` becomes one with a further dim, the
    parts of `k`, whose results are then combined; what the parts, all of one
    length, leave of `k` is taken in at the end. How many parts there are depends
    on `k` alone. With `parts = 32` and `grain = 256`, for `k = 70000`:

    ```mlir
    linalg.contract … [(k) -> (k), (k) -> (k), (k) -> ()] ins(%a, %b) outs(%c)
    // becomes
    %x = tensor.expand_shape (slice of %a) : tensor<69632xf32> into tensor<32x2176xf32>
    %y = …
    %zeros = linalg.fill ins(-0.0) …
    %parts = linalg.contract [(p, k) -> (p, k), (p, k) -> (p, k), (p, k) -> (p)]
      ins(%x, %y) outs(%zeros)
    %sum = linalg.generic [(p) -> (p), (p) -> ()] ins(%parts) outs(%c) { addf }
    linalg.contract … ins(rest of %a, rest of %b) outs(%sum)
    ```

    Relies on: `ein-select-strategy`, with `splits`. What takes the place of the
    op has no strategy yet, but for the combination, which is loops.
  }];
  let dependentDialects = ["::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def MirrorProducts : Pass<"ein-mirror-products", "::mlir::func::FuncOp"> {
  let summary = "Copy what is above the diagonal of a symmetric product";
  let description = [{
    Obeys `symmetric` of the strategy `packed_gemm`: `ein-pack-operands` leaves
    out the register tiles of C that are above the diagonal, up to squares of so
    many rows and columns, and loops over the squares below it, behind the
    contraction, transpose them to where these would have been.

    ```mlir
    %c = linalg.contract … {ein.strategy = {kind = "packed_gemm", symmetric = 64, …}} ins(%a, %a)
    // is followed by
    scf.for %i … step %c64 iter_args(%c0 = %c)
      scf.for %j = %zero to %i step %c64 iter_args(%c1 = %c0)
        %t = linalg.transpose ins(%c1[%i, %j] [%h, 64]) outs(%buffer) permutation = [1, 0]
        tensor.insert_slice %t into %c1[%j, %i] [64, %h]
    ```

    Where rows or depth are open, this is one side of a branch on whether there
    are enough of them; on the other side all of C is computed.

    Relies on: `ein-select-strategy`. Leaves behind: transpositions without a
    strategy.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def GatherOperands : Pass<"ein-gather-operands", "::mlir::func::FuncOp"> {
  let summary = "Make contractions of fewer dims, on operands that are copied";
  let description = [{
    Obeys the strategy `gather`. Operands are copied in another order of dims,
    whole or by blocks, dims that are one then are collapsed, and what is left is
    a contraction of fewer dims without a strategy. Arguments that are collapsed
    where they are become part of the function's `ein.contiguous`.

    ```mlir
    // maps (a, d, e, c, f) -> (e, f, a, d), (c, f), (a, c, d, e)
    // gather = {tile = [1, 0, 0, 0, 0], groups = [[1, 2]], order = [[0, 4, 1, 2], []]}
    %0 = linalg.contract … ins(%A, %B) outs(%C)
    // becomes, with (n, c, f) -> (f, n), (c, f), (c, n)
    %c = tensor.collapse_shape %C [[0], [1], [2, 3]]
    scf.for %a … iter_args(%carried = %c)
      %t = linalg.transpose ins(%A[0, 0, %a, 0]) outs(%buffer) permutation = [1, 2, 0]
      %n = tensor.collapse_shape %t [[0], [1, 2]]
      %0 = linalg.contract … ins(%n, %B) outs(%carried[%a, 0, 0])
    ```

    Relies on: `ein-select-strategy`.
    Leaves behind: no strategy `gather`; contractions that have none.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect"];
}

def FuseRows : Pass<"ein-fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "Make one loop over rows of ops that work on the same rows";
  let description = [{
    Obeys the strategy `rows`: all ops with one number of a `group` become one
    nest of loops over the dims that their strategies have a `tile` for. In it
    each works on a slice, without the dims whose tile is 1. What only they read
    has the size of such a slice, in a buffer outside of the loops.

    ```mlir
    %top = linalg.generic [(m, n) -> (m, n), (m)] ins(%X) outs(%low) { maximumf }
    %e = linalg.generic [(m, n) -> (m, n), (m), (m, n)] ins(%X, %top) { subf; exp }
    %sum = linalg.generic [(m, n) -> (m, n), (m)] ins(%e) outs(%zeros) { addf }
    %Y1 = linalg.generic [(m, n) -> (m, n), (m), (m, n)] ins(%e, %sum) outs(%Y) { divf }
    // becomes
    %Y1 = scf.for %m … iter_args(%y = %Y)
      %x = tensor.extract_slice %X[%m, 0] …
      %top = linalg.generic [(n) -> (n), ()] ins(%x) …
      %e = linalg.generic [(n) -> (n), (), (n)] ins(%x, %top) outs(%buffer)
      %sum = linalg.generic [(n) -> (n), ()] ins(%e) …
      %row = linalg.generic [(n) -> (n), (), (n)] ins(%e, %sum) outs(%y[%m, 0])
      tensor.insert_slice %row into %y[%m, 0]
    ```

    With a `block`, the columns of attention's rows are a loop inside, which
    carries the maximum so far and the sums relative to it:

    ```mlir
    %top, %sum, %o = scf.for %n … iter_args(%m = %low, %l = %zero, %acc = %zeros)
      %s = linalg.contract ins(%q, %k[%n]) …        // a block of scores
      %m1 = max(%m, the maximum of %s)
      %f = exp(%m - %m1)
      %e = exp(%s - %m1)
      %l1 = %l * %f + the sum of %e
      %acc1 = linalg.contract ins(%e, %v[%n]) outs(%acc * %f)
    ```

    Relies on: `ein-select-strategy`.
    Leaves behind: no strategy `rows`; ops in the loops that have none.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def VersionContractions
    : Pass<"ein-version-contractions", "::mlir::func::FuncOp"> {
  let summary = "Branch on the sizes of contractions that may be small";
  let description = [{
    A contraction whose strategy has `in_place_bytes` becomes two, in a branch on
    how many bytes each input has along `m`, `n` and `k`: up to so many, one that
    packs and blocks nothing, with `small` for the last columns; else the one that
    the strategy describes.

    Relies on: `ein-select-strategy`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FoldBranchSizes : Pass<"ein-fold-branch-sizes", "::mlir::func::FuncOp"> {
  let summary = "Ask the sizes of a branch's result of what it writes to";
  let description = [{
    A `tensor.dim` of what an `scf.if` yields becomes one of the tensor that both
    sides write to, and that of a `tensor.expand_shape` the number on the op, so
    that sizes are those of arguments wherever they can be.

    Relies on: nothing.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TileContractions : Pass<"ein-tile-contractions", "::mlir::func::FuncOp"> {
  let summary = "Tile contractions for the caches";
  let description = [{
    Makes the outer loops (NC, KC, MC and the dims of step 1) of every
    `linalg.contract` whose strategy is `packed_gemm`, as `scf.for` on tensors,
    by upstream's TilingInterface. An epilogue is moved into them and gets one
    more input, a bit that says whether this block of k is the last: on any other
    it changes nothing.

    Relies on: `ein-select-strategy`.
    Leaves behind: all dims of such a contract but m, n and k have extent 1; its
    epilogue is right behind it.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PackOperands : Pass<"ein-pack-operands", "::mlir::func::FuncOp"> {
  let summary = "Pack a contraction's operands and make its register tiles";
  let description = [{
    Promotion: each block of A is copied to panels of MR rows, each block of B
    to panels of NR columns (`linalg.pack`, zero-padded), in buffers of static
    size that are allocated once outside all loops. The loops over register
    tiles follow; in them a `linalg.contract` of two panels accumulates into an
    MR×NR tile of C, padded where C ends, and its epilogue changes the tile.
    Operands that are narrower than the accumulator are extended in their panels,
    by a `linalg.generic` behind the pack. If the strategy has `kgroup = 2`,
    panels are of half the accumulator's width and have pairs of k as their last
    dim.

    ```mlir
    scf.for n …                       // NR
      scf.for m …                     // MR
        %a = tensor.extract_slice %A_panels[m / MR, 0, 0] …  : tensor<?xMRxf32>
        %b = tensor.extract_slice %B_panels[n / NR, 0, 0] …  : tensor<?xNRxf32>
        %c = tensor.pad %C[m, n] …                           : tensor<MRxNRxf32>
        %d = linalg.contract [(m, n, k) -> (k, m), -> (k, n), -> (m, n)]
               ins(%a, %b) outs(%c)
    ```

    Relies on: `ein-tile-contractions`.
    Leaves behind: B's panels are packed outside the loop over blocks of A.
  }];
  let dependentDialects = ["::mlir::complex::ComplexDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def TileElementwise : Pass<"ein-tile-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Tile elementwise ops to vectors";
  let description = [{
    Makes the loops of every op whose strategy is `vectorize`: one vector along
    `vector_dim`, one element along the others. The last, incomplete vector is
    split off into scalar code. With `unroll` the loop is to become straight code
    of so many vectors, with `prefetch` it is marked `ein.next_row`.

    Relies on: `ein-select-strategy`.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RelaxSums : Pass<"ein-relax-sums", "::mlir::func::FuncOp"> {
  let summary = "Let contractions that stay loops add in any order";
  let description = [{
    linalg's contractions whose strategy is `loops` or `reduce` become `linalg.generic`,
    whose sum has the flags `reassoc` and `contract`, and whose product has
    `contract`: what every sum of a program has. LLVM makes vectors of the
    loops then.

    Relies on: `ein-select-strategy`.
  }];
  let dependentDialects = ["::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect"];
}

#endif // EIN_PASSES_PASSESTOTILED_TD
