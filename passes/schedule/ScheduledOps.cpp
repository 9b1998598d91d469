//===- ScheduledOps.cpp - Ops by how they run -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/ScheduledOps.h"
#include "ir/EinDialect.h"

using namespace mlir;

namespace ein {

bool hasSchedule(Operation *op, Schedule::Kind kind) {
  auto attribute = op->getAttrOfType<ScheduleAttr>(EinDialect::kScheduleAttr);
  return attribute && attribute.getValue().kind == kind;
}

} // namespace ein
