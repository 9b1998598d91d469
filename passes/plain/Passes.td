//===- Passes.td - any level -> what loops can be made of --*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_PLAIN_PASSES_TD
#define EIN_PASSES_PLAIN_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerPlainly : Pass<"ein-lower-plainly", "::mlir::func::FuncOp"> {
  let summary = "Write ops without loops as structured ops, as they are defined";
  let description = [{
    For `ein-plain`, by which validation executes a module that some pass has
    left: einsums, products and contractions become one `linalg.generic` each,
    of all their factors, whose loops are the definition of the op. Aggregates
    become what they combine, by upstream's decompositions. Marks of the ein
    dialect inside functions go: what they ask for is what is being validated.

    ```mlir
    ein.einsum … ins(%a, %b, %c) outs(%zero)
    // becomes
    linalg.generic … ins(%a, %b, %c) outs(%zero) { … mulf … mulf … addf … }
    ```

    Leaves behind: no op of the ein dialect that upstream cannot bufferize.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect"];
}

#endif // EIN_PASSES_PLAIN_PASSES_TD
