//===- Path.cpp - In which order statements are contracted --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ein-order-contractions` asks the same analysis with the same sizes, so this
// is the order in which the code contracts.
//
//===----------------------------------------------------------------------===//

#include "driver/Path.h"
#include "frontend/Printer.h"
#include "passes/Pipelines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace ein {

std::optional<ContractionPath> findPath(const Def &def,
                                        const Statement &statement,
                                        ArrayRef<int64_t> symbolValues) {
  std::optional<std::vector<ExprId>> factors = def.getProductFactors(statement);
  if (!factors || factors->size() < 3)
    return std::nullopt;
  ContractionNetwork network;
  for (const Index &index : statement.indices)
    network.labelSizes.push_back(index.extent.evaluate(symbolValues));
  auto makeSet = [&] { return SmallBitVector(statement.indices.size()); };
  for (ExprId factor : *factors) {
    network.operands.push_back(makeSet());
    for (const Affine &subscript : def[factor].subscripts)
      for (const Affine::IndexTerm &term : subscript.getIndexTerms())
        network.operands.back().set(term.id.value);
  }
  network.output = makeSet();
  for (IndexId index : statement.targetIndices)
    network.output.set(index.value);
  return findContractionOrder(network);
}

SmallVector<std::pair<unsigned, unsigned>>
getLinearPath(const ContractionPath &path) {
  // Which number of the steps' own stands at each position.
  SmallVector<unsigned> left =
      llvm::to_vector(llvm::seq<unsigned>(0, path.steps.size() + 1));
  unsigned next = left.size();
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (const ContractionStep &step : path.steps) {
    unsigned a = llvm::find(left, step.lhs) - left.begin();
    unsigned b = llvm::find(left, step.rhs) - left.begin();
    pairs.push_back(std::minmax(a, b));
    left.erase(left.begin() + pairs.back().second);
    left.erase(left.begin() + pairs.back().first);
    left.push_back(next++);
  }
  return pairs;
}

/// Sizes that are not bound count as in the pipeline.
static std::vector<int64_t> assumeSizes(const Def &def) {
  LinalgOptions options;
  std::vector<int64_t> values;
  for (const Symbol &symbol : def.symbols)
    values.push_back(symbol.bound.value_or(options.unknownSize));
  return values;
}

std::string emitPath(const Program &program) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os, /*IndentSize=*/2);
  json.arrayBegin();
  for (const Def &def : program.defs) {
    std::vector<int64_t> sizes = assumeSizes(def);
    for (const Statement &statement : def.statements) {
      std::optional<ContractionPath> path = findPath(def, statement, sizes);
      if (!path)
        continue;
      std::string source;
      raw_string_ostream sourceStream(source);
      printStatement(sourceStream, def, statement);
      json.object([&] {
        json.attribute("def", json::fixUTF8(def.name));
        json.attribute("statement", json::fixUTF8(source));
        json.attributeObject("sizes", [&] {
          for (const Index &index : statement.indices)
            json.attribute(json::fixUTF8(index.name),
                           index.extent.evaluate(sizes));
        });
        json.attributeArray("path", [&] {
          for (auto [a, b] : getLinearPath(*path))
            json.value(json::Array{int64_t(a), int64_t(b)});
        });
        json.attribute("flops", 2 * path->flops);
        json.attribute("largest_intermediate", path->largestIntermediate);
      });
    }
  }
  json.arrayEnd();
  os << '\n';
  return text;
}

} // namespace ein
