//===- EinDialect.td - The ein dialect ---------------------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_EINDIALECT_TD
#define EIN_IR_EINDIALECT_TD

include "ir/Marks.td"
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

    The dialect also owns the discardable attributes that passes leave for later
    ones: `ir/Marks.td` lists them, and an `ein.` attribute that is not as it
    says there is an error.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::vector::VectorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  // The names of all marks.
  let extraClassDeclaration = !foldl(
      "    void registerAttributes();\n", !instances<Ein_Mark>(), text, mark,
      text # "    static constexpr ::llvm::StringLiteral " # mark.Constant #
      " =\n        \"" # mark.Name # "\";\n");
}

class Ein_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ein_Dialect, mnemonic, traits>;

#endif // EIN_IR_EINDIALECT_TD
