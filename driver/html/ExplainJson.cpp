//===- ExplainJson.cpp - What becomes of a program, as data ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CheckedRun.h"
#include "driver/Explanation.h"
#include "driver/Metadata.h"
#include "driver/Path.h"
#include "driver/html/SourceLines.h"
#include "frontend/print/Printer.h"
#include <limits>

using namespace llvm;

namespace ein {
namespace {

class Printer {
public:
  Printer(json::OStream &json, const Explanation &explanation,
          const Options &options, const Sources &sources)
      : json(json), explanation(explanation), options(options),
        sources(sources) {}

  void print(const DefExplanation &def, const DefMeasurement *measurement);
  void printRemarks(ArrayRef<StringRef> remarks);

private:
  void print(const Def &def, const StatementExplanation &statement,
             const std::optional<MeasuredPoint> &measured,
             ArrayRef<int64_t> sizes);
  void print(const std::optional<MeasuredPoint> &measured);
  void printIndices(const Def &def, const Statement &statement,
                    ArrayRef<int64_t> sizes);
  void printTensors(const Def &def, ArrayRef<int64_t> sizes);
  /// The members `begin` and `end`, a line and a column each.
  void printRange(SourceRange range);

  json::OStream &json;
  const Explanation &explanation;
  const Options &options;
  const Sources &sources;
};

} // namespace

void Printer::printRemarks(ArrayRef<StringRef> remarks) {
  json.attributeArray("remarks", [&] {
    for (StringRef remark : remarks)
      json.value(json::fixUTF8(remark));
  });
}

void Printer::printRange(SourceRange range) {
  auto printPlace = [&](StringRef name, uint32_t offset) {
    json.attributeArray(name, [&] {
      json.value(getPageLine(sources, offset));
      json.value(getPageColumn(sources, offset));
    });
  };
  printPlace("begin", range.begin);
  printPlace("end", range.end);
}

static std::string printDim(const Def &def, const Affine &dim) {
  return dim.str([](IndexId) { return StringRef("?"); },
                 [&](SymbolId id) { return StringRef(def[id].name); });
}

void Printer::printIndices(const Def &def, const Statement &statement,
                           ArrayRef<int64_t> sizes) {
  json.attributeArray("indices", [&] {
    for (const Index &index : statement.indices)
      json.object([&] {
        json.attribute("name", json::fixUTF8(index.name));
        json.attribute("size", index.extent.evaluate(sizes));
        json.attribute("reduced", index.isReduction);
        std::string range;
        raw_string_ostream os(range);
        ein::printIndex(os, def, statement, index);
        json.attribute("range", json::fixUTF8(range));
      });
  });
}

void Printer::printTensors(const Def &def, ArrayRef<int64_t> sizes) {
  json.attributeArray("tensors", [&] {
    for (const Tensor &tensor : def.tensors)
      json.object([&] {
        json.attribute("name", json::fixUTF8(tensor.name));
        json.attribute("type", getSpelling(tensor.type));
        json.attribute("role", getSpelling(tensor.role));
        json.attributeArray("dims", [&] {
          for (const Affine &dim : tensor.dims)
            json.value(json::fixUTF8(printDim(def, dim)));
        });
        json.attributeArray("shape", [&] {
          for (const Affine &dim : tensor.dims)
            json.value(dim.evaluate(sizes));
        });
        json.attribute("bytes", countElements(tensor.dims, sizes) *
                                    getBitWidth(tensor.type) / 8);
      });
  });
}

void Printer::print(const std::optional<MeasuredPoint> &measured) {
  if (measured)
    json.attributeObject("measured", [&] {
      json.attribute("seconds", measured->seconds);
      json.attribute("operations", measured->operations);
      json.attribute("bytes", measured->bytes);
    });
}

void Printer::print(const Def &def, const StatementExplanation &statement,
                    const std::optional<MeasuredPoint> &measured,
                    ArrayRef<int64_t> sizes) {
  json.object([&] {
    json.attribute("line", statement.line);
    json.attribute("text", json::fixUTF8(statement.text));
    json.attribute("operations", statement.operations);
    json.attribute("bytes", statement.bytes);
    printRemarks(statement.remarks);
    printRange(statement.statement->range);
    printIndices(def, *statement.statement, sizes);
    printTree(json, def, *statement.statement, options.compile.order);
    print(measured);
  });
}

void Printer::print(const DefExplanation &explained,
                    const DefMeasurement *measurement) {
  const Def &def = *explained.def;
  std::vector<int64_t> sizes = assumeSizes(def);
  json.object([&] {
    json.attribute("def", json::fixUTF8(explained.name));
    json.attributeObject("sizes", [&] {
      for (const auto &[name, size] : explained.sizes)
        json.attribute(json::fixUTF8(name), size);
    });
    json.attribute("assumed", explained.areSizesAssumed);
    json.attributeArray("statements", [&] {
      for (auto [i, statement] : enumerate(explained.statements))
        print(def, statement,
              measurement ? measurement->statements[i] : std::nullopt, sizes);
    });
    json.attribute("operations", explained.operations);
    json.attribute("bytes", explained.bytes);
    printRemarks(explained.remarks);
    printRange(explained.range);
    printTensors(def, sizes);
    SmallVector<SourceRange> ranges = {def.range};
    for (const Statement &statement : def.statements)
      ranges.push_back(statement.range);
    json.attributeBegin("groups");
    printSections(json, explained.sections, &explained, sources);
    json.attributeEnd();
    printMemory(json, explanation.findings, ranges, sources);
    if (!measurement)
      return;
    print(measurement->whole);
    if (measurement->peak > 0) {
      json.attribute("peak", measurement->peak);
      json.attribute("hertz", measurement->hertz);
    }
    json.attributeArray("unmeasured", [&] {
      for (const std::string &note : measurement->notes)
        json.value(json::fixUTF8(note));
    });
  });
}

void printJson(raw_ostream &os, const Explanation &explanation,
               const Options &options, const Sources &sources,
               ExtraMembers extra) {
  json::OStream json(os);
  Printer printer(json, explanation, options, sources);
  json.object([&] {
    json.attributeArray("defs", [&] {
      for (auto [i, def] : enumerate(explanation.defs))
        printer.print(def, explanation.measurements.empty()
                               ? nullptr
                               : &explanation.measurements[i]);
    });
    printer.printRemarks(explanation.remarks);
    if (explanation.defs.empty()) {
      json.attributeBegin("groups");
      printSections(json, explanation.sections, /*def=*/nullptr, sources);
      json.attributeEnd();
      printMemory(json, explanation.findings,
                  SourceRange{0, std::numeric_limits<uint32_t>::max()},
                  sources);
    }
    json.attribute("einc", getVersion());
    json.attribute("flags", json::fixUTF8(printFlags(options.compile)));
    json.attributeBegin("machine");
    printMachine(json, options.compile.target);
    json.attributeEnd();
    json.attributeBegin("sources");
    printSources(json, sources);
    json.attributeEnd();
    extra(json);
  });
}

} // namespace ein
