//===- PassesToLLVM.td - From buffers to the llvm dialect --*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_PASSESTOLLVM_TD
#define EIN_PASSES_PASSESTOLLVM_TD

include "mlir/Pass/PassBase.td"

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

def ExpandMath : Pass<"ein-expand-math", "::mlir::func::FuncOp"> {
  let summary = "Compute functions of f32 by formulas";
  let description = [{
    `math.exp`, `exp2`, `expm1`, `log`, `log2`, `log10`, `log1p`, `tanh`, `erf`,
    `erfc`, `sin`, `cos` and `powf` of f32, of numbers and of vectors, become
    arithmetic that errs by 2 units in the last place at most. Vectors of more
    than 16 elements are computed 16 elements at a time. Those of f64 stay, and
    become calls of libm.

    ```mlir
    %y = math.exp %x : vector<16xf32>
    // becomes
    %t = arith.mulf %x, %log2e : vector<16xf32> …
    ```

    Of vectors, also: `arith.divf` that may be it (`arcp`) becomes a product with
    the reciprocal, if a loop does not change the divisor; and `arith.maximumf`
    and `minimumf` become comparing maxima and bit arithmetic where the machine
    has those only. What it has the module says (`ein.instructions`).

    Relies on: half-precision numbers being extended already; what a loop does
    not change being outside of it. Leaves behind: no `arcp`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
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
    extension to f64 goes by way of f32. So does a truncation of f64, whose last
    bit in f32 says that something was cut off: it is rounded once.

    Relies on: half-precision numbers are not computed with, as after
    `arith-emulate-unsupported-floats`.
  }];
  let options = [
    Option<"onlyBFloat16", "only-bf16", "bool", /*default=*/"false",
           "leave f16 to instructions">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def MoveHalfFloats : Pass<"ein-move-half-floats", "::mlir::ModuleOp"> {
  let summary = "Make half-precision numbers integers of 16 bits";
  let description = [{
    Values of bf16 and f16 become `i16`, which they are for a caller and in
    memory, as LLVM calls a runtime library to choose between two of them.
    Functions that are defined elsewhere keep their types.

    ```mlir
    %0 = llvm.bitcast %bits : i16 to bf16
    llvm.store %0, %p : bf16, !llvm.ptr
    // becomes
    llvm.store %bits, %p : i16, !llvm.ptr
    ```

    Relies on: `ein-expand-half-floats` has left nothing but moves.
  }];
  let options = [
    Option<"onlyBFloat16", "only-bf16", "bool", /*default=*/"false",
           "leave f16 to instructions">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
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
    kernel: whether two views overlap, and copies of views. They are internal, and
    in the LLVM dialect already.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
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

#endif // EIN_PASSES_PASSESTOLLVM_TD
