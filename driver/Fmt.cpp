//===- Fmt.cpp - einc fmt -------------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/OutputFile.h"
#include "driver/Commands.h"
#include "frontend/format/Format.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

/// Files that einc reads and whose layout is another's. Some would lex.
static bool isOtherLanguage(StringRef name) {
  return StringSwitch<bool>(sys::path::extension(name))
      .Cases({".mlir", ".yaml", ".yml", ".py", ".npy"}, true)
      .Default(false);
}

static ExitStatus formatFile(const Options &options, const std::string &name) {
  if (isOtherLanguage(name))
    return reportError(options, DiagId::NotEinFile, {name});
  std::optional<Sources> file = readSource(options, name);
  if (!file)
    return kWrongInput;
  DiagnosticEngine diags;
  FailureOr<std::string> text = formatSource(file->getMain(), diags);
  if (failed(text)) {
    bool isOurs = diags.getDiagnostics().back().id == DiagId::InternalError;
    ExitStatus status = isOurs ? kInternalError : kWrongInput;
    printAll(options, *file, diags, status);
    return status;
  }
  bool isChanged = *text != file->getText();
  if (options.onlyChecks) {
    if (isChanged)
      errs() << file->getName() << " would change\n";
    return isChanged ? kWrongInput : kDone;
  }
  if (!isChanged && name != "-")
    return kDone;
  if (Error error = writeFile(name, *text))
    return reportError(options, DiagId::CannotWrite,
                       {toString(std::move(error))});
  return kDone;
}

/// All files, whatever is wrong with some.
ExitStatus runFmt(const Options &options) {
  ExitStatus status = kDone;
  for (const std::string &name : options.files)
    status = std::max(status, formatFile(options, name));
  return status;
}

} // namespace ein
