//===- Library.h - What is behind the handles of einc.h ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LIBRARY_LIBRARY_H
#define EIN_LIBRARY_LIBRARY_H

#include "backend/Backend.h"
#include "driver/Compiler.h"
#include "einc/einc.h"
#include "frontend/source/Diagnostics.h"
#include "llvm/Support/StringSaver.h"
#include <memory>
#include <string>
#include <vector>

/// An entry, with all that can be asked of it made ready: calls are short.
struct einc_entry {
  ein::runtime::Signature signature;
  std::string text, json;
  std::vector<std::vector<std::string>> dimTexts;
  std::vector<std::vector<const char *>> dims;
  std::vector<einc_argument> arguments;
  /// Its code, which takes views.
  ein::runtime::PackedFunction function = nullptr;
  /// The sizes that it is given, as no dim says them.
  std::vector<unsigned> sizesWithoutSource;
  /// Of all views together, in words.
  size_t numWords = 0;

  einc_entry(const ein::CompiledEntry &entry);
  einc_entry(const einc_entry &) = delete;
};

struct einc_program {
  std::vector<std::unique_ptr<einc_entry>> entries;
  const einc_entry *main = nullptr;
  std::optional<ein::LoadedCode> code;
};

struct einc_diagnostics {
  std::vector<einc_diagnostic> records;
  std::string text, json;
  /// What the records point to.
  llvm::BumpPtrAllocator memory;
};

struct einc_bytes {
  llvm::SmallVector<char, 0> data; // and a 0
};

namespace ein {

/// Keeps the words for `einc_last_message`, and returns the status.
einc_status fail(einc_status status, const llvm::Twine &message);

/// The records of what was said, which depend on neither argument;
/// null if that is nothing.
std::unique_ptr<einc_diagnostics>
makeRecords(const Sources &file, llvm::ArrayRef<Diagnostic> diagnostics);

} // namespace ein

#endif // EIN_LIBRARY_LIBRARY_H
