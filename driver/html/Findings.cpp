//===- Findings.cpp - What passes found, as data --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Explanation.h"
#include "driver/html/SourceLines.h"
#include "target/Roofline.h"

using namespace llvm;

namespace ein {

/// Facts are texts; those that are numbers become numbers, but for formulas and
/// names, of which one may be `inf`.
static void printFacts(json::OStream &json, const Finding &finding) {
  for (const auto &[key, value] : finding.facts) {
    double number = 0;
    if (value == "true" || value == "false")
      json.attribute(key, value == "true");
    else if (key != "formula" && key != "name" &&
             !StringRef(value).getAsDouble(number))
      json.attribute(key, number);
    else
      json.attribute(key, json::fixUTF8(value));
  }
}

void printMemory(json::OStream &json, ArrayRef<Finding> findings,
                 ArrayRef<SourceRange> ranges, const Sources &sources) {
  auto belongs = [&](const Finding &finding) {
    return any_of(ranges, [&](SourceRange range) {
      return range.begin <= finding.range.begin &&
             finding.range.begin < range.end;
    });
  };
  auto print = [&](StringRef name) {
    for (const Finding &finding : findings)
      if (finding.category == "memory" && finding.name == name &&
          !finding.facts.empty() && belongs(finding))
        json.object([&] {
          json.attribute("at", getPageLine(sources, finding.range.begin));
          printFacts(json, finding);
        });
  };
  json.attributeObject("memory", [&] {
    json.attributeArray("steps", [&] { print("Step"); });
    json.attributeArray("temporaries", [&] { print("Temporary"); });
  });
}

void printMachine(json::OStream &json, const TargetInfo &target) {
  json.object([&] {
    json.attribute("triple", target.triple);
    json.attribute("cpu", target.cpu);
    json.attribute("vector_bits", target.vectorBits);
    json.attribute("vector_registers", target.vectorRegisters);
    json.attributeObject("operations_per_cycle", [&] {
      for (unsigned bits : {8, 16, 32, 64})
        json.attribute(std::to_string(bits),
                       getOperationsPerCycle(target, bits));
    });
    json.attributeArray("levels", [&] {
      for (const MemoryLevel &level : getMemoryLevels(target))
        json.object([&] {
          json.attribute("name", level.name);
          json.attribute("bytes_per_cycle", level.bytesPerCycle);
          if (level.capacity)
            json.attribute("capacity", int64_t(level.capacity));
        });
    });
  });
}

} // namespace ein
