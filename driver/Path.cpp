//===- Path.cpp - In which order statements are contracted --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ein-order-contractions` asks the same analysis with the same sizes, so this
// is the order in which the code contracts, or the orders that it chooses from.
//
//===----------------------------------------------------------------------===//

#include "driver/Path.h"
#include "frontend/Printer.h"
#include "frontend/Unicode.h"
#include "passes/Pipelines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace ein {

/// The product of a statement with three factors or more.
static std::optional<ContractionNetwork>
getNetwork(const Def &def, const Statement &statement,
           ArrayRef<int64_t> symbolValues) {
  std::optional<std::vector<ProductFactor>> factors =
      def.getProductFactors(statement);
  if (!factors || factors->size() < 3)
    return std::nullopt;
  ContractionNetwork network;
  for (const Index &index : statement.indices)
    network.labelSizes.push_back(index.extent.evaluate(symbolValues));
  auto makeSet = [&] { return SmallBitVector(statement.indices.size()); };
  for (ProductFactor factor : *factors) {
    network.operands.push_back(makeSet());
    for (const Affine &subscript : def[factor.access].subscripts)
      for (const Affine::IndexTerm &term : subscript.getIndexTerms())
        network.operands.back().set(term.id.value);
  }
  network.output = makeSet();
  for (IndexId index : statement.targetIndices)
    network.output.set(index.value);
  for (const std::vector<unsigned> &group : statement.groups)
    network.groups.emplace_back(group.begin(), group.end());
  return network;
}

std::optional<ContractionPath> findPath(const Def &def,
                                        const Statement &statement,
                                        ArrayRef<int64_t> symbolValues) {
  std::optional<ContractionNetwork> network =
      getNetwork(def, statement, symbolValues);
  if (!network)
    return std::nullopt;
  return findContractionOrder(*network);
}

/// The indices whose extents are not bound.
static SmallBitVector getOpen(const Statement &statement) {
  SmallBitVector open(statement.indices.size());
  for (auto [i, index] : enumerate(statement.indices))
    open[i] = !index.extent.isConstant();
  return open;
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

std::vector<int64_t> assumeSizes(const Def &def) {
  LinalgOptions options;
  return def.getSymbolValues(
      [&](const Symbol &) -> int64_t { return options.unknownSize; });
}

/// The labels of a set, in the order of the statement's indices.
static std::string printLabels(const Statement &statement,
                               const SmallBitVector &labels) {
  bool hasWords = llvm::any_of(statement.indices, [](const Index &index) {
    return decodeCharacter(index.name).length != index.name.size();
  });
  std::string text;
  for (unsigned label : labels.set_bits())
    text +=
        (hasWords && !text.empty() ? " " : "") + statement.indices[label].name;
  return text;
}

std::optional<std::string> printPath(const Def &def,
                                     const Statement &statement) {
  std::vector<int64_t> sizes = assumeSizes(def);
  std::optional<ContractionNetwork> network = getNetwork(def, statement, sizes);
  if (!network)
    return std::nullopt;
  SmallVector<ContractionPath> paths =
      findContractionOrders(*network, getOpen(statement));
  const ContractionPath &path = paths[0];
  auto print = [&](const SmallBitVector &labels) {
    return printLabels(statement, labels);
  };
  double naive = 1;
  for (double size : network->labelSizes)
    naive *= size;
  unsigned widest = 0;

  // The steps, as the operands that each leaves.
  std::vector<SmallBitVector> tensors(network->operands.begin(),
                                      network->operands.end());
  SmallVector<unsigned> left = to_vector(seq<unsigned>(0, tensors.size()));
  std::string rows;
  raw_string_ostream table(rows);
  for (const ContractionStep &step : path.steps) {
    SmallBitVector all = tensors[step.lhs];
    all |= tensors[step.rhs];
    widest = std::max(widest, static_cast<unsigned>(all.count()));
    erase_if(left, [&](unsigned tensor) {
      return tensor == step.lhs || tensor == step.rhs;
    });
    std::string current = print(tensors[step.lhs]) + "," +
                          print(tensors[step.rhs]) + "->" + print(step.result);
    left.push_back(tensors.size());
    tensors.push_back(step.result);
    auto remaining = map_range(
        left, [&](unsigned tensor) { return print(tensors[tensor]); });
    table << '\n'
          << format_decimal(all.count(), 7) << ' '
          << formatv("{0,24} {1,40}", current,
                     join(remaining, ",") + "->" + print(network->output));
  }

  auto operands = map_range(network->operands, print);
  std::string rule = "\n" + std::string(74, '-');
  double optimized = 2 * path.flops;
  naive *= network->operands.size();
  return formatv("  complete contraction:  {0}->{1}\n"
                 "         naive scaling:  {2}\n"
                 "     optimized scaling:  {3}\n"
                 "      naive operations:  {4:e3}\n"
                 "  optimized operations:  {5:e3}\n"
                 "               speedup:  {6:f3}\n"
                 "  largest intermediate:  {7:e3} elements",
                 join(operands, ","), print(network->output),
                 statement.indices.size(), widest, naive, optimized,
                 optimized > 0 ? naive / optimized : 1.0,
                 path.largestIntermediate)
             .str() +
         rule +
         formatv("\n{0,7} {1,24} {2,40}", "scaling", "current", "remaining")
             .str() +
         rule + table.str() +
         (paths.size() == 1
              ? ""
              : formatv("{0}\n  other orders, of which the cheapest is taken "
                        "when it runs: {1}",
                        rule, paths.size() - 1)
                    .str());
}

std::string emitPath(const Program &program) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os, /*IndentSize=*/2);
  json.arrayBegin();
  for (const Def &def : program.defs) {
    std::vector<int64_t> sizes = assumeSizes(def);
    for (const Statement &statement : def.statements) {
      std::optional<ContractionNetwork> network =
          getNetwork(def, statement, sizes);
      if (!network)
        continue;
      SmallVector<ContractionPath> paths =
          findContractionOrders(*network, getOpen(statement));
      auto writePath = [&](const ContractionPath &path) {
        for (auto [a, b] : getLinearPath(path))
          json.value(json::Array{int64_t(a), int64_t(b)});
      };
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
        json.attributeArray("path", [&] { writePath(paths[0]); });
        json.attribute("flops", 2 * paths[0].flops);
        json.attribute("largest_intermediate", paths[0].largestIntermediate);
        if (paths.size() > 1)
          json.attributeArray("alternatives", [&] {
            for (const ContractionPath &path : ArrayRef(paths).drop_front())
              json.array([&] { writePath(path); });
          });
      });
    }
  }
  json.arrayEnd();
  os << '\n';
  return text;
}

} // namespace ein
