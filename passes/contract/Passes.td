//===- Passes.td - linalg -> contract ----------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_CONTRACT_PASSES_TD
#define EIN_PASSES_CONTRACT_PASSES_TD

include "mlir/Pass/PassBase.td"

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

def ComputeFactors : Pass<"ein-compute-factors", "::mlir::func::FuncOp"> {
  let summary = "Compute the factors of a product of matrices once";
  let description = [{
    Where a `linalg.generic` multiplies two expressions, one of rows and sums and
    one of sums and columns, each that is more than an element becomes an
    elementwise op before it, so that the product is a contraction. Integers have
    as few bits as their expression needs: a difference of two bytes has 16.

    ```mlir
    linalg.generic {maps = [(m, n, k) -> (m, k), -> (k, n), -> (m, n)]} {
      ^bb0(%x: i8, %w: i8, %c: i32):
        %0 = arith.extui %x : i8 to i32
        %1 = arith.subi %0, %c121_i32 : i32
        %2 = arith.extsi %w : i8 to i32
        %3 = arith.muli %1, %2 : i32
        %4 = arith.addi %c, %3 : i32
        linalg.yield %4 : i32
    }
    // becomes
    %f = linalg.generic … ins(%x) … { arith.extui; arith.subi; arith.trunci … to i16 }
    linalg.generic … ins(%f, %w : tensor<?x?xi16>, tensor<?x?xi8>) {
        arith.extsi %f : i16 to i32; arith.extsi %w : i8 to i32; arith.muli; arith.addi
    }
    ```

    What may trap stays where it is. Leaves behind: a `linalg.generic` that
    `ein-raise-to-contract` raises, if it is a sum that `linalg.contract` can say
    or a reduction of another kind.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
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
    T(m, n, k)`. In a contraction of bits that are bytes in memory, the comparisons
    with zero and what is stored become ops of their own.

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

    What moves the dims of a contraction's result, and nothing else reads, goes
    into the result's map, if the sums start from a number and the result stays
    one of matrices: the dims of each input stand together, and the last one is
    of one input only.

    What is filled with one number is not read either (`FoldFills.cpp`): a
    generic has the number in its body, where it folds with others, and a
    contraction becomes sums of the other factor's elements times the number.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FoldExtensions : Pass<"ein-fold-extensions", "::mlir::func::FuncOp"> {
  let summary = "Fold extensions into contractions";
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

    Inputs of which one is unsigned and the other signed become those of an
    `ein.contract` with a cast for each.

    A `linalg.generic` that computes narrow numbers and extends them yields them
    as they are, if nothing else reads its result.

    The second one of two matrices of bf16 that are multiplied in f32 is read
    likewise. The first one is with `bf16-products`, and both of f16 are with
    `f16-products`, for machines that have products of these. Of a vector and a
    matrix both are read so, on any machine.

    Relies on: `ein-fold-views`, behind which extensions may be.
  }];
  let dependentDialects = ["::ein::EinDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"f16Products", "f16-products", "bool", "false",
           "whether matrices of f16 are read as they are">,
    Option<"bf16Products", "bf16-products", "bool", "false",
           "whether both matrices of bf16 are read as they are">
  ];
}

def SplitProducts : Pass<"ein-split-products", "::mlir::func::FuncOp"> {
  let summary = "Multiply matrices of f32 as sums of halves";
  let description = [{
    A product of matrices of f32 becomes three of bf16, each added to the sums of
    the one before: of `a = high + low` and `b` likewise, `low * high`, `high *
    low`, and `high * high`. Asked for by `--precision f32x3`, for machines that
    add up products of bf16 that much faster.

    ```mlir
    %1 = linalg.contract … ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c)
    // becomes
    %high_a = linalg.generic … ins(%a) … { arith.truncf … f32 to bf16 }
    %low_a = linalg.generic … ins(%a) … { … arith.subf … arith.truncf … }
    …
    %1 = linalg.contract … ins(%low_a, %high_b : tensor<?x?xbf16>, …) outs(%c)
    %2 = linalg.contract … ins(%high_a, %low_b : tensor<?x?xbf16>, …) outs(%1)
    %3 = linalg.contract … ins(%high_a, %high_b : tensor<?x?xbf16>, …) outs(%2)
    ```

    Relies on: `ein-fold-extensions`, which has read what is narrower as it is.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numSplit", "num-split", "Products that became three">
  ];
}

def SeparateZeroPoints : Pass<"ein-separate-zero-points", "::mlir::func::FuncOp"> {
  let summary = "Multiply quantised numbers without their zero points";
  let description = [{
    A product of matrices of narrow integers, from which something is subtracted
    (or added) that does not depend on what is summed, becomes the product of the
    integers themselves, their sums, and an elementwise op on these. The sums
    wrap as before. What is subtracted is a number, or one for each row or column.
    `linalg.quantized_matmul` and `linalg.quantized_batch_matmul` are such products.

    So does a matrix times a vector, a vector times a vector, and a sum over windows
    both factors of which have all that is summed and lack a dim of the result. The
    sums of an image are those of its channels, and then those of windows of these:
    how long windows are is the shape of a `tensor.empty` that the body does not
    read. Windows with steps, of open sizes, stay as they are.

    ```mlir
    linalg.generic {maps = [(m, n, k) -> (m, k), -> (k, n), -> (m, n)]}
        ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%c : tensor<?x?xi32>) {
      … %x - %y, %z - %w, muli, addi
    }
    // becomes
    %p = ein.contract … ins(%a, %b : …) outs(%c : …)
    %s = linalg.generic {maps = [(m, k) -> (m, k), -> (m)]} ins(%a) … { addi }
    %t = linalg.generic {maps = [(k, n) -> (k, n), -> (n)]} ins(%b) … { addi }
    linalg.generic {maps = [(m, n) -> (m, n), -> (m), -> (n), -> (m, n)]} ins(%p, %s, %t) … {
      %p - %s * %w - %t * %y + K * %y * %w
    }
    ```

    Relies on: nothing; `ein-raise-to-contract` raises what it makes.
  }];
  let dependentDialects = ["::ein::EinDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def WidenBytes : Pass<"ein-widen-bytes", "::mlir::func::FuncOp"> {
  let summary = "Compute contractions of bytes and bits in wider numbers";
  let description = [{
    A product of matrices of bytes is computed in 16 bits, or in 32 if it is a
    sum, and cut to bytes afterwards: those have register tiles. For maxima and
    minima one factor is in the high bits, so that what a product of bytes wraps
    around to is compared.

    A contraction of single bits is one of bytes that are 0 or 1, in 16 bits if it
    is a product of matrices. A sum is an or there, and what is signed has another
    kind, as true is -1. A contraction of bits in wider numbers is one of bytes,
    and one of indices is one of 64 bits.

    ```mlir
    %1 = ein.contract … kind = <maxsi> ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
                                       outs(%c : tensor<?x?xi8>)
    // becomes
    %wide_a = linalg.generic … ins(%a) … { arith.extsi … i8 to i16; arith.shli 8 }
    %wide_c = linalg.generic … ins(%c) … { arith.extsi … i8 to i16; arith.shli 8 }
    %wide = ein.contract … kind = <maxsi> ins(%wide_a, %b : tensor<?x?xi16>, tensor<?x?xi8>)
                                          outs(%wide_c : tensor<?x?xi16>)
    %1 = linalg.generic … ins(%wide) … { arith.shrui 8; arith.trunci … i16 to i8 }
    ```

    Relies on: `ein-raise-to-contract`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvertStructuredForm : Pass<"ein-convert-structured-form", "::mlir::func::FuncOp"> {
  let summary = "Turn structured ops into named, contract or generic form";
  let description = [{
    Between the three forms of a structured op, in any direction: `linalg.matmul`
    and its kin (`passes/contract/NamedOps.def`), `linalg.contract` or `ein.contract`, and
    `linalg.generic`. Every raise is proved by generalising the raised op again
    and comparing it with the original, up to the numbers of dims, the order of
    inputs and commutation; an op for which that fails stays as it is.

    ```mlir
    linalg.contract indexing_maps = [(n, k, m) -> (k, m), -> (n, k), -> (m, n)] ins(%a, %b)
    // --ein-convert-structured-form=to=named makes of it
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

#endif // EIN_PASSES_CONTRACT_PASSES_TD
