//===- SharedPaths.cpp - Orders of statements that share sums -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ein-order-contractions` is told which products others need as well, so that
// code and reports agree; `ein-share-contractions` then finds equal sums and
// computes them once. Two factors count as the same if the emitted operands
// certainly are one value: a tensor as a whole, with nothing written to it in
// between. What that pass finds beyond is counted twice here.
//
//===----------------------------------------------------------------------===//

#include "driver/SharedPaths.h"
#include "order/SharedProducts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

namespace {
/// The einsums of a def, and which statements they are.
struct Einsums {
  std::vector<EinsumOfSeveral> einsums;
  SmallVector<size_t> statements;
};
} // namespace

/// Whether the factor is a tensor as it is, with an index for each dim.
static bool isWholeTensor(const Def &def, const Statement &statement,
                          const ProductFactor &factor) {
  const Expr &access = def[factor.access];
  if (!def.isForwardAccess(factor.access) ||
      !widensInPlace(access.type, statement.computeType) ||
      (factor.isConjugated && isComplex(access.type)))
    return false;
  SmallBitVector seen(statement.indices.size());
  for (auto [subscript, dim] :
       zip_equal(access.subscripts, def[access.tensor].dims)) {
    std::optional<IndexId> id = subscript.getSingleIndex();
    if (!id || seen.test(id->value))
      return false;
    seen.set(id->value);
    const Index &index = statement.indices[id->value];
    if (index.isGiven && !(index.extent == dim))
      return false;
  }
  return true;
}

/// The labels that are in no other operand, nor in the output.
static SmallBitVector getOwnLabels(const ContractionNetwork &network) {
  SmallBitVector seen = network.output, shared = network.output;
  for (const SmallBitVector &labels : network.operands)
    for (unsigned label : labels.set_bits()) {
      if (seen.test(label))
        shared.set(label);
      seen.set(label);
    }
  return shared.flip();
}

/// The factor's labels by dim, but for those that are summed before.
static EinsumOfSeveral::Operand
getOperand(const Def &def, const Statement &statement,
           const ContractionNetwork &network, const SmallBitVector &ownLabels,
           size_t position, const ProductFactor &factor, unsigned tensor) {
  SmallBitVector kept = network.operands[position];
  kept.reset(ownLabels);
  EinsumOfSeveral::Operand operand;
  if (kept != network.operands[position] ||
      !isWholeTensor(def, statement, factor)) {
    operand.labels.assign(kept.set_bits_begin(), kept.set_bits_end());
    return operand;
  }
  operand.tensor = tensor;
  for (const Affine &subscript : def[factor.access].subscripts)
    operand.labels.push_back(subscript.getSingleIndex()->value);
  return operand;
}

static Einsums collectEinsums(const Def &def,
                              const ContractionOrderOptions &options) {
  Einsums result;
  // By tensor, which contents it has: others after each statement.
  SmallVector<unsigned> contents;
  for (unsigned i = 0; i != def.tensors.size(); ++i)
    contents.push_back(i);
  unsigned next = contents.size();
  for (auto [position, statement] : enumerate(def.statements)) {
    std::optional<ContractionNetwork> network =
        getNetwork(def, statement, options, /*leastFactors=*/2);
    if (network && !network->hasArithmetic) {
      EinsumOfSeveral einsum;
      std::vector<ProductFactor> factors =
          def.getProduct(statement, options.keepsOrder)->factors;
      SmallBitVector ownLabels = getOwnLabels(*network);
      for (auto [i, factor] : enumerate(factors))
        einsum.operands.push_back(
            getOperand(def, statement, *network, ownLabels, i, factor,
                       def.isForwardAccess(factor.access)
                           ? contents[def[factor.access].tensor.value]
                           : 0));
      einsum.network = std::move(*network);
      einsum.type = static_cast<unsigned>(statement.computeType);
      einsum.isDynamic = any_of(statement.indices, [](const Index &index) {
        return !index.extent.isConstant();
      });
      einsum.isReadable =
          statement.update == UpdateKind::Assign || statement.fromIdentity;
      einsum.isFree = statement.order.empty() && statement.groups.empty();
      result.einsums.push_back(std::move(einsum));
      result.statements.push_back(position);
    }
    contents[statement.target.value] = next++;
  }
  return result;
}

void shareProducts(Program &program, const ContractionOrderOptions &options) {
  for (Def &def : program.defs) {
    Einsums all = collectEinsums(def, options);
    findSharedProducts(all.einsums, options);
    for (auto [einsum, position] : zip_equal(all.einsums, all.statements))
      def.statements[position].shared.assign(einsum.network.shared.begin(),
                                             einsum.network.shared.end());
  }
}

std::vector<std::optional<ContractionPath>>
findPaths(const Def &def, ArrayRef<int64_t> symbolValues,
          const ContractionOrderOptions &options) {
  std::vector<std::optional<ContractionPath>> paths;
  for (const Statement &statement : def.statements)
    paths.push_back(findPath(def, statement, symbolValues, options));
  // There is nothing shared where temporaries are to be few.
  if (options.maxTempBytes != 0)
    return paths;
  Einsums all = collectEinsums(def, options);
  std::vector<ContractionPath> counted;
  for (auto [einsum, position] : zip_equal(all.einsums, all.statements)) {
    for (auto [size, index] :
         zip(einsum.network.labelSizes, def.statements[position].indices))
      size = index.extent.evaluate(symbolValues);
    counted.push_back(paths[position]
                          ? *paths[position]
                          : applyContractionOrder(einsum.network, {{0, 1}}));
  }
  countSharedFlops(all.einsums, counted);
  for (auto [path, position] : zip_equal(counted, all.statements))
    if (paths[position] || path.flops == 0)
      paths[position] = std::move(path);
  return paths;
}

} // namespace ein
