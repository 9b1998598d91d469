//===- OldForms.cpp - MLIR of 2019 to 2021, as written now ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/OldForms.h"

using namespace llvm;

namespace ein {
namespace {

struct OldForm {
  StringLiteral message, before, at, advice;
};

constexpr OldForm oldForms[] = {
#define EIN_OLD_FORM(MESSAGE, BEFORE, AT, ADVICE) {MESSAGE, BEFORE, AT, ADVICE},
#include "driver/OldForms.def"
};

} // namespace

StringRef getNewForm(StringRef text, size_t offset, StringRef message) {
  // The parser stops before the blanks and the comma of what it does not know,
  // or behind them.
  StringRef before = text.take_front(offset).rtrim(" ");
  StringRef at = text.substr(offset).ltrim(" ,");
  for (const OldForm &form : oldForms)
    if (message.contains(form.message) && before.ends_with(form.before) &&
        at.starts_with(form.at))
      return form.advice;
  return "";
}

} // namespace ein
