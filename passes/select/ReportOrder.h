//===- ReportOrder.h - Which loops run in order -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_REPORTORDER_H
#define EIN_PASSES_SELECT_REPORTORDER_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ein {

/// Says of each scatter and recurrence along which indices it is sequential,
/// and along which LLVM may lay vectors. There is nothing to decide; the loops
/// lose `ein.in_order`, so that it is said once.
void reportOrder(mlir::FunctionOpInterface function);

} // namespace ein

#endif // EIN_PASSES_SELECT_REPORTORDER_H
