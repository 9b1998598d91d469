//===- PassesToContract.td - From a program to contractions *- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_PASSESTOCONTRACT_TD
#define EIN_PASSES_PASSESTOCONTRACT_TD

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
    What the op's `path` lists is contracted on its own, whatever that costs.
    Otherwise the order is the one with the fewest multiplications and
    additions: exact up to some 20 inputs, the best of `effort` trees beyond
    (`analysis/ContractionOrder.h`). Extents that are not known count as
    `unknown-size`; if for other extents another order is the cheapest, up to
    three are written, in branches on what each of them costs.

    ```mlir
    %r = ein.einsum … ins(%a, %b, %c) outs(%init)
    // becomes, for sizes that favour it
    %t = ein.einsum … ins(%b, %c) outs(%zero)
    %r = ein.einsum … ins(%a, %t) outs(%init)
    ```

    If the results between steps would take more than `max-temp` bytes, loops
    over slices of some dims are put round them: each round adds its part of the
    result, and steps that have none of these dims stay outside.

    A generic that reduces something else than a sum is put in order likewise
    where that is the same (`OrderSemirings.cpp`), such as `max` of sums of
    floats, `|` of `&`. A remark of the category `path` says that it is, or why
    it stays as written.

    Relies on: `ein-simplify-einsum`.
    Leaves behind: every einsum has one input or two.
  }];
  let options = [
    Option<"unknownSize", "unknown-size", "int64_t", "256",
           "the extent assumed for dims that are dynamic">,
    Option<"strategy", "strategy", "std::string", "\"auto\"",
           "auto, optimal, greedy (numpy's), or left (as written)">,
    Option<"effort", "effort", "uint64_t", "0",
           "trees that a search evaluates; 0: what takes about a second">,
    Option<"seed", "seed", "uint64_t", "1",
           "of the search's random numbers">,
    Option<"maxTemp", "max-temp", "uint64_t", "0",
           "bytes that the temporaries of an einsum may take; 0: any">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::scf::SCFDialect",
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

def ShareContractions : Pass<"ein-share-contractions", "::mlir::func::FuncOp"> {
  let summary = "Compute equal sums once";
  let description = [{
    Of two ops that sum up the same products, which may have their indices,
    factors and results in other orders, read what they read through
    transpositions, and write to different places, the later one becomes a copy
    of the earlier one's result, or nothing at all. If the earlier one starts from
    zero and the later one from something else, the result is added to that.

    ```mlir
    %d = linalg.contract [(m, n, k) -> (m, k), -> (k, n), -> (m, n)] ins(%a, %b) outs(%zeros)
    %e = linalg.contract [(i, j, l) -> (l, i), -> (j, l), -> (i, j)] ins(%b, %a) outs(%zeros_e)
    // becomes
    %d = linalg.contract [(m, n, k) -> (m, k), -> (k, n), -> (m, n)] ins(%a, %b) outs(%zeros)
    %e = linalg.transpose ins(%d) outs(%dest_e) permutation = [1, 0]
    ```

    Steps that are left by several orders of contraction are such ops, and what
    reads them is compared as if it read the shared result. Which op has been
    replaced is a remark of the category `raise`.

    Relies on: `ein-lower-einsum`; CSE, for what inputs are computed from.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
  let statistics = [
    Statistic<"numShared", "num-shared", "Ops replaced by equal ones">
  ];
}

//===----------------------------------------------------------------------===//
// linalg -> contract
//===----------------------------------------------------------------------===//

def DropUnitWindows : Pass<"ein-drop-unit-windows", "::mlir::func::FuncOp"> {
  let summary = "Read slices instead of windows of one position";
  let description = [{
    A structured op whose windows are all known to have one position, as that of
    a pointwise convolution, becomes a `linalg.generic` without the window's
    dims, which reads each operand at lone indices: itself, or a slice of it with
    the window's steps.

    ```mlir
    linalg.generic {maps = [(h, w, f, kh, kw, c) -> (2 * h + kh, 2 * w + kw, c),
                            -> (kh, kw, c, f), -> (h, w, f)]}
        ins(%image, %filters : tensor<13x13x64xf32>, tensor<1x1x64x32xf32>) …
    // becomes
    %i = tensor.extract_slice %image[0, 0, 0] [7, 7, 64] [2, 2, 1]
    %k = tensor.extract_slice %filters[0, 0, 0, 0] [1, 1, 64, 32] [1, 1, 1, 1]
           : tensor<1x1x64x32xf32> to tensor<64x32xf32>
    linalg.generic {maps = [(h, w, f, c) -> (h, w, c), -> (c, f), -> (h, w, f)]}
        ins(%i, %k : …)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::affine::AffineDialect"];
}

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

    A sum of what only another `linalg.generic` makes is raised as one with it,
    if that is a contraction: `T(m, n, k) = A(m, k) * B(k, n)`, then `C(m, n) +=!
    T(m, n, k)`.

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

def KeepOrder : Pass<"ein-keep-order", "::mlir::func::FuncOp"> {
  let summary = "Have floating-point sums keep their order";
  let description = [{
    For `--strict-fp`: takes the flags of every floating-point op that allow
    other ops to add in another order or to round once for two operations, turns
    named ops that reduce floats into the generic that says in which order, and
    marks the function `ein.strict_fp`, so that no later pass takes a sum for one
    that may be reordered. An `ein.einsum` of floats has no order and is an error.

    ```mlir
    linalg.matmul ins(%a, %b) outs(%c)
    // becomes
    linalg.generic {…} { ^bb0(%x, %y, %sum): … arith.mulf … arith.addf … }
    ```

    Leaves behind: no floating-point op with fast-math flags.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
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

    What is filled with one number is not read either (`FoldFills.cpp`): a
    generic has the number in its body, where it folds with others, and a
    contraction becomes sums of the other factor's elements times the number.
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

#endif // EIN_PASSES_PASSESTOCONTRACT_TD
