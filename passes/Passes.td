//===- Passes.td - The passes of einc, in data-flow order --*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_PASSES_TD
#define EIN_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"
include "passes/PassesToContract.td"
include "passes/PassesToTiled.td"
include "passes/PassesToVector.td"
include "passes/PassesToMemref.td"
include "passes/PassesToLLVM.td"

//===----------------------------------------------------------------------===//
// At any level
//===----------------------------------------------------------------------===//

def Morph : Pass<"ein-morph", "::mlir::func::FuncOp"> {
  let summary = "Turn structured ops into named, contract or generic form";
  let description = [{
    Between the three forms of a structured op, in any direction: `linalg.matmul`
    and its kin (`passes/NamedOps.def`), `linalg.contract` or `ein.contract`, and
    `linalg.generic`. Every raise is proved by generalising the raised op again
    and comparing it with the original, up to the numbers of dims, the order of
    inputs and commutation; an op for which that fails stays as it is.

    ```mlir
    linalg.contract indexing_maps = [(n, k, m) -> (k, m), -> (n, k), -> (m, n)] ins(%a, %b)
    // --ein-morph=to=named makes of it
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

def CheckLevel : Pass<"ein-check-level", "::mlir::ModuleOp"> {
  let summary = "Check the contract of a level";
  let description = [{
    What each level promises to the next (`passes/Levels.def`): which dialects
    are gone, which ops carry which attribute, where nothing is allocated.
    Violations are bugs of the compiler and are reported as errors on the op.
  }];
  let options = [
    Option<"level", "level", "std::string", "",
           "the level whose contract is checked">
  ];
}

#endif // EIN_PASSES_PASSES_TD
