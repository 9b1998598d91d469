//===- Passes.td - At any level ----------------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LEVEL_PASSES_TD
#define EIN_PASSES_LEVEL_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckLevel : Pass<"ein-check-level", "::mlir::ModuleOp"> {
  let summary = "Check the contract of a level";
  let description = [{
    What each level promises to the next (`passes/level/Levels.def`): which dialects
    are gone, which ops carry which attribute, where nothing is allocated; and
    which marks are gone (`ir/Marks.td`).
    Violations are bugs of the compiler and are reported as errors on the op.
  }];
  let options = [
    Option<"level", "level", "std::string", "",
           "the level whose contract is checked">
  ];
}

def NumberNests : Pass<"ein-number-nests", "::mlir::func::FuncOp"> {
  let summary = "Number the loops of a long program";
  let description = [{
    Of a function with `least` loops and more that are in no other op, each gets its
    number as `ein.nest`, so that upstream's elimination of common
    subexpressions, which hashes ops without their regions, need not compare each
    loop with each other one. Run again, it numbers them anew.

    Leaves behind: `ein.nest`, which `ein-outline-kernels` takes away.
  }];
  let options = [
    Option<"least", "least", "unsigned", /*default=*/"32",
           "How many loops a function has at least whose loops get numbers">
  ];
}

#endif // EIN_PASSES_LEVEL_PASSES_TD
