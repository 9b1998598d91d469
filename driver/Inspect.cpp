//===- Inspect.cpp - What a file that einc made says of itself -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/Metadata.h"
#include "driver/Commands.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

/// A line of text for each thing that is said, and that is not nothing.
static void printFunction(const json::Object &function) {
  auto print = [&](StringRef label, StringRef key) {
    StringRef text = function.getString(key).value_or("");
    if (!text.empty())
      outs() << "  " << left_justify(label, 9) << " " << text << "\n";
  };
  outs() << function.getString("signature").value_or("?") << "\n";
  if (const json::Array *checks = function.getArray("checks"))
    for (const json::Value &check : *checks)
      outs() << "  checked   " << check.getAsString().value_or("?") << "\n";
  print("einc", "einc");
  print("target", "triple");
  print("cpu", "cpu");
  print("features", "features");
  print("flags", "flags");
  print("source", "source");
  print("sha256", "hash");
}

static ExitStatus inspect(const Options &options, const std::string &name) {
  Expected<std::vector<std::string>> lines = readMetadata(name);
  if (!lines)
    return reportError(options, DiagId::CannotInspect,
                       {name, toString(lines.takeError())});
  if (lines->empty())
    return reportError(options, DiagId::CannotInspect,
                       {name, "einc made none of what is in it"});
  for (const std::string &line : *lines) {
    Expected<json::Value> function = json::parse(line);
    if (!function || !function->getAsObject()) {
      consumeError(function.takeError());
      return reportError(options, DiagId::CannotInspect,
                         {name, "what it says of itself is damaged"});
    }
    if (options.json)
      outs() << line << "\n";
    else
      printFunction(*function->getAsObject());
  }
  return kDone;
}

/// All files, whatever is wrong with some.
ExitStatus runInspect(const Options &options) {
  ExitStatus status = kDone;
  for (const std::string &name : options.files)
    status = std::max(status, inspect(options, name));
  return status;
}

} // namespace ein
