//===- Path.h - In which order statements are contracted --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_PATH_H
#define EIN_DRIVER_PATH_H

#include "frontend/program/Program.h"
#include "frontend/source/Diagnostics.h"
#include "order/ContractionOrder.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <string>

namespace ein {

/// Per Def::symbols what it is bound to, or the size that the pipeline assumes.
std::vector<int64_t> assumeSizes(const Def &def);

/// How the orders of statements were found whose `order` says what they are.
using PathQualities = llvm::DenseMap<const Statement *, PathQuality>;

/// How many factors the product has that a statement is, if there is an order
/// to choose: three or more.
std::optional<unsigned> countPathFactors(const Def &def,
                                         const Statement &statement);

/// The network of such a statement, or one of `leastFactors`. As in the pass,
/// an extent that is not known is of the size that is assumed, whatever its
/// symbols are.
std::optional<ContractionNetwork>
getNetwork(const Def &def, const Statement &statement,
           const ContractionOrderOptions &options, unsigned leastFactors = 3);

/// Finds the orders of products of so many factors that it takes time, and
/// writes them to the statements.
PathQualities fixLongPaths(Program &program,
                           const ContractionOrderOptions &options);

/// Reports products whose temporaries cannot be as small as is asked for.
llvm::LogicalResult checkTemporaries(const Program &program,
                                     const ContractionOrderOptions &options,
                                     DiagnosticEngine &diags);

/// The order for a product of three factors or more: of those that the code
/// chooses from the cheapest for these sizes (one per Def::symbols); none for
/// any other statement.
std::optional<ContractionPath> findPath(const Def &def,
                                        const Statement &statement,
                                        llvm::ArrayRef<int64_t> symbolValues,
                                        const ContractionOrderOptions &options);

/// The labels of a set: indices in the statement's order, then sums.
std::string printLabels(const Statement &statement,
                        const ContractionNetwork &network,
                        const llvm::SmallBitVector &labels);

/// What `ein-order-contractions` writes: the orders that the code chooses from.
llvm::SmallVector<ContractionPath>
findPaths(const ContractionNetwork &network, const Statement &statement,
          const ContractionOrderOptions &options);

/// The steps as opt_einsum's linear path: each pair is positions in the list of
/// operands that are left, to whose end the result is appended.
llvm::SmallVector<std::pair<unsigned, unsigned>>
getLinearPath(const ContractionPath &path);

/// The table of numpy.einsum_path and opt_einsum for a statement that has a
/// path: scaling, operations, and the einsum of each step. Sizes that are not
/// bound count as in the pipeline. None for any other statement.
std::optional<std::string> printPath(const Def &def, const Statement &statement,
                                     const ContractionOrderOptions &options,
                                     const PathQualities &qualities);

/// What `--emit path` writes: JSON, an object per statement that has a path.
std::string emitPath(const Program &program,
                     const ContractionOrderOptions &options,
                     const PathQualities &qualities);

} // namespace ein

#endif // EIN_DRIVER_PATH_H
