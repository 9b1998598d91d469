//===- Inspect.cpp - What a compiled file is, and which CPU it needs ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What einc's functions say of themselves, and then what the instructions of
// any file need, whoever made it.
//
//===----------------------------------------------------------------------===//

#include "backend/Metadata.h"
#include "backend/RequiredCpus.h"
#include "driver/Commands.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

/// Names are listed up to here; `--json` has all.
static constexpr size_t kMaxNames = 4;

static void printLine(StringRef label, const Twine &text) {
  outs() << "  " << left_justify(label, 9) << " " << text << "\n";
}

/// A line of text for each thing that is said, and that is not nothing.
static void printFunction(const json::Object &function) {
  auto print = [&](StringRef label, StringRef key) {
    StringRef text = function.getString(key).value_or("");
    if (!text.empty())
      printLine(label, text);
  };
  outs() << function.getString("signature").value_or("?") << "\n";
  if (const json::Array *checks = function.getArray("checks"))
    for (const json::Value &check : *checks)
      printLine("checked", check.getAsString().value_or("?"));
  print("einc", "einc");
  print("target", "triple");
  print("cpu", "cpu");
  print("features", "features");
  print("flags", "flags");
  print("source", "source");
  print("sha256", "hash");
}

static std::string printCpu(const RequiredCpu &cpu) {
  std::string text = cpu.level;
  for (auto [index, feature] : enumerate(cpu.features))
    text += (index == 0                         ? " with "
             : index + 1 == cpu.features.size() ? " and "
                                                : ", ") +
            feature;
  return text;
}

static std::string printUse(const CpuUse &use, size_t numFunctions) {
  std::string text;
  raw_string_ostream os(text);
  os << use.functions.size() << " of " << numFunctions << " functions";
  if (!use.features.empty())
    os << " use " << join(use.features, ", ");
  os << ": ";
  ArrayRef<std::string> names = use.functions;
  interleaveComma(names.take_front(kMaxNames), os);
  if (names.size() > kMaxNames)
    os << ", ...";
  return text;
}

static void printCode(const RequiredCpus &cpus, StringRef name) {
  outs() << "code of `" << name << "` for " << cpus.architecture << "\n";
  if (!cpus.unknown.empty())
    return printLine("needs", "unknown: " + cpus.unknown);
  if (cpus.numFunctions != 0)
    printLine("needs", printCpu(cpus.functions) + ", to run all functions");
  for (const CpuUse &use : cpus.uses)
    printLine(use.need, printUse(use, cpus.numFunctions));
  if (cpus.numFunctions == 0 || cpus.isOutsideHigher)
    printLine("outside", Twine(cpus.numOutside) + " of " +
                             Twine(cpus.numBytes) +
                             " bytes are of no function; if they are code, " +
                             printCpu(cpus.outside));
  if (cpus.numUnread != 0)
    printLine("data", Twine(cpus.numUnread) + " of " + Twine(cpus.numBytes) +
                          " bytes are no instructions");
}

static json::Object toJson(const RequiredCpu &cpu) {
  return json::Object{{"level", cpu.level},
                      {"features", json::Array(cpu.features)}};
}

static json::Object toJson(const RequiredCpus &cpus, StringRef name) {
  json::Object object{{"file", json::fixUTF8(name)},
                      {"architecture", cpus.architecture}};
  if (!cpus.unknown.empty()) {
    object["unknown"] = cpus.unknown;
    return object;
  }
  object["functions"] = toJson(cpus.functions);
  object["outside"] = toJson(cpus.outside);
  object["numFunctions"] = cpus.numFunctions;
  object["numBytes"] = cpus.numBytes;
  object["numOutside"] = cpus.numOutside;
  object["numUnread"] = cpus.numUnread;
  json::Array uses;
  for (const CpuUse &use : cpus.uses) {
    json::Array functions;
    for (const std::string &function : use.functions)
      functions.push_back(json::fixUTF8(function));
    uses.push_back(json::Object{{"needs", use.need},
                                {"features", json::Array(use.features)},
                                {"functions", std::move(functions)}});
  }
  object["uses"] = std::move(uses);
  return object;
}

static ExitStatus inspect(const Options &options, const std::string &name) {
  Expected<std::vector<std::string>> lines = readMetadata(name);
  if (!lines)
    return reportError(options, DiagId::CannotInspect,
                       {name, toString(lines.takeError())});
  Expected<std::vector<RequiredCpus>> code = readRequiredCpus(name);
  if (!code)
    return reportError(options, DiagId::CannotInspect,
                       {name, toString(code.takeError())});
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
  for (const RequiredCpus &cpus : *code)
    if (options.json)
      outs() << json::Value(toJson(cpus, name)) << "\n";
    else
      printCode(cpus, name);
  if (code->empty() && lines->empty() && !options.json)
    outs() << "no code in `" << name << "`\n";
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
