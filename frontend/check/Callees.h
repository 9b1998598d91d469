//===- Callees.h - The defs that a def can call -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a name. Comes out: the def that it is, once that def has been
// checked on its own.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_CALLEES_H
#define EIN_FRONTEND_CHECK_CALLEES_H

#include "frontend/ast/AST.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

namespace ein {

/// How many calls may be in each other.
inline constexpr unsigned maxCallDepth = 64;

/// A def that can be called.
struct Callee {
  const ast::Def *source = nullptr;
  /// A named op of linalg's.
  bool isPrelude = false;
  /// Being checked, or called: one more call would have no end.
  bool isActive = false;
  bool isChecked = false;
  /// Some def of the program does.
  bool isCalled = false;
  /// It has mistakes of its own, which have been reported.
  bool isBroken = false;
};

/// The defs that can be called.
class Callees {
public:
  virtual ~Callees() = default;
  virtual bool has(llvm::StringRef name) = 0;
  /// Null if there is none, or if it could not be read, which is reported.
  virtual Callee *find(llvm::StringRef name) = 0;
  /// Has mistakes that are the callee's own reported once, before any call.
  /// Fails, and says nothing, if that would be too many defs in each other.
  virtual llvm::LogicalResult prepare(Callee &callee) = 0;
  virtual std::vector<llvm::StringRef> getNames() = 0;
};

} // namespace ein

#endif // EIN_FRONTEND_CHECK_CALLEES_H
