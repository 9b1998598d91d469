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

/// The CPUs that the function has code for.
static std::vector<std::string> getCpus(const json::Object &function) {
  std::vector<std::string> cpus;
  if (const json::Array *names = function.getArray("cpus"))
    for (const json::Value &name : *names)
      cpus.push_back(name.getAsString().value_or("?").str());
  return cpus;
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
  if (std::vector<std::string> cpus = getCpus(function); cpus.size() > 1)
    printLine("cpus", join(cpus, ", "));
  else
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
    os << (use.functions.size() == 1 ? " uses " : " use ")
       << join(use.features, ", ");
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
    printLine("needs",
              printCpu(cpus.functions) + (cpus.variants.empty()
                                              ? ", to run all functions"
                                              : ", to run the oldest variant"));
  for (const VariantCpu &variant : cpus.variants)
    printLine("variant", variant.cpu + ": " + Twine(variant.numFunctions) +
                             (variant.numFunctions == 1 ? " function needs "
                                                        : " functions need ") +
                             printCpu(variant.needs));
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
  json::Array variants;
  for (const VariantCpu &variant : cpus.variants) {
    json::Object needs = toJson(variant.needs);
    needs["cpu"] = json::fixUTF8(variant.cpu);
    needs["numFunctions"] = variant.numFunctions;
    variants.push_back(std::move(needs));
  }
  object["variants"] = std::move(variants);
  return object;
}

static ExitStatus inspect(const Options &options, const std::string &name) {
  Expected<std::vector<std::string>> lines = readMetadata(name);
  if (!lines)
    return reportError(options, DiagId::CannotInspect,
                       {name, toString(lines.takeError())});
  std::vector<json::Value> functions;
  std::vector<std::string> variants;
  for (const std::string &line : *lines) {
    Expected<json::Value> function = json::parse(line);
    if (!function || !function->getAsObject()) {
      consumeError(function.takeError());
      return reportError(options, DiagId::CannotInspect,
                         {name, "what it says of itself is damaged"});
    }
    std::vector<std::string> cpus = getCpus(*function->getAsObject());
    for (const std::string &cpu : cpus)
      if (cpus.size() > 1 && !is_contained(variants, cpu))
        variants.push_back(cpu);
    functions.push_back(std::move(*function));
  }
  Expected<std::vector<RequiredCpus>> code = readRequiredCpus(name, variants);
  if (!code)
    return reportError(options, DiagId::CannotInspect,
                       {name, toString(code.takeError())});
  for (auto [line, function] : zip_equal(*lines, functions))
    if (options.json)
      outs() << line << "\n";
    else
      printFunction(*function.getAsObject());
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
