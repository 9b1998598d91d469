//===- Passes.td - ops into pieces -------------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DECOMPOSE_PASSES_TD
#define EIN_PASSES_DECOMPOSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SplitSums : Pass<"ein-split-sums", "::mlir::func::FuncOp"> {
  let summary = "Reduce in parts, for threads";
  let description = [{
    Obeys `split`. A reduction becomes one with a further dim, the
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

    Relies on: `ein-select-schedule`, with `splits`. What takes the place of the
    op has no schedule yet, but for the combination, which is loops.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def FuseRows : Pass<"ein-fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "Make one loop over rows of ops that work on the same rows";
  let description = [{
    Obeys `group`: all ops with one number of a `group` become one
    nest of loops over the dims that their schedules have a `tile` for. In it
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

    With `block`, what has the columns of attention's rows is one reduction
    inside, of the maximum so far and the sums relative to it:

    ```mlir
    %top, %sum, %o = ein.online_reduce ins(%k, %v) along [1, 0]
        relative_to(%m0) outs(%l0, %acc0) step 512
      init { … -inf, 0 and 0 }
      advance {  // of the maximum %m
        %s = linalg.contract ins(%q, %kb) …         // a block of scores
        ein.yield max(%m, the maximum of %s), %s
      } rescale {  // from %m to %m1
        ein.yield %l * exp(%m - %m1), %acc * exp(%m - %m1)
      } combine {
        %e = exp(%s - %m1)
        %acc1 = linalg.contract ins(%e, %vb) outs(%acc)
        ein.yield %l + the sum of %e, %acc1
      }
    ```

    Relies on: `ein-select-schedule`.
    Leaves behind: no `group`; ops in the loops that have none.
  }];
  let options = [
    Option<"conflictBytes", "conflict-bytes", "int64_t", "0",
           "rows of buffers that are a multiple of so many bytes long share a few "
           "sets of L1, and are made longer; 0: none">
  ];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LowerOnlineReduce : Pass<"ein-lower-online-reduce", "::mlir::func::FuncOp"> {
  let summary = "Make a loop over blocks of a reduction with running values";
  let description = [{
    Ends `ein.online_reduce`. With a `step` it becomes a loop over blocks, which
    carries running values and accumulators; what is left behind whole blocks, or
    all without a `step`, is made once.

    ```mlir
    %m, %s = ein.online_reduce ins(%x : tensor<64x1030xf32>) along [1]
        relative_to(%m0) outs(%s0) step 512 init { … } …
    // becomes
    %m1, %s1 = scf.for %n = 0 to 1024 step 512 iter_args(%old = …, %acc = …)   // `init`
      %block = tensor.extract_slice %x[0, %n] [64, 512]
      %new = …      // `advance` of %n, %block, %old
      %scaled = …   // `rescale` of %old, %new, %acc
      %sum = …      // `combine` of %n, %block, %new, %scaled
      %kept = linalg.copy ins(%new) outs(%old)
      scf.yield %kept, %sum
    …             // the same of %x[0, 1024] [64, 6], at once
    ```

    Blocks of an unknown number are of dynamic size, all of them. A `tensor.empty`
    of a block is one buffer before the loops.

    Leaves behind: no `ein.online_reduce`; ops without schedules.
  }];
  let options = [
    Option<"conflictBytes", "conflict-bytes", "int64_t", "0",
           "as for `ein-fuse-rows`">
  ];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PackTensors : Pass<"ein-pack-tensors", "::mlir::func::FuncOp"> {
  let summary = "Make contractions of fewer dims, on operands that are copied";
  let description = [{
    Obeys `copies`. Operands are copied in another order of dims,
    whole or by blocks, dims that are one then are collapsed, and what is left is
    a contraction of fewer dims without a schedule. Arguments that are collapsed
    where they are become part of the function's `ein.contiguous`; so do those
    whose last dim, of one element, is dropped.

    What reads windows, if it is of one or two operands, becomes the same of
    copies. A copy of one dim has the axis of that dim behind all others.

    With `k_pack`, a sum over windows becomes one of groups of so many channels,
    `sums`, which instructions multiply at once. The operand whose copy is of two
    dims gets, of the first, groups behind the axis of the second, which is
    behind all others. Groups that are narrower than a sum are extended in the
    copies. Channels that are not known to be whole groups are copied in both
    operands, and end with zeros.

    ```mlir
    // maps (w, f, s, c) -> (w + s, c), (s, c, f), (w, f)
    // #ein.schedule<copies = [in_place, [d3, d1] whole], sums = d3, k_pack = 4, …>
    %0 = linalg.generic … ins(%I, %K : tensor<…x64xi8>, tensor<3x64x64xi8>) outs(%O)
    // becomes, with (w, f, s, c, g) -> (w + s, 4 * c + g), (s, c, f, g), (w, f)
    %k = linalg.generic … ins(%K) outs(%empty) : tensor<3x16x64x4xi8>
    %0 = linalg.generic … ins(%I, %k) outs(%O)
    ```

    ```mlir
    // maps (a, d, e, c, f) -> (e, f, a, d), (c, f), (a, c, d, e)
    // #ein.schedule<copies = [[d0, d4, d1, d2], in_place], joined = [[d1, d2]], loops = [d0: 1, …]>
    %0 = linalg.contract … ins(%A, %B) outs(%C)
    // becomes, with (n, c, f) -> (f, n), (c, f), (c, n)
    %c = tensor.collapse_shape %C [[0], [1], [2, 3]]
    scf.for %a … iter_args(%carried = %c)
      %t = linalg.transpose ins(%A[0, 0, %a, 0]) outs(%buffer) permutation = [1, 2, 0]
      %n = tensor.collapse_shape %t [[0], [1, 2]]
      %0 = linalg.contract … ins(%n, %B) outs(%carried[%a, 0, 0])
    ```

    Relies on: `ein-select-schedule`.
    Leaves behind: no `copies`; contractions that have none.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect"];
}

def MakeVersions : Pass<"ein-make-versions", "::mlir::func::FuncOp"> {
  let summary = "Branch on sizes where a schedule has alternatives";
  let description = [{
    Obeys `alternatives`: the op becomes one op for each of them and one for what
    no guard holds of.

    ```mlir
    %0 = linalg.contract … {ein.schedule = #ein.schedule<…,
           alternatives = [if d0 * d2 at_most 4096 and d1 * d2 at_most 4096 then <…>]>}
    // becomes
    %0 = scf.if %fits { linalg.contract … } else { linalg.contract … }
    ```

    Each starts from a fill of its own, if it starts from one, and has the
    epilogue, if there is one.

    Relies on: `ein-select-schedule`. Leaves behind: no `alternatives`, or, with
    `early`, those only that no pass takes apart.
  }];
  let options = [
    Option<"early", "early", "bool", "false",
           "only where a version is taken apart, or is of another kind">
  ];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MirrorProducts : Pass<"ein-mirror-products", "::mlir::func::FuncOp"> {
  let summary = "Copy what is above the diagonal of a symmetric product";
  let description = [{
    Obeys `symmetric`: `ein-pack-operands` leaves
    out the register tiles of C that are above the diagonal, up to squares of so
    many rows and columns, and loops over the squares below it, behind the
    contraction, transpose them to where these would have been.

    ```mlir
    %c = linalg.contract … {ein.schedule = #ein.schedule<…, symmetric = 64>} ins(%a, %a)
    // is followed by
    scf.for %i … step %c64 iter_args(%c0 = %c)
      scf.for %j = %zero to %i step %c64 iter_args(%c1 = %c0)
        %t = linalg.transpose ins(%c1[%i, %j] [%h, 64]) outs(%buffer) permutation = [1, 0]
        tensor.insert_slice %t into %c1[%j, %i] [64, %h]
    ```

    Relies on: `ein-select-schedule`. Leaves behind: transpositions without a
    schedule.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // EIN_PASSES_DECOMPOSE_PASSES_TD
