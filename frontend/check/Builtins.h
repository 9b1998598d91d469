//===- Builtins.h - The functions and reducers of the language --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a name. Comes out: the function, reducer or constant that the
// language has of it, if any. The lists are in frontend/program/Functions.def.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_BUILTINS_H
#define EIN_FRONTEND_CHECK_BUILTINS_H

#include "frontend/program/Program.h"

namespace ein {

/// What `sum<k>(…)` does; see Functions.def.
struct Reducer {
  enum Kind : uint8_t {
    Plain,
    Logical,
    Position,
    Mean,
    Variance,
    Deviation,
    Ods
  };
  llvm::StringLiteral name;
  UpdateKind update;
  Kind kind;

  bool isMoment() const { return kind >= Mean && kind <= Deviation; }
  /// It is made of other reductions, and no statement's update.
  bool isComposed() const { return kind == Position || isMoment(); }
};

/// A function that is an expression of others.
struct DerivedFn {
  llvm::StringLiteral name, parameters, body;
};

/// Whether `name(…)` is a function of values, unless a tensor has the name.
bool isFunction(llvm::StringRef name);
/// One whose arguments are a tensor, or read one.
bool readsTensors(llvm::StringRef name);
/// What a constant such as `pi` is; nothing if `name` is none.
llvm::StringRef getConstantBody(llvm::StringRef name);
/// The function that `name` is, if any.
std::optional<UnaryFn> findUnaryFn(llvm::StringRef name);
/// A function that is an expression of others; see Functions.def.
const DerivedFn *findDerivedFn(llvm::StringRef name);
const Reducer *findReducer(llvm::StringRef name);
bool isOdsReducer(llvm::StringRef name);
/// `cumsum` and its kin, see RewriteCumulative.h.
bool isCumulative(llvm::StringRef name);
std::optional<BinaryFn> findUnsignedFn(llvm::StringRef name);
std::optional<BinaryFn> findBinaryFn(llvm::StringRef name);

/// Whether a cast to the target's type is one of the bits of unsigned integers;
/// nothing if it is no such cast.
std::optional<bool> findTargetCast(llvm::StringRef name);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_BUILTINS_H
