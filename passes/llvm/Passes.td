//===- Passes.td - memref or loops -> llvm-dialect ---------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_PASSES_TD
#define EIN_PASSES_LLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def KeepPartsInLanes : Pass<"ein-keep-parts-in-lanes", "::mlir::func::FuncOp"> {
  let summary = "Take complex numbers apart in the order of one shuffle";
  let description = [{
    Where vectors of complex numbers are taken apart, computed with element by
    element and put together again, the elements between need not be in order. So
    both are shuffles within blocks of 128 bits of two registers. What comes from
    elsewhere or goes there is put in order, if that takes fewer instructions.

    ```mlir
    %re, %im = vector.deinterleave %z : vector<16xf32> -> vector<8xf32>
    // becomes
    %re = vector.shuffle %z, %z [0, 2, 8, 10, 4, 6, 12, 14]
    %im = vector.shuffle %z, %z [1, 3, 9, 11, 5, 7, 13, 15]
    ```

    Squares of parts are of what LLVM cannot see through
    (`llvm.arithmetic.fence`): it would square first and add neighbours, or,
    with AVX-512, have the parts in the numbers' order.

    Does nothing unless the module's `ein.instructions` are those of AVX2.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def AddToProducts : Pass<"ein-add-to-products", "::mlir::func::FuncOp"> {
  let summary = "Add to a product of complex numbers in its first multiply-add";
  let description = [{
    A product of vectors in which parts lie by turns is `p -+ q`, a difference in
    even lanes and a sum in odd ones, of products. Where it is added to something
    in any order, that is added to `q`, likewise, so that each is one instruction
    (VFMADDSUB). With a conjugated factor it is `p +- q`.

    ```mlir
    %d = arith.subf %p, %q : vector<4xf32>
    %s = arith.addf %p, %q : vector<4xf32>
    %xy = vector.shuffle %d, %s [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
    %r = arith.addf %xy, %z fastmath<reassoc,contract> : vector<4xf32>
    // becomes
    %r = %p -+ (%q -+ %z)
    ```

    What a loop carries is not added so. Does nothing unless the module's
    `ein.instructions` are those of AVX2.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def KeepHalvesApart : Pass<"ein-keep-halves-apart", "::mlir::func::FuncOp"> {
  let summary = "Extend bf16 by a shift and a mask";
  let description = [{
    Where vectors of bf16 are extended to f32, computed with element by element
    and rounded to bf16 again, and nothing else comes in or leaves, the elements
    between are not in order: registers of the even numbers and of the odd ones
    next to them take turns.

    ```mlir
    %w = arith.extf %h : vector<16xbf16> to vector<16xf32>
    // becomes, with registers of 256 bits,
    %pairs = vector.bitcast %h : vector<16xbf16> to vector<8xi32>
    %even = arith.shli %pairs, %c16
    %odd = arith.andi %pairs, %c-65536
    %w = vector.shuffle %even, %odd [0, 1, 2, …, 15]   // of f32
    ```

    Relies on: bf16 is not computed with, as after `ein-widen-half-floats`. Comes
    before functions are formulas, which have branches. Does nothing unless the
    module's `ein.instructions` are those of AVX2.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

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

def LowerDotProducts : Pass<"ein-lower-dot-products", "::mlir::func::FuncOp"> {
  let summary = "Lower products of groups of k to instructions";
  let description = [{
    An `ein.dot_products` becomes calls of the intrinsic that it names: for each
    row of the tile a group of the row, in all lanes, and the columns' groups; of
    blocks two rows and two columns. Without an intrinsic it is extensions,
    products, and sums of neighbours, which LLVM knows as x86's `vpmaddwd` where
    it is one. A `vector.contract` of groups of integers is lowered likewise.

    ```mlir
    %t = ein.dot_products %a unsigned, %b, %s by "llvm.x86.avx512.vpdpbusd.512" of 512
           : vector<1x4xi8>, vector<16x4xi8>, vector<1x16xi32>
    // becomes
    %group = vector.broadcast … : i32 to vector<16xi32>
    %r = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%row, %group, %columns)
    ```
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LowerTileProducts : Pass<"ein-lower-tile-products", "::mlir::ModuleOp"> {
  let summary = "Lower products of register tiles to a matrix unit";
  let description = [{
    An `ein.tile_products` becomes x86's AMX: its factors are loaded from the
    panels that they are read from, as registers of so many rows of bytes as the
    module's `ein.instructions` say (`tiles`, of AMX 8 of 16 rows of 64 bytes),
    and the sums are such registers as well, which the loop over k carries. Before the
    loop they come from memory, or are zero, and after it they go there, as no
    instruction moves them to vectors.

    ```mlir
    %t = scf.for … iter_args(%s = %start) -> (vector<16x16xi32>) {
      %a = vector.transfer_read %A[%k, …] : memref<?x16x16x4xi8>, vector<16x16x4xi8>
      %b = vector.transfer_read %B[%k, …] : memref<?x16x16x4xi8>, vector<16x16x4xi8>
      %r = ein.tile_products %a, %b, %s : …
    }
    // becomes
    %t = scf.for … iter_args(%s = %zero) -> (!llvm.x86_amx) {
      %a = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(…)
      %b = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(…)
      %r = llvm.call_intrinsic "llvm.x86.tdpbssd.internal"(…, %s, %a, %b)
    }
    ```

    With `outer_tiles` it is Arm's SME, of which only functions in streaming
    mode can be made, without vectors of a known length. The loop over k becomes
    a call of such a function of the module's, which leaves the sums in memory.

    ```mlir
    llvm.call @__ein_in_streaming_mode(%panelA, %strideA, %panelB, %strideB, %sums, %steps,
                                       %function)
    %t = vector.transfer_read %sums[%c0, %c0] …
    ```

    Relies on: factors that are read from panels; no more sums than the unit has
    registers for.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::amx::AMXDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LowerContractions : Pass<"ein-lower-contractions", "::mlir::func::FuncOp"> {
  let summary = "Lower vector.contract and transfers to what LLVM has";
  let description = [{
    `vector.contract` becomes outer products (`vector.fma` per row of the tile);
    transfers with permutation become transposes, transfers that may leave their
    buffer become rows that are masked or skipped. Loops with `ein.unroll` are
    unrolled by so many steps, and before those with `ein.prefetch` the tile of
    C that they compute is prefetched. With `ein.long_sum` the loop over the steps
    that are left is not to be unrolled again by LLVM (`loop_annotation`). Nor is
    an innermost loop that carries partial results and reads several vectors of a
    row in a step, or the loop over rows round it, or any loop in the first way
    of a branch with `ein.unlikely`, whose condition is expected to be false.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LowerExpandShape : Pass<"ein-lower-expand-shape", "::mlir::func::FuncOp"> {
  let summary = "Lower memref.expand_shape with several dynamic dims of one";
  let description = [{
    A dim that becomes several of which more than one is dynamic becomes a
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
    %r = ein.reinterpret %a : memref<?x4xcomplex<f32>, strided<[?, 1]>>
                           to memref<?x8xf32, strided<[?, 1]>>
    // becomes
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a
    %p = builtin.unrealized_conversion_cast %base : memref<complex<f32>> to memref<f32>
    %r = memref.reinterpret_cast %p to offset: [0], sizes: [%sizes#0, 8],
                                       strides: [2 * %strides#0, 1]
    ```

    Relies on: no tensors. Leaves behind: no op of the `ein` dialect.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect"];
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

def SplitMaskedStores : Pass<"ein-split-masked-stores", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "Write the first lanes of a vector by plain stores";
  let description = [{
    For machines without mask registers. Where the mask is a constant that has
    the first lanes, there is a store for each bit of their number, the largest
    first. Others stay.

    ```mlir
    // %mask has the first five of eight lanes.
    llvm.intr.masked.store %v, %p, %mask {alignment = 4 : i32}
    // becomes
    %0 = llvm.shufflevector %v, %v [0, 1, 2, 3] : vector<8xf32>
    llvm.store %0, %p {alignment = 4 : i64}
    %1 = llvm.extractelement %v[4] : vector<8xf32>
    %2 = llvm.getelementptr %p[4]
    llvm.store %1, %2 {alignment = 4 : i64}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // EIN_PASSES_LLVM_PASSES_TD
