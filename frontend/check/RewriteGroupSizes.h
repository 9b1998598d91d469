//===- RewriteGroupSizes.h - Rewrites: the sizes of labels ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: the terms of an einsum string, with the tensors whose dims they
// name. Comes out: the size of each label.
//
// A label's size is that of a dim which it has to itself, in an operand or in
// the target; else what the other labels leave of a dim that it shares. So at
// most one size of each dim is unknown when its turn comes. Where it does not
// divide exactly, that is an error, now or when the code runs.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_REWRITEGROUPSIZES_H
#define EIN_FRONTEND_CHECK_REWRITEGROUPSIZES_H

#include "frontend/check/EinsumCall.h"
#include "frontend/check/Scope.h"

namespace ein {

class GroupSolver {
public:
  explicit GroupSolver(DefScope &scope) : scope(scope) {}

  /// Takes what the dims say that have a label to themselves, and keeps the
  /// others.
  void addTerm(const EinsumTerm &term, const Tensor &tensor);
  llvm::LogicalResult solve();
  const Affine &getSize(const EinsumLabel &label) const {
    return sizes.find(label.name)->second;
  }

private:
  struct Group {
    const EinsumLabel *label;
    Affine dim;
    std::string tensor;
    size_t numOpen = 0;
  };
  llvm::LogicalResult solveGroup(const Group &group);
  llvm::LogicalResult takeSize(const Group &group, const EinsumLabel &open,
                               const SizeProduct &known);
  llvm::LogicalResult checkGroup(const Group &group);
  llvm::LogicalResult reportExtent(const Group &group,
                                   const SizeProduct &known);
  std::string describeGroup(const Group &group) const;
  SizeProduct multiplyKnown(const Group &group) const;

  DefScope &scope;
  llvm::StringMap<Affine> sizes;
  std::vector<Group> groups;
  llvm::StringMap<std::vector<size_t>> groupsOf; // by label, one per occurrence
};

} // namespace ein

#endif // EIN_FRONTEND_CHECK_REWRITEGROUPSIZES_H
