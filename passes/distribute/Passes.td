//===- Passes.td - contract -> kernels of many ranks -------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DISTRIBUTE_PASSES_TD
#define EIN_PASSES_DISTRIBUTE_PASSES_TD

include "mlir/Pass/PassBase.td"

def Distribute : Pass<"ein-distribute", "::mlir::ModuleOp"> {
  let summary = "Make a kernel of each statement, for the blocks of a rank";
  let description = [{
    Each function with `ein.signature` becomes a kernel per structured op, and a
    text that says which kernels run in which order, and which box of each array a
    part of an op's loops reads and writes (`abi/Distributed.h`). The text is in
    `ein.distributed` of the module. The function is gone: what C calls instead,
    `ein-emit-distributed-entries` makes of the text.

    A kernel has the op on tensors of dynamic extents. Its sizes are the loops'
    extents, the positions at which they begin, which `linalg.index` counts from,
    and the sizes of the program. What fills its result first is in the text: parts
    of a sum begin with what changes nothing.

    ```mlir
    func.func @mm(%A, %B, %C, %M, %K, %N) -> tensor<?x?xf32> {
      %0 = linalg.fill ins(%zero) outs(%C)
      %1 = linalg.contract … ins(%A, %B) outs(%0)
      return %1
    }
    // becomes
    func.func @mm.0(%a0, %a1, %out, %n0, %n1, %n2, %o0, …) -> tensor<?x?xf32> {
      %0 = linalg.contract … ins(%a0, %a1) outs(%out)
      return %0
    }
    ```

    What is not a structured op on tensors, reads by what is not linear, or writes
    by what is not lone indices, is made as a whole: a kernel without loops has all
    ops between arrays and a value that is read. What a body takes from a tensor by
    `tensor.extract`, each part of the op needs all of. A slice that starts at a
    constant is the array with other subscripts.

    Relies on: level `contract`; the orders of contraction that depend on sizes are
    one (`ein-order-contractions` with `one-order`).
  }];
  let options = [
    Option<"ranks", "ranks", "std::string", "\"\"",
           "how many ranks there are, or the parts of each loop, as 2x2x1; empty: "
           "any number">,
    Option<"maxMemory", "max-memory", "int64_t", "0",
           "bytes that a rank may take; 0: any">,
    ListOption<"network", "network", "double",
               "what grids are chosen for: operations and bytes a second of a rank, "
               "seconds of a message, and slack; empty: the planner's own numbers">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // EIN_PASSES_DISTRIBUTE_PASSES_TD
