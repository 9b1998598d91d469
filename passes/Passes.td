//===- Passes.td - The passes of einc, in data-flow order --*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_PASSES_TD
#define EIN_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// someone else's MLIR -> mlir
//===----------------------------------------------------------------------===//

def CheckSource : Pass<"ein-check-source", "::mlir::ModuleOp"> {
  let summary = "Refuse what of a user's module cannot be compiled";
  let description = [{
    An error, at the op and with its name, for everything that the pipelines
    have no lowering for: ops of other dialects (gpu, sparse_tensor, …), control
    flow between blocks, functions that call themselves, memrefs with layouts in
    the interface of a function, memrefs as results.

    Leaves behind: a module of functions (`func.func`) and globals
    (`memref.global`); every function has one block or is declared only.
  }];
}

def PrepareSource : Pass<"ein-prepare-source", "::mlir::func::FuncOp"> {
  let summary = "Decompose the ops that the pipelines do not know";
  let description = [{
    `linalg.softmax`, the winograd ops, `linalg.pack`, `linalg.unpack` and
    `tensor.concat` become what they are combinations of; `memref.copy` becomes
    a `linalg.generic`; `memref.dealloc` goes, because the pipelines free what
    is allocated.

    Relies on: `ein-check-source`; calls are inlined.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect"];
}

def InferSignatures : Pass<"ein-infer-signatures", "::mlir::ModuleOp"> {
  let summary = "Infer the C interface of functions that have none";
  let description = [{
    Gives each function `ein.signature` and the arguments that it implies. Each
    dynamic dim of an argument is a size; each result gets a destination, whose
    extents are found with upstream's value bounds; what the ops imply of the
    sizes becomes checks.

    ```mlir
    func.func @f(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>) -> tensor<?x?xf32>
    // becomes
    func.func @f(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>, %res0: tensor<?x?xf32>,
                 %arg0_0: index, %arg1_1: index) -> tensor<?x?xf32>
    ```

    `ein.contiguous` lists the arguments of which the code may rely on being
    contiguous: memrefs that say so, or whose strides are known otherwise.

    Arguments come in the order inputs, memrefs that are written (`inout`),
    destinations, sizes. Tensors that are inputs are not written; rank-0 inputs
    are passed by value.

    Relies on: `ein-prepare-source`; every function with a body is an entry.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

//===----------------------------------------------------------------------===//
// ein -> linalg
//===----------------------------------------------------------------------===//

def DecomposeAggregates : Pass<"ein-decompose-aggregates", "::mlir::func::FuncOp"> {
  let summary = "Replace softmax and packs by what they combine";
  let description = [{
    `linalg.softmax`, `linalg.pack` and `linalg.unpack`, which a program calls by
    name, become structured ops, pads and slices by upstream's decompositions.

    ```mlir
    %y = linalg.softmax dimension(1) ins(%x) outs(%o)
    // becomes
    %m = linalg.generic … %x …        // the largest of each row
    %e = linalg.generic … %x, %m …    // exp(x - m)
    %s = linalg.generic … %e …        // the sum of each row
    %y = linalg.generic … %e, %s …    // e / s
    ```

    Leaves behind: no such op, until `ein-pack-operands` packs for itself.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect"];
}

def SimplifyEinsum : Pass<"ein-simplify-einsum", "::mlir::func::FuncOp"> {
  let summary = "Take diagonals and one-sided sums out of einsums";
  let description = [{
    An input that repeats a dim is replaced by its diagonal, and a dim that only
    one input has and the output lacks is summed out of that input first, both
    as `linalg.generic`. What `linalg.contract` cannot say is thus gone before
    an order is looked for, and the sums run on the smallest tensors.

    ```mlir
    // i only in %a, twice; k only in %b
    ein.einsum [(j, i, k) -> (i, i, j), (j, i, k) -> (j, k), -> (j)] ins(%a, %b)
    // becomes
    %d = linalg.generic … %a …        // d(i, j) = a(i, i, j)
    %s = linalg.generic … %d …        // s(j) = sum_i d(i, j)
    %t = linalg.generic … %b …        // t(j) = sum_k b(j, k)
    ein.einsum [(j) -> (j), (j) -> (j), -> (j)] ins(%s, %t)
    ```

    A single input is left alone: it is already one op.
    Leaves behind: with two inputs or more, every dim is in the output or in at
    least two inputs, and no input repeats a dim.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
}

def OrderContractions : Pass<"ein-order-contractions", "::mlir::func::FuncOp"> {
  let summary = "Replace an einsum of many inputs by einsums of two";
  let description = [{
    What `path` lists is contracted on its own, whatever that costs. Otherwise
    the order is the one with the fewest multiplications: exact up to a dozen
    inputs, greedy beyond (`analysis/ContractionOrder.h`). Extents that are not
    known count as `unknown-size`.

    ```mlir
    %r = ein.einsum … ins(%a, %b, %c) outs(%init)
    // becomes, for sizes that favour it
    %t = ein.einsum … ins(%b, %c) outs(%zero)
    %r = ein.einsum … ins(%a, %t) outs(%init)
    ```

    Relies on: `ein-simplify-einsum`.
    Leaves behind: every einsum has one input or two.
  }];
  let options = [
    Option<"unknownSize", "unknown-size", "int64_t", "256",
           "the extent assumed for dims that are dynamic">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
  let statistics = [
    Statistic<"numOrdered", "num-ordered", "Einsums split into pairs">
  ];
}

def LowerEinsum : Pass<"ein-lower-einsum", "::mlir::func::FuncOp"> {
  let summary = "Turn einsums of one or two inputs into linalg";
  let description = [{
    Two inputs become `linalg.contract` where its verifier allows (a dim to
    reduce, in both inputs), and a `linalg.generic` that multiplies otherwise
    (outer and Hadamard products). One input becomes `linalg.transpose`,
    `linalg.copy` or a `linalg.generic` (sum, diagonal, broadcast). A product
    without a sum that starts from zero does not read its init.

    Relies on: `ein-simplify-einsum`, `ein-order-contractions`.
    Leaves behind: no op of the `ein` dialect.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
}

//===----------------------------------------------------------------------===//
// linalg -> contract
//===----------------------------------------------------------------------===//

def RaiseToContract : Pass<"ein-raise-to-contract", "::mlir::func::FuncOp"> {
  let summary = "Raise to linalg.contract or ein.contract, where that is proved";
  let description = [{
    A `linalg.generic` with two inputs, projected permutations for maps and a
    multiply-add for a body becomes a `linalg.contract`; so do named ops that
    are contractions (`linalg.matmul`) and `ein.contract`. With another
    reduction in place of the sum (max, min, product, and, or, xor) it becomes
    an `ein.contract` of that kind. The step is proved, not trusted: the
    contract is generalised back, and maps and body must be the same again up to
    commutation, or the op stays.

    ```mlir
    linalg.generic {maps = [(m, n, k) -> (k, m), -> (k, n), -> (m, n)]} {
      ^bb0(%a, %b, %c):
        %0 = arith.mulf %b, %a
        %1 = arith.addf %0, %c
        linalg.yield %1
    }
    // becomes
    linalg.contract indexing_maps = [(m, n, k) -> (k, m), -> (k, n), -> (m, n)]
    ```

    Upstream has no such raising in LLVM 22, and its raising to named ops
    miscompiles transposed operands. What became of each op is a remark of the
    category `raise`: its dims by role, or why it stays generic.
  }];
  let dependentDialects = ["::ein::EinDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
  let statistics = [
    Statistic<"numRaised", "num-raised", "Ops raised to contractions">
  ];
}

def FoldViews : Pass<"ein-fold-views", "::mlir::func::FuncOp"> {
  let summary = "Have ops read what a view is of";
  let description = [{
    An op that only moves elements (`linalg.transpose`, `linalg.broadcast`,
    `linalg.copy`, a `linalg.generic` that yields its input) disappears into the
    indexing maps of the `linalg.generic`, `linalg.contract` and `ein.contract`
    that read it: packing and loops read any order, so the copy would be made
    for nothing. A slice of what was moved becomes a slice of the source.

    In a reduction a map that is a choice of dims stays one, so that contractions
    remain. A broadcast folds only if every dim it adds is still found in the
    output or in the other input as the contract's verifier wants.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FoldExtensions : Pass<"ein-fold-extensions", "::mlir::func::FuncOp"> {
  let summary = "Fold extensions of integers into contractions";
  let description = [{
    A `linalg.generic` that does nothing but extend the integers of an input of
    a `linalg.contract` disappears: the contract reads the narrow array, and its
    `cast` says how that is extended.

    ```mlir
    %wide_a = linalg.generic … ins(%a : tensor<?x?xi8>) … { arith.extsi … i8 to i32 }
    %wide_b = linalg.generic … ins(%b : tensor<?x?xi8>) … { arith.extsi … i8 to i32 }
    %1 = linalg.contract … ins(%wide_a, %wide_b : tensor<?x?xi32>, tensor<?x?xi32>)
    // becomes
    %1 = linalg.contract … ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
    ```

    An unsigned input beside a signed one is extended to twice its width only,
    where its values are signed ones, if that is still narrower.

    Relies on: `ein-fold-views`, behind which extensions may be.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// contract -> tiled, or loops
//===----------------------------------------------------------------------===//

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
    The only pass that looks at the machine. It sets `ein.strategy` on each
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
      `rows_first` has all tiles of some rows come before those of the next rows,
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
      loops for the rest.
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
    * `{kind = "transpose", lanes}`: a `linalg.transpose`, by blocks of `lanes`
      by `lanes`.
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
           "auto; or, for tests: always, never, or dots: none, and vectors along "
           "k, where there is a choice">,
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
    %parts = linalg.contract [(p, k) -> (p, k), (p, k) -> (p, k), (p, k) -> (p)] ins(%x, %y) outs(%zeros)
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
    split off into scalar code.

    Relies on: `ein-select-strategy`.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RelaxSums : Pass<"ein-relax-sums", "::mlir::func::FuncOp"> {
  let summary = "Let contractions that stay loops add in any order";
  let description = [{
    linalg's contractions whose strategy is `loops` become `linalg.generic`,
    whose sum has the flags `reassoc` and `contract`, and whose product has
    `contract`: what every sum of a program has. LLVM makes vectors of the
    loops then.

    Relies on: `ein-select-strategy`.
  }];
  let dependentDialects = ["::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect"];
}

//===----------------------------------------------------------------------===//
// tiled -> vector
//===----------------------------------------------------------------------===//

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
  let dependentDialects = ["::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect"];
}

def VectorizeTransposes : Pass<"ein-vectorize-transposes", "::mlir::func::FuncOp"> {
  let summary = "Turn transpositions into loops over blocks in registers";
  let description = [{
    A `linalg.transpose` with the strategy `transpose` becomes loops whose body
    reads a block of `lanes` rows, each a vector of the source, transposes it in
    registers and writes it. Where source and result are contiguous
    along the same dim, rows are copied.

    Leaves behind: no strategy `transpose`.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::arith::ArithDialect"];
}

def VectorizePacks : Pass<"ein-vectorize-packs", "::mlir::func::FuncOp"> {
  let summary = "Turn linalg.pack into loops over vectors";
  let description = [{
    A panel is filled row by row where its rows are contiguous in the source,
    and by transposed blocks where its columns are. The reads pad with zero past
    the end of the source, so panels are always complete. The op that extends
    the panels, if there is one, is part of the loops.

    Relies on: packs made by `ein-pack-operands` (a matrix, one inner tile, or
    two of which the second is a pair).
    Leaves behind: no `linalg.pack`.
  }];
  let dependentDialects = ["::ein::EinDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::arith::ArithDialect"];
}

def Vectorize : Pass<"ein-vectorize", "::mlir::func::FuncOp"> {
  let summary = "Vectorise contractions to vector.contract, and elementwise tiles";
  let description = [{
    A `linalg.contract` of two panels becomes a loop over k whose body reads one
    row of each panel and the whole tile of C, multiplies by `vector.contract`
    and writes the tile back. Static tiles of elementwise ops become vector
    code. Both by upstream's `linalg::vectorize`.

    A tile whose strategy is `dot` becomes a loop over k that carries a vector
    of partial sums for each element of C, reads a vector of each row of A and
    of each column of B, and multiplies all pairs; behind it the vectors are
    summed up across, several at once, and added to C.

    ```mlir
    %sums:4 = scf.for %k … step %c16 iter_args(%s0, %s1, %s2, %s3) {
      %a0 = vector.transfer_read %A[%c0, %k] : vector<16xf32>
      %a1 = vector.transfer_read %A[%c1, %k] : vector<16xf32>
      %b0 = vector.transfer_read %B[%c0, %k] : vector<16xf32>
      %b1 = vector.transfer_read %B[%c1, %k] : vector<16xf32>
      %t0 = vector.fma %a0, %b0, %s0 …
    }
    ```

    Relies on: `ein-pack-operands`, `ein-tile-elementwise`.
    Leaves behind: no `linalg.contract` with a `packed_gemm` or `dot` strategy.
  }];
  let dependentDialects = ["::ein::EinDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

def HoistAccumulators : Pass<"ein-hoist-accumulators", "::mlir::func::FuncOp"> {
  let summary = "Keep accumulators in registers across the reduction loop";
  let description = [{
    The read and the write of the C tile move out of the loop over k, and the
    tile becomes a vector that the loop carries. Reads and writes of the padded
    tile then go to C itself, out of bounds where C ends, so the padded copy
    disappears.

    ```mlir
    %acc = vector.transfer_read %C[m, n], %zero : tensor<?x?xf32>, vector<14x32xf32>
    %r = scf.for k iter_args(%v = %acc) -> vector<14x32xf32> {
      … vector.contract … %v …
    }
    vector.transfer_write %r, %C[m, n] : vector<14x32xf32>, tensor<?x?xf32>
    ```

    Relies on: `ein-vectorize`.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::vector::VectorDialect"];
}

//===----------------------------------------------------------------------===//
// vector -> memref
//===----------------------------------------------------------------------===//

def ReturnToDestination : Pass<"ein-return-to-destination", "::mlir::func::FuncOp"> {
  let summary = "Have every result written to the argument that is its place";
  let description = [{
    Checks that each result of a function with `ein.signature` has an output
    argument to go to, of the same type, and makes a copy of results that are
    another argument as it is.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def Bufferize : Pass<"ein-bufferize", "::mlir::ModuleOp"> {
  let summary = "Turn tensors into buffers, results in place";
  let description = [{
    Upstream's One-Shot Bufferize over functions, after the empty tensors that
    only serve as destinations have been replaced by what they are written to.
    Arguments become memrefs whose last stride is one and whose other strides are
    open. Functions with `ein.signature`
    return nothing: a result is its output argument's buffer already, or is
    copied there. Copies become `linalg.generic`, not `memref.copy`, which
    for strided memrefs would call a function of MLIR's runtime.

    Relies on: `ein-return-to-destination`.
    Leaves behind: no tensors; functions with `ein.signature` return nothing.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def Parallelize : Pass<"ein-parallelize", "::mlir::func::FuncOp"> {
  let summary = "Make parallel loops of those that were given to threads";
  let description = [{
    A loop that is marked `ein.parallel` becomes an `scf.parallel`, and so does
    the loop of a structured op whose strategy has a `parallel` dim. Two marked
    loops, one in the other with nothing but address arithmetic between them,
    become one of two dims.

    Every write in such a loop has to go to a place that depends on the
    iteration. A buffer of static size of which that is not so is scratch:
    each iteration gets one of its own, on the stack. Any other such write
    leaves the loop as it is.

    ```mlir
    %s = memref.alloc() : memref<64xf32>
    scf.for %i … { … write to %s …  write to %C[%i] … } {ein.parallel = 1024}
    // becomes
    scf.parallel (%i) … {
      %s = memref.alloca() : memref<64xf32>
      … write to %s …  write to %C[%i] …
    } {ein.parallel = 1024}
    ```

    Relies on: `ein-bufferize`; iterations of a marked loop that do not need each
    other's values.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numParallel", "num-parallel", "Loops made parallel">,
    Statistic<"numDeclined", "num-declined",
              "Marked loops left as they are">
  ];
}

def PlanMemory : Pass<"ein-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Make one allocation of all temporaries";
  let description = [{
    Every buffer that is allocated at the top of a function becomes a part of
    one buffer of bytes, allocated before the first of them and freed at the
    end. There is one call that can fail, and nothing to undo when it does.
    A buffer that is allocated and freed in a branch of an `scf.if` is a part if
    the branch will be taken, as far as the arguments tell; without parts nothing
    is allocated.

    ```mlir
    %a = memref.alloc(%n) : memref<?xf32>
    %b = memref.alloc() : memref<128xf32>
    // becomes
    %arena = memref.alloc(%bytes) : memref<?xi8>
    %a = memref.view %arena[%c0][%n] : memref<?xi8> to memref<?xf32>
    %b = memref.view %arena[%offset][] : memref<?xi8> to memref<128xf32>
    ```

    Relies on: `ein-bufferize`; sizes that follow from the arguments.
    Leaves behind: at most one allocation per function.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect"];
}

//===----------------------------------------------------------------------===//
// memref -> llvm-dialect
//===----------------------------------------------------------------------===//

def PromoteAccumulators : Pass<"ein-promote-accumulators", "::mlir::func::FuncOp"> {
  let summary = "Carry scalar accumulators through their loops";
  let description = [{
    A loop that reads and writes the same element in every step, and touches the
    object that it belongs to in no other way, carries the element's value
    instead. Arguments that are written overlap nothing, and temporaries are
    views that do not overlap, so objects that are different are disjoint.

    ```mlir
    scf.for %k … {
      %s = memref.load %C[%i]
      %t = arith.addf %s, %x
      memref.store %t, %C[%i]
    }
    // becomes
    %s = memref.load %C[%i]
    %t = scf.for %k … iter_args(%v = %s) { … arith.addf %v, %x … }
    memref.store %t, %C[%i]
    ```

    Relies on: `ein-plan-memory`.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numPromoted", "num-promoted", "Accumulators carried by a loop">
  ];
}

def CallLibm : Pass<"ein-call-libm", "::mlir::ModuleOp"> {
  let summary = "Call libm for functions that are small near zero";
  let description = [{
    `math.expm1` and `math.log1p` become calls of libm. Upstream's conversion
    to the llvm dialect makes `exp(x) - 1` and `log(1 + x)` of them, which are
    zero for all small `x`.

    ```mlir
    %y = math.expm1 %x : f32
    // becomes
    %y = call @expm1f(%x) : (f32) -> f32
    ```

    Relies on: half-precision numbers being extended already.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::vector::VectorDialect"];
}

def CallSpecial : Pass<"ein-call-special", "::mlir::ModuleOp"> {
  let summary = "Call special functions";
  let description = [{
    `ein.special` becomes a call of a function of `SpecialFunctions.mlir`, which
    the module gets with all that it calls: functions of libm, and for what libm
    lacks internal ones.

    ```mlir
    %y = ein.special "erfinv"(%x)
    // becomes
    %y = call @__ein_special_erfinv(%x) : (f64) -> f64
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerContractions : Pass<"ein-lower-contractions", "::mlir::func::FuncOp"> {
  let summary = "Lower vector.contract and transfers to what LLVM has";
  let description = [{
    `vector.contract` becomes outer products (`vector.fma` per row of the tile);
    one of pairs of integers becomes a product per row, at twice the length,
    whose even and odd elements are added, which x86 does by one instruction;
    transfers with permutation become transposes, transfers that may leave their
    buffer become rows that are masked or skipped. Loops with `ein.unroll` are
    unrolled by so many steps, and before those with `ein.prefetch` the tile of
    C that they compute is prefetched.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect"];
}

def LowerExpandShape : Pass<"ein-lower-expand-shape", "::mlir::func::FuncOp"> {
  let summary = "Lower memref.expand_shape with several open dims of one";
  let description = [{
    A dim that becomes several of which more than one is open becomes a
    `memref.reinterpret_cast` with strides that are products of sizes. Upstream's
    `expand-strided-metadata` takes all others.

    ```mlir
    %r = memref.expand_shape %a [[0, 1]] output_shape [%h, %w] : memref<?xf32> into memref<?x?xf32>
    // becomes
    %r = memref.reinterpret_cast %a to offset: [0], sizes: [%h, %w], strides: [%w, 1]
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect"];
}

def LowerReinterpret : Pass<"ein-lower-reinterpret", "::mlir::func::FuncOp"> {
  let summary = "Lower views of memory as of another element type";
  let description = [{
    An `ein.reinterpret` of a memref becomes a `memref.reinterpret_cast` whose
    offset, sizes and strides count the new elements. The cast of the pointers
    folds away with the conversion to the llvm dialect.

    ```mlir
    %r = ein.reinterpret %a : memref<?x4xcomplex<f32>, strided<[?, 1]>> to memref<?x8xf32, strided<[?, 1]>>
    // becomes
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a
    %p = builtin.unrealized_conversion_cast %base : memref<complex<f32>> to memref<f32>
    %r = memref.reinterpret_cast %p to offset: [0], sizes: [%sizes#0, 8], strides: [2 * %strides#0, 1]
    ```

    Relies on: no tensors. Leaves behind: no op of the `ein` dialect.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect"];
}

def MapToLibrary : Pass<"ein-map-to-library", "::mlir::ModuleOp"> {
  let summary = "Replace structured ops by calls of C functions";
  let description = [{
    A `linalg.generic` that has `library_call` becomes a call of that function
    with a strided view per operand (MLIR's C interface, `_mlir_ciface_NAME`). A
    `linalg.contract` whose strategy is `library_call` becomes calls of
    `cblas_?gemm`, `cblas_?gemv` or `cblas_?dot`, with loops for sizes that are
    beyond `int`.

    ```mlir
    linalg.contract … {ein.strategy = {kind = "library_call", …}} ins(%a, %b) outs(%c)
    // becomes
    scf.if %fits {
      func.call @cblas_sgemm(%c101, %c111, %c111, %m, %n, %k, %one, %pa, %lda, …)
    } else {
      linalg.contract … {ein.strategy = {kind = "loops"}} ins(%a, %b) outs(%c)
    }
    ```

    Relies on: buffers; `ein-select-strategy`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LowerParallel : Pass<"ein-lower-parallel", "::mlir::func::FuncOp"> {
  let summary = "Run parallel loops in OpenMP's threads, or in one";
  let description = [{
    With `threads`, an outermost `scf.parallel` becomes a region of OpenMP with
    a work-sharing loop. If it says how many points it must have to be worth it
    (`ein.parallel`), they are counted when the code runs, by the extents of
    the loops in it that are known before it starts.

    ```mlir
    omp.parallel if(%isWorthIt) {
      omp.wsloop nowait {
        omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) { … }
      }
    }
    ```

    All other parallel loops become `scf.for`. What a body has on the stack is
    given back after each step.

    Leaves behind: no `scf.parallel`.
  }];
  let options = [
    Option<"threads", "threads", "bool", "false",
           "use threads, and so need OpenMP's runtime">
  ];
  let dependentDialects = ["::mlir::omp::OpenMPDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExpandHalfFloats : Pass<"ein-expand-half-floats", "::mlir::func::FuncOp"> {
  let summary = "Convert f16 and bf16 in integer arithmetic";
  let description = [{
    `arith.extf` and `arith.truncf` between f32 and a half-precision type become
    arithmetic on their bits, so that LLVM calls no runtime library for them. An
    extension to f64 goes by way of f32.

    Relies on: half-precision numbers are not computed with, as after
    `arith-emulate-unsupported-floats`.
  }];
  let options = [
    Option<"onlyBFloat16", "only-bf16", "bool", /*default=*/"false",
           "leave f16 to instructions">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NameKernels : Pass<"ein-name-kernels", "::mlir::ModuleOp"> {
  let summary = "Give kernels names that mean nothing to C";
  let description = [{
    A function with `ein.signature` called NAME becomes `__ein_kernel_NAME`. The
    conversions that follow, and code generation, call functions of the C library
    (`malloc`, `expf`) and would take a function of that name for them.

    Leaves behind: the name for the C entry, in `ein-emit-entry-points`.
  }];
}

def AddViewHelpers : Pass<"ein-add-view-helpers", "::mlir::ModuleOp"> {
  let summary = "Add the functions that view entries call";
  let description = [{
    Adds the functions of `ViewOverlap.mlir` and `ViewCopies.mlir` to a module that has a
    kernel: whether two views overlap, and copies of views. They are internal.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def DropUnsignedWrap : Pass<"ein-drop-unsigned-wrap", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "Take back the promise that addresses do not wrap as unsigned";
  let description = [{
    The lowering of memrefs marks the arithmetic on their strides `nuw`. A
    negative stride is a large unsigned number, and its product wraps by design:
    the flag would make that undefined. `inbounds` and `nsw` hold and stay.

    ```mlir
    %0 = llvm.mul %i, %stride overflow<nsw, nuw> : i64
    %1 = llvm.getelementptr inbounds|nuw %p[%0]
    // becomes
    %0 = llvm.mul %i, %stride overflow<nsw> : i64
    %1 = llvm.getelementptr inbounds %p[%0]
    ```
  }];
}

def EmitEntryPoints : Pass<"ein-emit-entry-points", "::mlir::ModuleOp"> {
  let summary = "Make the C functions that callers see";
  let description = [{
    Each function with `ein.signature`, `__ein_kernel_NAME`, becomes internal
    and gets a C entry NAME that takes pointers, scalars and sizes, checks the
    sizes, and returns a code of `runtime/Codes.def`.

    With `packed`, what callers see is a uniform entry
    `__ein_packed_NAME(void **arguments, const int64_t *sizes)`, which
    executables and the JIT call; the C entry is internal then and called
    `__ein_entry_NAME`, so that a program may use names that the C library has.

    With `views`, there are entries for arrays of any strides as well: NAME_view,
    which takes pointers to `{data, sizes, strides}`, and `_mlir_ciface_NAME`,
    which takes pointers to memref descriptors (or, with `packed`,
    `__ein_packed_view_NAME`, whose arguments are pointers to views). They check
    that the sizes agree and that outputs overlap nothing, and copy the arrays
    whose last stride is not one, which the kernel cannot read, or, where
    `ein.contiguous` names them, that are not contiguous.

    A complex scalar is passed as C does by the convention that the module's
    `ein.complex_convention` names (`target/ComplexArguments.h`), and is an error
    without one; the attribute is gone afterwards.

    Relies on: `ein-name-kernels`, with `views` on `ein-add-view-helpers`; the
    llvm dialect only, memrefs whose last stride is one, expanded to (allocated,
    aligned, offset, sizes…, strides…).
  }];
  let options = [
    Option<"packed", "packed", "bool", "false",
           "make the uniform entries instead">,
    Option<"executable", "executable", "bool", "false",
           "packed, with the table of entries that an executable's main reads">,
    Option<"views", "views", "bool", "false",
           "make the entries that take strides as well">,
    Option<"checks", "checks", "bool", "true",
           "have the entries check sizes and overlap">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// At any level
//===----------------------------------------------------------------------===//

def Morph : Pass<"ein-morph", "::mlir::func::FuncOp"> {
  let summary = "Turn structured ops into named, contract or generic form";
  let description = [{
    Between the three forms of a structured op, in any direction: `linalg.matmul`
    and its kin (`passes/NamedOps.def`), `linalg.contract` or `ein.contract`, and
    `linalg.generic`. Every raise is proved by generalising the raised op again
    and comparing it with the original, up to the numbers of dims, the order of
    inputs and commutation; an op for which that fails stays as it is.

    ```mlir
    linalg.contract indexing_maps = [(n, k, m) -> (k, m), -> (n, k), -> (m, n)] ins(%a, %b)
    // --ein-morph=to=named makes of it
    linalg.matmul indexing_maps = [(m, n, k) -> (k, m), -> (n, k), -> (m, n)] ins(%a, %b)
    ```

    The pipeline does not run it: packing knows `linalg.contract`, which
    `ein-raise-to-contract` makes. It is for libraries, which named ops stand
    for, and to look at.
  }];
  let options = [
    Option<"to", "to", "std::string", "",
           "the form: named, contract or generic">
  ];
  let statistics = [
    Statistic<"numMorphed", "num-morphed", "Ops turned into another form">
  ];
  let dependentDialects = ["::ein::EinDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect"];
}

def CheckLevel : Pass<"ein-check-level", "::mlir::ModuleOp"> {
  let summary = "Check the contract of a level";
  let description = [{
    What each level promises to the next (`passes/Levels.def`): which dialects
    are gone, which ops carry which attribute, where nothing is allocated.
    Violations are bugs of the compiler and are reported as errors on the op.
  }];
  let options = [
    Option<"level", "level", "std::string", "",
           "the level whose contract is checked">
  ];
}

#endif // EIN_PASSES_PASSES_TD
