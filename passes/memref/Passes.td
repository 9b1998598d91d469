//===- Passes.td - vector -> memref ------------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_MEMREF_PASSES_TD
#define EIN_PASSES_MEMREF_PASSES_TD

include "mlir/Pass/PassBase.td"

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
    dynamic. Functions with `ein.signature`
    return nothing: a result is its output argument's buffer already, or is
    copied there. Copies become `linalg.generic`, not `memref.copy`, which
    for strided memrefs would call a function of MLIR's runtime. Views that keep
    some dims of size one and drop others drop all of them first, where their
    strides would not tell which is which.

    Relies on: `ein-return-to-destination`.
    Leaves behind: no tensors; functions with `ein.signature` return nothing.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def BoundAllocations : Pass<"ein-bound-allocations", "::mlir::func::FuncOp"> {
  let summary = "Give allocations in loops a size that does not vary";
  let description = [{
    An allocation in a loop whose size varies from round to round becomes a view
    of one before the loop, as large as the largest.
    Those in loops whose rounds run at the same time stay, and those without a
    bound; they are refused later.

    ```mlir
    scf.for %i = %c0 to %n step %c1 { %t = memref.alloc(%i) : memref<?xf32> … }
    // becomes
    %l = memref.alloc(%bytes) : memref<?xi8>
    scf.for %i = %c0 to %n step %c1 {
      %t = memref.view %l[%c0][%i] : memref<?xi8> to memref<?xf32> …
    }
    ```

    Relies on: what does not vary has left the loops; nothing is freed yet.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def Deallocate : Pass<"ein-deallocate", "::mlir::ModuleOp"> {
  let summary = "Give back what a function allocates";
  let description = [{
    Upstream's ownership-based deallocation, for functions that allocate
    something. In others, loops that hand memrefs on stay as they are.

    Leaves behind: `bufferization.dealloc` and `memref.dealloc`, which upstream's
    passes `buffer-deallocation-simplification` and
    `bufferization-lower-deallocations` make plain.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def Parallelize : Pass<"ein-parallelize", "::mlir::func::FuncOp"> {
  let summary = "Make parallel loops of those that were given to threads";
  let description = [{
    A loop that is marked `ein.parallel` becomes an `scf.parallel`, and so does
    the loop of a structured op whose schedule has a `parallel` dim. Two marked
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
    Buffers of one block of which no op uses one between the first and the last
    use of the other get the same part.
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

def StreamStores : Pass<"ein-stream-stores", "::mlir::func::FuncOp"> {
  let summary = "Write large results past the caches";
  let description = [{
    A loop over vectors that is marked `ein.stream` writes its vectors by
    non-temporal stores, if what it writes to has as many bytes as the mark says,
    and a row eight vectors: whole lines, between what is before the first and
    behind the last, which are written under masks. A fence follows the nest. The
    loop has to read other objects than it writes, and to write one vector a step.

    ```mlir
    scf.for %j = %c0 to %n step %c16 { … write to %C[%i, %j] … } {ein.stream = 8388608 : i64}
    // becomes
    scf.if %large {
      … write to %C[%i, 0], masked …
      scf.for %j = %first to %end step %c16 { … vector.store {nontemporal = true} … }
      … write to %C[%i, %n - 16], masked …
    } else {
      scf.for %j = %c0 to %n step %c16 { … }
    }
    llvm.fence seq_cst
    ```

    Two loops over the squares of a transposition are marked `ein.stream_squares`,
    with the bytes, the axis of the result that the outer one walks, and how far
    both go. Where rows of the result begin at lines the loops are exchanged and
    write lines; elsewhere they write to a buffer on the stack, of which lines are
    copied past the caches.

    Loops that stream and compute functions prefetch what they read 4 KiB later;
    those marked `ein.next_row` the same place of the next row.

    Relies on: `ein-plan-memory`: what is read and what is written are objects
    that can be told apart.
    Leaves behind: no `ein.stream`, no `ein.stream_squares`, no `ein.next_row`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numStreams", "num-streams", "Loops that write past the caches">
  ];
}

def MapToLibrary : Pass<"ein-map-to-library", "::mlir::ModuleOp"> {
  let summary = "Replace structured ops by calls of C functions";
  let description = [{
    A `linalg.generic` that has `library_call` becomes a call of that function
    with a strided view per operand (MLIR's C interface, `_mlir_ciface_NAME`). A
    `linalg.contract` whose schedule is `library_call` becomes calls of
    `cblas_?gemm`, `cblas_?gemv` or `cblas_?dot`, with loops for sizes that are
    beyond `int`.

    ```mlir
    linalg.contract … {ein.schedule = #ein.schedule<call, …>} ins(%a, %b) outs(%c)
    // becomes
    scf.if %fits {
      func.call @cblas_sgemm(%c101, %c111, %c111, %m, %n, %k, %one, %pa, %lda, …)
    } else {
      linalg.contract … {ein.schedule = #ein.schedule<>} ins(%a, %b) outs(%c)
    }
    ```

    Relies on: buffers; `ein-select-schedule`.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def RelaxContiguous : Pass<"ein-relax-contiguous", "::mlir::func::FuncOp"> {
  let summary = "Let arrays have gaps between their rows";
  let description = [{
    An array of `ein.contiguous` of which some dims become one has any strides
    but the last, if every op that sees it can be told so; `ein.joined` says
    which dims have to follow each other.

    ```mlir
    func @f(%A: memref<20x30x40xf32>) attributes {ein.contiguous = array<i64: 0>}
    %rows = memref.collapse_shape %A [[0, 1], [2]]
    // becomes
    func @f(%A: memref<20x30x40xf32, strided<[?, ?, 1]>>) attributes {ein.joined = array<i64: 0, 0>}
    %base, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %A
    %rows = memref.reinterpret_cast %A to offset: [0], sizes: [600, 40], strides: [%strides#1, 1]
    ```

    Relies on: buffers; `ein-bufferize`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def OutlineKernels : Pass<"ein-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Make one function of equal loop nests";
  let description = [{
    Loop nests that are in no other one and equal up to what they use from
    outside become calls of one function, so that LLVM compiles them once. Constants are
    part of a nest, as is which of the values that it uses are one. Nests of
    fewer than `min-ops` ops are not worth a call.

    Of a function of `many` nests and more each one becomes a function, equal or not, as
    LLVM takes more than twice as long for a function of twice the length; so does a
    loop that carries a vector, with the ops behind it that use the result.
    These functions are not inlined.

    Loops round loops that are in such nests, and equal, become calls too, the
    largest first: the same block of a product in two branches, say. These
    functions are not inlined. Vectors that are made of none, such as a number
    repeated, are made inside.

    Loops over the rows of register tiles always become functions, which are not
    inlined either: their constants would take registers from the loop
    over k, and are the same for all tiles.

    ```mlir
    scf.for %i = %c0 to %m step %c1 { … %A … %C … }
    scf.for %i = %c0 to %n step %c1 { … %B … %D … }
    // becomes
    call @__ein_nest(%m, %A, %C)
    call @__ein_nest(%n, %B, %D)
    ```

    Relies on: buffers; `ein-plan-memory` and `ein-map-to-library`, which look
    at whole functions.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect"];
  let options = [
    Option<"minOps", "min-ops", "unsigned", "::ein::CompileBudget::kFewestNestOps",
           "The smallest nest that becomes a function">,
    Option<"many", "many", "unsigned", "::ein::CompileBudget::kManyNests",
           "From how many nests of a function on each becomes one">
  ];
  let statistics = [
    Statistic<"numOutlined", "num-outlined", "Loop nests that became calls">
  ];
}

#endif // EIN_PASSES_MEMREF_PASSES_TD
