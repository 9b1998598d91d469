//===- Passes.td - Where decisions are made ----------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_PASSES_TD
#define EIN_PASSES_SELECT_PASSES_TD

include "mlir/Pass/PassBase.td"
include "passes/select/MachineOptions.td"

def SelectSchedule : Pass<"ein-select-schedule", "::mlir::func::FuncOp"> {
  let summary = "Decide how each structured op runs, and write it on the op";
  let description = [{
    The only pass that asks `target/` for facts of the machine. It sets
    `ein.schedule` on each structured op, an attribute `#ein.schedule<…>`, whose
    facts ir/Schedule.h describes. An op that has one already keeps it.

    ```mlir
    %0 = linalg.contract … ins(%A, %B : tensor<512x512xf32>, …) outs(%C) …
    // becomes, for Haswell
    %0 = linalg.contract … {ein.schedule = #ein.schedule<
           loops = [d1, d2: 256, d0: 144], rows = d0: 6, columns = d1: 16, sums = d2: 4,
           vector = d1, operands = [in_place, packed]>} …
    ```

    With `decompose` it also runs the passes of `passes/decompose/`, for the
    schedules that take an op apart, and decides on the pieces, each op once.
    Later passes obey. What else they know of the machine are attributes of the
    module, which the driver sets.

    With `parallel`, an op that threads may be worth while for also says
    `parallel`, the dim whose iterations they share, and `min_points`, the size
    of the iteration space from which on they are.

    Relies on: `ein-fold-views`.
  }];
  let options = machineOptions # [
    Option<"library", "library", "std::string", "\"none\"",
           "none, or blas: what contractions are mapped to">,
    Option<"packing", "packing", "std::string", "\"auto\"",
           "auto; or, for tests, where there is a choice: always; never; first or "
           "second, that operand only; rows, tiles along the rows of C; versions, "
           "of dynamic sizes, up to 2048 bytes an operand in place, else always; "
           "dots, none, and vectors along k">,
    Option<"threads", "threads", "std::string", "\"auto\"",
           "what threads share: auto; or, for tests: always, however little "
           "there is to do; outside, likewise, and the outermost loop of a "
           "packed_gemm">,
    Option<"columnBlock", "column-block", "int64_t", "0",
           "for tests: how many columns of attention are done at a time; 0: as "
           "it pays">,
    Option<"vectorize", "vectorize", "bool", "true",
           "false: every op runs as scalar loops">,
    Option<"parallel", "parallel", "bool", "false",
           "also decide which loops are given to threads">,
    Option<"splits", "splits", "bool", "false",
           "with `parallel`: also which sums are split for them, which "
           "`ein-split-sums` does">,
    Option<"decompose", "decompose", "bool", "false",
           "also have ops taken apart as their schedules say, decide on what "
           "that leaves, and say how the function runs as a whole, for "
           "`einc explain` and `--report cost`">
  ];
  let dependentDialects = ["::ein::EinDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // EIN_PASSES_SELECT_PASSES_TD
