//===- ProductSearch.cpp - Orders of products with arithmetic -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic programming over subsets of the operands. What a subset leaves is not
// one tensor, as in an einsum, but one per choice of the sums that are still
// labels; there are few. An order that is given is the same over its subsets.
//
//===----------------------------------------------------------------------===//

#include "order/ProductSearch.h"
#include "abi/CacheLine.h"
#include "order/OrderProblem.h"
#include "order/SearchKnobs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <cassert>
#include <cmath>

using namespace llvm;

namespace ein {

double LabelSum::getSize(ArrayRef<double> sizes) const {
  double size = 1;
  for (Term term : terms) {
    if (sizes[term.label] == 0)
      return 0;
    size += term.coefficient * (sizes[term.label] - 1);
  }
  return size;
}

unsigned ContractionNetwork::addSum(LabelSum sum) {
  unsigned first = getNumIndices();
  const LabelSum *found = llvm::find(sums, sum);
  if (found != sums.end())
    return first + (found - sums.begin());
  labelSizes.push_back(sum.getSize(labelSizes));
  sums.push_back(std::move(sum));
  return labelSizes.size() - 1;
}

void ContractionNetwork::updateSums() {
  unsigned first = getNumIndices();
  for (auto [i, sum] : enumerate(sums))
    labelSizes[first + i] = sum.getSize(labelSizes);
}

static double countPoints(ArrayRef<double> sizes, const SmallBitVector &loops) {
  double points = 1;
  for (unsigned label : loops.set_bits())
    points = multiplySizes(points, sizes[label]);
  return points;
}

namespace {

/// What some operands have become, in one of the ways in which they may.
struct Tensor {
  SmallBitVector labels;
  /// Conditions that have been looked at.
  SmallBitVector checked;
  OrderCost cost;
  /// The last step: which tensors of which subsets, and what it loops over.
  unsigned lhs = 0, rhs = 0; // among the tensors of their subsets
  uint32_t lhsSet = 0, rhsSet = 0;
  ContractionStep step = {};
};
using Tensors = SmallVector<Tensor, 2>;

class ProductSearch {
public:
  explicit ProductSearch(const ContractionNetwork &network);

  const ContractionPath &getOwnSums() const { return ownSums; }
  Tensor makeLeaf(unsigned operand) const;
  /// Adds to `results` what two tensors become; `outside` has the indices that
  /// other operands have.
  void contract(const Tensor &lhs, const Tensor &rhs,
                const SmallBitVector &outside, bool isLast,
                Tensors &results) const;
  /// The indices of the operand, its sums' among them.
  const SmallBitVector &getIndices(unsigned operand) const {
    return indices[operand];
  }
  SmallBitVector makeSet() const {
    return SmallBitVector(network.labelSizes.size());
  }

private:
  bool isSum(unsigned label) const { return label >= numIndices; }
  void addMembers(unsigned sum, SmallBitVector &labels) const {
    for (LabelSum::Term term : network.sums[sum - numIndices].terms)
      labels.set(term.label);
  }
  SmallBitVector getMembers(unsigned sum) const {
    SmallBitVector members = makeSet();
    addMembers(sum, members);
    return members;
  }
  void sumOwn(unsigned operand);
  SmallBitVector findResolved(const SmallBitVector &labels) const;

  const ContractionNetwork &network;
  unsigned numIndices;
  std::vector<SmallBitVector> indices;
  /// What is left of operands when their own indices are summed.
  ContractionPath ownSums;
};

} // namespace

ProductSearch::ProductSearch(const ContractionNetwork &network)
    : network(network), numIndices(network.getNumIndices()) {
  auto findIndices = [&] {
    indices.clear();
    for (size_t i = 0; i != network.operands.size(); ++i) {
      indices.push_back(makeSet());
      for (unsigned label : ownSums.ownSums[i].result.set_bits())
        if (isSum(label))
          addMembers(label, indices.back());
        else
          indices.back().set(label);
    }
  };
  for (const SmallBitVector &operand : network.operands)
    ownSums.ownSums.push_back({operand, {}});
  findIndices();
  for (size_t i = 0; i != network.operands.size(); ++i)
    sumOwn(i);
  findIndices();
}

/// The sums whose indices a step over `labels` has to loop over: another label
/// is one of these, or has one as well.
SmallBitVector ProductSearch::findResolved(const SmallBitVector &labels) const {
  SmallBitVector resolved = makeSet();
  for (unsigned label : labels.set_bits()) {
    if (!isSum(label))
      continue;
    SmallBitVector members = getMembers(label);
    for (unsigned other : labels.set_bits())
      if (other != label && (isSum(other) ? getMembers(other).anyCommon(members)
                                          : members.test(other)))
        resolved.set(label);
  }
  return resolved;
}

void ProductSearch::sumOwn(unsigned operand) {
  SmallBitVector own = indices[operand];
  own.reset(network.output);
  for (size_t i = 0; i != network.operands.size(); ++i)
    if (i != operand)
      own.reset(indices[i]);
  for (const SmallBitVector &condition : network.conditions)
    own.reset(condition);
  if (own.none())
    return;
  ContractionPath::OwnSum &sum = ownSums.ownSums[operand];
  SmallBitVector labels = sum.result;
  // Sums that share an index with what is summed go as well, and so on.
  for (bool changed = true; std::exchange(changed, false);) {
    SmallBitVector resolved = findResolved(labels);
    for (unsigned label : labels.set_bits())
      if (isSum(label) && getMembers(label).anyCommon(own))
        resolved.set(label);
    for (unsigned label : resolved.set_bits()) {
      labels.reset(label);
      addMembers(label, labels);
      changed = true;
    }
  }
  sum.loops = labels;
  sum.result = labels;
  sum.result.reset(own);
}

Tensor ProductSearch::makeLeaf(unsigned operand) const {
  const ContractionPath::OwnSum &sum = ownSums.ownSums[operand];
  Tensor leaf;
  leaf.labels = sum.result;
  leaf.checked.resize(network.conditions.size());
  if (!sum.loops.empty())
    leaf.cost.flops = countPoints(network.labelSizes, sum.loops);
  return leaf;
}

void ProductSearch::contract(const Tensor &lhs, const Tensor &rhs,
                             const SmallBitVector &outside, bool isLast,
                             Tensors &results) const {
  SmallBitVector labels = lhs.labels;
  labels |= rhs.labels;
  SmallBitVector resolved = findResolved(labels);
  SmallVector<unsigned> free; // sums that may stay labels
  for (unsigned label : labels.set_bits())
    if (isSum(label) && !resolved.test(label)) {
      if (isLast)
        resolved.set(label);
      else
        free.push_back(label);
    }
  SmallBitVector checked = lhs.checked;
  checked |= rhs.checked;
  ArrayRef<double> sizes = network.labelSizes;
  unsigned numFree = std::min<unsigned>(free.size(), SearchKnobs::kMostFree);
  for (unsigned choice = 0; choice != 1u << numFree; ++choice) {
    SmallBitVector here = resolved;
    for (unsigned i = 0; i != numFree; ++i)
      if (choice >> i & 1)
        here.set(free[i]);
    Tensor result;
    result.checked = checked;
    ContractionStep &step = result.step;
    step.loops = labels;
    step.loops.reset(here);
    for (unsigned sum : here.set_bits())
      addMembers(sum, step.loops);
    // What is needed later: by others, and by conditions on more than this.
    SmallBitVector needed = network.output;
    needed |= outside;
    for (auto [i, condition] : enumerate(network.conditions))
      if (!checked.test(i) && condition.test(step.loops))
        needed |= condition;
    step.conditions.resize(network.conditions.size());
    SmallBitVector kept = needed;
    for (auto [i, condition] : enumerate(network.conditions)) {
      if (checked.test(i) || condition.test(step.loops))
        continue;
      if (isLast || condition.test(needed)) {
        step.conditions.set(i);
        result.checked.set(i);
      } else {
        kept |= condition;
      }
    }
    for (unsigned sum : free)
      kept.set(sum);
    step.result = step.loops;
    step.result &= kept;
    result.labels = step.result;
    double points = countPoints(sizes, step.loops);
    result.cost = lhs.cost + rhs.cost;
    result.cost.flops += step.result == step.loops ? points : 2 * points;
    result.cost.elements += countPoints(sizes, lhs.labels) +
                            countPoints(sizes, rhs.labels) +
                            countPoints(sizes, step.result);
    Tensor *same = llvm::find_if(results, [&](const Tensor &other) {
      return other.labels == result.labels && other.checked == result.checked;
    });
    if (same == results.end())
      results.push_back(std::move(result));
    else if (result.cost < same->cost)
      *same = std::move(result);
  }
}

/// The steps, for costs that are counted later.
static ContractionPath makePath(const ProductSearch &search) {
  ContractionPath path;
  path.ownSums = search.getOwnSums().ownSums;
  return path;
}

void countProductFlops(const ContractionNetwork &network,
                       ContractionPath &path) {
  ArrayRef<double> sizes = network.labelSizes;
  path.flops = path.additions = path.elements = 0;
  path.largestIntermediate = path.temporaryBytes = 0;
  SmallVector<double> elements;
  for (const ContractionPath::OwnSum &sum : path.ownSums) {
    elements.push_back(countPoints(sizes, sum.result));
    if (!sum.loops.empty())
      path.additions += countPoints(sizes, sum.loops);
  }
  for (const ContractionStep &step : path.steps) {
    double points = countPoints(sizes, step.loops);
    path.flops += points;
    if (step.result != step.loops)
      path.additions += points;
    double size = countPoints(sizes, step.result);
    path.elements += elements[step.lhs] + elements[step.rhs] + size;
    elements.push_back(size);
    if (&step == &path.steps.back())
      break;
    path.largestIntermediate = std::max(path.largestIntermediate, size);
    path.temporaryBytes +=
        std::ceil(size * network.elementBytes / kCacheLineBytes) *
        kCacheLineBytes;
  }
  path.flops += path.additions;
}

double countNestFlops(const ContractionNetwork &network) {
  SmallBitVector all(network.labelSizes.size());
  all.set(0, network.getNumIndices());
  SmallBitVector summed = all;
  summed.reset(network.output);
  return countPoints(network.labelSizes, all) *
         (network.operands.size() - 1 + summed.any());
}

ContractionPath
applyProductOrder(const ContractionNetwork &network,
                  ArrayRef<std::pair<unsigned, unsigned>> pairs) {
  ProductSearch search(network);
  unsigned numOperands = network.operands.size();
  std::vector<Tensors> tensors;
  std::vector<SmallBitVector> members; // operands of each
  for (unsigned i = 0; i != numOperands; ++i) {
    tensors.push_back({search.makeLeaf(i)});
    members.emplace_back(numOperands).set(i);
  }
  for (auto [lhs, rhs] : pairs) {
    SmallBitVector both = members[lhs];
    both |= members[rhs];
    SmallBitVector outside = search.makeSet();
    for (unsigned i = 0; i != numOperands; ++i)
      if (!both.test(i))
        outside |= search.getIndices(i);
    Tensors results;
    for (unsigned i = 0; i != tensors[lhs].size(); ++i)
      for (unsigned j = 0; j != tensors[rhs].size(); ++j) {
        Tensors found;
        search.contract(tensors[lhs][i], tensors[rhs][j], outside, both.all(),
                        found);
        for (Tensor &tensor : found) {
          tensor.lhs = i;
          tensor.rhs = j;
          results.push_back(std::move(tensor));
        }
      }
    tensors.push_back(std::move(results));
    members.push_back(std::move(both));
  }
  // Back from the cheapest result to the steps that made it.
  ContractionPath path = makePath(search);
  path.steps.resize(pairs.size());
  const Tensors &last = tensors.back();
  SmallVector<unsigned> choices(tensors.size(), 0);
  choices.back() =
      llvm::min_element(last, [](const Tensor &a,
                                 const Tensor &b) { return a.cost < b.cost; }) -
      last.begin();
  for (size_t i = pairs.size(); i-- > 0;) {
    const Tensor &tensor = tensors[numOperands + i][choices[numOperands + i]];
    auto [lhs, rhs] = pairs[i];
    choices[lhs] = tensor.lhs;
    choices[rhs] = tensor.rhs;
    path.steps[i] = tensor.step;
    path.steps[i].lhs = std::min(lhs, rhs);
    path.steps[i].rhs = std::max(lhs, rhs);
  }
  countProductFlops(network, path);
  return path;
}

namespace {

/// The cheapest of all orders.
class SubsetsOfProduct {
public:
  explicit SubsetsOfProduct(const ContractionNetwork &network)
      : search(network), numOperands(network.operands.size()),
        tensors(size_t(1) << numOperands) {}

  SmallVector<std::pair<unsigned, unsigned>> solve();

private:
  /// The number of the tensor in the path whose steps are written so far.
  unsigned write(uint32_t set, unsigned number,
                 SmallVectorImpl<std::pair<unsigned, unsigned>> &pairs) const;

  ProductSearch search;
  unsigned numOperands;
  std::vector<Tensors> tensors; // by subset
};

} // namespace

SmallVector<std::pair<unsigned, unsigned>> SubsetsOfProduct::solve() {
  for (unsigned i = 0; i != numOperands; ++i)
    tensors[size_t(1) << i] = {search.makeLeaf(i)};
  uint32_t all = tensors.size() - 1;
  for (uint32_t set = 1; set <= all; ++set) {
    if ((set & (set - 1)) == 0)
      continue;
    SmallBitVector outside = search.makeSet();
    for (unsigned i = 0; i != numOperands; ++i)
      if (!(set >> i & 1))
        outside |= search.getIndices(i);
    Tensors &results = tensors[set];
    // Each split once: the half with the first operand is the left one.
    uint32_t first = set & -set, rest = set ^ first;
    for (uint32_t part = rest;; part = (part - 1) & rest) {
      uint32_t left = first | part, right = set ^ left;
      if (right != 0)
        for (unsigned i = 0; i != tensors[left].size(); ++i)
          for (unsigned j = 0; j != tensors[right].size(); ++j) {
            Tensors found;
            search.contract(tensors[left][i], tensors[right][j], outside,
                            set == all, found);
            for (Tensor &tensor : found) {
              tensor.lhs = i;
              tensor.rhs = j;
              tensor.lhsSet = left;
              tensor.rhsSet = right;
              Tensor *same = llvm::find_if(results, [&](const Tensor &other) {
                return other.labels == tensor.labels &&
                       other.checked == tensor.checked;
              });
              if (same == results.end())
                results.push_back(std::move(tensor));
              else if (tensor.cost < same->cost)
                *same = std::move(tensor);
            }
          }
      if (part == 0)
        break;
    }
  }
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  const Tensors &last = tensors[all];
  auto isCheaper = [](const Tensor &a, const Tensor &b) {
    return a.cost < b.cost;
  };
  write(all, llvm::min_element(last, isCheaper) - last.begin(), pairs);
  return pairs;
}

unsigned SubsetsOfProduct::write(
    uint32_t set, unsigned number,
    SmallVectorImpl<std::pair<unsigned, unsigned>> &pairs) const {
  if ((set & (set - 1)) == 0)
    return llvm::countr_zero(set);
  const Tensor &tensor = tensors[set][number];
  unsigned lhs = write(tensor.lhsSet, tensor.lhs, pairs);
  unsigned rhs = write(tensor.rhsSet, tensor.rhs, pairs);
  pairs.push_back(std::minmax(lhs, rhs));
  return numOperands + pairs.size() - 1;
}

/// The einsum of the same indices, which may be of any size.
static ContractionNetwork dropArithmetic(const ContractionNetwork &network) {
  ContractionNetwork plain;
  unsigned numIndices = network.getNumIndices();
  plain.labelSizes.assign(network.labelSizes.begin(),
                          network.labelSizes.begin() + numIndices);
  for (const SmallBitVector &operand : network.operands) {
    SmallBitVector &indices = plain.operands.emplace_back(numIndices);
    for (unsigned label : operand.set_bits()) {
      if (label < numIndices) {
        indices.set(label);
        continue;
      }
      for (LabelSum::Term term : network.sums[label - numIndices].terms)
        indices.set(term.label);
    }
  }
  plain.output = network.output;
  plain.output.resize(numIndices);
  // What a condition is about stays until all of it is there: nearly enough.
  plain.elementBytes = network.elementBytes;
  plain.groups = network.groups;
  return plain;
}

ContractionPath findProductOrder(const ContractionNetwork &network,
                                 const ContractionOrderOptions &options) {
  if (options.wantsCheapest() && network.groups.empty() &&
      network.operands.size() <= SearchKnobs::kMostProductForSubsets) {
    ContractionPath path =
        applyProductOrder(network, SubsetsOfProduct(network).solve());
    path.quality = PathQuality::Optimal;
    return path;
  }
  ContractionPath plain =
      findContractionOrder(dropArithmetic(network), options);
  ContractionPath path = applyProductOrder(
      network, map_to_vector(plain.steps, [](const ContractionStep &step) {
        return std::pair(step.lhs, step.rhs);
      }));
  path.quality = plain.quality == PathQuality::Given ? plain.quality
                                                     : PathQuality::Searched;
  return path;
}

} // namespace ein
