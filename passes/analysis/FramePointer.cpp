//===- FramePointer.cpp - Where a function's vectors spill ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/FramePointer.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace ein {

void keepFramePointer(FunctionOpInterface function) {
  constexpr StringLiteral kAttributes = "passthrough";
  Builder b(function->getContext());
  Attribute pointer = b.getStrArrayAttr({"frame-pointer", "all"});
  SmallVector<Attribute> attributes;
  if (auto others = function->getAttrOfType<ArrayAttr>(kAttributes))
    llvm::append_range(attributes, others);
  if (!llvm::is_contained(attributes, pointer))
    attributes.push_back(pointer);
  function->setAttr(kAttributes, b.getArrayAttr(attributes));
}

} // namespace ein
