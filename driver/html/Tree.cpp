//===- Tree.cpp - The order of contraction as a tree ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Explanation.h"
#include "driver/Path.h"
#include "frontend/print/Printer.h"
#include "order/Slicing.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein {

/// What the source has for each operand of the network.
static std::vector<std::string>
nameOperands(const Def &def, const Statement &statement, bool keepsOrder) {
  std::vector<std::string> names;
  std::optional<Product> product = def.getProduct(statement, keepsOrder);
  for (ProductFactor factor : product->factors) {
    const Expr &access = def[factor.access];
    names.push_back(access.tensor.isValid() ? def[access.tensor].name : "…");
  }
  return names;
}

void printTree(json::OStream &json, const Def &def, const Statement &statement,
               const ContractionOrderOptions &options) {
  std::optional<ContractionNetwork> network =
      getNetwork(def, statement, options, /*leastFactors=*/2);
  if (!network)
    return;
  SmallVector<ContractionPath> paths = findPaths(*network, statement, options);
  if (paths.empty())
    return;
  const ContractionPath &path = paths.front();
  auto printTensor = [&](const SmallBitVector &labels) {
    double elements = 1;
    for (unsigned label : labels.set_bits())
      elements *= network->labelSizes[label];
    json.attribute("labels",
                   json::fixUTF8(printLabels(statement, *network, labels)));
    json.attribute("elements", elements);
    json.attribute("bytes", elements * network->elementBytes);
  };
  json.attributeObject("tree", [&] {
    json.attributeArray("operands", [&] {
      std::vector<std::string> names =
          nameOperands(def, statement, options.keepsOrder);
      for (size_t i = 0; i != names.size(); ++i)
        json.object([&] {
          json.attribute("name", json::fixUTF8(names[i]));
          printTensor(network->operands[i]);
        });
    });
    SmallVector<double> flops = countStepFlops(*network, path);
    json.attributeArray("steps", [&] {
      for (size_t i = 0; i != flops.size(); ++i)
        json.object([&] {
          const ContractionStep &step = path.steps[i];
          json.attribute("lhs", step.lhs);
          json.attribute("rhs", step.rhs);
          printTensor(step.result);
          json.attribute("flops", flops[i]);
          if (step.shared)
            json.attribute("shared", true);
        });
    });
    json.attribute("target", json::fixUTF8(def[statement.target].name));
    json.attribute("flops", path.flops);
    json.attribute("largest_intermediate", path.largestIntermediate);
    json.attribute("temporary_bytes", path.temporaryBytes);
    json.attribute("alternatives", int64_t(paths.size()) - 1);
    if (!path.slices.empty())
      json.attributeObject("slices", [&] {
        for (ContractionSlice slice : path.slices)
          json.attribute(json::fixUTF8(statement.indices[slice.label].name),
                         int64_t(slice.size));
      });
  });
}

} // namespace ein
