//===- Passes.td - Functions become arithmetic -------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_PASSES_TD
#define EIN_PASSES_LLVM_MATH_PASSES_TD

include "mlir/Pass/PassBase.td"

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

def ShareFormulas : Pass<"ein-share-formulas", "::mlir::ModuleOp"> {
  let summary = "Have bodies of many formulas call functions";
  let description = [{
    Where a block has `many` functions and more that are to become formulas,
    those that it has twice at least become calls. The functions are internal,
    and not inlined.

    ```mlir
    %1 = math.exp %0 : vector<64xf32>
    %2 = math.exp %1 : vector<64xf32>
    …
    // becomes
    %1 = call @__ein_exp(%0) : (vector<64xf32>) -> vector<64xf32>
    %2 = call @__ein_exp(%1) : (vector<64xf32>) -> vector<64xf32>
    …
    func.func private @__ein_exp(%x: vector<64xf32>) -> vector<64xf32> {
      %y = math.exp %x : vector<64xf32>
      return %y : vector<64xf32>
    }
    ```

    Relies on: half-precision numbers being extended already. `ein-expand-math`
    comes behind it.
  }];
  let options = [
    Option<"many", "many", "unsigned", "::ein::CompileBudget::kManyFormulas",
           "From how many formulas in a block on they are calls">,
  ];
  let statistics = [
    Statistic<"numShared", "num-shared", "Formulas that became calls">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def ExpandComplex : Pass<"ein-expand-complex", "::mlir::func::FuncOp"> {
  let summary = "Compute functions of complex numbers by those of their parts";
  let description = [{
    `complex.abs`, `angle`, `exp`, `log`, `sqrt`, `pow` and `div` of numbers of
    two f32 or f64 become arithmetic and functions of the parts
    (`passes/llvm/math/ComplexFormulas.cpp`).

    ```mlir
    %a = complex.angle %z : complex<f32>
    // becomes
    %x = complex.re %z : complex<f32>
    %y = complex.im %z : complex<f32>
    %a = math.atan2 %y, %x : f32
    ```

    Relies on: nothing. It runs first on the way to `tiled`, so that bodies are
    known to be functions when vectors are chosen, and on the way to the llvm
    dialect for what has not come by there.
  }];
  let options = [
    Option<"rare", "rare", "bool", /*default=*/"false",
           "have selects that rarely choose become branches (`ein.seldom`)">,
    Option<"fma", "fma", "bool", /*default=*/"false",
           "the machine has it, whatever the module says">,
    Option<"rootEstimates", "root-estimates", "bool", /*default=*/"false",
           "an instruction estimates inverses of roots, likewise (AVX-512)">,
  ];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect"];
}

def ExpandMath : Pass<"ein-expand-math", "::mlir::ModuleOp"> {
  let summary = "Compute functions by formulas";
  let description = [{
    `math.exp`, `exp2`, `expm1`, `log`, `log2`, `log10`, `log1p`, `sinh`,
    `cosh`, `tanh`, `erf`, `erfc`, `sin`, `cos`, `tan`, `asin`, `acos`, `atan`,
    `atan2`, `cbrt` and `powf`, of numbers and of vectors, become arithmetic that
    errs by 2 units in the last place at most, and of f64 by 1.5 (`powf` by 2).
    Rows of tiles are computed 512 bits at a time. Of angles of f64 above 2^20
    libm is asked, in a branch. Of `erf`, `atan` and `atan2` of f64 what is known
    at some places is looked up, in globals that the module is given.

    ```mlir
    %y = math.exp %x : vector<16xf32>
    // becomes
    %t = arith.mulf %x, %log2e : vector<16xf32> …
    ```

    With AVX-512 `math.rsqrt` is an estimate and its correction.

    Of vectors, also: `arith.divf` that may be it (`arcp`) becomes a product with
    the reciprocal, if a loop does not change the divisor; and `arith.maximumf`
    and `minimumf` become comparing maxima and bit arithmetic where the machine
    has those only. What it has the module says (`ein.instructions`).

    Relies on: half-precision numbers being extended already; what a loop does
    not change being outside of it. Leaves behind: no `arcp`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
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

def LowerWideSums : Pass<"ein-lower-wide-sums", "::mlir::func::FuncOp"> {
  let summary = "Lower sums of narrow numbers in wide ones";
  let description = [{
    An `ein.wide_sum` becomes the instruction of x86 that adds so many neighbours
    as it extends them, if the module's `ein.instructions` say that there is one;
    of bf16, sums of the halves of words; else LLVM's partial reduction.

    ```mlir
    %s = ein.wide_sum %bytes, %start unsigned : vector<64xi8>, vector<16xi32>
    // becomes
    %s = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%start, %bytes, %ones)
    ```

    Leaves behind: no op of the `ein` dialect.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def WidenHalfFloats : Pass<"ein-widen-half-floats", "::mlir::func::FuncOp"> {
  let summary = "Compute with f16 and bf16 in f32";
  let description = [{
    Operations and functions of half-precision numbers become those of f32
    between conversions, by upstream's patterns, and `math.fma`, which these
    leave out.

    With `native-f16`, f16 keeps what the machine has instructions for: `addf`,
    `subf`, `mulf`, `divf`, `negf`, `cmpf`, the larger and the lesser of two,
    `fma` and `sqrt`. What was widened for these alone is narrow again, which
    gives the same numbers:

    ```mlir
    %w = arith.extf %x : f16 to f32
    %r = math.sqrt %w : f32
    %y = arith.truncf %r : f32 to f16
    // becomes
    %y = math.sqrt %x : f16
    ```
  }];
  let options = [
    Option<"nativeF16", "native-f16", "bool", /*default=*/"false",
           "the machine computes with f16">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def ExpandHalfFloats : Pass<"ein-expand-half-floats", "::mlir::func::FuncOp"> {
  let summary = "Convert f16 and bf16 in integer arithmetic";
  let description = [{
    `arith.extf` and `arith.truncf` between f32 and a half-precision type become
    arithmetic on their bits, so that LLVM calls no runtime library for them. An
    extension to f64 goes by way of f32. So does a truncation of f64, whose last
    bit in f32 says that something was cut off: it is rounded once.

    Relies on: bf16, and f16 where it is converted so, is not computed with, as
    after `ein-widen-half-floats`.
  }];
  let options = [
    Option<"onlyBFloat16", "only-bf16", "bool", /*default=*/"false",
           "leave f16 to instructions">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
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

#endif // EIN_PASSES_LLVM_MATH_PASSES_TD
