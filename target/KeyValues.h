//===- KeyValues.h - Files of `key = value` lines ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of a machine and of a network have in common: each line has a
// key and its value, `#` begins a comment, and each key is there once.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_KEYVALUES_H
#define EIN_TARGET_KEYVALUES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ein {

/// A part of the text, and what it is about; both from 1 on.
struct TextPlace {
  unsigned line = 0, column = 0;
};

/// A MachineError.
llvm::Error makeError(TextPlace place, const llvm::Twine &message);

/// Reads all lines, calls `assign` for each, with the value's place, and
/// returns where each key's value is. An error is a line without `=`, a key
/// that is none of `keys` or is there twice, one of `assign`'s, and one of
/// `keys` that is missing.
llvm::Expected<llvm::StringMap<TextPlace>> readKeyValues(
    llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> keys,
    llvm::function_ref<llvm::Error(llvm::StringRef key, llvm::StringRef value,
                                   TextPlace place)>
        assign);

/// The value of the key `format`, which has to be `known`.
llvm::Error checkFormat(llvm::StringRef value, llvm::StringRef known,
                        TextPlace place);

/// A number as it is written: `12`, `4.5`, `1e6`; neither hexadecimal, nor an
/// infinity. It is from `least` to `most`.
llvm::Error assignNumber(double &member, llvm::StringRef key,
                         llvm::StringRef value, double least, double most,
                         TextPlace place);
llvm::Error checkRange(double number, llvm::StringRef key, double least,
                       double most, TextPlace place);

/// The fewest digits that are the number again, but no `2e+02`.
std::string printNumber(double number);

} // namespace ein

#endif // EIN_TARGET_KEYVALUES_H
