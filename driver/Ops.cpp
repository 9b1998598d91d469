//===- Ops.cpp - The named ops --------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be called without being defined is defined in the prelude, and its
// text is the documentation: a definition as it stands, a signature up to the
// body.
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"
#include "frontend/prelude/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

/// On one line, without `def`.
static std::string getSignature(StringRef definition) {
  definition.consume_front("def ");
  SmallVector<StringRef> words;
  SplitString(definition.take_until([](char c) { return c == '{'; }), words);
  return llvm::join(words, " ");
}

/// All of them, a line each, or the definition of the one that is asked for.
static ExitStatus print(Library &library, const Options &options) {
  std::vector<StringRef> names = library.getNames();
  llvm::sort(names);
  if (options.op.empty()) {
    for (StringRef name : names)
      outs() << getSignature(library.getText(name)) << "\n";
    return kDone;
  }
  if (!library.find(options.op)) {
    library.addPrelude();
    names = library.getNames();
  }
  StringRef reason = explainUncallableOp(options.op);
  if (!library.find(options.op) && !reason.empty())
    return reportError(options, DiagId::OpWithoutDefinition,
                       {options.op, reason.str()});
  if (!library.find(options.op)) {
    std::optional<StringRef> similar = findSimilarName(options.op, names);
    return reportError(
        options, DiagId::UnknownOp,
        {options.op,
         similar ? "; did you mean `" + similar->str() + "`?" : std::string()});
  }
  outs() << library.getText(options.op) << "\n";
  return kDone;
}

ExitStatus runOps(const Options &options) {
  std::optional<Sources> sources = Sources("<einc>", "");
  if (!options.file.empty())
    sources = readSource(options, options.file);
  if (!sources)
    return kWrongInput;
  DiagnosticEngine diags;
  Library library(*sources, options.compile.check.includeDirs, diags);
  if (options.file.empty())
    library.addPrelude();
  else
    library.addFile(sources->getMain());
  ExitStatus status = kWrongInput;
  if (diags.getNumErrors() == 0)
    status = print(library, options);
  printAll(options, *sources, diags, status);
  return diags.getNumErrors() == 0 ? status : kWrongInput;
}

} // namespace ein
