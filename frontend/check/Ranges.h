//===- Ranges.h - Extents of indices and bounds of accesses -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every index runs from 0 to an extent that nobody writes: it follows from the
// tensors that the index subscripts. An index that stands alone as a subscript
// has that dim's extent. Any other has the largest range with which no access
// leaves its tensor, which is found for one index at a time: in a subscript
// whose other indices have known ranges, the extreme values of those leave a
// bound for the one that is left. An index is solved once all its subscripts
// are of that kind, or, when no index is, with those that are.
//
// In `A(i / 2)` it is `i` that is bounded, by twice the dim: it stands alone
// nowhere in that.
//
// What `pad` and `clamp` read may be outside, so that it bounds nothing but an
// index that nothing else bounds: such a one has the extent of the dim where it
// stands alone.
//
// Ranges start at 0. Where an access is below that for all sizes above 1, the
// index that the access leaves room to move starts higher; see
// RangesStarts.cpp.
//
// What comes out is linear in the sizes, quotients among them. Where none of
// several bounds is the smaller for all sizes, it is the least of them, which
// is a symbol of its own. That is the last resort: what is known to be the
// smallest is taken as it is, so that extents that are equal look equal.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_RANGES_H
#define EIN_FRONTEND_CHECK_RANGES_H

#include "frontend/check/SizeChecks.h"
#include "frontend/source/Diagnostics.h"

namespace ein {

/// One use of a tensor in a statement, on either side.
struct AccessSite {
  TensorId tensor;
  std::vector<Affine> subscripts;
  std::vector<SourceRange> ranges; // of the subscripts
  /// Dims whose subscript is computed, and bounds nothing.
  std::vector<size_t> computedDims = {};
  /// Of a gather, one per dim: what the subscript, which is never negative, is
  /// divided by.
  std::vector<int64_t> divisors = {};
  /// The indices of the loops round it; nothing if that is all of them.
  std::optional<std::vector<IndexId>> loops = {};
};

/// Sets the extents of `statement.indices`. `sites` is in textual order; the
/// left side is among them if its tensor's shape is known. `outside` are those
/// of `pad` and `clamp`. `explain` adds notes on an index without a range.
llvm::LogicalResult
inferRanges(const Def &def, Statement &statement,
            llvm::ArrayRef<AccessSite> sites,
            llvm::ArrayRef<AccessSite> outside, CheckSet &checks,
            DiagnosticEngine &diags,
            llvm::function_ref<void(DiagnosticBuilder &, IndexId)> explain);

/// A range that starts where `site` is inside in `dim`.
struct RangeStart {
  IndexId index;
  Affine begin; // over symbols
  const AccessSite *site = nullptr;
  size_t dim = 0;
};

/// The ranges that do not start at 0, once their ends are known, in the order
/// of the indices; none where there is more than one answer.
llvm::SmallVector<RangeStart, 2> findStarts(const Def &def,
                                            const Statement &statement,
                                            llvm::ArrayRef<AccessSite> sites,
                                            CheckSet &checks);

/// Reports accesses that leave their tensors, and checks when the code runs
/// those that may, once the ranges of the statement's indices are known.
/// `hasWhere`: the source has one.
llvm::LogicalResult checkAccesses(const Def &def, const Statement &statement,
                                  llvm::ArrayRef<AccessSite> sites,
                                  CheckSet &checks, DiagnosticEngine &diags,
                                  bool hasWhere = false);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_RANGES_H
