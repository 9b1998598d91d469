//===- EinDialect.td - The ein dialect ---------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_EINDIALECT_TD
#define EIN_IR_EINDIALECT_TD

include "mlir/IR/OpBase.td"

def Ein_Dialect : Dialect {
  let name = "ein";
  let cppNamespace = "::ein";
  let summary = "Contractions before their order is chosen";
  let description = [{
    What the program says and `linalg` cannot: a sum of a product of any number
    of tensors (`ein.einsum`, until the `linalg` level), a contraction whose
    products are combined otherwise than by addition (`ein.contract`, until the
    `contract` level), and complex numbers in memory as real ones
    (`ein.reinterpret`, from the `vector` level on). Everything else in a
    program (fills, elementwise statements, other reductions) is `linalg` from
    the start.

    The dialect also owns the names of the discardable attributes that travel
    through the levels:

    * `ein.signature`, on functions: names, roles, types and dims of the
      arguments, the sizes, and the checks to make when the code runs. It is
      what the C entry point is made from (see `ir/Signature.h`).
    * `ein.strategy`, on structured ops: a builtin dictionary that
      `ein-select-strategy` writes and every later pass obeys.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::vector::VectorDialect"];
}

class Ein_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ein_Dialect, mnemonic, traits>;

#endif // EIN_IR_EINDIALECT_TD
