//===- Passes.td - scheduled -> tiled ----------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_TILED_PASSES_TD
#define EIN_PASSES_TILED_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileContractions : Pass<"ein-tile-contractions", "::mlir::func::FuncOp"> {
  let summary = "Tile contractions for the caches";
  let description = [{
    Makes the outer loops (NC, KC, MC and the dims of step 1) of every
    `linalg.contract` whose schedule is `packed_gemm`, as `scf.for` on tensors,
    by upstream's TilingInterface. An epilogue is moved into them and gets one
    more input, a bit that says whether this block of k is the last: on any other
    it changes nothing.

    Relies on: `ein-select-schedule`.
    Leaves behind: all dims of such a contract but m, n and k have extent 1; its
    epilogue is right behind it.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PackOperands : Pass<"ein-pack-operands", "::mlir::func::FuncOp"> {
  let summary = "Pack a contraction's operands and make its register tiles";
  let description = [{
    Promotion: each block of A is copied to panels of MR rows, each block of B
    to panels of NR columns, in buffers of static size that are allocated once
    outside all loops. The copy is a `linalg.generic` of the block, padded with
    zeros to whole panels; it has a schedule. The loops over register
    tiles follow; in them a `linalg.contract` of two panels accumulates into an
    MR×NR tile of C, padded where C ends, and its epilogue changes the tile.
    Operands that are narrower than the accumulator are extended in their panels.
    If the schedule has `k_pack = 2`,
    panels are of half the accumulator's width and have pairs of k as their last
    dim.

    ```mlir
    %block = tensor.pad %B[k, n] … : tensor<?x?xf32> to tensor<?x?xf32>
    %B_panels = linalg.generic [(p, k, j) -> (k, p * NR + j), (p, k, j) -> (p, k, j)]
                  ins(%block) outs(%buffer : tensor<?x?xNRxf32>)
    scf.for n …                       // NR
      scf.for m …                     // MR
        %a = tensor.extract_slice %A_panels[m / MR, 0, 0] …  : tensor<?xMRxf32>
        %b = tensor.extract_slice %B_panels[n / NR, 0, 0] …  : tensor<?xNRxf32>
        %c = tensor.pad %C[m, n] …                           : tensor<MRxNRxf32>
        %d = linalg.contract [(m, n, k) -> (k, m), -> (k, n), -> (m, n)]
               ins(%a, %b) outs(%c)
    ```

    Relies on: `ein-tile-contractions`.
    Leaves behind: B's panels are packed outside the loop over blocks of A.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def RelaxSums : Pass<"ein-relax-sums", "::mlir::func::FuncOp"> {
  let summary = "Let contractions that stay loops add in any order";
  let description = [{
    linalg's contractions whose schedule is `loops` or `reduce` become `linalg.generic`,
    whose sum has the flags `reassoc` and `contract`, and whose product has
    `contract`: what every sum of a program has. LLVM makes vectors of the
    loops then.

    Relies on: `ein-select-schedule`.
  }];
  let dependentDialects = ["::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def MarkLoops : Pass<"ein-mark-loops", "::mlir::func::FuncOp"> {
  let summary = "Give ops that clean-up has made the schedule to be loops";
  let description = [{
    An op without a schedule is one that canonicalisation has made: a copy, or
    a `linalg.fill` of a part of what was filled.

    Relies on: a clean-up.
  }];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def FoldBranchSizes : Pass<"ein-fold-branch-sizes", "::mlir::func::FuncOp"> {
  let summary = "Ask the sizes of a branch's result of what it writes to";
  let description = [{
    A `tensor.dim` of what an `scf.if` yields becomes one of the tensor that both
    sides write to, and that of a `tensor.expand_shape` the number on the op, so
    that sizes are those of arguments wherever they can be.

    Relies on: nothing.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // EIN_PASSES_TILED_PASSES_TD
