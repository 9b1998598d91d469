//===- SharedPaths.h - Orders of statements that share sums -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_SHAREDPATHS_H
#define EIN_DRIVER_SHAREDPATHS_H

#include "driver/Path.h"
#include <vector>

namespace ein {

/// Finds the products that several statements of a def are cheapest to have in
/// common, and writes them to the statements.
void shareProducts(Program &program, const ContractionOrderOptions &options);

/// By statement the order for these sizes (one per Def::symbols), as findPath
/// finds it; of a product of two factors as well, if it takes no operations.
/// What several statements compute is among the operations of one of them.
std::vector<std::optional<ContractionPath>>
findPaths(const Def &def, llvm::ArrayRef<int64_t> symbolValues,
          const ContractionOrderOptions &options);

} // namespace ein

#endif // EIN_DRIVER_SHAREDPATHS_H
