//===- Passes.td - A user's MLIR -> mlir -------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SOURCE_PASSES_TD
#define EIN_PASSES_SOURCE_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckSource : Pass<"ein-check-source", "::mlir::ModuleOp"> {
  let summary = "Refuse what of a user's module cannot be compiled";
  let description = [{
    An error, at the op and with its name, for everything that the pipelines
    have no lowering for: ops of other dialects (gpu, sparse_tensor, …), control
    flow between blocks, functions that call themselves, memrefs as results.

    Leaves behind: a module of functions (`func.func`) and globals
    (`memref.global`); every function has one block or is declared only.
  }];
}

def PrepareSource : Pass<"ein-prepare-source", "::mlir::func::FuncOp"> {
  let summary = "Decompose the ops that the pipelines do not know";
  let description = [{
    `linalg.softmax`, the winograd ops, `linalg.pack`, `linalg.unpack` and
    `tensor.concat` become what they are combinations of; `memref.copy` becomes
    a `linalg.generic`; `memref.dealloc` goes, because the pipelines free what is
    allocated. An elementwise `linalg.generic` that has its result among its
    inputs, `ins(%x) outs(%x)`, reads what it writes over.

    Relies on: `ein-check-source`; calls are inlined.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect"];
}

def SplitVectors : Pass<"ein-split-vectors", "::mlir::func::FuncOp"> {
  let summary = "Make arrays of vectors arrays of one more dim";
  let description = [{
    An array whose elements are vectors gets their dims as its last ones, in the
    same memory. Structured ops loop over these too; loads, stores and
    arithmetic outside of them are of each element. What makes something else of
    a vector than that is refused at its place.

    ```mlir
    linalg.generic {indexing_maps = [(i) -> (i), (i) -> (i)], …}
      ins(%a : memref<?xf32>) outs(%b : memref<?xvector<4xf32>>) { … }
    // becomes
    linalg.generic {indexing_maps = [(i, j) -> (i), (i, j) -> (i, j)], …}
      ins(%a : memref<?xf32>) outs(%b : memref<?x4xf32>) { … }
    ```

    Relies on: `ein-prepare-source`.
    Leaves behind: no vectors.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RotateBuffers : Pass<"ein-rotate-buffers", "::mlir::func::FuncOp"> {
  let summary = "Tell which buffers a loop uses that has them change places";
  let description = [{
    A loop whose memrefs change places from round to round takes as many rounds
    at a time as bring each back to where it began; those that are left over
    follow in branches. If the memrefs that the loop returns are used, what
    follows it moves into the branches too.

    ```mlir
    scf.for %t = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) … {
      linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      scf.yield %y, %x : memref<4xf32>, memref<4xf32>
    }
    // becomes
    scf.for %t = %c0 to %even step %c2 {
      linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
      linalg.exp ins(%b : memref<4xf32>) outs(%a : memref<4xf32>)
    }
    scf.if %odd { linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) }
    ```

    Memrefs that change otherwise stay what the loop carries, and in memory.

    Relies on: `ein-prepare-source`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def BoundBuffers : Pass<"ein-bound-buffers", "::mlir::func::FuncOp"> {
  let summary = "Give buffers in loops a size that does not vary";
  let description = [{
    A `tensor.empty` in a loop whose size varies from round to round becomes a
    slice of one before the loop, as large as the largest. One without such a
    bound stays and is refused later.

    ```mlir
    scf.for %i = %c0 to %n step %c1 { %t = tensor.empty(%i) : tensor<?xf32> … }
    // becomes
    %l = tensor.empty(%m) : tensor<?xf32>      // %m = %n - 1
    scf.for %i = %c0 to %n step %c1 {
      %t = tensor.extract_slice %l[0] [%i] [1] : tensor<?xf32> to tensor<?xf32> …
    }
    ```

    Relies on: `ein-lift-memrefs`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
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

def KeepWritten : Pass<"ein-keep-written", "::mlir::ModuleOp"> {
  let summary = "Keep what functions on memrefs mean if their arrays overlap";
  let description = [{
    A function that writes to a memref and has another one gets a private copy,
    `__ein_written_NAME`, whose structured ops are loops and whose memrefs have
    any strides. The entries call it where arrays overlap. Tensors in it are in
    memory of their own. Memrefs that are used by other ops than views, loads,
    stores and structured ops have to be contiguous, and are in its
    `ein.contiguous`. A function of which no loops can be made gets none, and
    `raise` remarks say why.

    ```mlir
    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) { … }
    // becomes
    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) { … }
    func.func private @__ein_written_f(%a: memref<4xf32, strided<[?], offset: ?>>,
                                       %b: memref<4xf32, strided<[?], offset: ?>>) {
      scf.for %i = … { … memref.load %a[%i] … memref.store … %b[%i] … }
      return
    }
    ```

    Relies on: `ein-infer-signatures`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LiftMemrefs : Pass<"ein-lift-memrefs", "::mlir::func::FuncOp"> {
  let summary = "Lift memrefs to tensors where it can be told what they hold";
  let description = [{
    An argument that is a memref, or an allocation, becomes a tensor if a
    structured op uses it and all that touches it reads or writes parts that are
    known: structured ops, loads and stores, copies, subviews and other views,
    also in loops and branches, which then carry the tensor. What is written to
    an argument is returned.

    ```mlir
    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
      linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
      return
    }
    // becomes
    func.func @f(%a: tensor<4xf32>,
                 %b: tensor<4xf32> {bufferization.writable = true}) -> tensor<4xf32> {
      %r = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    ```

    What stays in memory, and why, is a remark of the category `raise`: external
    functions use it; an op reads and writes it at places that may be equal; it
    comes from a `select`.

    Relies on: `ein-infer-signatures`, and that no array which is written
    overlaps another one, which entries check.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // EIN_PASSES_SOURCE_PASSES_TD
