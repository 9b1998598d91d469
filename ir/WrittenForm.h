//===- WrittenForm.h - Functions as they are written ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel relies on its arrays being apart. A user's function on memrefs means
// something if they are not, too: what its loops do, one after the other. So it
// has a second function beside it, which does that, and which the entries call
// where arrays overlap. The two find each other by their names.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_WRITTENFORM_H
#define EIN_IR_WRITTENFORM_H

#include "llvm/ADT/StringRef.h"

namespace ein {

/// What is before the name of the function that it is another form of.
inline constexpr llvm::StringLiteral kWrittenPrefix = "__ein_written_";

} // namespace ein

#endif // EIN_IR_WRITTENFORM_H
