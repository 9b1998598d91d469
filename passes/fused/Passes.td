//===- Passes.td - contract -> fused ops -------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_FUSED_PASSES_TD
#define EIN_PASSES_FUSED_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplyTransform : Pass<"ein-apply-transform", "::mlir::ModuleOp"> {
  let summary = "Run a transform script";
  let description = [{
    Runs `@__transform_main` of the script in `file` on the module. Structured
    ops that it has changed or made get the schedule to be loops, unless it has
    annotated them with another; those that it has left alone have none yet.

    Relies on: `ein-fold-views`; comes before `ein-select-schedule`.
  }];
  let options = [
    Option<"file", "file", "std::string", "", "the transform script">
  ];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::transform::TransformDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect"];
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
    (`ein-vectorize-tiles`). One without rows or without columns becomes one
    `linalg.generic`: nothing is read twice, and there are no tiles. Its
    innermost loop is that along which the larger operand is contiguous. It is a
    reduction of complex numbers if the other one is so, too. Else it reads
    complex elements and has the two planes of its result.

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

    Relies on: `ein-raise-to-contract`; ops without a schedule.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::affine::AffineDialect"];
}

def HoistInvariants : Pass<"ein-hoist-invariants", "::mlir::func::FuncOp"> {
  let summary = "Compute functions of few dims once";
  let description = [{
    A function or quotient in a body that depends on the dim along which the
    result lies in memory, but not on another one, becomes an elementwise op of
    its own, with all of the body that depends on no other dims than it does.

    ```mlir
    %y = linalg.generic … ins(%x[n, c], %v[c]) { mulf(x, rsqrt(v)) }
    // becomes
    %0 = linalg.generic … ins(%v[c]) { rsqrt(v) }
    %y = linalg.generic … ins(%x[n, c], %0[c]) { mulf }
    ```

    Relies on: `ein-fuse-elementwise`; ops without a schedule.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NarrowExtremes : Pass<"ein-narrow-extremes", "::mlir::func::FuncOp"> {
  let summary = "Take maxima before their operands are extended";
  let description = [{
    A maximum or minimum of numbers that are extended becomes one of the narrow
    numbers, and its result is extended; what the result started from comes in
    at the end. *Some* and *all* of bits become *or* and *and* of numbers as wide
    as what is compared; where a bit says that a number is not zero, they become
    the unsigned maximum and minimum of these numbers.

    ```mlir
    %m = linalg.generic … ins(%bytes) outs(%start) { %x = extui %in : i8 to i32; maxui %out, %x }
    // becomes
    %f = linalg.fill ins(%c0_i8) …
    %n = linalg.generic … ins(%bytes) outs(%f) { maxui %out, %in : i8 }
    %m = linalg.generic … ins(%n) outs(%start) { %x = extui %in : i8 to i32; maxui %out, %x }
    ```

    A comparison of such a number with what is the same for all of a row, as the
    search for a maximum's place makes, is one of narrow numbers as well.

    Where a dim that is reduced may have no element, the result is selected. Only
    what `reduce` can have in vectors is changed.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CompareHalves : Pass<"ein-compare-halves", "::mlir::func::FuncOp"> {
  let summary = "Compare half-precision numbers by their bits";
  let description = [{
    In a reduction, and in an elementwise op that only chooses numbers, a
    comparison of an f16 or bf16 with a constant, or with itself, becomes one of
    integers. So does the search for a maximum's place: of
    a maximum that is a number, other than zero, bits are equal; of zeros and NaN
    it is a range of magnitudes.

    ```mlir
    %b = arith.cmpf oeq, %x, %c2 : bf16
    // becomes
    %i = arith.bitcast %x : bf16 to i16
    %b = arith.cmpi eq, %i, %c16384 : i16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def CompareExtremes : Pass<"ein-compare-extremes", "::mlir::func::FuncOp"> {
  let summary = "Compare an extreme instead of each number";
  let description = [{
    Whether some or all of many integers, or bits of halves, compare with a
    constant is whether their maximum or minimum does. Of equality, it is that of
    the numbers without the constant's bits, which is zero or not.

    ```mlir
    %b = arith.cmpi eq, %x, %c99 : i8
    %e = arith.extsi %b : i1 to i8
    %r = arith.ori %acc, %e : i8
    // becomes, with a comparison of the result with zero,
    %d = arith.xori %x, %c99 : i8
    %r = arith.minui %acc, %d : i8
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect"];
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
    schedule.
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

    Relies on: `ein-update-in-place`. What `ein-select-schedule` sees as a
    product of a matrix and a vector is then one along contiguous elements.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // EIN_PASSES_FUSED_PASSES_TD
