//===- InOrder.h - What a recurrence reads of its own -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement in order (Statement::written) may read what its earlier points
// have written. How far back that is decides in which direction its loops run,
// and which of them may run as vectors.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PROGRAM_INORDER_H
#define EIN_FRONTEND_PROGRAM_INORDER_H

#include "frontend/program/Program.h"

namespace ein {

/// A read of the statement's own target.
struct SelfRead {
  enum Kind : uint8_t {
    /// No point writes what it reads.
    Never,
    /// The point itself does.
    Same,
    /// The point that is `distance` before in `index`, and at the same place in
    /// all indices before that one.
    Carried,
    /// That depends on the point, or is not known.
    Unknown,
  };
  ExprId id;
  Kind kind = Same;
  IndexId index = {};
  int64_t distance = 0; // below 0: after
};

/// Those of the right side and the condition. `places`: what each dim of the
/// target is written at, which has one index at most.
std::vector<SelfRead> findSelfReads(const Def &def, const Statement &statement,
                                    llvm::ArrayRef<Affine> places);
/// The same of a recurrence.
std::vector<SelfRead> findSelfReads(const Def &def, const Statement &statement);

/// Whether the points along `index`, at one place in all indices before it,
/// neither write the same element nor read what the others write.
bool isIndependent(const Def &def, const Statement &statement, IndexId index);

/// Whether it writes every element of its target.
bool writesAll(const Def &def, const Statement &statement);

} // namespace ein

#endif // EIN_FRONTEND_PROGRAM_INORDER_H
