//===- EinAttrs.td - Attributes of the ein dialect ---------*- tablegen -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_EINATTRS_TD
#define EIN_IR_EINATTRS_TD

include "ir/EinDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Ein_ScheduleAttr : AttrDef<Ein_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "How one structured op runs";
  let description = [{
    A list of facts, `name = value` or a name alone, each at most once, in any
    order. Dims are the op's loops, `d0`, `d1`, … The facts and what they mean
    are in ir/Schedule.h; which of them belong together is checked.

    ```mlir
    // A GotoBLAS nest: tiles of 6 rows by 16 columns, B packed, C in blocks.
    #ein.schedule<loops = [d1: 4096, d2: 256, d0], rows = d0: 6,
                  columns = d1: 16, sums = d2, vector = d1,
                  operands = [in_place, packed]>
    // Partial sums along the reduced dim, four vectors of eight.
    #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, masked>
    // Scalar loops.
    #ein.schedule<>
    ```
  }];
  let parameters = (ins "::ein::Schedule":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // EIN_IR_EINATTRS_TD
