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
#include "frontend/print/Printer.h"
#include "frontend/source/Unicode.h"
#include "order/ProductSearch.h"
#include "order/SearchKnobs.h"
#include "order/Slicing.h"
#include "passes/pipelines/Pipelines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace ein {

/// The product that a statement is, if it is one of so many factors.
static std::optional<Product> getPathProduct(const Def &def,
                                             const Statement &statement,
                                             bool keepsOrder,
                                             unsigned leastFactors = 3) {
  std::optional<Product> product = def.getProduct(statement, keepsOrder);
  if (!product || product->factors.size() < leastFactors)
    return std::nullopt;
  return product;
}

std::optional<unsigned> countPathFactors(const Def &def,
                                         const Statement &statement) {
  if (auto product = getPathProduct(def, statement, /*keepsOrder=*/false))
    return product->factors.size();
  return std::nullopt;
}

std::optional<ContractionNetwork>
getNetwork(const Def &def, const Statement &statement,
           const ContractionOrderOptions &orderOptions, unsigned leastFactors) {
  std::optional<Product> product =
      getPathProduct(def, statement, orderOptions.keepsOrder, leastFactors);
  if (!product)
    return std::nullopt;
  ContractionNetwork network;
  LinalgOptions options;
  for (const Index &index : statement.indices)
    network.labelSizes.push_back(index.extent.isConstant()
                                     ? index.extent.evaluate({})
                                     : options.unknownSize);
  // In the order in which `ein.product` has them, so that labels are the same.
  std::vector<SmallVector<unsigned>> labels;
  for (ProductFactor factor : product->factors) {
    SmallVector<unsigned> &own = labels.emplace_back();
    if (!def.isForwardAccess(factor.access)) {
      llvm::append_range(own,
                         def.getIndices(statement, factor.access).set_bits());
      continue;
    }
    for (const Affine &subscript : def[factor.access].subscripts) {
      ArrayRef<Affine::IndexTerm> terms = subscript.getIndexTerms();
      if (terms.size() == 1)
        own.push_back(terms[0].id.value);
      if (terms.size() <= 1)
        continue;
      LabelSum sum;
      for (const Affine::IndexTerm &term : terms)
        sum.terms.push_back(
            {static_cast<unsigned>(term.id.value), term.coefficient});
      llvm::sort(sum.terms, [](LabelSum::Term a, LabelSum::Term b) {
        return a.label < b.label;
      });
      own.push_back(network.addSum(std::move(sum)));
    }
  }
  auto makeSet = [&](const auto &members) {
    SmallBitVector set(network.labelSizes.size());
    for (unsigned member : members)
      set.set(member);
    return set;
  };
  for (ArrayRef<unsigned> own : labels)
    network.operands.push_back(makeSet(own));
  for (ExprId condition : product->conditions)
    network.conditions.push_back(
        makeSet(def.getIndices(statement, condition).set_bits()));
  network.hasArithmetic = !product->isEinsum;
  network.elementBytes = divideCeil(getBitWidth(statement.computeType), 8);
  network.output =
      makeSet(map_range(statement.targetIndices,
                        [](IndexId index) -> unsigned { return index.value; }));
  for (const std::vector<unsigned> &group :
       statement.order.empty() ? statement.groups : statement.order)
    network.groups.emplace_back(group.begin(), group.end());
  network.shared.assign(statement.shared.begin(), statement.shared.end());
  return network;
}

/// The indices whose extents are not bound.
static SmallBitVector getDynamicLabels(const Statement &statement) {
  SmallBitVector open(statement.indices.size());
  for (auto [i, index] : enumerate(statement.indices))
    open[i] = !index.extent.isConstant();
  return open;
}

SmallVector<ContractionPath> findPaths(const ContractionNetwork &network,
                                       const Statement &statement,
                                       const ContractionOrderOptions &options) {
  return findContractionOrders(network, getDynamicLabels(statement), options);
}

static SmallVector<std::pair<unsigned, unsigned>>
getPairs(const ContractionPath &path) {
  return map_to_vector(path.steps, [](const ContractionStep &step) {
    return std::pair(step.lhs, step.rhs);
  });
}

PathQualities fixLongPaths(Program &program,
                           const ContractionOrderOptions &options) {
  PathQualities qualities;
  for (Def &def : program.defs)
    for (Statement &statement : def.statements) {
      std::optional<unsigned> numFactors = countPathFactors(def, statement);
      if (!numFactors || *numFactors <= SearchKnobs::kMostForSubsets ||
          !statement.order.empty())
        continue;
      std::optional<ContractionNetwork> network =
          getNetwork(def, statement, options);
      if (!network)
        continue;
      SmallVector<ContractionPath> paths =
          findPaths(*network, statement, options);
      if (paths.empty())
        continue;
      assert(paths.size() == 1 && "long products have one order");
      for (auto [lhs, rhs] : getPairs(paths[0]))
        statement.order.push_back({lhs, rhs});
      qualities[&statement] = paths[0].quality;
    }
  return qualities;
}

std::optional<ContractionPath>
findPath(const Def &def, const Statement &statement,
         ArrayRef<int64_t> symbolValues,
         const ContractionOrderOptions &options) {
  std::optional<ContractionNetwork> network =
      getNetwork(def, statement, options);
  if (!network)
    return std::nullopt;
  SmallVector<ContractionPath> paths = findPaths(*network, statement, options);
  for (auto [size, index] : zip(network->labelSizes, statement.indices))
    size = index.extent.evaluate(symbolValues);
  network->updateSums();
  std::optional<ContractionPath> best;
  for (const ContractionPath &path : paths) {
    ContractionPath actual = path;
    if (network->hasArithmetic) {
      countProductFlops(*network, actual);
    } else {
      actual = applyContractionOrder(*network, getPairs(path));
      actual.slices = path.slices;
      countSlicedFlops(*network, actual);
    }
    if (!best || actual.flops < best->flops)
      best = std::move(actual);
  }
  return best;
}

SmallVector<std::pair<unsigned, unsigned>>
getLinearPath(const ContractionPath &path) {
  // Numbers are ascending in the list, so that a position is the count of what
  // is left below a number. The counts are sums in a Fenwick tree.
  size_t size = 2 * path.steps.size() + 2;
  std::vector<unsigned> sums(size, 0);
  auto add = [&](size_t number, unsigned change) {
    for (size_t i = number + 1; i < size; i += i & -i)
      sums[i] += change;
  };
  auto count = [&](size_t number) {
    unsigned total = 0;
    for (size_t i = number; i != 0; i -= i & -i)
      total += sums[i];
    return total;
  };
  unsigned next = 0;
  while (next <= path.steps.size())
    add(next++, 1);
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (const ContractionStep &step : path.steps) {
    pairs.push_back(std::minmax(count(step.lhs), count(step.rhs)));
    add(step.lhs, -1);
    add(step.rhs, -1);
    add(next++, 1);
  }
  return pairs;
}

std::vector<int64_t> assumeSizes(const Def &def) {
  LinalgOptions options;
  return def.getSymbolValues(
      [&](const Symbol &) -> int64_t { return options.unknownSize; });
}

/// `h`, or `(2*h+kh)`.
static std::string printLabel(const Statement &statement,
                              const ContractionNetwork &network,
                              unsigned label) {
  unsigned numIndices = statement.indices.size();
  if (label < numIndices)
    return statement.indices[label].name;
  std::string text;
  for (LabelSum::Term term : network.sums[label - numIndices].terms)
    text +=
        (text.empty() ? "(" : "+") +
        (term.coefficient == 1 ? "" : std::to_string(term.coefficient) + "*") +
        statement.indices[term.label].name;
  return text + ")";
}

std::string printLabels(const Statement &statement,
                        const ContractionNetwork &network,
                        const SmallBitVector &labels) {
  bool hasWords = llvm::any_of(statement.indices, [](const Index &index) {
    return decodeCharacter(index.name).length != index.name.size();
  });
  std::string text;
  for (unsigned label : labels.set_bits())
    text += (hasWords && !text.empty() ? " " : "") +
            printLabel(statement, network, label);
  return text;
}

/// How its first order was found.
static StringRef getQuality(const Statement &statement,
                            ArrayRef<ContractionPath> paths,
                            const PathQualities &qualities) {
  auto known = qualities.find(&statement);
  return getName(known != qualities.end() ? known->second : paths[0].quality);
}

/// Their bytes, and the loops that keep them so few.
static std::string describeTemporaries(const Statement &statement,
                                       const ContractionPath &path) {
  std::string text = formatv("{0:f0} bytes", path.temporaryBytes);
  if (getDynamicLabels(statement).any())
    text += ", dynamic sizes as assumed";
  StringRef separator = "; in slices of ";
  for (ContractionSlice slice : path.slices) {
    text += formatv("{0}{1} of `{2}`", separator, slice.size,
                    statement.indices[slice.label].name);
    separator = ", ";
  }
  return text;
}

LogicalResult checkTemporaries(const Program &program,
                               const ContractionOrderOptions &options,
                               DiagnosticEngine &diags) {
  if (options.maxTempBytes == 0)
    return success();
  LogicalResult result = success();
  for (const Def &def : program.defs)
    for (const Statement &statement : def.statements) {
      std::optional<ContractionNetwork> network =
          getNetwork(def, statement, options);
      // With index arithmetic it is as written if they would be too large.
      if (!network || network->hasArithmetic)
        continue;
      double bytes = findPaths(*network, statement, options)[0].temporaryBytes;
      if (bytes <= options.maxTempBytes)
        continue;
      diags.report(
          DiagId::TemporariesTooLarge, statement.range,
          {formatv("{0:f0}", bytes), std::to_string(options.maxTempBytes)});
      result = failure();
    }
  return result;
}

std::optional<std::string> printPath(const Def &def, const Statement &statement,
                                     const ContractionOrderOptions &options,
                                     const PathQualities &qualities) {
  std::optional<ContractionNetwork> network =
      getNetwork(def, statement, options);
  if (!network)
    return std::nullopt;
  SmallVector<ContractionPath> paths = findPaths(*network, statement, options);
  if (paths.empty())
    return "  one nest of loops over all indices: no order within the limit of "
           "temporaries takes fewer operations";
  const ContractionPath &path = paths[0];
  auto print = [&](const SmallBitVector &labels) {
    return printLabels(statement, *network, labels);
  };
  double naive = 1;
  for (double size :
       ArrayRef(network->labelSizes).take_front(statement.indices.size()))
    naive *= size;
  unsigned widest = 0;

  // The steps, as the operands that each leaves.
  std::vector<SmallBitVector> tensors(network->operands.begin(),
                                      network->operands.end());
  for (auto [i, sum] : enumerate(path.ownSums))
    tensors[i] = sum.result;
  SmallVector<unsigned> left = to_vector(seq<unsigned>(0, tensors.size()));
  std::string rows, shared;
  raw_string_ostream table(rows);
  for (const ContractionStep &step : path.steps) {
    SmallBitVector all = tensors[step.lhs];
    all |= tensors[step.rhs];
    if (network->hasArithmetic)
      all = step.loops;
    widest = std::max(widest, static_cast<unsigned>(all.count()));
    erase_if(left, [&](unsigned tensor) {
      return tensor == step.lhs || tensor == step.rhs;
    });
    std::string current =
        print(tensors[step.lhs]) + "," + print(tensors[step.rhs]);
    for (unsigned i : step.conditions.set_bits())
      current += ",[" + print(network->conditions[i]) + "]";
    current += "->" + print(step.result);
    if (step.shared)
      shared +=
          (shared.empty() ? "\n                shared:  " : "; ") + current;
    left.push_back(tensors.size());
    tensors.push_back(step.result);
    // As opt_einsum has it: of many, none is printed.
    constexpr size_t kMostRemaining = 20;
    std::string remaining = "...";
    if (left.size() <= kMostRemaining)
      remaining = join(map_range(left,
                                 [&](unsigned tensor) {
                                   return print(tensors[tensor]);
                                 }),
                       ",") +
                  "->" + print(network->output);
    table << '\n'
          << format_decimal(all.count(), 7) << ' '
          << formatv("{0,24} {1,40}", current, remaining);
  }

  std::string operands = join(map_range(network->operands, print), ",");
  for (const SmallBitVector &condition : network->conditions)
    operands += ",[" + print(condition) + "]";
  std::string rule = "\n" + std::string(74, '-');
  double optimized = path.flops;
  bool sums = network->output.count() != statement.indices.size();
  naive *= network->operands.size() - !sums;
  return formatv(
             "  complete contraction:  {0}->{1}\n"
             "         naive scaling:  {2}\n"
             "     optimized scaling:  {3}\n"
             "      naive operations:  {4:e3}\n"
             "  optimized operations:  {5:e3}\n"
             "               speedup:  {6:f3}\n"
             "  largest intermediate:  {7:e3} elements\n"
             "                 order:  {8}\n"
             "           temporaries:  {9}{10}",
             operands, print(network->output), statement.indices.size(), widest,
             naive, optimized, optimized > 0 ? naive / optimized : 1.0,
             path.largestIntermediate, getQuality(statement, paths, qualities),
             describeTemporaries(statement, path), shared)
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

std::string emitPath(const Program &program,
                     const ContractionOrderOptions &options,
                     const PathQualities &qualities) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os, /*IndentSize=*/2);
  json.arrayBegin();
  for (const Def &def : program.defs) {
    std::vector<int64_t> sizes = assumeSizes(def);
    for (const Statement &statement : def.statements) {
      std::optional<ContractionNetwork> network =
          getNetwork(def, statement, options);
      if (!network)
        continue;
      SmallVector<ContractionPath> paths =
          findPaths(*network, statement, options);
      if (paths.empty())
        continue;
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
        json.attribute("order", getQuality(statement, paths, qualities));
        json.attribute("flops", paths[0].flops);
        bool sharesAny =
            any_of(paths[0].steps, [](const ContractionStep &step) {
              return step.shared.has_value();
            });
        if (sharesAny)
          json.attributeArray("shared", [&] {
            for (auto [i, step] : enumerate(paths[0].steps))
              if (step.shared)
                json.value(int64_t(i));
          });
        json.attribute("largest_intermediate", paths[0].largestIntermediate);
        json.attribute("temporary_bytes", paths[0].temporaryBytes);
        if (!paths[0].slices.empty())
          json.attributeObject("slices", [&] {
            for (ContractionSlice slice : paths[0].slices)
              json.attribute(json::fixUTF8(statement.indices[slice.label].name),
                             int64_t(slice.size));
          });
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
