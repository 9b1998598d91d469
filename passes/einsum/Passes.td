//===- Passes.td - mlir -> linalg --------------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_EINSUM_PASSES_TD
#define EIN_PASSES_EINSUM_PASSES_TD

include "mlir/Pass/PassBase.td"
include "passes/select/MachineOptions.td"

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

    A product that is `shared`, as other ops need it as well, costs nothing in
    any order. It is written first, before branches and even if the op's own
    order is one of several, so that `ein-share-contractions` finds it equal.

    If the results between steps would take more than `max-temp` bytes, loops
    over slices of some dims are put round them: each round adds its part of the
    result, and steps that have none of these dims stay outside.

    An `ein.product` becomes einsums of two where a step has no arithmetic, and
    generics of two where it is a window or looks at a condition; one generic of
    all inputs, if no order takes fewer operations or temporaries would take
    more than `max-temp` bytes (`OrderProducts.cpp`).

    A generic that reduces something else than a sum is put in order likewise
    where that is the same (`OrderSemirings.cpp`), such as `max` of sums of
    floats, `|` of `&`. A remark of the category `path` says that it is, or why
    it stays as written.

    Relies on: `ein-simplify-einsum`.
    Leaves behind: every einsum has one input or two; no product.
  }];
  let options = [
    Option<"unknownSize", "unknown-size", "int64_t", "::ein::kAssumedSize",
           "the extent assumed for dims that are dynamic">,
    Option<"strategy", "strategy", "std::string", "\"auto\"",
           "auto, optimal, greedy (numpy's), or left (as written)">,
    Option<"effort", "effort", "uint64_t", "0",
           "trees that a search evaluates; 0: what takes about a second">,
    Option<"seed", "seed", "uint64_t", "1",
           "of the search's random numbers">,
    Option<"maxTemp", "max-temp", "uint64_t", "0",
           "bytes that the temporaries of an einsum may take; 0: any">,
    Option<"oneOrder", "one-order", "bool", "false",
           "write one order, whatever sizes are not known">
  ] # machineOptions;
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

#endif // EIN_PASSES_EINSUM_PASSES_TD
