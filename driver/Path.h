//===- Path.h - In which order statements are contracted --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_PATH_H
#define EIN_DRIVER_PATH_H

#include "frontend/Program.h"
#include "passes/analysis/ContractionOrder.h"
#include <optional>
#include <string>

namespace ein {

/// Per Def::symbols what it is bound to, or the size that the pipeline assumes.
std::vector<int64_t> assumeSizes(const Def &def);

/// The order for a product of three factors or more, for these sizes (one per
/// Def::symbols); none for any other statement.
std::optional<ContractionPath> findPath(const Def &def,
                                        const Statement &statement,
                                        llvm::ArrayRef<int64_t> symbolValues);

/// The steps as opt_einsum's linear path: each pair is positions in the list of
/// operands that are left, to whose end the result is appended.
llvm::SmallVector<std::pair<unsigned, unsigned>>
getLinearPath(const ContractionPath &path);

/// The table of numpy.einsum_path and opt_einsum for a statement that has a
/// path: scaling, operations, and the einsum of each step. Sizes that are not
/// bound count as in the pipeline. None for any other statement.
std::optional<std::string> printPath(const Def &def,
                                     const Statement &statement);

/// What `--emit path` writes: JSON, an object per statement that has a path.
std::string emitPath(const Program &program);

} // namespace ein

#endif // EIN_DRIVER_PATH_H
