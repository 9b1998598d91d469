//===- PriceGroup.h - Cycles of ops on the same rows ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: whether ops on the same rows are one loop, and of how many rows at a
// time, depends on what stays in which cache between the ops and on what each
// block reads again.
//
// Choice: each op is a nest in the loops over blocks, with a register tile's or
// a vector's work, beside all that the other ops of the group touch. What is
// made in the group for the group alone is a buffer, the same in each round.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_PRICEGROUP_H
#define EIN_PASSES_SELECT_PRICEGROUP_H

#include "passes/analysis/FusionGroups.h"
#include "passes/select/PricedOp.h"
#include "target/NestCost.h"
#include "target/Target.h"
#include <vector>

namespace ein {

/// So many rows of the last dim of rows at a time, of the others one.
struct GroupBlocks {
  int64_t rows = 1;
  /// So many columns at a time, 0 if all.
  int64_t columns = 0;
};

class GroupPricer {
public:
  GroupPricer(const FusionGroup &group, const TargetInfo &target);

  /// What the group takes as one loop over blocks.
  NestCost price(const GroupBlocks &blocks) const;
  /// What the ops take one after the other, all rows each.
  NestCost priceApart() const;

private:
  struct Member {
    PricedOp op;
    llvm::SmallVector<int64_t> rows;
    int64_t columns = -1;
    bool isProduct = false;
    /// Per operand: the memory that it is in; whether it is for the group
    /// alone; and whether it is, or an op before in the block has touched it.
    llvm::SmallVector<mlir::Value> values = {};
    llvm::SmallVector<bool> isPrivate = {}, isNear = {};
  };
  void findColumns();
  /// None of `blocks`: all rows at once, in no loop.
  struct Nest;
  double getExtent(const Member &member, int64_t dim,
                   const GroupBlocks *blocks) const;
  double getStride(const Member &member, unsigned operand, int64_t dim,
                   const GroupBlocks *blocks) const;
  NestArray getArray(const Member &member, unsigned operand, const Nest &nest,
                     const GroupBlocks *blocks) const;
  NestArray getBeside(const Member &member, unsigned operand, const Nest &nest,
                      const GroupBlocks *blocks) const;
  Nest getOuter(const Member &member, const GroupBlocks *blocks) const;
  NestCost priceMember(const Member &member, const GroupBlocks *blocks) const;
  NestCost priceRescaling(const Member &last, const GroupBlocks &blocks) const;

  const TargetInfo &target;
  std::vector<Member> members;
};

} // namespace ein

#endif // EIN_PASSES_SELECT_PRICEGROUP_H
