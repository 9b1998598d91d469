//===- Decline.h - Matchers that say why they decline -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op can be made is asked by a matcher, `matchX(op, onDecline)`. It
// returns what it found out, or fails and says why: to nobody, in a remark or
// in an error, which is the caller's to choose.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_DECLINE_H
#define EIN_PASSES_ANALYSIS_DECLINE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace ein {

/// Is told why a matcher declines, in words that can follow a colon. Null if
/// nobody wants to know.
using DeclineFn = llvm::function_ref<void(llvm::StringRef reason)>;

/// For `return decline(onDecline, "it is too old")`.
inline llvm::LogicalResult decline(DeclineFn onDecline,
                                   const llvm::Twine &reason) {
  if (onDecline)
    onDecline(reason.str());
  return llvm::failure();
}

/// A DeclineFn that makes an error on `op` of it: `what`, and why.
inline auto emitDeclined(mlir::Operation *op, llvm::StringRef what) {
  return [op, what](llvm::StringRef reason) {
    op->emitOpError(what) << ": " << reason;
  };
}

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_DECLINE_H
