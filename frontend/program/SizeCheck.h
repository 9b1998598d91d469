//===- SizeCheck.h - What a checked program says of its sizes ---*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Program.h that signatures need, so that what is below the level
// of programs does not depend on it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PROGRAM_SIZECHECK_H
#define EIN_FRONTEND_PROGRAM_SIZECHECK_H

#include "frontend/program/Affine.h"
#include "frontend/program/ElementType.h"
#include "frontend/source/SourceRange.h"
#include <string>
#include <vector>

namespace ein {

enum class TensorRole : uint8_t { Input, Output, InOut, Temporary };

/// What must hold of the sizes when the code runs, because it could not be
/// decided when it was compiled.
struct SizeCheck {
  enum Kind : uint8_t {
    /// `expr == 0`, else a shape mismatch.
    Equal,
    /// `expr >= 0`, else a shape mismatch: an inferred extent is negative.
    NonNegativeExtent,
    /// `expr >= 0`, else an index out of range. Holds trivially when any of
    /// `unlessEmpty` is zero, as nothing is accessed then.
    InBounds,
    /// `expr` is the product of `factors`, else a shape mismatch.
    Product,
  };
  Kind kind;
  Affine expr; // over symbols
  std::vector<Affine> unlessEmpty;
  /// For the report, e.g. "extent of `k`: `K` of `A` and `L` of `B`".
  std::string what;
  SourceRange range;
  std::vector<Affine> factors = {};
};

} // namespace ein

#endif // EIN_FRONTEND_PROGRAM_SIZECHECK_H
