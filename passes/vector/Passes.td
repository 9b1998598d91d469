//===- Passes.td - tiled -> vector -------------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_PASSES_TD
#define EIN_PASSES_VECTOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def VectorizeTiles : Pass<"ein-vectorize-tiles", "::mlir::func::FuncOp"> {
  let summary = "Turn scheduled ops into loops over register tiles";
  let description = [{
    An op with the schedule `vectorize`, `transpose`, `window`, `reduce`, `dot` or
    `packed_gemm` becomes loops over blocks and tiles in the order of
    `interchange`; a tile stays in registers while loops over what is summed carry
    it.

    If the result has the dim of the vectors, these are its elements. An input
    that does not have that dim is read element by element, one whose neighbours
    are several elements apart by several vectors and shuffles; one that is
    contiguous along another dim by squares, which are transposed in registers.
    Of a copy to panels, vectors may be of groups: then as many rows of an input
    are interleaved. Behind the end of an input that is padded, to whole panels,
    reads give zero, and there is no padded array.
    Of sums of groups (`widening`), a vector has the groups of as many elements,
    and a group of the other input goes to all of them.
    What does not fill a tile has smaller ones, or, where sizes are dynamic, one
    whose last row is computed again; the last vector of a row is masked, or
    single elements where masks cost more.
    Tiles of windows, which may have more vectors than registers hold, ask for a
    frame pointer: without one LLVM does not align what it writes to the stack.

    ```mlir
    scf.for %f … step %c32                    // filters
      scf.for %w … step %c14                  // pixels of a row
        %sums:28 = scf.for %c … iter_args(%s0, …)
          %i0 = tensor.extract %image[%h, %w, %c]
          %w0 = vector.transfer_read %filters[%c, %f] : vector<16xf32>
          %s0 + broadcast %i0 * %w0
    ```

    If it does not, each element is a few vectors of partial results, which are
    combined behind the loops, of several elements at once. The last vector is
    masked, if the schedule says so; else it is single elements. Of long rows
    that begin anywhere in a cache line, the first vector is masked as well, and
    ends where one begins.

    ```mlir
    scf.for %m …
      %sums:8 = scf.for %n … step %c128 iter_args(%s0 = %neutral, …)
        %x = vector.transfer_read %a[%m, %n] : vector<16xf32>
        arith.addf %s0, %x
      %low = vector.shuffle …
      tensor.insert %sum into %c[%m]
    ```

    The register tile of a product, of two panels or of slices that are padded,
    becomes a loop over k whose body reads one row of each and multiplies by
    `vector.contract`. What it starts from is read, and it is written, where C is,
    out of bounds where C ends. A start that is a number is not read.

    ```mlir
    %start = vector.transfer_read %C[m, n], %zero : tensor<?x?xf32>, vector<14x32xf32>
    %r = scf.for k … iter_args(%v = %start) -> vector<14x32xf32> {
      … vector.contract … %v …
    }
    vector.transfer_write %r, %C[m, n] : vector<14x32xf32>, tensor<?x?xf32>
    ```

    An epilogue is computed of these vectors before they are written. If there are
    functions (`exp`, `tanh`, …) in it, it becomes a loop over the rows of the tile
    behind the write, which reads a row, computes what is made of it, and writes
    it again; in a block of sums that is not the last one it has no iteration.

    ```mlir
    %w = vector.transfer_write %r, %C[m, n] …
    %rows = arith.select %is_last, %height, %c0 : index
    scf.for %row = %c0 to %rows step %c1 iter_args(%t = %w) {
      %x = vector.transfer_read %t[%row, %c0] … : vector<32xf32>
      %y = math.tanh %x : vector<32xf32>
      vector.transfer_write %y, %t[%row, %c0] …
    } {ein.epilogue}
    ```

    A sum of products with one number is multiplied by it behind the loop, and
    computed as it is written if that is infinite or NaN. At the end, what is
    inserted in a tensor without dims is given to what reads it, and operations
    on vectors of equal numbers become operations on one.

    Relies on: `ein-tile-contractions`, for dots; `ein-pack-operands`, for
    products and copies to panels; `ein-relax-sums`, for ops that are no
    `linalg.generic`.
    Leaves behind: no schedule of these.
  }];
  let options = [
    Option<"exchanges", "exchanges", "bool", "false",
           "rows of a square that is transposed exchange elements, as no "
           "instruction interleaves parts of 128 bits">
  ];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

#endif // EIN_PASSES_VECTOR_PASSES_TD
